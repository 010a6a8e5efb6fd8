"""What a record keeps of the variables in scope: numbers as they are in memory, not rounded, and
all else as a line of text. Addresses are left out, so that a record is the same each time."""

import math
import struct

import gdb

from heed_debug import levels, objects, text
from heed_debug.arrays import BLOCK, Array
from heed_debug.commands_attention import strings
from heed_debug.commands_look import parts_of
from heed_debug.gdb_debugger import DEBUGGER
from heed_debug.gdb_frames import declared_later, not_bound, variables
from heed_debug.gdb_pointers import number_code, numbers_at
from heed_debug.memory import Broken, Unreadable

MOST_KEPT = 1 << 16     # numbers of one tensor: of larger ones the first along the outer axes
MOST_WRITTEN = 1200     # of these in the file
MOST_VARIABLES = 60
MOST_ENTRIES = 8        # of a list
MOST_POINTED = 64       # numbers behind a pointer
MOST_LETTERS = 160
NUMBERS = {(gdb.TYPE_CODE_FLT, 4): "f", (gdb.TYPE_CODE_FLT, 8): "d",
           (gdb.TYPE_CODE_INT, 4): "i", (gdb.TYPE_CODE_INT, 8): "q"}
SCALARS = (gdb.TYPE_CODE_INT, gdb.TYPE_CODE_FLT, gdb.TYPE_CODE_BOOL, gdb.TYPE_CODE_ENUM)
# Of heed, but not what a lesson is about.
SILENT = {"CallSite", "Operation", "held Node", "held Operation"}
OPENED = ("heed::f32::kernels::", "heed::f64::kernels::")  # structs of heed whose members are shown


_values = {}


class Value:
    """A line of text, and the numbers, if it has any: an Array that needs the program no more."""

    def __init__(self, line, array=None, shape=()):
        self.line = line
        self.array = array
        self.shape = tuple(shape)
        self.key = line, self.shape, array and (array.kind, array.code, array.shape, array.strides,
                                                bytes_of(array))

    def __eq__(self, other):
        return other is not None and self.key == other.key

    def __hash__(self):
        return hash(self.key)

    def lines(self, most):
        return [self.line, *(text.grid(self.array, summarise_above=most) if self.array else [])]


def bytes_of(array):
    return b"".join(bytes(block) for _, block in sorted(array.blocks.items()))


def values_in(frame):
    """{name: Value} of the variables in scope that are constructed, in the order of the source."""
    found = {}
    is_made = not levels.CONSTRUCTOR.search((frame.name() or "").split("(")[0])
    for symbol, value in variables(frame):
        if symbol.name == "this" and not is_made:
            continue
        if not declared_later(frame, symbol) and not not_bound(frame, symbol, value):
            collect(symbol.name, value, found, 0)
    return dict(list(found.items())[:MOST_VARIABLES])


def collect(name, value, found, depth):
    try:
        collect_sound(name, value, found, depth)
    except (Broken, Unreadable, AttributeError, TypeError, ValueError, RuntimeError):
        return  # not constructed yet, or nothing that a line can say


def collect_sound(name, value, found, depth):
    if DEBUGGER.is_reference(value.type):
        value = value.referenced_value()
    type = value.type.strip_typedefs()
    if type.code == gdb.TYPE_CODE_PTR:
        return collect_pointer(name, value, found, depth)
    if type.code in SCALARS:
        said = scalar_text(value)
        if "unknown" not in said:  # of an enumeration, before it is set
            found[name] = Value(f"{name} = {said}")
        return None
    if type.code == gdb.TYPE_CODE_STRUCT:
        return collect_object(name, value, found, depth)
    return None


def scalar_text(value):
    type = value.type.strip_typedefs()
    code = NUMBERS.get((type.code, type.sizeof))
    if type.code == gdb.TYPE_CODE_FLT and code:
        return shortest(float(value), code)
    return value.format_string(address=False).rpartition("::")[2]


def collect_pointer(name, value, found, depth):
    if name == "this":
        if int(value):
            collect_members("", value.dereference(), found, depth)
        return
    code = number_code(value.type.strip_typedefs())
    numbers, count = numbers_at(int(value), code, in_this_frame=True) if code else ((), 0)
    if numbers:
        shape = (min(count, MOST_POINTED) or 1,)
        memory = objects.memory_of(DEBUGGER, "f32")
        array = kept(Array(memory, "Tensor", code, int(value), shape))
        said = text.counted(count, "number") if count else "a number"
        found[name] = Value(f"{name} points to {said}", array, (count or 1,))


def collect_object(name, value, found, depth):
    kind = objects.kind_of(DEBUGGER, DEBUGGER.plain(value.type))
    place = DEBUGGER.place(value)
    type_name = DEBUGGER.type_name(value.type)
    if kind and kind[1] in SILENT:
        return
    if kind and kind[1] in ("pair", "array", "pointer"):
        for inner, type, held in parts_of(name, kind[1], value.type, place):
            collect(inner, at(held, type), found, depth)
    elif kind and kind[1] == "Attention":
        collect_members(name + ".", value, found, depth)
    elif kind:
        collect_of_heed(name, value.type, place, kind, found)
    elif type_name.startswith("std::"):
        collect_of_std(name, value, place, found, depth)
    elif depth < 2 and (not type_name.startswith(("heed::", "tutorial::"))
                        or type_name.startswith(OPENED)):
        collect_members(name + ".", value, found, depth + 1)


