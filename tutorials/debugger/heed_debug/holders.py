"""Objects that hold tensors, variables and settings: optimizers, states, caches, recordings, pairs.
A line, and below it a small table of what is in them."""

from heed_debug import text
from heed_debug.kinds import kind_of
from heed_debug.layers import own_type
from heed_debug.memory import Broken, Record

MOST_ROWS = 12
MOST_ENTRIES = 100_000


def lines_of(debugger, memory, kind, type, address, show):
    """The lines of a holder; `show(type, address)` gives the line of a member."""
    return SHOWN[kind](Holder(debugger, memory, type, address, show))


class Holder:
    def __init__(self, debugger, memory, type, address, show):
        self.debugger, self.memory, self.address = debugger, memory, address
        self.show = show
        self.become(type)

    def become(self, type):
        self.type = type
        self.name = self.debugger.type_name(type).split("<")[0].split("::")[-1]

    def members(self, type=None, address=None):
        """(name, type, address) of each data member, those of base classes first."""
        type, address = (self.type, self.address) if type is None else (type, address)
        for field in self.debugger.fields(type):
            if field.is_base:
                yield from self.members(field.type, address + field.offset)
            else:
                yield field.name, field.type, address + field.offset

    def place(self, *path):
        """(type, address) of a member of a member."""
        type, address = self.type, self.address
        for name in path:
            found = {member: rest for member, *rest in self.members(type, address)}
            type, address = found[name]
        return type, address

    def long(self, *path):
        return self.memory.unpack(self.place(*path)[1], "q")[0]

    def double(self, *path):
        return self.memory.unpack(self.place(*path)[1], "d")[0]

    def settings(self, *path):
        """Members that are plain numbers, as ["lr 0.001", "nesterov"]: no zeros."""
        codes = {"double": "d", "float": "f", "long": "q", "int": "i", "bool": "?"}
        type, address = self.place(*path)
        said = []
        for name, of_member, place in self.members(type, address):
            code = codes.get(self.debugger.type_name(of_member))
            value = self.memory.unpack(place, code)[0] if code else 0
            if value:
                said.append(name if code == "?" else f"{name.rstrip('_')} {value:g}")
        return said

    def entries(self, *path):
        """(entry type, addresses) of a vector."""
        type, address = self.place(*path)
        entry = self.debugger.entry_type(type)
        size = self.debugger.size(entry)
        begin, count = self.memory.vector(address, size)
        if count > MOST_ENTRIES:
            raise Broken("more entries than anything here has")
        return entry, [begin + i * size for i in range(count)]

    def rows(self, members):
        """(name, line) of those that are of heed, or texts."""
        rows = []
        for name, type, address in members:
            if kind_of(self.debugger, type):
                rows.append((name, self.show(type, address)))
            elif self.debugger.type_name(type).startswith("std::__cxx11::basic_string<char"):
                rows.append((name, f'"{self.memory.string(address)}"'))
        return rows


def table(rows):
    width = max((len(name) for name, _ in rows[:MOST_ROWS]), default=0)
    lines = [f"  {name:<{width}}  {line}" for name, line in rows[:MOST_ROWS]]
    return lines + ([f"  ... ({len(rows) - MOST_ROWS} more)"] if len(rows) > MOST_ROWS else [])


def plain(holder):
    """A struct: its members, one a line."""
    rows = holder.rows(holder.members())
    if rows and all(line == text.NOT_CONSTRUCTED for _, line in rows):
        raise Broken("nothing is in it yet")
    return [holder.name] + table(rows)


def array(holder):
    """A std::array, whose entries lie one behind the other."""
    entry = holder.debugger.entry_type(holder.type)
    size = holder.debugger.size(entry)
    count = holder.debugger.size(holder.type) // size
    return [f"array of {count}"] + table(
        [(f"[{i}]", holder.show(entry, holder.address + i * size)) for i in range(count)])


