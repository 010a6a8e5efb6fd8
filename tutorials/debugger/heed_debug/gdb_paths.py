"""Finds the object that an expression names, by reading memory: model.blocks[0].norm1.weight,
through vectors, pointers, optionals and what holds any layer, where gdb alone would call the
program, or see no further. What is no such path, gdb evaluates."""

import re
from dataclasses import dataclass
from typing import Any

import gdb

from heed_debug import objects
from heed_debug.arrays import WrongSlice
from heed_debug.asking import cut_slice
from heed_debug.gdb_debugger import DEBUGGER, FIRST_COPY, REFERENCES
from heed_debug.gdb_frames import selected_frame
from heed_debug.gdb_surroundings import names_are_known, nothing_known
from heed_debug.layers import held_layer, own_type
from heed_debug.memory import Broken, Unreadable

MEMBER = re.compile(r"(.*[\w\])])\s*(?:\.|->)\s*(\w+)", re.S)


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


def find(expression):
    teaching_frame()
    expression = as_subscripts(expression.strip())
    base, slice = cut_slice(expression)
    if slice and base:
        return subscripted(expression, base, slice)
    path = MEMBER.fullmatch(expression)
    if path and is_path(path.group(1)):
        return member_of(expression, *path.groups())
    return located(expression, evaluate(expression))


def find_outward(expression):
    """Here, or in the next caller that knows the expression: inside a layer, the lesson's
    `model`."""
    here = teaching_frame()
    frame, problem = here, None
    try:
        while frame is not None:
            frame.select()
            try:
                return find(expression)
            except gdb.GdbError as error:
                problem = problem or error
            frame = frame.older()
    finally:
        here.select()
    raise problem


def is_path(expression):
    """A name, with members and subscripts behind it?"""
    return re.fullmatch(r"\w+(\s*(\.|->)\s*\w+|\[[^\[\]]*\])*", expression) is not None


def subscripted(expression, base, slice):
    found = find(base)
    if is_sliceable(found.type):
        return Found(expression, found.type, found.place, (*found.slices, in_numbers(slice)))
    name = DEBUGGER.type_name(found.type)
    if name.endswith("::RecordAttention"):
        found = member_of(base, base, "records_")
        name = DEBUGGER.type_name(found.type)
    if name.startswith("std::vector<"):
        return entry_of(expression, found, slice)
    return located(expression, evaluate(expression))


def member_of(expression, base, name):
    found = find(base)
    if found.slices or found.place >= FIRST_COPY:
        return located(expression, evaluate(expression))
    type, place = found.type, found.place
    try:
        held = inside(type, place)
        if is_empty(held[0]):
            raise gdb.GdbError(f"{base} is empty: nothing was put into it.")
        value = at(*held)[name]
    except (Broken, Unreadable):
        raise gdb.GdbError(f"{base} is not constructed yet, or is gone already.") from None
    except (gdb.error, TypeError):
        return by_gdb(expression, found, f"{short_name(held[0])} has no member {name}.")
    return located(expression, value)


def by_gdb(expression, found, problem):
    """For a member of the standard library's own, as in node_._M_ptr."""
    try:
        return located(expression, gdb.parse_and_eval(expression))
    except gdb.error:
        check_described(found)
        raise gdb.GdbError(problem) from None


def inside(type, place):
    """(type, place) of the layer or other object that an Any or an optional holds, or itself if it
    is empty; of a layer its own class."""
    kind = objects.kind_of(DEBUGGER, type)
    if not kind:
        return type, place
    memory = objects.memory_of(DEBUGGER, kind[0])
    if kind[1] == "AnyLayer":
        return held_layer(DEBUGGER, memory, place) or (type, place)
    if kind[1].startswith("optional "):
        entry = DEBUGGER.entry_type(type)
        is_there = objects.is_engaged(DEBUGGER, entry, memory, place)
        return inside(entry, place) if is_there else (type, place)
    if kind[1] == "Module":
        return own_type(DEBUGGER, memory, DEBUGGER.plain(type), place), place
    return type, place


def is_empty(type):
    """Is this, of what inside() found, an Any or an optional that holds nothing?"""
    kind = objects.kind_of(DEBUGGER, type)
    return bool(kind) and kind[1].startswith(("AnyLayer", "optional "))


def at(type, place):
    return gdb.Value(place).cast(type.pointer()).dereference()


CALL_OF_ENTRY = re.compile(r"([\w.\->\[\]]*[\w\]])\(([^()]+)\)")


def as_subscripts(expression):
    """weights[0,1] for weights(0,1), as C++ writes it; a call of something else stays as it is."""
    call = CALL_OF_ENTRY.fullmatch(expression.strip())
    if not call:
        return expression
    try:
        sliceable = is_sliceable(find(call.group(1)).type)
    except gdb.GdbError:
        return expression
    return f"{call.group(1)}[{call.group(2)}]" if sliceable else expression


def in_numbers(slice):
    """A slice whose indices are numbers, where the program's variables may stand for some."""
    return ",".join(":".join(whole_number(end) if end.strip() else "" for end in ends_of(part))
                    for part in slice.split(","))


def ends_of(part):
    return re.split(r"(?<!:):(?!:)", part)


def whole_number(index):
    """The value of an index, which may be an expression of the program, as text."""
    if re.fullmatch(r"\s*-?\d+\s*", index):
        return index.strip()
    try:
        value = gdb.parse_and_eval(index)
        type = DEBUGGER.plain(value.type)
        if type.code in (gdb.TYPE_CODE_INT, gdb.TYPE_CODE_ENUM, gdb.TYPE_CODE_CHAR):
            return str(int(value))
    except gdb.error:
        pass
    raise WrongSlice(f"{index.strip()} is not an index; an index is a number, or a range such as "
                     "1:3 or :")


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
        frame = selected_frame()
        if frame is not None and not names_are_known(frame):
            raise gdb.GdbError(nothing_known(frame)) from None
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
    index = whole_number(index)
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


def check_described(found):
    if DEBUGGER.is_only_declared(DEBUGGER.plain(found.type)):
        raise gdb.GdbError(f"{found.name} is of type {short_name(found.type)}, whose members are "
                           "not known: heed was built without debug information.")
