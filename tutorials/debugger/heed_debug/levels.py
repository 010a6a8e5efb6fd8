"""How deep `step` goes. Every function has a depth, by its file and name; `step` stops in those
that are no deeper than the level, and passes over, or leaves, the others."""

import os
import re

from heed_debug import skipped

LESSON, LAYERS, OPERATIONS, TENSOR, KERNELS, NEVER = range(1, 7)

# The level's name, and what `step` goes into there and not at the one before.
LEVELS = {
    LESSON: ("lesson", "the lesson's own functions"),
    LAYERS: ("layers", "calls of layers and models"),
    OPERATIONS: ("operations", "the operations that these call, and derivatives"),
    TENSOR: ("tensor",
             "constructors, recording, the engine, the insides of operations and tensors"),
    KERNELS: ("kernels", "the plain loops over numbers"),
}
DEFAULT = OPERATIONS

# The first that matches a heed function's file decides.
FOLDERS = [(re.compile(pattern), depth) for pattern, depth in [
    (r"tutorials/support/", NEVER),
    (r"tensor/kernels/", KERNELS),
    (r"autograd/ops/", OPERATIONS),
    (r"(tensor|autograd)/", TENSOR),
    (r"nn/(text|files|pages)/", TENSOR),
    (r"nn/(\w+/)*(any|argument_checks|attention_checks|attention_record|forward_hook|"
     r"init|listed|module|parameter|problems|running|state_dict)\.", TENSOR),
    (r"nn/", LAYERS),
]]
CONSTRUCTOR = re.compile(r"(?:^|::)([A-Za-z_]\w*)(?:<.*>)?::\1$")
NEVER_IN = re.compile("|".join(f"({pattern})" for pattern in skipped.patterns()))
IN_TENSOR = re.compile("|".join(f"({pattern})" for pattern in skipped.inside()))
LESSONS = re.compile(r"(^|/)tutorials/\d\d_")
HEED = re.compile(r"heed::f(32|64)::")


def depth_of(name, file):
    """Of the function with this full name (with or without its arguments) in this file."""
    if not file or NEVER_IN.search(name):
        return NEVER
    file = os.path.normpath(file)
    if makes_data(name, file):
        return TENSOR
    if not HEED.search(name) and "/tutorials/support/" not in file:
        built = LESSONS.search(file) and CONSTRUCTOR.search(name.split("(")[0])
        return TENSOR if built else LESSON
    if re.search(r"(^|/)autograd/ops/views\.cpp$", file) and "::gradient(" not in name:
        return TENSOR  # a view computes nothing
    depth = next((depth for folder, depth in FOLDERS if re.search(r"(^|/)" + folder.pattern, file)),
                 LESSON)
    if depth < TENSOR and depth != LESSON and (
            IN_TENSOR.search(name) or CONSTRUCTOR.search(name.split("(")[0])):
        return TENSOR
    return depth


def is_one_line(text):
    """Is this line of code a whole function, or a class whose constructor nobody wrote?"""
    return re.search(r"\{.*\}$|^(struct|class) ", text) is not None


def hands_on(name):
    return re.match(skipped.HANDS_ON, name) is not None


def says_little(text, depth):
    skipped_lines = {LESSON: skipped.TEXT, LAYERS: skipped.BOOKKEEPING,
                     OPERATIONS: skipped.OTHER_CASE}.get(depth)
    return skipped_lines is not None and re.match(skipped_lines, text) is not None


def makes_data(name, file):
    return any(re.search(f"(^|/)tutorials/{of}$", file) and re.search(rf"\b({functions})", name)
               for of, functions in skipped.DATA)


def leads_to_lesson(name):
    return re.search(skipped.THROUGH, name) is not None
