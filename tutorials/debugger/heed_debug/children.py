"""What an object opens into in an editor's panes: a tensor into heads, rows and entries, a layer
into its members, a node into its inputs. A child is a name and a (type, place), or a Part."""

from dataclasses import dataclass

from heed_debug import objects, text
from heed_debug.arrays import Array
from heed_debug.host import DEBUGGER
from heed_debug.layers import contained
from heed_debug.memory import FIRST_COPY, Broken, Record, Unreadable
from heed_debug.paths import inside

AXES = {1: "", 2: "row", 3: "head", 4: "batch"}  # of weights, by how many axes are left

CLOSED = ("Shape", "Dims", "CallSite", "Saved", "SavedOutput", "Operation", "AnyLayer")


@dataclass
class Part:
    """A head, a row or an entry of a tensor."""
    array: Array
    are_weights: bool


def children_of(type, place):
    """(name, child), lazily."""
    try:
        yield from children(*inside(type, place))
    except (Broken, Unreadable):
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
            yield f"[{i}]", (entry, place + i * DEBUGGER.size(entry))
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
        part = array.slice(str(i))
        if part.count:
            yield f"{axis}[{i}]", Part(part, are_weights)


def of_node(memory, node):
    type = DEBUGGER.find_type(memory.namespace + "Node")
    if node.grad is not None:
        tensor = DEBUGGER.find_type(memory.namespace + "Tensor")
        yield "gradient", (tensor, Record(memory, "Node", node.address).at("grad"))
    if not node.is_leaf:
        yield "made_by", (type, node.address)


def inputs_of(memory, type, node):
    """Nodes; of a constant its shape."""
    shape = DEBUGGER.find_type(memory.namespace + "Shape")
    edges, size = Record(memory, "Node", node.address).at("inputs"), memory.layout("Edge")[1]
    for i, (address, _) in enumerate(node.inputs):
        edge = Record(memory, "Edge", memory.vector(edges, size)[0] + i * size)
        if address:
            yield f"input[{i}]", (type, address)
        else:
            yield f"constant_input[{i}]", (shape, edge.at("shape"))


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
            yield field.name + as_index(after), inside(entry, held)
        if not found:
            yield field.name, inside(field.type, where)


def as_index(after):
    return f"[{after[1:]}]" if after else ""
