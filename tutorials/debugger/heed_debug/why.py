"""why x[1,2]: explains the value of that entry of a gradient. This is the only command that calls
the program: it uses heed's own explain() (autograd/inspect/explain.h), which requires that graphs
are kept from the program's first line on."""

import struct

import gdb

from heed_debug import objects
from heed_debug.commands_attention import words_in_scope
from heed_debug.commands_graph import names_here
from heed_debug.commands_look import Command
from heed_debug.gdb_arguments import Found, read, short_name, words_of
from heed_debug.gdb_debugger import DEBUGGER
from heed_debug.gdb_paths import find_outward
from heed_debug.gdb_surroundings import check_runs
from heed_debug.memory import Record
from heed_debug.text import NumberStyle
from heed_debug.way_back import way_back_lines

PRECISIONS = ("f32", "f64")

NOT_LINKED = ("This program was linked without the part of heed that why asks: add "
              "-Wl,-u,heed_why_at_breakpoint to the command that links it. With CMake, linking "
              "heed::heed does so.")

# Functions holding a lock on which explain() would deadlock.
BUSY = ("TopologicalOrder::", "RunningPass::", "accumulate", "keep_alive", "release_kept",
        "Keeper::", "memory::", "malloc", "free", "_int_malloc", "_int_free")

NO_EXTENDED_STATE = "extended state status"
FAR_BELOW = 1 << 18  # bytes

# Not worth stepping into.
KEEPING = ("(KeepGraph|SuspendKeeping|ContributionsTo)::|(graphs_are_kept|keeping_is_suspended)[(]|"
           ".anonymous namespace.::(Keeper::|AnomalyObserver::|"
           "any_keeps_graphs[(]|report_forgotten_gradient[(])|"
           "BackwardPass::(frees_graph|root|upstream|site)[(]")
gdb.execute(f"skip -rfu '^heed::f(32|64)::({KEEPING})'", to_string=True)


class KeepGraphs(gdb.Parameter):
    """Whether graphs are kept after backward(), so that `why` can be used. On by default; it
    counts from the next start of the program on."""

    set_doc = "Set whether graphs are kept for `why`."
    show_doc = "Show whether graphs are kept for `why`."

    def __init__(self):
        super().__init__("heed-keep-graphs", gdb.COMMAND_DATA, gdb.PARAM_BOOLEAN)
        self.value = True

    def get_set_string(self):
        return ""

    def get_show_string(self, value):
        return f"Graphs are kept for `why`: {value}."


class AtMain(gdb.Breakpoint):
    """Sets the library's switch to 1 when the program starts."""

    def __init__(self):
        super().__init__("main", internal=True)

    def stop(self):
        for precision in PRECISIONS if keep_graphs.value else ():
            try:
                place = int(gdb.parse_and_eval(f"&heed::{precision}::graph_keepers"))
            except gdb.error:
                continue
            gdb.selected_inferior().write_memory(place, struct.pack("<i", 1))
        return False


def halt_in_main(event=None):
    """Once there is a program that has one; gdb would complain of a breakpoint in none."""
    global at_main
    if at_main is not None and at_main.is_valid():
        return
    try:
        gdb.decode_line("main")
    except gdb.error:
        return
    at_main = AtMain()


keep_graphs = KeepGraphs()
at_main = None
halt_in_main()
gdb.events.new_objfile.connect(halt_in_main)


def index_of(found):
    """The indices in the brackets: x[1,2], x[i][2]."""
    index = []
    for part in ",".join(found.slices).split(",") if found.slices else []:
        if not part or ":" in part:
            raise gdb.GdbError("why needs one entry: why x[1,2], with a number for each "
                               "axis.")
        index.append(int(part))
    return index


def variable_at(expression):
    """(Found, precision) of a valid Variable, safe to pass to the library."""
    found = find_outward(expression)
    kind = objects.kind_of(DEBUGGER, found.type)
    if not kind or kind[1] != "Variable":
        raise gdb.GdbError(f"{expression} is of type {short_name(found.type)}; why needs a "
                           "Variable, whose gradient is known to be a sum.")
    read(Found(found.name, found.type, found.place))
    return found, kind[0]


def stack_names():
    frame = gdb.newest_frame()
    while frame is not None:
        yield frame.name() or ""
        frame = frame.older()


