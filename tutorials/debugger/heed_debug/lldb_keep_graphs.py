"""Graphs are kept while a program is debugged, for `why`: lldb sets the library's switch in main.
`breakpoint disable heed_keep_graphs`, before the program starts, leaves it as it is."""

import struct

import lldb

from heed_debug import lldb_here as here
from heed_debug.lldb_debugger import DEBUGGER

NAME = "heed_keep_graphs"
PRECISIONS = ("f32", "f64")


def at_main(frame, location, session):
    for precision in PRECISIONS:
        place = here.address_of(f"heed::{precision}::graph_keepers")
        if place is not None:
            here.write(place, struct.pack("<i", 1))
    return False


def halt_in_main():
    """Once for each program."""
    target, there = DEBUGGER.target, lldb.SBBreakpointList(DEBUGGER.target)
    if not target.IsValid() or target.FindBreakpointsByName(NAME, there) and there.GetSize():
        return
    halt = target.BreakpointCreateByName("main", target.GetExecutable().GetFilename())
    halt.SetScriptCallbackFunction(__name__ + ".at_main")
    halt.AddName(NAME)
