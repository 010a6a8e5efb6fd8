"""Finding what writes a number: watch-number halts at its next change, wrote goes back in a
recording to its last write."""

import os
import re
import struct

import gdb

from heed_debug.gdb_command import Command
from heed_debug.expectations import array_of
from heed_debug.paths import teaching_frame
from heed_debug.gdb_surroundings import check_runs, is_here

C_TYPES = {"f": "float", "d": "double", "q": "long", "B": "unsigned char"}
BACK_A_SECOND = 6_000
MOST_AT_ONCE = 30_000  # instructions searched without a word
BETWEEN = re.compile(r"operator\(\)|_FUN|__invoke|in_parallel|::apply$|^main$|tutorial::run")

NOT_RECORDED = """Nothing is recorded, so there is no way back. Say `set heed-recordable on`, run again
to an earlier stop, say `record`, go on to here, and ask again. A recorded program is slow, some ten
thousand instructions a second: record a few lines, and not a whole lesson."""
NO_WAY_BACK = """gdb before 14 cannot go back on this processor, which has AMX: going back restores
registers that are too large for it. gdb 14 can. `watch-number` and a new run work with both."""
NOT_RECORDABLE = """This program was not started so that it can be recorded: say
`set heed-recordable on`, and `run` it again. (What is recorded now ends where the C library uses
AVX.)
"""

# gdb (13) cannot record AVX instructions or lazy symbol binding.
ENVIRONMENT = {
    "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2,-AVX,-FMA,-FMA4,-AVX512F,-AVX512VL,-AVX512BW,-ERMS,"
                      "-FSRM,-AVX_Fast_Unaligned_Load,-XSAVEC,-XSAVE",
    "LD_BIND_NOW": "1",
    "HEED_THREADS": "1",
    "HEED_KERNELS": "plain",
}


LIMIT = "record full insn-number-max"  # at which gdb would ask whether to go on


class Recordable(gdb.Parameter):
    """set heed-recordable on: start the program so that `record` can record it: the C library
    without AVX, one thread, plain kernels. From the next `run` on. It is several times slower then,
    so this is off at first."""

    set_doc = "Set whether the program is started so that it can be recorded."
    show_doc = "Show whether the program is started so that it can be recorded."

    def __init__(self):
        super().__init__("heed-recordable", gdb.COMMAND_RUNNING, gdb.PARAM_BOOLEAN)
        self.value = False
        self.limit = gdb.parameter(LIMIT)

    def get_set_string(self):
        if self.value:
            self.limit = gdb.parameter(LIMIT)
        gdb.execute(f"set {LIMIT} {'unlimited' if self.value else self.limit or 'unlimited'}")
        for name, value in ENVIRONMENT.items():
            gdb.execute(f"set environment {name} {value}" if self.value
                        else f"unset environment {name}", to_string=True)
        return ""


def warn_before_recording():
    if not is_recordable():
        gdb.write(NOT_RECORDABLE)


def is_recordable():
    """Was the program started for it? Yes, too, where that cannot be told."""
    process = gdb.selected_inferior().pid
    if process == 0 or not is_here():
        return True
    with open(f"/proc/{process}/environ", "rb") as file:
        return ENVIRONMENT["GLIBC_TUNABLES"].encode() in file.read()


class Number:
    """One entry of a tensor in the program's memory."""

    def __init__(self, name):
        teaching_frame()
        array = array_of(name)
        if array.count != 1:
            raise gdb.GdbError(f"{name} has {array.count} numbers; ask about one of them, with an "
                               "index for each axis, as in weights[1,0].")
        self.name, self.address, self.code = name, array.address, array.code

    def value(self):
        data = gdb.selected_inferior().read_memory(self.address, struct.calcsize(self.code))
        return struct.unpack("<" + self.code, bytes(data))[0]

    def expression(self):
        return f"*({C_TYPES[self.code]}*){self.address:#x}"

    def text(self):
        return f"{self.value():.6g}"


def callers():
    """A short stack trace, from here to the lesson: function, file and line."""
    rows = []
    frame = gdb.newest_frame()
    while frame is not None:
        name, line = frame.name() or "?", frame.find_sal()
        name = re.sub(r"heed::(f32|f64)::|\(anonymous namespace\)::", "", name)
        name = re.sub(r"<.*", "", name)
        if line.symtab and not BETWEEN.search(name) and not name.startswith("std::"):
            rows.append((name, f"{os.path.basename(line.symtab.filename)}:{line.line}"))
        frame = frame.older()
    width = max(len(name) for name, _ in rows)
    return [f"  {name:<{width}}  {place}" for name, place in rows]


class Change(gdb.Breakpoint):
    """Halts when a number changes, and prints the old value, the new value and the call stack."""

    def __init__(self, number):
        super().__init__(number.expression(), gdb.BP_WATCHPOINT, gdb.WP_WRITE, internal=True)
        self.silent = True
        self.entry = number
        self.before = number.text()

    def stop(self):
        now = self.entry.text()
        if now == self.before:
            return False
        gdb.write(f"{self.entry.name} changes from {self.before} to {now}\n")
        gdb.write("\n".join(callers()) + "\n")
        self.before = now
        return True


