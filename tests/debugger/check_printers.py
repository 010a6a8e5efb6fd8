"""Every printer on every state of states.cpp."""

import os
import random
import sys

import gdb

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from states_shown import LAYERS, LOCALS, OTHERS, TENSORS, UNBORN, VARIABLES

from checking import (begin, end_with, expect, expect_printed, expect_that, line_of, lines_of,
                      printed, run, stop_in)

FUZZED = ["Tensor", "Variable", "Parameter", "IndexTensor", "BoolTensor", "Mask", "CallSite", "Node",
          "Saved", "SavedOutput", "Linear", "MultiHeadAttention", "Operation"]


# Each of these alone makes a tensor invalid.
WRONG = ["garbage->shape_.dims_[0] = 7", "garbage->shape_.dims_[0] = -2", "garbage->offset_ = 1",
         "garbage->offset_ = -1", "garbage->shape_.rank_ = 9", "garbage->shape_.rank_ = -1",
         "garbage->shape_.rank_ = 1;garbage->strides_.size_ = 1", "garbage->strides_.size_ = 1",
         "garbage->strides_.numbers_[0] = 4", "garbage->strides_.numbers_[0] = -1",
         "garbage->shape_.dims_[5] = 1", "garbage->storage_._M_ptr = 0",
         "garbage->storage_._M_refcount._M_pi = 0"]


def check_unborn():
    """At the first line of the function, on four kinds of garbage and on what an earlier call left:
    that may well be a tensor whose storage is still held elsewhere."""
    for _ in range(5):
        for name in LOCALS:
            expect_printed(name, UNBORN)
        said = run("info locals").split("\n")
        expect("info locals", said[1:], [f"{name} = {UNBORN}" for name in LOCALS])
        gdb.execute("continue", to_string=True)


def check_half_constructed(stop):
    """On the line that constructs y: x and v are shown, and nothing from y on, even where the bytes
    look like a variable."""
    memory = gdb.selected_inferior()
    size = int(gdb.parse_and_eval("sizeof(v)"))
    left = bytes(memory.read_memory(int(gdb.parse_and_eval("&v")), size))
    memory.write_memory(int(gdb.parse_and_eval("&y")), left)
    expect_printed("x", "[6]: [0., 1., 2., 3., 4., 5.]")
    expect_printed("v", "[6] leaf, needs grad: [0., 1., 2., 3., 4., 5.]")
    for name in LOCALS[2:]:
        expect_printed(name, UNBORN)
    gdb.execute("step", to_string=True)
    gdb.execute("up", to_string=True)
    expect_printed("y", UNBORN)
    gdb.execute("down", to_string=True)
    gdb.execute("finish")
    expect_printed("$", f"[6] softmax at states.cpp:{stop}, needs grad, rows sum to 1\n"
                   "[0.0043, 0.0116, 0.0315, 0.0858, 0.2331, 0.6337]")


def check_library_text():
    """The grids equal those of the library's own print, for everything that can be printed."""
    from heed_debug import objects, text
    from heed_debug.gdb_debugger import DEBUGGER
    count = int(gdb.parse_and_eval("sizeof(printed) / sizeof(printed[0])"))
    for i in range(count):
        tensor = gdb.parse_and_eval(f"*printed[{i}]")
        array = objects.read(DEBUGGER, tensor.type, DEBUGGER.place(tensor))
        ours = "\n".join(text.grid(array)) + f"  {text.list_text(array.shape)}"
        expect(f"the library's text of *printed[{i}]", ours, library_text(f"texts[{i}]"))


def library_text(expression):
    value = gdb.parse_and_eval(expression)
    return value["_M_dataplus"]["_M_p"].string(length=int(value["_M_string_length"]))


