"""Running on in gdb: to a named stop, or until something halts the program."""

import gdb

from heed_debug.asking import Refused
from heed_debug.quiet import MI, Moves

FUNCTION = "heed::stop"


class AtStops(gdb.Breakpoint):
    """Halts at the stops whose name has the given prefix."""

    def __init__(self, beginning):
        super().__init__(FUNCTION, internal=True)
        self.beginning = beginning
        self.came_to = None

    def stop(self):
        name = gdb.selected_frame().read_var("name").string()
        if not name.startswith(self.beginning):
            return False
        self.came_to = name
        return True


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


def go_on(quietly):
    """Continues, or starts the program if it is not running. A tour hides the lesson's output,
    which would interrupt its own."""
    command = "continue" if is_running() else "run"
    if quietly and not is_running():
        command += " > /dev/null"
    moves = Moves()
    moves.move(command)
    if MI:
        moves.report_records()


def go_to_stop(beginning, quietly):
    """Runs to the next stop with this prefix and returns its full name; None if the program ended
    or was halted by something else first."""
    at_stops = AtStops(beginning)
    try:
        if at_stops.pending:
            raise Refused("This program has no named stops: load one of the tutorials, with file "
                          "build/debug/tutorials/08_causal_attention")
        go_on(quietly)
        return at_stops.came_to
    finally:
        at_stops.delete()
