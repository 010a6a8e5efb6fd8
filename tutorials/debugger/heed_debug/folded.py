"""Loops in a record: the rounds of each, so that a page shows one and folds the others."""

import re

from heed_debug import statements

HEADER = re.compile(r"(?:for|while) \(")
COUNTED = re.compile(r"for \((?:[^;:]|::)*?\b(\w+)\s*(?:=[^=;][^;]*;|:(?!:))")


def loops_in(steps):
    """[{"line", "file", "rounds": [first step of each, and of what follows], "name", "values"}]"""
    found, open_loops = [], []
    for i, step in enumerate(steps):
        while open_loops and is_left(open_loops[-1], step):
            found.append(open_loops.pop())
        if is_in(open_loops, step) and open_loops[-1]["line"] == step.line:
            open_loops[-1]["rounds"].append(i)
        elif HEADER.match(statements.text(step.path, step.line)):
            open_loops.append(opened(step, i))
    found += reversed(open_loops)
    return [described(loop, steps) for loop in sorted(found, key=lambda loop: loop["rounds"])
            if len(loop["rounds"]) > 2]


def opened(step, i):
    return {"path": step.path, "line": step.line, "function": step.function,
            "depth": len(step.calls), "rounds": [i],
            "end": statements.end_of_block(step.path, step.line)}


def is_in(open_loops, step):
    return bool(open_loops) and len(step.calls) == open_loops[-1]["depth"]


def is_left(loop, step):
    depth = len(step.calls)
    if depth != loop["depth"]:
        return depth < loop["depth"]
    return (step.path != loop["path"] or step.function != loop["function"]
            or not loop["line"] <= step.line <= loop["end"])


def described(loop, steps):
    """With the values that what it counts had in each round."""
    counted = COUNTED.match(statements.text(loop["path"], loop["line"]))
    name = counted.group(1) if counted else ""
    values = []
    for begin, end in zip(loop["rounds"], loop["rounds"][1:]):
        seen = [steps[i].variables[name].line for i in range(begin + 1, end)
                if len(steps[i].calls) == loop["depth"] and name in steps[i].variables]
        values.append(seen[0].split(" = ")[-1] if seen else "")
    return {"line": loop["line"], "rounds": loop["rounds"], "name": name if any(values) else "",
            "values": values if any(values) else []}
