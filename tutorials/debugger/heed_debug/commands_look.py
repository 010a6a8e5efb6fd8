"""The commands for looking at numbers: tensor, grad, shapes, compare."""

from heed_debug import objects, text
from heed_debug.arguments import read, tensor_or_variable
from heed_debug.asking import Refused, aligned, cut_slice, why_no_gradient, words_of
from heed_debug.comparing import comparison
from heed_debug.host import DEBUGGER, Command, here
from heed_debug.memory import Broken, Unreadable
from heed_debug.paths import find, pointed_to, raw_pointer, short_name, teaching_frame

MOST_ENTRIES = 10_000
MOST_LINES = 400
MOST_SHAPES = 80


class TensorCommand(Command):
    """tensor X: all numbers of a tensor, a variable, a mask, or of a slice of it.
    tensor weights        the whole grid
    tensor weights[0,2]   along the first two axes one entry each
    tensor weights[:,1:3] ranges keep their axis
    X is an expression: this->weight, layer.W_Q, *p."""

    def lines(self, argument):
        if not argument:
            raise Refused("Which tensor? For example: tensor weights, or of a part of it: "
                          "tensor weights[0,2]. `shapes` lists what there is.")
        name, value = tensor_or_variable(argument)
        array = objects.numbers_of(value)
        lines = text.grid(array, summarise_above=MOST_ENTRIES)
        return [text.value_line(value, name)] + text.cut_lines(lines, MOST_LINES)


class GradCommand(Command):
    """grad X: the gradient that backward() has added up in a variable. Slices as for tensor."""

    def lines(self, argument):
        if not argument:
            raise Refused("Whose gradient? For example: grad W.")
        found = find(argument)
        name, slices, found.slices = cut_slices(argument, found), found.slices, ()
        value = read(found)
        if not hasattr(value, "node"):
            raise Refused(f"{name} is of type {short_name(found.type)}: numbers without a "
                          "graph. Only a Variable has a gradient.")
        array = gradient_of(name, value.node, value.hidden)
        for slice in slices:
            array = array.slice(slice)
        line = text.array_line(array, f"gradient of {argument}")
        lines = text.grid(array, summarise_above=MOST_ENTRIES)
        return [line] + text.cut_lines(lines, MOST_LINES)


def cut_slices(argument, found):
    for _ in found.slices:
        argument = cut_slice(argument)[0]
    return argument


def gradient_of(name, node, hidden=False):
    if node is None or node.grad is None:
        raise Refused(why_no_gradient(name, node, hidden))
    return node.grad


class CompareCommand(Command):
    """compare A B: the largest difference between two tensors of one shape, and where it is; of two
    Attention, between their outputs and between their weights."""

    def lines(self, argument):
        words = words_of(argument.replace(", ", " ") if argument.count(", ") == 1 else argument)
        if len(words) != 2:
            raise Refused("compare takes two tensors, with a blank between: compare A B.")
        if all(is_attention(word) for word in words):
            return [line for part in ("output", "weights")
                    for line in difference(*(f"{word}.{part}" for word in words))]
        return difference(*words)


def is_attention(expression):
    """Is it an Attention, the output and the weights of one call?"""
    return DEBUGGER.type_name(find(expression).type).endswith("::Attention")


def difference(*expressions):
    (a_name, a), (b_name, b) = (tensor_or_variable(each) for each in expressions)
    try:
        return comparison(a_name, objects.numbers_of(a), b_name, objects.numbers_of(b))
    except ValueError as wrong:
        raise Refused(str(wrong)) from None


