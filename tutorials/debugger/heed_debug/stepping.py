"""Makes `step` and `next` halt only where the level (levels.py) wants it. They stay gdb's own, with
two hooks: before a move, and at each stop. gdb reports nothing of a stop whose hook goes on, so
that this is seen as one move, in VS Code, too.

A function that is deeper than the level is left as soon as a move ends in it, up to the first
caller that is not, unless it comes to a derivative before."""

import re

import gdb

from heed_debug import levels, statements
from heed_debug.gdb_charset import fitting
from heed_debug.gdb_lambdas import block_of, lambdas_of
from heed_debug.quiet import MI, SILENCE, Moves

MOST_FRAMES = 200
MOST_MOVES = 400
BEHIND, WITHIN = "behind", "within"


class Stepping:
    level = levels.DEFAULT
    command = None       # while `step` or `next` is under way
    start = None         # the frame it began in
    stack = ()           # that and its callers
    start_line = None
    caller = None        # of it, the next that the level wants
    called_in = None     # the caller's statement
    derives = False      # derivatives may come
    stays = False        # the reader halted inside on purpose
    goes_on = False      # in the hook at a stop
    seen = ()            # (frame, lines in it) halted at since another function was entered


class Derivatives(gdb.Breakpoint):
    """Halts at the derivatives of a backward pass that a known frame began. The engine, which calls
    them, is skipped."""

    def __init__(self):
        super().__init__("gradient", internal=True)
        self.enabled = False

    def stop(self):
        frame = gdb.newest_frame()
        if depth(frame) != levels.OPERATIONS or not wanted(frame):
            return False
        return next(filter(wanted, callers(frame)), None) in Stepping.stack


class Callback(gdb.Breakpoint):
    """Halts in a lambda of the function that moves, when the standard library, which is skipped,
    calls it; only the first time, since the next move begins in the lambda."""

    def __init__(self, address):
        super().__init__(f"*{address:#x}", internal=True)

    def stop(self):
        frame = gdb.newest_frame()
        return wanted(frame) and next(filter(wanted, callers(frame)), None) == Stepping.start


class Return(gdb.Breakpoint):
    """Halts where a frame is continued."""

    def __init__(self, frame):
        super().__init__(f"*{frame.pc():#x}", internal=True)
        self.frame = frame

    def stop(self):
        frame = gdb.newest_frame()
        while frame != self.frame and frame.type() == gdb.INLINE_FRAME:
            frame = frame.older()
        return frame == self.frame


class Catch(gdb.Breakpoint):
    """Halts where what was thrown is caught, in the frame that moves or in a caller of it."""

    def __init__(self):
        super().__init__("__cxa_begin_catch", internal=True)
        self.enabled = False

    def stop(self):
        return gdb.newest_frame().older() in Stepping.stack


_derivatives = None
_catch = None
_callbacks = []
_depths = {}


def depth(frame):
    function = frame.function()
    if function is None or frame.find_sal().symtab is None:
        return levels.NEVER
    key = function.name, function.symtab.filename
    if key not in _depths:
        _depths[key] = levels.depth_of(*key)
    return _depths[key]


def wanted(frame):
    """Does the level go into this call? Of operations that call each other, only into the first."""
    its_depth = depth(frame)
    if its_depth > Stepping.level:
        return False
    if its_depth != levels.OPERATIONS or Stepping.level > levels.OPERATIONS:
        return True
    for caller in callers(frame):
        if depth(caller) < levels.OPERATIONS:
            return True
        if depth(caller) == levels.OPERATIONS:
            return False
    return True


def leads_to_lesson(frame):
    function = frame.function()
    return function is not None and levels.leads_to_lesson(function.name)


def callers(frame):
    frame = frame.older()
    for _ in range(MOST_FRAMES):
        if frame is None:
            return
        yield frame
        frame = frame.older()


def before(command):
    """hook-step and hook-next"""
    if Stepping.goes_on:
        return
    Stepping.command = None
    if gdb.selected_inferior().pid == 0 or goes_back():
        return
    frame = gdb.newest_frame()
    Stepping.command = command
    Stepping.start = frame
    Stepping.stack = [frame, *callers(frame)]
    Stepping.start_line = frame.find_sal().line
    Stepping.caller = next(filter(wanted, Stepping.stack[1:]), None)
    Stepping.called_in = Stepping.caller and statement_of(Stepping.caller)
    remember(frame)
    Stepping.stays = not wanted(frame) and (Stepping.stays or halted_at_users_breakpoint())
    Stepping.derives = may_derive(frame)
    watch_derivatives(command == "step")
    watch_callbacks(frame if command == "step" else None)
    watch_catch(True)


