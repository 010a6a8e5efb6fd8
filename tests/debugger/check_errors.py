"""until-error, in a program that computes a NaN, an infinite gradient, and throws."""

import os
import sys

import gdb

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from checking import end_with, expect_said, expect_that, run


def expect_error(what, function, text):
    said = run("until-error")
    expect_that(f"{what}: {said}", said.startswith(what))
    expect_that(f"the reader's line: {said}", said.rstrip().endswith(text))
    expect_that("the reader's frame", function in gdb.selected_frame().name())


def main():
    expect_error("Log of [600, 500] made nan at [599, 498] of [600, 500]", "a_logarithm",
                 "const Variable y = log(x);  // a NaN at [599, 498]")
    expect_error("Divide of [2], [2] made inf at [1] of [2]", "a_root",
                 "y.backward();  // 1 / (2·√0)")
    expect_error("an error: matmul: the last axis of A [2, 3] has length 3", "a_shape",
                 "matmul(a, a);  // [2, 3] times [2, 3]")
    expect_said("until-error", "The program ended without an error of heed's, NaN or infinity.")
    expect_said("until-error now", "until-error takes no argument.")
    gdb.execute("file")
    expect_said("until-error", "No program is loaded that computes with heed: file "
                "build/debug/tutorials/08_causal_attention")


end_with(main, 12)
