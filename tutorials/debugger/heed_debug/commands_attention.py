"""attention X: weights as a heat map, with words as row and column labels if there are any."""

from heed_debug import objects, text
from heed_debug.arguments import tensor_or_variable
from heed_debug.arrays import WrongSlice
from heed_debug.asking import Refused, cut_slice, words_of
from heed_debug.heat_map import heat_map_lines, uses_color
from heed_debug.host import DEBUGGER, Command, here
from heed_debug.layer_names import Names
from heed_debug.memory import Broken, Unreadable
from heed_debug.paths import find, inside

HOLDERS = ("Attention", "AttentionRecord")
MOST_MATRICES = 8
MOST_CELLS = 1600  # per matrix
USUAL_NAMES = ("words", "tokens", "sentence", "text")


class AttentionCommand(Command):
    """attention X [WORDS [KEYS]]: attention weights as a heat map, a row for each query.
    attention weights              words are taken from a variable words, tokens or sentence that
                                   fits, else positions are shown
    attention weights[0,1] words   batch entry 0, head 1, with these words
    attention weights queries keys two lists, for the rows and the columns
    attention record               an AttentionRecord, with its own words; record[0,1] one head
    attention recording[1]         the second call of a RecordAttention; `attention recording`
                                   lists them
    attention mask                 who may attend to whom
    attention model                where the weights of a model are to be had
    WORDS is a list of strings, or a text that is split at blanks."""

    def lines(self, argument):
        words = words_of(argument)
        if not words:
            raise Refused("Which weights? For example: attention weights, or with words: "
                          "attention weights words.")
        if len(words) > 3:
            raise Refused("attention takes weights and at most two lists of words: "
                          "attention weights queries keys.")
        kind = kind_of_whole(words[0])
        if kind == "RecordAttention":
            return calls(words[0])
        if kind == "layer":
            return of_model(words[0])
        if kind in HOLDERS:
            words = of_record(words, kind)
        name, value = tensor_or_variable(words[0])
        array = objects.numbers_of(value)
        if array.kind not in ("Tensor", "Mask") or len(array.shape) < 2:
            raise Refused(f"{name} is {text.list_text(array.shape)}; a heat map needs weights "
                          "[..., T_q, T_k], with two axes or more.")
        if array.count == 0:
            raise Refused(f"{name} is {text.list_text(array.shape)}: there are no weights in "
                          "it.")
        if array.shape[-2] * array.shape[-1] > MOST_CELLS:
            raise Refused(f"{name} is {text.list_text(array.shape)}, too large for a picture "
                          "in a terminal. A part of it will do, such as attention "
                          f"{name}[{':, ' * (len(array.shape) - 2)}0:20, 0:20].")
        queries, keys = labels(array, name, words[1:])
        return [text.value_line(value, name)] + maps(array, queries, keys)


def kind_of_whole(expression):
    """What the expression names, without its last subscript if that is a slice: "layer",
    "RecordAttention", "AttentionRecord", "Attention", or something else."""
    for each in (expression, cut_slice(expression)[0]):
        try:
            type = find(each).type
        except (Refused, WrongSlice):
            continue
        kind = (objects.kind_of(DEBUGGER, type) or ("", ""))[1]
        if kind in ("Module", "AnyLayer", "optional Module", "pointer") and each == expression:
            return "layer"
        if kind.removeprefix("optional ") in HOLDERS:
            return kind.removeprefix("optional ")
        if kind == "RecordAttention" and each == expression:
            return kind
    return ""


def of_record(words, kind):
    """An Attention or AttentionRecord, perhaps with a slice, is replaced by its weights; a record
    also provides its words."""
    base, slice = words[0], ""
    if not is_whole(base, kind):
        base, slice = cut_slice(base)
    weights = f"{base}.weights" + (f"[{slice}]" if slice else "")
    own = [f"{base}.{list}" for list in ("query_tokens", "key_tokens")]
    if kind == "AttentionRecord" and len(words) == 1 and entries_in(own[0]) and entries_in(own[1]):
        sequence = sequence_of(slice, entries_in(own[0]))
        return [weights, *(f"{list}[{sequence}]" for list in own)]
    return [weights, *words[1:]]


def is_whole(expression, kind):
    try:
        return (objects.kind_of(DEBUGGER, find(expression).type) or ("", ""))[1].endswith(kind)
    except (Refused, WrongSlice):
        return False


def sequence_of(slice, sequences):
    """Of which sequence of a batch a slice shows the weights: the first, if it shows several."""
    first = slice.split(",")[0].strip()
    return int(first) if sequences > 1 and first.isdigit() and int(first) < sequences else 0


def calls(expression):
    found = find(expression)
    lines = objects.show(DEBUGGER, found.type, found.place).split("\n")
    return lines + ([f"One of them: attention {expression}[0]"] if len(lines) > 1 else [])


def of_model(expression):
    """A model keeps no weights: they are there during a call, and in recordings."""
    names, found = Names(), find(expression)
    kind = objects.kind_of(DEBUGGER, found.type)
    memory = objects.memory_of(DEBUGGER, kind[0])
    names.add_layer(DEBUGGER, memory, expression, *inside(found.type, found.place))
    if expression not in names.layers:
        raise Refused(f"{expression} is not constructed yet, or is gone already.")
    layers = [name for name, of_class in names.layers.items() if "Attention" in of_class]
    if not layers:
        return [f"{expression} has no attention layer."]
    recordings = recordings_in_scope()
    ways = [f"attention {name}" for name in recordings] or [
        "RecordAttention in the program keeps them"]
    return [f"{expression} has {text.counted(len(layers), 'attention layer')}: "
            + ", ".join(layers[:8]) + (", ..." if len(layers) > 8 else ""),
            f"Weights are there during a call: until-layer {layers[0]} runs on into the next one. "
            f"Of calls that are over: {ways[0]}."]


def recordings_in_scope():
    return [local.name for frame in here.frames() for local in here.variables(frame)
            if not local.later and DEBUGGER.type_name(local.type).endswith("::RecordAttention")]


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
        raise Refused(f"{expression} has {text.counted(len(words), 'word')}, but {name} "
                      f"{text.list_text(array.shape)} has {count} {what}.")


def word_list(expression):
    if expression[0] == expression[-1] == '"':
        return expression[1:-1].split()
    found = find(expression)
    words = strings(found.type, found.place)
    if words is None:
        raise Refused(f"{expression} is not a list of words: a std::vector<std::string>, or a "
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
    found = (words_in(frame, count) for frame in here.frames())
    return next(filter(None, found), None)


def words_in(frame, count):
    fitting = {}
    for local in here.variables(frame):
        if local.later or not DEBUGGER.is_class(local.type):
            continue
        found = strings(local.type, local.place)
        if found and len(found) == count:
            fitting[local.name] = found
    for name in USUAL_NAMES:
        if name in fitting:
            return fitting[name]
    return next(iter(fitting.values()), None)


AttentionCommand("attention")
