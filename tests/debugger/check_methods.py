"""Calls and subscripts in gdb's own expressions and conditions, as C++ writes them, which read
memory and never call the program; and the same in heed's commands."""

import os
import sys

import gdb

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from checking import (begin, end_with, expect, expect_printed, expect_said, line_of, run, stop_in)

TENSORS = {
    "rank_2.dim(0)": "2",
    "rank_2.dim(-1)": "3",
    "rank_2.rank()": "2",
    "rank_2.numel()": "6",
    "rank_2.shape()": "[2, 3]",
    "rank_2.shape()[1]": "3",
    "rank_2.shape().numel()": "6",
    "transposed.strides()": "[1, 3]",
    "rank_2[0]": "{0.5, -2, 3}",
    "rank_2[-1]": "{4, 5, 6.25}",
    "rank_2[0][1]": "-2",
    "rank_2[number - 2][2]": "6.25",
    "rank_2.at(0,1)": "-2",
    "rank_2.at(number - 3, -1)": "3",
    "rank_2.operator()(1, 2)": "6.25",
    "transposed[2]": "{3, 6.25}",
    "transposed[2][1]": "6.25",
    "expanded[1][2]": "3",
    "reference.dim(1)": "3",
    "pointer->dim(1)": "3",
    "(*pointer)[0][0]": "0.5",
    "rank_0.item()": "3.5",
    "rank_0.at()": "3.5",
    "rank_1[2] * 2": "6",
    "rank_1[2] > 2.5": "true",
    "rank_5[1][0][1][1][2] == rank_5.at(1, 0, 1, 1, 2)": "true",
    "list[1].dim(0)": "3",
    "sizeof(rank_2.at(0,0))": "4",
}
REFUSALS = {
    "rank_2.dim(2)": "the shape is [2, 3]: there is no axis 2",
    "rank_2.at(0)": "the shape is [2, 3], which takes 2 indices",
    "rank_2.at(0, 3)": "index 3 is out of range: axis 1 has 3 entries",
    "rank_2[2]": "index 2 is out of range: axis 0 has 2 entries",
    "rank_0[0]": "it is a single number, which has no rows",
    "no_rows[0]": "index 0 is out of range: axis 0 has 0 entries",
    "empty.item()": "it has 0 numbers, and item() needs one",
    "garbage->dim(0)": "that is not constructed yet, or is gone already",
}
OTHERS = {
    "ids[1][2]": "92",
    "ids.at(0, 0)": "3",
    "truth[1]": "true",
    "causal.T_q()": "2",
    "causal.T_k()": "3",
    "causal[0][2]": "false",
    "shape[1]": "3",
    "shape.rank()": "3",
}
VARIABLES = {
    "weights.at(0, 1) > 0.1 && weights.at(0, 1) < 0.2": "true",
    "weights.value().dim(0)": "2",
    "loss.item() > 7": "true",
    "W.has_grad()": "true",
    "W.grad()[1][2]": "13",
    "W.is_leaf()": "true",
    "weights.is_leaf()": "false",
    "constant.is_leaf()": "true",
    "frozen.has_grad()": "false",
    "parameter.dim(1)": "3",
    "three[1][0].operator_is_no_member": "Attempt to extract a component of a value that is not a "
                                         "structure.",
}
COMMANDS = {
    "tensor rank_2(0,1)": "rank_2[0,1] []\n-2.",
    "tensor rank_2[number - 2]": "rank_2[number - 2] [3]\n[4.0000, 5.0000, 6.2500]",
    "tensor rank_2[0:number - 2]": "rank_2[0:number - 2] [1, 3]\n[[ 0.5000, -2.0000,  3.0000]]",
    "tensor rank_2[number]": "rank_2[number]: index 3 is out of range: axis 0 has 2 entries.",
    "tensor rank_2[rank_1]": "rank_2[rank_1]: rank_1 is not an index; an index is a number, or a "
                             "range such as 1:3 or :.",
    "tensor list[texts]": "list[texts]: texts is not an index; an index is a number, or a range "
                          "such as 1:3 or :.",
    "why pair.right[rank_1]": "pair.right[rank_1]: rank_1 is not an index; an index is a number, or "
                              "a range such as 1:3 or :.",
    "expect rank_2(0,1) == -2": "  as the lesson says: rank_2(0,1) is -2",
    "compare attention attention": "There is no attention here. `shapes` lists what there is; `up` "
                                   "goes to the caller.",
}


def check_types():
    for expression, type in (("rank_2.at(0,1)", "float"), ("rank_2[0][1]", "float"),
                             ("rank_2.dim(0)", "long"), ("rank_2.shape()", "heed::f32::Shape"),
                             ("rank_2[0]", "float *")):
        expect_said(f"whatis {expression}", f"type = {type}")


def check_conditions():
    """One that does not hold lets the program go on, one that holds halts it."""
    first, then = line_of("Variable kept ="), line_of("Variable shared =")
    fails, holds = gdb.Breakpoint(f"states.cpp:{first}"), gdb.Breakpoint(f"states.cpp:{then}")
    fails.condition, holds.condition = "weights.at(0,1) > 0.5", "weights[0][1] < 0.5"
    gdb.execute("continue", to_string=True)
    expect("where it halts", gdb.selected_frame().find_sal().line, then)
    expect("of two conditions", (fails.hit_count, holds.hit_count), (0, 1))


def refused(expression):
    """What is said on the error stream before gdb's own words."""
    said, write = [], gdb.write
    gdb.write = lambda text, stream: said.append(text)
    try:
        expect(expression, run("print " + expression), "Error while executing Python code.")
    finally:
        gdb.write = write
    return "".join(said).strip()


def main():
    begin("nothing_is_constructed")
    expect("x.dim(0)", refused("x.dim(0)"), "that is not constructed yet, or is gone already")
    gdb.execute("delete")
    gdb.Breakpoint("look")
    stop_in("tensors")
    for expression, wanted in TENSORS.items():
        expect_printed(expression, wanted)
    for expression, words in REFUSALS.items():
        expect(expression, refused(expression), words)
    check_types()
    for command, wanted in COMMANDS.items():
        expect_said(command, wanted)
    stop_in("other_types")
    for expression, wanted in OTHERS.items():
        expect_printed(expression, wanted)
    check_conditions()
    stop_in("variables")
    for expression, wanted in VARIABLES.items():
        expect_printed(expression, wanted)


end_with(main, 70)
