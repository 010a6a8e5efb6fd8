"""Makes gdb's `step` skip the functions in skipped.py, and more of them at a higher level."""

import re

import gdb

from heed_debug import levels, skipped


def add(patterns):
    """The numbers of the new entries in `info skip`."""
    said = [gdb.execute(f"skip -rfu '{pattern}'", to_string=True) for pattern in patterns]
    assert all("will be skipped" in line for line in said), said
    listed = gdb.execute("info skip", to_string=True)
    return [int(number) for number in re.findall(r"^(\d+)", listed, re.M)][-len(patterns):]


add(skipped.patterns())
_heed = add(["^heed::f(32|64)::"])
_inside = add(skipped.inside())
_kernels = add(skipped.anchored(skipped.KERNELS))


def set_level(level):
    """Enables those that the level passes over."""
    for numbers, deepest in ((_heed, levels.LESSON), (_inside, levels.OPERATIONS),
                             (_kernels, levels.TENSOR)):
        word = "enable" if level <= deepest else "disable"
        gdb.execute(f"skip {word} {' '.join(map(str, numbers))}")


set_level(levels.DEFAULT)
