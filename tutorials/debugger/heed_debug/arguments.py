"""Parsing of command arguments: a C++ expression, perhaps followed by a slice, as in
`weights[0,2]` or `layer.W_Q[:,1]`. Errors have readable messages."""

from heed_debug import objects
from heed_debug.arrays import WrongSlice
from heed_debug.asking import Refused
from heed_debug.host import DEBUGGER, here
from heed_debug.memory import Broken, Undescribed, Unreadable
from heed_debug.paths import check_described, find, short_name


def read(found):
    """The Array, Variable or Node, sliced if requested."""
    if not objects.kind_of(DEBUGGER, found.type):
        check_described(found)
        raise Refused(f"{found.name} is of type {short_name(found.type)}, which is not a "
                      "tensor. `shapes` lists the tensors here.")
    if here.not_constructed(found.place):
        raise Refused(unborn(found.name))
    try:
        value = objects.read(DEBUGGER, found.type, found.place)
    except Undescribed:
        raise
    except (Broken, Unreadable):
        raise Refused(unborn(found.name)) from None
    if value is None and objects.kind_of(DEBUGGER, found.type)[1].startswith("optional"):
        raise Refused(f"{found.name} is empty: nothing was put into it.")
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
        raise Refused(f"{found.name}: {wrong}.") from None
    if not found.slices or not hasattr(value, "node"):
        return array if found.slices else value
    value.value = array
    return value


def tensor_or_variable(expression):
    """(name, Array or Variable)"""
    found = find(expression)
    value = read(found)
    if value is None or not hasattr(value, "shape") and not hasattr(value, "value"):
        raise Refused(f"{found.name} is of type {short_name(found.type)}, which is not a "
                      f"tensor. `{here.SHOWS} {found.name}` shows it.")
    if objects.kind_of(DEBUGGER, found.type)[1] == "Node":
        raise Refused(f"{found.name} is of type Node, which is not a tensor. "
                      f"`{here.SHOWS} {found.name}` shows it.")
    return found.name, value
