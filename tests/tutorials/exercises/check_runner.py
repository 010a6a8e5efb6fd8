"""The runner as a learner uses it: commands with their exit codes and output, and watching in a
pseudo-terminal.
Run as: python3 check_runner.py RUNNER BUILD STUBS SOURCES"""

import os
import pty
import re
import select
import subprocess
import sys
import tempfile
import time

RUNNER, BUILD, STUBS, SOURCES = sys.argv[1:]
SCRATCH = tempfile.mkdtemp()
PROGRESS = os.path.join(SCRATCH, "progress.txt")
FILE = os.path.join(STUBS, "08_1_causal_mask.cpp")
OPTIONS = ["--folder", STUBS, "--build", BUILD, "--targets", "stub_", "--progress", PROGRESS]
HOLE = '    exercise::not_done("08.1");\n'
RIGHT = """    const Tensor ones = tensor::ones({scores.dim(-1), scores.dim(-1)});
    return masked_fill(scores, tensor::triu(ones, 1) == 1, -infinity);
"""
STRICT = RIGHT.replace("ones, 1)", "ones, 0)")
UPPER = RIGHT.replace("triu(ones, 1)", "tril(ones, -1)")
CRASH = "    const int* none = nullptr;\n    return scores * static_cast<double>(*none);\n"
LOOP = "    volatile int i = 0;\n    while (i == 0) {\n    }\n    return scores;\n"
THROWS = "    return scores + Variable(tensor::ones({7, 9}));\n"
PATIENCE = 120

failures = []
checks = 0


def expect(holds, problem):
    global checks
    checks += 1
    if not holds:
        failures.append(problem)
        print("FAILED:", problem)


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


STUB = read(FILE)


def answer(text):
    assert HOLE in STUB
    write(FILE, STUB.replace(HOLE, text))


def run(*words, options=None, environment=None):
    ended = subprocess.run([RUNNER, *(OPTIONS if options is None else options), *words],
                           capture_output=True, text=True, check=False, timeout=600,
                           stdin=subprocess.DEVNULL, env=environment)
    return ended.returncode, ended.stdout + ended.stderr


def expect_run(code, parts, *words, **more):
    got, said = run(*words, **more)
    expect(got == code, f"{words}: exit code {got}, not {code}: {said}")
    for part in parts:
        expect(part in said, f"{words}: nothing of \"{part}\" in: {said}")
    return said


def check_attempts():
    expect_run(10, ["08.1 The causal mask: not done yet", "not done yet: 08.1, at 08_1_causal_mask.cpp:"],
               "run", "08.1")
    answer(STRICT)
    expect_run(11, ["not yet right", "the diagonal was masked too"], "run", "08_1_causal_mask")
    steps = [run("hint", "08.1")[1] for _ in range(5)]
    expect([len(re.findall(r"^\d\. ", step, re.MULTILINE)) for step in steps] == [1, 2, 3, 4, 4],
           f"five hints: {steps}")
    expect("Ask once more" in steps[3] and "Ask once more" not in steps[4],
           "the change itself is shown when asked for twice")
    expect_run(0, ["Known as: mask.strict"], "why", "08.1")
    answer(UPPER)
    expect_run(11, ["the lower triangle was masked"], "run")
    expect(run("hint")[1].count("\n") == 1, "another diagnosis begins with its first hint")
    answer(CRASH)
    expect_run(12, ["crashed on scores of 5 words", "segmentation fault"], "run")
    answer(LOOP)
    expect_run(13, ["did not end within 2 seconds", "on scores of 5 words", "never ends"],
               "--timeout", "2", "run")
    answer(THROWS)
    expect_run(11, ["your code ended in an error", "cannot be broadcast together"], "run")
    answer("    return scores\n")
    expect_run(14, ["does not compile", "error:", "08_1_causal_mask.cpp"], "run")
    expect_run(0, ["does not compile yet"], "hint")
    answer(RIGHT)
    expect_run(0, ["08.1 The causal mask: passed", "10 of 10 checks hold"], "run")
    expect_run(0, ["done  08.1", "1 of "], "list")
    expect_run(0, ["Mask::causal"], "solution", "08.1")


def check_reset():
    yours = read(FILE)
    expect_run(0, ["as it was at first", ".bak"], "reset", "08.1")
    expect(read(FILE) == STUB, "reset restores the file byte for byte")
    expect(read(FILE + ".bak") == yours, "and keeps what was there")
    expect("done  08.1" not in run("list")[1], "what was reset is not done")
    os.remove(FILE)
    expect_run(2, ["is not there; `exercises reset 08.1` makes it"], "run", "08.1")
    expect_run(0, ["as it was at first.\n"], "reset", "08.1")
    expect(read(FILE) == STUB, "reset makes a file that is gone")


