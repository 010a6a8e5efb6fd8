"""gdb's pretty-printers for heed's objects, used by print, info locals, finish and the Locals pane.
They only read memory."""

import gdb

from heed_debug import objects, text
from heed_debug.gdb_debugger import DEBUGGER, REFERENCES
from heed_debug.gdb_frames import not_constructed


def in_one_line():
    """Is this a backtrace, which has no space for an argument's numbers?"""
    options = getattr(gdb, "print_options", dict)()
    return bool(options.get("summary"))


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


class Words:
    def __init__(self, words):
        self.words = words

    def to_string(self):
        return self.words


def printer_of(value):
    type = value.type.strip_typedefs()
    if type.code in REFERENCES:
        type = type.target().strip_typedefs()
    if type.code == gdb.TYPE_CODE_PTR:
        return pointer_printer(value, type.target().strip_typedefs())
    if type.code != gdb.TYPE_CODE_STRUCT:
        return None
    if objects.kind_of(DEBUGGER, type):
        return Printer(value)
    if value.address is not None and not_constructed(int(value.address)):
        return Words(text.NOT_CONSTRUCTED)  # a string or a vector, say
    return None


def pointer_printer(value, target):
    if target.code != gdb.TYPE_CODE_STRUCT or not objects.kind_of(DEBUGGER, target):
        return None
    if value.type.strip_typedefs().code in REFERENCES:
        value = value.referenced_value()
    if value.address is not None and not_constructed(int(value.address)):
        return Words(text.NOT_CONSTRUCTED)
    if int(value) == 0:
        return Words("nullptr")
    return Printer(value.dereference(), "-> ")


def forget(event=None):
    DEBUGGER.forget()
    objects.forget()
    if event is not None and hasattr(event, "new_objfile"):
        come_first()


def come_first():
    """Registers these before the standard library's printers, which would show objects that are not
    constructed yet: gdb asks the printers of the program, which has none, before those of its
    libraries."""
    for objfile in gdb.objfiles()[:1]:
        if printer_of not in objfile.pretty_printers:
            objfile.pretty_printers.insert(0, printer_of)


gdb.pretty_printers.insert(0, printer_of)
gdb.events.exited.connect(forget)
gdb.events.new_objfile.connect(forget)
come_first()
