"""The parts of source files that a record shows, and names for the files without the folders of
this machine."""

import os
import re

from heed_debug import statements

LINES_BEFORE = 4


def names_of(paths):
    """{path: name}: as many of the last parts of each path as tell it from the others."""
    names = {}
    for path in paths:
        parts = path.split("/")
        count = 1
        while any(other != path and other.split("/")[-count:] == parts[-count:] for other in paths):
            count += 1
        names[path] = "/".join(parts[-count:])
    return names


def parts_of(steps):
    """{path: [[first line, text], ...]}: the functions that the steps are in, whole, and where they
    were called; but not the standard library's."""
    wanted = {}
    for step in steps:
        wanted.setdefault(step.path, set()).add(step.line)
        for _, path, line in step.calls:
            wanted.setdefault(path, set()).add(line)
    return {path: parts_around(path, sorted(lines)) for path, lines in sorted(wanted.items())
            if os.path.isfile(path) and not path.startswith("/usr/")}


def parts_around(path, lines):
    with open(path, encoding="utf-8", errors="replace") as file:
        source = file.read().split("\n")
    ranges = []
    for line in lines:
        first, last = function_around(path, line)
        if ranges and first <= ranges[-1][1] + LINES_BEFORE:
            ranges[-1][1] = max(ranges[-1][1], last)
        else:
            ranges.append([first, last])
    return [[first, "\n".join(source[first - 1:last])] for first, last in ranges]


def function_around(path, line):
    """(first, last) line of the function with this line, with the comment above it."""
    _, code = statements.of_file(path)
    if not 0 < line <= len(code):
        return line, line
    first = line
    while first > 1 and not begins_function(code[first - 1]):
        first -= 1
    last = max(line, statements.end_of_block(path, first))
    with open(path, encoding="utf-8", errors="replace") as file:
        source = file.read().split("\n")
    while first > 1 and source[first - 2].startswith("//"):
        first -= 1
    return first, last


def begins_function(text):
    """In heed's style: a function or a class that begins in the first column."""
    return bool(re.match(r"(struct|class) \w|[^\s})#].*\(", text))
