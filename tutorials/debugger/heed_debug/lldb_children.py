"""What objects open into (children.py), as lldb's synthetic children."""

import itertools
import struct

import lldb

from heed_debug import children, objects
from heed_debug.children import Part
from heed_debug.lldb_debugger import DEBUGGER, is_unborn, object_of

MOST = 1000
BASIC_TYPES = {"f": lldb.eBasicTypeFloat, "d": lldb.eBasicTypeDouble, "q": lldb.eBasicTypeLong,
               "B": lldb.eBasicTypeBool}

_parts = {}  # Part by (address, type) of the C++ array that stands for it


class Children:
    """Of an object of heed's, or of an array that stands for a part of a tensor; what is neither
    has the children that lldb gives it."""

    def __init__(self, value, session):
        self.value = value.GetNonSyntheticValue()
        self.update()

    def update(self):
        self.found = None
        return False

    def all(self):
        if self.found is None:
            self.found = list(itertools.islice(self.named(), MOST))
        return self.found

    def named(self):
        if DEBUGGER.look_at(self.value.GetTarget()):
            objects.forget()
        value = self.value
        if is_unborn(value):
            return iter(())
        if value.GetType().GetCanonicalType().IsPointerType():
            value = value.Dereference()
        value = object_of(value)
        part = _parts.get((value.GetLoadAddress(), value.GetType().GetName()))
        if part:
            return children.entries(part.array, part.are_weights)
        if objects.kind_of(DEBUGGER, value.GetType()):
            return children.children_of(value.GetType(), DEBUGGER.place(value))
        return ((each.GetName(), each) for each in value)

    def num_children(self):
        return len(self.all())

    def has_children(self):
        return True

    def get_child_index(self, name):
        return next((i for i, (each, _) in enumerate(self.all()) if each == name), -1)

    def get_child_at_index(self, index):
        if not 0 <= index < len(self.all()):
            return None
        name, child = self.all()[index]
        if isinstance(child, lldb.SBValue):
            return child
        if isinstance(child, Part):
            return self.of_part(name, child)
        type, place = child
        return self.value.CreateValueFromAddress(name, place, DEBUGGER.plain(type))

    def of_part(self, name, part):
        """The entries in memory, or a copy if they do not lie side by side."""
        array = part.array
        type = self.value.GetTarget().GetBasicType(BASIC_TYPES[array.code])
        for length in reversed(array.shape):
            type = type.GetArrayType(length)
        if array.is_contiguous():
            _parts[array.address, type.GetName()] = part
            return self.value.CreateValueFromAddress(name, array.address, type)
        copied = struct.pack(f"{array.count}{array.code}", *array.values())
        data = lldb.SBData()
        data.SetData(lldb.SBError(), copied, lldb.eByteOrderLittle, 8)
        return self.value.CreateValueFromData(name, data, type)


ARRAYS = r"^(float|double|long|bool) ?(\[[0-9]+\])+$"


def add_children(debugger, patterns):
    for pattern in [*patterns, ARRAYS]:
        debugger.HandleCommand(
            f'type synthetic add -w heed -x "{pattern}" -l {__name__}.Children')
