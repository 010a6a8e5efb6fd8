"""Identifies which heed type an object has."""

import re

from heed_debug.memory import Unreadable

PLAIN_KINDS = {"Tensor", "IndexTensor", "BoolTensor", "Mask", "Shape", "Dims", "Variable", "Node",
               "Saved", "SavedOutput", "CallSite"}
OWN_NAME = re.compile(r"^heed::(f32|f64)::(\w+)$")
ANY_LAYER = re.compile(r"^heed::(f32|f64)::Any<")
OPTIONAL = re.compile(
    r"^std::optional<heed::(f32|f64)::(Tensor|Mask|Variable|IndexTensor|BoolTensor)>$")
HELD = re.compile(r"^std::(?:shared|unique)_ptr<heed::(f32|f64)::(Node|Operation)\b")

_kinds = {}


def forget():
    """Clears the cache: after a rebuild the types may have changed."""
    _kinds.clear()


def kind_of(debugger, type):
    """(precision, kind), or None: kind is one of PLAIN_KINDS, "Module" or "Operation" for classes
    derived from these, "AnyLayer" for an Any that may hold a layer, "optional Tensor", or "held
    Node" for a pointer that owns one."""
    name = debugger.type_name(type)
    if name not in _kinds:
        _kinds[name] = find_kind(debugger, type, name)
    return _kinds[name]


def find_kind(debugger, type, name):
    optional = OPTIONAL.match(name)
    if optional:
        return optional.group(1), "optional " + optional.group(2)
    held = HELD.match(name)
    if held:
        return held.group(1), "held " + held.group(2)
    any_layer = ANY_LAYER.match(name)
    if any_layer:
        return any_layer.group(1), "AnyLayer"
    own = OWN_NAME.match(name)
    if own and own.group(2) in PLAIN_KINDS | {"Module", "Operation"}:
        return own.group(1), own.group(2)
    if name.startswith("std::"):
        return None
    try:
        bases = [field.type for field in debugger.fields(type) if field.is_base]
    except Unreadable:
        return None
    for base in bases:
        found = kind_of(debugger, base)
        if found and found[1] in ("Variable", "Module", "Operation", "AnyLayer"):
            return found
    return None
