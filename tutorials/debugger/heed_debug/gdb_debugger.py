"""gdb's implementation of the debugger interface (raw_memory.py)."""

import re
import struct

import gdb

from heed_debug.memory import FIRST_COPY, Field, Undescribed, Unreadable

REFERENCES = (gdb.TYPE_CODE_REF, gdb.TYPE_CODE_RVALUE_REF)


class Gdb:
    def __init__(self):
        self.forget()

    def forget(self):
        self.symbols = {}
        self.copies = {}

    def read(self, address, size):
        for start, copy in self.copies.items():
            if start <= address and address + size <= start + len(copy):
                return copy[address - start : address - start + size]
        try:
            return bytes(gdb.selected_inferior().read_memory(address, size))
        except (gdb.MemoryError, OverflowError) as error:
            raise Unreadable(hex(address)) from error
        except gdb.error as error:
            raise Unreadable(str(error)) from error

    def find_type(self, name):
        try:
            return gdb.lookup_type(name)
        except gdb.error as error:
            raise Undescribed(name) from error

    def type_name(self, type):
        return self.plain(type).name or ""

    def fields(self, type):
        type = self.plain(type)
        if self.is_only_declared(type):
            raise Undescribed(type.name)
        try:
            fields = type.fields()
        except TypeError as error:
            raise Unreadable(str(error)) from error
        return [
            Field("" if field.is_base_class else field.name or "", field.bitpos // 8, field.type,
                  field.is_base_class)
            for field in fields
            if hasattr(field, "bitpos") and not (field.name or "").startswith("_vptr")
        ]

    def size(self, type):
        return self.plain(type).sizeof

    def entry_type(self, type):
        try:
            return self.plain(type).template_argument(0)
        except (RuntimeError, gdb.error):
            return None

    def symbol(self, address):
        if address not in self.symbols:
            said = gdb.execute(f"info symbol {address:#x}", to_string=True)
            self.symbols[address] = re.sub(r" in section .*", "", said.split("\n")[0])
        return self.symbols[address]

    @staticmethod
    def plain(type):
        type = type.strip_typedefs()
        if type.code in REFERENCES:
            type = type.target().strip_typedefs()
        return type.unqualified()

    def is_only_declared(self, type):
        type = self.plain(type)
        return type.code == gdb.TYPE_CODE_STRUCT and type.sizeof == 0

    def is_class(self, type):
        return self.plain(type).code == gdb.TYPE_CODE_STRUCT

    @staticmethod
    def is_reference(type):
        return type.strip_typedefs().code in REFERENCES

    @staticmethod
    def is_pointer(type):
        return type.strip_typedefs().code == gdb.TYPE_CODE_PTR

    @staticmethod
    def pointee(type):
        return type.strip_typedefs().target()

    def place(self, value):
        """The address of a value, or of a copy if it lives only in gdb."""
        if value.type.strip_typedefs().code in REFERENCES:
            value = value.referenced_value()
        if value.address is not None:
            return int(value.address)
        copy = bytearray(value.type.sizeof)
        write_bytes(value, copy, 0)
        place = FIRST_COPY + 4096 * len(self.copies)
        self.copies[place] = bytes(copy)
        return place


def write_bytes(value, into, offset):
    type = value.type.strip_typedefs()
    if type.code == gdb.TYPE_CODE_STRUCT:
        for field in type.fields():
            if hasattr(field, "bitpos"):
                write_bytes(value[field], into, offset + field.bitpos // 8)
    elif type.code == gdb.TYPE_CODE_ARRAY:
        first, last = type.range()
        for i in range(first, last + 1):
            write_bytes(value[i], into, offset + (i - first) * type.target().sizeof)
    elif type.code == gdb.TYPE_CODE_FLT:
        struct.pack_into("<f" if type.sizeof == 4 else "<d", into, offset, float(value))
    elif type.code != gdb.TYPE_CODE_UNION and type.sizeof <= 8:
        number = int(value) % (1 << 8 * type.sizeof)
        into[offset : offset + type.sizeof] = number.to_bytes(type.sizeof, "little")


DEBUGGER = Gdb()
gdb.events.stop.connect(lambda event: DEBUGGER.copies.clear())
