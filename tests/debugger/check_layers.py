"""Inside a loaded model, on lesson 20: until-layer goes into the layer that is meant, attention shows
the weights there, with the lesson's words, why explains them, and the program goes on unharmed."""

import os
import re
import sys
import time

import gdb

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from checking import end_with, expect, expect_printed, expect_said, expect_that, run

MOST_SECONDS = 60  # a few on an idle machine
exit_codes = []
gdb.events.exited.connect(lambda event: exit_codes.append(getattr(event, "exit_code", None)))

REFUSALS = {
    "until-layer": "Into which layer? For example: until-layer model.blocks[0].attention",
    "until-layer nonsense": "There is no nonsense here. `shapes` lists what there is; `up` goes to "
                            "the caller.",
    "until-layer model->blocks[2].attention": "model->blocks has 2 entries, so there is no "
                                              "model->blocks[2].",
    "until-layer model->blocks[0].nothing": "GptBlock has no member nothing.",
    "until-layer ids": "ids is of type IndexTensor, which is not a layer. `shapes` lists the layers "
                       "here.",
    "until-layer model->blocks[0].attention.W_Q.weight":
        "model->blocks[0].attention.W_Q.weight is of type Parameter, which is not a layer. `shapes` "
        "lists the layers here.",
}


def function():
    return gdb.selected_frame().name().split("(")[0]


def check_attention(layer):
    said = run(f"until-layer model->blocks[{layer}].attention")
    expect_that("until-layer: " + said,
                said.startswith(f"in model->blocks[{layer}].attention, at its weights, attention.cpp:"))
    expect("the function", function(), "heed::f32::scaled_dot_product_attention")
    expect_printed("need_weights", "heed::f32::NeedWeights::yes")  # so that no call is fused
    shown = run("attention weights[8]").split("\n")
    expect_that("attention: " + shown[0], shown[0].startswith("weights[8] [5, 5] softmax at "))
    expect_that("the lesson's words: " + shown[2], shown[2].split() == [
        "query", "\\", "key", "time", "Ġflies", "Ġlike", "Ġan", "Ġarrow"])
    expect("the first token sees itself alone", shown[3].split(), ["time", "1.00", *"····"])
    said = run("why K[8,0,1] of weights[8,4,0]")
    expect_that("why: " + said, said.startswith("The derivative with respect to K[8, 0, 1] is ")
                and "To the last bit, this is what the backward pass gives.\nMeasured: " in said)


def check_way_back():
    """From a weight of the second block back through both to a number of the embedding and its
    word, with derivatives that `why` gives, too."""
    lines = run("why weights[8,4,1] back").split("\n")
    expect_that(lines[0], lines[0].startswith("weights[8,4,1] is 0.") and len(lines) == 9)
    layers = [line.split("  [")[0].strip() for line in lines[2:]]
    expect("the way", layers, ["Linear model.blocks[1].attention.W_K",
                               "Linear model.blocks[1].attention.W_Q",
                               "LayerNorm model.blocks[1].norm1", "GptBlock model.blocks[0]",
                               "LearnedPositions model.positions", "Embedding model.tokens",
                               "model.tokens.weight"])
    row, column, derivative = re.search(r"entry \[(\d+), (\d+)\] +(\S+)$", lines[-1]).groups()
    step = re.search(r"entry \[(\d), (\d+)\] .*  \"(.*)\"$", lines[-2])
    place, of_embedding, word = step.groups()
    expect("the column", of_embedding, column)
    expect("the word", word, ["time", "Ġflies", "Ġlike", "Ġan", "Ġarrow"][int(place)])
    said = run(f"why model->tokens.weight[{row},{column}] of weights[8,4,1]")
    value = re.match(r"The derivative with respect to \S+ \d+\] is (\S+?),", said).group(1)
    expect_that(f"{derivative} is {value}", abs(float(derivative) - float(value)) < 1e-4)
    expect_said("why weights[8,4] back",
                "why: index [8, 4] has 2 numbers, but shape [12, 5, 5] has 3 axes; give one for "
                "each axis")
    expect_said("why mask[0,0] back", "mask[0,0] is of type std::optional<Mask>; why needs a "
                "Variable, whose gradient is known to be a sum.")


def check_all_layers():
    """The lesson's own stop after the call, by layer and head, and a weight far from the output."""
    expect_that("20.4 all layers", run("until-stop 20.4 all").startswith("stop 20.4 all layers and"))
    shown = run("attention weights[1,8]").split("\n")
    expect_that("layer 1, head 8: " + shown[0], shown[0].startswith("weights[1,8] [5, 5]"))
    said = run("why model->blocks[0].attention.W_Q.weight[33,5] of output[4,100]")
    expect_that("why of a loaded weight: " + said, said.startswith(
        "The derivative with respect to model->blocks[0].attention.W_Q.weight[33, 5] is ")
        and "To the last bit, this is what the backward pass gives.\nMeasured: " in said)


def main():
    expect_that("before it runs", "The program is not running" in run("until-layer model"))
    gdb.execute("until-stop 20.4 before the call", to_string=True)
    for command, wanted in REFUSALS.items():
        expect_said(command, wanted)
    begun, breakpoints = time.time(), len(gdb.breakpoints())
    check_attention(0)
    said = run("until-layer model->blocks[0].feed_forward")
    expect_that("a layer without attention: " + said,
                said.startswith("in model->blocks[0].feed_forward, feed_forward.cpp:"))
    expect("its function", function(), "heed::f32::FeedForward::operator")
    said = run("until-layer model->blocks[1].norm1")
    expect_that("a layer that is held: " + said,
                said.startswith("in model->blocks[1].norm1, norms.cpp:"))
    expect("its function", function(), "heed::f32::LayerNorm::operator")
    check_attention(1)
    check_way_back()
    check_all_layers()
    expect_that(f"{time.time() - begun:.0f} seconds", time.time() - begun < MOST_SECONDS)
    expect("breakpoints that are left", len(gdb.breakpoints()), breakpoints)
    gdb.execute("continue", to_string=True)
    expect("the program ends, and all its claims hold", exit_codes, [0])


end_with(main, 38)
