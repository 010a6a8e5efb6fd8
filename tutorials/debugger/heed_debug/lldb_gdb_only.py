"""Commands that gdb has, and lldb has not: each says why."""

from heed_debug.asking import Refused
from heed_debug.host import Command

WHY = {
    "wrote": "lldb cannot run a program backwards. `watchpoint set expression` halts at the next "
             "change, and a new run comes to it again",
}


class GdbOnly(Command):
    def __init__(self, name):
        self.__doc__ = f"{name} needs gdb: {WHY[name]}."
        super().__init__(name)

    def lines(self, argument):
        raise Refused(self.__doc__)


for name in WHY:
    GdbOnly(name)
