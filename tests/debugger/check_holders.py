"""Objects that hold others: optimizers, states, caches, recordings, what the standard library
holds, in a line and a small table; and layers whose members are optional, in arrays or owned."""

import os
import random
import sys

import gdb

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from checking import (begin, end_with, expect, expect_printed, expect_said, expect_that, lines_of,
                      printed, run, stop_in)

UNBORN = "<not constructed yet>"
CALLS = lines_of("tests/debugger/holders.cpp", "scaled_dot_product_attention(")
MADE = "at attention.cpp:{}, in scaled_dot_product_attention at holders.cpp:{}, needs grad"
OUTPUT, WEIGHTS = (lines_of("nn/attention/attention.cpp", text)[0] for text in (
    "output = matmul(", "weights = softmax("))

PAIRS = {
    "both": "pair\n  first   [3]\n  second  [2, 2] leaf, needs grad",
    "plain_pair": "{first = 1, second = 2}",
    "named": 'pair\n  first   "x"\n  second  [3]',
    "two": "array of 2\n  [0]  [3]\n  [1]  [3]",
    "shared": "-> [3]: [1., 2., 3.]",
    "unique": "-> [2, 2] leaf, needs grad\n[[1., 2.],\n [3., 4.]]",
    "nobody": "nullptr",
    "none": "<none>",
    "attention": f"Attention\n  output   [2, 2] matmul {MADE.format(OUTPUT, CALLS[0])}\n"
                 f"  weights  [2, 2] softmax {MADE.format(WEIGHTS, CALLS[0])}, rows sum to 1",
    "sharp": "[2, 2] constant, rows sum to 1\n[[0.0000, 1.0000],\n [0.2689, 0.7311]]",
}
SHAPES = {
    "both.second": "Variable  [2, 2] leaf, needs grad",
    "two[1]": "Tensor    [3]",
    "*shared": "Tensor    [3]",
    "*unique": "Variable  [2, 2] leaf, needs grad",
    "named.second": "Tensor    [3]",
}
ADAM = "AdamW, lr 0.01, beta1 0.9, beta2 0.999, eps 1e-08, weight_decay 0.01, 2 parameters of 3 " \
       "numbers, 2 steps\n  weight  [1, 2] has a gradient\n  bias    [1] has a gradient"
TRAINING = {
    "adam": ADAM,
    "rule": ADAM,
    "sgd": "SGD, lr 0.5, momentum 0.9, nesterov, 2 parameters of 3 numbers\n"
           "  weight  [1, 2] has a gradient\n  bias    [1] has a gradient",
    "state": "StateDict, 2 entries, 3 numbers\n  weight  [1, 2]\n  bias    [1]",
    "schedule": "WarmupCosine, lr 0.001, warmup 10, steps 100",
    "average": "ExponentialAverage 2, beta 0.9",
    "unused": "ExponentialAverage of nothing yet, beta 0.9",
    "cache": "KeyValueCache, 9 of 12 tokens, K [1, 9, 2], V [1, 9, 2]",
    "unused_cache": "KeyValueCache, 0 tokens",
    "all": "KeysAndValues\n  K  [1, 9, 2] constant\n  V  [1, 9, 2] constant",
    "recording": "RecordAttention, 2 calls\n"
                 "  [0] blocks.0.attention  call 0, weights [1, 2, 3, 3]\n"
                 "  [1] blocks.1.attention  call 0, weights [1, 2, 3, 3]",
    "module": "-> Linear, 3 parameters, weight [1, 2], bias [1]",
}
FUZZED = ("AdamW", "StateDict", "KeyValueCache", "AttentionRecord", "RecordAttention", "Attention")


def check_shapes(wanted):
    rows = dict(line.split(None, 1) for line in run("shapes").split("\n"))
    for name, line in wanted.items():
        expect(f"shapes: {name}", rows.get(name), line)


def check_comparison():
    expect_said("compare attention attention",
                "attention.output and attention.output are equal: 4 numbers, shape [2, 2].\n"
                "attention.weights and attention.weights are equal: 4 numbers, shape [2, 2].")
    said = run("compare attention other").split("\n")
    expect_that(said, "attention.output has" in said[0] and "attention.weights has" in said[2])


def check_large():
    """A table has a dozen rows at most, however many parameters there are."""
    for name, first in (("of_gpt", "SGD, lr 0.001, 36 parameters of 548 numbers"),
                        ("state_of_gpt", "StateDict, 37 entries, 568 numbers")):
        lines = printed(name).split("\n")
        expect(name, (lines[0], len(lines)), (first, 14))
        expect(name, lines[-1], f"  ... ({24 if name == 'of_gpt' else 25} more)")


def check_record():
    lines = printed("record").split("\n")
    expect("record", lines[0], 'AttentionRecord of "blocks.0.attention", call 0')
    expect_that(lines, "  weights  [1, 2, 3, 3] rows sum to 1" in lines and len(lines) == 7)


