"""A lesson in a terminal: its prose is as wide as a narrow one; with --stop and --predict it waits at
each of its named stops, takes the reader's answers, and ends as it does without these options.
Run as: python3 check_terminal.py PROGRAM SOURCES TRANSCRIPT [once]
once: only both options together, for a lesson that takes long."""

import fcntl
import glob
import os
import pty
import re
import select
import struct
import sys
import termios
import time

PROGRAM, SOURCES, TRANSCRIPT = sys.argv[1:4]
ONCE = sys.argv[4:] == ["once"]
NUMBER = os.path.basename(PROGRAM)[:2]
ASKS = "=== Enter: go on, q: leave the lesson\n"
END_OF_INPUT = "\x04"
PATIENCE = 200  # seconds without a new line; a lesson may train, on a slow machine

failures = []


def expect(holds, problem):
    if not holds:
        failures.append(problem)
        print("FAILED:", problem)


class Terminal:
    """The program in its own pseudo-terminal."""

    def __init__(self, *options, columns=0):
        self.shown = ""
        self.seen = 0
        self.child, self.terminal = pty.fork()
        if self.child == 0:
            fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
            os.execv(PROGRAM, [PROGRAM, "--color", "never", *options])

    def read(self, seconds):
        """False if nothing arrives in this time, or the output has ended."""
        if not select.select([self.terminal], [], [], seconds)[0]:
            return False
        try:
            read = os.read(self.terminal, 1 << 16)
        except OSError:  # Linux's way to report the end
            return False
        self.raw = getattr(self, "raw", b"") + read
        lines = re.sub(r"\r+\n", "\n", self.raw.decode("utf-8", "replace"))
        # Written over: how far a training was, at last with blanks.
        self.shown = re.sub(r" +\n", "\n", re.sub(r"[^\n]*\r", "", lines))
        return bool(read)

    def wait_for(self, pattern):
        """The first match after the last one; None if the program ended."""
        until = time.monotonic() + PATIENCE
        while True:
            match = re.compile(pattern).search(self.shown, self.seen)
            if match:
                self.seen = match.end()
                return match
            if time.monotonic() > until or not self.read(PATIENCE):
                return None

    def type(self, line):
        os.write(self.terminal, (line if line == END_OF_INPUT else line + "\n").encode())

    def exit_code(self):
        """0 if it ended by itself; a program that waits for more is hung up on."""
        while self.read(PATIENCE):
            pass
        os.close(self.terminal)
        return os.waitstatus_to_exitcode(os.waitpid(self.child, 0)[1])


def source():
    files = sorted(glob.glob(os.path.join(SOURCES, NUMBER + "_*", "*.cpp")))
    return "".join(open(file, encoding="utf-8").read() for file in files)


def stops_in_source():
    stops = re.findall(r'\bstop\(\s*"([^"]*)"([^;]*);', source())
    names = [name for name, _ in stops]
    for name, local_variables in stops:
        expect(re.fullmatch(NUMBER + r"\.\d [a-z0-9 ,-]+", name),
               f"{name} does not begin with a section of lesson {NUMBER}, in lower-case words")
        for called, variable in re.findall(r'\{"([^"]*)", ([^}]*)\}', local_variables):
            expect(called == variable, f"at {name}, {variable} is called {called}")
    expect(3 <= len(names) <= 12, f"there are {len(names)} stops in the source, not 3 to 12")
    expect(len(set(names)) == len(names), f"two stops have one name: {names}")
    return names


def expect_the_lesson_in(shown, what):
    """Every line of the transcript is shown, in order, with others between."""
    lines = iter(shown.split("\n"))
    for line in open(TRANSCRIPT, encoding="utf-8").read().split("\n"):
        if not any(other == line for other in lines):
            return expect(False, f"{what}, the lesson does not show: {line}")


def check_stops():
    names = stops_in_source()
    reader = Terminal("--stop")
    came_to = []
    while reader.wait_for(re.escape(ASKS)):
        came_to.append(re.findall(r'\n=== stop "(.*)", \w+\.cpp:\d+\n', reader.shown)[-1])
        if len(came_to) == 1:
            expect(not reader.read(0.3), "it does not wait for Enter")
        reader.type("")
    expect(reader.exit_code() == 0, "--stop does not end with 0")
    expect(sorted(came_to) == sorted(names), f"it paused at {came_to}, the source has {names}")
    sections = [name.split()[0] for name in came_to]
    expect(sections == sorted(sections), f"the stops come in another order: {came_to}")
    expect_the_lesson_in(reader.shown, "with --stop")


def check_leaving():
    reader = Terminal("--stop")
    for line in ("", "q"):
        reader.wait_for(re.escape(ASKS))
        reader.type(line)
    expect(reader.exit_code() == 0, "q does not end with 0")
    expect(reader.shown.count("=== stop") == 2, "q does not leave at the second stop")
    expect(reader.shown.endswith("\nleft before the end\n"), "q is not followed by a last word")


