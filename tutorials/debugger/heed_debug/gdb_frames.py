"""The variables of the selected frame, and which of them are not constructed yet: a variable
declared on a later line holds leftover memory, which may look like a tensor."""

import gdb

from heed_debug.gdb_debugger import REFERENCES


def selected_frame():
    try:
        return gdb.selected_frame()
    except gdb.error:
        return None


def variables(frame):
    """[(symbol, value)] in source order, innermost block last, without variables shadowed by
    another of the same name."""
    found = {}
    try:
        block = frame.block()
    except RuntimeError:  # no debug information here
        return []
    blocks = []
    while block is not None and not block.is_global and not block.is_static:
        blocks.insert(0, block)
        if block.function is not None:
            break
        block = block.superblock
    for block in blocks:
        for symbol in block:
            if symbol.is_variable or symbol.is_argument:
                found.pop(symbol.name, None)
                try:
                    found[symbol.name] = (symbol, symbol.value(frame))
                except gdb.error:
                    continue
    return list(found.values())


def starts_line(frame, line):
    """Is the frame at the very beginning of a line, so that none of it has run?"""
    table = frame.find_sal().symtab.linetable()
    entries = table.line(line) or ()
    function = frame.function()
    first = function.symtab and frame.block().start if function else 0
    places = [entry.pc for entry in entries if entry.pc >= first]
    return bool(places) and frame.pc() <= min(places)


def declared_later(frame, symbol):
    place = frame.find_sal()
    if symbol.is_argument or symbol.symtab is None or place.symtab is None:
        return False
    if symbol.symtab.fullname() != place.symtab.fullname():
        return False
    if symbol.addr_class in (gdb.SYMBOL_LOC_STATIC, gdb.SYMBOL_LOC_CONST):
        return False
    if symbol.line != place.line:
        return symbol.line > place.line
    in_a_call = frame.newer() is not None
    return in_a_call or starts_line(frame, place.line)


_ranges = {}


def forget_ranges(event=None):
    _ranges.clear()


gdb.events.stop.connect(forget_ranges)
gdb.events.cont.connect(forget_ranges)


def unborn_ranges():
    """(begin, end) in memory of each variable of the selected frame whose line comes later."""
    frame = selected_frame()
    if frame is None or not frame.is_valid():
        return []
    key = (gdb.selected_thread().num, frame.level(), frame.pc())
    if key not in _ranges:
        found = []
        for symbol, value in variables(frame):
            type = value.type.strip_typedefs()
            if type.code in REFERENCES or value.address is None:
                continue
            if declared_later(frame, symbol):
                found.append((int(value.address), int(value.address) + type.sizeof))
        _ranges[key] = found
    return _ranges[key]


def not_constructed(address):
    """Does the address belong to a variable (or its member) declared on a later line?"""
    return any(begin <= address < end for begin, end in unborn_ranges())


def not_bound(frame, symbol, value):
    """The same for a reference, which has no address of its own to check."""
    is_reference = value.type.strip_typedefs().code in REFERENCES
    return is_reference and declared_later(frame, symbol)

