"""A layer as a tree: its parameters with their shapes, the layers in it, and its parameter count.
Read from the members of the class, so user-defined layers work as well."""

from dataclasses import dataclass
from typing import Any

from heed_debug import text
from heed_debug.kinds import kind_of
from heed_debug.memory import Broken

DEEPEST = 8
MOST_ENTRIES = 100  # of a list of layers
CONTAINERS = ("std::vector<", "std::array<", "std::optional<", "std::unique_ptr<",
              "std::shared_ptr<")


@dataclass
class Member:
    path: str  # "blocks.0.attention"
    depth: int
    layer: Any  # the name of its class; "" for a struct of parameters, None for a parameter
    place: int

    def line(self, memory, nodes):
        indent, name = "  " * self.depth, self.path.rsplit("/", 1)[-1]
        if self.layer is None:
            return indent + parameter(memory, name, self.place, nodes)
        return f"{indent}{name}: {self.layer}".rstrip()


def layer_lines(debugger, memory, type, address):
    type = own_type(debugger, memory, type, address)
    counted_nodes = set()
    lines = [each.line(memory, counted_nodes)
             for each in members(debugger, memory, type, address)]
    numbers = sum(size for _, size in counted_nodes)
    short = short_class(debugger, type)
    line = f"{short}, {text.counted(numbers, 'parameter')}"
    shapes = [line.strip() for line in lines if "Parameter" in line]
    if len(shapes) == len(lines) <= 3:
        return [line + "".join(", " + shape.replace("Parameter ", "") for shape in shapes)]
    return [line] + lines


def short_class(debugger, type):
    return debugger.type_name(type).split("<")[0].split("::")[-1]


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


def members(debugger, memory, type, address, path="", depth=1):
    """The members of a layer, and theirs, in order; the parts of a path are joined by "/"."""
    for field in debugger.fields(type):
        place = address + field.offset
        if field.is_base:
            yield from members(debugger, memory, field.type, place, path, depth)
        else:
            yield from member(debugger, memory, path + field.name, field.type, place, depth)


def member(debugger, memory, path, type, place, depth):
    kind = kind_of(debugger, type)
    if kind and kind[1] == "Variable":
        yield Member(path, depth, None, place)
    elif kind and kind[1] == "Module" and depth <= DEEPEST:
        yield Member(path, depth, short_class(debugger, type), place)
        yield from members(debugger, memory, type, place, path + "/", depth + 1)
    elif kind and kind[1] == "AnyLayer":
        held = held_layer(debugger, memory, place)
        if held:
            yield from member(debugger, memory, path, *held, depth)
    elif holds_parameters(debugger, type):
        yield Member(path, depth, "", place)
        yield from members(debugger, memory, type, place, path + "/", depth + 1)
    else:
        for after, entry, at in contained(debugger, memory, type, place):
            yield from member(debugger, memory, path + after, entry, at, depth)


def contained(debugger, memory, type, place):
    """(what is added to the name, type, place) of what a container of layers or parameters has."""
    entry = entry_type(debugger, type)
    if entry is None:
        return []
    container = debugger.type_name(type).split("<")[0]
    size = debugger.size(entry)
    if container == "std::optional":
        return [("", entry, place)] if memory.read(place + size, 1)[0] else []
    if container in ("std::unique_ptr", "std::shared_ptr"):
        held = memory.unpack(place, "Q")[0]
        kind = kind_of(debugger, entry)
        if held and kind and kind[1] == "Module":
            entry = own_type(debugger, memory, entry, held)
        return [("", entry, held)] if held else []
    begin, count = place, debugger.size(type) // size
    if container == "std::vector":
        begin, count = memory.vector(place, size)
    return [(f".{i}", entry, begin + i * size) for i in range(min(count, MOST_ENTRIES))]


def held_layer(debugger, memory, place):
    """(type, place) of what an Any holds: a pointer to an object of which `layer` is a member; or
    None."""
    holder = memory.unpack(place, "Q")[0]
    if holder == 0:
        return None
    class_name = memory.class_of(holder)
    for field in debugger.fields(debugger.find_type(class_name)) if class_name else []:
        if field.name == "layer":
            return field.type, holder + field.offset
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
    """The type of what a container holds: layers, parameters, or structs of parameters."""
    if not debugger.type_name(type).startswith(CONTAINERS):
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
