"""How deep lldb's `step` goes: which functions it passes over at each level (levels.py), by their
names alone."""

from heed_debug import levels, skipped
from heed_debug.lldb_debugger import DEBUGGER

# Mangled names of standard library functions that lldb (14) cannot demangle.
MANGLED = ["^_ZN?K?S[tabsiod]", "^_ZN?K?9__gnu_cxx"]

# Functions on variables, and what operations are made of; layers are classes.
OPERATIONS = ["^heed::f(32|64)::(operator.*|[a-z0-9_]+(<.*>)?)$",
              "^heed::f(32|64)::.*::(forward|gradient|gradients|fused_gradients)$"]

_level = levels.DEFAULT


def level():
    return _level


def patterns(of_level):
    found = [*skipped.patterns(), *MANGLED]
    if of_level <= levels.LESSON:
        found.append("^heed::f(32|64)::")
    if of_level <= levels.LAYERS:
        found += OPERATIONS
    if of_level <= levels.OPERATIONS:
        found += skipped.inside()
    if of_level <= levels.TENSOR:
        found += skipped.anchored(skipped.KERNELS)
    return [as_lldb_has_it(pattern) for pattern in found]


def as_lldb_has_it(pattern):
    """lldb compares names without arguments."""
    return pattern.replace("[(]", "$")


def set_level(new):
    global _level
    _level = new
    avoided = "|".join(f"({pattern})" for pattern in patterns(new))
    DEBUGGER.lldb.HandleCommand(f"settings set target.process.thread.step-avoid-regexp {avoided}")
