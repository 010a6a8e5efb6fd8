"""The page in which a lesson runs: made, and opened from a file in Chromium, it passes its own test
without a word on the console. Run as: python3 check_run_page.py PROGRAM SCRIPT TRANSCRIPT FOLDER
A lesson that trains for long only shows that it prints the kept transcript, byte for byte.
Without Chromium it is skipped."""

import os
import subprocess
import sys

import chromium

PROGRAM, SCRIPT, TRANSCRIPT, FOLDER = sys.argv[1:5]
NAME = os.path.basename(PROGRAM)
PAGE = os.path.join(FOLDER, NAME + ".run.html")
LESSONS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../tutorials/live/lesson")
TEST = "run" if NAME >= "10" and NAME[:2] not in ("20", "21") else "1"
SECONDS = 1500
failures = []


def fail(problem):
    failures.append(problem)
    print("FAILED:", problem)


def check(width):
    with chromium.Page(PAGE, f"selftest={TEST}", width) as page:
        tap = page.wait_for("document.getElementById('tap')?.textContent", SECONDS)
        if tap is None:
            status = page.evaluate("document.getElementById('status')?.textContent")
            return fail(f"no end after {SECONDS} s at {width}: {status}")
        lines = tap.strip().split("\n")
        if lines[-1] != f"1..{len(lines) - 1}" or len(lines) < 10:
            fail(f"the plan is {lines[-1]}, of {len(lines) - 1}")
        for line in lines[:-1]:
            if not line.startswith("ok "):
                fail(f"at {width}: {line}")
        for said in page.console:
            fail(f"the console says {said}")
        print(f"{width}: {len(lines) - 1} checks; {page.evaluate('document.title')}")


def check_without_javascript():
    text = open(PAGE, encoding="utf-8").read()
    for word in ("<noscript>", "checked: "):
        if word not in text:
            fail(f"without JavaScript there is no {word}")
    start = text.split('<script type="text/plain"')[0]
    for word in ("http:", "https:", "src=", "@import", "url("):
        if word in start.replace("http://www.w3.org/2000/svg", ""):
            fail(f"the page has {word}")


if chromium.find() is None:
    print("skipped: needs chromium (apt-get install chromium)")
    sys.exit(0)
subprocess.run([sys.executable, f"{LESSONS}/make_page.py", PROGRAM, SCRIPT, TRANSCRIPT, PAGE],
               check=True)
check_without_javascript()
for size in (360, 1280) if TEST == "1" else (1280,):
    check(size)
sys.exit(1 if failures else 0)
