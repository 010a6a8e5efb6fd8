"""The watch in a pseudo-terminal: keys, saves, builds that are slow or fail, signals.
Run as: python3 check_watch.py RUNNER BUILD STUBS SOURCES"""

import os
import re
import shutil
import signal
import sys
import time

from runner_tools import (NAME, RUNNER, SCRATCH, Terminal, Workshop, expect, finish, is_gone,
                          one_line, program, read, write)

NEXT = "08_2_attention_class"


def watch_at(name):
    workshop = Workshop(name)
    write(workshop.progress, "current 08.1\n")
    return workshop


def check_keys():
    workshop = watch_at("keys")
    workshop.save(program("wrong"))
    terminal = Terminal(workshop)
    terminal.wait_for("08.1 The causal mask: not yet right")
    terminal.ready()
    terminal.press("n")
    terminal.wait_for("08.1 is not passed yet; N skips it.")
    terminal.ready()
    terminal.press("N")
    terminal.wait_for("Building and running 08.2")
    terminal.ready()
    terminal.press("p")
    terminal.wait_for("Building and running 08.1")
    terminal.ready()
    terminal.press("g9.33\x7f\n")
    terminal.wait_for("Building and running 09.3")
    terminal.ready()
    terminal.press("g12.7\n")
    terminal.wait_for('there is no exercise "12.7"')
    terminal.ready()
    terminal.press("g\x1b")
    terminal.ready()
    terminal.press("\x1b[A")
    terminal.wait_for("This key does nothing")
    terminal.ready()
    terminal.press("g08.1\n")
    terminal.wait_for("not yet right")
    terminal.ready()
    terminal.press("h")
    terminal.wait_for("1. hint number 1")
    terminal.ready()
    terminal.press("s")
    terminal.wait_for("Show our solution to 08.1? It is not passed yet. (y/n)")
    terminal.press("n")
    expect("masked_fill" not in terminal.ready(), "a solution was shown unasked")
    terminal.press("sy")
    terminal.wait_for("Mask::causal")
    terminal.ready()
    workshop.save(program("passed"))
    terminal.wait_for("Press n for the next one")
    terminal.ready()
    terminal.press("s")
    terminal.wait_for("Mask::causal")
    terminal.ready()
    expect("current 08.1\n" in read(workshop.progress), "g goes to it")
    terminal.press("q")
    expect(terminal.status() == 0, "q quits")
    expect(not terminal.is_key_by_key(), "q leaves the terminal as it was")


def check_first_build():
    workshop = Workshop("first", prefix="exercise_")
    write(workshop.progress, "current 08.1\n")
    workshop.save("//build sleep 1\n" + program("not done"))
    terminal = Terminal(workshop)
    terminal.wait_for("The first build takes some minutes, since it builds the library.")
    terminal.wait_for("[ 40%] Building CXX object")
    terminal.wait_for("not done yet")
    terminal.ready()
    write(workshop.build + "/tutorials/exercises/libexercise_judges.a", "")
    workshop.save("//build sleep 0.5\n" + program("wrong"))
    text = terminal.wait_for("not yet right")
    expect("Building and running 08.1 ..." in text and "first build" not in text,
           f"a later build is not called the first: {text}")
    terminal.ready()
    workshop.save("//build print [42/97] Linking\n//build sleep 0.1\n" + program("passed"))
    terminal.wait_for("[42/97] Linking")
    terminal.ready()
    terminal.press("q")
    terminal.status()
    terminal = Terminal(workshop, "run", kind="dumb")
    terminal.wait_for("10 of 10 checks hold.")
    terminal.status()
    expect("\x1b" not in terminal.shown() and "%]" not in terminal.shown(),
           f"nothing is redrawn on a dumb terminal: {terminal.shown()}")


def check_saves():
    workshop = watch_at("saves")
    workshop.save(program("not done"))
    terminal = Terminal(workshop)
    terminal.wait_for("not done yet")
    terminal.ready()
    workshop.save("//build sleep 1.5\n" + program("wrong"))
    terminal.wait_for("[ 30%]")
    workshop.save(program("passed"))
    before = terminal.wait_for("Press n for the next one", patience=15)
    expect("not yet right" not in before, "what was saved over is not shown")
    terminal.ready()
    os.rename(workshop.file, workshop.file + "~")  # as some editors do, for a moment
    time.sleep(0.4)
    workshop.save(program("wrong"))
    expect("is not there" not in terminal.wait_for("not yet right"), "a moment is no deletion")
    terminal.ready()
    os.remove(workshop.file)
    terminal.wait_for("is not there. Save it from your editor, or press x")
    terminal.ready()
    expect(terminal.quiet(1.5).strip() == "", f"it is said once: {terminal.new()}")
    workshop.save(program("passed"))
    terminal.wait_for("Press n for the next one")
    terminal.ready()
    os.remove(workshop.file)
    terminal.wait_for("is not there")
    terminal.ready()
    terminal.press("xy")
    terminal.wait_for("08.1 is as it was at first.")
    terminal.ready()
    workshop.save(program("wrong"))
    terminal.wait_for("not yet right")
    terminal.ready()
    terminal.press("xy")
    terminal.wait_for("What you had is in")
    expect("no verdict" in terminal.ready(), "what was put aside is named beside the new verdict")
    terminal.press("q")
    terminal.status()


