"""Runs the program on without reporting where it halts, so that several moves are reported as one
stop: in the machine interface, too, where an editor would take each for a stop of its own."""

import os
import re
import tempfile

import gdb


def speaks_mi():
    with open("/proc/self/cmdline", encoding="utf-8", errors="replace") as file:
        return re.search(r"\0(-i|--?interpreter)[=\0]mi", file.read()) is not None


MI = speaks_mi()
SCRATCH = tempfile.TemporaryDirectory(prefix="heed-") if MI else None  # removed at the end
LOG = os.path.join(SCRATCH.name, "log") if MI else None
STEP = 'reason="end-stepping-range"'
OURS = re.compile(r'reason="breakpoint-hit",disp="\w+",bkptno="-\d+"')


SILENCE = "suppress-cli-notifications"


class Moves:
    """A number of moves, of which only the last halt is reported."""

    def __init__(self):
        self.records = []

    def move(self, command):
        if not MI:
            was_silent = gdb.parameter(SILENCE)
            gdb.execute(f"set {SILENCE} on")
            try:
                gdb.execute(command, to_string=True)
            finally:
                gdb.execute(f"set {SILENCE} {'on' if was_silent else 'off'}")
            return
        for setting in (f"file {LOG}", "redirect on", "enabled on"):
            gdb.execute("set logging " + setting, to_string=True)
        try:
            gdb.execute(command, to_string=True)
        finally:
            gdb.execute("set logging enabled off", to_string=True)
            self.take_records()

    def take_records(self):
        with open(LOG, encoding="utf-8", errors="replace") as file:
            lines = file.read().splitlines()
        os.remove(LOG)
        stops = [line for line in lines if line.startswith("*stopped")]
        others = [line for line in lines if line.startswith("=") and 'number="-' not in line]
        self.records = [line for line in self.records if line.startswith("=")] + others + stops[-1:]

    def report_records(self):
        """To the editor; a halt at a breakpoint of ours, or without a reason, is to it the end of a
        step."""
        gdb.flush()
        for record in self.records:
            record = OURS.sub(STEP, record)
            if record.startswith("*stopped,") and "reason=" not in record:
                record = record.replace("*stopped,", f"*stopped,{STEP},")
            os.write(1, (record + "\n").encode())
