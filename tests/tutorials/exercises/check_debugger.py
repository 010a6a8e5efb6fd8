"""`d` stops in the learner's function, and nowhere else: what the runner tells gdb is told to the
real gdb, on the solution of every exercise.
Run as: python3 check_debugger.py RUNNER BUILD STUBS SOURCES"""

import os
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

from runner_tools import BUILD, PATIENCE, SCRATCH, Workshop, expect, finish, read, write


def entries():
    for line in read(os.path.join(BUILD, "tutorials/exercises/list.txt")).splitlines():
        number, name, _, _, function, _ = line.split(" ", 5)
        yield number, name, function


def what_gdb_is_told(workshop, number):
    """The runner's words for gdb, without the program."""
    said = workshop.expect_run(0, ["-ex"], "debug", number)
    return said.splitlines()[said.splitlines().index("told") + 1:-1]


def check_stop(gdb, words, name, function):
    program = os.path.join(BUILD, "tutorials/exercises/solution_" + name)
    ended = subprocess.run([gdb, "-batch", *words, "-ex", "info symbol $pc", program],
                           capture_output=True, text=True, check=False, timeout=PATIENCE,
                           stdin=subprocess.DEVNULL)
    said = ended.stdout + ended.stderr
    places = re.search(r"^Breakpoint 1 at .*", said, re.MULTILINE)
    expect(places and "locations)" not in places[0], f"{name}: one place for {function}: {said}")
    stopped_in = ended.stdout.strip().splitlines()[-1] if ended.stdout.strip() else ""
    expect(stopped_in.startswith(function + "("), f"{name}: it stops in {function}: {said}")


def main():
    gdb = shutil.which("gdb")
    if not gdb:
        print("skipped: needs gdb (apt-get install gdb)")
        return 0
    every = list(entries())
    programs = ["solution_" + name for _, name, _ in every]
    built = subprocess.run(["cmake", "--build", BUILD, "-j", "2", "--target", *programs],
                           capture_output=True, text=True, check=False)
    expect(built.returncode == 0, built.stdout[-3000:] + built.stderr[-3000:])
    workshop = Workshop("debugger")
    write(workshop.path + "/bin/gdb", '#!/bin/sh\necho told\nprintf "%s\\n" "$@"\n')
    os.chmod(workshop.path + "/bin/gdb", 0o755)
    with ThreadPoolExecutor(2) as pool:
        for number, name, function in every:
            pool.submit(check_stop, gdb, what_gdb_is_told(workshop, number), name, function)
    expect(len(every) >= 70, f"there are {len(every)} exercises")
    shutil.rmtree(SCRATCH)
    return finish()


sys.exit(main())
