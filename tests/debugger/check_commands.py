"""Every inspection command on the states of states.cpp: its output and its error messages, word for
word."""

import os
import sys

import gdb

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from commands_said import GRAPHS, IN_A_LAYER, TENSORS, UNBORN, VARIABLES, WITHOUT_PROGRAM
from checking import (begin, end_with, expect, expect_said, expect_that, line_of, lines_of, run,
                      stop_in)

def check_all(texts):
    for command, text in texts.items():
        expect_said(command, text)


def check_words():
    """A variable `words` that fits is used by default, another text on request."""
    for command, (first, second, third) in (
            ("attention weights", ("king ", "queen", "man  ")),
            ("attention weights sentence", ("the  ", "keys ", "are  "))):
        widths = [max(4, len(word.strip())) for word in (first, second, third)]
        head = "".join("  " + word.strip().rjust(width)
                       for word, width in zip((first, second, third), widths))
        cells = [["1.00", "·", "·"], ["0.50", "0.50", "·"], ["0.25", "0.50", "0.25"]]
        rows = [word + "      " + "".join("  " + cell.rjust(width)
                                          for cell, width in zip(row, widths))
                for word, row in zip((first, second, third), cells)]
        expect_said(command, "weights [3, 3] rows sum to 1\n"
                    "rows: queries, columns: keys; · is 0\n"
                    "query \\ key" + head + "\n" + "\n".join(rows))


def check_library_graphs():
    """The graphs equal the library's own."""
    for variable, text in (("loss", "graph"), ("shared", "shared_graph")):
        expect(f"graph {variable}", run(f"graph {variable}") + "\n", library_text(text))


def library_text(name):
    value = gdb.parse_and_eval(name)
    return value["_M_dataplus"]["_M_p"].string(length=int(value["_M_string_length"]))


def check_shapes_of_tensors():
    rows = dict(line.split(None, 1) for line in run("shapes").split("\n"))
    wanted = {
        "empty": "Tensor                 [0]",
        "rank_8": "Tensor                 [1, 2, 1, 1, 2, 1, 1, 3]",
        "strange": "Tensor                 [2, 3] 2 NaN, 1 inf, 1 -inf",
        "transposed": "Tensor                 [3, 2] strides [1, 3]",
        "source": "Tensor                 [0]",
        "null_pointer": "Tensor*                nullptr",
        "none": "std::optional<Tensor>  <none>",
        "list[1]": "Tensor                 [3]",
        "pair.right": "Variable               [3] leaf, needs grad",
        "garbage": "Tensor                 <not constructed yet>",
    }
    for name, line in wanted.items():
        expect(f"shapes: {name}", rows.get(name), line)
    expect_that("shapes leaves numbers out", "number" not in rows and "texts" not in rows)


def check_shapes_in_a_layer():
    line = lines_of("nn/linear.cpp", " linear(")[0]
    expect_said("shapes", IN_A_LAYER.replace("{linear}", str(line)))
    weight = float(gdb.parse_and_eval("first.weight.value_.storage_._M_ptr.data_[1]"))
    expect_said("tensor this->first.weight[0,1]",
                f"this->first.weight[0,1] [] leaf, needs grad\n{weight:.4f}")
    expect_said("tensor second.bias", 'second.bias [0] constant\n[]')
    expect_said("tensor this", "this is of type Model, which is not a tensor. `print this` shows "
                               "it.")


def check_heat_map_in_color():
    os.environ["FORCE_COLOR"] = "1"
    said = run("attention weights")
    del os.environ["FORCE_COLOR"]
    expect_that(said, "\x1b[38;5;16;48;5;231m  0.04\x1b[0m" in said)
    expect_that(said, "\x1b[38;5;231;48;5;26m  0.79\x1b[0m" in said)


def check_at_a_stop():
    """At a named stop, names refer to the lesson's variables, though the frame is the stop's."""
    gdb.execute("continue", to_string=True)
    expect_that("the lesson's frame at a stop", gdb.selected_frame().name().startswith("main"))
    expect_said("tensor at_the_stop", "at_the_stop [2]\n[4., 2.]")
    expect_said("stops", f"99.1 a stop  states.cpp:{line_of('99.1 a stop')}\n"
                "Halt at each of them: break heed::stop\n"
                'At one only: break heed::stop if $_streq(name, "99.1 a stop")')


def main():
    check_all({command: text for command, text in WITHOUT_PROGRAM.items() if command != "stops"})
    begin("nothing_is_constructed")
    check_all(UNBORN)
    gdb.execute("delete")
    gdb.Breakpoint("look")
    stop_in("tensors")
    check_all(TENSORS)
    check_shapes_of_tensors()
    stop_in("other_types")
    expect_said("tensor ids[1]", "ids[1] [3]\n[ 1,  5, 92]")
    expect_said("tensor causal", "causal [2, 3]\nx x ·\nx x x")
    expect_said("tensor causal[0]", "causal[0] [3]\nx x ·")
    expect_said("tensor causal[0,2]", "causal[0,2] []\n·")
    expect_said("tensor padding[0]", "padding[0] [1, 1, 2]\n[0, :, :]\nx ·")
    expect_said("tensor no_mask", "no_mask is empty: nothing was put into it.")
    check_words()
    stop_in("variables")
    check_all(VARIABLES)
    check_library_graphs()
    check_heat_map_in_color()
    stop_in("Model::operator()")
    check_shapes_in_a_layer()
    stop_in("layers")
    for command, wanted in GRAPHS.items():
        for name, text in (("line", "matmul("), ("linear", " linear(")):
            wanted = wanted.replace(f"{{{name}}}", str(lines_of("nn/linear.cpp", text)[0]))
        expect_said(command, wanted)
    said = run("attention record").split("\n")
    expect("attention record", [said[1], said[3].split()[0], len(said)],
           ["[0, 0]", "query", 13])
    expect("attention record, words", [line.split()[0] for line in said[4:7]],
           ["the", "keys", "are"])
    expect("attention record, keys", said[3].split()[3:], ["the", "keys", "are"])
    expect_that("the graph of z has layers", "MultiHeadAttention" in run("graph z"))
    expect_said("tensor linear", "linear is of type Linear, which is not a tensor. `print linear` "
                "shows it.")
    gdb.Breakpoint("heed::stop")
    stop_in("main")
    expect_said("shapes", "at_the_stop  Tensor  <not constructed yet>")
    gdb.execute("down", to_string=True)
    expect_said("shapes", "There are no tensors in look. `up` goes to its caller.")
    check_at_a_stop()


end_with(main, 120)
