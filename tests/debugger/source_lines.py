"""Finds lines of the lessons by their text, which outlives their numbers."""

import glob
import os

TUTORIALS = os.path.realpath(os.path.join(os.path.dirname(__file__), "..", "..", "tutorials"))


def line_with(program, words):
    """FILE:LINE of the first line with these words in the lesson's files."""
    lesson = os.path.basename(program)
    for path in sorted(glob.glob(os.path.join(TUTORIALS, lesson, "*.cpp"))):
        with open(path, encoding="utf-8") as file:
            for i, line in enumerate(file, 1):
                if words in line:
                    return f"{path}:{i}"
    raise AssertionError(f"no line of {lesson} says: {words}")
