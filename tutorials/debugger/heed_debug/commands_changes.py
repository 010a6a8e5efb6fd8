"""Finding what writes a number: watch-number halts at its next change, wrote goes back in a
recording to its last write."""

import os
import re
import struct

import gdb

from heed_debug.gdb_command import Command
from heed_debug.expectations import array_of
from heed_debug.paths import teaching_frame
from heed_debug.gdb_surroundings import check_runs
from heed_debug.recording import (NOT_RECORDABLE, cost_of_search, is_recordable, position, quietly,
                                  record_line, search)

C_TYPES = {"f": "float", "d": "double", "q": "long", "B": "unsigned char"}
BETWEEN = re.compile(r"operator\(\)|_FUN|__invoke|in_parallel|::apply$|^main$|tutorial::run")

NOT_RECORDED = """Nothing is recorded, so there is no way back. Say `set heed-recordable on`, run again
to an earlier stop, say `record`, go on to here, and ask again. A recorded program is slow, some ten
thousand instructions a second: record a few lines, and not a whole lesson."""


class Number:
    """One entry of a tensor in the program's memory."""

    def __init__(self, name):
        teaching_frame()
        array = array_of(name)
        if array.count != 1:
            raise gdb.GdbError(f"{name} has {array.count} numbers; ask about one of them, with an "
                               "index for each axis, as in weights[1,0].")
        self.name, self.address, self.code = name, array.address, array.code

    def value(self):
        data = gdb.selected_inferior().read_memory(self.address, struct.calcsize(self.code))
        return struct.unpack("<" + self.code, bytes(data))[0]

    def expression(self):
        return f"*({C_TYPES[self.code]}*){self.address:#x}"

    def text(self):
        return f"{self.value():.6g}"


def callers():
    """A short stack trace, from here to the lesson: function, file and line."""
    rows = []
    frame = gdb.newest_frame()
    while frame is not None:
        name, line = frame.name() or "?", frame.find_sal()
        name = re.sub(r"heed::(f32|f64)::|\(anonymous namespace\)::", "", name)
        name = re.sub(r"<.*", "", name)
        if line.symtab and not BETWEEN.search(name) and not name.startswith("std::"):
            rows.append((name, f"{os.path.basename(line.symtab.filename)}:{line.line}"))
        frame = frame.older()
    width = max(len(name) for name, _ in rows)
    return [f"  {name:<{width}}  {place}" for name, place in rows]


class Change(gdb.Breakpoint):
    """Halts when a number changes, and prints the old value, the new value and the call stack."""

    def __init__(self, number):
        super().__init__(number.expression(), gdb.BP_WATCHPOINT, gdb.WP_WRITE, internal=True)
        self.silent = True
        self.entry = number
        self.before = number.text()

    def stop(self):
        now = self.entry.text()
        if now == self.before:
            return False
        gdb.write(f"{self.entry.name} changes from {self.before} to {now}\n")
        gdb.write("\n".join(callers()) + "\n")
        self.before = now
        return True


class WatchNumberCommand(Command):
    """watch-number X[1,2]: halt each time this number in memory changes, and say who does it.
    watch-number x.grad[0]      a cell of a gradient: see it add up
    watch-number                forget them again
    This watches the memory that X uses now: a gradient that is cleared and recreated moves."""

    watched = []

    def lines(self, argument):
        if not argument.strip():
            for change in self.watched:
                change.delete()
            forgotten = len(self.watched)
            self.watched.clear()
            return [f"{forgotten} watched before, now none"]
        check_runs("watch-number")
        number = Number(argument.strip())
        self.watched.append(Change(number))
        return [f"{number.name} is {number.text()}; `continue` halts when it changes"]


class WroteCommand(Command):
    """wrote X[1,2]: in a recording, go back to where this number was last written.
    set heed-recordable on      then `run`, to a stop before it
    record              from here on everything is recorded
    next                or continue, to where the number is there
    wrote weights[1,1]  back to the line that wrote it
    wrote               further back: who wrote the same number before
    wrote weights[1,1] next     records just this one line, runs it, and goes back in it
    Then look around: `up`, `print`, `reverse-step`; `record goto end` returns to the present, and
    `record stop` ends the recording."""

    last = None

    def lines(self, argument):
        if argument.strip():
            teaching_frame()
        check_runs("wrote")
        if argument.split()[-1:] == ["next"]:
            argument = argument.strip().removesuffix("next")
            check_can_record()
            record_line()
        if gdb.current_recording() is None:
            raise gdb.GdbError(NOT_RECORDED)
        if not argument.strip() and self.last is None:
            raise gdb.GdbError("Which number? As in: wrote weights[1,1]")
        number = Number(argument.strip()) if argument.strip() else self.last
        WroteCommand.last = number
        now = number.text()
        gdb.write(cost_of_search())
        gdb.flush()
        if not go_back_to_change(number):
            return [f"{number.name} is {now}, and nothing has written it since the recording "
                    "began."]
        return [f"{number.name} became {now} here; before, {number.text()} was in its place",
                *callers()]


def check_can_record():
    if gdb.current_recording() is not None:
        raise gdb.GdbError("A recording is running already: `wrote` and the number searches in it, "
                           "`record stop` ends it.")
    if not is_recordable():
        raise gdb.GdbError(NOT_RECORDABLE.strip())


def go_back_to_change(number):
    """Goes back to just before the last instruction that changed the number, if there is one."""
    here = position()
    others = [other for other in gdb.breakpoints() if other.enabled]
    # Hardware watchpoints do not work when gdb replays a recording.
    gdb.execute("set can-use-hw-watchpoints 0")
    for other in others:
        other.enabled = False
    watch = gdb.Breakpoint(number.expression(), gdb.BP_WATCHPOINT, gdb.WP_WRITE, internal=True)
    watch.silent = True
    try:
        search(watch)
        found = watch.hit_count > 0
    finally:
        watch.delete()
        gdb.execute("set can-use-hw-watchpoints 1")
        for other in others:
            other.enabled = True
    if not found:
        quietly(f"record goto {here}")
    return found


WatchNumberCommand("watch-number")
WroteCommand("wrote")
