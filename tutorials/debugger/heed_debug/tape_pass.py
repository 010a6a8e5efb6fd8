"""A backward pass read from the program's memory (autograd/engine.h): its nodes in order, the
gradients that have arrived, and which nodes wait for which."""

from heed_debug.memory import Record


class Pass:
    def __init__(self, memory, address):
        self.memory = memory
        self.address = address
        record = Record(memory, "BackwardPass", address)
        order = Record(memory, "TopologicalOrder", record.at("order_"))
        self.nodes, self.size = memory.vector(order.at("nodes_"), 8)
        first, _ = memory.vector(order.at("first_input_"), 8)
        positions, edges = memory.vector(order.at("input_positions_"), 8)
        starts = list(memory.unpack(first, "q" * self.size)) + [edges]
        inputs = memory.unpack(positions, "q" * edges) if edges else ()
        self.inputs = [inputs[starts[i] : starts[i + 1]] for i in range(self.size)]
        self.needed = self.bits(record.at("needed_"))
        self.wanted = self.bits(record.at("wanted_"))
        self.gradients = memory.unpack(record.at("gradients_"), "Q")[0]
        self.where = memory.where(record.at("site_"))

    def bits(self, address):
        """A std::vector<bool>, which begins with a pointer to its words."""
        words = self.memory.unpack(address, "Q")[0]
        data = self.memory.read(words, (self.size + 63) // 64 * 8)
        return [bool(data[i // 8] >> i % 8 & 1) for i in range(self.size)]

    def node(self, position):
        return self.memory.node(self.memory.unpack(self.nodes + 8 * position, "Q")[0])

    def gradient(self, position):
        """The gradient accumulated for a node so far; None if there is none yet, or if it was
        already passed on."""
        alignment = 8
        size = (self.memory.layout("Variable")[1] + 1 + alignment - 1) // alignment * alignment
        place = self.gradients + size * position
        engaged = self.memory.read(place + self.memory.layout("Variable")[1], 1)[0]
        return self.memory.variable(place).value if engaged == 1 else None

    def walks(self, position):
        """Will this node be processed?"""
        return self.needed[position] and self.gradient(position) is not None

    def count(self):
        return sum(self.needed)

    def number(self, position):
        """The node's number in processing order, from 1; positions are processed last to first."""
        return sum(self.needed[position:])

    def waits_for(self, position, walked):
        """The consumers of a node that are still pending after node `walked` was processed;
        positions are processed last to first."""
        return [user for user in range(walked - 1, position, -1)
                if self.needed[user] and position in self.inputs[user]]