def at(place, type):
    return gdb.Value(place).cast(type.pointer()).dereference()


def collect_of_heed(name, type, place, kind, found):
    memory = objects.memory_of(DEBUGGER, kind[0])
    if kind[1] == "Saved":
        read = memory.saved(place)
    elif kind[1] == "SavedOutput":
        read = memory.saved_output(place)
    else:
        read = objects.read(DEBUGGER, type, place)
    if hasattr(read, "value") or isinstance(read, Array):
        found[name] = value_of(read, name)
        grad = read.node.grad if getattr(read, "node", None) else None
        if grad is not None:
            found[name + ".grad"] = value_of(grad, f"gradient of {name}")
    elif read is None or kind[1] == "Node":
        line = objects.show(DEBUGGER, type, place, numbers=False)
        if not line.startswith("<"):
            found[name] = Value(f"{name} {line}")


def value_of(read, name):
    """Going through the numbers for the line takes time: it is done once for the same numbers."""
    array = objects.numbers_of(read)
    copy = kept(array)
    node = getattr(read, "node", None)
    key = (name, text.made_by(node), str(text.node_remarks(node)), node and node.name, array.shape,
           array.strides, array.code, bytes_of(copy))
    if key not in _values or copy.count < array.count:
        _values[key] = Value(text.value_line(read, name), copy, array.shape)
    return _values[key]


def collect_of_std(name, value, place, found, depth):
    words = strings(value.type.strip_typedefs(), place)
    if words is not None:
        said = " ".join(words) if "vector" not in DEBUGGER.type_name(value.type) else (
            "[" + ", ".join(f'"{word}"' for word in words) + "]")
        if said.isprintable():
            found[name] = Value(f"{name} = {cut(said)}")
        return
    if not DEBUGGER.type_name(value.type).startswith("std::vector<"):
        return
    entry = DEBUGGER.entry_type(value.type).strip_typedefs()
    memory = objects.memory_of(DEBUGGER, "f32")
    begin, count = memory.vector(place, entry.sizeof)
    code = NUMBERS.get((entry.code, entry.sizeof))
    if code and count:
        array = Array(memory, "IndexTensor" if code in "iq" else "Tensor", code, begin, (count,))
        found[name] = Value(f"{name} of {text.counted(count, 'number')}", kept(array), (count,))
    elif entry.code == gdb.TYPE_CODE_STRUCT:
        for i in range(min(count, MOST_ENTRIES)):
            collect(f"{name}[{i}]", at(begin + i * entry.sizeof, entry), found, depth + 1)


def collect_members(prefix, value, found, depth):
    for field in value.type.strip_typedefs().fields():
        if field.is_base_class:
            if not (field.name or "").startswith("std::"):
                collect_members(prefix, value[field], found, depth)
        elif hasattr(field, "bitpos") and field.name and not is_private(field):
            if prefix + field.name not in found:
                collect(prefix + field.name, value[field], found, depth + 1)


def is_private(field):
    """A pointer to virtual functions, or a setting such as training_."""
    is_scalar = field.type.strip_typedefs().code in SCALARS
    return field.name.startswith("_vptr") or is_scalar and field.name.endswith("_")


def cut(said):
    return said if len(said) <= MOST_LETTERS else said[:MOST_LETTERS - 3] + "..."


def part_of(array, most):
    """The first entries along the outer axes, so that it has at most so many numbers."""
    shape = list(array.shape)
    for axis, length in enumerate(shape):
        rest = math.prod(shape[axis + 1:])
        shape[axis] = min(length, max(1, most // max(1, rest)))
        if shape[axis] > 1:
            break
    part = Array(array.memory, array.kind, array.code, array.address, shape, array.strides)
    part.blocks = array.blocks
    return part


def kept(array):
    """A copy that needs the program no more."""
    part = part_of(array, MOST_KEPT)
    part.blocks = {}
    for block in range(-(-part.span() // BLOCK)):
        part.at(block * BLOCK)
    part.memory = None
    return part


def shortest(x, code):
    """As few digits as tell this number from its neighbours."""
    if code == "d" or not math.isfinite(x):
        return repr(x)
    for digits in range(1, 10):
        written = f"{x:.{digits}g}"
        if struct.pack("f", float(written)) == struct.pack("f", x):
            return repr(float(written))
    return repr(x)


def written(value):
    """As JSON: {"line"}, and for numbers the kind, the shape, and the extents of what is there."""
    if value.array is None:
        return {"line": value.line}
    array = part_of(value.array, MOST_WRITTEN)
    return {"line": value.line, "kind": array.kind, "shape": list(value.shape),
            "part": list(array.shape), "numbers": [number(x, array.code) for x in array.values()]}


def number(x, code):
    """JSON has no NaN and no infinity: these are texts."""
    if code not in "fd":
        return int(x)
    if not math.isfinite(x):
        return "nan" if math.isnan(x) else ("inf" if x > 0 else "-inf")
    short = float(shortest(x, code))
    return int(short) if short.is_integer() and abs(short) < 1e9 and str(short) != "-0.0" else short
