"""`why` on lesson 02: every entry written out, every error message, and a program that continues
undisturbed."""

import os
import sys

import gdb

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from checking import end_with, expect, expect_said, expect_that, lines_of, run

exit_codes = []
gdb.events.exited.connect(lambda event: exit_codes.append(getattr(event, "exit_code", None)))


def at(text):
    """02_autograd.cpp:166, the one line with the text."""
    found = lines_of("tutorials/02_autograd/02_autograd.cpp", text)
    assert len(found) == 1, f"{text} is on lines {found}"
    return f"02_autograd.cpp:{found[0]}"


P, Q, Y = at("const Variable p = x * x;"), at("const Variable q = x + p;"), at(
    "const Variable y = p * q;")

# y = x³ + x⁴, so dy/dx = 3x² + 4x³ = 44 at x = 2; p = 4 and q = 6.
WHY_X = f"""The gradient of x is 44, the sum of what its 3 uses gave:
   4  add at {Q}, as its input 0
        y  4 × 1 = 4
  20  multiply at {P}, as its input 0
        y  10 × 2 = 20
  20  multiply at {P}, as its input 1
        y  10 × 2 = 20
  --
  44  their sum, in this order
y is the operation's output: upstream gradient there × local derivative.
To the last bit, this is the gradient that is stored.
Measured: (L(x + h) - L(x - h))/2h = 44 with h = 1.52588e-05, good to about 2e-09."""

WHY_P = f"""The derivative with respect to p is 10, the sum of what its 2 uses gave:
   6  multiply at {Y}, as its input 0
        y  1 × 6 = 6
   4  add at {Q}, as its input 1
        y  4 × 1 = 4
  --
  10  their sum, in this order
y is the operation's output: upstream gradient there × local derivative.
To the last bit, this is what the backward pass gives.
Measured: (L(x + h) - L(x - h))/2h = 10 with h = 3.05176e-05, good to about 2e-10."""

FIRST, SECOND = at("const Variable first = sum(x * x);"), at("const Variable second = sum(10 * x);")
WHY_BOTH = f"""The gradient of x[1] is 14, the sum of what 2 calls of backward() added:

backward() at {at("first.backward();")} added 4, the sum of what its 2 uses gave:
  2  multiply at {FIRST}, as its input 0
       y[1]  1 × 2 = 2
  2  multiply at {FIRST}, as its input 1
       y[1]  1 × 2 = 2
  -
  4  their sum, in this order

backward() at {at("second.backward();")} added 10, from its one use:
  10  multiply at {SECOND}, as its input 1
        y[1]  1 × 10 = 10
y is the operation's output: upstream gradient there × local derivative.
To the last bit, this is the gradient that is stored.
Measured: (L(x + h) - L(x - h))/2h = 14 with h = 1.52588e-05, good to about 1e-09."""

REFUSALS = {
    "why": "Why what? For example: why W[1,2], or, for a value that is not a leaf: why "
           "weights[0,3] of loss.",
    "why nonsense": "There is no nonsense here. `shapes` lists what there is; `up` goes to the "
                    "caller.",
    "why x of nonsense": "There is no nonsense here. `shapes` lists what there is; `up` goes to "
                         "the caller.",
    "why x.value_": "x.value_ is of type Tensor; why needs a Variable, whose gradient is known to "
                    "be a sum.",
    "why x[:]": "why needs one entry: why x[1,2], with a number for each axis.",
    "why x[0]": "explain: index [0] has 1 numbers, but shape [] has 0 axes; give one for each axis",
    "why p": "explain: this value of shape [] has no gradient: backward() was not called on "
             "anything made from it, or it is not a leaf; name the output to differentiate, "
             "why p of loss",
    "why x of p": "The derivative with respect to x is 4",
}

UNBORN = ("q is not constructed yet, or is gone already: there are numbers once the line that "
          "makes it has run.")


def first_lines(said, wanted):
    return said[: len(wanted)] if wanted.startswith("The derivative") else said


def check_diamond():
    gdb.Breakpoint(P, temporary=True)
    gdb.execute("run", to_string=True)
    expect_said("why q", UNBORN)
    expect_said("why x of q", UNBORN)
    gdb.execute("until-stop 02.3 after", to_string=True)
    expect_said("why x", WHY_X)
    expect_said("why p of y", WHY_P)
    for command, wanted in REFUSALS.items():
        expect(command, first_lines(run(command), wanted), wanted)
    # The user's breakpoints do not interrupt the answer, and are enabled again afterwards.
    inside = gdb.Breakpoint("BackwardPass::run")
    expect_said("why x", WHY_X)
    expect("hits while why was answered", (inside.enabled, inside.hit_count), (True, 0))
    expect("the function one is in", gdb.selected_frame().name(), "the_graph")
    inside.delete()


def check_two_calls():
    gdb.execute("until-stop 02.4 the second", to_string=True)
    expect_said("why x[1]", WHY_BOTH)
    expect_said("why x[-2]", WHY_BOTH)


def check_one_entry_of_several():
    gdb.execute("until-stop 02.5", to_string=True)
    value = "%.6g" % float(gdb.parse_and_eval("B.value_.storage_._M_ptr->data_[1 * 4 + 2]"))
    expect_that("the derivative of C[0, 2] by A[0, 1] is B[1, 2]",
                run("why A[0,1] of C[0,2]").startswith(
                    f"The derivative with respect to A[0, 1] is {value}, from its one use:"))
    expect_that("A[0, 1] has no part in C[1, 2]",
                run("why A[0,1] of C[1,2]").startswith("The derivative with respect to A[0, 1] is "
                                                       "0,"))
    expect_said("why A[0,1] of C",
                "explain: the output has shape [2, 4] and 8 entries; a gradient needs one number: "
                "say which entry is meant: why A[0,1] of C[0] or the like")
    expect_said("why A[0,1] of C[0,9]",
                "why: index 9 is out of range for axis 1 of [2, 4], which has 4 entries")
    expect_said("why A[0,1] of C[0]",
                "why: index [0] has 1 numbers, but shape [2, 4] has 2 axes; give one for each axis")


def check_busy():
    inside = gdb.Breakpoint("TopologicalOrder::visit_from")
    gdb.execute("continue", to_string=True)
    gdb.execute("up 4", to_string=True)
    said = ""
    for _ in range(6):
        if "accumulation" in (gdb.selected_frame().name() or ""):
            said = run("why x[1]")
            break
        gdb.execute("up", to_string=True)
    expect_that(f"in the middle of an order: {said}",
                said.endswith("in the middle of something that why needs too; ask after `finish`."))
    inside.delete()


def check_without_keeping():
    gdb.execute("set heed-keep-graphs off")
    expect_said("show heed-keep-graphs", "Graphs are kept for `why`: off.")
    gdb.execute("until-stop 02.3 after", to_string=True)
    expect_that("said of a freed graph",
                "was freed by backward(), or it was set by hand" in run("why x"))
    gdb.execute("continue", to_string=True)
    gdb.execute("set heed-keep-graphs on")


def main():
    expect_said("why x", "The program is not running, so there is nothing to look at. `start` runs "
                         "it to its first line, `run` to the next breakpoint.")
    gdb.execute("set args > /dev/null")
    check_diamond()
    check_two_calls()
    check_busy()
    check_one_entry_of_several()
    gdb.execute("continue", to_string=True)
    expect("the lesson's end after all this", exit_codes, [0])
    check_without_keeping()
    expect("and without keeping", exit_codes, [0, 0])


end_with(main, 28)
