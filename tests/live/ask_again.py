"""In gdb: walks as WALK_SCRIPT says, and at 50 steps, taken at random, compares WALK_RECORD with
what gdb itself reads in the program's memory, member by member, without heed's printers."""

import json
import os
import random
import struct
import time

import gdb

from heed_debug import recorder

with open(os.environ["WALK_RECORD"], encoding="utf-8") as file:
    RECORD = json.load(file)
SEED = int(os.environ.get("WALK_SEED", time.time_ns() % 1_000_000))
COUNT = len(RECORD["steps"])
CHOSEN = set(random.Random(SEED).sample(range(COUNT), min(50, COUNT)))
counts = {"steps": 0, "numbers": 0, "texts": 0, "left out": 0}
wrong = []


def evaluated(name):
    """A local variable, or a member of this; what an optional holds, which begins with it."""
    for expression in (name, f"this->{name}"):
        try:
            value = gdb.parse_and_eval(expression)
        except gdb.error:
            continue
        if value.type.strip_typedefs().code in (gdb.TYPE_CODE_REF, gdb.TYPE_CODE_RVALUE_REF):
            value = value.referenced_value()
        type = value.type.strip_typedefs()
        if (type.name or "").startswith("std::optional<"):
            value = value.address.cast(type.template_argument(0).pointer()).dereference()
        return value
    return None


def fields_of(value):
    type = value.type.strip_typedefs()
    return {field.name for field in type.fields()} if type.code == gdb.TYPE_CODE_STRUCT else set()


def tensor_in(value):
    """The Tensor in a Variable, or in a class derived from it."""
    for field in value.type.strip_typedefs().fields():
        if field.name == "value_":
            return value[field]
        if field.is_base_class:
            return tensor_in(value[field])
    return value


def index_of(position, part):
    index = []
    for length in reversed(part):
        index.insert(0, position % length)
        position //= length
    return index


def number_at(value, position, part):
    """Entry `position` of the recorded part, from memory; None for a type not known here."""
    if value.type.strip_typedefs().code == gdb.TYPE_CODE_PTR:
        return value[position]
    if value.type.strip_typedefs().code != gdb.TYPE_CODE_STRUCT:
        return None
    name = (value.type.strip_typedefs().name or "").split("::")[-1]
    if name == "Mask":
        return number_at(value["allowed_"], position, part)
    if name in ("IndexTensor", "BoolTensor"):
        shape = value["shape_"]["dims_"]
        flat = 0
        for axis, i in enumerate(index_of(position, part)):
            flat = flat * int(shape[axis]) + i
        held = value["numbers_" if name == "IndexTensor" else "values_"]["_M_ptr"]
        return held.dereference()["_M_impl"]["_M_start"][flat]
    if value.type.strip_typedefs().name.startswith("std::vector<"):
        return value["_M_impl"]["_M_start"][position]
    tensor = tensor_in(value)
    if "storage_" not in fields_of(tensor):
        return None
    offset = int(tensor["offset_"])
    for axis, i in enumerate(index_of(position, part)):
        offset += i * int(tensor["strides_"]["numbers_"][axis])
    return tensor["storage_"]["_M_ptr"].dereference()["data_"][offset]


def same(actual, recorded):
    if actual.type.strip_typedefs().code != gdb.TYPE_CODE_FLT:
        return int(actual) == recorded
    if isinstance(recorded, str):
        return str(float(actual)) == recorded
    if actual.type.sizeof == 4:
        return struct.pack("f", float(actual)) == struct.pack("f", recorded)
    return float(actual) == recorded


def gradient_of(name):
    value = evaluated(name)
    tensor = gdb.lookup_type(str(tensor_in(value).type.unqualified()))
    node = value.cast(value.type) if "node_" in fields_of(value) else next(
        value[field] for field in value.type.strip_typedefs().fields() if field.is_base_class)
    grad = node["node_"]["_M_ptr"].dereference()["grad"]
    return grad.address.cast(tensor.pointer()).dereference()


def check_numbers(step, name, recorded):
    value = gradient_of(name[:-5]) if name.endswith(".grad") else evaluated(name)
    for position, wanted in enumerate(recorded["numbers"]):
        actual = None if value is None else number_at(value, position, recorded["part"])
        if actual is None:
            counts["left out"] += 1
            return
        counts["numbers"] += 1
        if not same(actual, wanted):
            wrong.append(f"step {step}: {name}, number {position} is {actual}, not {wanted}")
            return


def check_text(step, name, line):
    value = evaluated(name)
    if value is None or value.type.strip_typedefs().code not in (
            gdb.TYPE_CODE_INT, gdb.TYPE_CODE_FLT, gdb.TYPE_CODE_BOOL):
        return
    counts["texts"] += 1
    said = line.removeprefix(name + " = ")
    wanted = {"true": 1, "false": 0}.get(said)
    if not same(value, float(said) if wanted is None else wanted):
        wrong.append(f"step {step}: {name} is {value}, recorded is {line}")


def check(number):
    counts["steps"] += 1
    step = RECORD["steps"][number]
    frame = gdb.newest_frame()
    place = frame.find_sal()
    if (os.path.basename(place.symtab.filename), place.line) != (
            os.path.basename(step["file"]), step["line"]):
        wrong.append(f"step {number} is at {place.symtab.filename}:{place.line}")
    frame.select()
    for name, which in step["variables"].items():
        recorded = RECORD["values"][which]
        if "numbers" in recorded:
            check_numbers(number, name, recorded)
        else:
            check_text(number, name, recorded["line"])


def watched(steps, add=recorder.add):
    add(steps)
    if len(steps) - 1 in CHOSEN:
        check(len(steps) - 1)


recorder.add = watched
gdb.execute(f"source {os.environ['WALK_SCRIPT']}", to_string=True)
if counts["steps"] != len(CHOSEN) or counts["numbers"] < max(100, 10 * counts["left out"]):
    wrong.append("too little was compared")
print("\n".join(wrong[:20]))
print(f"seed {SEED}: {counts}, {len(wrong)} wrong")
gdb.execute("kill", to_string=True)
gdb.execute(f"quit {1 if wrong else 0}")
