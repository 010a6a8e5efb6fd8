"""Every printer on every state of states.cpp."""

import os
import random
import sys

import gdb

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from checking import (begin, end_with, expect, expect_printed, expect_that, line_of, lines_of,
                      printed, run, stop_in)

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
    "uneven": "[3]: [ 2.5000e-01,  2.0000e+00, -3.0000e+03]",
    "rank_8": "[1, 2, 1, 1, 2, 1, 1, 3]\n[[[[[[[[1., 1., 1.]]],\n\n\n     [[[1., 1., 1.]]]]]],\n"
              "... (9 more lines)",
    "source": "<moved from: another tensor has its numbers>",
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
    "id_source": "<moved from: another tensor has its numbers>",
    "taken_ids": "[3]: [1, 2, 3]",
    "truth": "[3]: [false,  true,  true]",
    "causal": "[2, 3]\nx x ·\nx x x",
    "padding": "[2, 1, 1, 2]\n[0, 0, :, :]\nx ·\n\n[1, 0, :, :]\nx x",
    "no_mask": "<none>",
    "shape": "[2, 3, 5]",
    "rank_0_shape": "[]",
    "dims": "[0, -1]",
    "where": "states.cpp:{const Where where}",
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
    "source": "<moved from: another tensor has its numbers>",
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
    "weights.node_._M_ptr.where": "states.cpp:{Variable weights =}",
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

FUZZED = ["Tensor", "Variable", "Parameter", "IndexTensor", "BoolTensor", "Mask", "Where", "Node",
          "Saved", "SavedOutput", "Linear", "MultiHeadAttention", "Operation"]


# What makes a tensor none, each by itself.
WRONG = ["garbage->shape_.dims_[0] = 7", "garbage->shape_.dims_[0] = -2", "garbage->offset_ = 1",
         "garbage->offset_ = -1", "garbage->shape_.rank_ = 9", "garbage->shape_.rank_ = -1",
         "garbage->shape_.rank_ = 1;garbage->strides_.size_ = 1", "garbage->strides_.size_ = 1",
         "garbage->strides_.numbers_[0] = 4", "garbage->strides_.numbers_[0] = -1",
         "garbage->shape_.dims_[5] = 1", "garbage->storage_._M_ptr = 0",
         "garbage->storage_._M_refcount._M_pi = 0"]


def check_unborn():
    """At the first line of the function, on four kinds of garbage and on what an earlier call left:
    that may well be a tensor, whose numbers somebody else still holds."""
    for _ in range(5):
        for name in LOCALS:
            expect_printed(name, UNBORN)
        said = run("info locals").split("\n")
        expect("info locals", said[1:], [f"{name} = {UNBORN}" for name in LOCALS])
        gdb.execute("continue", to_string=True)


def check_half_constructed(stop):
    """On the line that makes y: x and v are there, and nothing from y on, even where there is what
    looks like a variable."""
    memory = gdb.selected_inferior()
    size = int(gdb.parse_and_eval("sizeof(v)"))
    left = bytes(memory.read_memory(int(gdb.parse_and_eval("&v")), size))
    memory.write_memory(int(gdb.parse_and_eval("&y")), left)
    expect_printed("x", "[6]: [0., 1., 2., 3., 4., 5.]")
    expect_printed("v", "[6] leaf, needs grad: [0., 1., 2., 3., 4., 5.]")
    for name in LOCALS[2:]:
        expect_printed(name, UNBORN)
    gdb.execute("step", to_string=True)
    gdb.execute("up", to_string=True)
    expect_printed("y", UNBORN)
    gdb.execute("down", to_string=True)
    gdb.execute("finish")
    expect_printed("$", f"[6] softmax at states.cpp:{stop}, needs grad, rows sum to 1\n"
                   "[0.0043, 0.0116, 0.0315, 0.0858, 0.2331, 0.6337]")


def check_library_text():
    """The grids here and the library's own print, on whatever can be printed."""
    from heed_debug import objects, text
    from heed_debug.gdb_debugger import DEBUGGER
    count = int(gdb.parse_and_eval("sizeof(printed) / sizeof(printed[0])"))
    for i in range(count):
        tensor = gdb.parse_and_eval(f"*printed[{i}]")
        array = objects.read(DEBUGGER, tensor.type, DEBUGGER.place(tensor))
        ours = "\n".join(text.grid(array)) + f"  {text.list_text(array.shape)}"
        expect(f"the library's text of *printed[{i}]", ours, library_text(f"texts[{i}]"))


def library_text(expression):
    value = gdb.parse_and_eval(expression)
    return value["_M_dataplus"]["_M_p"].string(length=int(value["_M_string_length"]))


