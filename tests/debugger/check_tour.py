"""A tour of a lesson visits every stop and finds every value it expects, and each of these values
is in the lesson's transcript. Given a folder, it also spoils the tour, which must then fail.
Run as: python3 check_tour.py GDB INIT TOUR PROGRAM TRANSCRIPT [FOLDER]"""

import os
import re
import subprocess
import sys

GDB, INIT, TOUR, PROGRAM, TRANSCRIPT = sys.argv[1:6]
FOLDERS = sys.argv[6:]
EXPECT = re.compile(r"^expect (?P<what>.+?) == (?P<value>\[.*?\]|\S+)", re.M)
STOP = re.compile(r'^at-stop "(.*)"$', re.M)

failures = 0


def expect(holds, problem, shown=""):
    global failures
    if not holds:
        failures += 1
        print("FAILED:", problem)
        print(shown)


def run(tour):
    ended = subprocess.run([GDB, "-nx", "-q", "-batch", "-x", INIT, "-x", tour, PROGRAM],
                           stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                           stderr=subprocess.STDOUT, encoding="utf-8", timeout=880)
    return ended.returncode, ended.stdout


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def says(transcript, value):
    """Does the value appear there by itself, not as a part of a longer number?"""
    return re.search(r"(?<![\w.-])" + re.escape(value) + r"(?!\w|\.\d)", transcript)


tour = read(TOUR)
transcript = read(TRANSCRIPT)
expected = EXPECT.findall(tour)
stops = STOP.findall(tour)

code, shown = run(TOUR)
expect(code == 0, f"the tour ends with {code}", shown)
expect(shown.endswith(f"\n{len(stops)} stops, {len(expected)} values as the lesson says, 0 not\n"),
       "the tour does not end by saying that all was right", shown)
expect(len(expected) >= 2 * len(stops), f"{len(expected)} values are few for {len(stops)} stops")
for what, value in expected:
    expect(says(transcript, value), f"the lesson does not say {value}, expected of {what}")



def check_spoilt(folder):
    """The same tour with its first value wrong, and without its last stop."""
    what, value = expected[0]
    other = "[9, 9, 7]" if value.startswith("[") else "12345"
    spoilt = tour[: tour.rindex("at-stop")] + tour[tour.rindex("tour-end") :]
    spoilt = spoilt.replace(f"expect {what} == {value}", f"expect {what} == {other}", 1)
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, os.path.basename(TOUR))
    with open(path, "w", encoding="utf-8") as file:
        file.write(spoilt)
    code, shown = run(path)
    expect(code == 1, f"a tour that is wrong ends with {code}", shown)
    expect("NOT AS EXPECTED: " + what in shown, "a wrong value is not seen", shown)
    expect(f'leaves out the stop "{stops[-1]}"' in shown, "a missing stop is not seen", shown)


for folder in FOLDERS:
    check_spoilt(folder)
sys.exit(1 if failures else 0)
