"""Inside kernels, pointers show numbers: the row they are at, or the tensor that they are in."""

import os
import re
import sys

import gdb

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from checking import begin, end_with, expect, expect_printed, expect_that, run

KERNELS = "heed::f32::kernels::plain::"


def check_matmul():
    """x·Wᵀ of lesson-like numbers: the operands are there, the product is not computed yet."""
    expect_printed("task.A", "-> [1., 2., 3., 4.]")
    expect_that(run("print task"), re.search(r"C = -> \[\S+, \S+\],", run("print task")))
    expect_that("the frames", "W=[1, 2], b=[1]" in run("backtrace 8"))
    gdb.execute("frame function heed::f32::tensor::linear", to_string=True)
    weights = run("print W").split("[")[-1].rstrip("]")
    gdb.execute("frame 0", to_string=True)
    expect_printed("task.B", f"-> [{weights}]")
    expect_printed("task.bias + 0", run("print task.bias").split(" = ")[1])
    said = run("backtrace 5")
    expect_that("bias in a backtrace: " + said, "bias=-> [1], site=" in said)
    expect_that("a closure has an address: " + said, re.search(
        r"(__closure|\(this)=0x[0-9a-f]+", said))
    gdb.execute("finish", to_string=True)


def check_softmax():
    """One row of causal scores, of a tensor with 18 numbers."""
    expect_that(run("print x"), re.search(r"= -> \[ ?-?\d\.\d{4}, +-inf, +-inf\]$", run("print x")))
    expect_printed("y", "-> [0., 0., 0.]")
    said = run("backtrace 1")
    expect_that(said, re.search(r"x=-> \[.*, \.\.\.\] of 18, y=", said))
    gdb.execute("finish", to_string=True)
    gdb.execute("continue", to_string=True)
    expect_that("the second row: " + run("print x"), run("print x").endswith(", -inf]"))
    expect_printed("(float*)0", "nullptr")
    expect_printed("(float*)16", "0x10, where there is no memory")


def check_unknown_length():
    """Numbers of which nothing says how many there are."""
    gdb.execute("frame function training", to_string=True)
    expect_printed("(double*)&average.beta_", "-> 0.9000, ...")
    expect_that(run("print (int*)&average"), re.fullmatch(r"\$\d+ = 0x[0-9a-f]+",
                                                         run("print (int*)&average")))
    expect_printed("(const char*)\"text\"", '"text"')


def main():
    begin("look")
    matmul, softmax = gdb.Breakpoint(KERNELS + "matmul"), gdb.Breakpoint(KERNELS + "softmax")
    gdb.execute("continue", to_string=True)
    expect("the first kernel", matmul.hit_count, 1)
    check_matmul()
    matmul.enabled = False
    gdb.execute("continue", to_string=True)
    expect("the next kernel", softmax.hit_count, 1)
    check_softmax()
    check_unknown_length()


end_with(main, 17)
