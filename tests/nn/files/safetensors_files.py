"""A reader and a writer of safetensors of their own, from the format's description and Python's
standard library, to compare with heed's. What PyTorch rounds is compared too, if it is there.

    python3 safetensors_files.py write FOLDER     files of all types and shapes for heed to read;
                                                  FOLDER/list says what is in them
    python3 safetensors_files.py check FOLDER     reads what heed wrote from FOLDER/numbers, as
                                                  FOLDER/heed_F16.safetensors and so on
"""
import fractions
import json
import math
import os
import random
import struct
import sys

CODES = {"F64": "d", "F32": "f", "F16": "e", "I64": "q", "I32": "i", "I16": "h", "I8": "b",
         "U64": "Q", "U32": "I", "U16": "H", "U8": "B", "BOOL": "?"}
SHAPES = [(), (1,), (7,), (2, 3), (0,), (3, 0, 2), (4, 1, 3), (1, 2, 1, 2, 1, 2, 1, 2)]


def decoded(dtype, data):
    if dtype == "BF16":  # the upper half of a float
        words = struct.unpack(f"<{len(data) // 2}H", data)
        return list(struct.unpack(f"<{len(words)}f", struct.pack(f"<{len(words)}I",
                                                                 *(word << 16 for word in words))))
    code = CODES[dtype]
    return list(struct.unpack(f"<{len(data) // struct.calcsize(code)}{code}", data))


def read(path):
    """The tensors of a file, each as its type, shape and numbers; every rule is checked."""
    with open(path, "rb") as file:
        length, = struct.unpack("<Q", file.read(8))
        header_text = file.read(length)
        data = file.read()
    assert length <= 100_000_000 and header_text[:1] == b"{" and len(header_text) == length
    assert (8 + length) % 8 == 0, "the numbers are not aligned"

    def once(pairs):
        assert len({name for name, _ in pairs}) == len(pairs), "a name is there twice"
        return dict(pairs)

    header = json.loads(header_text.decode("utf-8"), object_pairs_hook=once)
    metadata = header.pop("__metadata__", {})
    assert all(isinstance(value, str) for value in metadata.values())
    tensors, end = {}, 0
    for name, entry in sorted(header.items(), key=lambda one: one[1]["data_offsets"]):
        begin, its_end = entry["data_offsets"]
        assert set(entry) == {"dtype", "shape", "data_offsets"} and begin == end <= its_end
        end = its_end
        numbers = decoded(entry["dtype"], data[begin:end])
        assert len(numbers) == math.prod(entry["shape"])
        tensors[name] = entry["dtype"], tuple(entry["shape"]), numbers
    assert end == len(data), "the tensors do not cover the file"
    return tensors, metadata


def written(tensors, pad, metadata=None):
    """The bytes of a file; each tensor is a name, a type, a shape and its bytes."""
    header, data = {}, b""
    if metadata is not None:
        header["__metadata__"] = metadata
    for name, dtype, shape, its_bytes in tensors:
        header[name] = {"dtype": dtype, "shape": list(shape),
                        "data_offsets": [len(data), len(data) + len(its_bytes)]}
        data += its_bytes
    entries = list(header.items())
    random.shuffle(entries)  # in any order
    text = json.dumps(dict(entries), ensure_ascii=random.random() < 0.5).encode("utf-8")
    text += b" " * (-len(text) % 8 if pad is None else pad)
    return struct.pack("<Q", len(text)) + text + data


def numbers_of(dtype, count):
    """Any bytes are numbers, but no NaN, and booleans are 0 and 1."""
    if dtype == "BOOL":
        return bytes(random.randrange(2) for _ in range(count))
    size = 2 if dtype == "BF16" else struct.calcsize(CODES[dtype])
    data = b""
    while len(data) < size * count:
        one = random.randbytes(size)
        number, = decoded(dtype, one)
        if number == number:
            data += one
    return data


