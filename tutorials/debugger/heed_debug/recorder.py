"""The record of steps that snoop prints and walk makes pages of: at each step the line, the calls,
the variables, and what changed. Values that steps share stand in it once."""

import os
import re

import gdb

from heed_debug import levels
from heed_debug.folded import loops_in
from heed_debug.quiet import SILENCE
from heed_debug.recorded_values import values_in, written
from heed_debug.source_parts import names_of, parts_of
from heed_debug.stepping import Stepping, callers, depth


class Step:
    def __init__(self, frame):
        place = frame.find_sal()
        self.path = place.symtab.fullname()
        self.line = place.line
        self.function = short(frame)
        deepest = max(levels.OPERATIONS, Stepping.level)
        self.calls = [(short(each), each.find_sal().symtab.fullname(), each.find_sal().line)
                      for each in callers(frame) if depth(each) <= deepest]
        self.variables = values_in(frame)
        self.changed = []

    @property
    def file(self):
        return os.path.basename(self.path)

    @property
    def place(self):
        return self.path, self.line

    @property
    def source(self):
        lines = source_of(self.path)
        return lines[self.line - 1].strip() if self.line <= len(lines) else ""

    def is_at(self, frame):
        """Was this the step that the program stands at?"""
        now = Step(frame)
        return (now.place, now.calls, now.variables) == (self.place, self.calls, self.variables)

    def compare(self, earlier):
        """Marks what changed since the last step of the same call of this function."""
        before = next((each for each in reversed(earlier) if each.function == self.function
                       and len(each.calls) == len(self.calls) and each.path == self.path), None)
        self.changed = [name for name, value in self.variables.items()
                        if before is None or before.variables.get(name) != value]


def source_of(path):
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read().split("\n")
    except OSError:
        return []


def short(frame):
    """Softmax::gradient, record<Matmul>, Block::operator()"""
    name = re.sub(r"heed::f(32|64)::|\(anonymous namespace\)::", "", frame.name() or "?")
    name = re.sub(r"\boperator\(\)", "operator()", name)
    name = re.sub(r"^([\w:]+)<([\w:]+).*$", r"\1<\2>", name)
    return re.match(r"(.*?(?:operator\(\)|operator[^\w(]+)?)(\(|$)", name).group(1)


def record(steps, is_over, most):
    """Steps on from where the program stands, and adds a step for each halt, until is_over(steps),
    the program's end, or so many steps. Returns whether it was over."""
    was_silent = gdb.parameter(SILENCE)
    gdb.execute(f"set {SILENCE} on")
    try:
        if not steps or not steps[-1].is_at(gdb.newest_frame()):
            add(steps)
        for _ in range(most):
            gdb.execute("step", to_string=True)
            if gdb.selected_inferior().pid == 0:
                return False
            add(steps)
            if is_over(steps):
                return True
        return False
    finally:
        gdb.execute(f"set {SILENCE} {'on' if was_silent else 'off'}")


def add(steps):
    if gdb.newest_frame().find_sal().symtab is None:  # behind main()
        return
    step = Step(gdb.newest_frame())
    step.compare(steps)
    steps.append(step)


def saved(steps, **more):
    """The record as a page plays it: steps, the values and sources that they share, and loops."""
    values, number_of = [], {}

    def number(value):
        if value not in number_of:
            number_of[value] = len(values)
            values.append(written(value))
        return number_of[value]

    files = names_of({step.path for step in steps} | {path for step in steps
                                                      for _, path, _ in step.calls})
    listed = [{"file": files[step.path], "line": step.line, "source": step.source,
               "function": step.function,
               "stack": [[function, files[path], line] for function, path, line in step.calls],
               "variables": {name: number(value) for name, value in step.variables.items()},
               "changed": step.changed} for step in steps]
    return {**more, "steps": listed, "values": values, "loops": loops_in(steps),
            "sources": {files[path]: parts for path, parts in parts_of(steps).items()}}
