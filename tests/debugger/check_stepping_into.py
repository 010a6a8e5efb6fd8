"""Steps in gdb from lines of the tutorials, at the level that goes into kernels, and fails unless
`step` passes through the named functions in this order before it is back in the lesson.
    gdb -batch -x tutorials/debugger/init.gdb -x tests/debugger/check_stepping_into.py PROGRAM"""

import collections
import os
import re
import sys

import gdb

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from checking import end_with
from source_lines import line_with

STEPS_AT_MOST = 4000

# Loops over entries, axes and nodes: left with `finish` once seen.
LEFT = re.compile(r"^heed::f(32|64)::(kernels::|broadcast_|BackwardPass::(want_leaves|mark_needed)|"
                  r"TopologicalOrder::(visit_from|note_inputs)|"
                  r"tensor::(permute|view|reshape|expand|select|slice|contiguous|check))")

# The line, found by its text; then the functions that `step` must reach.
PRODUCT = ("scores = matmul(Q, transpose(K)) / root;", [
    "heed::f32::transpose$", "tensor::transpose$", "heed::f32::matmul$", "tensor::matmul$",
    "plain::matmul$", r"operator/$", "heed::f32::divide$", "tensor::divide$", "plain::binary$"])
SOFTMAX = ("weights = softmax(allowed, -1);", [
    "heed::f32::softmax$", "record<.*Softmax", "::Softmax::Softmax$", "::Softmax::forward$",
    "tensor::softmax$", "plain::softmax$", "heed::f32::attach$"])
COUNTED = {"before.backward();"}  # every derivative entered here is counted
TARGETS = {
    "03": [
        ("before = mse_loss(layer(x), target);", [
            r"Linear::operator\(\)$", "heed::f32::linear$", "record<.*LinearMap",
            "::LinearMap::LinearMap$", "::LinearMap::forward$", "tensor::linear$", "plain::matmul$",
            "mse_loss$", r"operator-$"]),
        ("before.backward();", [
            "Variable::backward$", "BackwardPass::run$", "BackwardPass::walk$",
            "BackwardPass::derive$", "::Mean::gradient$", "BackwardPass::receive$",
            "BackwardPass::add_to$", "::Subtract::gradient$", "::LinearMap::gradient$",
            "heed::f32::matmul$", "plain::matmul$"]),
        ("y = network(Variable(moons.points));", [
            r"Sequential::operator\(\)$", r"Linear::operator\(\)$", "plain::matmul$",
            r"Tanh::operator\(\)$", "heed::f32::tanh$", "plain::unary$"]),
    ],
    "07": [
        ("        loss.backward();", [
            "Variable::backward$", "BackwardPass::derive$", "::MatmulOfBatch::gradient$|"
            "::Matmul::gradient$", "BackwardPass::add_to$", "::Softmax::gradient$",
            r"operator\*$", "heed::f32::sum$", r"operator-$", "::Matmul::gradient$"]),
    ],
    "08": [PRODUCT, SOFTMAX],
    "09": [
        ("attention = layer.with_weights(X);", [
            "AttentionLayer::with_weights$", "MultiHeadAttention::attention$",
            r"Linear::operator\(\)$", "plain::matmul$", "heed::f32::split_heads$",
            "heed::f32::scaled_dot_product_attention$", "heed::f32::matmul$", "heed::f32::softmax$",
            "plain::softmax$", "heed::f32::merge_heads$", r"Linear::operator\(\)$"]),
        ("G = grad(y, layer.W_Q.weight", [
            "heed::f32::grad$", "BackwardPass::walk$", "::Select::gradient$",
            "::Softmax::gradient$", "heed::f32::sum$", "::Matmul::gradient$",
            "::LinearMap::gradient$", "plain::matmul$"]),
    ],
}


def function():
    return re.sub(r"\(anonymous namespace\)::", "", gdb.selected_frame().name() or "?")


def stack():
    """The stack pointer of this frame: the deeper the call, the lower."""
    return int(gdb.selected_frame().read_register("sp"))


class Entry(gdb.Breakpoint):
    """Counts how often a function is entered, and never stops."""

    def __init__(self, place):
        super().__init__(place, internal=True)
        self.entered = 0

    def stop(self):
        self.entered += 1
        return False


def derivatives():
    """A counter for every derivative, that is, every function called gradient(int, ...)."""
    counters = {}
    file = ""
    listing = gdb.execute("info functions -n ::gradient.int,", to_string=True)
    for line in listing.splitlines():
        if line.startswith("File "):
            file = line[5:-1]
        found = re.match(r"(\d+):.*?([A-Za-z]+)::gradient\(", line)
        if found and "/tutorials/" not in file:
            counters[f"{found[2]}::gradient"] = Entry(f"{file}:{found[1]}")
    return counters


def come_through(words, expected):
    """Steps from here until everything expected was reached, or the lesson's frame is left."""
    missing, met, start, steps = list(expected), collections.Counter(), stack(), 0
    before = start
    while missing and steps < STEPS_AT_MOST:
        gdb.execute("step", to_string=True)
        steps += 1
        now, here = stack(), function()
        if now > start:
            break
        while missing and re.search(missing[0], here):
            missing.pop(0)
        if now < before and re.search("::gradient$", here):
            met[re.search(r"(\w+::gradient)$", here)[1]] += 1
        if LEFT.search(here) and missing:
            gdb.execute("finish", to_string=True)
        before = stack()
    if missing:
        raise AssertionError(f"from `{words}`, {steps} steps did not come to {missing[0]} "
                             f"(after {expected[:len(expected) - len(missing)]})")
    return steps, met


def main():
    program = os.path.basename(gdb.current_progspace().filename)
    gdb.execute("set suppress-cli-notifications on")
    gdb.execute("set heed-keep-graphs off")
    gdb.execute("level kernels", to_string=True)
    gdb.execute("set breakpoint always-inserted on")  # not reinserted at each step
    total = 0
    for words, expected in TARGETS[program[:2]]:
        gdb.execute("delete")
        gdb.Breakpoint(line_with(program, words))
        gdb.execute("run > /dev/null", to_string=True)
        gdb.execute("delete")
        counters = derivatives() if words in COUNTED else {}
        steps, met = come_through(words, expected)
        total += steps
        for name, counter in counters.items():
            # The function that the last step entered may not be counted yet.
            if counter.entered > met[name] + (name in expected[-1]):
                raise AssertionError(f"{name} was entered {counter.entered} times and `step` came "
                                     f"to it {met[name]} times")
        if counters and sum(met.values()) < 3:
            raise AssertionError(f"only {met} derivatives were met")
    print(f"{program}: {total} steps, into all that {len(TARGETS[program[:2]])} lines call")


end_with(main, 0)
