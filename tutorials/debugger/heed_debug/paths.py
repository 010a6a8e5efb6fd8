"""Finds the object that an expression names, by reading memory: model.blocks[0].norm1.weight,
through vectors, pointers, optionals and what holds any layer, where a debugger alone would call the
program, or see no further. What is no such path, the debugger evaluates."""

import re
from dataclasses import dataclass
from typing import Any

from heed_debug import objects
from heed_debug.arrays import WrongSlice
from heed_debug.asking import Refused, cut_slice
from heed_debug.host import DEBUGGER, here
from heed_debug.layers import held_layer, own_type
from heed_debug.memory import Broken, Undescribed, Unreadable

MEMBER = re.compile(r"(.*[\w\])])\s*(?:\.|->)\s*(\w+)", re.S)


@dataclass
class Found:
    name: str  # as typed
    type: Any
    place: int
    slices: tuple = ()


def teaching_frame():
    """The selected frame; at a named stop, the lesson's frame that called it."""
    frame = next(here.frames(), None)
    if frame is None:
        raise Refused(here.NOT_RUNNING)
    if here.function(frame).startswith("heed::stop"):
        frame = here.caller(frame) or frame
        here.select(frame)
    return frame


def place():
    """Where the lesson stands: file and line."""
    return here.place(teaching_frame())


def find(expression):
    teaching_frame()
    expression = as_subscripts(expression.strip())
    base, slice = cut_slice(expression)
    if slice and base:
        return subscripted(expression, base, slice)
    path = MEMBER.fullmatch(expression)
    if path and is_path(path.group(1)):
        return member_of(expression, *path.groups())
    return evaluated(expression)


def find_outward(expression):
    """Here, or in the next caller that knows the expression: inside a layer, the lesson's
    `model`."""
    start, problem = teaching_frame(), None
    try:
        for frame in here.frames():
            here.select(frame)
            try:
                return find(expression)
            except Refused as error:
                problem = problem or error
    finally:
        here.select(start)
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
    return evaluated(expression)


def member_of(expression, base, name):
    found = find(base)
    if found.slices:
        return evaluated(expression)
    try:
        held = inside(found.type, found.place)
        if is_empty(held[0]):
            raise Refused(f"{base} is empty: nothing was put into it.")
        member = member_at(*held, name)
    except Undescribed:
        member = None
    except (Broken, Unreadable):
        raise Refused(f"{base} is not constructed yet, or is gone already.") from None
    if member is None:
        return by_the_debugger(expression, found, f"{short_name(held[0])} has no member {name}.")
    return located(expression, *member)


def member_at(type, place, name):
    """(type, place) of a data member, perhaps of a base class; None if there is none."""
    bases = []
    for field in DEBUGGER.fields(type) if DEBUGGER.is_class(type) else ():
        if field.is_base:
            bases.append(field)
        elif field.name == name:
            return field.type, place + field.offset
    found = (member_at(base.type, place + base.offset, name) for base in bases)
    return next(filter(None, found), None)


def by_the_debugger(expression, found, problem):
    """For a member of the standard library's own, as in node_._M_ptr."""
    try:
        return evaluated(expression)
    except Refused:
        check_described(found)
        raise Refused(problem) from None


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


CALL_OF_ENTRY = re.compile(r"([\w.\->\[\]]*[\w\]])\(([^()]+)\)")


def as_subscripts(expression):
    """weights[0,1] for weights(0,1), as C++ writes it; a call of something else stays as it is."""
    call = CALL_OF_ENTRY.fullmatch(expression.strip())
    if not call:
        return expression
    try:
        sliceable = is_sliceable(find(call.group(1)).type)
    except Refused:
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
    number = here.whole_number(index)
    if number is not None:
        return str(number)
    raise WrongSlice(f"{index.strip()} is not an index; an index is a number, or a range such as "
                     "1:3 or :")


def evaluated(expression):
    """What the debugger itself says of an expression."""
    return located(expression, *here.evaluate(expression))


def pointed_to(type, place):
    """(type, place) of the object behind a reference and a raw pointer."""
    for is_one in (DEBUGGER.is_reference, DEBUGGER.is_pointer):
        if is_one(type):
            type, place = DEBUGGER.pointee(type), raw_pointer(place)
    return type, place


def raw_pointer(place):
    """Where a pointer points; to nowhere, if it cannot be read."""
    try:
        return objects.memory_of(DEBUGGER, "f32").unpack(place, "Q")[0]
    except Unreadable:
        return 1


def is_sliceable(type):
    kind = objects.kind_of(DEBUGGER, type)
    return bool(kind) and kind[1].removeprefix("optional ") in {
        "Tensor", "Variable", "IndexTensor", "BoolTensor", "Mask"}


def located(name, type, place):
    type, place = pointed_to(type, place)
    if DEBUGGER.type_name(type).startswith(("std::shared_ptr<", "std::unique_ptr<")):
        return Found(name, DEBUGGER.entry_type(type), raw_pointer(place))
    return Found(name, type, place)


def entry_of(name, held, index):
    entry = DEBUGGER.entry_type(held.type)
    memory = objects.memory_of(DEBUGGER, "f32")
    index = whole_number(index)
    try:
        begin, count = memory.vector(held.place, DEBUGGER.size(entry))
    except (Broken, Unreadable):
        raise Refused(f"{held.name} is not constructed yet.") from None
    if not 0 <= int(index) < count:
        raise Refused(f"{held.name} has {count} entries, so there is no {name}.")
    return Found(name, entry, begin + int(index) * DEBUGGER.size(entry))


def short_name(type):
    name = re.sub(r"heed::(f32|f64)::", "", here.written(type))
    return name.replace("(anonymous namespace)::", "")


def check_described(found):
    if DEBUGGER.is_only_declared(found.type):
        raise Refused(f"{found.name} is of type {short_name(found.type)}, whose members are "
                      "not known: heed was built without debug information.")
