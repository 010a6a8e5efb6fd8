"""What objects open into (children.py), as gdb values, which open in turn."""

import gdb

from heed_debug import children
from heed_debug.children import Part
from heed_debug.gdb_methods import C_TYPES, cells

_parts = {}  # Part by (address, type) of the C++ array that stands for it


def forget():
    _parts.clear()


def part_at(value):
    """The part of a tensor that a C++ array stands for, or None."""
    if value.address is None:
        return None
    return _parts.get((int(value.address), str(value.type)))


def children_of(type, place):
    return values(children.children_of(type, place))


def entries(part):
    return values(children.entries(part.array, part.are_weights))


def values(found):
    """(name, gdb value), lazily."""
    try:
        for name, child in found:
            yield name, value_of(child) if isinstance(child, Part) else at(*child)
    except gdb.error:
        return


def at(type, place):
    return gdb.Value(place).cast(type.pointer()).dereference()


def value_of(part):
    if not part.array.shape:
        return at(gdb.lookup_type(C_TYPES[part.array.code]), part.array.address)
    value = cells(part.array)
    if value.address is not None:
        _parts[int(value.address), str(value.type)] = part
    return value
