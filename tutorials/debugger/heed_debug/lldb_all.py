"""Loads, into an lldb, what there is for it: summaries, commands, and what `step` passes over."""

from heed_debug import lldb_commands, lldb_printers, lldb_stops, skipped

# The standard library's functions whose names lldb (14) cannot read.
MANGLED = ["^_ZN?K?S[tabsiod]", "^_ZN?K?9__gnu_cxx"]


def load(debugger):
    names = [part.__name__ for part in (lldb_commands, lldb_printers, lldb_stops)]
    debugger.HandleCommand("script import " + ", ".join(names))
    lldb_printers.add_summaries(debugger)
    lldb_commands.add_commands(debugger)
    lldb_stops.add_commands(debugger)
    avoided = "|".join(f"({pattern})" for pattern in [*skipped.patterns(), *MANGLED])
    debugger.HandleCommand(f"settings set target.process.thread.step-avoid-regexp {avoided}")
