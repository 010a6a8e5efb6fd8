"""`tape` and `why` on lesson 08: walks the backward pass node by node, and explains an entry of the
gradient it found."""

import math
import os
import re
import sys

import gdb

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from checking import end_with, expect, expect_said, expect_that, lines_of, run

exit_codes = []
gdb.events.exited.connect(lambda event: exit_codes.append(getattr(event, "exit_code", None)))
TESTS = "tests.cpp"
BY_HAND = "by_hand.cpp"


def at(text, file=TESTS, which=-1):
    """tests.cpp:145 for a line with the text, by default the last one."""
    return f"{file}:{lines_of('tutorials/08_causal_attention/' + file, text)[which]}"


SUM = at("const Variable y_i = sum(select(y, 0, i));")
CALL = at("grad(y_i, X, {.retain_graph = true})")
OUTPUT = at("const Variable output = matmul(weights, V);", BY_HAND)
NOT_RUNNING = "No backward pass is running. `tape step` goes on to the next one."
ONES = "[[1., 1., 1., 1.],\n" + "       [0., 0., 0., 0.],\n" * 6 + "      ... (2 more lines)"

FIRST = f"""backward pass from sum [] at {SUM}, called at {CALL}: 12 nodes to walk
next, 1 of 12: sum [] at {SUM}"""

STEPS = [
    f"""1 of 12: sum [] at {SUM}
  received: 1.
  gave its input 0, select [4] at {SUM}: [1., 1., 1., 1.]
next, 2 of 12: select [4] at {SUM}""",
    f"""2 of 12: select [4] at {SUM}
  received: [1., 1., 1., 1.]
  gave its input 0, matmul [9, 4] at {OUTPUT}:
      {ONES}
next, 3 of 12: matmul [9, 4] at {OUTPUT}""",
]


def names(lines):
    """The operation that each line of `tape` names, and what it says about it."""
    return [tuple(line.split()[:2]) for line in lines.split("\n")[1:]]


def check_steps():
    expect_said("tape", NOT_RUNNING)
    expect_said("tape finish", NOT_RUNNING)
    expect_said("tape back", "tape does not know back: there are tape, tape step and tape finish.")
    expect_said("tape step", FIRST)
    for wanted in STEPS:
        expect_said("tape step", wanted)
    product = run("tape step")  # output = weights·V gives both
    expect_that("the product's inputs: " + product,
                re.search(r"gave its input 0, softmax \[9, 9\].*gave its input 1, matmul \[9, 4\]",
                          product, re.DOTALL))
    expect("tape", names(run("tape")), [
        ("walked", "sum"), ("walked", "select"), ("walked", "matmul"), ("next", "matmul"),
        ("waits", "softmax"), ("waits", "masked_fill"), ("waits", "divide"), ("waits", "matmul"),
        ("waits", "transpose"), ("waits", "matmul"), ("waits", "matmul"), ("waits", "leaf")])
    values = run("tape step")  # V = X·W_V
    expect_that("X waits for the two others: " + values,
                re.search(r"leaf \[9, 8\].*it waits for matmul \[9, 4\] .*; matmul \[9, 4\] ",
                          values, re.DOTALL))


def check_the_rest():
    """The softmax receives the product's gradient, and no step is left out."""
    given = re.search(r"gave its input 0, softmax", run("tape"))
    expect("the softmax is walked already", given, None)
    seen = []
    for _ in range(20):
        said = run("tape step")
        seen.append(said.split("\n")[0].split(":")[0])
        if "The pass is done." in said:
            break
    expect("the steps to the end", seen, [f"{n} of 12" for n in range(5, 13)])
    expect_that("the gradient found: " + said,
                re.search(r"received, all added up:\n.*The pass is done. It found:\n"
                          r"  leaf \[9, 8\]", said, re.DOTALL))
    expect_said("tape", NOT_RUNNING)


def check_why():
    """d(y_0)/d(X[0, 1]): three uses of X, whose parts sum to what grad() returned, and beside it
    the measured slope, in float."""
    while "influence" not in gdb.selected_frame().name():
        gdb.execute("up", to_string=True)
    gdb.execute("advance " + at("norms.push_back(tensor::sqrt("),
                to_string=True)
    found = float(gdb.parse_and_eval("gradient.storage_._M_ptr->data_[1]"))
    said = run("why X[0,1] of y_i")
    parts = re.findall(r"^  +(-?[\d.e-]+)  matmul at " + re.escape(BY_HAND), said, re.MULTILINE)
    sum = re.search(r"(-?[\d.e-]+)  their sum, in this order", said)
    slope = re.search(r"Measured: .* = (-?[\d.e+-]+) with h = \S+, good to about (\S+)\.$", said)
    expect("uses of X: " + said, len(parts), 3)
    expect_that("their sum: " + said,
                sum and math.isclose(float(sum.group(1)), found, rel_tol=1e-5))
    expect_that("the parts: " + said,
                math.isclose(math.fsum(map(float, parts)), found, rel_tol=1e-4))
    expect_that("the slope: " + said,
                slope and abs(float(slope.group(1)) - found) < 10 * float(slope.group(2)) + 1e-3)
    expect_that(said, "To the last bit, this is what the backward pass gives." in said)
    expect_that(said, said.startswith("The derivative with respect to X[0, 1] is "))
    future = run("why X[8,1] of y_i")  # the last word, of the first one's output
    expect_that(future, future.startswith("The derivative with respect to X[8, 1] is 0,"))


def check_halted_in_between():
    """A user's own breakpoint halts a step, and the next one continues from there."""
    for _ in range(4):
        run("tape step")
    inside = gdb.Breakpoint("Softmax::gradient")
    halted = run("tape step")
    expect_that(halted, halted.startswith("5 of 12: softmax") and halted.endswith(
        "Something else halted the program in the middle of it: `bt` shows where it is."))
    expect_that("it stands in the derivative", "Softmax::gradient" in gdb.selected_frame().name())
    inside.delete()
    went_on = run("tape step")
    expect_that(went_on, went_on.startswith("5 of 12: softmax") and
                "  is being processed; what it received was passed on\n" in went_on and
                "  gave its input 0, masked_fill" in went_on)


def main():
    gdb.execute("set args > /dev/null")
    check_steps()
    check_the_rest()
    check_why()
    expect_that("a further pass", run("tape step").endswith(f"next, 1 of 12: sum [] at {SUM}"))
    check_halted_in_between()
    expect_that("its end", run("tape finish").startswith(
        "The pass is done. It found:\n  leaf [9, 8]"))
    gdb.execute("continue", to_string=True)
    expect("the lesson's end after all this", exit_codes, [0])


end_with(main, 26)
