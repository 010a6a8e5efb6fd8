"""why x[1,2]: explains the value of that entry of a gradient. This is the only command that calls
the program: it uses heed's own explain() (autograd/inspect/explain.h), which requires that graphs
are kept from the program's first line on."""

import struct

from heed_debug import objects
from heed_debug.arguments import read
from heed_debug.asking import Refused, words_of
from heed_debug.commands_attention import words_in_scope
from heed_debug.commands_graph import names_here
from heed_debug.host import DEBUGGER, Command, here
from heed_debug.memory import Record
from heed_debug.paths import Found, find_outward, short_name
from heed_debug.text import NumberStyle
from heed_debug.way_back import way_back_lines

NOT_LINKED = ("This program was linked without the part of heed that why asks: add "
              "-Wl,-u,heed_why_at_breakpoint to the command that links it. With CMake, linking "
              "heed::heed does so.")

# Functions holding a lock on which explain() would deadlock.
BUSY = ("TopologicalOrder::", "RunningPass::", "accumulate", "keep_alive", "release_kept",
        "Keeper::", "memory::", "malloc", "free", "_int_malloc", "_int_free")


def index_of(found):
    """The indices in the brackets: x[1,2], x[i][2]."""
    index = []
    for part in ",".join(found.slices).split(",") if found.slices else []:
        if not part or ":" in part:
            raise Refused("why needs one entry: why x[1,2], with a number for each "
                          "axis.")
        index.append(int(part))
    return index


def variable_at(expression):
    """(Found, precision) of a valid Variable, safe to pass to the library."""
    found = find_outward(expression)
    kind = objects.kind_of(DEBUGGER, found.type)
    if not kind or kind[1] != "Variable":
        raise Refused(f"{expression} is of type {short_name(found.type)}; why needs a "
                      "Variable, whose gradient is known to be a sum.")
    read(Found(found.name, found.type, found.place))
    return found, kind[0]


def check_not_busy():
    for frame in here.newest_frames():
        name = here.function(frame).split("(")[0]
        if any(busy in name for busy in BUSY):
            raise Refused(f"The program is in {name}, in the middle of something that why needs "
                          "too; ask after `finish`.")


def eight(numbers):
    return struct.pack("<8q", *numbers, *[0] * (8 - len(numbers)))


def write_question(precision, found, index, of, of_index, name):
    memory = objects.memory_of(DEBUGGER, precision)
    place = here.address_of(f"heed::{precision}::why_question")
    if place is None:
        raise Refused(NOT_LINKED)
    record = Record(memory, "WhyQuestion", place)
    text = name.encode()[:255] + b"\0"
    for field, data in (("variable", struct.pack("<Q", found.place if found else 0)),
                        ("of", struct.pack("<Q", of.place if of else 0)),
                        ("rank", struct.pack("<q", len(index))),
                        ("index", eight(index)),
                        ("of_rank", struct.pack("<q", len(of_index))),
                        ("of_index", eight(of_index)),
                        ("name", text),
                        ("answer", struct.pack("<Q", 0))):
        here.write(record.at(field), data)


def ask(precision):
    return here.answer_of(f"heed::{precision}::why_at_breakpoint",
                          lambda: answer_in_memory(precision))


def answer_in_memory(precision):
    memory = objects.memory_of(DEBUGGER, precision)
    place = here.address_of(f"heed::{precision}::why_question")
    start = Record(memory, "WhyQuestion", place).get("answer", "Q")
    return memory.long_string(start) if start else None


class WhyCommand(Command):
    """why X[1,2]: that entry of X's gradient as the sum it is: what each use of X gave, upstream
    gradient × local derivative, with the lines; and beside it the slope that is measured.
    why W[1,2]            of the gradient that backward() has stored
    why scores[0,1] of loss         of d(loss)/d(scores), which need not be a leaf
    why X[0,1] of weights[2,0]      of one entry of what has several
    why weights[0,1,2,0] back       layer by layer back to the leaves: on which entry of what each
                                    gave this number depends most, with the words
    It calls the program, which goes on unharmed. `set heed-keep-graphs off` before the program
    starts frees graphs as usual; then there is less to say."""

    def lines(self, argument):
        words = words_of(argument)
        of = None
        if "of" in words[1:-1]:
            at = len(words) - 1 - words[::-1].index("of")
            argument, of = " ".join(words[:at]), " ".join(words[at + 1 :])
        if not words:
            raise Refused("Why what? For example: why W[1,2], or, for a value that is not a "
                          "leaf: why weights[0,3] of loss.")
        here.check_runs("why")
        if words[1:] == ["back"]:
            return self.back(words[0])
        found, precision = variable_at(argument)
        index = index_of(found)
        output = variable_at(of)[0] if of else None
        of_index = index_of(output) if of else []
        if max(len(index), len(of_index)) > 8:
            raise Refused("A tensor has at most 8 axes.")
        check_not_busy()
        name = argument[: argument.index("[" + found.slices[0])] if found.slices else argument
        write_question(precision, found, index, output, of_index, name)
        answer = ask(precision).rstrip("\n")
        answer = answer.replace("{.of = loss}", f"why {argument} of loss")
        answer = answer.replace("sum it, or give an upstream gradient",
                                f"say which entry is meant: why {argument} of {of}[0]"
                                " or the like")
        return answer.split("\n")

    def back(self, expression):
        found, precision = variable_at(expression)
        index = index_of(found)
        check_not_busy()
        memory = objects.memory_of(DEBUGGER, precision)
        variable = memory.variable(found.place)
        if variable.node is None:
            raise Refused(f"{expression} is a constant: nothing is recorded for it.")
        write_question(precision, None, [], found, index, expression)
        answer = ask(precision)
        if not answer.split(" ")[0].isdigit():
            raise Refused(answer.rstrip("\n"))
        number = read(found)
        title = f"{expression} is {NumberStyle([0.5], 4).text(number.value.values()[0])}"
        lengths = variable.value.shape[-1:] + variable.value.shape[-2:-1]
        words = next(filter(None, map(words_in_scope, lengths)), None)
        return way_back_lines(memory, variable.node, answer, names_here(), words, title)


WhyCommand("why")
