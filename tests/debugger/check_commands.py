"""Every inspection command on the states of states.cpp: its output and its error messages, word for
word."""

import os
import sys

import gdb

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from checking import (begin, end_with, expect, expect_said, expect_that, line_of, lines_of, run,
                      stop_in)

NOT_RUNNING = ("The program is not running, so there is nothing to look at. `start` runs it to its "
               "first line, `run` to the next breakpoint.")
NOT_YET = (" is not constructed yet, or is gone already: there are numbers once the line that "
           "makes it has run.")

WITHOUT_PROGRAM = {
    "tensor x": NOT_RUNNING,
    "grad x": NOT_RUNNING,
    "shapes": NOT_RUNNING,
    "graph x": NOT_RUNNING,
    "attention x": NOT_RUNNING,
    "compare x y": NOT_RUNNING,
    "tensor": "Which tensor? For example: tensor weights, or of a part of it: tensor weights[0,2]. "
              "`shapes` lists what there is.",
    "grad": "Whose gradient? For example: grad W.",
    "graph": "Which variable's graph? For example: graph loss.",
    "attention": "Which weights? For example: attention weights, or with words: attention weights "
                 "words.",
    "compare x": "compare takes two tensors, with a blank between: compare A B.",
    "shapes x": "shapes takes no argument: it lists what is in scope. One tensor is shown "
                "by: tensor X.",
    "stops x": 'stops takes no argument. To halt at one of them: break heed::stop if '
               '$_streq(name, "NAME").',
    "stops": "This program has no named stops, or its sources are not where they were when it was "
             "compiled.",
}

UNBORN = {
    "tensor x": "x" + NOT_YET,
    "grad v": "v" + NOT_YET,
    "graph y": "y" + NOT_YET,
    "attention mask": "mask" + NOT_YET,
    "compare x y": "x" + NOT_YET,
}

