"""The debugger in which this runs. Commands are written once, over these:
    DEBUGGER   memory and types (raw_memory.py)
    here       where the program stands: a module with
        SHOWS                its own command that shows a value
        LACKS                why it has not some of the commands, by name, which OTHER has
        NOT_RUNNING          what to say if it does not run
        frames(), newest_frames()        outwards, from the selected one, and from the newest
        caller(frame), select(frame), function(frame), place(frame)
        names_are_known(frame), nothing_known(frame)
        variables(frame)     a Local each, outer blocks first, without shadowed ones
        not_constructed(address)
        evaluate(expression) (type, place) of what the debugger makes of it, or Refused
        whole_number(expression), number(expression)  None if it is none
        written(type)        its name, whatever it is
        write(address, data), address_of(symbol), answer_of(function, kept)
        check_runs(what)     Refused if nothing can run here
        is_running(), exit_code()
        run_to(halts)        the Halt that it came to, or None if something else came first
        exists(function), functions_named(name), check_seen_inside(function)
        variable(frame, name), source(frame), return_address(frame), shown(frame)
        go_to_stop(beginning, quietly)   its name, or None if something else came first
        halts_at(stop)       the debugger's own command for that
        level(), set_level(level)        how deep `step` goes (levels.py)
        program(), sources() the program's path, and the sources of its own that may have stops
        say(line), leave(code)
    Command    the base of a command: its text is its help, lines(argument) its answer"""

try:
    import gdb as _gdb
except ImportError:
    _gdb = None

if _gdb is not None:
    from heed_debug import gdb_here as here
    from heed_debug.gdb_command import Command
    from heed_debug.gdb_debugger import DEBUGGER
else:
    from heed_debug import lldb_here as here
    from heed_debug.lldb_command import Command
    from heed_debug.lldb_debugger import DEBUGGER

__all__ = ["Command", "DEBUGGER", "here"]
