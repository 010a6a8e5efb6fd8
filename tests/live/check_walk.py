"""The walk of a lesson: recorded twice it is the same file; it is as short and small as it should
be; of 50 steps, taken at random, gdb says the same numbers again, read by its own means; and its page
passes its own test. Run as: python3 check_walk.py GDB ROOT FOLDER PROGRAM WALK.gdb"""

import json
import os
import re
import subprocess
import sys
import time

import chromium
from draw_still import draw
from walking import FOLDER, GDB, ROOT, check_page, end, expect, record

PROGRAM, SCRIPT = sys.argv[4:6]
NAME = os.path.basename(PROGRAM)
MOST_STEPS, MOST_BYTES, MOST_SECONDS = 400, 2_000_000, 60


def recorded(ending):
    path = os.path.join(FOLDER, NAME + ending)
    start = time.monotonic()
    done = record(PROGRAM, path, "--script", SCRIPT)
    expect(done.returncode == 0, f"record.py: {done.stdout}{done.stderr}")
    if done.returncode:
        end()
    with open(path, encoding="utf-8") as file:
        return path, file.read(), time.monotonic() - start


def check_file(page, seconds):
    expect(len(page.encode()) <= MOST_BYTES, f"the page has {len(page.encode())} bytes")
    expect(seconds <= MOST_SECONDS, f"it was recorded in {seconds:.0f} s")
    expect(not re.search(r"0x[0-9a-f]{6,}", page), "there is an address in it")
    expect(ROOT not in page and FOLDER not in page, "there is a folder of this machine in it")
    start = page.split("<noscript>", maxsplit=1)[0]
    for word in ("http:", "https:", "src=", "@import", "url("):
        expect(word not in start, f"the page has {word}")


def check_record(found):
    folded = {i for loop in found["loops"] for i in range(loop["rounds"][1], loop["rounds"][-1])}
    shown = len(found["steps"]) - len(folded)
    expect(5 < shown <= MOST_STEPS, f"{shown} steps are shown")
    expect(len(found["values"]) == len({json.dumps(value) for value in found["values"]}),
           "a value stands there twice")
    expect(len(found["chapters"]) > 1, f"the chapters are {found['chapters']}")
    for step in found["steps"]:
        parts = found["sources"][step["file"]]
        text = next((part.split("\n")[step["line"] - first] for first, part in parts
                     if first <= step["line"] <= first + part.count("\n")), None)
        expect(text is not None and text.strip() == step["source"],
               f"the source of {step['file']}:{step['line']} is {text}")
    return shown


def check_loops(found):
    counted = [[loop["name"], loop["values"]] for loop in found["loops"]]
    expect(counted[0] == ["k", list("01234")], f"the first loop is {counted[0]}")
    names = [chapter["name"] for chapter in found["chapters"]]
    expect(names.index("08.1 the scores") < names.index("08.1 after the mask"), f"{names}")


def ask_again(path):
    """In another run of the program."""
    here = os.path.dirname(os.path.abspath(__file__))
    done = subprocess.run(
        [GDB, "-nx", "-q", "-batch", "-x", os.path.join(ROOT, "tutorials/debugger/init.gdb"), "-x",
         os.path.join(here, "ask_again.py"), "-ex", "quit 1", PROGRAM],
        env={**os.environ, "WALK_SCRIPT": SCRIPT, "WALK_RECORD": path, "LC_ALL": "C.UTF-8"},
        stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    print(done.stdout[-2000:].strip().split("\n")[-1])
    expect(done.returncode == 0, f"gdb says other numbers: {done.stdout}{done.stderr}")


def check_still(page):
    """The README's picture can be drawn from this page, and is small."""
    still = os.path.join(FOLDER, "walk_08.webp")
    if chromium.find():
        draw(page, still)
        expect(10_000 < os.path.getsize(still) <= 100_000, "the still has another size")
    kept = os.path.join(ROOT, "tests/live/walk_08.webp")
    expect(os.path.getsize(kept) <= 100_000, "the README's picture is larger than 100 kB")


page_path, first, took = recorded(".walk.html")
expect(recorded(".walk.html")[1] == first, "recorded twice, it is not the same file")
json_path, data, _ = recorded(".walk.json")
walk = json.loads(data)
check_file(first, took)
steps = check_record(walk)
if NAME.startswith("08"):
    check_loops(walk)
    check_still(page_path)
ask_again(json_path)
check_page(page_path)
print(f"{NAME}: {steps} of {len(walk['steps'])} steps, {len(walk['values'])} values, "
      f"{len(first.encode())} bytes, {took:.0f} s")
end()
