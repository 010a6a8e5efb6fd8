"""How many times one types `step`, at gdb's default level: from a lesson's start to its first matrix
product, through one call of an attention layer, and through backward() of a block. Fails where a
budget is exceeded, and prints the numbers.
    gdb -batch -x tutorials/debugger/init.gdb -x tests/debugger/check_budget.py PROGRAM"""

import os
import re
import sys

import gdb

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from checking import end_with, expect_that
from source_lines import line_with

# The first product is the first halt at a line that calls matmul or linear, of tensors or of
# variables, or in one of these functions.
PRODUCT = re.compile(r"\b(matmul|linear)\(")
TO_PRODUCT = 60
# In lesson 02 it is that of two numbers, on the lesson's own tape; matrices come sections later.
OTHER_PRODUCTS = {"02": re.compile(r"\btimes\(")}

# The line, the most steps until the line after it, and what they must come through.
CALLS = {
    "09": ("attention = layer.with_weights(X);", 60, [
        "AttentionLayer::called", "MultiHeadAttention::attention", "Linear::operator",
        "heed::f32::linear", "scaled_dot_product_attention", "heed::f32::matmul",
        "heed::f32::softmax", "heed::f32::matmul"]),
    "12": ("        loss.backward();", 150, [
        "Mean::gradient", "LinearMap::gradient", "Matmul::gradient", "Divide::gradient"]),
}
TO_SOFTMAX = {"09": ("G = grad(y, layer.W_Q.weight", 150), "07": ("        loss.backward();", 150)}


def here():
    """(function, the text of the line)"""
    frame = gdb.newest_frame()
    place = frame.find_sal()
    with open(place.symtab.fullname(), encoding="utf-8") as file:
        text = file.read().split("\n")[place.line - 1]
    return re.sub(r"\(anonymous namespace\)::", "", frame.name()), text


def step():
    gdb.execute("step", to_string=True)
    assert gdb.selected_inferior().pid, "the program ended"


def start_at(place):
    gdb.execute("delete")
    gdb.Breakpoint(place, temporary=True)
    gdb.execute("run > /dev/null", to_string=True)
    gdb.execute("delete")


def to_product(number):
    start_at("main")
    wanted = OTHER_PRODUCTS.get(number, PRODUCT)
    for steps in range(1, 10 * TO_PRODUCT):
        step()
        if wanted.search(here()[1].split("//")[0]):
            return steps
    raise AssertionError(f"no product in {10 * TO_PRODUCT} steps; the last was at {here()}")


def through(words, most, expected):
    start_at(line_with(gdb.current_progspace().filename, words))
    start, line = gdb.newest_frame(), gdb.newest_frame().find_sal().line
    missing = list(expected)
    for steps in range(1, 3 * most):
        step()
        if gdb.newest_frame() == start and gdb.newest_frame().find_sal().line != line:
            assert not missing, f"after `{words}` step did not come to {missing[0]}"
            return steps
        if missing and missing[0] in here()[0]:
            missing.pop(0)
    raise AssertionError(f"`{words}` is not left after {3 * most} steps; the last was at {here()}")


def to_softmax(words, most):
    start_at(line_with(gdb.current_progspace().filename, words))
    for steps in range(1, 3 * most):
        step()
        if here()[0].endswith("Softmax::gradient"):
            return steps
    raise AssertionError(f"not in softmax's derivative after {3 * most} steps")


def main():
    program = os.path.basename(gdb.current_progspace().filename)
    number = program[:2]
    gdb.execute("set suppress-cli-notifications on")
    gdb.execute("set heed-keep-graphs off")
    counted = [(to_product(number), TO_PRODUCT, "to the first product")]
    if number in CALLS:
        words, most, expected = CALLS[number]
        counted.append((through(words, most, expected), most, f"through {words.strip()}"))
    if number in TO_SOFTMAX:
        words, most = TO_SOFTMAX[number]
        counted.append((to_softmax(words, most), most, f"to softmax's formula in {words.strip()}"))
    for steps, most, what in counted:
        print(f"{program}: {steps} steps {what}, at most {most}")
        expect_that(f"{what} takes at most {most} steps", steps <= most)


end_with(main, 1)
