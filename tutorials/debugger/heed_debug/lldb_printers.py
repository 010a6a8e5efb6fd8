"""lldb's summaries of heed's objects, for `v` (frame variable) and an editor's Locals pane: one
line, with the numbers if there are few. They only read memory. `tensor X` shows all numbers."""

from heed_debug import objects, text
from heed_debug.lldb_debugger import DEBUGGER, is_unborn, object_of

OURS = "heed::f(32|64)::"
SHOWN = [
    "^" + OURS + "[A-Z][A-Za-z]*$",
    "^std::(optional|pair|array)<.*" + OURS,
    "^std::(shared|unique)_ptr<(const )?" + OURS + "[A-Z]",
]


def summary(value, session):
    """An object's summary line; "" for a heed type without one, such as Random."""
    if DEBUGGER.look_at(value.GetTarget()):
        objects.forget()
    value = value.GetNonSyntheticValue()
    type = value.GetType().GetCanonicalType()
    if is_unborn(value):
        return text.NOT_CONSTRUCTED
    prefix = ""
    if type.IsPointerType():
        if value.GetValueAsUnsigned() == 0:
            return "nullptr"
        value, prefix = value.Dereference(), "-> "
    found = object_of(value)
    if not objects.kind_of(DEBUGGER, found.GetType()):
        return ""
    return prefix + line_of(found)


def line_of(value):
    place = DEBUGGER.place(value)
    return objects.show(DEBUGGER, value.GetType(), place).split("\n")[0]


def add_summaries(debugger):
    for pattern in SHOWN:
        debugger.HandleCommand(f'type summary add -w heed -x "{pattern}" -F {__name__}.summary')
    debugger.HandleCommand("type category enable heed")
