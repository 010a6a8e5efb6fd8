"""lldb's summaries: `frame variable`, `p` and the Locals pane of an editor show heed's objects in one
line, with the numbers where they are few. They read memory only. `tensor X` shows all numbers."""

from heed_debug import objects, text
from heed_debug.lldb_debugger import DEBUGGER, not_constructed, object_of

OURS = "heed::f(32|64)::"
SHOWN = [
    "^" + OURS + "[A-Z][A-Za-z]*$",
    "^std::optional<" + OURS + "(Tensor|Mask|Variable|IndexTensor|BoolTensor)>$",
    "^std::(shared|unique)_ptr<" + OURS + "(Node|Operation)[ ,>]",
]


def summary(value, session):
    """The line of an object; "" for a type of heed's that has none, such as Random."""
    if DEBUGGER.look_at(value.GetTarget()):
        objects.forget()
    value = value.GetNonSyntheticValue()
    prefix = ""
    if value.GetType().GetCanonicalType().IsPointerType():
        if value.GetValueAsUnsigned() == 0:
            return "nullptr"
        value, prefix = value.Dereference(), "-> "
    found = object_of(value)
    if not objects.kind_of(DEBUGGER, found.GetType()):
        return ""
    return prefix + line_of(found)


def line_of(value):
    place = DEBUGGER.place(value)
    if not_constructed(value.GetFrame(), place):
        return text.NOT_CONSTRUCTED
    return objects.show(DEBUGGER, value.GetType(), place).split("\n")[0]


def add_summaries(debugger):
    for pattern in SHOWN:
        debugger.HandleCommand(f'type summary add -w heed -x "{pattern}" -F {__name__}.summary')
    debugger.HandleCommand("type category enable heed")
