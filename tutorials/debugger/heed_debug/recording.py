"""A recording of the program: what it needs, one line recorded by itself, and the way back in it."""

import re
import time

import gdb

from heed_debug.gdb_surroundings import is_here

BACK_A_SECOND = 6_000
MOST_AT_ONCE = 30_000  # instructions searched without a word
PIECE = 5_000  # instructions recorded without looking at the clock
SILENT_SECONDS = 3

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


def quietly(command):
    """Executes a command without gdb's report of the new position."""
    gdb.execute("set suppress-cli-notifications on")
    try:
        gdb.execute(command, to_string=True)
    except gdb.error as error:
        raise gdb.GdbError(NO_WAY_BACK if "extended state" in str(error) else str(error)) from None
    finally:
        gdb.execute("set suppress-cli-notifications off")


def record_line():
    """Records until the selected line is left, and nothing else; says how far it is."""
    gdb.write("This line is being recorded: some ten thousand instructions a second, each in half a "
              "kilobyte. Ctrl-C ends it.\n")
    gdb.flush()
    start = gdb.newest_frame()
    ends = [End(address, start) for address in other_lines(start)]
    if start.older() is not None:
        ends.append(End(start.older().pc(), start.older()))
    gdb.execute("record", to_string=True)
    said = time.monotonic()
    try:
        while gdb.selected_inferior().pid and not any(end.reached for end in ends):
            quietly(f"stepi {PIECE}")
            if time.monotonic() - said > SILENT_SECONDS:
                said = time.monotonic()
                gdb.write(f"  {recorded()} instructions recorded\n")
                gdb.flush()
    finally:
        for end in ends:
            end.delete()


class End(gdb.Breakpoint):
    """Where the line is over: at another line of this call, or back in its caller."""

    def __init__(self, address, frame):
        super().__init__(f"*{address:#x}", internal=True)
        self.silent = True
        self.frame = frame
        self.reached = False

    def stop(self):
        self.reached = gdb.newest_frame() == self.frame
        return self.reached


def other_lines(frame):
    """The addresses at which lines of its function begin, but for the one it stands at."""
    place = frame.find_sal()
    if place.symtab is None:
        raise gdb.GdbError("There is no source here, so no line to record.")
    block = frame.block()
    while block.function is None:
        block = block.superblock
    return [entry.pc for entry in place.symtab.linetable()
            if block.start < entry.pc < block.end and entry.line != place.line]


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


def position():
    """The number of the current instruction in the recording."""
    found = re.search(r"Current instruction number is (\d+)",
                      gdb.execute("info record", to_string=True))
    return found.group(1) if found else "end"


Recordable()
gdb.execute("""define hook-record
python __import__('sys').modules['heed_debug.recording'].warn_before_recording()
end""")
