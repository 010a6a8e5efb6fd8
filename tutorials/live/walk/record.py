#!/usr/bin/env python3
"""Records a walk through a program, and writes the page that plays it.

    record.py PROGRAM PAGE.html --from PLACE --to PLACE [--level LEVEL] [-- ARGUMENTS]
    record.py PROGRAM PAGE.html --script WALK.gdb

A place is a named stop, a line (attention.cpp:41, or "attention.cpp: softmax(" for the one that has
this text), or a function. `help walk` in the debugger says more. The program is built with -g -O0,
as the preset `debug` builds; what it prints is not shown."""

import argparse
import os
import shlex
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
INIT = os.path.join(HERE, "..", "..", "debugger", "init.gdb")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("page", help="the file to write; one that ends in .json has the record alone")
    parser.add_argument("--from", dest="begin", metavar="PLACE")
    parser.add_argument("--to", dest="end", metavar="PLACE")
    parser.add_argument("--level", default="operations",
                        help="how deep steps go: lesson, layers, operations, tensor, kernels")
    parser.add_argument("--title", default="")
    parser.add_argument("--script", metavar="WALK.gdb", help="walks as commands of the debugger")
    parser.add_argument("--link", nargs=2, action="append", default=[], metavar=("NAME", "FILE"))
    parser.add_argument("--gdb", default="gdb")
    words = sys.argv[1:]
    ours = words.index("--") if "--" in words else len(words)
    given = parser.parse_args(words[:ours])
    given.rest = words[ours + 1:]
    if not given.script and not (given.begin and given.end):
        parser.error("from where to where? --from PLACE --to PLACE, or --script WALK.gdb")
    return given


def commands(given):
    """What gdb is to do; a sourced file ends at its first error."""
    def line(*words):
        return "walk " + " ".join(shlex.quote(word or "") for word in words)

    lines = [line(given.begin, given.end, given.level)]
    if given.script:
        lines = [f"source {given.script}"]
    if given.title:
        lines.append(line("title", given.title, ""))
    lines += [line("link", *link) for link in given.link]
    return "\n".join([*lines, line("save", os.path.abspath(given.page)), "kill"]) + "\n"


def run(given, script):
    """gdb, in surroundings that are the same everywhere."""
    clean = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    return subprocess.run(
        [given.gdb, "-nx", "-q", "-batch", "-iex", "set confirm off", "-iex", "set width 0",
         "-x", INIT, "-x", script, "--args", given.program, *given.rest],
        env={**clean, "LC_ALL": "C.UTF-8", "TERM": "dumb"}, stdin=subprocess.DEVNULL,
        capture_output=True, text=True, check=False)


def problem_in(said):
    """What gdb said last, without where in which script."""
    return said.rpartition("Error in sourced command file:\n")[2].strip() or "gdb said nothing"


def main():
    given = arguments()
    if not os.path.isfile(given.program):
        sys.exit(f"{given.program}: there is no such program")
    if not shutil.which(given.gdb):
        sys.exit(f"{given.gdb} was not found: apt-get install gdb")
    with tempfile.TemporaryDirectory() as folder:
        script = os.path.join(folder, "walk.gdb")
        with open(script, "w", encoding="utf-8") as file:
            file.write(commands(given))
        done = run(given, script)
    if done.returncode != 0:
        print(problem_in(done.stderr), file=sys.stderr)
        sys.exit(2)
    print([line for line in done.stdout.split("\n") if " steps in " in line][-1])


main()
