"""until-stop, which runs to a named stop, and the commands of the tours (../tours): at-stop,
expect, tour-end. A tour halts at every named stop of its lesson, says what there is to see, and
compares it with the lesson's text; gdb exits with 1 if something is not as expected."""

import os

import gdb

from heed_debug.arrays import WrongSlice
from heed_debug.commands_look import Command
from heed_debug.commands_stops import all_stops
from heed_debug.expectations import Expectation
from heed_debug.gdb_arguments import teaching_frame
from heed_debug.quiet import MI, Moves
from heed_debug.stop_names import unknown

FUNCTION = "heed::stop"
QUIETLY = " > /dev/null"


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


class Tour:
    def __init__(self):
        self.visited = []
        self.right = 0
        self.wrong = 0


tour = Tour()
exit_code = None


def remember_exit(event):
    global exit_code
    exit_code = getattr(event, "exit_code", None)


gdb.events.exited.connect(remember_exit)


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


def go_to(beginning, quietly):
    """Runs to the next stop with this prefix and returns its full name; None if the program ended
    or was halted by something else first."""
    at_stops = AtStops(beginning)
    try:
        if at_stops.pending:
            raise gdb.GdbError("This program has no named stops: load one of the tutorials, with "
                               "file build/debug/tutorials/08_causal_attention")
        go_on(quietly)
        return at_stops.came_to
    finally:
        at_stops.delete()


def check_known(beginning):
    """A misspelt name would run the program to its end."""
    problem = unknown(beginning, all_stops())
    if problem:
        raise gdb.GdbError(problem)


def name_in(argument):
    name = argument.strip()
    return name[1:-1] if len(name) > 1 and name[0] == name[-1] == '"' else name


def place():
    line = teaching_frame().find_sal()
    gdb.execute("frame", to_string=True)  # `list` then shows the lesson around this line
    return f"{os.path.basename(line.symtab.filename)}:{line.line}"


class UntilStopCommand(Command):
    """until-stop NAME: run on to the next named stop whose name begins with NAME.
    until-stop 08.3      to the next one of section 08.3
    until-stop           to the next one whatever its name
    The selected frame is then the lesson's. `stops` lists the names; one that no stop has is an
    error, and the program stays where it is."""

    def __init__(self):
        self.name = "until-stop"
        gdb.Command.__init__(self, self.name, gdb.COMMAND_DATA)

    def complete(self, text, word):
        before = len(text) - len(word or "")
        return [name[before:] for name, _ in all_stops() if name.startswith(text)]

    def lines(self, argument):
        beginning = name_in(argument)
        check_known(beginning)
        came_to = go_to(beginning, quietly=False)
        if came_to is None and is_running():
            return ["Something else halted the program before that: `bt` shows where it is."]
        if came_to is None:
            return [f'The program ended, and came to no stop whose name begins with "{beginning}". '
                    "`stops` lists them, and `until-stop` starts again."]
        return [f"stop {came_to}, {place()}"]


class AtStopCommand(Command):
    """at-stop "NAME": in a tour, run on to the next named stop, which must be this one."""

    echoes = False

    def lines(self, argument):
        wanted = name_in(argument)
        if not wanted:
            raise gdb.GdbError('at-stop takes the name of the next stop: at-stop "08.1 the scores". '
                               "`stops` lists the names.")
        came_to = go_to("", quietly=True)
        if came_to is None:
            fail(f'there is no other stop, but "{wanted}" was expected')
        elif came_to != wanted:
            fail(f'the next stop is "{came_to}", but "{wanted}" was expected')
        if came_to is None:
            raise gdb.GdbError("the tour cannot go on")
        Command.in_tour = True
        tour.visited.append(came_to)
        return ["", f"--- {came_to} ({place()})"]


class ExpectCommand(Command):
    """expect WHAT == VALUE: say whether it is so; a tour in which it is not ends gdb with 1.
    expect weights[2,0] == 0.3263               what rounds to 0.3263
    expect loss == 1.5 within 0.1
    expect weights.shape == [3, 3]              or .strides
    expect x.grad[0] == 12                      what backward() has added up
    expect sum(weights[2]) == 1 within 1e-6     or largest(...), smallest(...)"""

    echoes = False

    def lines(self, argument):
        expectation = Expectation(argument)
        try:
            found, holds = expectation.check()
        except (gdb.GdbError, WrongSlice) as wrong:
            return fail(f"{argument}: {wrong}")
        if not holds:
            return fail(f"{expectation.what} is {found}, but {expectation.wanted} was expected")
        tour.right += 1
        return [f"  as the lesson says: {expectation.what} is {expectation.wanted}"]


class TourEndCommand(Command):
    """tour-end: run to the end, and leave gdb: with 0 if every named stop of the program was
    visited and everything was as expected, else with 1."""

    echoes = False

    def lines(self, argument):
        if argument:
            raise gdb.GdbError("tour-end takes no argument: it runs to the end, and leaves gdb.")
        extra = go_to("", quietly=True)
        if extra is not None:
            fail(f'the tour leaves out the stop "{extra}"')
            gdb.execute("kill", to_string=True)
        elif exit_code != 0:
            fail(f"the program ended with {exit_code}")
        names = [name for name, _ in all_stops()]
        for name in names:
            if tour.visited.count(name) != 1:
                fail(f'the tour came to the stop "{name}" {tour.visited.count(name)} times')
        if tour.right + tour.wrong == 0 or not names:
            fail("nothing was expected, or there is no stop")
        gdb.write(f"\n{len(tour.visited)} stops, {tour.right} values as the lesson says, "
                  f"{tour.wrong} not\n")
        gdb.execute(f"quit {1 if tour.wrong else 0}")


def fail(problem):
    tour.wrong += 1
    gdb.write(f"  NOT AS EXPECTED: {problem}\n")
    return []


UntilStopCommand()
AtStopCommand("at-stop", gdb.COMPLETE_NONE)
ExpectCommand("expect")
TourEndCommand("tour-end", gdb.COMPLETE_NONE)
