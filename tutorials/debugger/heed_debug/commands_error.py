"""until-error: runs on to the first heed error that is thrown, or to the first operation or
derivative whose inputs are finite and whose numbers are not."""

import array
import math
import re

import gdb

from heed_debug import levels, objects
from heed_debug.gdb_command import Command
from heed_debug.gdb_moves import exists, go_on, is_running
from heed_debug.gdb_debugger import DEBUGGER
from heed_debug.memory import Broken, Unreadable
from heed_debug.stepping import callers, depth

CLASS = re.compile(r"record<heed::f\d\d::(?:.anonymous namespace.::)?(\w+)")
MEANT = {"MaskedFill", "Where"}  # put infinities where they are told to
CHUNK = 1 << 20  # entries


def numbers_of(value):
    """The Array of a Tensor or Variable; None if there is nothing to read."""
    if value.type.strip_typedefs().code in (gdb.TYPE_CODE_REF, gdb.TYPE_CODE_RVALUE_REF):
        value = value.referenced_value()
    try:
        return objects.numbers_of(objects.read(DEBUGGER, value.type, DEBUGGER.place(value)))
    except (Broken, Unreadable, AttributeError):
        return None


def is_finite(numbers):
    """Are all of them, wherever they are? If a chunk's sum is, they are: a quick test."""
    if numbers is None or numbers.code not in "fd":
        return True
    width = array.array(numbers.code).itemsize
    for first in range(0, numbers.span(), CHUNK):
        size = min(CHUNK, numbers.span() - first) * width
        chunk = array.array(numbers.code)
        chunk.frombytes(numbers.memory.read(numbers.address + first * width, size))
        if not math.isfinite(sum(chunk)) and not all(map(math.isfinite, chunk)):
            return False
    return True


def first_strange(numbers):
    """(index, number) of the first that is not finite."""
    for place, number in enumerate(numbers.values()):
        if not math.isfinite(number):
            index = []
            for length in reversed(numbers.shape):
                place, rest = divmod(place, length)
                index.insert(0, rest)
            return index, number
    return [], math.nan


def inputs_of(frame):
    inputs = frame.read_var("inputs").referenced_value()
    size, many = int(inputs["size_"]), inputs["many_"]
    return [(many + i if int(many) else inputs["few_"][i]).dereference() for i in range(size)]


class Result(gdb.Breakpoint):
    """Halts where an operation's numbers are not finite, though its inputs are."""

    found = None
    last = None  # where these numbers are

    def stop(self):
        frame = gdb.newest_frame()
        value = numbers_of(frame.read_var("value"))
        if is_finite(value):
            return False
        made_by = CLASS.search(frame.older().name() or "")
        name = made_by.group(1) if made_by else "an operation"
        inputs = [numbers_of(each) for each in inputs_of(frame)]
        if name in MEANT or not all(map(is_finite, inputs)):
            return False
        of = ", ".join(str(list(each.shape)) for each in inputs if each is not None)
        self.found = f"{name} of {of}", value
        Result.last = value.address
        return True


class Gradient(gdb.Breakpoint):
    """The same of a derivative, unless the operation that made it was halted at."""

    found = None

    def stop(self):
        frame = gdb.newest_frame()
        value, arriving = (numbers_of(frame.read_var(name)) for name in ("gradient", "G"))
        if is_finite(value) or not is_finite(arriving) or value.address == Result.last:
            return False
        self.found = f"a derivative of a gradient of {list(arriving.shape)}", value
        return True


class Thrown(gdb.Breakpoint):
    """Halts where an error of heed's is about to be thrown."""

    found = None

    def stop(self):
        frame = gdb.newest_frame()
        operation, problem = (frame.read_var(name).referenced_value().format_string(raw=False)
                              for name in ("operation", "problem"))
        self.found = f"{operation.strip(chr(34))}: {problem.strip(chr(34))}", None
        return True


def watches():
    """Breakpoints in those functions that the program has."""
    wanted = [(kind, f"heed::{precision}::{function}") for precision in ("f32", "f64")
              for kind, function in ((Result, "attach"), (Result, "constant"),
                                     (Gradient, "BackwardPass::receive"), (Thrown, "error_text"))]
    return [kind(function, internal=True) for kind, function in wanted if exists(function)]


def to_readers_frame():
    """Selects the lesson's, or the reader's own, frame, and says which it is."""
    frame = gdb.newest_frame()
    own = next((each for each in [frame, *callers(frame)] if depth(each) == levels.LESSON), frame)
    own.select()
    return gdb.execute("frame", to_string=True).rstrip("\n").split("\n")


class UntilErrorCommand(Command):
    """until-error: run on to the first error of heed's, or to the first NaN or infinity that an
    operation on variables, or a derivative, makes of finite numbers. The selected frame is then the
    lesson's; `down` goes on inwards. What masked_fill and where put in is meant. Takes about a
    millisecond an operation."""

    def __init__(self):
        super().__init__("until-error", gdb.COMPLETE_NONE)

    def lines(self, argument):
        if argument:
            raise gdb.GdbError("until-error takes no argument.")
        halts = watches()
        if not halts:
            raise gdb.GdbError("No program is loaded that computes with heed: file "
                               "build/debug/tutorials/08_causal_attention")
        try:
            go_on(quietly=False)
            found = next((halt.found for halt in halts if halt.found), None)
        finally:
            for halt in halts:
                halt.delete()
        if found is None:
            return ["Something else halted the program before that: `bt` shows where it is."
                    if is_running() else
                    "The program ended without an error of heed's, NaN or infinity."]
        what, numbers = found
        if numbers is None:
            return [f"an error: {what}", *to_readers_frame()]
        index, number = first_strange(numbers)
        return [f"{what} made {number:g} at {index} of {list(numbers.shape)}", *to_readers_frame()]


UntilErrorCommand()
