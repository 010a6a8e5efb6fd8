"""tour: goes through a lesson by the script that gdb runs (../tours/08.gdb)."""

import os

import lldb

from heed_debug import objects
from heed_debug.asking import Refused
from heed_debug.host import DEBUGGER, Command, here
from heed_debug.lldb_command import COMMANDS
from heed_debug.paths import find

FOLDER = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "tours")


class TourCommand(Command):
    """tour: go through the lesson that is loaded, halt at each named stop, show what there is to
    see, compare it with what the lesson says, and leave lldb: with 0 if all is as expected.
    tour 08       the tour of that number
    tour FILE     or one of your own"""

    echoes = False

    def lines(self, argument):
        if not here.program():
            raise Refused(here.NO_PROGRAM)
        path = script(argument or os.path.basename(here.program() or "")[:2])
        with open(path, encoding="utf-8") as file:
            for line in file.read().replace("\\\n", " ").split("\n"):
                if line.strip() and not line.startswith("#"):
                    follow(line.strip())
        return []


def script(name):
    path = name if os.path.isfile(name) else os.path.join(FOLDER, name + ".gdb")
    if not os.path.isfile(path):
        raise Refused(f"There is no tour {name}: tours lie in {FOLDER}.")
    return path


def follow(line):
    name, _, argument = line.partition(" ")
    if name == "echo":
        here.say(argument.replace("\\n", "\n").rstrip("\n"))
    elif name in ("print", "info"):
        here.say(in_lldb("v") if name == "info" else shown(argument))
    elif name in COMMANDS:
        lines, problem = COMMANDS[name].run(argument)
        if lines is None:
            raise Refused(problem)
        if lines:
            here.say("\n".join(lines))
    else:
        raise Refused(f"A tour has no command {name}.")


def shown(expression):
    """What gdb prints."""
    found = find(expression)
    if objects.kind_of(DEBUGGER, found.type):
        return objects.show(DEBUGGER, found.type, found.place)
    return in_lldb(f"v {expression}")


def in_lldb(command):
    answer = lldb.SBCommandReturnObject()
    frame = DEBUGGER.process().GetSelectedThread().GetSelectedFrame()
    DEBUGGER.lldb.GetCommandInterpreter().HandleCommand(command, lldb.SBExecutionContext(frame),
                                                        answer)
    return (answer.GetOutput() or answer.GetError() or "").rstrip("\n")


TourCommand("tour")
