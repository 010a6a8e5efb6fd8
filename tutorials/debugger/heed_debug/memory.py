"""Reads heed's types out of a program's memory. Nothing is called in the program, and nothing is
believed: what does not hold together is Broken, as a variable is that is not constructed yet.

The debugger is asked for few things, so that gdb and lldb share everything here:
    read(address, size)   bytes, or Unreadable
    find_type(name)       the type "heed::f32::Tensor" as the debugger has it, or Unreadable
    type_name(type)       its full name, without const, & and typedefs
    fields(type)          a Field for each base class and data member, with offsets in bytes
    size(type)            in bytes
    entry_type(type)      of a std::vector: what is in it, or None
    symbol(address)       "vtable for heed::f32::Softmax + 16", or ""
Of the standard library, as both compilers use it here, this much is known: a shared_ptr is two
pointers, a unique_ptr one, a vector three, a string a pointer and a length, and an optional a
value and a bool.
"""

import re
import struct
from dataclasses import dataclass
from typing import Any

from heed_debug.arrays import Array

MAX_RANK = 8
MOST_INPUTS = 100_000
SANE = 1 << 44  # lengths and strides are below it, addresses above


class Unreadable(Exception):
    """There is no such memory, or no such type."""


class Broken(Exception):
    """This memory does not hold what its type says."""


class MovedFrom(Broken):
    """A tensor whose numbers were moved into another one."""


@dataclass(frozen=True)
class Field:
    name: str  # "" for a base class
    offset: int
    type: Any
    is_base: bool


@dataclass
class Place:
    file: str
    line: int

    def text(self):
        return f"{self.file.rsplit('/', 1)[-1]}:{self.line}"


@dataclass
class Frame:  # a layer in which operations were recorded
    address: int
    name: str
    where: Place


@dataclass
class Node:
    address: int
    operation: int  # its address, 0 for a leaf and in a freed graph
    operation_name: str
    inputs: list  # of (address of the node or 0, shape)
    shape: tuple
    where: Place
    scopes: list  # of Frame, outermost first
    is_leaf: bool
    requires_grad: bool
    retains_grad: bool
    grad: Any  # an Array, or None
    name: str

    @property
    def is_freed(self):
        return not self.is_leaf and not self.operation


@dataclass
class Variable:
    value: Array
    node: Any  # None for a constant


class Record:
    """The bytes of one object, by the names of its members."""

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


