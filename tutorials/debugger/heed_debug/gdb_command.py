"""The base of the commands in gdb."""

import gdb

from heed_debug.arrays import WrongSlice
from heed_debug.asking import Refused
from heed_debug.gdb_charset import fitting, reading_utf8
from heed_debug.gdb_surroundings import in_words
from heed_debug.memory import Broken, Unreadable


class Command(gdb.Command):
    """A command that prints the lines of lines(); its help text is the class docstring. In a tour it
    says itself first. `completes` is false if its argument is no expression; a method complete()
    has the names that it may be."""

    in_tour = False
    echoes = True

    def __init__(self, name, completes=True):
        self.__doc__ = fitting(self.__doc__)
        self.name = name
        if hasattr(self, "complete"):
            super().__init__(name, gdb.COMMAND_DATA)
        else:
            super().__init__(name, gdb.COMMAND_DATA,
                             gdb.COMPLETE_EXPRESSION if completes else gdb.COMPLETE_NONE)

    def invoke(self, argument, from_tty):
        self.dont_repeat()
        argument = argument.strip()
        if Command.in_tour and self.echoes:
            gdb.write(fitting(f"(gdb) {self.name} {argument}".rstrip()) + "\n")
        try:
            with reading_utf8():
                lines = self.lines(argument)
        except WrongSlice as wrong:
            raise gdb.GdbError(fitting(f"{argument}: {wrong}.")) from None
        except (Refused, gdb.GdbError) as error:
            raise gdb.GdbError(fitting(str(error))) from None
        except (gdb.error, Broken, Unreadable) as error:
            raise gdb.GdbError(fitting(in_words(error))) from None
        for line in lines:
            gdb.write(fitting(line) + "\n")
