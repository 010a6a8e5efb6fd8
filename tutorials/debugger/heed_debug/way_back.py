"""The text of `why CELL back`: from one number back to the leaves, layer by layer."""

from heed_debug import text
from heed_debug.text import NumberStyle

MOST_STEPS = 60


def way_back_lines(memory, root, answer, names, words, title):
    """`answer` has a line for each step (autograd/inspect/explain_debugger.cpp); `words` is a list
    of the words at the places of a sequence, or None."""
    steps = [step.split(" ", 3) for step in answer.strip().split("\n") if step]
    if not steps:
        return [f"{title} depends on no layer and no leaf that is recorded."]
    leaves = leaves_by_frame(memory, root, names)
    rows = []
    for node_address, frame, derivative, index in steps[:MOST_STEPS]:
        node = memory.node(int(node_address))
        if int(frame):
            what, where = layer_of(node, int(frame), names, leaves)
        else:
            what, where = names.leaves.get(node.address) or node.name or "leaf", ""
        place = [int(number) for number in index.strip("[]").split(",") if number.strip()]
        rows.append((what, text.list_text(node.shape), "entry " + text.list_text(place),
                     signed(float(derivative)), where + word_at(node, place, words)))
    widths = [max(len(row[i]) for row in rows) for i in range(4)]
    return [f"{title}. Back from it, the entry of what each layer gave on which it depends most,",
            "and its derivative with respect to that:"] + [
        ("  " + "  ".join(part.ljust(width) for part, width in zip(row, widths)) + "  "
         + row[4]).rstrip() for row in rows]


def signed(number):
    return NumberStyle([number], 4).text(number).rjust(11)


def word_at(node, place, words):
    """The word at the place of a sequence that an entry [..., t, i] belongs to."""
    if not words or node.is_leaf or len(node.shape) < 2 or node.shape[-2] != len(words):
        return ""
    return f'  "{words[place[-2]]}"'


def layer_of(node, address, names, leaves):
    """(what the layer is called, the line that called it)"""
    frame = next(each for each in node.scopes if each.address == address)
    name = names.layer_with(frame.name, leaves.get(address, []))
    return f"{frame.name} {name}".rstrip(), f"called at {frame.where.text()}"


def leaves_by_frame(memory, root, names):
    """The names of the leaves that are used within each layer, by the address of its frame."""
    found, seen, pending = {}, {root.address}, [root]
    while pending:
        node = pending.pop()
        for address, _ in node.inputs:
            if not address:
                continue
            for frame in node.scopes if address in names.leaves else ():
                found.setdefault(frame.address, set()).add(names.leaves[address])
            if address not in seen:
                seen.add(address)
                pending.append(memory.node(address))
    return found