class Memory:
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

    # The standard library's types.

    def shared(self, address):
        """Where a shared_ptr points, or 0; what it points to is still alive."""
        pointer, control = self.unpack(address, "QQ")
        if pointer == 0 and control == 0:
            return 0
        if pointer == 0 or control == 0 or pointer % 4 or control % 8:
            raise Broken("a shared pointer of which one half is missing")
        table, uses, weak_uses = self.unpack(control, "Qii")
        if not 0 < uses < 1 << 30 or not 0 < weak_uses < 1 << 30:
            raise Broken("a shared pointer that nobody holds")
        if "vtable for" not in self.debugger.symbol(table):
            raise Broken("a shared pointer into other things")
        return pointer

    def vector(self, address, entry_size):
        """Where its entries begin, and how many there are."""
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
            return self.read(start, length).decode() if length else ""
        except UnicodeDecodeError:
            raise Broken("a string of other things") from None

    def c_string(self, address):
        text = b""
        while b"\0" not in text:
            piece = 64 - (address + len(text)) % 64  # never into the next page for nothing
            text += self.read(address + len(text), piece)
            if len(text) > 4096:
                raise Broken("a text without an end")
        text = text.split(b"\0")[0]
        if not all(32 <= byte < 127 or byte >= 128 for byte in text):
            raise Broken("a text of other things")
        return text.decode(errors="replace")

    # Shapes and numbers.

    def numbers(self, address, type_name, list_name, count_name):
        record = Record(self, type_name, address)
        count = record.get(count_name, "i")
        if not 0 <= count <= MAX_RANK:
            raise Broken("a rank beyond 8")
        all_numbers = [record.get(list_name, "q", 8 * i) for i in range(MAX_RANK)]
        if any(abs(number) >= SANE for number in all_numbers) or any(all_numbers[count:]):
            raise Broken("an absurd length")
        return tuple(all_numbers[:count])

    def shape(self, address):
        dims = self.numbers(address, "Shape", "dims_", "rank_")
        entries = 1
        for length in dims:
            entries *= length
            if length < 0 or entries >= SANE:
                raise Broken("an absurd length")
        return dims

    def dims(self, address):
        return self.numbers(address, "Dims", "numbers_", "size_")

    def tensor(self, address):
        record = Record(self, "Tensor", address)
        offset = record.get("offset_", "q")
        shape = self.shape(record.at("shape_"))
        strides = self.dims(record.at("strides_"))
        storage = self.shared(record.at("storage_"))
        if len(strides) != len(shape) or any(stride < 0 for stride in strides):
            raise Broken("not one stride for each axis")
        if not 0 <= offset < SANE:
            raise Broken("an absurd offset")
        if storage == 0:
            if shape == (0,):
                return Array(self, "Tensor", self.number_code, 0, shape, strides)
            if shape:
                raise MovedFrom("its numbers are in another tensor now")
            raise Broken("no numbers")  # moved from, or memory of zeros
        start, size = self.storage(storage)
        width = struct.calcsize(self.number_code)
        array = Array(self, "Tensor", self.number_code, start + offset * width, shape, strides)
        if offset + array.span() > size:
            raise Broken("entries outside the storage")
        return array

    def storage(self, address):
        record = Record(self, "Storage", address)
        start, size = record.get("data_", "Q"), record.get("size_", "q")
        width = struct.calcsize(self.number_code)
        if not 0 <= size < SANE or record.get("version_", "Q") >= SANE or start % width:
            raise Broken("a storage of other things")
        record.flag("owns_block_")
        if size > 0:
            self.read(start, width)
            self.read(start + (size - 1) * width, width)
        return start, size

    def list_tensor(self, address, kind, list_name, code):
        """An IndexTensor or a BoolTensor: a shared vector, row-major."""
        record = Record(self, kind, address)
        shape = self.shape(record.at("shape_"))
        held = self.shared(record.at(list_name))
        if held == 0:
            raise MovedFrom("its numbers are in another tensor now") if shape else Broken("none")
        begin, count = self.vector(held, struct.calcsize(code))
        array = Array(self, kind, code, begin, shape)
        if array.count != count:
            raise Broken("another count of numbers than its shape says")
        return array

    def index_tensor(self, address):
        return self.list_tensor(address, "IndexTensor", "numbers_", "q")

    def bool_tensor(self, address):
        return self.list_tensor(address, "BoolTensor", "values_", "B")

    def mask(self, address):
        array = self.bool_tensor(Record(self, "Mask", address).at("allowed_"))
        if len(array.shape) < 2:
            raise Broken("a mask without queries and keys")
        return array.called("Mask")

    # The graph.

    def variable(self, address):
        record = Record(self, "Variable", address)
        value = self.tensor(record.at("value_"))
        node = self.shared(record.at("node_"))
        variable = Variable(value, self.node(node) if node else None)
        if variable.node and variable.node.shape != value.shape:
            raise Broken("a value of another shape than its node says")
        return variable

    def node(self, address):
        record = Record(self, "Node", address)
        return Node(
            address=address,
            operation=self.operation(record.get("operation", "Q")),
            operation_name=self.c_string(record.get("operation_name", "Q")),
            inputs=self.edges(record.at("inputs")),
            shape=self.shape(record.at("shape")),
            where=self.where(record.at("where")),
            scopes=self.scopes(record.at("scope")),
            is_leaf=record.flag("is_leaf"),
            requires_grad=record.flag("requires_grad"),
            retains_grad=record.flag("retains_grad"),
            grad=self.optional_tensor(record.at("grad")),
            name=self.string(record.at("name")),
        )

    def operation(self, address):
        if address and not self.class_of(address):
            raise Broken("an operation of no class")
        return address

    def class_of(self, address):
        """The full name of the class of an object with virtual functions, or ""."""
        symbol = self.debugger.symbol(self.unpack(address, "Q")[0])
        found = re.match(r"vtable for (.*?)(?: \+ 16)?$", symbol)
        return found.group(1) if found else ""

    def edges(self, address):
        size = self.layout("Edge")[1]
        begin, count = self.vector(address, size)
        if count > MOST_INPUTS:
            raise Broken("more inputs than any operation has")
        records = [Record(self, "Edge", begin + i * size) for i in range(count)]
        return [(self.shared(edge.at("node")), self.shape(edge.at("shape"))) for edge in records]

    def where(self, address):
        record = Record(self, "Where", address)
        line = record.get("line", "i")
        if not 0 <= line < 10_000_000:
            raise Broken("a line that no file has")
        return Place(self.c_string(record.get("file", "Q")), line)

    def scopes(self, address):
        frames = []
        frame = self.shared(address)
        while frame and len(frames) < 100:
            record = Record(self, "ScopeFrame", frame)
            name, where = self.string(record.at("name")), self.where(record.at("where"))
            frames.insert(0, Frame(frame, name, where))
            frame = self.shared(record.at("parent"))
        return frames

    def optional_tensor(self, address):
        engaged = self.read(address + self.layout("Tensor")[1], 1)[0]
        if engaged > 1:
            raise Broken("neither there nor not")
        return self.tensor(address) if engaged else None

    # What an operation keeps for its derivative; None where it keeps nothing.

    def saved(self, address):
        record = Record(self, "Saved", address)
        if not record.flag("kept_"):
            return None
        return self.variable(record.at("variable_"))

    def saved_output(self, address):
        return self.tensor(Record(self, "SavedOutput", address).at("value_"))
