"""Identifies which heed type an object has."""

import re

from heed_debug.memory import Unreadable

PLAIN_KINDS = {"Tensor", "IndexTensor", "BoolTensor", "Mask", "Shape", "Dims", "Variable", "Node",
               "Saved", "SavedOutput", "CallSite"}
HOLDERS = {"Optimizer", "StateDict", "KeyValueCache", "Attention", "KeysAndValues",
           "NamedParameter", "AttentionRecord", "RecordAttention", "ExponentialAverage",
           "WarmupConstant", "WarmupCosine", "WarmupLinear", "WarmupInverseRoot"}
OWN_NAME = re.compile(r"^heed::(f32|f64)::(\w+)$")
ANY_LAYER = re.compile(r"^heed::(f32|f64)::Any<[^<>]*>$")
OPTIONAL = re.compile(r"^std::optional<heed::(f32|f64)::")
HELD = re.compile(r"^std::(?:shared|unique)_ptr<(?:const )?heed::(f32|f64)::(Node|Operation)\b")
POINTER = re.compile(r"^std::(?:shared|unique)_ptr<(?:const )?heed::(f32|f64)::")
SEVERAL = re.compile(r"^std::(pair|array)<.*?heed::(f32|f64)::")

_kinds = {}


def forget():
    """Clears the cache: after a rebuild the types may have changed."""
    _kinds.clear()


def kind_of(debugger, type):
    """(precision, kind), or None: kind is one of PLAIN_KINDS, "Module" or "Operation" for classes
    derived from these, "AnyLayer" for an Any that may hold a layer, "optional Tensor", "held Node"
    for a pointer that owns one, "pointer" for one that owns something else of heed, one of HOLDERS,
    or "pair" or "array" of what is of heed."""
    name = debugger.type_name(type)
    if name not in _kinds:
        _kinds[name] = find_kind(debugger, type, name)
    return _kinds[name]


def find_kind(debugger, type, name):
    if name.startswith("std::"):
        return find_kind_of_std(debugger, type, name)
    any_layer = ANY_LAYER.match(name)
    if any_layer:
        return any_layer.group(1), "AnyLayer"
    own = OWN_NAME.match(name)
    if own and own.group(2) in PLAIN_KINDS | HOLDERS | {"Module", "Operation"}:
        return own.group(1), own.group(2)
    try:
        bases = [field.type for field in debugger.fields(type) if field.is_base]
    except Unreadable:
        return None
    for base in bases:
        found = kind_of(debugger, base)
        if found and found[1] in ("Variable", "Module", "Operation", "AnyLayer", "Optimizer"):
            return found
    return None


def find_kind_of_std(debugger, type, name):
    held = HELD.match(name)
    if held:
        return held.group(1), "held " + held.group(2)
    several = SEVERAL.match(name)
    if several and several_of_heed(debugger, type, several.group(1)):
        return several.group(2), several.group(1)
    optional, pointer = OPTIONAL.match(name), POINTER.match(name)
    if not optional and not pointer:
        return None
    entry = debugger.entry_type(type)
    kind = kind_of(debugger, entry) if entry is not None else None
    if not kind:
        return None
    return kind[0], "optional " + kind[1] if optional else "pointer"


def several_of_heed(debugger, type, name):
    """Is an entry of a std::pair or std::array of heed?"""
    if name == "array":
        entry = debugger.entry_type(type)
        return entry is not None and bool(kind_of(debugger, entry))
    return any(kind_of(debugger, field.type) for field in debugger.fields(type)
               if not field.is_base)
