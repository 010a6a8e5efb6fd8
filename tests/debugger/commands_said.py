"""What the commands say of the states of states.cpp, word for word: in gdb, and, where it is not
listed here, in lldb, too."""

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
hidden  Variable  [2, 2] linear at linear.cpp:{linear}, in Linear at \
states.cpp:{Variable y = model(x)}, needs grad
y       Variable  <not constructed yet>"""


# In lldb they say something else: its own commands, and an expression is a path.
LLDB_NOT_RUNNING = ("The program is not running, so there is nothing to look at. `until-stop` runs it "
                    "to its first named stop, `run` to the next breakpoint.")
IN_LLDB = {
    "stops x": "stops takes no argument. To halt at one of them: breakpoint set -n heed::stop -c "
               "'(int)strcmp(name, \"NAME\") == 0'.",
    "tensor rank_2 +": "lldb does not understand rank_2 +: it takes names with members and "
                       "subscripts, and no calls.",
}


def in_lldb(texts):
    """The same table, as lldb has it, without a name of a type that depends on the compiler."""
    return {command: IN_LLDB.get(command, text).replace(NOT_RUNNING, LLDB_NOT_RUNNING).replace(
        "`print ", "`v ") for command, text in texts.items() if command != "tensor texts"}
