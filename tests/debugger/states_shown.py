"""What gdb's printers show for each object of states.cpp; lldb's summaries are the first lines of
it."""

import os
import re

FOLDER = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(FOLDER))


def line_of(text):
    """The one line of states.cpp that contains the text."""
    found = lines_of("tests/debugger/states.cpp", text)
    assert len(found) == 1, f"{text} is on lines {found}"
    return found[0]


def lines_of(file, text):
    with open(os.path.join(ROOT, file), encoding="utf-8") as source:
        return [number for number, line in enumerate(source, 1) if text in line]


def with_lines(text):
    """`states.cpp:{text}` with the number of the line that contains the text."""
    return re.sub(r"states\.cpp:\{(.*?)\}", lambda m: f"states.cpp:{line_of(m.group(1))}", text)


UNBORN = "<not constructed yet>"
LOCALS = ["x", "v", "y", "reference", "pointer", "ids", "truth", "mask", "shape", "dims",
          "perhaps", "pair", "random", "layer", "model", "list"]

TENSORS = {
    "empty": "[0]: []",
    "no_rows": "[0, 3]: []",
    "rank_0": "[]: 3.5000",
    "rank_1": "[3]: [1., 2., 3.]",
    "rank_2": "[2, 3]\n[[ 0.5000, -2.0000,  3.0000],\n [ 4.0000,  5.0000,  6.2500]]",
    "transposed": "[3, 2] strides [1, 3]\n[[ 0.5000,  4.0000],\n [-2.0000,  5.0000],\n"
                  " [ 3.0000,  6.2500]]",
    "sliced": "[2, 2] strides [3, 1]\n[[-2.0000,  3.0000],\n [ 5.0000,  6.2500]]",
    "selected": "[2] strides [3]: [3.0000, 6.2500]",
    "expanded": "[2, 3] strides [0, 1]\n[[1., 2., 3.],\n [1., 2., 3.]]",
    "strange": "[2, 3] 2 NaN, 1 inf, 1 -inf\n[[   nan, 1.0000,   -inf],\n"
               " [   nan,    inf, 0.5000]]",
    "weights": "[2, 3] rows sum to 1\n[[0.2500, 0.7500, 0.0000],\n [0.5000, 0.1250, 0.3750]]",
    "masked_weights": "[2, 2] 1 row sums to 1, 1 to 0\n[[0.2500, 0.7500],\n [0.0000, 0.0000]]",
    "tiny": "[2]: [1.0000e-05, 2.0000e-05]",
    "uneven": "[4]: [    0.2500,     2.0000, -3000.0000,      5e-06]",
    "rank_8": "[1, 2, 1, 1, 2, 1, 1, 3]\n[[[[[[[[1., 1., 1.]]],\n\n\n     [[[1., 1., 1.]]]]]],\n"
              "... (9 more lines)",
    "source": "[0]: []",
    "taken": "[2]: [1., 2.]",
    "reference": "[2, 3]\n[[ 0.5000, -2.0000,  3.0000],\n [ 4.0000,  5.0000,  6.2500]]",
    "pointer": "-> [2, 3]\n[[ 0.5000, -2.0000,  3.0000],\n [ 4.0000,  5.0000,  6.2500]]",
    "*pointer": "[2, 3]\n[[ 0.5000, -2.0000,  3.0000],\n [ 4.0000,  5.0000,  6.2500]]",
    "null_pointer": "nullptr",
    "wild_pointer": "-> " + UNBORN,
    "garbage": "-> " + UNBORN,
    "full": "[3]: [1., 2., 3.]",
    "none": "<none>",
    "list": "std::vector of length 2, capacity 2 = {[]: 3.5000, [3]: [1., 2., 3.]}",
    "pair": "{\n  left = [3]: [1., 2., 3.],\n  right = [3] leaf, needs grad: [1., 2., 3.],\n"
            "  number = 3\n}",
    "rank_2.shape_": "[2, 3]",
    "transposed.strides_": "[1, 3]",
}

