"""Characters that the terminal cannot take: without a locale, as in most containers, gdb takes it
to know ASCII alone, and throws at anything else."""

import contextlib

import gdb

PLAIN = str.maketrans({"·": ".", "×": "*", "…": "...", "−": "-", "∂": "d", "²": "^2", "√": "sqrt",
                       "σ": "sigma", "≈": "~", "→": "->", "Ġ": "_"})


def fitting(text):
    """The text, with what the terminal cannot take replaced."""
    charset = getattr(gdb, "host_charset", gdb.target_charset)()  # gdb 12 and later have it
    try:
        text.encode(charset)
        return text
    except (UnicodeEncodeError, LookupError):
        return text.translate(PLAIN).encode("ascii", "replace").decode()


@contextlib.contextmanager
def reading_utf8():
    """Lines of source in what gdb says, and texts in the program, are UTF-8 whatever the terminal
    is."""
    before = {name: gdb.parameter(name) for name in ("host-charset", "target-charset")}
    set_charsets(dict.fromkeys(before, "UTF-8"))
    try:
        yield
    finally:
        set_charsets(before)


def set_charsets(charsets):
    for name, charset in charsets.items():
        gdb.execute(f"set {name} {charset}", to_string=True)