def write_all(folder):
    """A line of the list: the file, the tensor's number, whole or real, the shape. Beside it,
    FILE.NUMBER.values has the numbers, as 64-bit integers (unsigned for U64) or doubles."""
    random.seed(28)
    lines = []
    for index in range(40):
        tensors = []
        for number in range(random.randrange(12)):
            dtype = random.choice([*CODES, "BF16"])
            shape = random.choice(SHAPES)
            data = numbers_of(dtype, math.prod(shape))
            tensors.append((f"{number}", dtype, shape, data))
            kind = "d" if "F" in dtype else "Q" if dtype == "U64" else "q"
            numbers = decoded(dtype, data)
            name = f"{index}.safetensors"
            with open(os.path.join(folder, f"{name}.{number}.values"), "wb") as file:
                file.write(struct.pack(f"<{len(numbers)}{kind}", *numbers))
            lines.append(" ".join([name, f"{number}", kind, *map(str, shape)]))
        metadata = random.choice([None, {}, {"format": "pt"}, {"\u00fc\n\"": "\U0001F600\\"}])
        with open(os.path.join(folder, f"{index}.safetensors"), "wb") as file:
            file.write(written(tensors, random.choice([None, 0, 1, 13]), metadata))
    special = [0.0, -0.0, math.inf, -math.inf, 1.0, 65504.0, 65519.99, 65520.0, 65536.0, 2.0 ** -24,
               2.0 ** -25, 2.0 ** -25 * 1.01, 2.0 ** -14, 2.0 ** -15 * 1.9999, 1 + 2.0 ** -11,
               1 + 3 * 2.0 ** -11, 1 + 2.0 ** -8, 1 + 3 * 2.0 ** -8, 3.3895e38, 3.4e38, 2.0 ** -133,
               2.0 ** -134, 2.0 ** -134 * 1.01, 2.0 ** -149, 1e-45]
    special += [-number for number in special]
    special += [random.choice([-1, 1]) * random.uniform(1, 2) * 2.0 ** random.randrange(-150, 128)
                for _ in range(20000)]
    floats = struct.unpack(f"<{len(special)}f", struct.pack(f"<{len(special)}f", *special))
    with open(os.path.join(folder, "numbers"), "wb") as file:
        file.write(struct.pack(f"<{len(floats)}d", *floats))
    with open(os.path.join(folder, "list"), "w") as file:
        file.write("\n".join(lines) + "\n")


def rounded(x, exponent_bits, fraction_bits):
    """The nearest number of this format by exact fractions, halfway to even."""
    if x == 0 or math.isinf(x):
        return x
    most = 2 ** (exponent_bits - 1) - 1
    exponent = max(math.frexp(x)[1] - 1, 1 - most)
    unit = fractions.Fraction(2) ** (exponent - fraction_bits)
    nearest = round(fractions.Fraction(x) / unit) * unit  # Python's round() is to even
    largest = (2 - fractions.Fraction(2) ** -fraction_bits) * fractions.Fraction(2) ** most
    if abs(nearest) > largest:
        return math.copysign(math.inf, x)
    return math.copysign(float(abs(nearest)), x)


def bits(numbers):
    return struct.pack(f"<{len(numbers)}d", *numbers)


def check_all(folder):
    with open(os.path.join(folder, "numbers"), "rb") as file:
        given = decoded("F64", file.read())
    expected = {"F64": given, "F32": given, "F16": [rounded(x, 5, 10) for x in given],
                "BF16": [rounded(x, 8, 7) for x in given]}
    for dtype, numbers in expected.items():
        tensors, metadata = read(os.path.join(folder, f"heed_{dtype}.safetensors"))
        assert metadata == {"by": "heed", "\u00fc\n\"": "\\"}, metadata
        assert list(tensors) == ["numbers", "none", "one \u00fc\n\"\\"], list(tensors)
        its_dtype, shape, values = tensors["numbers"]
        assert (its_dtype, shape) == (dtype, (2, len(numbers) // 2))
        assert bits(values) == bits(numbers), f"{dtype}: other numbers"
        assert tensors["none"][1:] == ((0, 3), [])
        assert tensors["one \u00fc\n\"\\"] == (dtype, (), [-1.5])
    try:
        import torch
    except ImportError:
        print("skipped in part: needs PyTorch (pip install torch)")
        return
    for dtype, torch_dtype in (("F16", torch.float16), ("BF16", torch.bfloat16)):
        theirs = torch.tensor(given, dtype=torch.float32).to(torch_dtype).double().tolist()
        assert bits(theirs) == bits(expected[dtype]), f"PyTorch rounds to other {dtype}"


if __name__ == "__main__":
    os.makedirs(sys.argv[2], exist_ok=True)
    {"write": write_all, "check": check_all}[sys.argv[1]](sys.argv[2])
