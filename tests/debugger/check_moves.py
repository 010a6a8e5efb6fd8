"""The commands that run the program on, and the levels of `step`, with what they say, in lesson 08."""

import os
import re
import subprocess
import sys

import gdb

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from checking import end_with, expect, expect_said, expect_that, run
from source_lines import line_with

INIT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "tutorials", "debugger",
                    "init.gdb")


def function():
    return re.sub(r"\(.*?\)(::)?", "", gdb.newest_frame().name())


def check_levels():
    expect("the level at first", [line for line in run("level").split("\n") if line[0] == "*"],
           ["* operations  the operations that these call, and derivatives"])
    expect_that("deeper", run("deeper").startswith("level tensor: `step` goes into constructors"))
    expect_said("deeper", "level kernels: `step` goes into the plain loops over numbers; it passes "
                "over the standard library.")
    expect_that("deeper again", run("deeper").startswith("It is the deepest: level kernels"))
    expect_that("shallower", run("shallower").startswith("level tensor:"))
    expect_said("level nowhere", 'There is no level "nowhere"; there are lesson, layers, '
                "operations, tensor, kernels.")
    expect_said("deeper 2", "This takes no argument; `level NAME` goes to one at once.")
    expect_said("complete level la", "level layers")


def lands_in(level):
    """Where `step` goes on the line with softmax."""
    gdb.execute("level " + level, to_string=True)
    gdb.execute("delete")
    gdb.Breakpoint(line_with(gdb.current_progspace().filename,
                             "weights = softmax(allowed, -1);  // [3, 3]"))
    gdb.execute("run > /dev/null", to_string=True)
    gdb.execute("delete")
    start = gdb.newest_frame()
    came = set()
    for _ in range(60):
        gdb.execute("step", to_string=True)
        if gdb.newest_frame() == start:
            break
        came.add(function().split("::")[-1] if "kernels" not in function() else "kernels")
    return came


def check_steps():
    gdb.execute("set suppress-cli-notifications on")
    expect("steps at lesson", lands_in("lesson"), set())
    expect("steps at layers", lands_in("layers"), set())
    expect("steps at operations", lands_in("operations"), {"softmax"})
    tensor = lands_in("tensor")
    expect_that(f"steps at tensor: {tensor}", {"softmax", "forward"} <= tensor
                and "kernels" not in tensor)
    expect_that("steps at kernels", "kernels" in lands_in("kernels"))
    gdb.execute("level operations", to_string=True)


def check_readers_breakpoint():
    """One in what the level passes over halts all the same, and `step` goes on from there."""
    gdb.execute("delete")
    gdb.Breakpoint(line_with(gdb.current_progspace().filename,
                             "weights = softmax(allowed, -1);  // [3, 3]"))
    gdb.execute("run > /dev/null", to_string=True)
    gdb.Breakpoint("heed::f32::tensor::softmax")
    gdb.execute("step", to_string=True)
    expect("the operation", function(), "heed::f32::softmax")
    gdb.execute("step", to_string=True)
    expect("the breakpoint", function(), "heed::f32::tensor::softmax")
    gdb.execute("step", to_string=True)
    expect_that("a step from there", function().startswith(
        ("heed::f32::tensor::softmax", "heed::f32::record")))  # clang has no line for its end
    gdb.execute("delete")


def check_fast_kernels():
    """With the kernels for speed `step` stays out of them at every level."""
    gdb.execute("set environment HEED_KERNELS portable")
    came = lands_in("kernels")
    gdb.execute("unset environment HEED_KERNELS")
    expect_that(f"steps with fast kernels: {came}", "forward" in came and "kernels" not in came)
    gdb.execute("level operations", to_string=True)


def check_into():
    gdb.execute("kill", to_string=True)
    gdb.execute("until-stop 08.1 after", to_string=True)
    expect_that("into softmax", run("into softmax").startswith(
        "in heed::f32::(anonymous namespace)::Softmax::forward"))
    expect_that("into linear's layer",
                run("into Linear").startswith("in heed::f32::Linear::operator()"))
    expect_that("an unknown name", run("into nonsense").startswith(
        "This program has no operation and no layer named nonsense. The name is an operation's "
        "(abs, "))
    expect_said("into", "Into which operation or layer? For example: into softmax")
    expect_said("into a[1]", "a[1] is no name; for example: into softmax")
    expect_that("completion", "into softmax" in run("complete into soft").split("\n"))
    expect_that("completion of stops",
                "until-stop 08.1 after the mask" in run("complete until-stop 08.1 a"))
    expect_said("into erf", "The program ended without coming to erf.")


def check_help():
    def listed(*commands):
        arguments = ["gdb", "-nx", "-q", "-batch"]
        for command in commands:
            arguments += ["-ex", command]
        said = subprocess.run(arguments, capture_output=True, encoding="utf-8", timeout=60, check=True)
        return set(re.findall(r"^([\w-]+) -- ", said.stdout, re.M))
    ours = listed(f"source {INIT}", "help data") - listed("help data")
    shown = run("help heed")
    missing = [name for name in sorted(ours) if not re.search(rf"^ *{name}\b", shown, re.M)]
    expect("commands without an example in help heed", missing, [])
    expect_that("commands of heed's", len(ours) > 15)


def check_editor():
    """What VS Code sees through the machine interface: a halt is one stop, the end of a step."""
    place = line_with(gdb.current_progspace().filename, "weights = softmax(allowed, -1);  // [3, 3]")
    asked = [f'-interpreter-exec console "source {INIT}"', "-break-insert heed::stop",
             f"-break-insert {os.path.basename(place)}", "-exec-run", "-exec-continue",
             "-exec-continue", "-exec-step", "-exec-step", '-interpreter-exec console "into matmul"', "-gdb-exit"]
    answered = subprocess.run(["gdb", "-nx", "--interpreter=mi", gdb.current_progspace().filename],
                              input="\n".join(asked) + "\n", capture_output=True, encoding="utf-8",
                              timeout=100, check=False).stdout
    stops = re.findall(r'^\*stopped,reason="([^"]*)".*?func="([^"]*)".*line="\d+"', answered, re.M)
    stops = [(reason, re.sub(r"\(.*?\)(::)?", "", name)) for reason, name in stops]
    end = "end-stepping-range"
    expect("the stops", stops, [
        (end, "notes_matrix"), (end, "notes_matrix"), ("breakpoint-hit", "notes_matrix"),
        (end, "heed::f32::softmax"), (end, "notes_matrix"), (end, "heed::f32::Matmul::forward")])


def main():
    check_levels()
    check_steps()
    check_readers_breakpoint()
    check_fast_kernels()
    check_into()
    check_help()
    check_editor()


end_with(main, 28)
