"""The base of the commands in lldb."""

import sys

from heed_debug import objects
from heed_debug.arrays import WrongSlice
from heed_debug.asking import Refused, in_words
from heed_debug.lldb_debugger import DEBUGGER
from heed_debug.memory import Broken, Unreadable

COMMANDS = {}  # by name


class Command:
    """A command that prints the lines of lines(); its help text is the class docstring. In a tour it
    says itself first."""

    in_tour = False
    echoes = True

    def __init__(self, name, completes=True):
        self.name = name
        COMMANDS[name] = self

    def run(self, argument):
        """(the lines, or None if there is an error, and its words)"""
        if DEBUGGER.look_at():
            objects.forget()
        before_each()
        if Command.in_tour and self.echoes:
            print(f"(lldb) {self.name} {argument}".rstrip())
        try:
            return self.lines(argument), ""
        except WrongSlice as wrong:
            return None, f"{argument}: {wrong}."
        except Refused as refused:
            return None, str(refused)
        except (Broken, Unreadable) as error:
            return None, in_words(error)


def before_each():
    """A program may have been loaded, and all breakpoints deleted."""
    from heed_debug.lldb_keep_graphs import halt_in_main
    halt_in_main()


def in_lldb(command):
    """The class that lldb asks to run a command."""
    class InLldb:
        def __init__(self, debugger, session):
            pass

        def __call__(self, debugger, argument, context, result):
            lines, problem = command.run(argument.strip())
            sys.stdout.flush()
            if lines is None:
                result.SetError(problem)
            elif lines:
                result.AppendMessage("\n".join(lines))

        def get_short_help(self):
            return command.__doc__.split("\n")[0]

        def get_long_help(self):
            return command.__doc__

    return InLldb


def add_commands(debugger):
    for name, command in COMMANDS.items():
        identifier = "Command_" + name.replace("-", "_")
        globals()[identifier] = in_lldb(command)
        debugger.HandleCommand(f"command script add -o -c {__name__}.{identifier} {name}")