def check_graphs():
    """Blocks have names, open on request, and count their parameters."""
    whole = run("graph logits")
    expect_that(whole, whole.startswith("Gpt gpt [1, 3, 5] at holders.cpp:")
                and whole.endswith(" operations, 36 parameters)"))
    opened = run("graph logits 1").split("\n")
    expect_that(opened, len(opened) == 7 and opened[0].startswith("Linear [1, 3, 5] at gpt.cpp:"))
    for line, words in ((1, "LayerNorm gpt.norm "), (2, "GptBlock gpt.blocks[1] "),
                        (3, "GptBlock gpt.blocks[0] "), (5, "Embedding gpt.tokens ")):
        expect_that(f"{words}: {opened[line]}", opened[line].strip().startswith(words))
    expect("the head, tied", opened[6], "  gpt.tokens.weight [5, 4] (requires grad)")
    twice = run("graph logits 2")
    expect_that(twice, "MultiHeadAttention gpt.blocks[1].attention " in twice
                and "LayerNorm gpt.blocks[0].norm2 " in twice and "gpt.norm.bias [4]" in twice)


def check_attention():
    """Of one call, of a recording, of a record, of a mask; and what a model says."""
    for name in ("attention", "perhaps"):
        said = run(f"attention {name}").split("\n")
        expect_that(said, said[0].startswith(f"{name}.weights [2, 2] softmax") and len(said) == 5)
    stop_in("training")
    said = run("attention recording").split("\n")
    expect("a recording", (said[0], said[-1], len(said)),
           ("RecordAttention, 2 calls", "One of them: attention recording[0]", 4))
    for name in ("recording[1][0,0]", "record[0,1]"):
        said = run(f"attention {name}").split("\n")
        expect(f"attention {name}", [line.split()[0] for line in said[3:]], ["time", "flies", "on"])
    expect("both heads", len(run("attention record").split("\n")), 13)
    expect_said("attention record.mask", "record.mask [3, 3]\n"
                "rows: queries, columns: keys; x may attend\n"
                "query \\ key  0  1  2\n0            x  ·  ·\n1            x  x  ·\n"
                "2            x  x  x")
    expect_said("attention gpt", "gpt has 2 attention layers: gpt.blocks[0].attention, "
                "gpt.blocks[1].attention\nWeights are there during a call: until-layer "
                "gpt.blocks[0].attention runs on into the next one. Of calls that are over: "
                "attention recording.")
    expect_said("attention network", "network has no attention layer.")
    expect_said("attention recording[5]",
                "recording has 2 entries, so there is no recording[5].")
    expect_said("attention cache", "cache is of type KeyValueCache, which is not a tensor. `print "
                "cache` shows it.")


def check_paths():
    """Through what holds any layer, through pointers and optionals."""
    expect_said("tensor gpt.blocks[0].norm1.weight",
                'gpt.blocks[0].norm1.weight "weight" [4] leaf, needs grad\n[1., 1., 1., 1.]')
    expect_that("positions", run("tensor gpt.positions.weight[0]").startswith(
        "gpt.positions.weight[0] [4] leaf, needs grad\n["))
    expect_that("a pointer", run("tensor module.weight").startswith("module.weight [1, 2] leaf"))
    expect_said("tensor gpt.blocks[0].norm1.nothing", "LayerNorm has no member nothing.")
    said = run("why gpt.blocks[0].norm1.weight[2] of logits[0,1,2]")
    expect_that("why of a norm: " + said, said.startswith(
        "The derivative with respect to gpt.blocks[0].norm1.weight[2] is "))
    said = run("why gpt.blocks[0].attention.W_Q.weight[1,2] of logits[0,1,2]")
    expect_that("a slope below what float resolves: " + said,
                "Measured: too small to tell in float, (L(x + h)" in said)
    said = run("why gpt.positions.weight[1,2] of logits[0,1,2]")
    expect_that("why of positions: " + said, said.startswith(
        "The derivative with respect to gpt.positions.weight[1, 2] is "))


def check_layer():
    """As many numbers as the program counts: members in arrays, that are owned, that are absent."""
    lines = printed("heads").split("\n")
    numbers = int(gdb.parse_and_eval("numbers"))
    expect("heads", lines[0], f"Heads, {numbers} parameters")
    for name in ("pair.1: Linear", "owned: Linear", "any: LayerNorm"):
        expect_that(f"{name} in {lines}", "  " + name in lines)
    expect_that(lines, not any("second" in line for line in lines))


def check_garbage():
    """Random bytes are none of them."""
    generator = random.Random(3)
    memory = gdb.selected_inferior()
    place = int(gdb.parse_and_eval("&bytes[0]"))
    for kind in FUZZED:
        for _ in range(20):
            memory.write_memory(place, generator.randbytes(1024))
            expect_printed(f"*(heed::f32::{kind}*)bytes", UNBORN)


def main():
    begin("look")
    gdb.execute("up", to_string=True)
    for name, wanted in PAIRS.items():
        expect_printed(name, wanted)
    expect_printed("perhaps", PAIRS["attention"])
    check_shapes(SHAPES)
    check_comparison()
    check_attention()
    for name, wanted in TRAINING.items():
        expect_printed(name, wanted)
    check_large()
    check_record()
    check_graphs()
    check_layer()
    check_paths()
    check_shapes({"cache": "KeyValueCache        9 of 12 tokens, K [1, 9, 2], V [1, 9, 2]"})
    check_garbage()


end_with(main, 150)