def check_garbage():
    """Random bytes are never a tensor; and whatever is wrong in the bytes of a tensor, a text comes
    out of it, and soon."""
    generator = random.Random(1)
    memory = gdb.selected_inferior()
    place = int(gdb.parse_and_eval("&bytes[0]"))
    for kind in FUZZED:
        for _ in range(20):
            memory.write_memory(place, generator.randbytes(1024))
            expect_printed(f"*(heed::f32::{kind}*)bytes", UNBORN)
    size = int(gdb.parse_and_eval("sizeof(rank_2)"))
    right = bytes(memory.read_memory(int(gdb.parse_and_eval("&rank_2")), size))
    pointers = [int(gdb.parse_and_eval(x)) for x in ("&rank_3", "pointer", "&bytes[0]", "&main")]
    for _ in range(300):
        changed = bytearray(right)
        at = generator.randrange(0, len(right), 8)
        word = generator.choice([generator.randbytes(8), bytes(8), b"\xff" * 8] + [
            pointer.to_bytes(8, "little") for pointer in pointers])
        changed[at : at + 8] = word
        memory.write_memory(place, bytes(changed))
        said = printed("*garbage")
        expect_that(f"{said} says that it is no tensor, or has a shape",
                    said == UNBORN or said[0] == "[" or said.startswith("<moved from"))
    memory.write_memory(place, right)
    expect_printed("*garbage", TENSORS["rank_2"])
    for wrong in WRONG:
        for change in wrong.split(";"):
            gdb.execute(f"set variable {change}")
        expect_printed("*garbage", UNBORN)
        memory.write_memory(place, right)
    uses = "*(int*)((char*)rank_2.storage_._M_refcount._M_pi + 8)"
    held = int(gdb.parse_and_eval(uses))
    gdb.execute(f"set variable {uses} = 0")
    expect_printed("rank_2", UNBORN)
    gdb.execute(f"set variable {uses} = {held}")
    expect_printed("rank_2", TENSORS["rank_2"])


def check_garbage_in_the_graph():
    """A text comes out of a broken node too, and no walk without an end."""
    generator = random.Random(2)
    memory = gdb.selected_inferior()
    place = int(gdb.parse_and_eval("weights.node_._M_ptr"))
    size = int(gdb.parse_and_eval("sizeof(*weights.node_._M_ptr)"))
    right = bytes(memory.read_memory(place, size))
    pointers = [int(gdb.parse_and_eval(x)) for x in ("&weights", "&W", "loss.node_._M_ptr")]
    for _ in range(300):
        changed = bytearray(right)
        at = generator.randrange(0, len(right) - 7, 8)
        changed[at : at + 8] = generator.choice(
            [generator.randbytes(8), bytes(8), b"\x01" + bytes(7), place.to_bytes(8, "little")] + [
                pointer.to_bytes(8, "little") for pointer in pointers])
        memory.write_memory(place, bytes(changed))
        said = printed("weights")
        expect_that(f"{said} is a text", said == UNBORN or "[2, 3]" in said)
        said = run("graph weights")
        expect_that(f"{said} is a graph, or says why not", "[2, 3]" in said or "weights" in said)
        said = run("print loss.node_") + run("print *weights.node_._M_ptr")
        expect_that(f"{said} has no error in it", "rror" not in said and "xception" not in said)
    memory.write_memory(place, right)
    expect_printed("weights", VARIABLES["weights"])


def check_all(texts):
    for name, text in texts.items():
        expect_printed(name, text)


def main():
    gdb.execute("set heed-keep-graphs off")  # some are shown freed
    begin("nothing_is_constructed")
    check_unborn()
    gdb.execute("delete")
    line = line_of("made here")
    gdb.Breakpoint(f"states.cpp:{line}", temporary=True)
    gdb.execute("run > /dev/null", to_string=True)
    check_half_constructed(line)
    gdb.Breakpoint("look")
    stop_in("tensors")
    check_all(TENSORS)
    check_library_text()
    check_garbage()
    stop_in("other_types")
    check_all(OTHERS)
    expect("backtrace", run("backtrace 1").split("\n")[0].split(" at ")[0], "#0  look ()")
    stop_in("variables")
    check_all(VARIABLES)
    check_garbage_in_the_graph()
    gdb.execute("set variable $copy = weights")
    expect_printed("$copy", VARIABLES["weights"])
    stop_in("Model::operator()")
    said = run("frame 1").split("\n")[0]
    expect_that(said, "(this=-> Model, 12 parameters, x=[2, 3] constant, where=states.cpp:" in said)
    stop_in("layers")
    lines = lines_of("nn/linear.cpp", "matmul(")
    check_all({name: text.replace("{line}", str(lines[0])) for name, text in LAYERS.items()})
    expect_printed("as_module", LAYERS["model"])


end_with(main, 1650)
