"""The commands for looking at numbers: tensor, grad, shapes, compare."""

import gdb

from heed_debug import objects, text
from heed_debug.arrays import WrongSlice
from heed_debug.asking import aligned, cut_slice, why_no_gradient
from heed_debug.comparing import comparison
from heed_debug.gdb_arguments import (find, read, short_name, teaching_frame,
                                      tensor_or_variable, words_of)
from heed_debug.gdb_charset import fitting, reading_utf8
from heed_debug.gdb_debugger import DEBUGGER
from heed_debug.gdb_frames import declared_later, not_bound, variables
from heed_debug.gdb_surroundings import in_words, names_are_known, nothing_known
from heed_debug.memory import Broken, Unreadable

MOST_ENTRIES = 10_000
MOST_LINES = 400
MOST_SHAPES = 80


class Command(gdb.Command):
    """A command that prints the lines of lines(); its help text is the class docstring. In a tour it
    says itself first."""

    in_tour = False
    echoes = True

    def __init__(self, name, completion=gdb.COMPLETE_EXPRESSION):
        self.__doc__ = fitting(self.__doc__)
        self.name = name
        super().__init__(name, gdb.COMMAND_DATA, completion)

    def invoke(self, argument, from_tty):
        self.dont_repeat()
        argument = argument.strip()
        if Command.in_tour and self.echoes:
            gdb.write(fitting(f"(gdb) {self.name} {argument}".rstrip()) + "\n")
        try:
            with reading_utf8():
                lines = self.lines(argument)
        except WrongSlice as wrong:
            raise gdb.GdbError(fitting(f"{argument}: {wrong}.")) from None
        except gdb.GdbError as error:
            raise gdb.GdbError(fitting(str(error))) from None
        except (gdb.error, Broken, Unreadable) as error:
            raise gdb.GdbError(fitting(in_words(error))) from None
        for line in lines:
            gdb.write(fitting(line) + "\n")


class TensorCommand(Command):
    """tensor X: all numbers of a tensor, a variable, a mask, or of a slice of it.
    tensor weights        the whole grid
    tensor weights[0,2]   along the first two axes one entry each
    tensor weights[:,1:3] ranges keep their axis
    X is an expression: this->weight, layer.W_Q, *p."""

    def lines(self, argument):
        if not argument:
            raise gdb.GdbError("Which tensor? For example: tensor weights, or of a part of it: "
                               "tensor weights[0,2]. `shapes` lists what there is.")
        name, value = tensor_or_variable(argument)
        array = objects.numbers_of(value)
        lines = text.grid(array, summarise_above=MOST_ENTRIES)
        return [text.value_line(value, name)] + text.cut_lines(lines, MOST_LINES)


