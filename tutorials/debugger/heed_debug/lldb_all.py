"""Loads everything for lldb: what is shown, commands, and the functions that `step` skips."""

import importlib

from heed_debug import levels
from heed_debug.lldb_debugger import DEBUGGER

PARTS = [
    "commands_look",
    "commands_graph",
    "commands_attention",
    "commands_stops",
    "commands_tour",
    "commands_level",
    "commands_help",
    "commands_into",
    "commands_layers",
    "commands_error",
    "why",
    "lldb_tour",
    "lldb_gdb_only",
]


def load(debugger):
    DEBUGGER.lldb = debugger
    DEBUGGER.look_at()
    for part in PARTS:
        importlib.import_module("heed_debug." + part)
    from heed_debug import (lldb_children, lldb_command, lldb_keep_graphs, lldb_printers,
                            lldb_steps)
    asked = (lldb_children, lldb_command, lldb_keep_graphs, lldb_printers)
    debugger.HandleCommand("script import " + ", ".join(part.__name__ for part in asked))
    lldb_printers.add_summaries(debugger)
    lldb_children.add_children(debugger, lldb_printers.SHOWN)
    lldb_keep_graphs.halt_in_main()
    lldb_command.add_commands(debugger)
    lldb_steps.set_level(levels.DEFAULT)
