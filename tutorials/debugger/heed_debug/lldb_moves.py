"""Running on in lldb: to a named stop, or until something halts the program."""

import contextlib

import lldb

from heed_debug.asking import Refused
from heed_debug.halts import Halt
from heed_debug.lldb_debugger import DEBUGGER

FUNCTION = "heed::stop"
NO_STOPS = ("This program has no named stops: load one of the tutorials, with file "
            "build/debug/tutorials/08_causal_attention")
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


def run_to(*halts, quietly=False):
    """On to the first of them that is reached, which it returns; None if the program ended, or was
    halted by something else first."""
    breakpoints = {}
    for halt in halts:
        made = breakpoint_at(halt.place)
        breakpoints[made.GetID()] = halt
    try:
        with one_after_the_other():
            while True:
                go_on(quietly)
                hit = hit_breakpoints() if is_running() else []
                frame = thread().GetFrameAtIndex(0)
                came = [breakpoints[each] for each in hit
                        if each in breakpoints and breakpoints[each].wanted(frame)]
                if came or not hit or not set(hit) <= set(breakpoints):
                    return next(iter(came), None)
    finally:
        for each in breakpoints:
            DEBUGGER.target.BreakpointDelete(each)


def breakpoint_at(place):
    if isinstance(place, int):
        return DEBUGGER.target.BreakpointCreateByAddress(place)
    file, _, line = place.rpartition(":")
    if line.isdigit():
        return DEBUGGER.target.BreakpointCreateByLocation(file, int(line))
    return DEBUGGER.target.BreakpointCreateByName(place)


def hit_breakpoints():
    if thread().GetStopReason() != lldb.eStopReasonBreakpoint:
        return []
    return [thread().GetStopReasonDataAtIndex(i)
            for i in range(0, thread().GetStopReasonDataCount(), 2)]


def exists(function):
    return DEBUGGER.target.FindFunctions(function).GetSize() > 0


def go_to_stop(beginning, quietly):
    """Runs to the next stop with this prefix and returns its full name, or None as run_to does."""
    names = []

    def begins_so(frame):
        names.append(stop_name(frame))
        return names[-1].startswith(beginning)

    if not exists(FUNCTION):
        raise Refused(NO_STOPS)
    if not run_to(Halt(FUNCTION, begins_so), quietly=quietly):
        return None
    with one_after_the_other():
        thread().StepOut()
    return names[-1]


def stop_name(frame):
    address = frame.FindVariable("name").GetValueAsUnsigned()
    return DEBUGGER.process().ReadCStringFromMemory(address, 4096, lldb.SBError())
