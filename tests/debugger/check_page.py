"""README.md and tutorials/debugger/README.md show of lesson 08 what gdb prints there, and the
second lists exactly the existing commands."""

import os
import re
import sys

import gdb

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from checking import ROOT, end_with, expect, expect_that, run

STOP = "08.1 weights and output"


def main():
    with open(os.path.join(ROOT, "tutorials/debugger/README.md"), encoding="utf-8") as page:
        text = page.read()
    gdb.Breakpoint("heed::stop").condition = f'$_streq(name, "{STOP}")'
    gdb.execute("run > /dev/null", to_string=True)
    with open(os.path.join(ROOT, "README.md"), encoding="utf-8") as page:
        both = text + page.read()
    shown = re.findall(r"^\(gdb\) ((?:print|why) .*)\n((?:(?!\(gdb\)|```).*\n)+)", both, re.MULTILINE)
    for command, printed in shown:
        expect(command, re.sub(r"^\$\d+", "$1", run(command)), printed.rstrip("\n"))
    expect_that("both pages show something", len(shown) > 2)
    commands = text[text.index("## Commands") : text.index("## Stepping")]
    for command in re.findall(r"^\| `([a-z-]+)[ `]", commands, re.MULTILINE):
        expect_that(f"{command} is a command", not run(f"help {command}").startswith("Undefined"))


end_with(main, 8)
