"""What the checks of the runner share: expectations, a terminal, and a workshop whose build tool is
a stand-in, so that a build can be slow, fail or take long without the library.
A script is run as: python3 check_NAME.py RUNNER BUILD STUBS SOURCES"""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time

RUNNER, BUILD, STUBS, SOURCES = sys.argv[1:]
SCRATCH = tempfile.mkdtemp(prefix="with a space and ü ")
PATIENCE = 120
NAME = "08_1_causal_mask"

failures = []
checks = 0


def expect(holds, problem):
    global checks
    checks += 1
    if not holds:
        failures.append(problem)
        print("FAILED:", problem, flush=True)


def is_running(*parts):
    """Is there a process, other than the runner, with all of these among its words?"""
    for process in filter(str.isdigit, os.listdir("/proc") if os.path.isdir("/proc") else []):
        try:
            with open(f"/proc/{process}/cmdline", encoding="utf-8", errors="replace") as file:
                words = file.read()
            with open(f"/proc/{process}/stat", encoding="utf-8", errors="replace") as file:
                is_alive = file.read().rsplit(")", 1)[1].split()[0] != "Z"
        except OSError:
            continue
        if all(part in words for part in parts) and is_alive and RUNNER not in words:
            return True
    return False


def is_gone(*parts):
    """Is there none? A process that was killed just now may take a moment to end."""
    until = time.monotonic() + 5
    while is_running(*parts) and time.monotonic() < until:
        time.sleep(0.05)
    return not is_running(*parts)


def finish():
    print(f"{checks} checks, {len(failures)} failed")
    return 1 if failures else 0


def read(path):
    with open(path, encoding="utf-8", newline="") as file:
        return file.read()


def write(path, text):
    with open(path, "w", encoding="utf-8", newline="") as file:
        file.write(text)


def one_line(text):
    """Where the lines are broken depends on the width."""
    return re.sub(r"\s+", " ", text)


class Runner:
    """The program with the options of one workshop."""

    def __init__(self, options, environment=None):
        self.options = options
        self.environment = {**os.environ, "TERM": "xterm", **(environment or {})}

    def run(self, *words, options=None, environment=None, before=None):
        ended = subprocess.run([RUNNER, *(self.options if options is None else options), *words],
                               capture_output=True, text=True, check=False, timeout=600,
                               stdin=subprocess.DEVNULL, errors="replace",
                               env=self.environment if environment is None else environment,
                               preexec_fn=before)
        return ended.returncode, ended.stdout + ended.stderr

    def expect_run(self, code, parts, *words, **more):
        got, said = self.run(*words, **more)
        expect(got == code, f"{words}: exit code {got}, not {code}: {said}")
        for part in parts:
            expect(one_line(part) in one_line(said), f"{words}: nothing of \"{part}\" in: {said}")
        return said

    def start(self, *words):
        return subprocess.Popen([RUNNER, *self.options, *words], stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, text=True,
                                env=self.environment)