class ShapesCommand(Command):
    """shapes: every tensor, variable and mask in scope, with its shape and what made it."""

    def __init__(self, name):
        super().__init__(name, completes=False)

    def lines(self, argument):
        if argument:
            raise Refused("shapes takes no argument: it lists what is in scope. One tensor is "
                          "shown by: tensor X.")
        frame = teaching_frame()
        if not here.names_are_known(frame):
            return [here.nothing_known(frame)]
        rows = []
        for local in here.variables(frame):
            collect(local.name, local.type, local.place, local.later, rows, 0)
        if not rows:
            return [f"There are no tensors in {here.function(frame) or 'this function'}. `up` goes "
                    "to its caller."]
        return aligned(rows[:MOST_SHAPES]) + (
            [f"... ({len(rows) - MOST_SHAPES} more)"] if len(rows) > MOST_SHAPES else [])


def collect(name, type, place, later, rows, depth):
    """A row for the value if it is a tensor, else rows for the tensors among its members."""
    joint = "."
    if DEBUGGER.is_pointer(type):
        if name != "this" and not is_shown(DEBUGGER.pointee(type)):
            return
        if raw_pointer(place) == 0:
            rows.append((name, short_name(DEBUGGER.pointee(type)) + "*", "nullptr"))
            return
        joint = "->"
    type, place = pointed_to(type, place)
    if DEBUGGER.is_only_declared(type) and DEBUGGER.type_name(type).startswith("heed::"):
        rows.append((name, short_name(type), text.UNDESCRIBED))
    kind = objects.kind_of(DEBUGGER, type)
    if kind and not later and kind[1] in ("pair", "array", "pointer"):
        for inner, of_type, at in parts_of(name, kind[1], type, place):
            collect(inner, of_type, at, False, rows, depth)
        return
    if is_shown(type):
        line = text.NOT_CONSTRUCTED if later else objects.show(DEBUGGER, type, place, numbers=False)
        type_name = short_name(type)
        rows.append((name, type_name, line.removeprefix(type_name + ", ")))
        if name != "this":
            return
    if not later and depth < 3:
        collect_members(name + joint, type, place, rows, depth)


def is_shown(type):
    kind = objects.kind_of(DEBUGGER, type)
    return bool(kind) and kind[1].removeprefix("optional ") in {
        "Tensor", "Variable", "IndexTensor", "BoolTensor", "Mask", "Module", "Optimizer",
        "StateDict", "KeyValueCache", "RecordAttention"}


def parts_of(name, kind, type, place):
    """(name, type, place) of what the standard library's pairs, arrays and pointers hold."""
    if kind == "pair":
        return [(f"{name}.{field.name}", field.type, place + field.offset)
                for field in DEBUGGER.fields(type) if not field.is_base]
    entry = DEBUGGER.entry_type(type)
    if kind == "array":
        size = DEBUGGER.size(entry)
        return [(f"{name}[{i}]", entry, place + i * size)
                for i in range(DEBUGGER.size(type) // size)]
    held = raw_pointer(place)
    return [(f"*{name}", entry, held)] if held else []


def collect_members(prefix, type, place, rows, depth):
    type_name = DEBUGGER.type_name(type)
    if type_name.startswith("std::vector<"):
        collect_entries(prefix[:-1], type, place, rows, depth)
    if type_name.startswith("std::") or not DEBUGGER.is_class(type):
        return
    for field in () if DEBUGGER.is_only_declared(type) else DEBUGGER.fields(type):
        at = place + field.offset
        if field.is_base:
            collect_members(prefix, field.type, at, rows, depth)
        elif field.name:
            collect(prefix.removeprefix("this->") + field.name, field.type, at, False, rows,
                    depth + 1)


def collect_entries(name, type, place, rows, depth):
    entry = DEBUGGER.entry_type(type)
    if entry is None or not is_shown(entry):
        return
    size = DEBUGGER.size(entry)
    try:
        begin, count = objects.memory_of(DEBUGGER, "f32").vector(place, size)
    except (Broken, Unreadable):
        return
    for i in range(min(count, 8)):
        collect(f"{name}[{i}]", entry, begin + i * size, False, rows, depth + 1)
    if count > 8:
        rows.append((f"{name}[8]", "...", f"{count - 8} more"))


TensorCommand("tensor")
GradCommand("grad")
CompareCommand("compare")
ShapesCommand("shapes")
