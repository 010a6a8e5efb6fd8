"""Loads everything for lldb: summaries, commands, and the functions that `step` skips."""

from heed_debug import lldb_commands, lldb_printers, lldb_stops, skipped

# Mangled names of standard library functions that lldb (14) cannot demangle.
MANGLED = ["^_ZN?K?S[tabsiod]", "^_ZN?K?9__gnu_cxx"]


def load(debugger):
    names = [part.__name__ for part in (lldb_commands, lldb_printers, lldb_stops)]
    debugger.HandleCommand("script import " + ", ".join(names))
    lldb_printers.add_summaries(debugger)
    lldb_commands.add_commands(debugger)
    lldb_stops.add_commands(debugger)
    avoided = "|".join(f"({pattern})" for pattern in [*skipped.patterns(), *MANGLED])
    debugger.HandleCommand(f"settings set target.process.thread.step-avoid-regexp {avoided}")
