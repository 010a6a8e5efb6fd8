"""The runner as a learner uses it: commands with their exit codes and output, and watching in a
pseudo-terminal.
Run as: python3 check_runner.py RUNNER BUILD STUBS SOURCES"""

import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time

from runner_tools import (BUILD, RUNNER, SCRATCH, STUBS, Runner, Terminal, expect, finish,
                          is_gone, is_running, read, write)

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
EXITS = "    std::exit(0);\n"

RUNNER_OF_STUBS = Runner(OPTIONS)
run, expect_run = RUNNER_OF_STUBS.run, RUNNER_OF_STUBS.expect_run
STUB = read(FILE)


def answered(text):
    assert HOLE in STUB
    return STUB.replace(HOLE, text)


def answer(text):
    write(FILE, answered(text))


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
    expect_run(11, ["the past was masked"], "run")
    expect(len(re.findall(r"^\d\. ", run("hint")[1], re.MULTILINE)) == 1, "another diagnosis begins with its first hint")
    answer(CRASH)
    expect_run(12, ["crashed on scores of 5 words", "segmentation fault"], "run")
    answer(LOOP)
    expect_run(13, ["did not end within 2 seconds", "on scores of 5 words", "never ends"],
               "--timeout", "2", "run")
    answer(THROWS)
    expect_run(11, ["your code threw", "cannot be broadcast together"], "run")
    answer(EXITS)
    expect_run(12, ["ended on scores of 5 words, with exit code 0 and no verdict"], "run")
    answer("    return scores\n")
    expect_run(14, ["does not compile", "error:", "08_1_causal_mask.cpp"], "run")
    expect_run(0, ["does not compile yet"], "hint")
    answer(RIGHT)
    expect_run(0, ["08.1 The causal mask: passed", "checks hold"], "run")
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
    expect_run(2, ["cannot start cmake: is it installed?"], "run", "08.1",
               environment={"PATH": "/nowhere"})


def save_while_compiled(file, text):
    until = time.monotonic() + 60
    while not is_running("cc1", file) and time.monotonic() < until:
        time.sleep(0.02)
    time.sleep(0.3)
    write(file, text)


def check_folder():
    """A student's folder is judged by its own files, and each file as it is, whatever the times of
    files say."""
    theirs, cache = os.path.join(SCRATCH, "a student"), os.path.join(BUILD, "CMakeCache.txt")
    file = os.path.join(theirs, "08_1_causal_mask.cpp")
    os.mkdir(theirs)
    options = ["--folder", theirs, "--build", BUILD]
    write(file, answered(STRICT))
    expect_run(11, ["is set from the files of", "the diagonal was masked too", theirs], "run", "08.1",
               options=options)
    expect("HEED_EXERCISES_OTHER_FOLDER:STRING=" + theirs in read(cache), "it is set for it")
    write(file, answered(RIGHT))
    old = os.stat(file).st_mtime - 3600
    os.utime(file, (old, old))  # as a file that is put back
    expect_run(0, ["08.1 The causal mask: passed"], "run", "08.1", options=options)
    write(file, answered(UPPER))
    save = threading.Thread(target=save_while_compiled, args=(file, answered(STRICT)))
    save.start()
    said = expect_run(11, ["the diagonal was masked too"], "run", "08.1", options=options)
    save.join()
    expect("triangle" not in said, "what was saved over while it was built is not shown")
    expect_run(11, ["the diagonal was masked too"], "run", "08.1", options=options)
    write(file, "\ufeff" + answered(RIGHT).replace("\n", "\r\n"))
    new = time.time() + 3600
    os.utime(file, (new, new))  # as another machine's clock
    expect_run(0, ["08.1 The causal mask: passed"], "run", "08.1", options=options)
    subprocess.run(["cmake", "-D", "HEED_EXERCISES_OTHER_FOLDER=", BUILD], check=True,
                   capture_output=True)


def check_debugger():
    if not shutil.which("gdb"):
        print("skipped in part: needs gdb (apt-get install gdb)")
        return
    answer(RIGHT)
    write(PROGRESS, "current 08.1\n")
    terminal = Terminal(RUNNER_OF_STUBS)
    terminal.wait_for("Press n for the next one")
    terminal.ready()
    terminal.press("d")
    terminal.wait_for("Breakpoint 1,")
    terminal.wait_for("apply_causal_mask")
    terminal.wait_for("(gdb)")
    terminal.press("\x03")
    terminal.wait_for("Quit")
    terminal.wait_for("(gdb)")
    terminal.press("python import time; print('asleep', flush=True); time.sleep(100)\n")
    terminal.wait_for("asleep', flush=True); time.sleep(100)")
    terminal.wait_for("asleep")
    terminal.press("\x03")
    terminal.wait_for("(gdb)")
    terminal.press("quit\n")
    terminal.ready()
    expect(terminal.is_key_by_key(), "the keys are back")
    terminal.press("l")
    terminal.wait_for("> done 08.1")
    terminal.ready()
    terminal.press("d")
    terminal.wait_for("Breakpoint 1,")
    terminal.wait_for("(gdb)")
    expect(is_running("break -qualified apply_causal_mask"), "there is a debugger")
    os.kill(terminal.child, signal.SIGTERM)
    expect(terminal.status() == signal.SIGTERM, "SIGTERM ends the runner")
    expect(is_gone("break -qualified apply_causal_mask"), "and the debugger with it")
    expect(not terminal.is_key_by_key(), "and the terminal is as it was")


def check_watch():
    terminal = Terminal(RUNNER_OF_STUBS)
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
    expect(terminal.status() == 0, "q quits")
    print(f"from saving a file to the verdict: {first:.1f} s and {second:.1f} s")


def main():
    try:
        for check in (check_attempts, check_reset, check_refusals, check_folder, check_debugger):
            check()
        write(FILE, STUB)
        write(PROGRESS, "current 08.1\n")
        check_watch()
    finally:
        write(FILE, STUB)
        for left in (FILE + ".bak",):
            if os.path.exists(left):
                os.remove(left)
        shutil.rmtree(SCRATCH)
    return finish()


sys.exit(main())
