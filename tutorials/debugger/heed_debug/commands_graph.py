"""graph X: what X was made from, operation by operation, with the lines that called them."""

from heed_debug import objects, text
from heed_debug.arguments import read
from heed_debug.asking import Refused, words_of
from heed_debug.graph_text import MOST_NODES, TooLarge, graph_lines
from heed_debug.host import DEBUGGER, Command, here
from heed_debug.layer_names import Names
from heed_debug.layers import contained, held_layer
from heed_debug.memory import Broken, Unreadable
from heed_debug.paths import find, pointed_to, short_name


class GraphCommand(Command):
    """graph X [LEVELS]: the recorded graph below a variable, with the lines of its operations.
    graph loss        operations of one layer are shown as one, its parameters are counted
    graph loss 1      the outermost layers are opened; 2: those in them, too
    What is used more than once is written out once."""

    def lines(self, argument):
        if not argument:
            raise Refused("Which variable's graph? For example: graph loss.")
        words = words_of(argument)
        levels = int(words.pop()) if len(words) > 1 and words[-1].isdigit() else 0
        found = find(" ".join(words))
        if found.slices:
            raise Refused("A slice made here has no graph of its own; ask for the whole "
                          "variable.")
        value = read(found)
        kind = objects.kind_of(DEBUGGER, found.type)
        if kind[1] not in ("Variable", "Node"):
            raise Refused(f"{found.name} is of type {short_name(found.type)}: nothing is "
                          "recorded for it. Only a Variable has a graph.")
        if kind[1] == "Variable" and value.hidden:
            raise Refused(f"{found.name} was made by a heed without debug information, so its "
                          "graph cannot be read.")
        node = value if kind[1] == "Node" else value.node
        if node is None:
            return [f"constant {text.list_text(value.value.shape)}"]
        try:
            return graph_lines(objects.memory_of(DEBUGGER, kind[0]), node, levels, names_here())
        except TooLarge:
            raise Refused(f"The graph below {found.name} has more than {MOST_NODES} nodes, "
                          "too many to read.") from None
        except (Broken, Unreadable):
            raise Refused(f"The graph below {found.name} is being built or freed right now. "
                          "Finish this function first.") from None


def names_here():
    """Of the layers and leaves in the selected frame and its callers, the nearest first; by `this`
    only what has no other name."""
    names, selves = Names(), []
    for frame in here.frames():
        for local in here.variables(frame):
            if local.name == "this":
                selves.append(local)
            elif not local.later:
                add(names, local)
    for local in selves:
        add(names, local)
    return names


def add(names, local):
    try:
        type, place = pointed_to(local.type, local.place)
        kind = objects.kind_of(DEBUGGER, type)
        if not kind:
            return
        memory = objects.memory_of(DEBUGGER, kind[0])
        if kind[1] == "Module":
            names.add_layer(DEBUGGER, memory, local.name, type, place)
        elif kind[1] in ("optional Module", "pointer", "AnyLayer"):
            for layer, at in layers_in(memory, kind[1], type, place):
                names.add_layer(DEBUGGER, memory, local.name, layer, at)
        elif kind[1] == "Variable":
            names.add_variable(local.name, memory.variable(place))
    except (Broken, Unreadable):
        return


def layers_in(memory, kind, type, place):
    """(type, place) of the layer that an Any, an optional or a pointer holds."""
    if kind == "AnyLayer":
        held = held_layer(DEBUGGER, memory, place)
        return [held] if held else []
    return [(entry, at) for _, entry, at in contained(DEBUGGER, memory, type, place)]


GraphCommand("graph")
