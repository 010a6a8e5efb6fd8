"""Where the program stands, in gdb: frames, their variables, and expressions (host.py)."""

import os
import re

import gdb

from heed_debug import skips
from heed_debug.asking import Refused
from heed_debug.gdb_charset import fitting
from heed_debug.gdb_debugger import DEBUGGER
from heed_debug.gdb_frames import declared_later, not_constructed, selected_frame
from heed_debug.gdb_frames import variables as symbols_and_values
from heed_debug.gdb_moves import exists, exit_code, go_to_stop, is_running, run_to
from heed_debug.gdb_surroundings import (check_runs, check_seen_inside, names_are_known,
                                         nothing_known)
from heed_debug.locals import Local
from heed_debug.stepping import Stepping
from heed_debug.stop_names import is_lesson

__all__ = ["check_runs", "check_seen_inside", "exists", "exit_code", "go_to_stop", "is_running",
           "names_are_known", "not_constructed", "nothing_known", "run_to"]

OTHER, SHOWS = "lldb", "print"
NOT_RUNNING = ("The program is not running, so there is nothing to look at. `start` runs it to its "
               "first line, `run` to the next breakpoint.")
NO_PROGRAM = "No program is loaded: file build/debug/tutorials/08_causal_attention"
LACKS = {"tour": "gdb -x tours/08.gdb goes through one"}
NO_EXTENDED_STATE = "extended state status"
FAR_BELOW = 1 << 18  # bytes


def frames():
    frame = selected_frame()
    while frame is not None:
        yield frame
        frame = frame.older()


def newest_frames():
    frame = gdb.newest_frame()
    while frame is not None:
        yield frame
        frame = frame.older()


def caller(frame):
    return frame.older()


def select(frame):
    frame.select()


def function(frame):
    return frame.name() or ""


def place(frame):
    """`list` then shows the source around it."""
    gdb.execute("frame", to_string=True)
    line = frame.find_sal()
    return f"{os.path.basename(line.symtab.filename)}:{line.line}"


def variables(frame):
    found = []
    for symbol, value in symbols_and_values(frame):
        try:
            if DEBUGGER.is_reference(value.type):
                value = value.referenced_value()
            found.append(Local(symbol.name, value.type, DEBUGGER.place(value),
                               declared_later(frame, symbol)))
        except gdb.error:
            continue
    return found


def variable(frame, name):
    """(type, place) of one of its variables, behind a reference."""
    value = frame.read_var(name)
    if DEBUGGER.is_reference(value.type):
        value = value.referenced_value()
    return value.type, DEBUGGER.place(value)


def source(frame):
    """(path, line); no path without debug information"""
    line = frame.find_sal()
    return line.symtab.fullname() if line.symtab else "", line.line


def shown(frame):
    """What gdb says of it: the function, the line, and its text."""
    return gdb.execute("frame", to_string=True).rstrip("\n").split("\n")


def return_address(frame):
    return frame.older().pc()


def functions_named(name):
    """The full names of all functions and members of that name."""
    found = gdb.Breakpoint(name, internal=True)
    try:
        return [] if found.pending else [demangled(place.function or "")
                                         for place in found.locations]
    finally:
        found.delete()


def demangled(name):
    """A function in an unnamed namespace has its linker's name in what clang compiled."""
    return gdb.execute(f"demangle -- {name}", to_string=True).strip() if name[:2] == "_Z" else name


def evaluate(expression):
    try:
        value = gdb.parse_and_eval(expression)
        value.fetch_lazy() if value.is_optimized_out else None
        if DEBUGGER.is_reference(value.type):
            value = value.referenced_value()
        return value.type, DEBUGGER.place(value)
    except gdb.MemoryError:
        raise Refused(f"{expression} leads to no memory: it is not constructed yet, or it is "
                      "gone.") from None
    except gdb.error as error:
        unknown = re.match(r'No symbol "(.*)" in current context', str(error))
        frame = selected_frame()
        if frame is not None and not names_are_known(frame):
            raise Refused(nothing_known(frame)) from None
        if unknown:
            raise Refused(f"There is no {unknown.group(1)} here. `shapes` lists what there is; "
                          "`up` goes to the caller.") from None
        raise Refused(f"gdb does not understand {expression}: {str(error).rstrip('.')}.") from None


def whole_number(expression):
    try:
        value = gdb.parse_and_eval(expression)
        code = DEBUGGER.plain(value.type).code
        if code in (gdb.TYPE_CODE_INT, gdb.TYPE_CODE_ENUM, gdb.TYPE_CODE_CHAR):
            return int(value)
    except gdb.error:
        pass
    return None


def number(expression):
    try:
        return float(gdb.parse_and_eval(expression))
    except gdb.error:
        return None


def written(type):
    return DEBUGGER.type_name(type) or str(type)


def write(address, data):
    gdb.selected_inferior().write_memory(address, data)


def address_of(symbol):
    """Of a variable or function of the program; None if it has none."""
    try:
        return int(gdb.parse_and_eval(f"&'{symbol}'"))
    except gdb.error:
        return None


def answer_of(function, kept):
    """The text that a function of the program returns, which is called with breakpoints disabled;
    the position is always restored. `kept` gives the text that it has left in memory: gdb before 14
    fails on a processor with AMX when the function has returned, in restoring registers that are
    too large for it; by then the program has the answer."""
    breakpoints = [each for each in gdb.breakpoints() if each.enabled]
    unwinds = gdb.parameter("unwindonsignal")
    for each in breakpoints:
        each.enabled = False
    gdb.execute("set unwindonsignal on", to_string=True)
    # gdb halts the call at an instruction that it writes below the stack, and with AMX leaves there:
    # it is put where no later call of the program comes to.
    level = gdb.selected_frame().level()
    gdb.newest_frame().select()
    stack = int(gdb.parse_and_eval("(long)$sp"))
    try:
        gdb.execute(f"set $sp = {stack - FAR_BELOW}", to_string=True)
        return gdb.parse_and_eval(f"{function}()").string("utf-8")
    except gdb.error as error:
        reason = str(error).splitlines()[0].rstrip(".")
        answer = kept() if NO_EXTENDED_STATE in reason else None
        if answer is None:
            raise Refused(f"The program could not answer: {reason}.") from None
        return answer
    finally:
        gdb.newest_frame().select()
        gdb.execute(f"set $sp = {stack}", to_string=True)
        gdb.execute(f"frame {level}", to_string=True)
        gdb.execute(f"set unwindonsignal {'on' if unwinds else 'off'}", to_string=True)
        for each in breakpoints:
            each.enabled = True


def program():
    return gdb.current_progspace().filename


def sources():
    try:
        listed = gdb.execute("info sources", to_string=True)
    except gdb.error:  # no program, or none with debug information
        return []
    paths = {part.strip() for part in re.split(r"[,\n]\s*", listed)}
    return sorted({os.path.realpath(path) for path in paths if is_lesson(path)})


def halts_at(stop):
    """The command that halts at a named stop, or at all of them."""
    return "break heed::stop" + (f' if $_streq(name, "{stop}")' if stop else "")


def level():
    return Stepping.level


def set_level(level):
    Stepping.level = level
    skips.set_level(level)


def say(line):
    gdb.write(fitting(line) + "\n")


def leave(code):
    gdb.execute("kill" if gdb.selected_inferior().pid else "echo", to_string=True)
    gdb.execute(f"quit {code}")
