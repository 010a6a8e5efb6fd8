"""stops: the named stops of this program, found in its sources through its debug information, so
stops that the program never reaches are listed too."""

from heed_debug.asking import Refused
from heed_debug.host import Command, here
from heed_debug.stop_names import in_order, stops_in


class StopsCommand(Command):
    __doc__ = f"""stops: the named stops of this program, with their lines.
    {here.halts_at("")}
        halts at each of them
    {here.halts_at("08.1 after the mask")}
        halts at one"""

    def __init__(self, name):
        super().__init__(name, completes=False)

    def lines(self, argument):
        if argument:
            raise Refused("stops takes no argument. To halt at one of them: "
                          f"{here.halts_at('NAME')}.")
        if not here.program():
            raise Refused(here.NO_PROGRAM)
        found = all_stops()
        if not found:
            return ["This program has no named stops, or its sources are not where they were when "
                    "it was compiled."]
        found.sort(key=in_order)
        width = max(len(name) for name, _ in found)
        return [f"{name:<{width}}  {place}" for name, place in found] + [
            f"Halt at each of them: {here.halts_at('')}",
            f"At one only: {here.halts_at(found[0][0])}"]


_known = {}


def all_stops():
    """[(name, place)] of the loaded program; [] if its sources are not there."""
    program = here.program()
    if program not in _known:
        _known[program] = [stop for source in here.sources() for stop in stops_in(source)]
    return _known[program]


StopsCommand("stops")