RANK_2 = "[[ 0.5000, -2.0000,  3.0000],\n [ 4.0000,  5.0000,  6.2500]]"
TENSORS = {
    "tensor rank_2": "rank_2 [2, 3]\n" + RANK_2,
    "tensor *pointer": "*pointer [2, 3]\n" + RANK_2,
    "tensor pointer": "pointer [2, 3]\n" + RANK_2,
    "tensor reference": "reference [2, 3]\n" + RANK_2,
    "tensor pair.left": "pair.left [3]\n[1., 2., 3.]",
    "tensor list[1]": "list[1] [3]\n[1., 2., 3.]",
    "tensor list[2]": "list has 2 entries, so there is no list[2].",
    "tensor printed[3]": "printed[3] [3]\n[1., 2., 3.]",
    "tensor full": "full [3]\n[1., 2., 3.]",
    "tensor full[1]": "full[1] []\n2.",
    "tensor rank_2[1]": "rank_2[1] [3]\n[4.0000, 5.0000, 6.2500]",
    "tensor rank_2[1,2]": "rank_2[1,2] []\n6.2500",
    "tensor rank_2[-1, -3]": "rank_2[-1, -3] []\n4.",
    "tensor rank_2[:,1]": "rank_2[:,1] [2] strides [3]\n[-2.,  5.]",
    "tensor rank_2[:,1:]": "rank_2[:,1:] [2, 2] strides [3, 1]\n[[-2.0000,  3.0000],\n"
                           " [ 5.0000,  6.2500]]",
    "tensor transposed[1]": "transposed[1] [2] strides [3]\n[-2.,  5.]",
    "tensor rank_2[1][1:]": "rank_2[1][1:] [2]\n[5.0000, 6.2500]",
    "tensor list[1][0]": "list[1][0] []\n1.",
    "tensor list[-1]": "list has 2 entries, so there is no list[-1].",
    "tensor bytes[0]": "bytes[0] is of type unsigned char, which is not a tensor. `shapes` lists "
                       "the tensors here.",
    "tensor weights[0]": "weights[0] [3] rows sum to 1\n[0.2500, 0.7500, 0.0000]",
    "tensor rank_2[2]": "rank_2[2]: index 2 is out of range: axis 0 has 2 entries.",
    "tensor rank_2[0,0,0]": "rank_2[0,0,0]: [0,0,0] has 3 indices, but the shape [2, 3] has 2 "
                            "axes.",
    "tensor rank_2[x]": "rank_2[x]: x is not an index; an index is a number, or a range such as "
                        "1:3 or :.",
    "tensor rank_2[0:9]": "rank_2[0:9]: range 0:9 does not lie within axis 0, which goes from 0 "
                          "to 2.",
    "tensor none": "none is empty: nothing was put into it.",
    "tensor source": "source [0]\n[]",
    "tensor garbage": "garbage" + NOT_YET,
    "tensor wild_pointer": "wild_pointer" + NOT_YET,
    "tensor null_pointer": "null_pointer" + NOT_YET,
    "tensor nonsense": "There is no nonsense here. `shapes` lists what there is; `up` goes to the "
                       "caller.",
    "tensor number": "number is of type int, which is not a tensor. `shapes` lists the tensors "
                     "here.",
    "tensor texts": "texts is of type std::vector<std::__cxx11::basic_string<char, "
                    "std::char_traits<char>, std::allocator<char> >, "
                    "std::allocator<std::__cxx11::basic_string<char, std::char_traits<char>, "
                    "std::allocator<char> > > >, which is not a tensor. `shapes` lists the "
                    "tensors here.",
    "tensor rank_2.shape_": "rank_2.shape_ is of type Shape, which is not a tensor. `print "
                            "rank_2.shape_` shows it.",
    "tensor rank_2 +": "gdb does not understand rank_2 +: A syntax error in expression, near `'.",
    "grad rank_2": "rank_2 is of type Tensor: numbers without a graph. Only a Variable has a "
                   "gradient.",
    "graph rank_2": "rank_2 is of type Tensor: nothing is recorded for it. Only a Variable has a "
                    "graph.",
    "graph pair.right": "leaf [3] (requires grad)",
    "compare rank_2 rank_2": "rank_2 and rank_2 are equal: 6 numbers, shape [2, 3].",
    "compare rank_2 expanded": "largest difference 4 at [0, 1]: rank_2 has -2, expanded has 2.\n"
                               "5 of 6 numbers differ; shape [2, 3].",
    "compare rank_2[1,2] transposed[2,0]":
        "largest difference 3.25: rank_2[1,2] has 6.25, transposed[2,0] has 3.\n"
        "1 of 1 number differs; shape [].",
    "compare rank_2, transposed": "rank_2 is [2, 3] and transposed is [3, 2]: only tensors of one "
                                  "shape can be compared. A slice of one may do, such as compare "
                                  "A[0] B.",
    "compare strange rank_2": "largest difference nan or infinite at [0, 0]: strange has nan, "
                              "rank_2 has 0.5.\n6 of 6 numbers differ; shape [2, 3].",
    "compare strange strange": "strange and strange are equal: 6 numbers, shape [2, 3].",
    "compare no_rows no_rows": "no_rows and no_rows are both [0, 3]: there are no numbers to "
                               "compare.",
    "compare rank_2 nonsense": "There is no nonsense here. `shapes` lists what there is; `up` goes "
                               "to the caller.",
    "attention rank_1": "rank_1 is [3]; a heat map needs weights [..., T_q, T_k], with two axes or "
                        "more.",
    "attention no_rows": "no_rows is [0, 3]: there are no weights in it.",
    "attention large": "large is [40, 50], too large for a picture in a terminal. A part of it "
                       "will do, such as attention large[0:20, 0:20].",
    "attention masked_weights": "masked_weights [2, 2] 1 row sums to 1, 1 to 0\n"
                                "rows: queries, columns: keys; · is 0\n"
                                "query \\ key     0     1\n"
                                "0            0.25  0.75\n"
                                "1               ·     ·",
}

