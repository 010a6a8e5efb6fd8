"""Attention weights as a table: a row per query, a column per key. Each cell shows the number, on a
blue background that is darker for larger weights if the terminal has colours."""

import math
import os
import unicodedata

from heed_debug.text import without_sign_of_zero

LINE_WIDTH = 80
LONGEST_WORD = 12
BLUES = (231, 189, 153, 111, 75, 33, 26, 25, 18)  # of the 256 colours, light to dark


def uses_color():
    """As in the lessons: NO_COLOR, then FORCE_COLOR, then whether it is a terminal."""
    if os.environ.get("NO_COLOR"):
        return False
    forced = os.environ.get("FORCE_COLOR", "")
    if forced:
        return forced not in ("0", "false")
    return os.isatty(1) and os.environ.get("TERM", "dumb") != "dumb"


def width_of(word):
    return sum(0 if unicodedata.combining(c) else 1 + (unicodedata.east_asian_width(c) in "WF")
               for c in word)


def fitted(word):
    """Truncated to the maximal width, without characters that move the cursor."""
    word = "".join(c if c.isprintable() else "?" for c in word)
    if width_of(word) <= LONGEST_WORD:
        return word
    while width_of(word) > LONGEST_WORD - 1:
        word = word[:-1]
    return word + "…"


def padded(word, width):
    return " " * (width - width_of(word)) + word


def cell_text(weight, is_mask):
    if is_mask:
        return "x" if weight else "·"
    if math.isnan(weight):
        return "nan"
    return "·" if weight == 0 else without_sign_of_zero(f"{weight:.2f}")


def painted(text, weight, color):
    if not color or math.isnan(weight):
        return text
    step = round(8 * min(max(weight, 0), 1))
    return f"\x1b[38;5;{231 if step > 4 else 16};48;5;{BLUES[step]}m{text}\x1b[0m"


def heat_map_lines(array, queries, keys, color):
    """`array` is a matrix [T_q, T_k]; there is one word per row and column."""
    weights = array.values()
    queries, keys = [fitted(word) for word in queries], [fitted(word) for word in keys]
    corner = "query \\ key"
    first = max(width_of(word) for word in [corner, *queries])
    is_mask = array.kind == "Mask"
    widths = [max(1 if is_mask else 4, width_of(key)) for key in keys]
    zeros = "; x may attend" if is_mask else "; · is 0" if 0 in weights else ""
    lines = [f"rows: queries, columns: keys{zeros}"]
    for begin, end in blocks(widths, LINE_WIDTH - first):
        head = "".join("  " + padded(keys[j], widths[j]) for j in range(begin, end))
        lines.append(corner + " " * (first - len(corner)) + head)
        for i, query in enumerate(queries):
            line = query + " " * (first - width_of(query))
            for j in range(begin, end):
                weight = weights[i * len(keys) + j]
                cell = padded(cell_text(weight, is_mask), widths[j])
                line += painted("  " + cell, weight, color)
            lines.append(line)
        if end < len(keys):
            lines.append("")
    return lines


def blocks(widths, room):
    """(begin, end) of each block of columns."""
    found, begin, used = [], 0, 0
    for j, width in enumerate(widths):
        if j > begin and used + width + 2 > room:
            found.append((begin, j))
            begin, used = j, 0
        used += width + 2
    return found + [(begin, len(widths))]
