"""Where the program stands, in lldb: frames, their variables, and expressions (host.py). Of
expressions lldb is asked only for paths, x.y, *p, list[1]: with what g++ says of a program, its
parser of C++ ends lldb 14."""

import os
import re
import sys

import lldb

from heed_debug.asking import Refused, no_names
from heed_debug.lldb_debugger import DEBUGGER, declared_later, object_of
from heed_debug.lldb_debugger import not_constructed as is_unborn_in
from heed_debug.lldb_lacks import LACKS
from heed_debug.lldb_moves import exists, exit_code, go_to_stop, is_running, run_to, thread
from heed_debug.lldb_steps import level, set_level
from heed_debug.locals import Local
from heed_debug.stop_names import is_lesson

__all__ = ["LACKS", "exists", "exit_code", "go_to_stop", "is_running", "level", "run_to",
           "set_level"]

OTHER, SHOWS = "gdb", "v"
NOT_RUNNING = ("The program is not running, so there is nothing to look at. `until-stop` runs it to "
               "its first named stop, `run` to the next breakpoint.")
NO_PROGRAM = "No program is loaded: file build/debug/tutorials/08_causal_attention"


def frames():
    if not is_running():
        return
    first = thread().GetSelectedFrame()
    for i in range(first.GetFrameID(), thread().GetNumFrames()):
        yield thread().GetFrameAtIndex(i)


def newest_frames():
    return iter(thread().frames)


def caller(frame):
    older = thread().GetFrameAtIndex(frame.GetFrameID() + 1)
    return older if older.IsValid() else None


def select(frame):
    thread().SetSelectedFrame(frame.GetFrameID())


def function(frame):
    """Without its arguments, as gdb names it."""
    name = frame.GetFunctionName() or ""
    end, depth = name.rfind(")"), 0
    for i in range(end, -1, -1):
        depth += (name[i] == ")") - (name[i] == "(")
        if depth == 0:
            return name[:i]
    return name


def place(frame):
    line = frame.GetLineEntry()
    return f"{line.GetFileSpec().GetFilename()}:{line.GetLine()}"


def names_are_known(frame):
    return frame.GetLineEntry().IsValid()


def nothing_known(frame):
    return no_names(function(frame))


def variables(frame):
    found = {}
    for variable in frame.GetVariables(True, True, False, True):
        value = object_of(variable)
        found.pop(variable.GetName(), None)  # an inner block's comes after an outer one's
        found[variable.GetName()] = Local(variable.GetName(), value.GetType(),
                                          DEBUGGER.place(value), declared_later(frame, variable))
    return list(found.values())


def variable(frame, name):
    """(type, place) of one of its variables, behind a reference."""
    value = object_of(frame.FindVariable(name))
    return value.GetType(), DEBUGGER.place(value)


def source(frame):
    """(path, line); no path without debug information"""
    line = frame.GetLineEntry()
    return str(line.GetFileSpec()) if line.IsValid() else "", line.GetLine()


def shown(frame):
    """As gdb says it: the function, the line, and its text."""
    path, line = source(frame)
    return [f"#{frame.GetFrameID()}  {function(frame)} at {place(frame)}",
            f"{line}\t{line_of(path, line)}"]


def line_of(path, line):
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read().split("\n")[line - 1]
    except (OSError, IndexError):
        return ""


def return_address(frame):
    return caller(frame).GetPC()


def functions_named(name):
    """The full names of all functions and members of that name."""
    return [found.GetFunction().GetName() or "" for found in DEBUGGER.target.FindFunctions(name)]


def check_seen_inside(function):
    """Are the variables of a function of heed known, where it is in the program?"""
    found = list(DEBUGGER.target.FindFunctions(function))
    if found and not any(each.GetCompileUnit().IsValid() for each in found):
        raise Refused("heed was built without debug information, so what happens in "
                      f"{function.split('::', 2)[-1]} cannot be seen.")


def not_constructed(address):
    return is_running() and is_unborn_in(thread().GetSelectedFrame(), address)


