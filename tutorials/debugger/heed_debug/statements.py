"""Which lines of a C++ source belong to one statement, found in its text. A debugger's lines jump
to and fro within a statement that takes several, and to the closing brace of its function when it
destroys temporaries."""

import functools
import re

NOT_CODE = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)\'', re.S)
RAW = re.compile(r'R"(\w*)\((.*?)\)\1"', re.S)
OPENS_BLOCK = re.compile(r"(?:[)\]]|\b(?:const|else|do|try|override|noexcept|mutable|struct \w+|"
                         r"namespace [\w:]*|->\s*[\w:<>]+))\s*$")


def blanked(source):
    """The source with spaces in place of comments and literals."""
    def blanks(found):
        return re.sub(r"[^\n]", " ", found.group())
    return NOT_CODE.sub(blanks, RAW.sub(blanks, source))


def statements_in(source):
    """For each line, from 1, the number of the first line of the statement that it is part of."""
    code = blanked(source)
    first_of = [0] * (code.count("\n") + 2)
    line, first = 1, None
    blocks = [0]  # of each open block, how many brackets are open in it
    for i, character in enumerate(code):
        if character == "\n":
            first_of[line] = first_of[line] or first or line
            line += 1
            continue
        if character.isspace():
            continue
        if first is None:
            first = line
        first_of[line] = first_of[line] or first
        ends = character == ";" and blocks[-1] == 0
        if character == "{" and OPENS_BLOCK.search(code[max(0, i - 80):i]):
            blocks.append(0)
            ends = True
        elif character in "([{":
            blocks[-1] += 1
        elif character == "}" and blocks[-1] == 0:
            if len(blocks) > 1:
                blocks.pop()
            ends = blocks[-1] == 0
        elif character in ")]}":
            blocks[-1] = max(0, blocks[-1] - 1)
        if ends:
            first = None
    first_of[line] = first_of[line] or first or line
    return first_of


@functools.lru_cache(maxsize=64)
def of_file(path):
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            source = file.read()
    except OSError:
        return [], []
    return statements_in(source), blanked(source).split("\n")


def statement(path, line):
    """The line on which its statement begins."""
    first_of, _ = of_file(path)
    return first_of[line] if 0 < line < len(first_of) else line


def is_closing_brace(path, line):
    _, code = of_file(path)
    return 0 < line <= len(code) and bool(re.fullmatch(r"\}[;)]*", code[line - 1].strip()))


def is_loop(path, line):
    return re.match(r"(for|while|do)\b", text(path, line)) is not None


def text(path, line):
    """The line without comments and literals."""
    _, code = of_file(path)
    return code[line - 1].strip() if 0 < line <= len(code) else ""


def only_fails(path, line):
    """An `if` that only reports an error."""
    first = statement(path, line)
    _, code = of_file(path)
    if not code[first - 1].strip().startswith("if (") or "return" in code[first - 1]:
        return False
    begins = [text.strip() for text in code[first:end_of_block(path, first)] if text.strip()]
    inside = [text for text in begins if re.match(r"(fail|check)_\w+\(", text)]
    others = [text for text in begins if re.match(r"return |\w+ = |for |if ", text)]
    return bool(inside) and not others


def end_of_block(path, line):
    """The line of the brace that closes what is opened on this line; of a loop without braces, its
    last line."""
    first_of, code = of_file(path)
    depth = 0
    for number in range(line, len(code) + 1):
        opened = code[number - 1].count("{") - code[number - 1].count("}")
        depth += opened
        if depth <= 0 and (number > line or opened == 0) and (
                number + 1 >= len(first_of) or first_of[number + 1] != first_of[line]):
            return number
    return line
