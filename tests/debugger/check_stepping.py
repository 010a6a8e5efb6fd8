"""Steps through a tutorial in gdb, starting where each function of its own files is first reached,
and fails where `step` stops in code that is not ours.
    gdb -batch -x tutorials/debugger/init.gdb -x tests/debugger/check_stepping.py PROGRAM"""

import collections
import glob
import os
import sys

import gdb

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from checking import end_with

ROOT = os.path.realpath(os.path.join(os.path.dirname(__file__), "..", ".."))
FOLDERS = tuple(os.path.join(ROOT, folder, "")
                for folder in ("tensor", "autograd", "nn", "tutorials"))
STEPS = int(os.environ.get("HEED_TEST_STEPS", "40"))
STARTS = 10
STARTS_AT_LEAST = 3


def place():
    """The current function and line; the line is empty if there is none."""
    frame = gdb.selected_frame()
    line = frame.find_sal()
    file = os.path.realpath(line.symtab.fullname()) if line.symtab else ""
    return frame.name() or "?", file, line.line


def own_functions(program):
    """Where the functions of the lesson's own files begin."""
    places = set()
    for file in sorted(glob.glob(os.path.join(ROOT, "tutorials", os.path.basename(program), "*.cpp"))):
        symtab = gdb.decode_line(f"{file}:1")[1][0].symtab
        for block in (symtab.global_block(), symtab.static_block()):
            places |= {f"*{int(symbol.value().address):#x}" for symbol in block
                       if symbol.is_function and symbol.symtab.fullname() == file}
    assert places, f"there is no function in the files of {program}"
    return sorted(places)


def called_by_us_alone():
    """Is every caller ours, up to main()? A callback from the standard library returns into it."""
    frame = gdb.selected_frame()
    while frame and frame.name() != "main":
        line = frame.find_sal()
        if not line.symtab or not os.path.realpath(line.symtab.fullname()).startswith(FOLDERS):
            return False
        frame = frame.older()
    return True


def running():
    return gdb.selected_inferior().pid != 0


def ends_lesson(place):
    """What clang compiled has no line in main() behind the call that runs the lesson."""
    function, file, line = place
    with open(file, encoding="utf-8") as source:
        return function.startswith("lesson") and source.read().split("\n")[line - 1] == "}"


def walk(steps, functions):
    """Steps, and counts the functions in which it stopped."""
    for _ in range(steps):
        before = place()
        gdb.execute("step", to_string=True)
        if not running():
            if before[0] not in ("main", "main(int, char**)") and not ends_lesson(before):
                raise AssertionError(f"`step` ran the program to its end from {before}")
            return
        function, file, line = place()
        if not file.startswith(FOLDERS):
            gdb.execute("backtrace 6")
            raise AssertionError(f"`step` left our sources: {function} at {file}:{line}")
        functions[function] += 1


def enable(breakpoints, enabled):
    for breakpoint in breakpoints:
        breakpoint.enabled = enabled


def main():
    program = gdb.current_progspace().filename
    gdb.execute("set suppress-cli-notifications on")
    gdb.execute("set heed-keep-graphs off")  # they slow down training loops
    gdb.execute("set breakpoint always-inserted on")  # not reinserted at each step
    gdb.execute("tbreak main", to_string=True)
    gdb.execute("run > /dev/null", to_string=True)
    starts = [gdb.Breakpoint(at, internal=True) for at in own_functions(program) + ["heed::stop"]]
    functions = collections.Counter()
    reached = 0
    while running() and reached < STARTS:
        for start in [start for start in starts if start.hit_count > 0]:
            start.delete()
            starts.remove(start)
        if called_by_us_alone():
            reached += 1
            if place()[0].startswith("heed::stop"):
                gdb.execute("finish", to_string=True)  # back to the lesson's line
            enable(starts, False)
            walk(STEPS, functions)
            enable(starts, True)
        if running() and reached < STARTS:
            gdb.execute("continue", to_string=True)
    if reached < STARTS_AT_LEAST:
        raise AssertionError(f"only {reached} places in {program} were reached")
    steps = sum(functions.values())
    print(f"{os.path.basename(program)}: {steps} steps from {reached} places, each in our sources, "
          f"in {len(functions)} functions")


end_with(main, 0)
