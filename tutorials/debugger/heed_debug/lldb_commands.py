"""lldb's commands tensor, grad and shapes, with the same output as gdb's."""

import re

from heed_debug import objects, text
from heed_debug.arrays import WrongSlice
from heed_debug.asking import aligned, cut_slice, why_no_gradient
from heed_debug.lldb_debugger import DEBUGGER, declared_later, not_constructed, object_of
from heed_debug.memory import Broken, Unreadable

SLICEABLE = {"Tensor", "Variable", "IndexTensor", "BoolTensor", "Mask"}
MOST_ENTRIES = 10_000
MOST_LINES = 400


class Refused(Exception):
    """An invalid request, with a message."""


def teaching_frame(debugger):
    """The selected frame; at a named stop, the lesson's frame that called it."""
    target = debugger.GetSelectedTarget()
    if DEBUGGER.look_at(target):
        objects.forget()
    thread = target.GetProcess().GetSelectedThread()
    frame = thread.GetSelectedFrame()
    if not frame.IsValid():
        raise Refused("The program is not running, so there is nothing to look at. `run` goes to "
                      "the next breakpoint.")
    if (frame.GetFunctionName() or "").startswith("heed::stop"):
        thread.SetSelectedFrame(frame.GetFrameID() + 1)
        frame = thread.GetSelectedFrame()
    return frame


def kind_name(type):
    kind = objects.kind_of(DEBUGGER, type)
    return kind[1].removeprefix("optional ") if kind else ""


def short_name(type):
    return re.sub(r"heed::(f32|f64)::|\(anonymous namespace\)::", "", DEBUGGER.type_name(type))


def value_at(frame, path):
    value = frame.GetValueForVariablePath(path)
    if not value.IsValid() or value.GetError().Fail():
        value = frame.GetValueForVariablePath("this->" + path)
    if not value.IsValid() or value.GetError().Fail():
        raise Refused(f"There is no {path} here. `shapes` lists what there is; `up` goes to the "
                      "caller.")
    value = object_of(value)
    if value.GetType().GetCanonicalType().IsPointerType():
        value = value.Dereference().GetNonSyntheticValue()
    return value


def find(frame, expression):
    """(the value, its slices) for X, X[1,2] or X[1][2]; after a vector, [i] selects an entry."""
    base, slice = cut_slice(expression)
    if not slice or not base:
        return value_at(frame, expression), []
    value, slices = find(frame, base)
    if kind_name(value.GetType()) in SLICEABLE:
        return value, [*slices, slice]
    return value_at(frame, expression), []


def tensor_or_variable(frame, name, value, slices):
    kind = kind_name(value.GetType())
    if kind not in SLICEABLE:
        raise Refused(f"{name} is of type {short_name(value.GetType())}, which is not a tensor. "
                      "`shapes` lists the tensors here.")
    unborn = (f"{name} is not constructed yet, or is gone already: there are numbers once the line "
              "that makes it has run.")
    place = DEBUGGER.place(value)
    if not_constructed(frame, place):
        raise Refused(unborn)
    try:
        found = objects.read(DEBUGGER, value.GetType(), place)
    except (Broken, Unreadable):
        raise Refused(unborn) from None
    if found is None:
        raise Refused(f"{name} is empty: nothing was put into it.")
    return sliced(name, found, slices)


def sliced(name, value, slices):
    array = objects.numbers_of(value)
    try:
        for slice in slices:
            array = array.slice(slice)
    except WrongSlice as wrong:
        raise Refused(f"{name}: {wrong}.") from None
    if slices and hasattr(value, "node"):
        value.value = array
        return value
    return array if slices else value


def grid_lines(line, array):
    lines = text.grid(array, summarise_above=MOST_ENTRIES)
    return [line] + text.cut_lines(lines, MOST_LINES)


def tensor_lines(debugger, argument):
    if not argument:
        raise Refused("Which tensor? For example: tensor weights, or of a part of it: tensor "
                      "weights[0,2]. `shapes` lists what there is.")
    frame = teaching_frame(debugger)
    value = tensor_or_variable(frame, argument, *find(frame, argument))
    return grid_lines(text.value_line(value, argument), objects.numbers_of(value))


