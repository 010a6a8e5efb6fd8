"""Parsing of command arguments: a C++ expression, perhaps followed by a slice, as in
`weights[0,2]` or `layer.W_Q[:,1]`. Errors have readable messages."""

import re
from dataclasses import dataclass
from typing import Any

import gdb

from heed_debug import objects
from heed_debug.arrays import WrongSlice
from heed_debug.asking import cut_slice
from heed_debug.gdb_debugger import DEBUGGER, REFERENCES
from heed_debug.gdb_frames import not_constructed, selected_frame
from heed_debug.memory import Broken, Unreadable

# list[1].member: gdb alone would call the program for the entry.
MEMBER_OF_ENTRY = re.compile(r"^(.*\[\s*\w+\s*\])((?:\.\w+)+)$")
ELEMENTS = re.compile(r"^std::(vector|shared_ptr|unique_ptr)<")


@dataclass
class Found:
    name: str  # as typed
    type: Any
    place: int
    slices: tuple = ()


def teaching_frame():
    """The selected frame; at a named stop, the lesson's frame that called it."""
    frame = selected_frame()
    if frame is None:
        raise gdb.GdbError("The program is not running, so there is nothing to look at. `start` "
                           "runs it to its first line, `run` to the next breakpoint.")
    if (frame.name() or "").startswith("heed::stop") and frame.older() is not None:
        frame = frame.older()
        frame.select()
    return frame


def words_of(argument):
    """The argument split at blanks outside brackets and quotes."""
    words, depth, quote = [""], 0, ""
    for character in argument.strip():
        if quote:
            quote = "" if character == quote else quote
        elif character in "\"'":
            quote = character
        depth += (character in "([{") - (character in ")]}")
        if character.isspace() and depth == 0 and not quote:
            words.append("")
        else:
            words[-1] += character
    return [word for word in words if word]


def find(expression):
    teaching_frame()
    base, slice = cut_slice(expression)
    path = MEMBER_OF_ENTRY.match(expression)
    if path and not slice:
        return member_of_entry(expression, *path.groups())
    if not slice or not base:
        return located(expression, evaluate(expression))
    if base.endswith("]") or MEMBER_OF_ENTRY.match(base):
        found = find(base)
        value_type = found.type
    else:
        value = pointed_to(evaluate(base))
        value_type = value.type
        found = located(base, value)
    if is_sliceable(value_type):
        return Found(expression, found.type, found.place, (*found.slices, slice))
    if DEBUGGER.type_name(value_type).startswith("std::vector<"):
        return entry_of(expression, found, slice)
    return located(expression, evaluate(expression))


def member_of_entry(expression, base, members):
    found = find(base)
    if is_sliceable(found.type):
        return located(expression, evaluate(expression))
    value = gdb.Value(found.place).cast(found.type.pointer()).dereference()
    for member in members[1:].split("."):
        try:
            value = value[member]
        except gdb.error:
            raise gdb.GdbError(f"{short_name(value.type)} has no member {member}.") from None
    return located(expression, value)


def evaluate(expression):
    try:
        value = gdb.parse_and_eval(expression)
        value.fetch_lazy() if value.is_optimized_out else None
        return value
    except gdb.MemoryError:
        raise gdb.GdbError(f"{expression} leads to no memory: it is not constructed yet, or it is "
                           "gone.") from None
    except gdb.error as error:
        unknown = re.match(r'No symbol "(.*)" in current context', str(error))
        if unknown:
            raise gdb.GdbError(f"There is no {unknown.group(1)} here. `shapes` lists what there "
                               "is; `up` goes to the caller.") from None
        raise gdb.GdbError(f"gdb does not understand {expression}: "
                           f"{str(error).rstrip('.')}.") from None


def pointed_to(value):
    """The object behind references and raw pointers."""
    if value.type.strip_typedefs().code in REFERENCES:
        value = value.referenced_value()
    if value.type.strip_typedefs().code == gdb.TYPE_CODE_PTR:
        return value.dereference()
    return value


def is_sliceable(type):
    kind = objects.kind_of(DEBUGGER, type)
    return bool(kind) and kind[1].removeprefix("optional ") in {
        "Tensor", "Variable", "IndexTensor", "BoolTensor", "Mask"}


def located(name, value):
    value = pointed_to(value)
    type_name = DEBUGGER.type_name(value.type)
    place = DEBUGGER.place(value)
    if type_name.startswith(("std::shared_ptr<", "std::unique_ptr<")):
        entry = DEBUGGER.entry_type(value.type)
        memory = objects.memory_of(DEBUGGER, "f32")
        try:
            place = memory.unpack(place, "Q")[0]
        except Unreadable:
            place = 1
        return Found(name, entry, place)
    return Found(name, value.type, place)


def entry_of(name, held, index):
    entry = DEBUGGER.entry_type(held.type)
    memory = objects.memory_of(DEBUGGER, "f32")
    if not re.fullmatch(r"\s*\d+\s*", index):
        index = str(int(evaluate(index)))
    try:
        begin, count = memory.vector(held.place, DEBUGGER.size(entry))
    except (Broken, Unreadable):
        raise gdb.GdbError(f"{held.name} is not constructed yet.") from None
    if not 0 <= int(index) < count:
        raise gdb.GdbError(f"{held.name} has {count} entries, so there is no {name}.")
    return Found(name, entry, begin + int(index) * DEBUGGER.size(entry))


def short_name(type):
    name = re.sub(r"heed::(f32|f64)::", "", DEBUGGER.type_name(type) or str(type))
    return name.replace("(anonymous namespace)::", "")


def read(found):
    """The Array, Variable or Node, sliced if requested."""
    if not objects.kind_of(DEBUGGER, found.type):
        raise gdb.GdbError(f"{found.name} is of type {short_name(found.type)}, which is not a "
                           "tensor. `shapes` lists the tensors here.")
    if not_constructed(found.place):
        raise gdb.GdbError(unborn(found.name))
    try:
        value = objects.read(DEBUGGER, found.type, found.place)
    except (Broken, Unreadable):
        raise gdb.GdbError(unborn(found.name)) from None
    if value is None and objects.kind_of(DEBUGGER, found.type)[1].startswith("optional"):
        raise gdb.GdbError(f"{found.name} is empty: nothing was put into it.")
    return sliced(value, found)


def unborn(name):
    return (f"{name} is not constructed yet, or is gone already: there are numbers once the line "
            "that makes it has run.")


def sliced(value, found):
    array = objects.numbers_of(value)
    try:
        for slice in found.slices:
            array = array.slice(slice)
    except WrongSlice as wrong:
        raise gdb.GdbError(f"{found.name}: {wrong}.") from None
    if not found.slices or not hasattr(value, "node"):
        return array if found.slices else value
    value.value = array
    return value


def tensor_or_variable(expression):
    """(name, Array or Variable)"""
    found = find(expression)
    value = read(found)
    if value is None or not hasattr(value, "shape") and not hasattr(value, "value"):
        raise gdb.GdbError(f"{found.name} is of type {short_name(found.type)}, which is not a "
                           f"tensor. `print {found.name}` shows it.")
    if objects.kind_of(DEBUGGER, found.type)[1] == "Node":
        raise gdb.GdbError(f"{found.name} is of type Node, which is not a tensor. "
                           f"`print {found.name}` shows it.")
    return found.name, value