class WatchNumberCommand(Command):
    """watch-number X[1,2]: halt each time this number in memory changes, and say who does it.
    watch-number x.grad[0]      a cell of a gradient: see it add up
    watch-number                forget them again
    This watches the memory that X uses now: a gradient that is cleared and recreated moves."""

    watched = []

    def lines(self, argument):
        if not argument.strip():
            for change in self.watched:
                change.delete()
            forgotten = len(self.watched)
            self.watched.clear()
            return [f"{forgotten} watched before, now none"]
        check_runs("watch-number")
        number = Number(argument.strip())
        self.watched.append(Change(number))
        return [f"{number.name} is {number.text()}; `continue` halts when it changes"]


class WroteCommand(Command):
    """wrote X[1,2]: in a recording, go back to where this number was last written.
    set heed-recordable on      then `run`, to a stop before it
    record              from here on everything is recorded
    next                or continue, to where the number is there
    wrote weights[1,1]  back to the line that wrote it
    wrote               further back: who wrote the same number before
    wrote weights[1,1] next     records just this one line, runs it, and goes back in it
    Then look around: `up`, `print`, `reverse-step`; `record goto end` returns to the present, and
    `record stop` ends the recording."""

    last = None

    def lines(self, argument):
        if argument.strip():
            teaching_frame()
        check_runs("wrote")
        if argument.split()[-1:] == ["next"]:
            argument = argument.strip().removesuffix("next")
            record_next()
        if gdb.current_recording() is None:
            raise gdb.GdbError(NOT_RECORDED)
        if not argument.strip() and self.last is None:
            raise gdb.GdbError("Which number? As in: wrote weights[1,1]")
        number = Number(argument.strip()) if argument.strip() else self.last
        WroteCommand.last = number
        now = number.text()
        gdb.write(cost_of_search())
        gdb.flush()
        if not go_back_to_change(number):
            return [f"{number.name} is {now}, and nothing has written it since the recording "
                    "began."]
        return [f"{number.name} became {now} here; before, {number.text()} was in its place",
                *callers()]


def quietly(command):
    """Executes a command without gdb's report of the new position."""
    gdb.execute("set suppress-cli-notifications on")
    try:
        gdb.execute(command, to_string=True)
    except gdb.error as error:
        raise gdb.GdbError(NO_WAY_BACK if "extended state" in str(error) else str(error)) from None
    finally:
        gdb.execute("set suppress-cli-notifications off")


def go_back_to_change(number):
    """Goes back to just before the last instruction that changed the number, if there is one."""
    here = position()
    others = [other for other in gdb.breakpoints() if other.enabled]
    # Hardware watchpoints do not work when gdb replays a recording.
    gdb.execute("set can-use-hw-watchpoints 0")
    for other in others:
        other.enabled = False
    watch = gdb.Breakpoint(number.expression(), gdb.BP_WATCHPOINT, gdb.WP_WRITE, internal=True)
    watch.silent = True
    try:
        search(watch)
        found = watch.hit_count > 0
    finally:
        watch.delete()
        gdb.execute("set can-use-hw-watchpoints 1")
        for other in others:
            other.enabled = True
    if not found:
        quietly(f"record goto {here}")
    return found


def cost_of_search():
    """How long the search may take, if that is long."""
    if before_here() <= MOST_AT_ONCE:
        return ""
    return (f"{before_here()} instructions are recorded before this; to go back through all of "
            f"them takes about {before_here() // BACK_A_SECOND} seconds, and Ctrl-C ends it.\n")


def before_here():
    """How many instructions lie before this place in the recording."""
    return int(position()) - 1 if position().isdigit() else recorded()


def recorded():
    """The number of instructions in the recording."""
    said = gdb.execute("info record", to_string=True)
    found = re.search(r"Log contains (\d+) instructions", said)
    return int(found.group(1)) if found else 0


def search(watch):
    """Goes back to where the watchpoint triggers, or to the beginning, and says how far it is."""
    if before_here() <= MOST_AT_ONCE:
        return quietly("reverse-continue")
    piece = max(recorded() // 20, 1)
    while watch.hit_count == 0 and before_here() > 0:
        quietly(f"reverse-stepi {min(piece, before_here())}")
        if watch.hit_count == 0:
            gdb.write(f"  {100 * before_here() // recorded()} % of the recording is left\n")
            gdb.flush()
    return None


def record_next():
    """Records one line of the program, and nothing else."""
    if gdb.current_recording() is not None:
        raise gdb.GdbError("A recording is running already: `wrote` and the number searches in it, "
                           "`record stop` ends it.")
    if not is_recordable():
        raise gdb.GdbError(NOT_RECORDABLE.strip())
    gdb.write("This line is being recorded: ten thousand instructions take about a second, a "
              "softmax a few seconds.\n")
    gdb.flush()
    gdb.execute("record", to_string=True)
    quietly("next")


def position():
    """The number of the current instruction in the recording."""
    found = re.search(r"Current instruction number is (\d+)",
                      gdb.execute("info record", to_string=True))
    return found.group(1) if found else "end"


Recordable()
gdb.execute("""define hook-record
python __import__('sys').modules['heed_debug.commands_changes'].warn_before_recording()
end""")
WatchNumberCommand("watch-number")
WroteCommand("wrote")