def optimizer(holder):
    """AdamW, lr 0.001, ..., 28 parameters of 2040 numbers, 3 steps"""
    holder.become(own_type(holder.debugger, holder.memory, holder.type, holder.address))
    entry, places = holder.entries("parameters_")
    rows, numbers = [], 0
    for place in places:
        named = Holder(holder.debugger, holder.memory, entry, place, holder.show)
        variable = holder.memory.variable(named.place("parameter")[1])
        numbers += variable.value.count
        name = holder.memory.string(named.place("name")[1])
        remarks = text.node_remarks(variable.node)
        rows.append((name or (variable.node.name if variable.node else ""), ", ".join(
            [text.list_text(variable.value.shape), *remarks[1:]]).replace("],", "]")))
    options = [each for each in holder.settings("options_") if not each.startswith("lr ")]
    line = [holder.name, f"lr {holder.double('lr_'):g}", *options,
            f"{text.counted(len(rows), 'parameter')} of {text.counted(numbers, 'number')}"]
    steps = steps_of(holder)
    line += [] if steps is None else [text.counted(steps, "step")]
    return [", ".join(line)] + table(rows)


def steps_of(holder):
    """The most that Adam has counted for one of its parameters; None for other rules."""
    if "moments_" not in [name for name, _, _ in holder.members()]:
        return None
    entry, places = holder.entries("moments_")
    moments = holder.debugger.entry_type(entry)
    size = holder.debugger.size(moments)
    counts = [Holder(holder.debugger, holder.memory, moments, place, holder.show).long("t")
              for place in places if holder.memory.read(place + size, 1) == b"\1"]
    return max(counts, default=0)


def state_dict(holder):
    entry, places = holder.entries("entries_")
    rows, numbers = [], 0
    for place in places:
        named = Holder(holder.debugger, holder.memory, entry, place, holder.show)
        array = holder.memory.tensor(named.place("value")[1])
        numbers += array.count
        rows.append((holder.memory.string(named.place("name")[1]), text.list_text(array.shape)))
    return [f"StateDict, {text.counted(len(rows), 'entry', 'entries')}, "
            f"{text.counted(numbers, 'number')}"] + table(rows)


def cache(holder):
    """KeyValueCache, 8 of 12 tokens, K [1, 2, 8, 4], V [1, 2, 8, 4]"""
    memory = holder.memory
    K, V = (memory.variable(holder.place(kept, "so_far")[1]).value for kept in ("K_", "V_"))
    tokens = K.shape[-2] if len(K.shape) > 1 else 0
    buffer = memory.shared(holder.place("K_", "buffer")[1])
    if not buffer:
        return [f"KeyValueCache, {text.counted(tokens, 'token')}"]
    numbers = memory.tensor(Record(memory, "KeyValueCache::Buffer", buffer).at("numbers"))
    return [f"KeyValueCache, {tokens} of {text.counted(numbers.shape[-2], 'token')}, "
            f"K {text.list_text(K.shape)}, V {text.list_text(V.shape)}"]


def schedule(holder):
    return [", ".join([holder.name, *holder.settings()])]


def average(holder):
    """ExponentialAverage 1.25, beta 0.98: what value() gives, m/(1 - betaᵗ)."""
    m, beta_to_t = holder.double("state_", "m"), holder.double("state_", "beta_to_t")
    if not 0 <= beta_to_t <= 1:
        raise Broken("an average of something else")
    value = "of nothing yet" if beta_to_t == 1 else f"{m / (1 - beta_to_t):g}"
    return [f"ExponentialAverage {value}, beta {holder.double('beta_'):g}"]


def record(holder):
    name = holder.memory.string(holder.place("name")[1])
    rows = holder.rows(member for member in holder.members() if member[0] != "name")
    return [f'AttentionRecord of "{name}", call {holder.long("call")}'] + table(rows)


def recording(holder):
    entry, places = holder.entries("records_")
    rows = []
    for i, place in enumerate(places):
        of_call = Holder(holder.debugger, holder.memory, entry, place, holder.show)
        weights = holder.memory.tensor(of_call.place("weights")[1])
        rows.append((f"[{i}] {holder.memory.string(of_call.place('name')[1])}",
                     f"call {of_call.long('call')}, weights {text.list_text(weights.shape)}"))
    return [f"RecordAttention, {text.counted(len(rows), 'call')}"] + table(rows)


SHOWN = {
    "Optimizer": optimizer, "StateDict": state_dict, "KeyValueCache": cache, "Attention": plain,
    "KeysAndValues": plain, "NamedParameter": plain, "AttentionRecord": record,
    "RecordAttention": recording, "ExponentialAverage": average, "WarmupConstant": schedule,
    "WarmupCosine": schedule, "WarmupLinear": schedule, "WarmupInverseRoot": schedule,
    "pair": plain, "array": array,
}
