"""into: runs on to the formula of an operation, forward or backward, or into a call of a layer."""

import re

from heed_debug.asking import NOTHING_COMPUTED, Refused
from heed_debug.halts import Halt
from heed_debug.host import Command, here
from heed_debug.paths import place

MEMBERS = ("forward", "gradient")  # of an operation
CLASS = re.compile(r"heed::f(?:32|64)::(?:.anonymous namespace.::)?(\w+)::(?:forward|gradient)\(")


def snake(name):
    """layer_norm for LayerNorm"""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


def operations():
    """The classes of the operations in this program."""
    found = map(CLASS.search, here.functions_named("gradient"))
    return sorted({match.group(1) for match in found if match})


def named(name, classes):
    """`matmul` are Matmul, MatmulOfBatch and so on; an exact name is that one alone."""
    exact = [each for each in classes if name in (each, snake(each))]
    return exact or [each for each in classes if snake(each).startswith(snake(name))]


def halts_for(name):
    classes = operations()
    chosen = named(name, classes)
    if here.exists(f"{name}::operator()"):
        return [Halt(f"{name}::operator()")]
    if chosen:
        members = [f"{each}::{member}" for each in chosen for member in MEMBERS]
        return [Halt(member) for member in members if here.exists(member)]
    if not classes:
        raise Refused(NOTHING_COMPUTED)
    some = ", ".join(sorted(map(snake, classes))[:12])
    raise Refused(f"This program has no operation and no layer named {name}. The name is an "
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
            raise Refused("Into which operation or layer? For example: into softmax")
        if not re.fullmatch(r"\w+", argument):
            raise Refused(f"{argument} is no name; for example: into softmax")
        came = here.run_to(*halts_for(argument))
        if came:
            return [f"in {here.function(next(here.newest_frames()))}, {place()}"]
        if here.is_running():
            return ["Something else halted the program before that: `bt` shows where it is."]
        return [f"The program ended without coming to {argument}."]


IntoCommand("into")
