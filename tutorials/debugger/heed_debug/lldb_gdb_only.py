"""Commands that gdb has, and lldb has not: each says why."""

from heed_debug.asking import Refused
from heed_debug.host import Command
from heed_debug.lldb_lacks import LACKS


class GdbOnly(Command):
    def __init__(self, name):
        self.__doc__ = f"{name} needs gdb: {LACKS[name]}."
        super().__init__(name)

    def lines(self, argument):
        raise Refused(self.__doc__)


for name in LACKS:
    GdbOnly(name)
