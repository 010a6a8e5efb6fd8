"""What the layers and parameters of a program are called where it stands: model.blocks[0].norm1, so
that graphs can name them."""

import re

from heed_debug.layers import members, own_type, short_class
from heed_debug.memory import Broken, Unreadable


def as_expression(path):
    """blocks[0].attention.W_Q for blocks.0/attention/W_Q"""
    return re.sub(r"\.(\d+)\b", r"[\1]", path).replace("/", ".")


class Names:
    """`leaves`: name by the address of the node; `layers`: class by name."""

    def __init__(self):
        self.leaves = {}
        self.layers = {}

    def add_variable(self, name, variable):
        if variable.node is not None and variable.node.is_leaf:
            self.leaves.setdefault(variable.node.address, name)

    def add_layer(self, debugger, memory, name, type, address):
        try:
            type = own_type(debugger, memory, type, address)
            found = list(members(debugger, memory, type, address))
            self.layers.setdefault(name, short_class(debugger, type))
            joint = "" if name == "this" else name + "."
            for member in found:
                inner = joint + as_expression(member.path)
                if member.layer is None:
                    self.add_variable(inner, memory.variable(member.place))
                elif member.layer:
                    self.layers.setdefault(inner, member.layer)
        except (Broken, Unreadable):
            return

    def layer_with(self, layer_class, leaves):
        """The innermost layer of this class that has all these leaves; "" if none or no leaves."""
        found = [name for name, of_class in self.layers.items() if of_class == layer_class
                 and leaves and all(has(name, leaf) for leaf in leaves)]
        return max(found, key=len, default="")


def has(layer, leaf):
    return layer == "this" or leaf.startswith(layer + ".")
