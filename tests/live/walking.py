"""For the checks of walks: recording one, and opening its page in Chromium."""

import os
import subprocess
import sys

import chromium

GDB, ROOT, FOLDER = sys.argv[1:4]
RECORD = os.path.join(ROOT, "tutorials/live/walk/record.py")
os.makedirs(FOLDER, exist_ok=True)
failures = []


def expect(holds, problem):
    if not holds:
        failures.append(problem)
        print("FAILED:", problem)


def record(program, page, *options):
    return subprocess.run([sys.executable, RECORD, program, page, "--gdb", GDB, *options],
                          capture_output=True, text=True, check=False)


def check_page(page):
    """The page passes its own test at two widths, without a word on the console."""
    if chromium.find() is None:
        print("skipped in part: needs chromium (apt-get install chromium)")
        return
    for width in (360, 1280):
        with chromium.Page(page, "selftest=1", width) as opened:
            tap = opened.wait_for("document.getElementById('tap')?.textContent", 120) or "nothing"
            lines = tap.strip().split("\n")
            wrong = [line for line in lines[:-1] if not line.startswith("ok ")]
            expect(len(lines) > 10 and not wrong and lines[-1] == f"1..{len(lines) - 1}",
                   f"{os.path.basename(page)} at {width}: {wrong or lines[-1]}")
            expect(not opened.console, f"the console says {opened.console}")


def end():
    print(f"{len(failures)} failures")
    sys.exit(1 if failures else 0)
