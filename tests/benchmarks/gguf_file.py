"""Writes a GGUF file (ggml's docs/gguf.md): a head of typed values, then 32-bit floats."""

import struct

ALIGNMENT = 32
U32, F32, BOOL, STRING, ARRAY = 4, 6, 7, 8, 9
I32 = 5


def string(text):
    content = text.encode()
    return struct.pack("<Q", len(content)) + content


def scalar(kind, value):
    if kind == STRING:
        return string(value)
    return struct.pack({U32: "<I", I32: "<i", F32: "<f", BOOL: "<?"}[kind], value)


def array(kind, values):
    return struct.pack("<IQ", kind, len(values)) + b"".join(scalar(kind, v) for v in values)


def padded(content):
    return content + b"\0" * (-len(content) % ALIGNMENT)


def write(file, values, tensors):
    """values: (name, kind, value), where an ARRAY's value is (kind, values); tensors: (name, numpy
    array)."""
    head = b"GGUF" + struct.pack("<IQQ", 3, len(tensors), len(values))
    for name, kind, value in values:
        content = array(*value) if kind == ARRAY else scalar(kind, value)
        head += string(name) + struct.pack("<I", kind) + content
    place = 0
    for name, numbers in tensors:
        sizes = struct.pack("<%dQ" % numbers.ndim, *reversed(numbers.shape))
        head += string(name) + struct.pack("<I", numbers.ndim) + sizes
        head += struct.pack("<IQ", 0, place)  # of 32-bit floats, which begin there
        place += numbers.nbytes + -numbers.nbytes % ALIGNMENT
    with open(file, "wb") as out:
        out.write(padded(head))
        for _, numbers in tensors:
            out.write(padded(numbers.tobytes()))
