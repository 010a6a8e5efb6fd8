"""until-layer: runs on into the next call of one layer of a model, and in an attention layer to where
its scores and weights are."""

import os

import gdb

from heed_debug import objects
from heed_debug.gdb_command import Command
from heed_debug.gdb_moves import go_on, is_running
from heed_debug.gdb_debugger import DEBUGGER
from heed_debug.paths import Found, check_described, find_outward, place, short_name
from heed_debug.gdb_surroundings import check_seen_inside

FUNCTION = "scaled_dot_product_attention"
LAST_LINE = "return Attention{output"


class InCall(gdb.Breakpoint):
    """Halts where the layer at this address begins its call."""

    def __init__(self, precision, layer):
        super().__init__(f"heed::{precision}::LayerScope::LayerScope", internal=True)
        self.layer = layer
        self.came = False

    def stop(self):
        layer = gdb.selected_frame().read_var("layer")
        self.came = int(layer.address) == self.layer
        return self.came


class UntilLayerCommand(Command):
    """until-layer X: run on into the next call of a layer of a model.
    until-layer model.blocks[3].feed_forward
    until-layer model.blocks[3].attention    of an attention layer, on to its weights, with Q, K, V,
                                             scores, weights and output: attention weights[5] is
                                             head 5, and why K[5,2,0] of weights[5,4,2]
    Equation 1 is then computed step by step, which with more than 256 keys may change last bits."""

    def lines(self, argument):
        if not argument:
            raise gdb.GdbError("Into which layer? For example: until-layer model.blocks[0].attention")
        found = find_outward(argument)
        precision, layer = layer_of(found)
        if not run_into(precision, layer.place):
            return ["Something else halted the program before that: `bt` shows where it is."
                    if is_running() else f"The program ended without another call of {argument}."]
        if not is_attention(layer.type):
            return [f"in {argument}, {place()}"]
        if not run_to_weights(precision):
            return [f"in {argument}, {place()}; it does not use equation 1"]
        return [f"in {argument}, at its weights, {place()}"]


def layer_of(found):
    """(precision, the layer found), also the one that an AnyLayer holds."""
    kind = objects.kind_of(DEBUGGER, found.type)
    if kind and kind[1] == "AnyLayer":
        memory = objects.memory_of(DEBUGGER, kind[0])
        holder = memory.unpack(found.place, "Q")[0]
        name = memory.class_of(holder)
        for field in DEBUGGER.fields(DEBUGGER.find_type(name)) if name else []:
            if field.name == "layer":
                return kind[0], Found(found.name, field.type, holder + field.offset)
    check_described(found)
    if not kind or kind[1] != "Module":
        raise gdb.GdbError(f"{found.name} is of type {short_name(found.type)}, which is not a layer. "
                           "`shapes` lists the layers here.")
    return kind[0], found


def run_into(precision, layer):
    check_seen_inside(f"heed::{precision}::LayerScope::LayerScope")
    in_call = InCall(precision, layer)
    try:
        go_on(quietly=False)
        came = in_call.came
    finally:
        in_call.delete()
    while came and own_name().split("::")[-2] in ("LayerScope", "Running"):
        run_to(caller())
    return came


class Silently(gdb.Breakpoint):
    def __init__(self, place):
        super().__init__(place, internal=True)


def run_to(*places):
    """To the first of them that is reached."""
    halts = [Silently(place) for place in places]
    try:
        go_on(quietly=False)
    finally:
        for halt in halts:
            halt.delete()


def caller():
    """Where the function that is running returns to."""
    return f"*{gdb.selected_frame().older().pc():#x}"


def own_name():
    return (gdb.selected_frame().name() or "").split("(")[0]


def is_attention(type):
    if short_name(type) == "AttentionLayer":
        return True
    return any(is_attention(field.type) for field in DEBUGGER.plain(type).fields()
               if field.is_base_class)


def run_to_weights(precision):
    """To the end of equation 1, which is made to be computed step by step, as for a caller who needs
    the weights; false if this call of the layer ends before."""
    run_to(f"heed::{precision}::{FUNCTION}", caller())
    if FUNCTION not in own_name():
        return False
    gdb.execute(f"set var need_weights = heed::{precision}::NeedWeights::yes", to_string=True)
    run_to(last_line(), caller())
    return FUNCTION in own_name()


def last_line():
    start = gdb.selected_frame().find_sal()
    path = start.symtab.fullname()
    with open(path, encoding="utf-8") as file:
        lines = file.read().splitlines()
    number = next(i for i in range(start.line, len(lines)) if LAST_LINE in lines[i])
    return f"{os.path.basename(path)}:{number + 1}"


UntilLayerCommand("until-layer")