def may_derive(frame):
    """Is this a derivative, or a statement that begins a backward pass? Only then are derivatives
    watched, which takes time at each of them."""
    place = frame.find_sal()
    if place.symtab is None or "::gradient" in (frame.name() or ""):
        return True
    path = place.symtab.fullname()
    first = statements.statement(path, place.line)
    return any(re.search("backward|grad", statements.text(path, line))
               for line in range(first, first + 8) if statements.statement(path, line) == first)


def watch_catch(on):
    global _catch
    if on and _catch is None:
        _catch = Catch()
    if _catch is not None and _catch.enabled != on:
        _catch.enabled = on


def watch_callbacks(frame):
    """In the lambdas of this frame's function; nowhere if it is None."""
    for each in _callbacks:
        each.delete()
    _callbacks.clear()
    if frame is not None and Stepping.level <= levels.OPERATIONS and wanted(frame):
        _callbacks.extend(map(Callback, lambdas_of(frame)))


def watch_derivatives(on):
    global _derivatives
    on = on and Stepping.derives and Stepping.level == levels.OPERATIONS
    if on and _derivatives is None:
        _derivatives = Derivatives()
    if _derivatives is not None and _derivatives.enabled != on:
        _derivatives.enabled = on


def goes_back():
    return "Reverse" in gdb.execute("show exec-direction", to_string=True)


def why_halted():
    return gdb.execute("info program", to_string=True)


def halted_at_users_breakpoint():
    return re.search(r"stopped at (a )?breakpoint( [1-9]| that)", why_halted()) is not None


def ended_by_us():
    """Did the last move end by itself, or at a breakpoint of ours?"""
    if gdb.selected_inferior().pid == 0:
        return False
    why = why_halted()
    return not halted_at_users_breakpoint() and ("after being stepped" in why
                                                 or "at breakpoint -" in why)


def at_stop():
    """hook-stop"""
    command, Stepping.command = Stepping.command, None
    if at_named_stop() and not Stepping.goes_on:
        watch_catch(False)
        watch_derivatives(False)
        watch_callbacks(None)
        to_the_lesson()
        return
    if command is None or not ended_by_us():
        watch_catch(False)
        watch_callbacks(None)
        return
    Stepping.goes_on = True
    try:
        go_on(command)
    finally:
        Stepping.goes_on = False
        watch_catch(False)
        watch_derivatives(False)
        watch_callbacks(None)


def at_named_stop():
    """Has the program come to heed::stop(), with nothing to be done there by itself?"""
    if gdb.selected_inferior().pid == 0:
        return False
    if not (gdb.newest_frame().name() or "").startswith("heed::stop"):
        return False
    here = [each for each in gdb.breakpoints() if "heed::stop" in (each.location or "")]
    return "stopped at" in why_halted() and not any(each.commands for each in here)


def to_the_lesson():
    """Out of heed::stop(), into the lesson's line."""
    frame = gdb.newest_frame()
    name = frame.read_var("name").string()
    moves = Moves()
    back = Return(frame.older())
    try:
        moves.move("continue")
    finally:
        Stepping.start = None
        came = ended_by_us()
        back.delete()
    if MI:
        moves.report_records()
    if came and not gdb.parameter(SILENCE):
        gdb.write(fitting(f"\nstop {name}\n" + ("" if MI else where())))


def go_on(command):
    moves, left = None, False
    for _ in range(MOST_MOVES):
        frame = gdb.newest_frame()
        if frame.name() == "__cxa_begin_catch":
            moves = moves or Moves()
            moves.move("finish")
            Stepping.start_line = None
            frame = gdb.newest_frame()
        halted_at_ours = "at breakpoint -" in why_halted() and not left
        left = False
        if halted_at_ours:  # a new call, even if in the place of the one before
            Stepping.start_line, Stepping.seen = None, ()
        if (wanted(frame) or Stepping.stays) and not goes_to_and_fro(frame):
            if command == "step" and repeats(frame):
                moves = moves or Moves()
                if pass_loop(moves, frame) and ended_by_us():
                    continue
            elif command == "step" and says_little(frame):
                moves = moves or Moves()
                moves.move("step")
                if ended_by_us():
                    continue
            if moves is None and halted_at_ours:
                moves = Moves()
                moves.move("stepi")  # so that this counts as a step's end
            break
        moves = moves or Moves()
        watch_derivatives(True)
        if wanted(frame):
            moves.move(command)
        elif frame.type() == gdb.INLINE_FRAME:
            moves.move("next")
        elif leads_to_lesson(frame) and command == "step":
            moves.move("step")
        else:
            way = leave(moves, command)
            if way is None:
                break
            left = way == BEHIND
            if left:
                continue
        if not ended_by_us():
            break
    if moves is not None:
        report(moves)


