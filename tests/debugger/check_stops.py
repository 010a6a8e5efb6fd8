"""The named stops of lesson 08 in gdb: a breakpoint halts at each of them once, in the lesson's line;
until-stop; and the output of `expect`, also for invalid input."""

import os
import re
import sys

import gdb

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from checking import end_with, expect, expect_said, expect_that, run

from heed_debug.host import here
from heed_debug.stop_names import stops_in


def stop_name():
    """The name in the line at which the lesson stands, its file being current."""
    line = gdb.newest_frame().find_sal()
    with open(line.symtab.fullname(), encoding="utf-8") as file:
        text = "".join(file.read().split("\n")[line.line - 1 : line.line + 1])
    found = re.search(r'stop\("([^"]*)"', text)
    return found.group(1) if found else None


def check_break():
    names = [name for source in here.sources() for name, _ in stops_in(source)]
    everywhere = gdb.Breakpoint("heed::stop")
    expect("locations of heed::stop", len(everywhere.locations) if hasattr(everywhere, "locations")
           else 1, 1)
    came_to = []
    gdb.execute("run > /dev/null", to_string=True)
    while gdb.selected_inferior().pid and len(came_to) < 50:
        came_to.append(stop_name())
        expect_that(f"list shows {came_to[-1]}", f'stop("{came_to[-1]}"' in run("list"))
        gdb.execute("continue", to_string=True)
    expect("the stops", sorted(map(str, came_to)), sorted(names))
    everywhere.delete()


def check_condition():
    one = gdb.Breakpoint("heed::stop")
    one.condition = '$_streq(name, "08.1 after the mask")'
    gdb.execute("run > /dev/null", to_string=True)
    expect("the stop with a condition", stop_name(), "08.1 after the mask")
    expect_that("its locals", "allowed = [3, 3] masked_fill" in run("info locals"))
    expect_that("break takes a line of the lesson", "08_causal_attention.cpp" in run("tbreak 50"))
    gdb.execute("delete")


def check_until_stop():
    expect_that("until-stop 08.3", run("until-stop 08.3").startswith(
        "stop 08.3 two futures, tests.cpp:"))
    expect("the frame", gdb.selected_frame().name(), "change_the_future(Model const&)"
           if "(" in gdb.selected_frame().name() else "change_the_future")
    expect_that("list shows the lesson", 'stop("08.3 two futures"' in run("list"))
    expect_that("until-stop goes to the next", run("until-stop").startswith("stop 08.4 norms"))
    expect_that("a name in quotes", run('until-stop "08.7 both"').startswith("stop 08.7 both masks"))
    for unknown in ("until-stop 99", 'until-stop "08.3 two futurs"'):
        expect_that(f"{unknown} lists the stops: {run(unknown)}", run(unknown).startswith(
            f"This program has no stop whose name begins with "
            f"\"{unknown.removeprefix('until-stop ').strip(chr(34))}\", so it was not continued. "
            "It has these:\n  08.1 the scores\n  08.1 after the mask\n"))
        expect("the place after it", stop_name(), "08.7 both masks")
    expect_said("at-stop", 'at-stop takes the name of the next stop: at-stop "08.1 the scores". '
                "`stops` lists the names.")
    expect_said("tour-end now", "tour-end takes no argument: it runs to the end, and leaves "
                "the debugger.")
    said = run("until-stop 08.1")
    expect_that("none is left: " + said, said.endswith(
        'The program ended, and came to no stop whose name begins with "08.1". `stops` lists them, '
        "and `until-stop` starts again."))


def check_expect():
    said = run("expect weights[0,0] == 1")
    expect_that("expect without a program: " + said, "The program is not running" in said)
    gdb.execute("until-stop 08.1 weights", to_string=True)
    right = "  as the lesson says: "
    for line in ("weights[2,0] == 0.3263", "weights[2,0] == 0.33", "weights[2,0] == 0.4 within 0.1",
                 "weights.shape == [3, 3]", "output.strides == [5, 1]", "weights[0,1] == 0",
                 "allowed[0,1] == -inf", "mask[0,0] == true", "mask[0,1] == false",
                 "sum(weights[1]) == 1 within 1e-6", "largest(weights[2]) == 0.3501",
                 "smallest(allowed[2]) == 0.3306", "weights.value_[2,0] == 0.3263"):
        what, value = line.split(" == ")
        expect_said("expect " + line, f"{right}{what} is {value.split(' within')[0]}")
    wrong = "  NOT AS EXPECTED: "
    expect_said("expect weights[2,0] == 0.3262",
                wrong + "weights[2,0] is 0.326322287, but 0.3262 was expected")
    expect_said("expect weights[2,0] == 0.4 within 0.01",
                wrong + "weights[2,0] is 0.326322287, but 0.4 was expected")
    expect_said("expect weights[0,0] == 0", wrong + "weights[0,0] is 1, but 0 was expected")
    expect_said("expect allowed[0,1] == inf", wrong + "allowed[0,1] is -inf, but inf was expected")
    expect_said("expect weights.shape == [3, 4]",
                wrong + "weights.shape is [3, 3], but [3, 4] was expected")
    expect_said("expect nobody == 1", wrong + "nobody == 1: There is no nobody here. `shapes` lists "
                "what there is; `up` goes to the caller.")
    expect_said("expect weights == 1", wrong + "weights == 1: weights has 9 numbers, where one is "
                "expected; give an index for each axis, or take its sum(...), largest(...) or "
                "smallest(...).")
    expect_said("expect weights[7,0] == 1",
                wrong + "weights[7,0] == 1: weights[7,0]: index 7 is out of range: axis 0 has 3 entries.")
    expect_said("expect weights[0] == [3]", wrong + "weights[0] == [3]: What is compared with a list "
                "of lengths ends in .shape or .strides, and weights[0] does not.")
    expect_that("no gradient yet", "nothing is recorded" in run("expect weights.grad[0,0] == 1")
                or "not a leaf" in run("expect weights.grad[0,0] == 1"))
    expect_said("expect mask.grad[0,0] == 1",
                wrong + "mask.grad[0,0] == 1: mask is a tensor, and has no gradient.")
    for nonsense, words in (("weights", "expect takes what, ==, and a value"),
                            ("weights[0,0] == one", "one is neither a number nor a shape such as [3, 3]"),
                            ("weights.shape == [3, b]", "[3, b] is not a shape"),
                            ("weights[0,0] == 1 within little", "little is neither a number nor a shape")):
        said = run("expect " + nonsense)
        expect_that(f"expect {nonsense}: {said}", words in said)


def check_order():
    gdb.execute("kill", to_string=True)
    said = run('at-stop "08.1 after the mask"')
    expect_that("another stop than expected: " + said,
                'the next stop is "08.1 the scores", but "08.1 after the mask" was expected' in said)
    gdb.execute("kill", to_string=True)


def main():
    check_break()
    check_condition()
    gdb.execute("kill", to_string=True)
    check_until_stop()
    check_expect()
    check_order()


end_with(main, 53)
