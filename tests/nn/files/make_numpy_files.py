"""Writes files with NumPy, to read them with heed.

    python3 make_numpy_files.py             a few small ones, in hexadecimal in numpy_files.json
                                            beside it, which is frozen (NumPy 1.24.2); their bytes
                                            differ from run to run only in the padding of long double
    python3 make_numpy_files.py FOLDER      many, of all types, shapes and orders; FOLDER/list says
                                            what is in them
"""
import io
import json
import os
import sys

import numpy as np

KINDS = ["f2", "f4", "f8", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "b1"]
SHAPES = [(), (0,), (1,), (7,), (2, 3), (3, 0, 2), (4, 1, 3), (2, 3, 4, 5), (1, 2, 1, 2, 1, 2, 1, 2)]


def numbers(random, shape, dtype):
    """Any bytes are numbers, but float types get finite ones, b1 True and False."""
    kind = np.dtype(dtype).kind
    if kind == "b":
        return np.asarray(random.random(shape) < 0.5).astype(dtype)
    if kind == "f":
        return np.asarray(np.round(random.normal(size=shape) * 1000, 3)).astype(dtype)
    limits = np.iinfo(dtype)
    whole = random.integers(limits.min, limits.max, size=shape, dtype=np.dtype(dtype[1:]),
                            endpoint=True)
    return np.asarray(whole).astype(dtype)


def write_many(folder):
    """A line of the list: file, array, exact, shape. Beside it, FILE.ARRAY.values has the numbers:
    little-endian, row by row, int64 or uint64 if exact is i or u, else (f) double."""
    random = np.random.default_rng(28)
    lines = []

    def expect(file, name, array):
        exact = {"f": "f", "b": "i", "i": "i", "u": "u"}[array.dtype.kind]
        wide = {"f": "<f8", "i": "<i8", "u": "<u8"}[exact]
        with open(os.path.join(folder, f"{file}.{name}.values"), "wb") as out:
            out.write(array.astype(wide).tobytes("C"))
        lines.append(" ".join([file, name, exact, *map(str, array.shape)]))

    everything = {}
    for kind in KINDS:
        for order in "<>":
            for shape in SHAPES:
                array = numbers(random, shape, order + kind)
                for fortran in (False, True):
                    array = np.asfortranarray(array) if fortran else array
                    label = f"{'le' if order == '<' else 'be'}_{kind}_{len(everything)}"
                    everything[label] = array
                    np.save(os.path.join(folder, label + ".npy"), array)
                    expect(label + ".npy", "-", array)
    for version in (1, 2, 3):
        array = numbers(random, (3, 5), "<f4")
        with open(os.path.join(folder, f"version{version}.npy"), "wb") as out:
            np.lib.format.write_array(out, array, version=(version, 0))
        expect(f"version{version}.npy", "-", array)
    np.savez(os.path.join(folder, "stored.npz"), **everything)
    everything["zeros"] = np.zeros((300, 1000), "<f4")  # long matches
    everything["steps"] = np.arange(100000, dtype="<i4")
    everything["noise"] = random.integers(0, 256, size=200000, dtype=np.uint8)  # stored blocks
    everything["text"] = np.frombuffer(open(__file__, "rb").read() * 3, dtype=np.uint8)
    np.savez_compressed(os.path.join(folder, "compressed.npz"), **everything)
    for name, array in everything.items():
        if name not in ("zeros", "steps", "noise", "text"):
            expect("stored.npz", name, array)
        expect("compressed.npz", name, array)
    np.savez(os.path.join(folder, "unnamed.npz"), np.ones(2), np.zeros((2, 2)))
    expect("unnamed.npz", "arr_0", np.ones(2))
    expect("unnamed.npz", "arr_1", np.zeros((2, 2)))
    np.savez(os.path.join(folder, "empty.npz"))
    with open(os.path.join(folder, "list"), "w") as out:
        out.write("\n".join(lines) + "\n")


def saved(array, version=None):
    out = io.BytesIO()
    np.lib.format.write_array(out, np.asanyarray(array), version=version)
    return out.getvalue()


def zipped(save, **arrays):
    out = io.BytesIO()
    save(out, **arrays)
    return out.getvalue()


def small_files():
    halves = np.array([[1, -2.5, 3], [0.25, -0.0, 6]])
    wholes = np.array([[1, -2, 3], [100, 0, -128]])
    return {
        "f2": saved(halves.astype("<f2")),
        "f4": saved(halves.astype("<f4")),
        "f8": saved(halves.astype("<f8")),
        "f4 big-endian": saved(halves.astype(">f4")),
        "f8 big-endian": saved(halves.astype(">f8")),
        "f4 Fortran": saved(np.asfortranarray(halves.astype("<f4"))),
        "i8 Fortran": saved(np.asfortranarray(np.arange(24).reshape(2, 3, 4))),
        "i1": saved(wholes.astype("|i1")),
        "i2 big-endian": saved(wholes.astype(">i2")),
        "i4": saved(wholes.astype("<i4")),
        "i8": saved(np.array([2**62 + 1, -1, -2**63])),
        "u1": saved(np.array([0, 255], "|u1")),
        "u2 big-endian": saved(np.array([1, 65535], ">u2")),
        "u8": saved(np.array([2**63 - 1], "<u8")),
        "u8 too large": saved(np.array([1, 2**63], "<u8")),
        "b1": saved(np.array([True, False, True])),
        "scalar": saved(np.float32(7)),
        "empty": saved(np.zeros((0, 3), "<f4")),
        "version 2": saved(halves.astype("<f4"), (2, 0)),
        "version 3": saved(halves.astype("<f4"), (3, 0)),
        "objects": saved(np.array([None, {}], dtype=object)),
        "complex": saved(np.array([1j], "<c8")),
        "strings": saved(np.array(["ab"])),
        "bytes": saved(np.array([b"ab"])),
        "raw": saved(np.zeros(1, "V4")),
        "records": saved(np.zeros(1, [("x", "<f4"), ("y", "<i4")])),
        "dates": saved(np.array(["2017-06-12"], "M8[D]")),
        "long double": saved(np.ones(1, np.longdouble)),
        "npz": zipped(np.savez, W=halves.astype("<f4"), **{"ü/b": np.array([1, 2])}),
        "npz compressed": zipped(np.savez_compressed, zeros=np.zeros((50, 40), "<f4"),
                                 steps=np.arange(300)),
    }


def write_small():
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "numpy_files.json")
    with open(path, "w", encoding="utf-8") as out:
        json.dump({name: data.hex() for name, data in small_files().items()}, out, indent=0)
        out.write("\n")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        os.makedirs(sys.argv[1], exist_ok=True)
        write_many(sys.argv[1])
    else:
        write_small()
