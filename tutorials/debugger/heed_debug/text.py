"""Formatting of tensors: the numbers as in heed's own print (tensor/print.h), and a one-line
summary."""

import math

NOT_CONSTRUCTED = "<not constructed yet>"
GRAPH_UNKNOWN = "graph unknown: heed was built without debug information"
UNDESCRIBED = "<heed was built without debug information, so this cannot be read>"

MOST_COUNTED = 200_000  # entries checked for NaN, infinities and row sums


def list_text(numbers):
    return "[" + ", ".join(str(number) for number in numbers) + "]"


def counted(count, one, several=None):
    return f"{count} {one if count == 1 else several or one + 's'}"


def trimmed(number):
    """A sum of rounded numbers in readable form: 1, not 0.99999994."""
    return f"{number:.4f}".rstrip("0").rstrip(".")


class NumberStyle:
    """The number format for one tensor, chosen from all the numbers shown."""

    def __init__(self, numbers, decimals, fixed=False):
        sizes = [abs(x) for x in numbers if math.isfinite(x) and x != 0]
        largest = max(sizes, default=0)
        self.decimals = decimals
        self.fixed = fixed
        self.whole = all(x == math.floor(x) for x in sizes)
        self.scientific = not fixed and (largest > 1e8 or 0 < largest < 1e-4)

    def text(self, x):
        if not math.isfinite(x):
            return "nan" if math.isnan(x) else ("inf" if x > 0 else "-inf")
        if self.scientific:
            return without_sign_of_zero(f"{x:.{self.decimals}e}")
        if self.whole:
            return without_sign_of_zero(f"{x:.0f}") + "."
        written = without_sign_of_zero(f"{x:.{self.decimals}f}")
        vanishes = not self.fixed and 0 < abs(x) < 1e-4 and written == f"{0:.{self.decimals}f}"
        return f"{x:.0e}" if vanishes else written


def without_sign_of_zero(text):
    return text[1:] if text[0] == "-" and not any(c in "123456789" for c in text) else text


class Selection:
    """The entries of a shape that are shown: all of them, or the edges of each axis."""

    def __init__(self, array, summarise_above, edge=3):
        self.array = array
        self.cut = array.count > summarise_above
        self.edge = edge

    def along(self, axis):
        """The indices shown, with None for an ellipsis."""
        n = self.array.shape[axis]
        if not self.cut or n <= 2 * self.edge:
            return list(range(n))
        return [*range(self.edge), None, *range(n - self.edge, n)]

    def offsets(self, axis=0, offset=0):
        if axis == len(self.array.shape):
            return [offset]
        found = []
        if self.array.count:
            for i in self.along(axis):
                if i is not None:
                    found += self.offsets(axis + 1, offset + i * self.array.strides[axis])
        return found


def cells_of(array, selection, decimals):
    numbers = [array.at(offset) for offset in selection.offsets()]
    if array.kind == "Mask":
        return ["x" if number else "·" for number in numbers]
    if array.kind == "BoolTensor":
        return ["true" if number else "false" for number in numbers]
    if array.kind == "IndexTensor":
        return [str(number) for number in numbers]
    style = NumberStyle(numbers, decimals, fixed=bool(row_sums(array)))
    return [style.text(number) for number in numbers]


def grid(array, decimals=4, summarise_above=1000, line_width=80):
    """The numbers in brackets, or the grids of a mask, as a list of lines."""
    selection = Selection(array, summarise_above)
    cells = cells_of(array, selection, decimals)
    if not cells:
        return ["[]"]
    if array.kind == "Mask" and len(array.shape) < 2:
        return [" ".join("..." if i is None else cells.pop(0) for i in selection.along(0))
                if array.shape else cells[0]]
    if array.kind == "Mask":
        return mask_grids(selection, iter(cells), 0, "")
    width = max(len(cell) for cell in cells)
    if not array.shape:
        return cells
    return brackets(selection, iter(cells), width, 0, line_width).split("\n")


def brackets(selection, cells, width, axis, line_width):
    rank = len(selection.array.shape)
    if axis == rank - 1:
        return "[" + row(selection, cells, width, line_width) + "]"
    parts = ["..." if i is None else brackets(selection, cells, width, axis + 1, line_width)
             for i in selection.along(axis)]
    return "[" + ("," + "\n" * (rank - 1 - axis) + " " * (axis + 1)).join(parts) + "]"


def row(selection, cells, width, line_width):
    """A row of numbers, wrapped if it would be too long."""
    rank = len(selection.array.shape)
    out, column = "", rank
    for count, i in enumerate(selection.along(rank - 1)):
        cell = "..." if i is None else next(cells).rjust(width)
        if count and column + len(cell) + 3 > line_width:
            out += ",\n" + " " * rank
            column = rank
        elif count:
            out += ", "
            column += 2
        out += cell
        column += len(cell)
    return out


