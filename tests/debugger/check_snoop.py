"""snoop, on one line of lesson 09: what it prints, shows again and saves, and that twice it saves the
same, without addresses."""

import json
import math
import os
import re
import sys
import tempfile

import gdb

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from checking import end_with, expect, expect_said, expect_that, run
from source_lines import line_with

LINE = "attention = layer.with_weights(X);"


def snooped(path):
    """What snoop prints of the line, and the file that it saves."""
    gdb.execute("delete")
    gdb.Breakpoint(line_with(gdb.current_progspace().filename, LINE))
    gdb.execute("run > /dev/null", to_string=True)
    gdb.execute("delete")
    said = run("snoop")
    expect_that("it is saved", re.fullmatch(rf"\d+ lines in {path}", run(f"snoop --save {path}")))
    with open(path, encoding="utf-8") as file:
        return said, file.read()


def check_printed(said):
    softmax = said.index("const Variable weights = softmax(allowed, -1);")
    made = re.search(r"-> weights \[.*softmax at attention\.cpp:\d+.*rows sum to 1", said)
    expect_that("weights come after softmax", made and made.start() > softmax)
    expect_that("Q comes before", said.index("-> Q [") < softmax)


def check_saved(text):
    record = json.loads(text)
    steps, values = record["steps"], record["values"]
    expect_that("there are steps", 30 < len(steps) < 100)
    expect("keys", sorted(steps[3]), ["changed", "file", "function", "line", "source", "stack",
                                      "variables"])
    inside = next(step for step in steps if "softmax(allowed" in step["source"])
    after = steps[steps.index(inside) + 2]
    expect("what softmax's line changed", after["changed"], ["weights"])
    expect("the call stack", [name for name, _, _ in inside["stack"][:2]],
           ["MultiHeadAttention::heads_attend", "MultiHeadAttention::attention"])
    weights = values[after["variables"]["weights"]]
    expect_that("the value's text", "rows sum to 1" in weights["line"])
    expect_that("its numbers, as they are", abs(sum(weights["numbers"][:weights["shape"][-1]]) - 1)
                < 1e-6 and len(weights["numbers"]) == math.prod(weights["part"]))
    parts = record["sources"][inside["file"]]
    expect_that("the source of its function", any("softmax(allowed" in text for _, text in parts))
    used = [number for step in steps for number in step["variables"].values()]
    expect_that("values are shared", len(used) > len(values) == max(used) + 1)
    expect("addresses", re.findall(r"0x[0-9a-f]{6,}", text), [])


def main():
    gdb.execute("set suppress-cli-notifications on")
    expect_said("snoop", "The program is not running: until-stop runs it to a named stop.")
    expect_said("snoop 1", "Nothing was snooped yet: at a line with a call, snoop.")
    with tempfile.TemporaryDirectory() as folder:
        said, first = snooped(os.path.join(folder, "first.json"))
        check_printed(said)
        check_saved(first)
        expect_that("snoop 1 has numbers", "\nX [" in run("snoop 1") or "\nquery [" in run("snoop 1"))
        expect_that("snoop back", run("snoop back").startswith("0 "))
        expect_that("before it", run("snoop back").startswith("There are the lines 0 to "))
        expect_said("snoop nonsense", "snoop takes the number of a line, back, or --save FILE.")
        expect_said("snoop --save", "Into which file? For example: snoop --save steps.json")
        expect_said("snoop --save /nowhere/x", "/nowhere/x: No such file or directory.")
        expect_that("twice the same", snooped(os.path.join(folder, "second.json"))[1] == first)


end_with(main, 20)
