"""level, deeper, shallower: how deep `step` goes."""

from heed_debug import levels
from heed_debug.asking import Refused
from heed_debug.host import Command, here


def described():
    """The levels, with a mark at the one that is on."""
    width = max(len(name) for name, _ in levels.LEVELS.values())
    return [f"{'*' if level == here.level() else ' '} {name:<{width}}  {what}"
            for level, (name, what) in levels.LEVELS.items()]


def announced(level):
    name, what = levels.LEVELS[level]
    over = [deeper for at, (_, deeper) in levels.LEVELS.items() if at > level]
    return f"level {name}: `step` goes into {what}; it passes over " + "; ".join(
        over + ["the standard library"]) + "."


class LevelCommand(Command):
    """level NAME: how deep `step` goes: lesson, layers, operations, tensor, kernels.
    level            which there are, and which is on
    level layers     into the calls of layers, and over operations"""

    def complete(self, text, word):
        return [name for name, _ in levels.LEVELS.values() if name.startswith(word or "")]

    def lines(self, argument):
        if not argument:
            return described()
        found = [level for level, (name, _) in levels.LEVELS.items() if name.startswith(argument)]
        if len(found) != 1:
            names = ", ".join(name for name, _ in levels.LEVELS.values())
            raise Refused(f'There is no level "{argument}"; there are {names}.')
        here.set_level(found[0])
        return [announced(found[0])]


class NextLevelCommand(Command):
    def __init__(self, name, by, end):
        self.by, self.end = by, end
        super().__init__(name, completes=False)

    def lines(self, argument):
        if argument:
            raise Refused("This takes no argument; `level NAME` goes to one at once.")
        level = here.level() + self.by
        if level not in levels.LEVELS:
            return [f"{self.end}: " + announced(here.level())]
        here.set_level(level)
        return [announced(level)]


class DeeperCommand(NextLevelCommand):
    """deeper: from now on `step` goes one level deeper: from lesson to layers, operations, tensor,
    kernels. `shallower` goes back, `level` says which is on."""


class ShallowerCommand(NextLevelCommand):
    """shallower: from now on `step` goes one level less deep. `deeper` goes back, `level` says
    which is on."""


LevelCommand("level")
DeeperCommand("deeper", 1, "It is the deepest")
ShallowerCommand("shallower", -1, "It is the shallowest")
