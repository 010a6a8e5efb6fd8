"""Identifies which heed type an object has and formats it, for the printers of gdb and lldb.
The entry point is `show(debugger, type, address)`."""

from heed_debug import holders, kinds, text
from heed_debug.kinds import kind_of
from heed_debug.layers import held_layer, layer_lines
from heed_debug.memory import Broken, Memory, Undescribed, Unreadable

ARRAY_READERS = {"Tensor": Memory.tensor, "IndexTensor": Memory.index_tensor,
                 "BoolTensor": Memory.bool_tensor, "Mask": Memory.mask}

_memories = {}


def memory_of(debugger, precision):
    """One reader per precision, which caches type layouts."""
    key = (id(debugger), precision)
    if key not in _memories:
        _memories[key] = Memory(debugger, precision)
    return _memories[key]


def forget():
    """Clears the cache: after a rebuild the types may have changed."""
    _memories.clear()
    kinds.forget()


def read(debugger, type, address):
    """The Array, Variable or Node there, or None for an object that is none of these.
    Errors: Broken, Unreadable."""
    precision, kind = kind_of(debugger, type) or (None, None)
    memory = memory_of(debugger, precision)
    if kind and kind.startswith("optional "):
        return read_optional(debugger, type, memory, address)
    if kind in ARRAY_READERS:
        return ARRAY_READERS[kind](memory, address)
    if kind == "Variable":
        return memory.variable(address)
    if kind == "Node":
        return memory.node(address)
    return None


def read_optional(debugger, type, memory, address):
    entry = debugger.entry_type(type)
    return read(debugger, entry, address) if is_engaged(debugger, entry, memory, address) else None


def is_engaged(debugger, entry, memory, address):
    engaged = memory.read(address + debugger.size(entry), 1)[0]
    if engaged > 1:
        raise Broken("neither present nor absent")
    return engaged == 1


def show(debugger, type, address, numbers=True):
    """The text of an object; only its summary line if numbers is false."""
    try:
        return show_sound(debugger, type, address, numbers)
    except Undescribed:
        return text.UNDESCRIBED
    except (Broken, Unreadable):
        return text.NOT_CONSTRUCTED


def show_sound(debugger, type, address, numbers):
    precision, kind = kind_of(debugger, type)
    memory = memory_of(debugger, precision)
    if kind.startswith("optional "):
        entry = debugger.entry_type(type)
        is_there = is_engaged(debugger, entry, memory, address)
        return show_sound(debugger, entry, address, numbers) if is_there else "<none>"
    if kind == "pointer":
        return show_pointer(debugger, memory, type, address, numbers)
    if kind in holders.SHOWN:
        def line_of(type, address):
            return show(debugger, type, address, False)
        lines = holders.lines_of(debugger, memory, kind, type, address, line_of)
        return "\n".join(lines if numbers else lines[:1])
    if kind.startswith("held "):
        return show_held(debugger, memory, kind.split()[1], address, numbers)
    if kind == "Shape":
        return text.list_text(memory.shape(address))
    if kind == "Dims":
        return text.list_text(memory.dims(address))
    if kind == "CallSite":
        return memory.where(address).text()
    if kind == "Node":
        return show_node(memory, memory.node(address), numbers)
    if kind == "Saved":
        saved = memory.saved(address)
        return "<not kept>" if saved is None else show_value(saved, numbers)
    if kind == "AnyLayer":
        held = held_layer(debugger, memory, address)
        return show_sound(debugger, *held, numbers) if held else "<none>"
    if kind == "SavedOutput":
        return show_value(memory.saved_output(address), numbers)
    if kind == "Operation":
        return show_operation(debugger, memory, address, numbers)
    if kind == "Module":
        lines = layer_lines(debugger, memory, type, address)
        return "\n".join(lines if numbers else lines[:1])
    value = read(debugger, type, address)
    if kind == "Variable" and is_unset(debugger, type, memory, value):
        return "<not set>"
    return show_value(value, numbers)


def is_unset(debugger, type, memory, variable):
    """Is this a parameter that was never set, such as the bias of a Linear without one?"""
    is_parameter = debugger.type_name(type) == memory.namespace + "Parameter"
    has_node = variable.node is not None or variable.hidden
    return is_parameter and not has_node and variable.value.shape == (0,)


def show_value(value, numbers):
    line = text.value_line(value)
    return text.with_grid(line, numbers_of(value)) if numbers else line


def numbers_of(value):
    return value.value if hasattr(value, "node") else value


def node_line(node):
    """softmax [3, 3] at 08_causal_attention.cpp:41"""
    name = node.name + ("" if not node.name else " " if node.is_leaf else " = ")
    where = f" at {node.where.text()}" if node.where.line else ""
    remarks = [] if not node.is_leaf else text.node_remarks(node)
    if node.is_freed:
        remarks.append("graph freed")
    return f"{name}{node.operation_name} {text.list_text(node.shape)}{where}" + "".join(
        ", " + remark for remark in remarks)


def show_node(memory, node, details):
    lines = [node_line(node)]
    for frame in reversed(node.scopes):
        lines.append(f"  in {frame.name}, called at {frame.where.text()}")
    for i, (address, shape) in enumerate(node.inputs):
        made = node_line(memory.node(address)) if address else f"constant {text.list_text(shape)}"
        lines.append(f"  input {i}: {made}")
    return "\n".join(lines if details else lines[:1])


def show_operation(debugger, memory, address, details):
    """The class of the operation, and what it saves for its derivative."""
    name = memory.class_of(address)
    if not name:
        raise Broken("an operation of no class")
    lines = [f"operation {name.split('::')[-1]}"]
    if details:
        lines += kept_lines(debugger, memory, debugger.find_type(name), address)
    return "\n".join(lines)


def show_pointer(debugger, memory, type, address, numbers):
    place = memory.unpack(address, "Q")[0]
    if place == 0:
        return "nullptr"
    if debugger.type_name(type).startswith("std::shared_ptr<"):
        memory.shared(address)
    return "-> " + show_sound(debugger, debugger.entry_type(type), place, numbers)


def show_held(debugger, memory, kind, address, details):
    """A shared_ptr or unique_ptr: both begin with the raw pointer."""
    place = memory.unpack(address, "Q")[0]
    if place == 0:
        return "nullptr"
    if kind == "Operation":
        return "-> " + show_operation(debugger, memory, place, details)
    return "-> " + show_node(memory, memory.node(memory.shared(address)), details)


def kept_lines(debugger, memory, type, address):
    lines = []
    for field in debugger.fields(type):
        if field.is_base:
            if kind_of(debugger, field.type):
                lines += kept_lines(debugger, memory, field.type, address + field.offset)
        elif kind_of(debugger, field.type):
            shown = show(debugger, field.type, address + field.offset, False)
            lines.append(f"  keeps {field.name}: {shown}")
    return lines
