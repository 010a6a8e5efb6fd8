"""The comparison of `expect`: the left side is looked up in the program, the right side parsed from
the line. A number with decimals matches every value that rounds to it."""

import math
import re

from heed_debug.arguments import tensor_or_variable
from heed_debug.asking import Refused, cut_slice
from heed_debug.commands_look import gradient_of
from heed_debug.host import here
from heed_debug.objects import numbers_of
from heed_debug.paths import as_subscripts, evaluated, is_sliceable, teaching_frame

LINE = re.compile(r"(?P<what>.+?)\s+==\s+(?P<wanted>\[.*\]|\S+)(?:\s+within\s+(?P<margin>\S+))?")
OF_ALL = re.compile(r"(sum|largest|smallest)\((.*)\)")
NUMBER = re.compile(r"[-+]?(inf|nan|\d+(\.\d*)?(e[-+]?\d+)?)")
WORDS = {"true": 1, "false": 0}


class Expectation:
    """A line such as `weights[2,0] == 0.3263 within 0.001` or `weights.shape == [3, 3]`."""

    def __init__(self, line):
        parts = LINE.fullmatch(line.strip())
        if not parts:
            raise Refused("expect takes what, ==, and a value: expect weights[2,0] == 0.3263 "
                          "within 0.001, or expect weights.shape == [3, 3].")
        self.what, self.wanted = parts["what"], parts["wanted"]
        self.margin = None if parts["margin"] is None else number_in(parts["margin"])

    def check(self):
        """The actual value as text, and whether it is as expected."""
        teaching_frame()
        if self.wanted.startswith("["):
            found = dims_of(self.what)
            return str(found), found == dims_in(self.wanted)
        found = number_of(self.what)
        return f"{found:.9g}", self.is_near(found)

    def is_near(self, found):
        wanted = number_in(self.wanted)
        if math.isnan(wanted) or math.isinf(wanted):
            return found == wanted or math.isnan(found) and math.isnan(wanted)
        margin = half_of_last_place(self.wanted) if self.margin is None else self.margin
        return abs(found - wanted) <= margin * (1 + 1e-6)


def number_in(word):
    if word in WORDS:
        return WORDS[word]
    if not NUMBER.fullmatch(word):
        raise Refused(f"{word} is neither a number nor a shape such as [3, 3].")
    return float(word)


def half_of_last_place(word):
    """0.00005 for 0.3263: the rounding error of the printed number. Integers are exact."""
    decimals = re.fullmatch(r"[-+]?\d+\.(\d+)", word)
    return 0.5 * 10.0 ** -len(decimals.group(1)) if decimals else 0.0


def dims_in(words):
    try:
        return [int(word) for word in words.strip("[]").split(",") if word.strip()]
    except ValueError:
        raise Refused(f"{words} is not a shape; one is written like [3, 3].") from None


def dims_of(what):
    """`X.shape` or `X.strides`"""
    parts = re.fullmatch(r"(.*)\.(shape|strides)", what)
    if not parts:
        raise Refused(f"What is compared with a list of lengths ends in .shape or .strides, "
                      f"and {what} does not.")
    return list(getattr(array_of(parts.group(1)), parts.group(2)))


def array_of(what):
    """The numbers of X, X[1], X.grad or X.grad[1]."""
    of_gradient = re.fullmatch(r"(.+?)\.grad(?:\[(.*)\])?", what)
    if of_gradient and is_sliceable(evaluated(of_gradient.group(1)).type):
        name, value = tensor_or_variable(of_gradient.group(1))
        if not hasattr(value, "node"):
            raise Refused(f"{name} is a tensor, and has no gradient.")
        array = gradient_of(name, value.node, value.hidden)
        return array.slice(of_gradient.group(2)) if of_gradient.group(2) else array
    return numbers_of(tensor_or_variable(what)[1])


def is_tensor(what):
    base = cut_slice(re.sub(r"\.grad(\[.*\])?$", "", what))[0]
    return is_sliceable(evaluated(base or what).type)


def number_of(what):
    of_all = OF_ALL.fullmatch(what)
    if of_all:
        values = array_of(of_all.group(2)).values()
        return {"sum": sum, "largest": max, "smallest": min}[of_all.group(1)](values)
    what = as_subscripts(what)
    if not is_tensor(what):
        return scalar_of(what)
    array = array_of(what)
    if array.count != 1:
        raise Refused(f"{what} has {array.count} numbers, where one is expected; give an index "
                      "for each axis, or take its sum(...), largest(...) or smallest(...).")
    return float(array.values()[0])


def scalar_of(what):
    here.evaluate(what)
    number = here.number(what)
    if number is None:
        raise Refused(f"{what} is not a number.")
    return number
