"""The named stops in a source file, for gdb and lldb: stops that a program never reaches, too."""

import os
import re

CALL = re.compile(r'(?<![\w.])stop\(\s*"((?:[^"\\]|\\.)*)"')
COMMENT = re.compile(r"//[^\n]*")


def is_lesson(path):
    """Whether a source of the program may have stops: the library and tutorials/support have none,
    and tutorials/pages, in the build, has the lessons' sources as text."""
    return (path.endswith(".cpp") and "/support/" not in path and "/tutorials/pages/" not in path
            and os.path.isfile(path))


def stops_in(path):
    """[(name, "file.cpp:12")]"""
    with open(path, encoding="utf-8", errors="replace") as file:
        source = file.read()
    if "stop(" not in source:
        return []
    code = COMMENT.sub(lambda comment: " " * len(comment.group()), source)
    return [(call.group(1), f"{os.path.basename(path)}:{code.count(chr(10), 0, call.start()) + 1}")
            for call in CALL.finditer(code)]


def in_order(stop):
    """Sort key: the section number, then source order."""
    name, place = stop
    section = re.match(r"(\d+)\.(\d+)", name)
    numbers = (int(section.group(1)), int(section.group(2))) if section else (99, 99)
    file, line = place.rsplit(":", 1)
    return numbers, file, int(line)


def unknown(beginning, stops):
    """What to say if no stop's name begins so; "" if one does, or if the sources are not there."""
    names = [name for name, _ in sorted(stops, key=in_order)]
    if not names or any(name.startswith(beginning) for name in names):
        return ""
    return "\n  ".join([f'This program has no stop whose name begins with "{beginning}", so it was '
                        "not continued. It has these:", *names])