def check_not_busy():
    for name in stack_names():
        if any(busy in name.split("(")[0] for busy in BUSY):
            raise gdb.GdbError(f"The program is in {name.split('(')[0]}, in the middle of "
                               "something that why needs too; ask after `finish`.")


def eight(numbers):
    return struct.pack("<8q", *numbers, *[0] * (8 - len(numbers)))


def write_question(precision, found, index, of, of_index, name):
    memory = objects.memory_of(DEBUGGER, precision)
    try:
        place = int(gdb.parse_and_eval(f"&'heed::{precision}::why_question'"))
    except gdb.error:
        raise gdb.GdbError(NOT_LINKED) from None
    record = Record(memory, "WhyQuestion", place)
    inferior = gdb.selected_inferior()
    text = name.encode()[:255] + b"\0"
    for field, data in (("variable", struct.pack("<Q", found.place if found else 0)),
                        ("of", struct.pack("<Q", of.place if of else 0)),
                        ("rank", struct.pack("<q", len(index))),
                        ("index", eight(index)),
                        ("of_rank", struct.pack("<q", len(of_index))),
                        ("of_index", eight(of_index)),
                        ("name", text),
                        ("answer", struct.pack("<Q", 0))):
        inferior.write_memory(record.at(field), data)


def ask(precision):
    """Calls the program with breakpoints disabled, and always restores its position."""
    breakpoints = [each for each in gdb.breakpoints() if each.enabled]
    unwinds = gdb.parameter("unwindonsignal")
    for each in breakpoints:
        each.enabled = False
    gdb.execute("set unwindonsignal on", to_string=True)
    # gdb halts the call at an instruction that it writes below the stack, and with AMX leaves there:
    # it is put where no later call of the program comes to.
    level = gdb.selected_frame().level()
    gdb.newest_frame().select()
    stack = int(gdb.parse_and_eval("(long)$sp"))
    try:
        gdb.execute(f"set $sp = {stack - FAR_BELOW}", to_string=True)
        return gdb.parse_and_eval(f"heed::{precision}::why_at_breakpoint()").string("utf-8")
    except gdb.error as error:
        reason = str(error).splitlines()[0].rstrip(".")
        answer = answer_in_memory(precision) if NO_EXTENDED_STATE in reason else None
        if answer is None:
            raise gdb.GdbError(f"The program could not answer: {reason}.") from None
        return answer
    finally:
        gdb.newest_frame().select()
        gdb.execute(f"set $sp = {stack}", to_string=True)
        gdb.execute(f"frame {level}", to_string=True)
        gdb.execute(f"set unwindonsignal {'on' if unwinds else 'off'}", to_string=True)
        for each in breakpoints:
            each.enabled = True


def answer_in_memory(precision):
    """gdb before 14 fails on a processor with AMX when the function has returned, in restoring
    registers that are too large for it; by then the program has the answer."""
    memory = objects.memory_of(DEBUGGER, precision)
    place = int(gdb.parse_and_eval(f"&'heed::{precision}::why_question'"))
    start = Record(memory, "WhyQuestion", place).get("answer", "Q")
    if start == 0:
        return None
    return gdb.Value(start).cast(gdb.lookup_type("char").pointer()).string("utf-8")


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
            raise gdb.GdbError("Why what? For example: why W[1,2], or, for a value that is not a "
                               "leaf: why weights[0,3] of loss.")
        check_runs("why")
        if words[1:] == ["back"]:
            return self.back(words[0])
        found, precision = variable_at(argument)
        index = index_of(found)
        output = variable_at(of)[0] if of else None
        of_index = index_of(output) if of else []
        if max(len(index), len(of_index)) > 8:
            raise gdb.GdbError("A tensor has at most 8 axes.")
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
            raise gdb.GdbError(f"{expression} is a constant: nothing is recorded for it.")
        write_question(precision, None, [], found, index, expression)
        answer = ask(precision)
        if not answer.split(" ")[0].isdigit():
            raise gdb.GdbError(answer.rstrip("\n"))
        number = read(found)
        title = f"{expression} is {NumberStyle([0.5], 4).text(number.value.values()[0])}"
        lengths = variable.value.shape[-1:] + variable.value.shape[-2:-1]
        words = next(filter(None, map(words_in_scope, lengths)), None)
        return way_back_lines(memory, variable.node, answer, names_here(), words, title)


WhyCommand("why")
