"""The named stops in lldb: a breakpoint on the function's name halts at each of them once, with the
lesson one frame up, and a condition selects one by name; until-stop.
Run as: python3 check_stops_lldb.py LLDB PROGRAM SOURCES"""

import glob
import os
import re
import subprocess
import sys

LLDB, PROGRAM, SOURCES = sys.argv[1:]
INIT = os.path.join(SOURCES, "debugger", "init.lldb")
FILES = sorted(glob.glob(os.path.join(SOURCES, os.path.basename(PROGRAM), "*.cpp")))
LESSON = "(?:" + "|".join(re.escape(os.path.basename(file)) for file in FILES) + ")"


# Debian's lldb looks for its own module in a folder that does not exist, and takes the standard
# library of the first python3 in PATH.
os.environ["PATH"] = os.defpath
MODULES = glob.glob("/usr/lib/llvm-*/lib/python3*/dist-packages")
os.environ["PYTHONPATH"] = os.pathsep.join(MODULES + [os.environ.get("PYTHONPATH", "")])


def run(commands):
    arguments = [LLDB, "-x", "-b"]
    for command in commands:
        arguments += ["-o", command]
    ended = subprocess.run(arguments + [PROGRAM], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                           stderr=subprocess.STDOUT, encoding="utf-8", timeout=100)
    return ended.stdout


def names_at(shown):
    return re.findall(r'frame #0: .*`heed::stop\(name="([^"]*)"', shown)


names = []
for file in FILES:
    with open(file, encoding="utf-8") as source:
        names += re.findall(r'\bstop\(\s*"([^"]*)"', source.read())
names.sort(key=lambda name: name[:4])  # in the order of the sections, whatever file these are in

shown = run(["breakpoint set -n heed::stop", "run"] + ["up", "continue"] * (len(names) + 1))
right = sorted(names_at(shown)) == sorted(names) and len(names) > 2
lessons = re.findall(f"frame #1: .* at {LESSON}:[0-9]+", shown)
right = right and len(lessons) == len(names) and "exited with status = 0" in shown
if not right:
    print(shown, "\nFAILED: the stops are", names, "- lldb halted at", names_at(shown))

for name in names[1:2]:
    one = run([f'breakpoint set -n heed::stop -c "(int)strcmp(name, \\"{name}\\") == 0"', "run"])
    if names_at(one) != [name]:
        print(one, f"\nFAILED: lldb does not halt at {name} alone")
        right = False

shown = run([f"command source {INIT}", f"until-stop {names[2][:7]}", "frame info",
             f'until-stop "{names[3]}"', "until-stop", "until-stop 99"])
said = re.findall(r"^(?:stop |error: ).*", shown, re.M)
right_words = [f"stop {names[2]}", f"stop {names[3]}", f"stop {names[4]}",
               'error: This program has no stop whose name begins with "99", so it was not '
               "continued. It has these:"]
if len(said) != 4 or not all(map(str.startswith, said, right_words)):
    print(shown, "\nFAILED: until-stop says", said)
    right = False
passed = run([f"command source {INIT}", f"until-stop {names[1]}",
              f"until-stop {names[0]}"])
if f'The program ended, and came to no stop whose name begins with "{names[0]}"' not in passed:
    print(passed, "\nFAILED: until-stop does not say that the program ended")
    right = False
if shown.count(f"\n  {names[-1]}\n") != 1:
    print(shown, "\nFAILED: until-stop 99 does not list the stops")
    right = False
if not re.search(f"^frame #0: .* at {LESSON}", shown, re.M):
    print("FAILED: after until-stop the program does not stand in the lesson")
    right = False
sys.exit(0 if right else 1)