OTHERS = {
    "ids": "[2, 3]\n[[ 3,  1,  4],\n [ 1,  5, 92]]",
    "no_ids": "[0]: []",
    "id_source": "[0]: []",
    "taken_ids": "[3]: [1, 2, 3]",
    "truth": "[3]: [false,  true,  true]",
    "causal": "[2, 3]\nx x ·\nx x x",
    "padding": "[2, 1, 1, 2]\n[0, 0, :, :]\nx ·\n\n[1, 0, :, :]\nx x",
    "no_mask": "<none>",
    "shape": "[2, 3, 5]",
    "rank_0_shape": "[]",
    "dims": "[0, -1]",
    "site": "states.cpp:{const CallSite site}",
}

NUMBERS = "\n[[1.0000, 2.0000, 3.0000],\n [4.0000, 5.0000, 6.5000]]"
VARIABLES = {
    "constant": "[2, 3] constant" + NUMBERS,
    "W": '"W" [2, 3] leaf, needs grad, has a gradient' + NUMBERS,
    "frozen": "[2, 3] leaf, frozen" + NUMBERS,
    "fresh": "[2, 3] leaf, needs grad" + NUMBERS,
    "scores": "[2, 3] add at states.cpp:{Variable scores =}, needs grad\n"
              "[[1.5000, 3.0000, 4.5000],\n [6.0000, 7.5000, 9.7500]]",
    "weights": "[2, 3] softmax at states.cpp:{Variable weights =}, needs grad, rows sum to 1\n"
               "[[0.0391, 0.1753, 0.7856],\n [0.0208, 0.0934, 0.8858]]",
    "loss": "[] sum at states.cpp:{Variable loss =}, needs grad: 7.0600",
    "source": "[0] constant: []",
    "parameter": '"weight" [2, 3] leaf, needs grad' + NUMBERS,
    "not_set": "<not set>",
    "freed": "[] sum at states.cpp:{Variable freed =}, needs grad, graph freed: 97.2500",
    "*weights.node_._M_ptr": "softmax [2, 3] at states.cpp:{Variable weights =}\n"
                             "  input 0: add [2, 3] at states.cpp:{Variable scores =}",
    "*W.node_._M_ptr": "W leaf [2, 3], needs grad, has a gradient",
    "weights.node_": "-> softmax [2, 3] at states.cpp:{Variable weights =}\n"
                     "  input 0: add [2, 3] at states.cpp:{Variable scores =}",
    "weights.node_._M_ptr.operation": "-> operation Softmax\n  keeps Y: [2, 3] rows sum to 1",
    "kept.node_._M_ptr.operation": "-> operation Multiply\n  keeps a: <not kept>\n"
                                   "  keeps b: [] constant",
    "W.node_._M_ptr.operation": "nullptr",
    "constant.node_": "nullptr",
    "weights.node_._M_ptr.site": "states.cpp:{Variable weights =}",
}

LAYERS = {
    "linear": "Linear, 8 parameters, weight [2, 3], bias [2]",
    "plain": "Linear, 6 parameters, weight [2, 3], frozen, bias not set",
    "model": "Model, 12 parameters\n  first: Linear\n    Parameter weight [2, 3]\n"
             "    Parameter bias [2]\n  second: Linear\n    Parameter weight [2, 2]\n"
             "    Parameter bias not set",
    "network": "Sequential, 13 parameters\n  layers_.0: Linear\n    Parameter weight [3, 2]\n"
               "    Parameter bias [3]\n  layers_.1: Tanh\n  layers_.2: Linear\n"
               "    Parameter weight [1, 3]\n    Parameter bias [1]",
    "y": "[2, 2] matmul at linear.cpp:{line}, in Linear at states.cpp:{Variable y = model(x)}, "
         "needs grad\n[[-0.8263,  0.0721],\n [-1.9259, -0.1096]]",
}
