"""What all peers share: the questions they answer (see serve.h) and their input numbers."""

import os
import sys
import time


def first_line(error):
    return (str(error).strip() or type(error).__name__).splitlines()[0]


def status_bytes(name):
    with open("/proc/self/status") as status:
        for line in status:
            if line.startswith(name):
                return int(line.split()[1]) * 1024
    return 0


def forget_peak_memory():
    with open("/proc/self/clear_refs", "w") as refs:
        refs.write("5")


def check(run, norms):
    return " ".join(["ok"] + ["%.9g" % norm for norm in norms(run())])


def turn(run, seconds):
    if seconds > 0:
        run()
    calls = 0
    start = time.perf_counter()
    while True:
        run()
        calls += 1
        passed = time.perf_counter() - start
        if passed >= seconds:
            return "time %.9g %d" % (passed, calls)


def memory(run, times):
    before = status_bytes("VmRSS")
    forget_peak_memory()
    for _ in range(times):
        run()
    return "memory %d %d" % (before, status_bytes("VmHWM"))


def serve(prepare, norms):
    """prepare(threads, words) returns a function that does the work once and returns its results;
    norms(results) returns their norms. Answers until the end of input."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # keeps the output of libraries out of the answers
    run = None
    for question in sys.stdin:
        word, *rest = question.split()
        try:
            if word == "prepare":
                run = None
                run = prepare(int(rest[0]), rest[1:])
                answer = "ok" if run else "no such work"
            elif word == "check":
                answer = check(run, norms)
            elif word == "turn":
                answer = turn(run, float(rest[0]))
            elif word == "memory":
                answer = memory(run, int(rest[0]))
            else:
                run = None
                answer = "ok"
        except Exception as error:
            answer = "no " + first_line(error)
        print(answer, file=answers, flush=True)


MASK = 0xFFFFFFFF


def mixed(i, seed):
    """The same 32 bits as in heed_works.cpp; i is a number, or many in one array of 64-bit numbers."""
    h = (i * 2654435761 + seed * 40503) & MASK
    h = h ^ (h >> 16)
    h = (h * 73244475) & MASK
    return h ^ (h >> 16)


def noise(i, seed, scale):
    return (mixed(i, seed) / 2147483648.0 - 1) * scale
