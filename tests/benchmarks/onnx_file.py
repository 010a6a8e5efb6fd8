"""Writes an ONNX file: a message of Protocol Buffers (onnx.proto3 of ONNX's repository), of which
a graph needs so little that no library is needed to write it."""

import struct

import numpy as np

FLOAT, INT64 = 1, 7  # TensorProto.DataType
ELEMENT_TYPES = {np.dtype("f4"): FLOAT, np.dtype("i8"): INT64}
OPSETS = {"": 17, "com.microsoft": 1}


def varint(number):
    number &= (1 << 64) - 1
    encoded = bytearray()
    while number >= 128:
        encoded.append(number & 127 | 128)
        number >>= 7
    encoded.append(number)
    return bytes(encoded)


def field(number, value):
    """An integer, a float, or the bytes of a string or a message."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    if isinstance(value, float):
        return varint(number << 3 | 5) + struct.pack("<f", value)
    content = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(content)) + content


def fields(number, values):
    return b"".join(field(number, value) for value in values)


def attribute(name, value):
    if isinstance(value, float):
        return field(1, name) + field(2, value) + field(20, 1)
    if isinstance(value, int):
        return field(1, name) + field(3, value) + field(20, 2)
    return field(1, name) + fields(8, value) + field(20, 7)  # integers


def typed_value(name, element_type, shape):
    dimensions = fields(1, [field(1, size) for size in shape])
    tensor = field(1, element_type) + field(2, dimensions)
    return field(1, name) + field(2, field(1, tensor))


class Graph:
    """Each function that adds something returns the name of the value it gives."""

    def __init__(self):
        self.nodes, self.tensors, self.inputs, self.outputs = [], [], [], []

    def constant(self, numbers):
        numbers = np.asarray(numbers)
        name = "constant_%d" % len(self.tensors)
        tensor = fields(1, numbers.shape) + field(2, ELEMENT_TYPES[numbers.dtype])
        self.tensors.append(tensor + field(8, name) + field(9, numbers.tobytes()))
        return name

    def node(self, operator, *inputs, domain="", outputs=1, **attributes):
        names = ["value_%d_%d" % (len(self.nodes), i) for i in range(outputs)]
        described = [attribute(name, value) for name, value in attributes.items()]
        self.nodes.append(fields(1, inputs) + fields(2, names) + field(4, operator)
                          + fields(5, described) + field(7, domain))
        return names[0] if outputs == 1 else names

    def input(self, name, element_type, shape):
        self.inputs.append(typed_value(name, element_type, shape))
        return name

    def output(self, name, element_type, shape):
        self.outputs.append(typed_value(name, element_type, shape))

    def write(self, file):
        graph = (fields(1, self.nodes) + field(2, "graph") + fields(5, self.tensors)
                 + fields(11, self.inputs) + fields(12, self.outputs))
        opsets = [field(1, domain) + field(2, version) for domain, version in OPSETS.items()]
        with open(file, "wb") as out:
            out.write(field(1, 8) + field(7, graph) + fields(8, opsets))