def check_refusals():
    expect_run(2, ['there is no exercise "99.9"'], "run", "99.9")
    expect_run(2, ['there is no command "rum"'], "rum")
    expect_run(2, ['not understood: "--colour"'], "--colour", "x")
    expect_run(2, ["--timeout must be a number of seconds"], "--timeout", "soon", "list")
    expect_run(2, ["reset needs a number"], "reset")
    expect_run(2, ['too many words: "3"'], "run", "08.1", "3")
    expect_run(2, ["write what? stubs or solutions"], "write", "hints", SCRATCH)
    expect_run(2, ["cannot write "], "write", "stubs", "/dev/null/nowhere")
    expect_run(0, ["exit codes:"], "--help")
    expect_run(2, ['there is no command "\\x1b[31m"'], "\x1b[31m")
    for words in ["list"], ["--help"]:
        with open("/dev/full", "w") as full:
            done = subprocess.run([RUNNER] + OPTIONS + words, stdout=full, stderr=subprocess.PIPE,
                                  universal_newlines=True)
        expect(done.returncode == 2 and "exercises: the output could not be written" in done.stderr,
               "%s to a full disk is reported" % words[0])
    bad = os.path.join(SCRATCH, "bad.txt")
    write(bad, "current 08.1\ndun 08.2\n")
    expect_run(2, ['line 2 is not understood: "dun 08.2"', "Mend the line, or delete it"], "list",
               options=["--progress", bad])
    expect(read(bad) == "current 08.1\ndun 08.2\n", "a progress that is not understood is left")
    expect_run(2, ["cannot write /proc/progress.txt"], "run", "08.1",
               options=OPTIONS[:-1] + ["/proc/progress.txt"])
    expect_run(2, ["cannot start cmake: is it installed?"], "run", "08.1",
               environment={"PATH": "/nowhere"})


class Terminal:
    def __init__(self):
        self.raw = b""
        self.seen = 0
        self.child, self.terminal = pty.fork()
        if self.child == 0:
            os.execv(RUNNER, [RUNNER, *OPTIONS])

    def shown(self):
        return self.raw.decode("utf-8", "replace").replace("\r", "")

    def wait_for(self, part):
        until = time.monotonic() + PATIENCE
        while part not in self.shown()[self.seen :]:
            if time.monotonic() > until:
                expect(False, f"nothing of \"{part}\" in: {self.shown()[self.seen :]}")
                return
            if select.select([self.terminal], [], [], 1)[0]:
                try:
                    self.raw += os.read(self.terminal, 1 << 16)
                except OSError:
                    until = 0
        self.seen = self.shown().index(part, self.seen) + len(part)

    def press(self, key):
        os.write(self.terminal, key.encode())


def check_watch():
    terminal = Terminal()
    terminal.wait_for("08.1 The causal mask: not done yet")
    terminal.wait_for("q quit:")
    began = time.monotonic()
    answer(STRICT)
    terminal.wait_for("the diagonal was masked too")
    first = time.monotonic() - began
    terminal.wait_for("q quit:")
    terminal.press("n")
    terminal.wait_for("08.1 is not passed yet")
    terminal.press("h")
    terminal.wait_for("1. ")
    terminal.press("y")
    terminal.wait_for("This key does nothing")
    began = time.monotonic()
    answer(RIGHT)
    terminal.wait_for("Press n for the next one")
    second = time.monotonic() - began
    terminal.wait_for("q quit:")
    terminal.press("l")
    terminal.wait_for("done  08.1")
    terminal.press("x")
    terminal.wait_for("(y/n)")
    terminal.press("n")
    terminal.wait_for("q quit:")
    expect(read(FILE) != STUB, "no was taken for yes")
    terminal.press("n")
    terminal.wait_for("Building and running ")
    terminal.wait_for("q quit:")
    expect("current 08.1" not in read(PROGRESS), "n goes on to another")
    terminal.press("q")
    expect(os.waitpid(terminal.child, 0)[1] == 0, "q quits")
    print(f"from saving a file to the verdict: {first:.1f} s and {second:.1f} s")


def main():
    try:
        check_attempts()
        check_reset()
        check_refusals()
        write(PROGRESS, "current 08.1\n")
        check_watch()
    finally:
        write(FILE, STUB)
        for left in (FILE + ".bak",):
            if os.path.exists(left):
                os.remove(left)
    print(f"{checks} checks, {len(failures)} failed")
    return 1 if failures else 0


sys.exit(main())
