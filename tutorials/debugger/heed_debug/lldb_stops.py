"""until-stop for lldb: runs to a named stop and stands in the lesson's line."""

import os
import sys

import lldb

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from heed_debug.stop_names import is_lesson, stops_in, unknown

FUNCTION = "heed::stop"
HELP = ("until-stop NAME: run on to the next named stop whose name begins with NAME; without one, to "
        "the next stop. At all of them halts: breakpoint set -n heed::stop")


def until_stop(debugger, argument, result, session):
    beginning = argument.strip().strip('"')
    target = debugger.GetSelectedTarget()
    stops = target.BreakpointCreateByName(FUNCTION)
    if stops.GetNumLocations() == 0:
        target.BreakpointDelete(stops.GetID())
        result.SetError("this program has no named stops: load one of the tutorials")
        return
    problem = unknown(beginning, stops_of(target))
    if problem:
        target.BreakpointDelete(stops.GetID())
        result.SetError(problem)
        return
    size = len(beginning.encode())
    escaped = beginning.replace("\\", "\\\\").replace('"', '\\"')
    stops.SetCondition(f'(int)strncmp(name, "{escaped}", {size}) == 0')
    was_async = debugger.GetAsync()
    debugger.SetAsync(False)
    running = target.GetProcess().IsValid() and target.GetProcess().is_alive
    debugger.HandleCommand("process continue" if running else "process launch")
    target.BreakpointDelete(stops.GetID())
    say_where(target.GetProcess(), beginning, result)
    debugger.SetAsync(was_async)


def stops_of(target):
    program = target.FindModule(target.GetExecutable())
    paths = {str(unit.GetFileSpec()) for unit in program.compile_units}
    return [stop for path in sorted(paths) if is_lesson(path) for stop in stops_in(path)]


def say_where(process, beginning, result):
    if process.GetState() != lldb.eStateStopped:
        result.SetError(f'the program ended, and came to no stop whose name begins with "{beginning}"')
        return
    thread = process.GetSelectedThread()
    if not (thread.GetFrameAtIndex(0).GetFunctionName() or "").startswith(FUNCTION):
        result.AppendMessage("Something else halted the program before that: `bt` shows where it is.")
        return
    name = thread.GetFrameAtIndex(0).FindVariable("name").GetSummary().strip('"')
    thread.StepOut()
    place = thread.GetFrameAtIndex(0).GetLineEntry()
    result.AppendMessage(f"stop {name}, {place.GetFileSpec().GetFilename()}:{place.GetLine()}")


def add_commands(debugger):
    debugger.HandleCommand(f"command script add -o -h '{HELP}' -f {__name__}.until_stop until-stop")


def __lldb_init_module(debugger, session):
    add_commands(debugger)
