"""snoop: goes through the call on the current line, step by step at the level that is on, and keeps
what each line made."""

import json

import gdb

from heed_debug.gdb_command import Command
from heed_debug.recorder import record, saved
from heed_debug.stepping import callers

MOST_STEPS = 2000
MOST_SHOWN = 120  # numbers of one tensor; of others the first and last of each axis


class Record:
    steps = []
    shown = 0


def snooped():
    """The steps from here until the line of the frame that is newest now is left."""
    start, line = gdb.newest_frame(), gdb.newest_frame().find_sal().line

    def is_left(steps):
        frame = gdb.newest_frame()
        return frame == start and steps[-1].line != line or start not in [frame, *callers(frame)]

    steps = []
    record(steps, is_left, MOST_STEPS)
    return steps


def outline(number, step, before):
    made = [step.variables[name] for name in step.changed] if before else []
    indent = "  " * min(12, len(step.calls))
    return [f"{indent}  -> {value.line}" for value in made if value.array] + [
        f"{number:>4} {indent}{step.function}  {step.file}:{step.line}  {step.source}"]


class SnoopCommand(Command):
    """snoop: go through the call on this line, step by step at the level that is on, and print each
    line with what was made on the way there; the program then stands behind the line.
    snoop 12            again line 12, with the numbers that were in scope then
    snoop back          the one before the one shown last
    snoop --save FILE   writes the record as JSON"""

    def __init__(self):
        super().__init__("snoop", gdb.COMPLETE_NONE)

    def lines(self, argument):
        if not argument:
            return self.go()
        if not Record.steps:
            raise gdb.GdbError("Nothing was snooped yet: at a line with a call, snoop.")
        if argument.startswith("--save"):
            return self.save(argument[len("--save"):].strip())
        if argument == "back":
            return self.show(Record.shown - 1)
        if not argument.isdigit():
            raise gdb.GdbError("snoop takes the number of a line, back, or --save FILE.")
        return self.show(int(argument))

    def go(self):
        if gdb.selected_inferior().pid == 0:
            raise gdb.GdbError("The program is not running: until-stop runs it to a named stop.")
        Record.steps = snooped()
        Record.shown = len(Record.steps)
        shown = []
        for i, step in enumerate(Record.steps):
            shown += outline(i, step, i > 0)
        return shown

    def show(self, number):
        if not 0 <= number < len(Record.steps):
            raise gdb.GdbError(f"There are the lines 0 to {len(Record.steps) - 1}.")
        Record.shown = number
        step = Record.steps[number]
        lines = [f"{number} {step.function}  {step.file}:{step.line}  {step.source}"]
        for value in step.variables.values():
            lines += value.lines(MOST_SHOWN)
        return lines

    def save(self, path):
        if not path:
            raise gdb.GdbError("Into which file? For example: snoop --save steps.json")
        try:
            with open(path, "w", encoding="utf-8") as file:
                json.dump(saved(Record.steps), file, ensure_ascii=False, indent=1)
        except OSError as error:
            raise gdb.GdbError(f"{path}: {error.strerror}.") from None
        return [f"{len(Record.steps)} lines in {path}"]


SnoopCommand()
