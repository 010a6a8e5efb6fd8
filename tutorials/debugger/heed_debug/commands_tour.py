"""until-stop, which runs to a named stop, and the commands of the tours (../tours): at-stop,
expect, tour-end. A tour halts at every named stop of its lesson, says what there is to see, and
compares it with the lesson's text; the debugger exits with 1 if something is not as expected."""

from heed_debug.arrays import WrongSlice
from heed_debug.asking import Refused
from heed_debug.commands_stops import all_stops
from heed_debug.expectations import Expectation
from heed_debug.host import Command, here
from heed_debug.paths import place
from heed_debug.stop_names import unknown


class Tour:
    def __init__(self):
        self.visited = []
        self.right = 0
        self.wrong = 0


tour = Tour()


def check_known(beginning):
    """A misspelt name would run the program to its end."""
    problem = unknown(beginning, all_stops())
    if problem:
        raise Refused(problem)


def name_in(argument):
    name = argument.strip()
    return name[1:-1] if len(name) > 1 and name[0] == name[-1] == '"' else name


class UntilStopCommand(Command):
    """until-stop NAME: run on to the next named stop whose name begins with NAME.
    until-stop 08.3      to the next one of section 08.3
    until-stop           to the next one whatever its name
    The selected frame is then the lesson's. `stops` lists the names; one that no stop has is an
    error, and the program stays where it is."""

    def complete(self, text, word):
        before = len(text) - len(word or "")
        return [name[before:] for name, _ in all_stops() if name.startswith(text)]

    def lines(self, argument):
        beginning = name_in(argument)
        check_known(beginning)
        came_to = here.go_to_stop(beginning, quietly=False)
        if came_to is None and here.is_running():
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
            raise Refused('at-stop takes the name of the next stop: at-stop "08.1 the scores". '
                          "`stops` lists the names.")
        came_to = here.go_to_stop("", quietly=True)
        if came_to is None:
            fail(f'there is no other stop, but "{wanted}" was expected')
        elif came_to != wanted:
            fail(f'the next stop is "{came_to}", but "{wanted}" was expected')
        if came_to is None:
            raise Refused("the tour cannot go on")
        Command.in_tour = True
        tour.visited.append(came_to)
        return ["", f"--- {came_to} ({place()})"]


class ExpectCommand(Command):
    """expect WHAT == VALUE: say whether it is so; a tour in which it is not ends with 1.
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
        except (Refused, WrongSlice) as wrong:
            return fail(f"{argument}: {wrong}")
        if not holds:
            return fail(f"{expectation.what} is {found}, but {expectation.wanted} was expected")
        tour.right += 1
        return [f"  as the lesson says: {expectation.what} is {expectation.wanted}"]


class TourEndCommand(Command):
    """tour-end: run to the end, and leave the debugger: with 0 if every named stop of the program was
    visited and everything was as expected, else with 1."""

    echoes = False

    def lines(self, argument):
        if argument:
            raise Refused("tour-end takes no argument: it runs to the end, and leaves "
                          "the debugger.")
        extra = here.go_to_stop("", quietly=True)
        if extra is not None:
            fail(f'the tour leaves out the stop "{extra}"')
        elif here.exit_code() != 0:
            fail(f"the program ended with {here.exit_code()}")
        names = [name for name, _ in all_stops()]
        for name in names:
            if tour.visited.count(name) != 1:
                fail(f'the tour came to the stop "{name}" {tour.visited.count(name)} times')
        if tour.right + tour.wrong == 0 or not names:
            fail("nothing was expected, or there is no stop")
        here.say(f"\n{len(tour.visited)} stops, {tour.right} values as the lesson says, "
                 f"{tour.wrong} not")
        here.leave(1 if tour.wrong else 0)


def fail(problem):
    tour.wrong += 1
    here.say(f"  NOT AS EXPECTED: {problem}")
    return []


UntilStopCommand("until-stop")
AtStopCommand("at-stop", completes=False)
ExpectCommand("expect")
TourEndCommand("tour-end", completes=False)
