"""What a command cannot do in this program, in words: in a core file nothing runs, and without
debug information there are no names."""

import gdb

from heed_debug.asking import in_words as memory_in_words
from heed_debug.asking import no_names
from heed_debug.memory import Broken, Undescribed


def is_core():
    connection = getattr(gdb.selected_inferior(), "connection", None)
    return connection is not None and connection.type == "core"


def is_here():
    """Does the program run on this machine, so that /proc knows it?"""
    connection = getattr(gdb.selected_inferior(), "connection", None)
    return connection is None or connection.type in ("native", "record-full", "record-btrace")


def check_runs(what):
    if is_core():
        raise gdb.GdbError("This is a core file, the memory of a program that has ended: "
                           f"{what} needs one that runs.")


def names_are_known(frame):
    return frame.find_sal().symtab is not None


def check_seen_inside(function):
    """Are the variables of a function of heed known, where it is in the program?"""
    try:
        places = gdb.decode_line(function)[1] or ()
    except gdb.error:
        return
    if places and not any(place.symtab for place in places):
        raise gdb.GdbError("heed was built without debug information, so what happens in "
                           f"{function.split('::', 2)[-1]} cannot be seen.")


def nothing_known(frame):
    return no_names(frame.name())


def in_words(error):
    """Of an error that no command has foreseen."""
    if isinstance(error, (Undescribed, Broken)):
        return memory_in_words(error)
    message = str(error).rstrip(".")
    if is_core():
        return f"This is a core file, in which nothing runs, and gdb says: {message}."
    return f"gdb says: {message}."
