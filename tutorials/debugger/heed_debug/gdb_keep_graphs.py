"""Graphs are kept while a program is debugged, for `why`: gdb sets the library's switch in main."""

import struct

import gdb

PRECISIONS = ("f32", "f64")

# Not worth stepping into.
KEEPING = ("(KeepGraph|SuspendKeeping|ContributionsTo)::|(graphs_are_kept|keeping_is_suspended)[(]|"
           ".anonymous namespace.::(Keeper::|AnomalyObserver::|"
           "any_keeps_graphs[(]|report_forgotten_gradient[(])|"
           "BackwardPass::(frees_graph|root|upstream|site)[(]")
gdb.execute(f"skip -rfu '^heed::f(32|64)::({KEEPING})'", to_string=True)


class KeepGraphs(gdb.Parameter):
    """Whether graphs are kept after backward(), so that `why` can be used. On by default; it
    counts from the next start of the program on."""

    set_doc = "Set whether graphs are kept for `why`."
    show_doc = "Show whether graphs are kept for `why`."

    def __init__(self):
        super().__init__("heed-keep-graphs", gdb.COMMAND_DATA, gdb.PARAM_BOOLEAN)
        self.value = True

    def get_set_string(self):
        return ""

    def get_show_string(self, value):
        return f"Graphs are kept for `why`: {value}."


class AtMain(gdb.Breakpoint):
    """Sets the library's switch to 1 when the program starts."""

    def __init__(self):
        super().__init__("main", internal=True)

    def stop(self):
        for precision in PRECISIONS if keep_graphs.value else ():
            try:
                place = int(gdb.parse_and_eval(f"&heed::{precision}::graph_keepers"))
            except gdb.error:
                continue
            gdb.selected_inferior().write_memory(place, struct.pack("<i", 1))
        return False


def halt_in_main(event=None):
    """Once there is a program that has one; gdb would complain of a breakpoint in none."""
    global at_main
    if at_main is not None and at_main.is_valid():
        return
    try:
        gdb.decode_line("main")
    except gdb.error:
        return
    at_main = AtMain()


keep_graphs = KeepGraphs()
at_main = None
halt_in_main()
gdb.events.new_objfile.connect(halt_in_main)