def goes_to_and_fro(frame):
    """Is this still the statement from which the move began, or only the end of what it made? Or, as
    clang shows them, the default value of a member, at its declaration, and the rest of the
    statement that called what was left?"""
    place = frame.find_sal()
    path, line = place.symtab.fullname(), place.line
    if place.symtab.filename != frame.function().symtab.filename:
        return True
    if frame == Stepping.caller:
        return (statement_of(frame) == Stepping.called_in and frame.name() != "main"
                and not statements.is_loop(path, Stepping.called_in))
    if frame != Stepping.start or Stepping.start_line is None:
        return False
    if statement_of(frame) == statements.statement(path, Stepping.start_line):
        return True
    return statements.is_closing_brace(path, line) and not returns_from(frame, place)


def says_little(frame):
    """A line that `step` does not halt at, but goes through: it calls what may be worth it."""
    if Stepping.level >= levels.TENSOR or Stepping.stays:
        return False
    place, function = frame.find_sal(), frame.function()
    path, line = place.symtab.fullname(), place.line
    if statements.is_closing_brace(path, line):
        return depth(frame) > levels.LESSON or re.search(r"lambda|^operator\(\)", function.name)
    text = statements.text(path, statement_of(frame))
    if line == function.line and levels.is_one_line(text) or levels.hands_on(function.name):
        return True
    return (levels.says_little(text, depth(frame))
            or depth(frame) == levels.LAYERS and statements.only_fails(path, line))


def remember(frame):
    if not Stepping.seen or Stepping.seen[0] != frame:
        Stepping.seen = frame, set()
    Stepping.seen[1].add(Stepping.start_line)


def repeats(frame):
    """Does a loop begin again in which `step` entered nothing? Its numbers are shown once, unless
    one steps into those of tensors, too."""
    line = frame.find_sal().line
    return (frame == Stepping.start and Stepping.start_line is not None and line < Stepping.start_line
            and line in Stepping.seen[1] and Stepping.level < levels.TENSOR)


def pass_loop(moves, frame):
    """To the first line behind the loop that begins here."""
    place = frame.find_sal()
    path = place.symtab.fullname()
    end = statements.end_of_block(path, place.line)
    behind = sorted({entry.line for entry in place.symtab.linetable() if entry.line > end
                     and block_of(frame).start <= entry.pc < block_of(frame).end})
    if not behind:
        return False
    line = next((line for line in behind if not statements.is_closing_brace(path, line)), behind[0])
    moves.move(f"advance {path}:{line}")
    return True


def returns_from(frame, place):
    """Does the code of this line end the function?"""
    function = block_of(frame)
    others = [entry.pc for entry in place.symtab.linetable()
              if entry.line != place.line and frame.pc() < entry.pc < function.end]
    end = min(others, default=function.end) - 1
    return any(re.match(r"(rep\w* )?ret|leave", instruction["asm"])
               for instruction in frame.architecture().disassemble(frame.pc(), end))


def leave(moves, command):
    """Out of the functions that are not wanted, and, within the statement that called them, on from
    there. BEHIND if it stands behind that statement, None if there is no way out."""
    caller = next((caller for caller in callers(gdb.newest_frame())
                   if wanted(caller) or leads_to_lesson(caller)), None)
    if caller is None:
        return None
    back, called_in = Return(caller), statement_of(caller)
    try:
        moves.move("continue")
    finally:
        came = ended_by_us() and back.hit_count > 0
        back.delete()
    if came and statement_of(gdb.newest_frame()) != called_in:
        return BEHIND  # the call was the last of it
    if came:
        moves.move(command)
    return WITHIN


def statement_of(frame):
    place = frame.find_sal()
    return statements.statement(place.symtab.fullname(), place.line)


def report(moves):
    if MI:
        moves.report_records()
    elif gdb.selected_inferior().pid != 0 and not gdb.parameter(SILENCE):
        gdb.write(fitting(halt()))


def where():
    return re.sub(r"\A#\d+\s+", "", gdb.execute("frame", to_string=True))


def halt():
    """What gdb says where it halts."""
    shown = where()
    if not ended_by_us():
        reason = re.search(r"stopped at (?:(breakpoint \d+)|signal (.*))\.$", why_halted(), re.M)
        if reason and reason.group(1):
            return f"\n{reason.group(1).capitalize()}, {shown}"
        return f"\nProgram received signal {reason.group(2)}.\n{shown}" if reason else shown
    same = gdb.newest_frame() == Stepping.start
    return shown[shown.index("\n") + 1:] if same and "\n" in shown.strip() else shown


def define_hooks():
    for name, call in (("step", "before('step')"), ("next", "before('next')"),
                       ("stop", "at_stop()")):
        gdb.execute(f"define hook-{name}\npython heed_debug.stepping.{call}\nend")


gdb.execute("python import heed_debug.stepping")
define_hooks()
