"""Bytes of a program's memory, and the standard library's types in them. No function of the
program is called, and nothing is trusted: inconsistent memory is Broken, such as a variable that is
not constructed yet.

The debugger interface is small, so that gdb and lldb share all code that reads memory:
    read(address, size)   bytes, or Unreadable
    find_type(name)       the debugger's type for a name such as "heed::f32::Tensor", or Undescribed
    type_name(type)       its full name, without const, & and typedefs
    fields(type)          a Field for each base class and data member, with offsets in bytes; for
                          a class that is only declared, Undescribed
    size(type)            in bytes
    entry_type(type)      the element type of a std::vector, or None
    symbol(address)       "vtable for heed::f32::Softmax + 16", or ""
    is_class(type), is_only_declared(type), is_reference(type), is_pointer(type)
    pointee(type)         what a reference or a pointer refers to
Assumed layout of the standard library (the same with both compilers): a shared_ptr is two
pointers, a unique_ptr one, a vector three, a string a pointer and a length, and an optional a
value and a bool.
"""

import struct
from dataclasses import dataclass
from typing import Any

FIRST_COPY = 1 << 62  # places of copies that a debugger keeps; not valid in any process
SANE = 1 << 44  # above all lengths and strides, below all addresses


class Unreadable(Exception):
    """The memory or the type does not exist."""


class Undescribed(Unreadable):
    """The debug information, which says where the members of a type lie, is not there."""


class Broken(Exception):
    """The memory does not hold a valid object of its type."""


@dataclass(frozen=True)
class Field:
    name: str  # "" for a base class
    offset: int
    type: Any
    is_base: bool


class Record:
    """The bytes of one object, accessed by member name."""

    def __init__(self, memory, type_name, address):
        self.offsets, size = memory.layout(type_name)
        self.address = address
        self.bytes = memory.read(address, size)

    def at(self, field):
        return self.address + self.offsets[field]

    def get(self, field, code, after=0):
        return struct.unpack_from("<" + code, self.bytes, self.offsets[field] + after)[0]

    def flag(self, field):
        byte = self.get(field, "B")
        if byte > 1:
            raise Broken(f"{field} is neither true nor false")
        return byte == 1


class RawMemory:
    """`precision` is the inner namespace, f32 or f64."""

    def __init__(self, debugger, precision):
        self.debugger = debugger
        self.namespace = f"heed::{precision}::"
        self.number_code = "f" if precision == "f32" else "d"
        self.layouts = {}

    def read(self, address, size):
        if address <= 0 or address >= 1 << 63:
            raise Unreadable(hex(address))
        return self.debugger.read(address, size)

    def unpack(self, address, codes):
        return struct.unpack("<" + codes, self.read(address, struct.calcsize("<" + codes)))

    def layout(self, name):
        if name not in self.layouts:
            found = self.debugger.find_type(self.namespace + name)
            fields = self.debugger.fields(found)
            offsets = {field.name: field.offset for field in fields if not field.is_base}
            self.layouts[name] = (offsets, self.debugger.size(found))
        return self.layouts[name]

    def shared(self, address):
        """Where a shared_ptr points, or 0; checks that the target is still alive."""
        pointer, control = self.unpack(address, "QQ")
        if pointer == 0 and control == 0:
            return 0
        if pointer == 0 or control == 0 or pointer % 4 or control % 8:
            raise Broken("a shared pointer of which one half is missing")
        table, uses, weak_uses = self.unpack(control, "Qii")
        if not 0 < uses < 1 << 30 or not 0 < weak_uses < 1 << 30:
            raise Broken("a shared pointer that nobody holds")
        if "vtable for" not in self.debugger.symbol(table):
            raise Broken("a shared pointer to something else")
        return pointer

    def vector(self, address, entry_size):
        """The address of the first entry, and the number of entries."""
        begin, end, room = self.unpack(address, "QQQ")
        if not begin <= end <= room or (begin == 0) != (room == 0) or begin % 8:
            raise Broken("a vector whose end lies before its beginning")
        if (end - begin) % entry_size or end - begin > SANE:
            raise Broken("a vector that ends in the middle of an entry")
        if end > begin:
            self.read(begin, 1)
            self.read(end - 1, 1)
        return begin, (end - begin) // entry_size

    def string(self, address):
        start, length = self.unpack(address, "QQ")
        room = 15 if start == address + 16 else self.unpack(address + 16, "Q")[0]
        if length > room or length > 1 << 20:
            raise Broken("a string longer than its memory")
        try:
            text = self.read(start, length).decode() if length else ""
        except UnicodeDecodeError:
            raise Broken("a string of something else") from None
        if "\0" in text:  # which gdb refuses to print
            raise Broken("a string of something else")
        return text

    def long_string(self, address):
        """A text of the library's, which may have several lines."""
        return self.text_at(address, 1 << 24).decode("utf-8", "replace")

    def c_string(self, address):
        text = self.text_at(address, 4096)
        if not all(32 <= byte < 127 or byte >= 128 for byte in text):
            raise Broken("a text of something else")
        return text.decode(errors="replace")

    def text_at(self, address, most):
        text = b""
        while b"\0" not in text:
            piece = 64 - (address + len(text)) % 64  # do not touch the next page unnecessarily
            text += self.read(address + len(text), piece)
            if len(text) > most:
                raise Broken("a text without an end")
        return text.split(b"\0")[0]
