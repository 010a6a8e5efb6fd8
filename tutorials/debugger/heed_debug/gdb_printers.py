"""gdb's pretty-printers for heed's objects, used by print, info locals, finish and the Locals pane.
They only read memory."""

import gdb

from heed_debug import gdb_pointers, objects, text
from heed_debug.gdb_charset import fitting
from heed_debug.gdb_children import children_of, entries, forget as forget_parts, part_at
from heed_debug.gdb_debugger import DEBUGGER, REFERENCES
from heed_debug.gdb_frames import not_constructed


def in_one_line():
    """Is this a backtrace, which has no space for an argument's numbers?"""
    options = getattr(gdb, "print_options", dict)()
    return bool(options.get("summary"))


class Opens:
    """What opens in an editor's pane, and is printed whole by a command. gdb does not say which of
    the two asks, but what it asks for first does: a command for the text, a pane for `children`. And
    of what has `children` a pane shows `{...}` instead of its text; so they are there only when gdb
    has had the text, and means to open it."""

    in_pane = None
    may_open = False

    def to_string(self):
        self.in_pane = self.may_open = bool(self.in_pane)
        return fitting(self.line() if self.in_pane else self.whole())

    def __getattr__(self, name):
        if name == "children":
            if self.in_pane is None:
                self.in_pane = True
            if self.may_open:
                return self.opened
        raise AttributeError(name)

    def opened(self):
        self.may_open = False
        return self.parts()


class Printer(Opens):
    def __init__(self, value, prefix=""):
        self.value = value
        self.prefix = prefix

    def shown(self, numbers):
        address = DEBUGGER.place(self.value)
        if not_constructed(address):
            return text.NOT_CONSTRUCTED
        return self.prefix + objects.show(DEBUGGER, self.value.type, address, numbers)

    def whole(self):
        return self.shown(numbers=not in_one_line())

    def line(self):
        return self.shown(numbers=True).split("\n")[0]

    def parts(self):
        address = DEBUGGER.place(self.value)
        unborn = not_constructed(address)
        return iter(()) if unborn else children_of(self.value.type, address)


class PartPrinter(Opens):
    """A head or a row of a tensor, which a pane has opened."""

    def __init__(self, part):
        self.part, self.array = part, part.array

    def whole(self):
        lines = text.grid(self.array, summarise_above=100)
        return text.list_text(self.array.shape) + "\n" + "\n".join(lines)

    def line(self):
        return text.with_grid(text.list_text(self.array.shape), self.array).split("\n")[0]

    def parts(self):
        return entries(self.part)


# Texts and functions; other pointers to integers are not among them.
SHOWN_BY_GDB = (gdb.TYPE_CODE_INT, gdb.TYPE_CODE_CHAR, gdb.TYPE_CODE_FUNC, gdb.TYPE_CODE_METHOD)


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
    if type.code == gdb.TYPE_CODE_ARRAY:
        part = part_at(value)
        return PartPrinter(part) if part else None
    if type.code != gdb.TYPE_CODE_STRUCT:
        return None
    if objects.kind_of(DEBUGGER, type):
        return Printer(value)
    if value.address is not None and not_constructed(int(value.address)):
        return Words(text.NOT_CONSTRUCTED)  # a string or a vector, say
    return None


class PointerPrinter(Opens):
    """A pointer to numbers, or to what has no printer."""

    def __init__(self, value):
        self.value = value

    def whole(self):
        return self.described(in_this_frame=not in_one_line())

    def line(self):
        return self.described(in_this_frame=True)

    def described(self, in_this_frame):
        code = gdb_pointers.number_code(self.value.type.strip_typedefs())
        if code:
            return gdb_pointers.line_of(int(self.value), code, in_this_frame)
        return f"{int(self.value):#x}"

    def parts(self):
        return gdb_pointers.parts(self.value)


def pointer_printer(value, target):
    if target.code in SHOWN_BY_GDB and not (target.code == gdb.TYPE_CODE_INT and target.sizeof > 1):
        return None
    if value.type.strip_typedefs().code in REFERENCES:
        value = value.referenced_value()
    if value.address is not None and not_constructed(int(value.address)):
        return Words(text.NOT_CONSTRUCTED)
    if int(value) == 0:
        return Words("nullptr")
    if target.code != gdb.TYPE_CODE_STRUCT or not objects.kind_of(DEBUGGER, target):
        return PointerPrinter(value)
    return Printer(value.dereference(), "-> ")


def forget(event=None):
    DEBUGGER.forget()
    forget_parts()
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
