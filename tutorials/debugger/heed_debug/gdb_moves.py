"""Running on in gdb: to a named stop, or until something halts the program."""

import gdb

from heed_debug.asking import Refused
from heed_debug.halts import Halt
from heed_debug.quiet import MI, Moves

FUNCTION = "heed::stop"
QUIETLY = " > /dev/null"
NO_STOPS = ("This program has no named stops: load one of the tutorials, with file "
            "build/debug/tutorials/08_causal_attention")


class At(gdb.Breakpoint):
    def __init__(self, halt):
        is_address = isinstance(halt.place, int)
        super().__init__(f"*{halt.place:#x}" if is_address else halt.place, internal=True)
        self.halt = halt
        self.came = False

    def stop(self):
        self.came = self.halt.wanted(gdb.newest_frame())
        return self.came


_exit_code = None


def remember_exit(event):
    global _exit_code
    _exit_code = getattr(event, "exit_code", None)


gdb.events.exited.connect(remember_exit)


def exit_code():
    """Of the program that ended last."""
    return _exit_code


def is_running():
    return gdb.selected_inferior().pid != 0


def given_arguments():
    return gdb.execute("show args", to_string=True).partition('"')[2].rpartition('"')[0]


def go_on(quietly):
    """Continues, or starts the program if it is not running. A tour hides the lesson's output,
    which would interrupt its own."""
    command = "continue" if is_running() else "run"
    if quietly and not is_running():
        command += " " + given_arguments().removesuffix(QUIETLY.strip()) + QUIETLY
    moves = Moves()
    moves.move(command)
    if MI:
        moves.report_records()


def run_to(*halts, quietly=False):
    """On to the first of them that is reached, which it returns; None if the program ended, or was
    halted by something else first."""
    breakpoints = [At(halt) for halt in halts]
    try:
        go_on(quietly)
        return next((each.halt for each in breakpoints if each.came), None)
    finally:
        for each in breakpoints:
            each.delete()


def exists(function):
    try:
        return bool(gdb.decode_line(function)[1])
    except gdb.error:
        return False


def go_to_stop(beginning, quietly):
    """Runs to the next stop with this prefix and returns its full name, or None as run_to does."""
    names = []

    def begins_so(frame):
        names.append(frame.read_var("name").string())
        return names[-1].startswith(beginning)

    if not exists(FUNCTION):
        raise Refused(NO_STOPS)
    return names[-1] if run_to(Halt(FUNCTION, begins_so), quietly=quietly) else None
