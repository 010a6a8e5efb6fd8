"""stops: the named stops of this program, found in its sources through its debug information, so
stops that the program never reaches are listed too."""

import os
import re

import gdb

from heed_debug.commands_look import Command
from heed_debug.stop_names import in_order, is_lesson, stops_in


class StopsCommand(Command):
    """stops: the named stops of this program, with their lines.
    break heed::stop                                            halts at each of them
    break heed::stop if $_streq(name, "08.1 after the mask")    halts at one"""

    def __init__(self, name):
        super().__init__(name, gdb.COMPLETE_NONE)

    def lines(self, argument):
        if argument:
            raise gdb.GdbError('stops takes no argument. To halt at one of them: break '
                               'heed::stop if $_streq(name, "NAME").')
        if not gdb.current_progspace().filename:
            raise gdb.GdbError("No program is loaded: file build/debug/tutorials/"
                               "08_causal_attention")
        found = all_stops()
        if not found:
            return ["This program has no named stops, or its sources are not where they were when "
                    "it was compiled."]
        found.sort(key=in_order)
        width = max(len(name) for name, _ in found)
        return [f"{name:<{width}}  {place}" for name, place in found] + [
            "Halt at each of them: break heed::stop",
            f'At one only: break heed::stop if $_streq(name, "{found[0][0]}")']


def sources():
    """The program's own source files, named as in the debug information."""
    listed = gdb.execute("info sources", to_string=True)
    paths = set()
    for part in re.split(r"[,\n]\s*", listed):
        path = part.strip()
        if is_lesson(path):
            paths.add(os.path.realpath(path))
    return sorted(paths)


_known = {}


def all_stops():
    """[(name, place)] of the loaded program; [] if its sources are not there."""
    program = gdb.current_progspace().filename
    if program not in _known:
        try:
            _known[program] = [stop for source in sources() for stop in stops_in(source)]
        except gdb.error:  # no program, or none with debug information
            return []
    return _known[program]


StopsCommand("stops")