def check_empty_and_gone():
    workshop = watch_at("empty")
    workshop.save(program("wrong"))
    terminal = Terminal(workshop)
    terminal.wait_for("not yet right")
    terminal.ready()
    os.remove(workshop.file)
    terminal.wait_for("is not there. Save it from your editor, or press x")
    terminal.ready()
    terminal.press("h")
    text = terminal.ready()
    expect("is not there; `exercises reset 08.1` makes it, and so does x" in one_line(text) and
           "hint number" not in text, f"no hint for a file that is gone: {text}")
    workshop.save("")
    terminal.wait_for("is empty; `exercises reset 08.1` puts it back, and so does x")
    terminal.ready()
    workshop.save("")
    time.sleep(0.4)
    workshop.save(program("wrong"))  # as some editors do
    expect("is empty" not in terminal.wait_for("not yet right"), "empty for a moment is not empty")
    terminal.ready()
    terminal.press("h")
    expect("built and run first" not in terminal.wait_for("1. hint number 1"),
           "it has just been judged")
    terminal.press("q")
    terminal.status()


def check_line_of_keys():
    for columns in 80, 40, 120:
        workshop = watch_at(f"columns_{columns}")
        workshop.save(program("wrong"))
        terminal = Terminal(workshop, columns=columns)
        terminal.wait_for("not yet right")
        shown = terminal.ready().split("\n\n")[-1] + "q quit:"
        lines = shown.split("\n")
        expect(all(len(line.rstrip()) <= columns for line in lines), f"{columns} columns: {lines}")
        keys = [key.strip() for line in lines for key in line.rstrip(", ").split(",")]
        expect(len(keys) == 11 and all(re.fullmatch(r"[a-z] [a-z ]+:?", key) for key in keys),
               f"a key stands beside its word: {lines}")
        terminal.press("q")
        terminal.status()


def check_errors():
    workshop = watch_at("errors")
    workshop.save("//build errors 50\n//build fail\n")
    terminal = Terminal(workshop, rows=20, columns=60)
    terminal.wait_for("This does not compile:")
    text = terminal.ready()
    expect("error: mistake number 1 is here" in one_line(text), f"the first error is shown: {text}")
    more = re.search(r"and (\d+) more errors", text)
    shown = len(re.findall(r"mistake number", text))
    expect(more and int(more[1]) == 50 - shown, f"the others are counted: {text}")
    expect(text.count("\n") <= 20, f"it fits into 20 lines: {text.count(chr(10))}: {text}")
    log = workshop.build + "/tutorials/exercises/fake_" + NAME + ".log"
    expect("All of it is in" in text and read(log).count("mistake number") == 50, "the log is whole")
    expect("gmake" not in text, "the build tool's lines are left out")
    terminal.press("h")
    terminal.wait_for("It does not compile yet")
    terminal.ready()
    workshop.save("//build print g++: fatal error: No space left on device\n//build fail\n")
    terminal.wait_for("08.1 cannot be judged, because the disk is full.")
    terminal.wait_for("Free some space")
    expect("hint: " not in terminal.ready(), "no hint is offered for a full disk")
    workshop.save(program("wrong"))
    terminal.wait_for("not yet right")
    terminal.ready()
    terminal.press("q")
    terminal.status()


def widest(terminal, text):
    return max((line for line in re.sub(r"\x1b\[[0-9;]*[A-Za-z]", "\n", text).split("\n")
                if "/" not in line), key=len, default="")


def check_width():
    workshop = watch_at("width")
    long = "the diagonal was masked too, so that no word sees itself, and größer is wrong " * 3
    workshop.save(program("wrong", seen=long))
    terminal = Terminal(workshop, columns=44)
    terminal.wait_for("not yet right")
    text = terminal.ready()
    terminal.press("l")
    text += terminal.ready()
    expect(len(widest(terminal, text)) <= 44, f"44 columns: {widest(terminal, text)}")
    terminal.resize(40, 30)
    time.sleep(0.1)
    os.kill(terminal.child, signal.SIGWINCH)  # the kernel sends it only to the foreground group
    terminal.wait_for("not yet right")
    text = terminal.ready()
    expect(len(widest(terminal, text)) <= 30, f"30 columns: {widest(terminal, text)}")
    terminal.press("q")
    terminal.status()