class Terminal:
    """A program in a pseudo-terminal: the runner, or a shell."""

    def __init__(self, runner, *words, command=None, rows=40, columns=100, kind="xterm"):
        self.raw = b""
        self.seen = 0
        command = command or [RUNNER, *runner.options, *words]
        self.child, self.terminal = pty.fork()
        if self.child == 0:
            time.sleep(0.05)  # until the size is set
            os.execvpe(command[0], command, {**runner.environment, "TERM": kind})
        self.resize(rows, columns)

    def resize(self, rows, columns):
        fcntl.ioctl(self.terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def shown(self):
        return self.raw.decode("utf-8", "replace").replace("\r", "")

    def new(self):
        """What was shown since the last part that was waited for."""
        return self.shown()[self.seen:]

    def take(self, seconds):
        if not select.select([self.terminal], [], [], seconds)[0]:
            return True
        try:
            some = os.read(self.terminal, 1 << 16)
        except OSError:
            return False
        self.raw += some
        return bool(some)

    def wait_for(self, part, patience=PATIENCE):
        """Reads until the part is shown; line breaks of either may be anywhere."""
        pattern = re.compile(r"\s+".join(re.escape(word) for word in part.split()))
        until = time.monotonic() + patience
        while True:
            found = pattern.search(self.new())
            if found:
                break
            if time.monotonic() > until or not self.take(1):
                expect(False, f"nothing of \"{part}\" in: {self.new()}")
                return ""
        before = self.new()[:found.start()]
        self.seen += found.end()
        expect(True, part)
        return before

    def ready(self):
        """Reads until the keys are shown; returns what was shown before."""
        return self.wait_for("q quit:")

    def quiet(self, seconds):
        """Reads what comes in so many seconds, and returns it."""
        until = time.monotonic() + seconds
        while time.monotonic() < until and self.take(0.1):
            pass
        return self.new()

    def press(self, keys):
        os.write(self.terminal, keys.encode())

    def is_key_by_key(self):
        return not termios.tcgetattr(self.terminal)[3] & termios.ICANON

    def status(self, patience=20):
        """How the program ended, as waitpid says; None if it did not."""
        until = time.monotonic() + patience
        while time.monotonic() < until:
            self.take(0.05)
            ended, status = os.waitpid(self.child, os.WNOHANG)
            if ended:
                return status
        os.kill(self.child, signal.SIGKILL)
        os.waitpid(self.child, 0)
        return None


# Stands in for cmake. A learner's file says what becomes of it: "//build WORD [VALUE]" is done while
# it is built, and the lines "//! ..." are its program, a shell script.
CMAKE = r'''import os, re, sys, time
words = sys.argv[1:]
with open(os.environ["FAKE_LOG"], "a") as log:
    log.write(" ".join(words) + "\n")
cache = (words[1] if words[0] == "--build" else words[-1]) + "/CMakeCache.txt"
if words[0] == "-D":
    time.sleep(0.1)
    own = open(cache).readline()
    open(cache, "w").write(own + words[1] + "\n")
    sys.exit(0)
folder = [line.split("=", 1)[1] for line in open(cache).read().splitlines() if line[-1] != "="][-1]
target = words[words.index("--target") + 1]
name = re.sub("^(exercise_|fake_)", "", target)
source = open(folder + "/" + name + ".cpp", newline="").read()
for word, value in re.findall(r"^//build (\w+) ?(.*)$", source, re.MULTILINE):
    if word == "sleep":
        for percent in range(0, 100, 10):
            print(f"[ {percent:2}%] Building CXX object {name}.cpp.o", flush=True)
            time.sleep(float(value) / 10)
    if word == "print":
        print(value, flush=True)
    if word == "errors":
        for i in range(1, int(value) + 1):
            print(f"{folder}/{name}.cpp: In function 'int f()':")
            print(f"{folder}/{name}.cpp:{i}:5: error: mistake number {i} is here")
            print(f"  {i:3} |     return scores{i}")
            print("      |            ^~~~~~")
    if word == "fail":
        print(f"gmake[1]: *** [CMakeFiles/Makefile2:4356: {target}] Error 2")
        sys.exit(2)
program = sys.argv[2] + "/tutorials/exercises/" + target.replace("exercise_", "")
with open(program + ".made", "w") as file:
    file.write("#!/bin/sh\nreport=$2\n" + "".join(
        line + "\n" for line in re.findall("^//! (.*)$", source, re.MULTILINE)))
os.chmod(program + ".made", 0o755)
os.rename(program + ".made", program)
linger = re.search(r"^//build linger (.*)$", source, re.MULTILINE)
time.sleep(float(linger[1]) if linger else 0)
'''
VERDICTS = {"passed": 0, "not done": 10, "wrong": 11}


def program(verdict, before="", seen="the mask is not right"):
    """A learner's file with such a verdict."""
    code = VERDICTS[verdict]
    hints = "".join(f"//! echo hint hint number {i} >> $report\n" for i in range(1, 5))
    return (before + "//! echo at on 5 words > $report\n"
            f"//! echo 'seen {seen}' >> $report\n//! echo resembles >> $report\n" + hints +
            f"//! echo checks 10 >> $report\n//! echo outcome {code} >> $report\n//! exit {code}\n")


class Workshop(Runner):
    """A folder of files, a build folder and a stand-in for cmake."""

    def __init__(self, name, prefix="fake_"):
        self.path = os.path.join(SCRATCH, name)
        self.folder, self.build = self.path + "/mine", self.path + "/build"
        self.progress, self.log = self.folder + "/progress.txt", self.path + "/log"
        for folder in self.folder, self.build + "/tutorials/exercises", self.path + "/bin":
            os.makedirs(folder)
        write(self.path + "/bin/cmake", f"#!{sys.executable}\n" + CMAKE)
        os.chmod(self.path + "/bin/cmake", 0o755)
        write(self.build + "/CMakeCache.txt", f"HEED_EXERCISES_FOLDER:PATH={self.folder}\n")
        options = ["--folder", self.folder, "--build", self.build]
        super().__init__(options + (["--targets", prefix] if prefix == "fake_" else []),
                         {"PATH": self.path + "/bin:" + os.environ["PATH"], "FAKE_LOG": self.log})
        self.run("write", "stubs", self.folder)
        self.file = os.path.join(self.folder, NAME + ".cpp")

    def save(self, text, name=NAME):
        write(os.path.join(self.folder, name + ".cpp"), text)

    def calls(self):
        return read(self.log).splitlines() if os.path.exists(self.log) else []
