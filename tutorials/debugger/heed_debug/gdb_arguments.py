"""Parsing of command arguments: a C++ expression, perhaps followed by a slice, as in
`weights[0,2]` or `layer.W_Q[:,1]`. Errors have readable messages."""

import gdb

from heed_debug import objects
from heed_debug.arrays import WrongSlice
from heed_debug.gdb_debugger import DEBUGGER
from heed_debug.gdb_frames import not_constructed
from heed_debug.gdb_paths import (Found, as_subscripts, at, check_described, evaluate, find,
                                  is_sliceable, pointed_to, short_name, teaching_frame)
from heed_debug.memory import Broken, Undescribed, Unreadable


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


def read(found):
    """The Array, Variable or Node, sliced if requested."""
    if not objects.kind_of(DEBUGGER, found.type):
        check_described(found)
        raise gdb.GdbError(f"{found.name} is of type {short_name(found.type)}, which is not a "
                           "tensor. `shapes` lists the tensors here.")
    if not_constructed(found.place):
        raise gdb.GdbError(unborn(found.name))
    try:
        value = objects.read(DEBUGGER, found.type, found.place)
    except Undescribed:
        raise
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
