"""attention X: weights as a heat map, with words as row and column labels if there are any."""

import gdb

from heed_debug import objects, text
from heed_debug.commands_look import Command
from heed_debug.gdb_arguments import (evaluate, find, selected_frame, tensor_or_variable,
                                      words_of)
from heed_debug.gdb_debugger import DEBUGGER
from heed_debug.gdb_frames import declared_later, variables
from heed_debug.heat_map import heat_map_lines, uses_color
from heed_debug.memory import Broken, Unreadable

MOST_MATRICES = 8
MOST_CELLS = 1600  # per matrix
USUAL_NAMES = ("words", "tokens", "sentence", "text")


class AttentionCommand(Command):
    """attention X [WORDS [KEYS]]: attention weights as a heat map, a row for each query.
    attention weights              words are taken from a variable words, tokens or sentence that
                                   fits, else positions are shown
    attention weights[0,1] words   batch entry 0, head 1, with these words
    attention weights queries keys two lists, for the rows and the columns
    attention record               an AttentionRecord, with its own words
    WORDS is a list of strings, or a text that is split at blanks."""

    def lines(self, argument):
        words = words_of(argument)
        if not words:
            raise gdb.GdbError("Which weights? For example: attention weights, or with words: "
                               "attention weights words.")
        if len(words) > 3:
            raise gdb.GdbError("attention takes weights and at most two lists of words: "
                               "attention weights queries keys.")
        words = of_record(words)
        name, value = tensor_or_variable(words[0])
        array = objects.numbers_of(value)
        if array.kind != "Tensor" or len(array.shape) < 2:
            raise gdb.GdbError(f"{name} is {text.list_text(array.shape)}; a heat map needs weights "
                               "[..., T_q, T_k], with two axes or more.")
        if array.count == 0:
            raise gdb.GdbError(f"{name} is {text.list_text(array.shape)}: there are no weights in "
                               "it.")
        if array.shape[-2] * array.shape[-1] > MOST_CELLS:
            raise gdb.GdbError(f"{name} is {text.list_text(array.shape)}, too large for a picture "
                               "in a terminal. A part of it will do, such as attention "
                               f"{name}[{':, ' * (len(array.shape) - 2)}0:20, 0:20].")
        queries, keys = labels(array, name, words[1:])
        return [text.value_line(value, name)] + maps(array, queries, keys)


def of_record(words):
    """Objects that hold weights (Attention, AttentionRecord) are replaced by their weights; a
    record also provides its words."""
    found = find(words[0])
    kind = DEBUGGER.type_name(found.type).split("::")[-1]
    if kind not in ("Attention", "AttentionRecord"):
        return words
    joint = "->" if evaluate(words[0]).type.strip_typedefs().code == gdb.TYPE_CODE_PTR else "."
    own = [f"{words[0]}{joint}{list}" for list in ("query_tokens", "key_tokens")]
    if kind == "AttentionRecord" and len(words) == 1 and entries_in(own[0]) and entries_in(own[1]):
        return [f"{words[0]}{joint}weights", *(f"{list}[0]" for list in own)]
    return [f"{words[0]}{joint}weights", *words[1:]]


def entries_in(expression):
    found = find(expression)
    try:
        return objects.memory_of(DEBUGGER, "f32").vector(found.place, 24)[1]
    except (Broken, Unreadable):
        return 0


def maps(array, queries, keys):
    lines = []
    leading = array.shape[:-2]
    count = 1
    for length in leading:
        count *= length
    for i in range(min(count, MOST_MATRICES)):
        index, rest = [], i
        for length in reversed(leading):
            index.insert(0, rest % length)
            rest //= length
        matrix = array.slice(",".join(str(entry) for entry in index)) if index else array
        lines += [f"{text.list_text(index)}"] if index else []
        lines += heat_map_lines(matrix, queries, keys, uses_color())
    if count > MOST_MATRICES:
        first = ",".join(str(0) for _ in leading)
        lines.append(f"... ({count - MOST_MATRICES} more; one of them: attention X[{first}])")
    return lines


def labels(array, name, given):
    rows, columns = array.shape[-2:]
    if not given:
        found = words_in_scope(columns) or [str(j) for j in range(columns)]
        return (found if rows == columns else [str(i) for i in range(rows)]), found
    lists = [word_list(expression) for expression in given]
    if len(lists) == 1:
        check(lists[0], given[0], columns, "columns", name, array)
        return (lists[0] if rows == columns else [str(i) for i in range(rows)]), lists[0]
    check(lists[0], given[0], rows, "rows", name, array)
    check(lists[1], given[1], columns, "columns", name, array)
    return lists


def check(words, expression, count, what, name, array):
    if len(words) != count:
        raise gdb.GdbError(f"{expression} has {text.counted(len(words), 'word')}, but {name} "
                           f"{text.list_text(array.shape)} has {count} {what}.")


def word_list(expression):
    if expression[0] == expression[-1] == '"':
        return expression[1:-1].split()
    found = find(expression)
    words = strings(found.type, found.place)
    if words is None:
        raise gdb.GdbError(f"{expression} is not a list of words: a std::vector<std::string>, or a "
                           "text.")
    return words


def strings(type, place):
    """The words in a list of strings or in a text; None if it is neither or not constructed."""
    memory = objects.memory_of(DEBUGGER, "f32")
    name = DEBUGGER.type_name(type)
    try:
        if name.startswith("std::__cxx11::basic_string<char"):
            return memory.string(place).split()
        if not name.startswith("std::vector<std::__cxx11::basic_string<char"):
            return None
        begin, count = memory.vector(place, 32)
        return [memory.string(begin + 32 * i) for i in range(min(count, 10_000))]
    except (Broken, Unreadable):
        return None


def words_in_scope(count):
    """Of the selected frame; if it has none, of the next caller that does."""
    frame = selected_frame()
    while frame is not None:
        found = words_in(frame, count)
        if found:
            return found
        frame = frame.older()
    return None


def words_in(frame, count):
    fitting = {}
    for symbol, value in variables(frame):
        if declared_later(frame, symbol):
            continue
        type = DEBUGGER.plain(value.type)
        if type.code != gdb.TYPE_CODE_STRUCT:
            continue
        found = strings(type, DEBUGGER.place(value))
        if found and len(found) == count:
            fitting[symbol.name] = found
    for name in USUAL_NAMES:
        if name in fitting:
            return fitting[name]
    return next(iter(fitting.values()), None)


AttentionCommand("attention")
