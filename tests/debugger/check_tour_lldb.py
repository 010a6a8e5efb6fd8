"""A tour in lldb: it visits every stop, finds everything as the lesson says, and shows what gdb shows.
Run as: python3 check_tour_lldb.py LLDB INIT GDB INIT_GDB TOUR PROGRAM"""

import glob
import os
import re
import subprocess
import sys
import tempfile

LLDB, INIT, GDB, INIT_GDB, TOUR, PROGRAM = sys.argv[1:]
BY_THE_DEBUGGER = ("print ", "info ")

# Debian's lldb looks for its own module in a folder that does not exist, and takes the standard
# library of the first python3 in PATH.
os.environ["PATH"] = os.defpath
MODULES = glob.glob("/usr/lib/llvm-*/lib/python3*/dist-packages")
os.environ["PYTHONPATH"] = os.pathsep.join(MODULES + [os.environ.get("PYTHONPATH", "")])


def run(*command):
    ended = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                           stderr=subprocess.STDOUT, encoding="utf-8", timeout=850)
    return ended.returncode, ended.stdout


def in_lldb(tour):
    return run(LLDB, "-x", "-b", "-s", INIT, "-o", f"tour {tour}", PROGRAM)


def shown(output):
    """From the first stop on, without how far a training is, which lldb's terminal shows."""
    lines = output[output.index("\n---"):].replace("(lldb) ", "(gdb) ").split("\n")
    return [line for line in lines
            if line.strip() and not re.match(r"\[Inferior|step +\d+/\d+  loss ", line)]


def own_lines(tour, into):
    """A tour without what each debugger prints in its own way."""
    with open(tour, encoding="utf-8") as file:
        lines = [line for line in file if not line.startswith(BY_THE_DEBUGGER)]
    into.write("".join(lines))
    into.flush()
    return into.name


code, said = in_lldb(TOUR)
if "No module named 'lldb" in said:
    print("skipped: needs python3-lldb-14 (apt-get install python3-lldb-14)")
    sys.exit(0)
if code != 0 or not re.search(r"^\d+ stops, \d+ values as the lesson says, 0 not$", said, re.M):
    print(said, f"\nFAILED: the tour in lldb ended with {code}")
    sys.exit(1)
with tempfile.NamedTemporaryFile("w", suffix=".gdb", encoding="utf-8") as file:
    own = own_lines(TOUR, file)
    here = shown(in_lldb(own)[1])
    there = shown(run(GDB, "-nx", "-q", "-batch", "-x", INIT_GDB, "-x", own, PROGRAM)[1])
differing = [f"lldb: {mine}\ngdb:  {its}" for mine, its in zip(here, there) if mine != its]
if differing or len(here) != len(there):
    print(f"FAILED: lldb shows {len(here)} lines, gdb {len(there)}", *differing[:5], sep="\n")
    sys.exit(1)