class GradCommand(Command):
    """grad X: the gradient that backward() has added up in a variable. Slices as for tensor."""

    def lines(self, argument):
        if not argument:
            raise gdb.GdbError("Whose gradient? For example: grad W.")
        found = find(argument)
        name, slices, found.slices = cut_slices(argument, found), found.slices, ()
        value = read(found)
        if not hasattr(value, "node"):
            raise gdb.GdbError(f"{name} is of type {short_name(found.type)}: numbers without a "
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
        raise gdb.GdbError(why_no_gradient(name, node, hidden))
    return node.grad


class CompareCommand(Command):
    """compare A B: the largest difference between two tensors of one shape, and where it is; of two
    Attention, between their outputs and between their weights."""

    def lines(self, argument):
        words = words_of(argument.replace(", ", " ") if argument.count(", ") == 1 else argument)
        if len(words) != 2:
            raise gdb.GdbError("compare takes two tensors, with a blank between: compare A B.")
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
        raise gdb.GdbError(str(wrong)) from None


class ShapesCommand(Command):
    """shapes: every tensor, variable and mask in scope, with its shape and what made it."""

    def __init__(self, name):
        super().__init__(name, gdb.COMPLETE_NONE)

    def lines(self, argument):
        if argument:
            raise gdb.GdbError("shapes takes no argument: it lists what is in scope. One "
                               "tensor is shown by: tensor X.")
        frame = teaching_frame()
        if not names_are_known(frame):
            return [nothing_known(frame)]
        rows = []
        for symbol, value in variables(frame):
            later = declared_later(frame, symbol) or not_bound(frame, symbol, value)
            collect(symbol.name, value, later, rows, 0)
        if not rows:
            return [f"There are no tensors in {frame.name() or 'this function'}. `up` goes to its "
                    "caller."]
        return aligned(rows[:MOST_SHAPES]) + (
            [f"... ({len(rows) - MOST_SHAPES} more)"] if len(rows) > MOST_SHAPES else [])


def collect(name, value, later, rows, depth):
    """A row for the value if it is a tensor, else rows for the tensors among its members."""
    type = value.type.strip_typedefs()
    try:
        if type.code == gdb.TYPE_CODE_PTR:
            if name != "this" and not is_shown(type.target()):
                return
            if int(value) == 0:
                rows.append((name, short_name(type.target()) + "*", "nullptr"))
                return
            joint, value = "->", value.dereference()
        else:
            joint = "."
            value = value.referenced_value() if DEBUGGER.is_reference(type) else value
        place = DEBUGGER.place(value)
    except gdb.error:
        return
    if is_only_declared(value.type):
        rows.append((name, short_name(value.type), text.UNDESCRIBED))
    kind = objects.kind_of(DEBUGGER, value.type)
    if kind and not later and kind[1] in ("pair", "array", "pointer"):
        for inner, of_inner in parts_of(name, kind[1], value):
            collect(inner, of_inner, False, rows, depth)
        return
    if is_shown(value.type):
        line = text.NOT_CONSTRUCTED if later else objects.show(
            DEBUGGER, value.type, place, numbers=False)
        type_name = short_name(value.type)
        rows.append((name, type_name, line.removeprefix(type_name + ", ")))
        if name != "this":
            return
    if not later and depth < 3:
        collect_members(name + joint, value, rows, depth)


def is_only_declared(type):
    type = DEBUGGER.plain(type)
    return DEBUGGER.is_only_declared(type) and (type.name or "").startswith("heed::")


def is_shown(type):
    kind = objects.kind_of(DEBUGGER, type)
    return bool(kind) and kind[1].removeprefix("optional ") in {
        "Tensor", "Variable", "IndexTensor", "BoolTensor", "Mask", "Module", "Optimizer",
        "StateDict", "KeyValueCache", "RecordAttention"}


def parts_of(name, kind, value):
    """(name, value) of what the standard library's pairs, arrays and pointers hold."""
    if kind == "pair":
        return [(f"{name}.{part}", value[part]) for part in ("first", "second")]
    entry, place = DEBUGGER.entry_type(value.type), DEBUGGER.place(value)
    if kind == "array":
        count = value.type.sizeof // entry.sizeof
        return [(f"{name}[{i}]", at(place + i * entry.sizeof, entry)) for i in range(count)]
    held = objects.memory_of(DEBUGGER, "f32").unpack(place, "Q")[0]
    return [(f"*{name}", at(held, entry))] if held else []


def at(place, type):
    return gdb.Value(place).cast(type.pointer()).dereference()


def collect_members(prefix, value, rows, depth):
    type_name = DEBUGGER.type_name(value.type)
    if type_name.startswith("std::vector<"):
        collect_entries(prefix[:-1], value, rows, depth)
    if type_name.startswith("std::") or value.type.strip_typedefs().code != gdb.TYPE_CODE_STRUCT:
        return
    for field in value.type.strip_typedefs().fields():
        if field.is_base_class:
            collect_members(prefix, value[field], rows, depth)
        elif hasattr(field, "bitpos") and field.name and not field.name.startswith("_vptr"):
            collect(prefix.removeprefix("this->") + field.name, value[field], False, rows,
                    depth + 1)


def collect_entries(name, value, rows, depth):
    entry = DEBUGGER.entry_type(value.type)
    if entry is None or not is_shown(entry):
        return
    memory = objects.memory_of(DEBUGGER, "f32")
    size = DEBUGGER.size(entry)
    try:
        begin, count = memory.vector(DEBUGGER.place(value), size)
    except Exception:
        return
    for i in range(min(count, 8)):
        collect(f"{name}[{i}]", at(begin + i * size, entry), False, rows, depth + 1)
    if count > 8:
        rows.append((f"{name}[8]", "...", f"{count - 8} more"))


TensorCommand("tensor")
GradCommand("grad")
CompareCommand("compare")
ShapesCommand("shapes")