def value_at(path):
    """The lldb value of a path, or None."""
    frame = thread().GetSelectedFrame()
    for each in (path, "this->" + path):
        value = frame.GetValueForVariablePath(each)
        if value.IsValid() and value.GetError().Success():
            return object_of(value)
    value = DEBUGGER.target.FindFirstGlobalVariable(path)
    return object_of(value) if value.IsValid() else None


def evaluate(expression):
    value = value_at(expression)
    if value is not None:
        return value.GetType(), DEBUGGER.place(value)
    frame = thread().GetSelectedFrame()
    if not names_are_known(frame):
        raise Refused(nothing_known(frame))
    name = re.match(r"[\s*&(]*([A-Za-z_]\w*)", expression)
    if name and value_at(name.group(1)) is None:
        raise Refused(f"There is no {name.group(1)} here. `shapes` lists what there is; `up` goes "
                      "to the caller.")
    raise Refused(f"lldb does not understand {expression}: it takes names with members and "
                  "subscripts, and no calls.")


def whole_number(expression):
    value = number(expression)
    return int(value) if value is not None and value == int(value) else None


def number(expression):
    value = value_at(expression.strip())
    if value is None or value.GetType().GetCanonicalType().GetBasicType() in (
            lldb.eBasicTypeInvalid, lldb.eBasicTypeVoid):
        return None
    said = value.GetValue() or ""
    if said in ("true", "false"):
        return float(said == "true")
    try:
        return float(said)
    except ValueError:
        return float(value.GetValueAsSigned())


def written(type):
    return DEBUGGER.type_name(type)


def write(address, data):
    DEBUGGER.process().WriteMemory(address, bytes(data), lldb.SBError())


def address_of(symbol):
    """Of a variable or function of the program; None if it has none."""
    target = DEBUGGER.target
    starts = [found.GetSymbol().GetStartAddress() for found in target.FindSymbols(symbol)] + [
        found.GetSymbol().GetStartAddress() for found in target.FindFunctions(symbol)]
    addresses = (start.GetLoadAddress(target) for start in starts)
    return next((each for each in addresses if each != lldb.LLDB_INVALID_ADDRESS), None)


def answer_of(function, kept):
    """The text that a function of the program leaves in memory, `kept`. It is called by its address
    and from the outermost frame, where there are no names that lldb could trip over."""
    options = lldb.SBExpressionOptions()
    options.SetIgnoreBreakpoints(True)
    options.SetUnwindOnError(True)
    options.SetTrapExceptions(False)
    options.SetTimeoutInMicroSeconds(600_000_000)
    options.SetLanguage(lldb.eLanguageTypeC11)
    outermost = thread().GetFrameAtIndex(thread().GetNumFrames() - 1)
    selected = thread().GetSelectedFrame().GetFrameID()
    said = outermost.EvaluateExpression(f"((char*(*)()){address_of(function):#x})()", options)
    thread().SetSelectedFrame(selected)
    if said.GetError().Fail():
        reason = (said.GetError().GetCString() or "it says nothing").split("\n")[0].rstrip(".")
        answer = kept()
        if answer is None:
            raise Refused(f"The program could not answer: {reason}.")
        return answer
    return kept()


def check_runs(what):
    if "core" in (DEBUGGER.process().GetPluginName() or ""):
        raise Refused("This is a core file, the memory of a program that has ended: "
                      f"{what} needs one that runs.")


def program():
    path = DEBUGGER.target.GetExecutable()
    return str(path) if path.IsValid() else None


def sources():
    module = DEBUGGER.target.FindModule(DEBUGGER.target.GetExecutable())
    return sorted(path for path in {str(unit.GetFileSpec()) for unit in module.compile_units}
                  if is_lesson(path))


def halts_at(stop):
    """The command that halts at a named stop, or at all of them."""
    return "breakpoint set -n heed::stop" + (
        f" -c '(int)strcmp(name, \"{stop}\") == 0'" if stop else "")


def say(line):
    print(line)
    sys.stdout.flush()


def leave(code):
    if is_running():
        DEBUGGER.process().Kill()
    sys.stdout.flush()
    os._exit(code)  # `quit` within a command is an error to lldb
