"""until-error: runs on to the first heed error that is thrown, or to the first operation or
derivative whose inputs are finite and whose numbers are not."""

import array
import math
import re

from heed_debug import levels, objects
from heed_debug.asking import NOTHING_COMPUTED, Refused
from heed_debug.halts import Halt
from heed_debug.host import DEBUGGER, Command, here
from heed_debug.memory import Broken, Unreadable
from heed_debug.paths import member_at, raw_pointer

CLASS = re.compile(r"record<heed::f\d\d::(?:.anonymous namespace.::)?(\w+)")
MEANT = {"MaskedFill", "Where"}  # put infinities where they are told to
CHUNK = 1 << 20  # entries


def numbers_of(type, place):
    """The Array of a Tensor or Variable; None if there is nothing to read."""
    try:
        return objects.numbers_of(objects.read(DEBUGGER, type, place))
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
    """The Arrays of an operation's inputs (autograd/operation.h)."""
    type, place = here.variable(frame, "inputs")
    of = {name: member_at(type, place, name) for name in ("few_", "many_", "size_")}
    variable = DEBUGGER.pointee(of["many_"][0])
    count = int.from_bytes(DEBUGGER.read(of["size_"][1], 4), "little")
    many, few = raw_pointer(of["many_"][1]), of["few_"][1]
    size = DEBUGGER.size(variable)
    return [numbers_of(variable, many + i * size if many else raw_pointer(few + 8 * i))
            for i in range(count)]


class Watch:
    """Halts where an operation's, or a derivative's, numbers are not finite, though what they are
    made of is, and where an error of heed's is about to be thrown."""

    def __init__(self):
        self.found = None  # (what, its numbers)
        self.last = None   # where the numbers of the operation halted at are

    def halts(self):
        """In those functions that the program has."""
        wanted = [(f"heed::{precision}::{function}", look) for precision in ("f32", "f64")
                  for function, look in (("attach", self.result), ("constant", self.result),
                                         ("BackwardPass::receive", self.gradient),
                                         ("error_text", self.thrown))]
        return [Halt(function, look) for function, look in wanted if here.exists(function)]

    def result(self, frame):
        value = numbers_of(*here.variable(frame, "value"))
        if is_finite(value):
            return False
        made_by = CLASS.search(here.function(here.caller(frame)))
        name = made_by.group(1) if made_by else "an operation"
        inputs = inputs_of(frame)
        if name in MEANT or not all(map(is_finite, inputs)):
            return False
        of = ", ".join(str(list(each.shape)) for each in inputs if each is not None)
        self.found = f"{name} of {of}", value
        self.last = value.address
        return True

    def gradient(self, frame):
        """Unless the operation that made it was halted at."""
        value, arriving = (numbers_of(*here.variable(frame, name)) for name in ("gradient", "G"))
        if is_finite(value) or not is_finite(arriving) or value.address == self.last:
            return False
        self.found = f"a derivative of a gradient of {list(arriving.shape)}", value
        return True

    def thrown(self, frame):
        memory = objects.memory_of(DEBUGGER, "f32")
        operation, problem = (memory.string(here.variable(frame, name)[1])
                              for name in ("operation", "problem"))
        self.found = f"{operation}: {problem}", None
        return True


def to_readers_frame():
    """Selects the lesson's, or the reader's own, frame, and says which it is."""
    frames = list(here.newest_frames())
    own = next((frame for frame in frames if depth(frame) == levels.LESSON), frames[0])
    here.select(own)
    return here.shown(own)


def depth(frame):
    name, file = here.function(frame), here.source(frame)[0]
    return levels.depth_of(name, file) if name and file else levels.NEVER


class UntilErrorCommand(Command):
    """until-error: run on to the first error of heed's, or to the first NaN or infinity that an
    operation on variables, or a derivative, makes of finite numbers. The selected frame is then the
    lesson's; `down` goes on inwards. What masked_fill and where put in is meant. Takes about a
    millisecond an operation."""

    watch = Watch()

    def lines(self, argument):
        if argument:
            raise Refused("until-error takes no argument.")
        self.watch.found = None
        halts = self.watch.halts()
        if not halts:
            raise Refused(NOTHING_COMPUTED)
        came = here.run_to(*halts)
        if came is None:
            return ["Something else halted the program before that: `bt` shows where it is."
                    if here.is_running() else
                    "The program ended without an error of heed's, NaN or infinity."]
        found = self.watch.found
        what, numbers = found
        if numbers is None:
            return [f"an error: {what}", *to_readers_frame()]
        index, number = first_strange(numbers)
        return [f"{what} made {number:g} at {index} of {list(numbers.shape)}", *to_readers_frame()]


UntilErrorCommand("until-error", completes=False)
