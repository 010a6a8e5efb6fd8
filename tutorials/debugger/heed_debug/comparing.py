"""Comparison of two tensors: the largest difference, and where it is."""

import math

from heed_debug import text


MOST_NUMBERS = 5_000_000


def comparison(a_name, a, b_name, b):
    """The lines to print. Error: the shapes differ (ValueError, with a message)."""
    if a.shape != b.shape:
        raise ValueError(f"{a_name} is {text.list_text(a.shape)} and {b_name} is "
                         f"{text.list_text(b.shape)}: only tensors of one shape can be compared. "
                         "A slice of one may do, such as compare A[0] B.")
    if a.count == 0:
        return [f"{a_name} and {b_name} are both {text.list_text(a.shape)}: there are no numbers "
                "to compare."]
    if a.count > MOST_NUMBERS:
        raise ValueError(f"{a_name} has {a.count} numbers, which would take too long here. Compare "
                         "slices, such as A[0] B[0].")
    xs, ys = a.values(), b.values()
    differing = [i for i in range(len(xs)) if not same(xs[i], ys[i])]
    if not differing:
        return [f"{a_name} and {b_name} are equal: {text.counted(len(xs), 'number')}, shape "
                f"{text.list_text(a.shape)}."]
    differences = [(distance(xs[i], ys[i]), -i) for i in differing]
    largest, place = max(differences)
    place = -place
    at = f" at {text.list_text(a.index_of(place))}" if a.shape else ""
    size = "nan or infinite" if math.isinf(largest) else f"{largest:.4g}"
    return [f"largest difference {size}{at}: {a_name} has {number(xs[place])}, {b_name} has "
            f"{number(ys[place])}.",
            f"{len(differing)} of {text.counted(len(xs), 'number')} "
            f"{'differs' if len(differing) == 1 else 'differ'}; shape {text.list_text(a.shape)}."]


def same(x, y):
    return x == y or (x != x and y != y)


def distance(x, y):
    """Infinite if one is NaN, or if only one has that infinity."""
    return abs(x - y) if math.isfinite(x) and math.isfinite(y) else math.inf


def number(x):
    return f"{x:.9g}"