def mask_grids(selection, cells, axis, index):
    rank = len(selection.array.shape)
    lines = []
    if axis < rank - 2:
        for i in selection.along(axis):
            lines += [""] if lines else []
            inner = f"{index}{i}, "
            lines += ["..."] if i is None else mask_grids(selection, cells, axis + 1, inner)
        return lines
    if index:
        lines.append(f"[{index}:, :]")
    for i in selection.along(axis):
        if i is None:
            lines.append("...")
        else:
            shown = ("..." if j is None else next(cells) for j in selection.along(axis + 1))
            lines.append(" ".join(shown))
    return lines


def cut_lines(lines, most):
    if len(lines) <= most:
        return lines
    kept = most - 1
    while not lines[kept - 1]:
        kept -= 1
    return lines[:kept] + [f"... ({counted(len(lines) - kept, 'more line')})"]


# Remarks on the numbers, for the summary line.


def strange_numbers(array):
    """["2 NaN", "3 -inf"], and how much was not checked."""
    if array.kind != "Tensor" or array.count == 0:
        return []
    numbers = array.values(MOST_COUNTED)
    counts = {
        "NaN": sum(x != x for x in numbers),
        "inf": sum(x == math.inf for x in numbers),
        "-inf": sum(x == -math.inf for x in numbers),
    }
    found = [f"{count} {name}" for name, count in counts.items() if count]
    if found and array.count > MOST_COUNTED:
        found.append(f"among the first {MOST_COUNTED}")
    return found


def row_sums(array):
    """The row sums of weights, or [] if these are not weights: numbers from 0 to 1, more than one
    per row, each row with sum 1, or 0 if fully masked."""
    if array.kind != "Tensor" or not array.shape or not 0 < array.count <= MOST_COUNTED:
        return []
    length = array.shape[-1]
    numbers = array.values()
    if length < 2 or not all(0 <= x <= 1 for x in numbers):
        return []
    sums = [math.fsum(numbers[i : i + length]) for i in range(0, len(numbers), length)]
    ones = sum(abs(total - 1) < 1e-5 for total in sums)
    zeros = sum(total == 0 for total in sums)
    if ones == 0 or ones + zeros < len(sums):
        return []
    if zeros:
        return [f"{counted(ones, 'row sums', 'rows sum')} to 1, {zeros} to 0"]
    return ["rows sum to 1"]


def strides_remark(array):
    return [] if array.is_contiguous() else ["strides " + list_text(array.strides)]


def made_by(node):
    """The operation that made a variable, and its line; inside a layer, also the line that called
    the layer. `leaf` if there is none."""
    if node is None:
        return "constant"
    if node.is_leaf:
        return "leaf"
    where = f" at {node.where.text()}" if node.where.line else ""
    for frame in node.scopes[:1]:
        where += f", in {frame.name} at {frame.where.text()}"
    return node.operation_name + where


def node_remarks(node):
    remarks = []
    if node is not None:
        if node.is_leaf:
            remarks.append("needs grad" if node.requires_grad else "frozen")
        else:
            remarks.append("needs grad")
        if node.is_freed:
            remarks.append("graph freed")
        if node.grad is not None:
            remarks.append("has a gradient")
    return remarks


def array_line(array, name=""):
    """weights [2, 3] strides [1, 2], 1 NaN"""
    remarks = strides_remark(array) + row_sums(array) + strange_numbers(array)
    return f"{name} {list_text(array.shape)} {', '.join(remarks)}".strip()


def variable_line(variable, name=""):
    """weights [2, 3] softmax at 08_causal_attention.cpp:41, needs grad, rows sum to 1"""
    array, node = variable.value, variable.node
    own_name = node.name if node is not None else ""
    if own_name and not name.split("[")[0].endswith(own_name):
        name = f"{name} \"{own_name}\""
    made = GRAPH_UNKNOWN if variable.hidden else made_by(node)
    remarks = [made] + node_remarks(node)
    remarks += strides_remark(array) + row_sums(array) + strange_numbers(array)
    return f"{name} {list_text(array.shape)} {', '.join(remarks)}".strip()


def value_line(value, name=""):
    return variable_line(value, name) if hasattr(value, "node") else array_line(value, name)


def with_grid(line, array, most_lines=10, summarise_above=100):
    """The summary line with the numbers below it, or beside it if there are few."""
    lines = cut_lines(grid(array, summarise_above=summarise_above), most_lines)
    if len(lines) == 1 and len(line) + len(lines[0]) < 90:
        return f"{line}: {lines[0]}"
    return line + "\n" + "\n".join(lines)
