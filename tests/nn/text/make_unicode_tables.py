#!/usr/bin/env python3
"""Writes nn/text/unicode_tables.inc from the Unicode Character Database.

Run as: make_unicode_tables.py /usr/share/unicode > nn/text/unicode_tables.inc
(Debian's package unicode-data has that folder.)"""
import re
import sys
import textwrap

folder = sys.argv[1]
LAST = 0x10FFFF

category = ["Cn"] * (LAST + 1)
combining = [0] * (LAST + 1)
lower = {}
decomposed = {}
begin = None
for line in open(f"{folder}/UnicodeData.txt", encoding="ascii"):
    fields = line.rstrip("\n").split(";")
    code = int(fields[0], 16)
    first = begin if fields[1].endswith(", Last>") else code
    begin = code if fields[1].endswith(", First>") else None
    for each in range(first, code + 1):
        category[each] = fields[2]
    combining[code] = int(fields[3])
    if fields[5] and not fields[5].startswith("<"):
        decomposed[code] = [int(part, 16) for part in fields[5].split()]
    if fields[13]:
        lower[code] = int(fields[13], 16)

spaces = set()
not_composed = set()


def properties(name, wanted):
    version = None
    for line in open(f"{folder}/{name}", encoding="utf-8"):
        version = version or re.search(r"-(\d+\.\d+\.\d+)\.txt", line).group(1)
        found = re.match(r"([0-9A-F]+)(?:\.\.([0-9A-F]+))?\s*;\s*(\w+)", line)
        if found and found.group(3) == wanted:
            first = int(found.group(1), 16)
            yield from range(first, int(found.group(2) or found.group(1), 16) + 1)
    properties.version = version


spaces = set(properties("PropList.txt", "White_Space"))
not_composed = set(properties("DerivedNormalizationProps.txt", "Full_Composition_Exclusion"))

CLASSES = ["other", "letter", "number", "mark", "punctuation", "space", "control"]


def class_of(code):
    kind = category[code]
    if code in spaces:
        return "space"
    if kind == "Mn":
        return "mark"
    return {"L": "letter", "N": "number", "P": "punctuation", "C": "control"}.get(kind[0], "other")


def rows(entries):
    """The entries in lines of at most 100 letters."""
    return textwrap.wrap(" ".join(entry.replace(" ", "_") + "," for entry in entries), 100,
                         initial_indent="    ", subsequent_indent="    ")


def runs(value_of):
    """How many codes in a row have the same value, from 0 on: (number, value)."""
    first = 0
    for code in range(1, LAST + 2):
        if code > LAST or value_of(code) != value_of(first):
            yield code - first, value_of(first)
            first = code


def lower_ranges():
    """(first, last, step, difference) of runs of upper-case codes."""
    ranges = []
    for code in sorted(lower):
        difference = lower[code] - code
        if ranges:
            first, last, step, its = ranges[-1]
            gap = code - last
            if its == difference and (gap == step or (first == last and gap in (1, 2))):
                ranges[-1] = (first, code, gap, its)
                continue
        ranges.append((code, code, 1, difference))
    return ranges


# Each is the same as one other, but for those that decompose into themselves.
IDEOGRAPHS = [(0xF900, 0xFA6D), (0xFA70, 0xFAD9), (0x2F800, 0x2FA1D)]


def in_ideographs(code):
    return any(first <= code <= last for first, last in IDEOGRAPHS)


def table(title, declaration, entries):
    lines = [line.replace("_", " ") for line in rows(entries)]
    return [f"// {title}", f"constexpr {declaration} = {{"] + lines + ["};", ""]


text = []
text += table("Runs of codes of one class: how many there are, times 8, plus the class.",
              "std::uint32_t class_runs[]",
              (str(number * 8 + CLASSES.index(kind)) for number, kind in runs(class_of)))
text += table("Runs of one canonical combining class: how many codes, times 256, plus it.",
              "std::uint32_t combining_runs[]",
              (str(number * 256 + kind) for number, kind in runs(lambda c: combining[c])))
text += table("Upper case: first, last, step, and what is added.", "CaseRange case_ranges[]",
              (f"{{{hex(a)}, {hex(b)}, {step}, {d}}}" for a, b, step, d in lower_ranges()))
text += table("Canonical decompositions, a step each; 0: of one code.", "Decomposed decompositions[]",
              (f"{{{hex(code)}, {hex(to[0])}, {hex(to[1]) if len(to) > 1 else 0}}}"
               for code, to in sorted(decomposed.items()) if not in_ideographs(code)))
text += table("Of these, the pairs that are not composed again.", "std::uint32_t not_composed_again[]",
              (hex(code) for code, to in sorted(decomposed.items())
               if code in not_composed and len(to) > 1))
text += ["// Compatibility ideographs: the first code, and what it and those after it are the same as.",
         "constexpr Ideographs ideographs[] = {"]
for first, last in IDEOGRAPHS:
    same_as = "".join(chr(decomposed.get(code, [code])[0]) for code in range(first, last + 1))
    lines = [f"U\"{same_as[at:at + 45]}\"" for at in range(0, len(same_as), 45)]
    text += [f"    {{{hex(first)},"] + [f"     {line}" for line in lines[:-1]]
    text += [f"     {lines[-1]}}},"]
text += ["};", ""]
source = (f"// Generated by tests/nn/text/make_unicode_tables.py from the Unicode Character Database,\n"
          f"// version {properties.version} (UnicodeData.txt, PropList.txt, "
          f"DerivedNormalizationProps.txt).\n" + "\n".join(text))
sys.stdout.write(source)
