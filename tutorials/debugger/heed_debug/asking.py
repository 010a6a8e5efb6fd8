"""What all commands share: refusing in words, splitting the argument, the message for a missing
gradient, and the layout of rows."""


from heed_debug.memory import Undescribed

NO_NAMES = ("Nothing is known of the variables here: {} was compiled without debug information "
            "(-g, which the preset `debug` has). `up` goes to its caller.")
NOTHING_COMPUTED = ("No program is loaded that computes with heed: file "
                    "build/debug/tutorials/08_causal_attention")


class Refused(Exception):
    """A request that cannot be answered; the message says why."""


def words_of(argument):
    """The argument split at blanks outside brackets and quotes."""
    words, depth, quote = [""], 0, ""
    for character in argument.strip():
        if quote:
            quote = "" if character == quote else quote
        elif character in "\"'":
            quote = character
        depth += (character in "([{") - (character in ")]}")
        if character.isspace() and depth == 0 and not quote:
            words.append("")
        else:
            words[-1] += character
    return [word for word in words if word]


def cut_slice(expression):
    """("weights", "0,2") for weights[0,2]; no slice if it does not end in brackets."""
    expression = expression.strip()
    if not expression.endswith("]"):
        return expression, ""
    depth = 0
    for i in range(len(expression) - 1, -1, -1):
        depth += (expression[i] == "]") - (expression[i] == "[")
        if depth == 0:
            return expression[:i].strip(), expression[i + 1 : -1]
    return expression, ""


def why_no_gradient(name, node, hidden=False):
    """Why a variable has no gradient, or none that can be read; `node` may be None."""
    if hidden:
        return (f"{name} was made by a heed without debug information, so its gradient cannot be "
                "read.")
    if node is None:
        return f"{name} is a constant: nothing is recorded for it, so it has no gradient."
    if not node.is_leaf and not node.retains_grad:
        return (f"{name} is not a leaf, and backward() keeps only the gradients of leaves. "
                f"Call {name}.retain_grad() before backward() to keep this one.")
    if not node.requires_grad:
        return f"{name} is frozen: no gradient is computed for it."
    return (f"{name} has no gradient yet: backward() has not run since it was made, or "
            "since its gradient was zeroed.")


def aligned(rows):
    widths = [max(len(row[i]) for row in rows) for i in range(2)]
    return [f"{name:<{widths[0]}}  {type:<{widths[1]}}  {line}".rstrip()
            for name, type, line in rows]


def no_names(function):
    return NO_NAMES.format(function or "this function")


def in_words(error):
    """Of memory that no command has foreseen."""
    if isinstance(error, Undescribed):
        return f"heed was built without debug information, so {error} cannot be read."
    return f"The memory there does not hold what it should: {error}."
