"""Calls and subscripts as C++ has them, in gdb's expressions and conditions: X.dim(0),
weights[0][1], weights.at(0,1). gdb takes these in place of the program's functions, and they read
memory: so they work in a core file, and disturb nothing. (gdb 13 has no way to take weights(0,1),
which it parses as the call of a function.)"""

import struct

import gdb
import gdb.xmethod

from heed_debug import objects
from heed_debug.arrays import WrongSlice
from heed_debug.gdb_charset import fitting
from heed_debug.gdb_debugger import DEBUGGER
from heed_debug.gdb_frames import not_constructed
from heed_debug.memory import Broken, Record, Undescribed, Unreadable

C_TYPES = {"f": "float", "d": "double", "q": "long", "B": "bool"}
MOST_INDICES = 8


def scalar_type(object):
    precision, kind = objects.kind_of(DEBUGGER, referenced(object).type)
    if kind in ("Tensor", "Variable"):
        return gdb.lookup_type("float" if precision == "f32" else "double")
    return gdb.lookup_type("long" if kind == "IndexTensor" else "bool")


def referenced(object):
    """The object: gdb passes x of x.f() as a pointer."""
    return object.dereference() if object.type.code == gdb.TYPE_CODE_PTR else object


def array_of(object):
    return objects.numbers_of(objects.read(DEBUGGER, object.type, DEBUGGER.place(object)))


def cells(array):
    """The entries as C++ arrays: those in memory, or a copy if they do not lie side by side."""
    if 0 in array.shape:
        raise gdb.GdbError("there are no numbers in it")
    type = gdb.lookup_type(C_TYPES[array.code])
    for length in reversed(array.shape):
        type = type.array(length - 1)
    if array.is_contiguous():
        return gdb.Value(array.address).cast(type.pointer()).dereference()
    return gdb.Value(struct.pack(f"{array.count}{array.code}", *array.values()), type)


def entry(object, *index):
    array = array_of(object)
    if len(index) != len(array.shape):
        raise gdb.GdbError(f"the shape is {list(array.shape)}, which takes {len(array.shape)} "
                           "indices")
    return cells(array.slice(",".join(str(int(i)) for i in index)) if index else array)


def row(object, i):
    array = array_of(object)
    if not array.shape:
        raise gdb.GdbError("it is a single number, which has no rows")
    return cells(array.slice(str(int(i))))


def item(object):
    array = array_of(object)
    if array.count != 1:
        raise gdb.GdbError(f"it has {array.count} numbers, and item() needs one")
    return cells(array.slice(",".join("0" for _ in array.shape)) if array.shape else array)


def shape_of(object):
    kind = objects.kind_of(DEBUGGER, object.type)[1]
    if kind == "Variable":
        object = object["value_"]
    if kind == "Mask":
        object = object["allowed_"]
    return object["shape_"]


def strides_of(object):
    return object["strides_"]


def value_of(object):
    return object["value_"]


def lengths(object):
    precision, kind = objects.kind_of(DEBUGGER, object.type)
    if kind == "Shape":
        return objects.memory_of(DEBUGGER, precision).shape(DEBUGGER.place(object))
    return array_of(object).shape


def count(object):
    entries = 1
    for length in lengths(object):
        entries *= length
    return gdb.Value(entries)


def length(object, axis):
    shape, axis = lengths(object), int(axis)
    if not -len(shape) <= axis < len(shape):
        raise gdb.GdbError(f"the shape is {list(shape)}: there is no axis {axis}")
    return gdb.Value(shape[axis])


def node_of(object):
    return objects.read(DEBUGGER, object.type, DEBUGGER.place(object)).node


def is_leaf(object):
    node = node_of(object)
    return gdb.Value(node is None or node.is_leaf)


def has_gradient(object):
    node = node_of(object)
    return gdb.Value(node is not None and node.grad is not None)


