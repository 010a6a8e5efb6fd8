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
    "why",
]


def load(debugger):
    DEBUGGER.lldb = debugger
    DEBUGGER.look_at()
    for part in PARTS:
        importlib.import_module("heed_debug." + part)
    from heed_debug import lldb_command, lldb_printers, lldb_steps
    debugger.HandleCommand("script import heed_debug.lldb_command, heed_debug.lldb_printers")
    lldb_printers.add_summaries(debugger)
    lldb_command.add_commands(debugger)
    lldb_steps.set_level(levels.DEFAULT)
