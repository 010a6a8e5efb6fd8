"""The C++ that the playground shows for a state is compiled as it is, and prints what the page says
that it prints; where heed refuses the state, it ends with the page's error.

Usage: check_playground_programs.py PLAYGROUND FOLDER COMPILE...
where COMPILE... is the compiler's command, with {source} and {program} in the places of the two
files.
"""
import json
import pathlib
import subprocess
import sys

NOTE = ("0.8505,0.4,0.3561,0.2708,0.9474;0.6939,0.9952,0.3525,0.0898,0.2699;"
        "0.1606,0.4863,0.0489,0.7793,0.21")
STATES = [
    f"Q={NOTE}&K={NOTE}&V={NOTE}&mask=100;110;111",
    "Q=1,-0.5,.25,4;0,1e-3,007,2&K=1,2,3,4;4,3,2,1;1,1,1,1&V=1,2;3,4;12345678901,6&mask=101;110"
    "&scale=0&temperature=0.5&heads=2&G=1,0;-2,3",
    "Q=2&K=3&V=4&mask=0",
    "Q=2;1&K=3;1&V=4;-1&temperature=0",
    "Q=1,2,3&K=1,2,3&V=1,2&heads=2",
]


def check(playground, folder, compile_command):
    answers = subprocess.run([playground], input="\n".join(STATES) + "\n", capture_output=True,
                             text=True, encoding="utf-8", check=True).stdout.split("\n")
    failures = 0
    for number, (state, answer) in enumerate(zip(STATES, map(json.loads, answers[:-1]),
                                                 strict=True)):
        source, program = folder / f"program_{number}.cpp", folder / f"program_{number}"
        source.write_text(answer["program"], encoding="utf-8")
        subprocess.run([part.format(source=source, program=program) for part in compile_command],
                       check=True)
        done = subprocess.run([program], capture_output=True, text=True, encoding="utf-8")
        if "printed" in answer:
            good = done.returncode == 0 and done.stdout == answer["printed"]
        else:
            error = answer["error"].replace("program.cpp", source.name)
            good = done.returncode != 0 and error in done.stderr
        if not good:
            print("FAILED:", state, "\nprints", done.stdout, done.stderr, "\ninstead of",
                  answer.get("printed", answer.get("error")))
            failures += 1
    print(f"{len(STATES)} programs, {failures} failures")
    return failures


if __name__ == "__main__":
    scratch = pathlib.Path(sys.argv[2])
    scratch.mkdir(parents=True, exist_ok=True)
    sys.exit(1 if check(sys.argv[1], scratch, sys.argv[3:]) else 0)
