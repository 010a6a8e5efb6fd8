"""A layer as a tree: its parameters with their shapes, the layers in it, and its parameter count.
Read from the members of the class, so user-defined layers work as well."""

from heed_debug import text
from heed_debug.kinds import kind_of
from heed_debug.memory import Broken

DEEPEST = 8
MOST_ENTRIES = 100  # of a list of layers


def layer_lines(debugger, memory, type, address):
    type = own_type(debugger, memory, type, address)
    counted_nodes = set()
    lines = members(debugger, memory, type, address, "  ", counted_nodes)
    numbers = sum(size for _, size in counted_nodes)
    short = debugger.type_name(type).split("<")[0].split("::")[-1]
    line = f"{short}, {text.counted(numbers, 'parameter')}"
    shapes = [line.strip() for line in lines if "Parameter" in line]
    if len(shapes) == len(lines) <= 3:
        return [line + "".join(", " + shape.replace("Parameter ", "") for shape in shapes)]
    return [line] + lines


def own_type(debugger, memory, type, address):
    """The layer's dynamic class, of which `type` may be a base, found through its vtable. This also
    tells whether there is a layer at all."""
    name = memory.class_of(address)
    if not name:
        raise Broken("a layer of no class")
    if name == debugger.type_name(type):
        return type
    found = debugger.find_type(name)
    if not derives(debugger, found, debugger.type_name(type)):
        raise Broken("a layer of another class")
    return found


def derives(debugger, type, base_name):
    return debugger.type_name(type) == base_name or any(
        field.is_base and derives(debugger, field.type, base_name)
        for field in debugger.fields(type))


def members(debugger, memory, type, address, indent, nodes, depth=0):
    lines = []
    for field in debugger.fields(type):
        place = address + field.offset
        if field.is_base:
            lines += members(debugger, memory, field.type, place, indent, nodes, depth)
        else:
            lines += member(debugger, memory, field.name, field.type, place, indent, nodes, depth)
    return lines


def member(debugger, memory, name, type, place, indent, nodes, depth):
    kind = kind_of(debugger, type)
    if kind and kind[1] == "Variable":
        return [indent + parameter(memory, name, place, nodes)]
    if kind and kind[1] == "Module" and depth < DEEPEST:
        inner = members(debugger, memory, type, place, indent + "  ", nodes, depth + 1)
        short = debugger.type_name(type).split("<")[0].split("::")[-1]
        return [f"{indent}{name}: {short}"] + inner
    if kind and kind[1] == "AnyLayer":
        return held_layer(debugger, memory, name, place, indent, nodes, depth)
    if holds_parameters(debugger, type):
        inner = members(debugger, memory, type, place, indent + "  ", nodes, depth + 1)
        return [f"{indent}{name}:"] + inner
    entry = entry_type(debugger, type)
    if entry is None:
        return []
    if debugger.type_name(type).startswith("std::optional<"):
        is_there = memory.read(place + debugger.size(entry), 1)[0]
        return member(debugger, memory, name, entry, place, indent, nodes, depth) if is_there else []
    lines = []
    size = debugger.size(entry)
    begin, count = memory.vector(place, size)
    for i in range(min(count, MOST_ENTRIES)):
        lines += member(debugger, memory, f"{name}.{i}", entry, begin + i * size, indent, nodes,
                        depth)
    return lines


def held_layer(debugger, memory, name, place, indent, nodes, depth):
    """What an Any holds: a pointer to an object of which `layer` is a member, or nothing."""
    holder = memory.unpack(place, "Q")[0]
    if holder == 0:
        return []
    class_name = memory.class_of(holder)
    for field in debugger.fields(debugger.find_type(class_name)) if class_name else []:
        if field.name == "layer":
            return member(debugger, memory, name, field.type, holder + field.offset, indent, nodes,
                          depth)
    raise Broken("no layer")


def parameter(memory, name, place, nodes):
    variable = memory.variable(place)
    array, node = variable.value, variable.node
    if node is None and array.shape == (0,):
        return f"Parameter {name} not set"
    nodes.add((node.address if node else place, array.count))
    remarks = [] if node is None or node.requires_grad else ["frozen"]
    remarks += ["has a gradient"] if node is not None and node.grad is not None else []
    return f"Parameter {name} {text.list_text(array.shape)}" + "".join(
        ", " + remark for remark in remarks)


def entry_type(debugger, type):
    """The element type of a vector or optional of layers, parameters, or structs of parameters."""
    if not debugger.type_name(type).startswith(("std::vector<", "std::optional<")):
        return None
    entry = debugger.entry_type(type)
    kind = kind_of(debugger, entry) if entry is not None else None
    known = kind and kind[1] in ("Variable", "Module", "AnyLayer")
    return entry if known or entry is not None and holds_parameters(debugger, entry) else None


def holds_parameters(debugger, type):
    """Is it a struct of parameters that is not a layer, as the weights of a GRU?"""
    if kind_of(debugger, type) or not debugger.type_name(type).startswith("heed::"):
        return False
    return any(debugger.type_name(field.type).endswith("::Parameter")
               for field in debugger.fields(type))