def check_end_of_input():
    reader = Terminal("--stop")
    reader.wait_for(re.escape(ASKS))
    reader.type(END_OF_INPUT)
    expect(reader.exit_code() == 0, "the end of the input does not end with 0")
    expect(reader.shown.count(ASKS) == 1, "after the end of the input it waits again")
    expect_the_lesson_in(reader.shown, "after the end of the input")


def answers_to(*options, answers=None, first=None):
    """Answers each question, by default with Enter alone; returns the true answers and the
    terminal."""
    reader = Terminal("--predict", *options)
    true = []
    while True:
        prompt = reader.wait_for(r"\n  \([^()]*;\s+Enter\s+alone:\s+tell\s+me\)\n|" +
                                 re.escape(ASKS))
        if not prompt:
            break
        if prompt.group() == ASKS:
            reader.type("")
            continue
        if first is not None and not true:
            reader.type(first)
            reader.wait_for(r'  "' + re.escape(first) + r'"\s+is (no|none)[^"]*\n')
        reader.type(answers[len(true)] if answers else "")
        verdict = reader.wait_for(r"\n  (?:The answer is |Right: |No, the answer is )"
                                  r"((?:.|\n)+?)\.\s")
        true.append(re.sub(r"\s+", " ", verdict.group(1)) if verdict else "")
    return true, reader


def check_predictions():
    true, reader = answers_to()
    asked = len(true)
    expect(reader.exit_code() == 0, "--predict does not end with 0")
    expect(asked >= 2, f"only {asked} questions are asked")
    expect(reader.shown.endswith(f"\nyou predicted 0 of {asked}\n"),
           "Enter alone is counted as right")
    expect_the_lesson_in(reader.shown, "with --predict")
    kinds = set(re.findall(r"predict_(\w+)\(", source()))
    expect(len(kinds) >= 2, f"all questions are of one kind: {kinds}")

    truth = [answer.split(" or ")[0] for answer in true]
    again, reader = answers_to(answers=truth, first="?!")
    expect(again == true, f"the answers change: {true}, {again}")
    expect(reader.exit_code() == 0, "--predict with answers does not end with 0")
    expect(reader.shown.endswith(f"\nyou predicted {asked} of {asked}\n"),
           f"what is true is not taken for right: {truth}")
    expect(reader.shown.count("  Right: ") == asked, "a right answer is not called right")
    return true


def check_both(true):
    both, reader = answers_to("--stop")
    expect(reader.exit_code() == 0, "--stop --predict does not end with 0")
    expect(true is None or both == true, f"with --stop the questions differ: {both}, {true}")
    expect(reader.shown.count("=== stop") == reader.shown.count(ASKS) > 2,
           "--stop --predict does not pause")
    expect_the_lesson_in(reader.shown, "with --stop --predict")
    if "TrainingRun" in source():
        expect(b"\rstep " in reader.raw, "it does not show how far a training is")


def is_prose(lines):
    """The lines before the first section, claims, and notes."""
    before, claim = True, False
    for line in lines:
        before = before and not re.match(r"\d\d\.\d ", line)
        claim = line.startswith("  checked: ") or (claim and line.startswith(" " * 11))
        yield before or claim or line.startswith("  | ")


def check_width():
    """Prose is broken at the width of a narrow terminal; all else is as it is."""
    def lesson(columns):
        reader = Terminal(columns=columns)
        expect(reader.exit_code() == 0, f"at {columns} columns it does not end with 0")
        return reader.shown

    kept = open(TRANSCRIPT, encoding="utf-8").read()
    expect(lesson(200) == kept, "a wide terminal does not show the transcript")
    lines = lesson(40).split("\n")
    prose = list(is_prose(lines))
    wide = [line for line, is_words in zip(lines, prose)
            if is_words and len(line) > 40 and " " in line.lstrip(" |")]
    expect(not wide, f"at 40 columns these are wider: {wide}")
    expect(sum(prose) > 10, f"of {len(prose)} lines only {sum(prose)} are prose")
    words = re.sub(r"[\s|]+", " ", "\n".join(lines))
    expect(words == re.sub(r"[\s|]+", " ", kept), "at 40 columns it shows other words")
    rest = [line for line, is_words in zip(kept.split("\n"), is_prose(kept.split("\n")))
            if not is_words and len(line) > 40 and re.search(r"\S   +\S|^ *\[+ *-?\d", line)]
    lost = [line for line in rest if line not in lines]
    expect(not lost, f"at 40 columns these tables are broken: {lost}")


if ONCE:
    stops_in_source()
    check_both(None)
else:
    check_width()
    check_stops()
    check_leaving()
    check_end_of_input()
    check_both(check_predictions())
sys.exit(1 if failures else 0)
