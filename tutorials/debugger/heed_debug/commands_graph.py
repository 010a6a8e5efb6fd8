"""graph X: what X was made from, operation by operation, with the lines that called them."""

import gdb

from heed_debug import objects, text
from heed_debug.commands_look import Command
from heed_debug.gdb_arguments import find, pointed_to, read, short_name, words_of
from heed_debug.gdb_debugger import DEBUGGER
from heed_debug.gdb_frames import declared_later, selected_frame, variables
from heed_debug.graph_text import MOST_NODES, TooLarge, graph_lines
from heed_debug.layer_names import Names
from heed_debug.layers import contained, held_layer
from heed_debug.memory import Broken, Unreadable


class GraphCommand(Command):
    """graph X [LEVELS]: the recorded graph below a variable, with the lines of its operations.
    graph loss        operations of one layer are shown as one, its parameters are counted
    graph loss 1      the outermost layers are opened; 2: those in them, too
    What is used more than once is written out once."""

    def lines(self, argument):
        if not argument:
            raise gdb.GdbError("Which variable's graph? For example: graph loss.")
        words = words_of(argument)
        levels = int(words.pop()) if len(words) > 1 and words[-1].isdigit() else 0
        found = find(" ".join(words))
        if found.slices:
            raise gdb.GdbError("A slice made here has no graph of its own; ask for the whole "
                               "variable.")
        value = read(found)
        kind = objects.kind_of(DEBUGGER, found.type)
        if kind[1] not in ("Variable", "Node"):
            raise gdb.GdbError(f"{found.name} is of type {short_name(found.type)}: nothing is "
                               "recorded for it. Only a Variable has a graph.")
        if kind[1] == "Variable" and value.hidden:
            raise gdb.GdbError(f"{found.name} was made by a heed without debug information, so its "
                               "graph cannot be read.")
        node = value if kind[1] == "Node" else value.node
        if node is None:
            return [f"constant {text.list_text(value.value.shape)}"]
        try:
            return graph_lines(objects.memory_of(DEBUGGER, kind[0]), node, levels, names_here())
        except TooLarge:
            raise gdb.GdbError(f"The graph below {found.name} has more than {MOST_NODES} nodes, "
                               "too many to read.") from None
        except (Broken, Unreadable):
            raise gdb.GdbError(f"The graph below {found.name} is being built or freed right now. "
                               "Finish this function first.") from None


def names_here():
    """Of the layers and leaves in the selected frame and its callers, the nearest first; by `this`
    only what has no other name."""
    names, frame, selves = Names(), selected_frame(), []
    while frame is not None:
        for symbol, value in variables(frame):
            if symbol.name == "this":
                selves.append(value)
            elif not declared_later(frame, symbol):
                add(names, symbol.name, value)
        frame = frame.older()
    for value in selves:
        add(names, "this", value)
    return names


def add(names, name, value):
    try:
        value = pointed_to(value)
        kind = objects.kind_of(DEBUGGER, value.type)
        if not kind or value.address is None:
            return
        memory, place = objects.memory_of(DEBUGGER, kind[0]), int(value.address)
        if kind[1] == "Module":
            names.add_layer(DEBUGGER, memory, name, value.type, place)
        elif kind[1] in ("optional Module", "pointer", "AnyLayer"):
            for layer, at in layers_in(memory, kind[1], value.type, place):
                names.add_layer(DEBUGGER, memory, name, layer, at)
        elif kind[1] == "Variable":
            names.add_variable(name, memory.variable(place))
    except (Broken, Unreadable, gdb.error):
        return


def layers_in(memory, kind, type, place):
    """(type, place) of the layer that an Any, an optional or a pointer holds."""
    if kind == "AnyLayer":
        held = held_layer(DEBUGGER, memory, place)
        return [held] if held else []
    return [(entry, at) for _, entry, at in contained(DEBUGGER, memory, type, place)]


GraphCommand("graph")
