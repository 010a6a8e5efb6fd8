"""What pointers point to: in kernels the first numbers of a tensor's row, elsewhere at least where.
(Addresses are off, so gdb itself would show nothing.)"""

import struct

import gdb

from heed_debug import objects, text
from heed_debug.gdb_debugger import DEBUGGER
from heed_debug.gdb_frames import selected_frame, variables
from heed_debug.memory import Broken, Record, Unreadable

MOST_FRAMES = 40
MOST_SHOWN = 6
MOST_OPENED = 1000
LENGTHS = ("n", "length", "count", "size")  # what kernels call the length of a row

_storages = {}


def forget(event=None):
    _storages.clear()


gdb.events.stop.connect(forget)
gdb.events.cont.connect(forget)


def number_code(type):
    """"f" or "d" for a pointer to numbers, else ""."""
    target = type.target().strip_typedefs()
    if target.code != gdb.TYPE_CODE_FLT:
        return ""
    return {4: "f", 8: "d"}.get(target.sizeof, "")


def numbers_at(address, code, in_this_frame):
    """The numbers there, and how many there are, which is 0 if unknown: to the end of the tensor
    that they are in, or as many as a row has by the arguments of the frame."""
    width = struct.calcsize(code)
    rest = [(end - address) // width for start, end in storages() if start <= address < end]
    row = row_length() if in_this_frame else 0
    count = min(filter(None, [rest[0] if rest else 0, row]), default=0)
    try:
        data = DEBUGGER.read(address, min(count or 1, MOST_SHOWN) * width)
        return struct.unpack(f"<{len(data) // width}{code}", data), count
    except Unreadable:
        return (), 0


def line_of(address, code, in_this_frame):
    numbers, count = numbers_at(address, code, in_this_frame)
    if not numbers:
        return f"{address:#x}, where there is no memory"
    style = text.NumberStyle(numbers, 4)
    shown = ", ".join(style.text(x) for x in numbers)
    if count == 0:
        return f"-> {shown}, ..."
    return f"-> [{shown}]" if count <= MOST_SHOWN else f"-> [{shown}, ...] of {count}"


def row_length():
    frame = selected_frame()
    for symbol, value in variables(frame) if frame is not None else ():
        if symbol.is_argument and symbol.name in LENGTHS:
            if DEBUGGER.plain(value.type).code == gdb.TYPE_CODE_INT and 0 < int(value) < 1 << 32:
                return int(value)
    return 0


def storages():
    """(begin, end) in memory of the numbers of each tensor in the frames of this thread."""
    key = gdb.selected_thread().num if gdb.selected_thread() else 0
    if key not in _storages:
        _storages[key] = list(found_storages())
    return _storages[key]


def found_storages():
    try:
        frame = gdb.newest_frame()
    except gdb.error:
        return
    for _ in range(MOST_FRAMES):
        if frame is None:
            return
        for _, value in variables(frame):
            storage = storage_of(value)
            if storage:
                yield storage
        frame = frame.older()


def storage_of(value):
    try:
        type = DEBUGGER.plain(value.type)
        if type.code == gdb.TYPE_CODE_PTR:
            value = value.dereference()
        kind = objects.kind_of(DEBUGGER, value.type)
        if not kind or kind[1] not in ("Tensor", "Variable"):
            return None
        memory, place = objects.memory_of(DEBUGGER, kind[0]), DEBUGGER.place(value)
        if kind[1] == "Variable":
            place = Record(memory, "Variable", place).at("value_")
        held = memory.shared(Record(memory, "Tensor", place).at("storage_"))
        start, size = memory.storage(held) if held else (0, 0)
        return start, start + size * struct.calcsize(memory.number_code)
    except (Broken, Unreadable, gdb.error, TypeError):
        return None


def parts(value):
    """(name, value) of what a pane shows below a pointer: numbers, members, or what is there."""
    code = number_code(value.type.strip_typedefs())
    if code:
        _, count = numbers_at(int(value), code, in_this_frame=True)
        for i in range(min(count, MOST_OPENED) or 1):
            yield f"[{i}]", (value + i).dereference()
        return
    type = value.type.strip_typedefs().target().strip_typedefs()
    if type.code == gdb.TYPE_CODE_VOID:
        return
    target = value.dereference()
    if type.code != gdb.TYPE_CODE_STRUCT or DEBUGGER.type_name(type).startswith("std::"):
        yield "*", target
        return
    for field in target.type.strip_typedefs().fields():
        if hasattr(field, "bitpos") and not (field.name or "").startswith("_vptr"):
            yield field.name or "...", target[field]
