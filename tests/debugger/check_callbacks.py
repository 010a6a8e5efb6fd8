"""`step` halts in a lambda that the standard library calls, the first time of each line that gives it
one, and goes on behind that line; `next` passes over it."""

import os
import sys

import gdb

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from checking import end_with, expect
from states_shown import lines_of

FILE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "callbacks.cpp")


def line():
    with open(FILE, encoding="utf-8") as file:
        return file.read().split("\n")[gdb.newest_frame().find_sal().line - 1].strip()


def lines(command, begin, end):
    """At which the command halts, from the one line to the other."""
    gdb.execute("delete")
    number = lines_of("tests/debugger/callbacks.cpp", begin)[0]
    gdb.Breakpoint(f"callbacks.cpp:{number}", temporary=True)
    gdb.execute("run > /dev/null", to_string=True)
    found = [line()]
    while found[-1] != end and len(found) < 20:
        gdb.execute(command, to_string=True)
        found.append(line())
    return [each for each in found if each not in ("});", "};")]


def main():
    each = "std::for_each(numbers.begin(), numbers.end(), [](int n) {"
    expect("step through for_each", lines("step", each, "total += 1;"),
           [each, "const int square = n * n;", "total += square;", "total += 1;"])
    expect("next over for_each", lines("next", each, "total += 1;"), [each, "total += 1;"])
    sort = "std::sort(numbers.begin(), numbers.end());"
    expect("step through std::function", lines("step", "total += twice(4);", sort),
           ["total += twice(4);", "return 2 * n;  //", "total += twice(5);", "return 2 * n;  //", "}",
            sort])
    gdb.execute("level lesson", to_string=True)
    expect("at the level lesson, too", len(lines("step", each, "total += 1;")), 4)


end_with(main, 4)
