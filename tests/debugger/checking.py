"""For the checks that run inside gdb: prints failed expectations and ends gdb with 1. (By itself
`gdb -batch` ends with 0 whatever happened.)"""

import re
import traceback

import gdb

from states_shown import ROOT, line_of, lines_of, with_lines

_checked = 0
_failed = 0


def run(command):
    """The output of a command, or its error message."""
    try:
        return gdb.execute(command, to_string=True).rstrip("\n")
    except gdb.error as error:
        return str(error)


def printed(expression):
    return re.sub(r"^\$\d+ = ", "", run("print " + expression))


def expect(what, said, wanted):
    global _checked, _failed
    _checked += 1
    if said != wanted:
        _failed += 1
        print(f"\nFAILED: {what}\n  expected: {wanted!r}\n  but it is: {said!r}")


def expect_printed(expression, wanted):
    expect("print " + expression, printed(expression), with_lines(wanted).strip("\n"))


def expect_said(command, wanted):
    expect(command, run(command), with_lines(wanted).strip("\n"))


def expect_that(what, holds):
    expect(what, bool(holds), True)


def stop_in(function):
    """Continues to the next look() that `function` calls, and selects that function's frame."""
    for _ in range(20):
        gdb.execute("continue", to_string=True)
        frame = gdb.selected_frame()
        if frame.name() in ("look", "look()"):
            gdb.execute("up", to_string=True)
            name = gdb.selected_frame().name()
            if name == function or name.startswith(function + "("):
                return
    raise AssertionError(f"{function} was never reached")


def begin(*functions):
    for function in functions:
        breakpoint = gdb.Breakpoint(function)
        assert not breakpoint.pending, f"there is no function {function}"
    gdb.execute("run > /dev/null", to_string=True)


def end_with(main, least):
    """Runs main(), which must make at least `least` checks, and ends gdb."""
    global _failed
    try:
        main()
    except BaseException:
        traceback.print_exc()
        _failed += 1
    if _checked < least:
        print(f"only {_checked} checks were made of {least} or more")
        _failed += 1
    print(f"{_checked} checks, {_failed} failed")
    gdb.execute("kill" if gdb.selected_inferior().pid else "echo", to_string=True)
    gdb.execute(f"quit {1 if _failed else 0}")
