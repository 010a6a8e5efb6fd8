"""snoop: goes through the call on the current line, step by step at the level that is on, and keeps
what each line made."""

import json
import os

import gdb

from heed_debug import levels, objects, text
from heed_debug.arrays import WrongSlice
from heed_debug.gdb_command import Command
from heed_debug.gdb_debugger import DEBUGGER
from heed_debug.gdb_frames import declared_later, not_bound, variables
from heed_debug.memory import Broken, Unreadable
from heed_debug.quiet import SILENCE
from heed_debug.stepping import callers, depth

MOST_STEPS = 2000
MOST_SHOWN = 120  # numbers of one tensor; of others the first and last of each axis


class Step:
    def __init__(self, frame):
        place = frame.find_sal()
        self.file = os.path.basename(place.symtab.filename)
        self.line = place.line
        with open(place.symtab.fullname(), encoding="utf-8", errors="replace") as file:
            lines = file.read().split("\n")
        self.source = lines[place.line - 1].strip() if place.line <= len(lines) else ""
        self.function = short(frame)
        self.stack = [short(each) for each in callers(frame) if depth(each) < levels.TENSOR]
        self.variables = texts_of(frame)
        self.changed = []


def short(frame):
    return (frame.name() or "?").split("(anonymous namespace)::")[-1].split("(")[0].replace(
        "heed::f32::", "").replace("heed::f64::", "")


def texts_of(frame):
    """{name: [line, lines of numbers]} of the tensors and variables that are constructed."""
    found = {}
    for symbol, value in variables(frame):
        if declared_later(frame, symbol) or not_bound(frame, symbol, value):
            continue
        shown = text_of(symbol.name, value)
        if shown:
            found[symbol.name] = shown
    return found


def text_of(name, value):
    if not objects.kind_of(DEBUGGER, DEBUGGER.plain(value.type)):
        return None
    try:
        read = objects.read(DEBUGGER, value.type, DEBUGGER.place(value))
        numbers = text.grid(objects.numbers_of(read), summarise_above=MOST_SHOWN)
        return [text.value_line(read, name), *numbers]
    except (Broken, Unreadable, AttributeError, TypeError, WrongSlice, gdb.error):
        return None


class Record:
    steps = []
    shown = 0


def walk():
    """The steps from here until the line of the frame that is newest now is left."""
    start, line = gdb.newest_frame(), gdb.newest_frame().find_sal().line
    steps = [Step(start)]
    while len(steps) < MOST_STEPS:
        gdb.execute("step", to_string=True)
        if gdb.selected_inferior().pid == 0:
            break
        frame = gdb.newest_frame()
        step = Step(frame)
        before = next((each for each in reversed(steps)
                       if each.function == step.function and each.file == step.file), None)
        step.changed = [name for name, shown in step.variables.items()
                        if before is None or before.variables.get(name) != shown]
        steps.append(step)
        if frame == start and step.line != line or start not in [frame, *callers(frame)]:
            break
    return steps


def outline(number, step, before):
    made = [step.variables[name][0] for name in step.changed] if before else []
    indent = "  " * min(12, len(step.stack))
    return [f"{indent}  -> {line}" for line in made] + [
        f"{number:>4} {indent}{step.function}  {step.file}:{step.line}  {step.source}"]


def saved(steps):
    """The record as a page can play it; values that steps share stand in it once."""
    values, numbers = [], {}

    def number(shown):
        key = json.dumps(shown)
        if key not in numbers:
            numbers[key] = len(values)
            values.append({"line": shown[0], "numbers": shown[1:]})
        return numbers[key]

    listed = [{"file": step.file, "line": step.line, "source": step.source,
               "function": step.function, "stack": step.stack,
               "variables": {name: number(shown) for name, shown in step.variables.items()},
               "changed": step.changed} for step in steps]
    return {"steps": listed, "values": values}


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
        was_silent = gdb.parameter(SILENCE)
        gdb.execute(f"set {SILENCE} on")
        try:
            Record.steps = walk()
        finally:
            gdb.execute(f"set {SILENCE} {'on' if was_silent else 'off'}")
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
        for shown in step.variables.values():
            lines += shown
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
