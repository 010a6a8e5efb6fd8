"""Products by OpenBLAS alone, called without an array library in between."""

import ctypes
import math
import sys

import peer

ROW_MAJOR, PLAIN, TRANSPOSED = 101, 111, 112
PERIOD = 4099


def load():
    library = ctypes.CDLL("libopenblas.so.0")
    pointer = ctypes.POINTER(ctypes.c_float)
    number, size = ctypes.c_float, ctypes.c_int
    library.cblas_sgemm.argtypes = [size] * 6 + [number, pointer, size, pointer, size]
    library.cblas_sgemm.argtypes += [number, pointer, size]
    library.cblas_sgemm.restype = None
    return library


def noise(count, seed):
    """The noise function is slow in Python: it is computed for some entries, which are repeated."""
    period = min(count, PERIOD)
    some = [peer.noise(i, seed, 1.0) for i in range(period)]
    repeated = (some * (count // period + 1))[:count]
    return (ctypes.c_float * count)(*repeated)


def prepare(threads, words):
    if words[0] != "product":
        return None
    library = load()
    library.openblas_set_num_threads(threads)
    form, (m, n, k) = words[1], map(int, words[2:])
    A, B, C = noise(m * k, 1), noise(k * n, 2), (ctypes.c_float * (m * n))()
    A_form, A_row = (TRANSPOSED, m) if form[0] == "t" else (PLAIN, k)
    B_form, B_row = (TRANSPOSED, k) if form[1] == "t" else (PLAIN, n)
    call = library.cblas_sgemm
    exact = max(m * k, k * n) <= PERIOD  # else the factors differ from the other sides'

    def run():
        call(ROW_MAJOR, A_form, B_form, m, n, k, 1.0, A, A_row, B, B_row, 0.0, C, n)
        return [C] if exact else []

    return run


def norm(numbers):
    return math.sqrt(sum(float(x) * x for x in numbers))


def core():
    """The name of the core type OpenBLAS works for; nothing where it is missing."""
    try:
        library = ctypes.CDLL("libopenblas.so.0")
        library.openblas_get_corename.restype = ctypes.c_char_p
        print(library.openblas_get_corename().decode())
    except (OSError, AttributeError):
        pass


if __name__ == "__main__" and sys.argv[1:] == ["core"]:
    core()
elif __name__ == "__main__":
    peer.serve(prepare, lambda results: [norm(x) for x in results])