VARIABLES = {
    "tensor weights": "weights [2, 3] softmax at states.cpp:{Variable weights =}, needs grad, rows "
                      "sum to 1\n[[0.0391, 0.1753, 0.7856],\n [0.0208, 0.0934, 0.8858]]",
    "tensor weights[1]": "weights[1] [3] softmax at states.cpp:{Variable weights =}, needs grad, "
                         "rows sum to 1\n[0.0208, 0.0934, 0.8858]",
    "tensor W": "W [2, 3] leaf, needs grad, has a gradient\n[[1.0000, 2.0000, 3.0000],\n"
                " [4.0000, 5.0000, 6.5000]]",
    "tensor parameter": 'parameter "weight" [2, 3] leaf, needs grad\n[[1.0000, 2.0000, 3.0000],\n'
                        " [4.0000, 5.0000, 6.5000]]",
    "grad W": "gradient of W [2, 3]\n[[ 2.,  4.,  6.],\n [ 8., 10., 13.]]",
    "grad W[1,:2]": "gradient of W[1,:2] [2]\n[ 8., 10.]",
    "grad W[1][2]": "gradient of W[1][2] []\n13.",
    "grad W[2]": "W[2]: index 2 is out of range: axis 0 has 2 entries.",
    "grad constant": "constant is a constant: nothing is recorded for it, so it has no gradient.",
    "grad frozen": "frozen is frozen: no gradient is computed for it.",
    "grad fresh": "fresh has no gradient yet: backward() has not run since it was made, or since "
                  "its gradient was zeroed.",
    "grad kept": "kept has no gradient yet: backward() has not run since it was made, or since its "
                 "gradient was zeroed.",
    "grad weights": "weights is not a leaf, and backward() keeps only the gradients of leaves. "
                    "Call weights.retain_grad() before backward() to keep this one.",
    "graph frozen": "frozen [2, 3] (frozen)",
    "graph constant": "constant [2, 3]",
    "graph weights[0]": "A slice made here has no graph of its own; ask for the whole variable.",
    "graph weights.node_": "softmax [2, 3] at states.cpp:{Variable weights =}\n"
                           "  add [2, 3] at states.cpp:{Variable scores =}\n"
                           "    multiply [2, 3] at states.cpp:{Variable scores =}\n"
                           "      W [2, 3] (requires grad)\n"
                           "      constant []\n"
                           "    constant [2, 3]",
    "attention weights": "weights [2, 3] softmax at states.cpp:{Variable weights =}, needs grad, "
                         "rows sum to 1\nrows: queries, columns: keys\n"
                         "query \\ key  king  queen   man\n"
                         "0            0.04   0.18  0.79\n"
                         "1            0.02   0.09  0.89",
    'attention weights "the same" words':
        "weights [2, 3] softmax at states.cpp:{Variable weights =}, needs grad, rows sum to 1\n"
        "rows: queries, columns: keys\n"
        "query \\ key  king  queen   man\n"
        "the          0.04   0.18  0.79\n"
        "same         0.02   0.09  0.89",
    "attention weights W": "W is not a list of words: a std::vector<std::string>, or a text.",
    'attention weights "one"': '"one" has 1 word, but weights [2, 3] has 3 columns.',
    "attention weights a b c": "attention takes weights and at most two lists of words: attention "
                               "weights queries keys.",
}

# As the library's own, graph_text(), with the layers' names, and their parameters counted.
CALL = """MultiHeadAttention attention [1, 3, 4] at states.cpp:{Variable z =} (17 operations, \
8 parameters)
    constant [1, 3, 4]
    constant [1, 3, 4]
    constant [1, 3, 4]"""
GRAPHS = {
    "graph y": """\
Linear model.second [2, 2] at states.cpp:{Variable y = model(x)} (2 operations, 1 parameter)
  Linear model.first [2, 2] at states.cpp:{Variable y = model(x)} (1 operation, 2 parameters)
    constant [2, 3]""",
    "graph z": f"multiply [1, 3, 4] at states.cpp:{{Variable z =}}\n  {CALL}\n  {CALL}",
    "graph y 1": """\
matmul [2, 2] at linear.cpp:{line}
  linear [2, 2] at linear.cpp:{linear}
    constant [2, 3]
    model.first.weight [2, 3] (requires grad)
    model.first.bias [2] (requires grad)
  transpose [2, 2] at linear.cpp:{line}
    model.second.weight [2, 2] (requires grad)""",
}

IN_A_LAYER = """\
this    Model     12 parameters
first   Linear    8 parameters, weight [2, 3], bias [2]
second  Linear    4 parameters, weight [2, 2], bias not set
x       Variable  [2, 3] constant
hidden  Variable  [2, 2] linear at linear.cpp:{line}, in Linear at \
states.cpp:{Variable y = model(x)}, needs grad
y       Variable  <not constructed yet>"""


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
    expect_said("shapes", IN_A_LAYER.replace("{line}", str(line)))
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
