"""stops: the named stops of this program, found in its sources through its debug information, so
stops that the program never reaches are listed too."""

import os
import re

import gdb

from heed_debug.commands_look import Command

CALL = re.compile(r'(?<![\w.])stop\(\s*"((?:[^"\\]|\\.)*)"')
COMMENT = re.compile(r"//[^\n]*")


class StopsCommand(Command):
    """stops: the named stops of this program, with their lines.
    break heed::stop                                            halts at each of them
    break heed::stop if $_streq(name, "08.1 after the mask")    halts at one"""

    def __init__(self, name):
        super().__init__(name, gdb.COMPLETE_NONE)

    def lines(self, argument):
        if argument:
            raise gdb.GdbError('stops takes nothing behind it. To halt at one of them: break '
                               'heed::stop if $_streq(name, "NAME").')
        if not gdb.current_progspace().filename:
            raise gdb.GdbError("No program is loaded: file build/debug/tutorials/"
                               "08_causal_attention")
        found = [stop for source in sources() for stop in stops_in(source)]
        if not found:
            return ["This program has no named stops, or its sources are not where they were when "
                    "it was compiled."]
        found.sort(key=in_order)
        width = max(len(name) for name, _ in found)
        return [f"{name:<{width}}  {place}" for name, place in found] + [
            "Halt at each of them: break heed::stop",
            f'At one only: break heed::stop if $_streq(name, "{found[0][0]}")']


def in_order(stop):
    """Sort key: the section number, then source order."""
    name, place = stop
    section = re.match(r"(\d+)\.(\d+)", name)
    numbers = (int(section.group(1)), int(section.group(2))) if section else (99, 99)
    file, line = place.rsplit(":", 1)
    return numbers, file, int(line)


def sources():
    """The program's own source files, named as in the debug information."""
    listed = gdb.execute("info sources", to_string=True)
    paths = set()
    for part in re.split(r"[,\n]\s*", listed):
        path = part.strip()
        if path.endswith(".cpp") and "/support/" not in path and os.path.isfile(path):
            paths.add(os.path.realpath(path))
    return sorted(paths)


def stops_in(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        source = file.read()
    if "stop(" not in source:
        return []
    code = COMMENT.sub(lambda comment: " " * len(comment.group()), source)
    return [(call.group(1), f"{os.path.basename(path)}:{code.count(chr(10), 0, call.start()) + 1}")
            for call in CALL.finditer(code)]


StopsCommand("stops")