def check_garbage():
    """Random bytes are never a tensor; and whatever is wrong in the bytes of a tensor, the printer
    returns a text, and soon."""
    generator = random.Random(1)
    memory = gdb.selected_inferior()
    place = int(gdb.parse_and_eval("&bytes[0]"))
    for kind in FUZZED:
        for _ in range(20):
            memory.write_memory(place, generator.randbytes(1024))
            expect_printed(f"*(heed::f32::{kind}*)bytes", UNBORN)
    size = int(gdb.parse_and_eval("sizeof(rank_2)"))
    right = bytes(memory.read_memory(int(gdb.parse_and_eval("&rank_2")), size))
    pointers = [int(gdb.parse_and_eval(x)) for x in ("&rank_3", "pointer", "&bytes[0]", "&main")]
    for _ in range(300):
        changed = bytearray(right)
        at = generator.randrange(0, len(right), 8)
        word = generator.choice([generator.randbytes(8), bytes(8), b"\xff" * 8] + [
            pointer.to_bytes(8, "little") for pointer in pointers])
        changed[at : at + 8] = word
        memory.write_memory(place, bytes(changed))
        said = printed("*garbage")
        expect_that(f"{said} says that it is no tensor, or has a shape",
                    said == UNBORN or said[0] == "[")
    memory.write_memory(place, right)
    expect_printed("*garbage", TENSORS["rank_2"])
    for wrong in WRONG:
        for change in wrong.split(";"):
            gdb.execute(f"set variable {change}")
        expect_printed("*garbage", UNBORN)
        memory.write_memory(place, right)
    uses = "*(int*)((char*)rank_2.storage_._M_refcount._M_pi + 8)"
    held = int(gdb.parse_and_eval(uses))
    gdb.execute(f"set variable {uses} = 0")
    expect_printed("rank_2", UNBORN)
    gdb.execute(f"set variable {uses} = {held}")
    expect_printed("rank_2", TENSORS["rank_2"])


def check_garbage_in_the_graph():
    """A broken node gives a text too, and no endless walk."""
    generator = random.Random(2)
    memory = gdb.selected_inferior()
    place = int(gdb.parse_and_eval("weights.node_._M_ptr"))
    size = int(gdb.parse_and_eval("sizeof(*weights.node_._M_ptr)"))
    right = bytes(memory.read_memory(place, size))
    pointers = [int(gdb.parse_and_eval(x)) for x in ("&weights", "&W", "loss.node_._M_ptr")]
    for _ in range(300):
        changed = bytearray(right)
        at = generator.randrange(0, len(right) - 7, 8)
        changed[at : at + 8] = generator.choice(
            [generator.randbytes(8), bytes(8), b"\x01" + bytes(7), place.to_bytes(8, "little")] + [
                pointer.to_bytes(8, "little") for pointer in pointers])
        memory.write_memory(place, bytes(changed))
        said = printed("weights")
        expect_that(f"{said} is a text", said == UNBORN or "[2, 3]" in said)
        said = run("graph weights")
        expect_that(f"{said} is a graph, or says why not", "[2, 3]" in said or "weights" in said)
        said = run("print loss.node_") + run("print *weights.node_._M_ptr")
        expect_that(f"{said} has no error in it", "rror" not in said and "xception" not in said)
    memory.write_memory(place, right)
    expect_printed("weights", VARIABLES["weights"])


def check_all(texts):
    for name, text in texts.items():
        expect_printed(name, text)


def main():
    gdb.execute("set heed-keep-graphs off")  # some are shown after being freed
    gdb.execute("set print pretty on")
    begin("nothing_is_constructed")
    check_unborn()
    gdb.execute("delete")
    line = line_of("made here")
    gdb.Breakpoint(f"states.cpp:{line}", temporary=True)
    gdb.execute("run > /dev/null", to_string=True)
    check_half_constructed(line)
    gdb.Breakpoint("look")
    stop_in("tensors")
    check_all(TENSORS)
    check_library_text()
    check_garbage()
    stop_in("other_types")
    check_all(OTHERS)
    expect("backtrace", run("backtrace 1").split("\n")[0].split(" at ")[0], "#0  look ()")
    stop_in("variables")
    check_all(VARIABLES)
    check_garbage_in_the_graph()
    gdb.execute("set variable $copy = weights")
    expect_printed("$copy", VARIABLES["weights"])
    stop_in("Model::operator()")
    said = run("frame 1").split("\n")[0]
    expect_that(said, "(this=-> Model, 12 parameters, x=[2, 3] constant, site=states.cpp:" in said)
    stop_in("layers")
    lines = lines_of("nn/linear.cpp", "matmul(")
    check_all({name: text.replace("{line}", str(lines[0])) for name, text in LAYERS.items()})
    expect_printed("as_module", LAYERS["model"])


end_with(main, 1650)
