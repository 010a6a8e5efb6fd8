"""until-layer: runs on into the next call of one layer of a model, and in an attention layer to
where its scores and weights are."""

import os

from heed_debug import objects
from heed_debug.asking import Refused
from heed_debug.halts import Halt
from heed_debug.host import DEBUGGER, Command, here
from heed_debug.paths import Found, check_described, find_outward, place, short_name

FUNCTION = "scaled_dot_product_attention"
YES = 1  # of NeedWeights
LAST_LINE = "return Attention{output"


class UntilLayerCommand(Command):
    """until-layer X: run on into the next call of a layer of a model.
    until-layer model.blocks[3].feed_forward
    until-layer model.blocks[3].attention    of an attention layer, on to its weights, with Q, K, V,
                                             scores, weights and output: attention weights[5] is
                                             head 5, and why K[5,2,0] of weights[5,4,2]
    Equation 1 is then computed step by step, which with more than 256 keys may change last bits."""

    def lines(self, argument):
        if not argument:
            raise Refused("Into which layer? For example: until-layer model.blocks[0].attention")
        found = find_outward(argument)
        precision, layer = layer_of(found)
        if not run_into(precision, layer.place):
            return ["Something else halted the program before that: `bt` shows where it is."
                    if here.is_running() else f"The program ended without another call of {argument}."]
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
        raise Refused(f"{found.name} is of type {short_name(found.type)}, which is not a layer. "
                      "`shapes` lists the layers here.")
    return kind[0], found


def run_into(precision, layer):
    begins = f"heed::{precision}::LayerScope::LayerScope"
    here.check_seen_inside(begins)
    came = here.run_to(Halt(begins, lambda frame: here.variable(frame, "layer")[1] == layer))
    while came and own_name().split("::")[-2] in ("LayerScope", "Running"):
        here.run_to(Halt(caller()))
    return came is not None


def newest():
    return next(here.newest_frames())


def caller():
    """Where the function that is running returns to."""
    return here.return_address(newest())


def own_name():
    return here.function(newest()).split("(")[0]


def is_attention(type):
    return short_name(type) == "AttentionLayer" or any(
        is_attention(field.type) for field in DEBUGGER.fields(type) if field.is_base)


def run_to_weights(precision):
    """To the end of equation 1, which is made to be computed step by step, as for a caller who needs
    the weights; false if this call of the layer ends before."""
    here.run_to(Halt(f"heed::{precision}::{FUNCTION}"), Halt(caller()))
    if FUNCTION not in own_name():
        return False
    type, at = here.variable(newest(), "need_weights")
    here.write(at, YES.to_bytes(DEBUGGER.size(type), "little"))
    here.run_to(Halt(last_line()), Halt(caller()))
    return FUNCTION in own_name()


def last_line():
    path, begin = here.source(newest())
    with open(path, encoding="utf-8") as file:
        lines = file.read().splitlines()
    number = next(i for i in range(begin, len(lines)) if LAST_LINE in lines[i])
    return f"{os.path.basename(path)}:{number + 1}"


UntilLayerCommand("until-layer")