def grad_lines(debugger, argument):
    if not argument:
        raise Refused("Whose gradient? For example: grad W.")
    frame = teaching_frame(debugger)
    value, slices = find(frame, argument)
    name = argument
    for _ in slices:
        name = cut_slice(name)[0]
    found = tensor_or_variable(frame, name, value, [])
    if not hasattr(found, "node"):
        raise Refused(f"{name} is of type {short_name(value.GetType())}: numbers without a graph. "
                      "Only a Variable has a gradient.")
    if found.node is None or found.node.grad is None:
        raise Refused(why_no_gradient(name, found.node))
    array = sliced(argument, found.node.grad, slices)
    return grid_lines(text.array_line(array, f"gradient of {argument}"), array)


def shapes_lines(debugger, argument):
    if argument:
        raise Refused("shapes takes no argument: it lists what is in scope. One tensor is "
                      "shown by: tensor X.")
    frame = teaching_frame(debugger)
    rows, seen = [], set()
    for variable in reversed(list(frame.GetVariables(True, True, False, True))):
        if variable.GetName() not in seen:  # inner blocks come before outer ones
            seen.add(variable.GetName())
            found = []
            collect(variable.GetName(), variable, declared_later(frame, variable), found, 0)
            rows = found + rows
    if not rows:
        return [f"There are no tensors in {frame.GetFunctionName() or 'this function'}. `up` goes "
                "to its caller."]
    return aligned(rows)


def collect(name, value, later, rows, depth):
    """A row for the value if it is a tensor or a layer, else rows for such members."""
    value = object_of(value)
    joint = "."
    if value.GetType().GetCanonicalType().IsPointerType():
        target = value.GetType().GetPointeeType()
        if name != "this" and kind_name(target) not in SLICEABLE | {"Module"}:
            return
        if value.GetValueAsUnsigned() == 0:
            rows.append((name, short_name(target) + "*", "nullptr"))
            return
        value, joint = value.Dereference().GetNonSyntheticValue(), "->"
    if not value.GetType().IsValid():
        return
    if kind_name(value.GetType()) in SLICEABLE | {"Module"}:
        line = text.NOT_CONSTRUCTED if later else objects.show(
            DEBUGGER, value.GetType(), DEBUGGER.place(value), numbers=False)
        type_name = short_name(value.GetType())
        rows.append((name, type_name, line.removeprefix(type_name + ", ")))
        if name != "this":
            return
    if later or depth >= 3 or DEBUGGER.type_name(value.GetType()).startswith("std::"):
        return
    bases = DEBUGGER.plain(value.GetType()).GetNumberOfDirectBaseClasses()
    for i in range(value.GetNumChildren()):
        child = value.GetChildAtIndex(i)
        if i >= bases:
            prefix = "" if name == "this" else name + joint
            collect(prefix + (child.GetName() or ""), child, False, rows, depth + 1)


def answer(lines_of, debugger, argument, result):
    try:
        result.AppendMessage("\n".join(lines_of(debugger, argument.strip())))
    except Refused as refused:
        result.SetError(str(refused))


def tensor(debugger, argument, result, session):
    answer(tensor_lines, debugger, argument, result)


def grad(debugger, argument, result, session):
    answer(grad_lines, debugger, argument, result)


def shapes(debugger, argument, result, session):
    answer(shapes_lines, debugger, argument, result)


HELP = {
    "tensor": "tensor X: all numbers of a tensor, a variable, a mask, or of a slice: weights[0,2]",
    "grad": "grad X: the gradient that backward() has added up in a variable",
    "shapes": "shapes: every tensor, variable, mask and layer in scope, with its shape",
}


def add_commands(debugger):
    for name, words in HELP.items():
        debugger.HandleCommand(
            f"command script add -o -h '{words}' -f {__name__}.{name} {name}")
