"""gdb's printers: print, info locals, finish and the Locals pane show what heed's objects are. They
read memory only."""

import re

import gdb

from heed_debug import objects, text
from heed_debug.gdb_debugger import DEBUGGER, REFERENCES
from heed_debug.gdb_frames import not_constructed


def in_one_line():
    """In a backtrace an argument has no room for its numbers."""
    options = getattr(gdb, "print_options", dict)()
    return bool(options.get("summary"))


def in_a_window():
    """A graphical front end shows a variable in one line, which opens into others."""
    with open("/proc/self/cmdline", "rb") as line:
        return bool(re.search(rb"\0--?i(nterpreter)?[=\0]mi", line.read()))


class Printer:
    def __init__(self, value, prefix=""):
        self.value = value
        self.prefix = prefix

    def shown(self, numbers):
        address = DEBUGGER.place(self.value)
        if not_constructed(address):
            return text.NOT_CONSTRUCTED
        return objects.show(DEBUGGER, self.value.type, address, numbers)

    def to_string(self):
        return self.prefix + self.shown(numbers=not in_one_line())


class WindowPrinter(Printer):
    """The line, and its numbers below when it is opened."""

    def to_string(self):
        return self.prefix + self.shown(numbers=True).split("\n")[0]

    def children(self):
        for i, line in enumerate(self.shown(numbers=True).split("\n")[1:]):
            yield str(i), line.strip()


class NullPrinter:
    def to_string(self):
        return "nullptr"


PRINTER = WindowPrinter if in_a_window() else Printer


def printer_of(value):
    type = value.type.strip_typedefs()
    if type.code in REFERENCES:
        type = type.target().strip_typedefs()
    if type.code == gdb.TYPE_CODE_PTR:
        return pointer_printer(value, type.target().strip_typedefs())
    if type.code == gdb.TYPE_CODE_STRUCT and objects.kind_of(DEBUGGER, type):
        return PRINTER(value)
    return None


def pointer_printer(value, target):
    if target.code != gdb.TYPE_CODE_STRUCT or not objects.kind_of(DEBUGGER, target):
        return None
    if value.type.strip_typedefs().code in REFERENCES:
        value = value.referenced_value()
    if int(value) == 0:
        return NullPrinter()
    return PRINTER(value.dereference(), "-> ")


def forget(event=None):
    DEBUGGER.forget()
    objects.forget()


if printer_of.__name__ not in [getattr(known, "__name__", "") for known in gdb.pretty_printers]:
    gdb.pretty_printers.insert(0, printer_of)
    gdb.events.exited.connect(forget)
    gdb.events.new_objfile.connect(forget)
