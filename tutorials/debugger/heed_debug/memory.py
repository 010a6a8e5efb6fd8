"""Reads heed's types from a program's memory, validating each member before use."""

import re
import struct
from dataclasses import dataclass
from typing import Any

from heed_debug.arrays import Array
from heed_debug.raw_memory import (FIRST_COPY, SANE, Broken, Field, RawMemory, Record,
                                   Undescribed, Unreadable)

MAX_RANK = 8
MOST_INPUTS = 100_000


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
    hidden: bool = False  # it has a node, of which nothing is known without debug information


class Memory(RawMemory):
    """Reads an object at an address as one of the classes above or as an Array. Errors: Broken and
    Unreadable."""

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
            raise Broken("no numbers")  # zeroed memory
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
            raise Broken("a storage of something else")
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
            if shape == (0,):
                return Array(self, kind, code, 0, shape)
            raise Broken("no numbers")
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
        try:
            variable = Variable(value, self.node(node) if node else None)
        except Undescribed:
            return Variable(value, None, hidden=True)
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
            where=self.where(record.at("site")),
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
        record = Record(self, "CallSite", address)
        line = record.get("line", "i")
        if not 0 <= line < 10_000_000:
            raise Broken("a line that no file has")
        return Place(self.c_string(record.get("file", "Q")), line)

    def scopes(self, address):
        frames = []
        frame = self.shared(address)
        while frame and len(frames) < 100:
            record = Record(self, "ScopeFrame", frame)
            name, where = self.string(record.at("name")), self.where(record.at("site"))
            frames.insert(0, Frame(frame, name, where))
            frame = self.shared(record.at("parent"))
        return frames

    def optional_tensor(self, address):
        engaged = self.read(address + self.layout("Tensor")[1], 1)[0]
        if engaged > 1:
            raise Broken("neither present nor absent")
        return self.tensor(address) if engaged else None

    # What an operation saves for its derivative; None if it saves nothing.

    def saved(self, address):
        variable = Record(self, "Saved", address).at("variable_")
        engaged = self.read(variable + self.layout("Variable")[1], 1)[0]
        if engaged > 1:
            raise Broken("neither present nor absent")
        return self.variable(variable) if engaged else None

    def saved_output(self, address):
        return self.tensor(Record(self, "SavedOutput", address).at("value_"))
