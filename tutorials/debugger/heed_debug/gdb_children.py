"""What an object opens into in an editor's panes: a tensor into heads, rows and entries, a layer
into its members, a node into its inputs. All are gdb values, which open in turn."""

import gdb

from heed_debug import objects, text
from heed_debug.gdb_debugger import DEBUGGER, FIRST_COPY
from heed_debug.gdb_methods import C_TYPES, cells
from heed_debug.gdb_paths import at, inside
from heed_debug.layers import contained
from heed_debug.memory import Broken, Record, Unreadable

AXES = {1: "", 2: "row", 3: "head", 4: "batch"}  # of weights, by how many axes are left

CLOSED = ("Shape", "Dims", "CallSite", "Saved", "SavedOutput", "Operation", "AnyLayer")

_parts = {}  # Array by (address, type) of the C++ array that stands for it


def forget():
    _parts.clear()


def part_at(value):
    """The part of a tensor that a C++ array stands for, or None."""
    if value.address is None:
        return None
    return _parts.get((int(value.address), str(value.type)))


def children_of(type, place):
    """(name, gdb value), lazily."""
    try:
        yield from children(*inside(type, place))
    except (Broken, Unreadable, gdb.error):
        return


def children(type, place):
    precision, kind = objects.kind_of(DEBUGGER, type)
    memory = objects.memory_of(DEBUGGER, precision)
    if kind == "pointer":
        for _, entry, held in contained_in(memory, type, place):
            yield from children_of(entry, held)
    elif kind == "Node":
        yield from inputs_of(memory, type, memory.node(place))
    elif kind in ("Tensor", "Variable", "IndexTensor", "BoolTensor", "Mask"):
        value = objects.read(DEBUGGER, type, place)
        array = objects.numbers_of(value)
        yield from entries(array, bool(text.row_sums(array)))
        if getattr(value, "node", None) is not None:
            yield from of_node(memory, value.node)
    elif kind == "array":
        entry = DEBUGGER.entry_type(type)
        for i in range(DEBUGGER.size(type) // DEBUGGER.size(entry)):
            yield f"[{i}]", at(entry, place + i * DEBUGGER.size(entry))
    elif not kind.startswith("optional ") and kind not in CLOSED:
        yield from members(memory, type, place)


def contained_in(memory, type, place):
    held = memory.unpack(place, "Q")[0]
    return [("", DEBUGGER.entry_type(type), held)] if held else []


def entries(array, are_weights):
    """Along the first axis; numbers if there is no other."""
    if not array.shape or array.address >= FIRST_COPY:
        return
    axis = AXES.get(len(array.shape), "") if are_weights or len(array.shape) == 2 else ""
    for i in range(array.shape[0]):
        name, part = f"{axis}[{i}]", array.slice(str(i))
        if not part.shape:
            yield name, at(gdb.lookup_type(C_TYPES[part.code]), part.address)
        elif part.count:
            value = cells(part)
            if value.address is not None:
                _parts[int(value.address), str(value.type)] = (part, are_weights)
            yield name, value


def of_node(memory, node):
    type = DEBUGGER.find_type(memory.namespace + "Node")
    if node.grad is not None:
        tensor = DEBUGGER.find_type(memory.namespace + "Tensor")
        yield "gradient", at(tensor, Record(memory, "Node", node.address).at("grad"))
    if not node.is_leaf:
        yield "made_by", at(type, node.address)


def inputs_of(memory, type, node):
    """Nodes; of a constant its shape."""
    shape = DEBUGGER.find_type(memory.namespace + "Shape")
    edges, size = Record(memory, "Node", node.address).at("inputs"), memory.layout("Edge")[1]
    for i, (address, _) in enumerate(node.inputs):
        edge = Record(memory, "Edge", memory.vector(edges, size)[0] + i * size)
        if address:
            yield f"input[{i}]", at(type, address)
        else:
            yield f"constant_input[{i}]", at(shape, edge.at("shape"))


def members(memory, type, place):
    """Data members, those of base classes first; what holds layers opens into them."""
    for field in DEBUGGER.fields(type):
        where = place + field.offset
        if field.is_base:
            if not DEBUGGER.type_name(field.type).endswith("::Listed"):
                yield from members(memory, field.type, where)
            continue
        found = list(contained(DEBUGGER, memory, field.type, where))
        for after, entry, held in found:
            yield field.name + as_index(after), at(*inside(entry, held))
        if not found:
            yield field.name, at(*inside(field.type, where))


def as_index(after):
    return f"[{after[1:]}]" if after else ""
