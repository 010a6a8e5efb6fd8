"""Running on in lldb: to a named stop, or until something halts the program."""

import contextlib

import lldb

from heed_debug.asking import Refused
from heed_debug.lldb_debugger import DEBUGGER

FUNCTION = "heed::stop"
ALIVE = (lldb.eStateStopped, lldb.eStateSuspended, lldb.eStateCrashed, lldb.eStateRunning)


def thread():
    return DEBUGGER.process().GetSelectedThread()


def is_running():
    return DEBUGGER.target.IsValid() and DEBUGGER.process().GetState() in ALIVE


def exit_code():
    """Of the program that ended last."""
    return DEBUGGER.process().GetExitStatus()


@contextlib.contextmanager
def one_after_the_other():
    """In this block a move returns when the program halts."""
    was_async = DEBUGGER.lldb.GetAsync()
    DEBUGGER.lldb.SetAsync(False)
    try:
        yield
    finally:
        DEBUGGER.lldb.SetAsync(was_async)


def go_on(quietly):
    """Continues, or starts the program if it is not running; a tour hides the lesson's output."""
    if is_running():
        DEBUGGER.process().Continue()
        return
    how, error = DEBUGGER.target.GetLaunchInfo(), lldb.SBError()
    if quietly:
        how.AddOpenFileAction(1, "/dev/null", False, True)
    DEBUGGER.target.Launch(how, error)
    if error.Fail():
        raise Refused(f"The program could not be started: {error.GetCString()}.")


def go_to_stop(beginning, quietly):
    """Runs to the next stop with this prefix and returns its full name; None if the program ended
    or was halted by something else first."""
    at_stops = DEBUGGER.target.BreakpointCreateByName(FUNCTION)
    try:
        if at_stops.GetNumLocations() == 0:
            raise Refused("This program has no named stops: load one of the tutorials, with file "
                          "build/debug/tutorials/08_causal_attention")
        with one_after_the_other():
            while True:
                go_on(quietly)
                if not is_running() or not halted_at(at_stops):
                    return None
                name = stop_name()
                if name.startswith(beginning):
                    thread().StepOut()
                    return name
    finally:
        DEBUGGER.target.BreakpointDelete(at_stops.GetID())


def halted_at(breakpoint):
    at = [thread().GetStopReasonDataAtIndex(i)
          for i in range(0, thread().GetStopReasonDataCount(), 2)]
    return thread().GetStopReason() == lldb.eStopReasonBreakpoint and breakpoint.GetID() in at


def stop_name():
    address = thread().GetFrameAtIndex(0).FindVariable("name").GetValueAsUnsigned()
    return DEBUGGER.process().ReadCStringFromMemory(address, 4096, lldb.SBError())
