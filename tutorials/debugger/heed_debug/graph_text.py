"""The recorded graph below a variable, read from memory and formatted like graph_text() in
autograd/inspect/graph.h: operations of one layer are one entry, and a node that is used more than
once is written out once. Beyond that, layers and parameters have the names by which the program
knows them, and a layer's own parameters are counted, not listed."""

from dataclasses import dataclass, field
from typing import Any

from heed_debug import text
from heed_debug.layer_names import Names

MOST_NODES = 20_000
MAX_DEPTH = 100
MAX_ENTRIES = 500


class TooLarge(Exception):
    """More nodes than this reads."""


@dataclass
class Entry:
    node: Any  # the one met first
    closed: Any  # the layer it stands for, or None
    operations: int = 0
    uses: int = 0
    layer: str = ""  # the name of that layer
    parameters: int = 0  # of that layer, left out of `inputs`
    inputs: list = field(default_factory=list)  # of (number of the entry or -1, shape)


class Outline:
    """Depth-first, inputs in order; entry 0 is the root."""

    def __init__(self, memory, root, open_scopes, names):
        self.memory = memory
        self.open_scopes = open_scopes
        self.names = names
        self.entries = []
        self.entry_of = {}
        self.nodes = {root.address: root}
        self.enter(root)
        stack = [[root, 0]]
        while stack:
            node, next_input = stack[-1]
            if next_input == len(node.inputs):
                stack.pop()
                continue
            stack[-1][1] += 1
            address, shape = node.inputs[next_input]
            is_new = address and address not in self.nodes
            if is_new:
                if len(self.nodes) >= MOST_NODES:
                    raise TooLarge()
                self.nodes[address] = memory.node(address)
            self.connect(self.enter(node), address, shape)
            if is_new:
                stack.append([self.nodes[address], 0])
        for entry in self.entries:
            if entry.closed:
                self.fold_parameters(entry)

    def fold_parameters(self, entry):
        """Leaves out the parameters of the layer that a closed entry stands for."""
        leaves = [(to, self.name_of(to)) for to, _ in entry.inputs if self.name_of(to)]
        entry.layer = self.names.layer_with(entry.closed.name, [name for _, name in leaves])
        if not entry.layer:
            return
        own = {to for to, _ in leaves}
        entry.parameters = len(own)
        entry.inputs = [(to, shape) for to, shape in entry.inputs if to not in own]
        for to in own:
            self.entries[to].uses -= 1

    def name_of(self, number):
        """What the program calls a leaf, or ""."""
        entry = self.entries[number] if number >= 0 else None
        if entry is None or entry.closed or not entry.node.is_leaf:
            return ""
        return self.names.leaves.get(entry.node.address, "")

    def enter(self, node):
        if node.address in self.entry_of:
            return self.entry_of[node.address]
        inside = len(node.scopes) > self.open_scopes
        closed = node.scopes[self.open_scopes] if inside else None
        number = len(self.entries)
        if closed:
            number = self.entry_of.setdefault(("scope", closed.address), number)
        self.entry_of[node.address] = number
        if number == len(self.entries):
            self.entries.append(Entry(node, closed))
        if not node.is_leaf:
            self.entries[number].operations += 1
        return number

    def connect(self, number, address, shape):
        to = self.enter(self.nodes[address]) if address else -1
        entry = self.entries[number]
        if to == number:
            return
        if entry.closed:
            # A layer's outside inputs are shown once; its own parameters are not shown.
            if to < 0 and not shape:
                return
            if to >= 0 and any(known == to for known, _ in entry.inputs):
                return
        entry.inputs.append((to, shape))
        if to >= 0:
            self.entries[to].uses += 1


def label(entry, name):
    if entry.closed:
        return f"{entry.closed.name} {entry.layer}".rstrip()
    node = entry.node
    if name:
        return name
    if not node.name:
        return node.operation_name
    return node.name if node.is_leaf else f"{node.name} = {node.operation_name}"


def place(entry):
    return (entry.closed or entry.node).where.text()


def remark(entry):
    if entry.closed:
        own = text.counted(entry.parameters, "parameter")
        return (f" ({text.counted(entry.operations, 'operation')}"
                f"{', ' + own if entry.parameters else ''})")
    if not entry.node.is_leaf:
        return ""
    return " (requires grad)" if entry.node.requires_grad else " (frozen)"


def graph_lines(memory, root, open_scopes=0, names=None):
    """Of the layers, the outermost `open_scopes` levels are opened. Errors: TooLarge, Broken,
    Unreadable."""
    outline = Outline(memory, root, open_scopes, names or Names())
    numbers = {}
    last_number = 0
    lines = []
    pending = [(0, root.shape, 0)]
    while pending and len(lines) < MAX_ENTRIES:
        number, shape, depth = pending.pop()
        indent, shape = "  " * depth, text.list_text(shape)
        if number < 0:
            lines.append(f"{indent}constant {shape}")
            continue
        entry, name = outline.entries[number], outline.name_of(number)
        if number in numbers:
            lines.append(f"{indent}#{numbers[number]} {label(entry, name)} {shape}, above")
            continue
        last_number += entry.uses > 1
        numbers[number] = last_number if entry.uses > 1 else 0
        mark = f"#{numbers[number]} " if numbers[number] else ""
        where = "" if entry.node.is_leaf and not entry.closed else f" at {place(entry)}"
        line = f"{indent}{mark}{label(entry, name)} {shape}{where}{remark(entry)}"
        lines.append(line)
        if depth + 1 < MAX_DEPTH:
            pending += [(to, of, depth + 1) for to, of in reversed(entry.inputs)]
        elif entry.inputs:
            lines.append(f"{indent}  ... (deeper than {MAX_DEPTH})")
    if pending:
        lines.append(f"... (cut after {len(lines)} lines)")
    return lines
