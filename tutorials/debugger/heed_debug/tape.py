"""tape: the backward pass, node by node. `tape step` processes one node and shows the gradient it
received, what it passed to its inputs, and which consumers of those are still pending."""

import gdb

from heed_debug import objects, text
from heed_debug.gdb_command import Command
from heed_debug.gdb_debugger import DEBUGGER
from heed_debug.gdb_surroundings import check_seen_inside
from heed_debug.memory import Broken, Unreadable
from heed_debug.tape_pass import Pass

MOST_NODES = 24


def precision_of(frame):
    return "f64" if "heed::f64::" in (frame.function().name or "") else "f32"


def pass_of(frame):
    memory = objects.memory_of(DEBUGGER, precision_of(frame))
    return Pass(memory, int(frame.read_var("this")))


def frame_of(function):
    """The innermost frame of this backward-pass function in the selected thread."""
    try:
        frame = gdb.newest_frame()
    except gdb.error:
        return None
    while frame is not None:
        name = (frame.name() or "").split("(")[0]
        if name.startswith("heed::") and name.endswith("::BackwardPass::" + function):
            return frame
        frame = frame.older()
    return None


class AtWalk(gdb.Breakpoint):
    """Halts before a node is processed, in one pass only if that is given."""

    def __init__(self, of_pass=None):
        super().__init__("BackwardPass::walk", internal=True)
        self.silent = True
        self.of_pass = of_pass

    def stop(self):
        frame = gdb.newest_frame()
        if self.of_pass not in (None, int(frame.read_var("this"))):
            return False
        return pass_of(frame).walks(int(frame.read_var("position")))


class AtReceive(gdb.Breakpoint):
    """Records what a node passes to its inputs, without halting."""

    def __init__(self, of_pass):
        super().__init__("BackwardPass::receive", internal=True)
        self.silent = True
        self.of_pass = of_pass
        self.given = []  # (position of the giver, which of its inputs, the numbers in lines)

    def stop(self):
        frame = gdb.newest_frame()
        if int(frame.read_var("this")) == self.of_pass:
            gradient = frame.read_var("gradient")
            memory = objects.memory_of(DEBUGGER, precision_of(frame))
            numbers = memory.variable(DEBUGGER.place(gradient)).value
            giver, input = int(frame.read_var("position")), int(frame.read_var("input"))
            self.given.append((giver, input, numbers.shape, grid(numbers)))
        return False


class AtEnd(gdb.FinishBreakpoint):
    def __init__(self, run_frame):
        super().__init__(run_frame, internal=True)
        self.silent = True
        self.reached = False

    def stop(self):
        self.reached = True
        return True


def grid(numbers):
    return text.cut_lines(text.grid(numbers, summarise_above=64), 8)


def with_numbers(line, lines):
    if len(lines) == 1 and len(line) + len(lines[0]) < 90:
        return [f"{line} {lines[0]}"]
    return [line] + ["      " + each for each in lines]


def is_running():
    return gdb.selected_inferior().pid != 0


def go_on():
    gdb.execute("continue" if is_running() else "run", to_string=True)


def whole_line(the_pass):
    root = objects.node_line(the_pass.node(the_pass.size - 1))
    called = f", called at {the_pass.where.text()}" if the_pass.where.line else ""
    return f"backward pass from {root}{called}: {text.counted(the_pass.count(), 'node')} to walk"


def next_line(the_pass, position):
    node = objects.node_line(the_pass.node(position))
    return f"next, {the_pass.number(position)} of {the_pass.count()}: {node}"


def names(the_pass, positions):
    return "; ".join(objects.node_line(the_pass.node(position)) for position in positions)


def standing():
    """(pass, position, frame of run) of the running pass, or None."""
    walk, run = frame_of("walk"), frame_of("run")
    if walk is None or run is None:
        return None
    return pass_of(walk), int(walk.read_var("position")), run


def to_next_pass():
    """Continues until a pass begins, and describes it in one line."""
    check_seen_inside("BackwardPass::walk")
    at_walk = AtWalk()
    try:
        if at_walk.pending:
            raise gdb.GdbError("No program is loaded in which anything could be differentiated: "
                               "file build/debug/tutorials/02_autograd")
        go_on()
    finally:
        at_walk.delete()
    if not is_running():
        return ["The program ended, and there was no other backward pass."]
    found = standing()
    if found is None:
        return ["Something else halted the program before a backward pass began: `bt` shows where "
                "it is."]
    the_pass, position, _ = found
    return [whole_line(the_pass), next_line(the_pass, position)]


