"""graph X: what X was made from, operation by operation, with the lines that called them."""

import gdb

from heed_debug import objects, text
from heed_debug.commands_look import Command
from heed_debug.gdb_arguments import find, read, short_name
from heed_debug.gdb_debugger import DEBUGGER
from heed_debug.graph_text import MOST_NODES, TooLarge, graph_lines
from heed_debug.memory import Broken, Unreadable


class GraphCommand(Command):
    """graph X: the recorded graph below a variable, with the lines of its operations. Operations
    of one layer are shown as one; what is used more than once is written out once."""

    def lines(self, argument):
        if not argument:
            raise gdb.GdbError("Which variable's graph? For example: graph loss.")
        found = find(argument)
        if found.slices:
            raise gdb.GdbError("A slice made here has no graph of its own; ask for the whole "
                               "variable.")
        value = read(found)
        kind = objects.kind_of(DEBUGGER, found.type)
        if kind[1] not in ("Variable", "Node"):
            raise gdb.GdbError(f"{found.name} is of type {short_name(found.type)}: nothing is "
                               "recorded for it. Only a Variable has a graph.")
        node = value if kind[1] == "Node" else value.node
        if node is None:
            return [f"constant {text.list_text(value.value.shape)}"]
        try:
            return graph_lines(objects.memory_of(DEBUGGER, kind[0]), node)
        except TooLarge:
            raise gdb.GdbError(f"The graph below {found.name} has more than {MOST_NODES} nodes, "
                               "too many to read.") from None
        except (Broken, Unreadable):
            raise gdb.GdbError(f"The graph below {found.name} is being built or freed right now. "
                               "Finish this function first.") from None


GraphCommand("graph")
