"""Importing this into gdb loads every printer and command."""

import importlib

PARTS = [
    "skips",
    "stepping",
    "gdb_printers",
    "gdb_methods",
    "commands_look",
    "commands_graph",
    "commands_attention",
    "commands_stops",
    "commands_tour",
    "commands_level",
    "commands_into",
    "commands_error",
    "commands_help",
    "commands_snoop",
    "commands_walk",
    "commands_layers",
    "commands_changes",
    "gdb_keep_graphs",
    "why",
    "tape",
]

for part in PARTS:
    try:
        importlib.import_module("heed_debug." + part)
    except ModuleNotFoundError as error:
        if error.name != "heed_debug." + part:
            raise