def gradient(object):
    node = node_of(object)
    if node is None or node.grad is None:
        raise gdb.GdbError("it has no gradient; the command `grad` says why")
    memory = objects.memory_of(DEBUGGER, objects.kind_of(DEBUGGER, object.type)[0])
    type = DEBUGGER.find_type(memory.namespace + "Tensor")
    place = Record(memory, "Node", node.address).at("grad")
    return gdb.Value(place).cast(type.pointer()).dereference()


MEMBERS = (shape_of, strides_of, value_of)  # that have the place of a member
LISTS = {
    "dim": (length, 1),
    "rank": (lambda object: gdb.Value(len(lengths(object))), 0),
    "numel": (count, 0),
}
NUMBERS = LISTS | {
    "shape": (shape_of, 0),
    "item": (item, 0),
    "at": (entry, None),
    "operator()": (entry, None),
    "operator[]": (row, 1),
}
METHODS = {
    "Shape": LISTS | {"operator[]": (length, 1)},
    "Tensor": NUMBERS | {"strides": (strides_of, 0)},
    "IndexTensor": NUMBERS,
    "BoolTensor": NUMBERS,
    "Mask": NUMBERS | {
        "T_q": (lambda object: length(object, -2), 0),
        "T_k": (lambda object: length(object, -1), 0),
    },
    "Variable": NUMBERS | {
        "value": (value_of, 0),
        "grad": (gradient, 0),
        "has_grad": (has_gradient, 0),
        "is_leaf": (is_leaf, 0),
    },
}


class Method(gdb.xmethod.XMethodWorker):
    def __init__(self, name, function, arguments):
        super().__init__()
        self.name = name
        self.function = function
        self.arguments = arguments

    def get_arg_types(self):
        return [gdb.lookup_type("long")] * self.arguments

    def get_result_type(self, object, *arguments):
        """For `whatis`, which gives no numbers behind the object: a row, whose length the shape
        has, is a pointer to its numbers. (An exception here would end gdb 13.)"""
        if self.function in (entry, item):
            return scalar_type(object)
        if self.function is row:
            return scalar_type(object).pointer()
        if self.arguments == 0 and self.function in MEMBERS:
            return self.function(referenced(object)).type
        return gdb.lookup_type("long")

    def __call__(self, object, *arguments):
        object = referenced(object)
        try:
            if object.address is not None and not_constructed(int(object.address)):
                raise Broken("a variable whose line has not run")
            return self.function(object, *arguments)
        except Undescribed as name:
            raise failed(f"{name} is not known: heed was built without debug information") from None
        except (Broken, Unreadable):
            raise failed("that is not constructed yet, or is gone already") from None
        except (WrongSlice, gdb.GdbError) as wrong:
            raise failed(str(wrong)) from None


def failed(why):
    """gdb itself would call the words a Python exception, so they are said before, and gdb adds
    only that there was an error."""
    gdb.write(fitting(f"{why}\n"), gdb.STDERR)
    global print_stack
    if print_stack is None:
        print_stack = gdb.parameter("python print-stack")
        gdb.execute("set python print-stack none")
    return gdb.GdbError(why)


def restore():
    global print_stack
    if print_stack is not None:
        gdb.execute(f"set python print-stack {print_stack}")
        print_stack = None


print_stack = None  # the user's setting, while an error of ours is on its way
gdb.events.before_prompt.connect(restore)


class Methods(gdb.xmethod.XMethodMatcher):
    def __init__(self):
        super().__init__("heed")

    def match(self, type, name):
        kind = objects.kind_of(DEBUGGER, type)
        function, arguments = METHODS.get(kind[1] if kind else "", {}).get(name, (None, 0))
        if function is None:
            return None
        counts = range(MOST_INDICES + 1) if arguments is None else [arguments]
        return [Method(name, function, each) for each in counts]


gdb.xmethod.register_xmethod_matcher(None, Methods(), replace=True)
