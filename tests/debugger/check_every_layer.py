"""Of every layer of nn/: the number of parameters that the debugger counts is that of the program."""

import os
import sys

import gdb

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from checking import begin, end_with, expect_that, printed


def main():
    begin("look")
    shown = {}
    while gdb.selected_inferior().pid and gdb.selected_frame().name().startswith("look"):
        numbers = int(gdb.parse_and_eval("numbers"))
        lines = printed("layer")
        first = lines.split("\n")[0]
        expect_that(f"{numbers} of {lines}",
                    f", {numbers} parameter{'' if numbers == 1 else 's'}" in first + ",")
        shown[first.split(",")[0]] = lines
        gdb.execute("continue", to_string=True)
    expect_that(f"norms and positions stand in the tree of {shown['Gpt']}",
                all(name in shown["Gpt"] for name in ("norm1", "positions")))
    expect_that(f"a cell's weights do in that of {shown['GRU']}", "weight_ih" in shown["GRU"])


end_with(main, 44)