def walk_on(the_pass, run, one_node):
    """Continues to the next node of the pass, or to its end; returns what was passed on meanwhile,
    and how it ended."""
    at_receive = AtReceive(the_pass.address)
    breakpoints = [at_receive] + ([AtWalk(the_pass.address)] if one_node else [])
    at_end = AtEnd(run)
    try:
        go_on()
    finally:
        for breakpoint in breakpoints + ([at_end] if at_end.is_valid() else []):
            breakpoint.delete()
    return at_receive.given, at_end.reached


def received_lines(the_pass, position):
    node = the_pass.node(position)
    lines = [f"{the_pass.number(position)} of {the_pass.count()}: {objects.node_line(node)}"]
    gradient = the_pass.gradient(position)
    if gradient is None:
        return lines + ["  is being processed; what it received was passed on"]
    return lines + with_numbers("  received, all added up:" if node.is_leaf else "  received:",
                                grid(gradient))


def given_lines(the_pass, giver, input, shape, numbers):
    to = the_pass.inputs[giver][input]
    node = the_pass.node(to)
    line = f"  gave its input {input}, {objects.node_line(node)}:"
    lines = with_numbers(line, numbers)
    if tuple(shape) != tuple(node.shape):
        lines.append(f"    added up over what was broadcast: {text.list_text(shape)} becomes "
                     f"{text.list_text(node.shape)}")
    waiting = the_pass.waits_for(to, giver)
    if waiting:
        lines.append(f"    it waits for {names(the_pass, waiting)}")
    return lines


def step_lines():
    found = standing()
    if found is None:
        return to_next_pass()
    the_pass, position, run = found
    lines = received_lines(the_pass, position)
    given, at_end = walk_on(the_pass, run, one_node=True)
    if not is_running():
        return lines + ["The program ended before the pass did."]
    for giver, input, shape, numbers in given:
        lines += given_lines(the_pass, giver, input, shape, numbers)
    if at_end:
        return lines + end_lines(the_pass)
    now = standing()
    if now is None or now[0].address != the_pass.address or frame_of("walk") != gdb.newest_frame():
        return lines + ["Something else halted the program in the middle of it: `bt` shows where "
                        "it is."]
    return lines + [next_line(the_pass, now[1])]


def end_lines(the_pass):
    lines = ["The pass is done. It found:"]
    for position in range(the_pass.size - 1, -1, -1):
        if the_pass.wanted[position] and the_pass.gradient(position) is not None:
            node = objects.node_line(the_pass.node(position))
            lines += with_numbers(f"  {node}:", grid(the_pass.gradient(position)))
    return lines


def status_lines():
    found = standing()
    if found is None:
        return ["No backward pass is running. `tape step` goes on to the next one."]
    the_pass, now, _ = found
    lines = [whole_line(the_pass)]
    positions = [p for p in range(the_pass.size - 1, -1, -1) if the_pass.needed[p]]
    place = positions.index(now)
    first = max(0, min(place - MOST_NODES // 2, len(positions) - MOST_NODES))
    shown = positions[first : first + MOST_NODES]
    if first:
        lines.append(f"  ... ({first} more before)")
    lines += [status_line(the_pass, position, now) for position in shown]
    left = len(positions) - first - len(shown)
    return lines + ([f"  ... ({left} more)"] if left else [])


def status_line(the_pass, position, now):
    node = objects.node_line(the_pass.node(position))
    if position > now:
        return f"  walked   {node}"
    if position == now:
        return f"  next     {node}"
    waiting = the_pass.waits_for(position, now + 1)
    return f"  waits    {node}, for {text.counted(len(waiting), 'consumer')}"


def finish_lines():
    found = standing()
    if found is None:
        raise gdb.GdbError("No backward pass is running. `tape step` goes on to the next one.")
    the_pass, _, run = found
    _, at_end = walk_on(the_pass, run, one_node=False)
    if at_end:
        return end_lines(the_pass)
    return ["The program ended, or something else halted it, before the pass did: `bt` shows "
            "where it is."]


class TapeCommand(Command):
    """tape: the state of the running backward pass, and which nodes wait for which.
    tape step      walk one node: what it received, what it gave to whom; where no pass is running,
                   go on to the next one
    tape finish    walk all that are left, and show what the pass found
    The program is then in the engine (autograd/engine.cpp): `step` goes into the derivative."""

    def __init__(self):
        super().__init__("tape", gdb.COMPLETE_NONE)

    def lines(self, argument):
        ways = {"": status_lines, "step": step_lines, "finish": finish_lines}
        if argument not in ways:
            raise gdb.GdbError(f"tape does not know {argument}: there are tape, tape step and "
                               "tape finish.")
        try:
            return ways[argument]()
        except (Broken, Unreadable) as error:
            raise gdb.GdbError(f"The pass could not be read: {error}. It needs a Debug build.") \
                from None


TapeCommand()
