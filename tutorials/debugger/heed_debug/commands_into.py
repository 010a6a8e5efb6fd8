"""into: runs on to the formula of an operation, forward or backward, or into a call of a layer."""

import re

import gdb

from heed_debug.gdb_command import Command
from heed_debug.gdb_moves import go_on, is_running
from heed_debug.paths import place

MEMBERS = ("forward", "gradient")  # of an operation
CLASS = re.compile(r"heed::f(?:32|64)::(?:.anonymous namespace.::)?(\w+)::(?:forward|gradient)\(")


def snake(name):
    """layer_norm for LayerNorm"""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


def operations():
    """The classes of the operations in this program."""
    found = gdb.Breakpoint("gradient", internal=True)
    try:
        places = [] if found.pending else found.locations
        return sorted({match.group(1) for place in places
                       if (match := CLASS.search(place.function or ""))})
    finally:
        found.delete()


def named(name, classes):
    """`matmul` are Matmul, MatmulOfBatch and so on; an exact name is that one alone."""
    exact = [each for each in classes if name in (each, snake(each))]
    return exact or [each for each in classes if snake(each).startswith(snake(name))]


def exists(function):
    try:
        return bool(gdb.decode_line(function)[1])
    except gdb.error:
        return False


def halts_for(name):
    classes = operations()
    chosen = named(name, classes)
    if exists(f"{name}::operator()"):
        return [gdb.Breakpoint(f"{name}::operator()", internal=True)]
    if chosen:
        return [gdb.Breakpoint(f"{each}::{member}", internal=True)
                for each in chosen for member in MEMBERS if exists(f"{each}::{member}")]
    some = ", ".join(sorted(map(snake, classes))[:12])
    raise gdb.GdbError(f"This program has no operation and no layer named {name}. The name is an "
                       f"operation's ({some}, ...) or a layer's class (Linear, LayerNorm).")


class IntoCommand(Command):
    """into NAME: run on to the formula of an operation, in whichever direction it comes first, or
    into the next call of a layer.
    into softmax      to its values, or in backward() to its derivative
    into LayerNorm    into the next call of a layer of this class"""

    def complete(self, text, word):
        return [name for name in map(snake, operations()) if name.startswith(word or "")]

    def lines(self, argument):
        if not argument:
            raise gdb.GdbError("Into which operation or layer? For example: into softmax")
        if not re.fullmatch(r"\w+", argument):
            raise gdb.GdbError(f"{argument} is no name; for example: into softmax")
        halts = halts_for(argument)
        try:
            go_on(quietly=False)
            came = is_running() and any(halt.hit_count for halt in halts)
        finally:
            for halt in halts:
                halt.delete()
        if came:
            return [f"in {gdb.newest_frame().name()}, {place()}"]
        if is_running():
            return ["Something else halted the program before that: `bt` shows where it is."]
        return [f"The program ended without coming to {argument}."]


IntoCommand("into")