def check_check_all():
    workshop = watch_at("all")
    workshop.save(program("passed"))
    workshop.save("//build sleep 30\n" + program("passed"), NEXT)
    workshop.save(program("wrong"), "01_1_strides")
    terminal = Terminal(workshop)
    terminal.wait_for("Press n for the next one")
    terminal.ready()
    for stop in "q", "\x03", "\x1b":
        terminal.press("c")
        text = terminal.wait_for("Building and running 08.2")
        expect("01.1 not yet right" in text and "01.2 not done yet" in text and
               "08.1 passed" in text, f"line by line: {text}")
        terminal.wait_for("[  0%]")
        terminal.press(stop)
        terminal.wait_for("Stopped after")
        terminal.wait_for("what was found is kept: 1 of")
        terminal.ready()
    expect(not any("01_2" in call for call in workshop.calls()), "a stub is not built")
    terminal.press("q")
    expect(terminal.status() == 0, "and the watch goes on")
    write(workshop.progress, "current 08.1\n")
    started = workshop.start("check-all")
    time.sleep(2)
    started.send_signal(signal.SIGINT)
    said = started.communicate(timeout=20)[0]
    expect(started.returncode == -signal.SIGINT and "Stopped after" in said, f"Ctrl-C: {said}")
    expect("done 08.1" in read(workshop.progress), "what was found before Ctrl-C is kept")


def check_signals():
    for name, sent in ("int", signal.SIGINT), ("term", signal.SIGTERM), ("hup", signal.SIGHUP):
        workshop = watch_at("signal_" + name)
        workshop.save(program("not done"))
        terminal = Terminal(workshop)
        terminal.ready()
        expect(terminal.is_key_by_key(), "keys are read one by one")
        if name == "int":
            terminal.press("\x03")
        else:
            os.kill(terminal.child, sent)
        expect(terminal.status() == sent, f"SIG{name} ends the watch")
        expect(not terminal.is_key_by_key(), f"SIG{name} leaves the terminal as it was")

        workshop.save("//build sleep 40\n" + program("not done"))
        terminal = Terminal(workshop)
        terminal.wait_for("[  0%]")
        os.kill(terminal.child, sent)
        expect(terminal.status() == sent, f"SIG{name} ends a build")
        expect(not terminal.is_key_by_key(), f"SIG{name} in a build leaves the terminal as it was")
        expect(is_gone(workshop.build), f"SIG{name} ends the build's processes")


def check_stop_of_build():
    workshop = watch_at("stop")
    workshop.save("//build sleep 40\n" + program("not done"))
    terminal = Terminal(workshop)
    terminal.wait_for("[  0%]")
    terminal.press("q")
    terminal.wait_for("Stopped; 08.1 is not judged. Save the file to judge it.")
    terminal.ready()
    expect(is_gone(workshop.build), "q ends the build's processes")
    workshop.save(program("wrong"))
    terminal.wait_for("not yet right")
    terminal.ready()
    terminal.press("\x04")
    expect(terminal.status() == 0, "Ctrl-D quits too")


def check_suspend():
    """In a shell with job control, as Ctrl-Z needs it."""
    bash = shutil.which("bash")
    if not bash:
        print("skipped in part: needs bash (apt-get install bash)")
        return
    workshop = watch_at("suspend")
    workshop.save(program("not done"))
    words = " ".join("'" + word + "'" for word in [RUNNER, *workshop.options])
    terminal = Terminal(workshop, command=[bash, "--norc", "--noediting", "-i"])
    terminal.press("PS1='shell''> '\n")
    terminal.wait_for("shell> ")
    terminal.press(words + "\n")
    terminal.wait_for("not done yet")
    terminal.ready()
    for i in range(2):
        expect(terminal.is_key_by_key(), "keys are read one by one")
        terminal.press("\x1a")
        terminal.wait_for("shell> ")
        expect(not terminal.is_key_by_key(), "Ctrl-Z gives the terminal back")
        terminal.press("fg\n")
        terminal.wait_for("not done yet")
        terminal.ready()
        terminal.press("h")
        terminal.wait_for("hint number 1")
        terminal.ready()
    workshop.save("//build sleep 2\n" + program("wrong"))
    terminal.wait_for("[ 10%]")
    terminal.press("\x1a")
    terminal.wait_for("shell> ")
    time.sleep(0.3)
    terminal.quiet(0.3)
    calls = terminal.quiet(1.5)
    terminal.press("fg\n")
    expect("%]" not in calls, f"Ctrl-Z stops the build too: {calls}")
    terminal.wait_for("not yet right")
    terminal.ready()
    terminal.press("q")
    terminal.wait_for("shell> ")
    terminal.press("exit\n")
    terminal.status()


def main():
    for check in (check_keys, check_first_build, check_saves, check_empty_and_gone,
                  check_line_of_keys, check_errors, check_width,
                  check_check_all, check_signals, check_stop_of_build, check_suspend):
        check()
    shutil.rmtree(SCRATCH)
    return finish()


if __name__ == "__main__":
    sys.exit(main())
