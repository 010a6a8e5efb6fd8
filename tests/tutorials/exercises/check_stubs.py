"""Every exercise in its initial state: it compiles without a warning with both compilers, prints
its own number, and gives nothing away. With --solutions, clang compiles these, too.
Run as: python3 check_stubs.py RUNNER BUILD STUBS SOURCES ROOT [--solutions]"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

RUNNER, BUILD, STUBS, SOURCES, ROOT = sys.argv[1:6]
FOR_CLANG = [STUBS, SOURCES] if "--solutions" in sys.argv[6:] else [STUBS]
NOT_DONE, WRONG = 10, 11
SYNTAX = ["-fsyntax-only", "-std=c++20", "-Wall", "-Wextra", "-Wno-unused-parameter", "-Werror",
          "-DHEED_DOUBLE", "-I", os.path.join(BUILD, "include"), "-I", ROOT]

failures = []


def expect(holds, problem):
    if not holds:
        failures.append(problem)
        print("FAILED:", problem)


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def entries():
    for line in read(os.path.join(BUILD, "tutorials/exercises/list.txt")).splitlines():
        number, name, kind, _, function, title = line.split(" ", 5)
        yield number, name, kind, function, title


def holes(source):
    """For each hole of a solution, the lines in it that say something."""
    for part in re.findall(r"// begin solution\n(.*?)// end\n", source, re.DOTALL):
        lines = [re.sub(r"\s*//.*", "", line).strip() for line in part.splitlines()]
        yield [line for line in lines if len(line) > 12 and any(c.isalpha() for c in line)]


def check_said(number, name, kind, title):
    report = os.path.join(tempfile.mkdtemp(), "report")
    program = os.path.join(BUILD, "tutorials/exercises/stub_" + name)
    ended = subprocess.run([program, "--report", report], capture_output=True, text=True,
                           timeout=60, check=False)
    wanted = (WRONG,) if kind == "hunt" else (NOT_DONE, WRONG) if kind == "catch" else (NOT_DONE,)
    expect(ended.returncode in wanted, f"{name}: exit code {ended.returncode}: {ended.stdout}")
    expect(ended.stdout.startswith(f"{number} {title}: not"), f"{name} says {ended.stdout[:80]}")
    hints = re.findall(r"^hint (.*)", read(report), re.MULTILINE)
    expect(len(hints) == 4, f"{name} has {len(hints)} hints")
    filled = list(holes(read(os.path.join(SOURCES, name + ".cpp"))))
    for step, hint in enumerate(hints, 1):
        told = [[line for line in lines if line in hint] for lines in filled]
        expect(step == 4 or not any(told), f"{name}: hint {step} tells: {told}")
        expect(sum(map(bool, told)) <= 1, f"{name}: hint {step} fills several holes: {told}")


def check_function(name, function):
    """A debugger stops in a function of the learner's file."""
    expect(re.search(r"\b" + re.escape(function.split("::")[-1]) + r"\(",
                     read(os.path.join(STUBS, name + ".cpp"))),
           f"{name}: there is no function {function} in it")


def check_syntax(compiler):
    files = [os.path.join(folder, name + ".cpp") for folder in FOR_CLANG
             for _, name, _, _, _ in entries()]
    with ThreadPoolExecutor(2) as pool:
        for file, ended in zip(files, pool.map(
                lambda file: subprocess.run([compiler, *SYNTAX, file], capture_output=True,
                                            text=True, check=False), files)):
            expect(ended.returncode == 0, f"{compiler} {file}:\n{ended.stderr}")


def main():
    count = 0
    built = subprocess.run(["cmake", "--build", BUILD, "-j", "2", "--target", "exercise_programs"],
                           capture_output=True, text=True, check=False)
    expect(built.returncode == 0, built.stdout[-3000:] + built.stderr[-3000:])
    for number, name, kind, function, title in entries():
        check_said(number, name, kind, title)
        check_function(name, function)
        count += 1
    expect(count >= 70, f"there are {count} exercises")
    kinds = {kind for _, _, kind, _, _ in entries()}
    expect(len(kinds) == 6, f"the kinds are {kinds}")
    for lesson in range(1, 20):
        here = [name for number, name, _, _, _ in entries() if number.startswith(f"{lesson:02}.")]
        expect(len(here) >= 2, f"lesson {lesson:02} has {here}")

    written = tempfile.mkdtemp()
    subprocess.run([RUNNER, "write", "stubs", written], check=True)
    expect(all(read(os.path.join(written, name)) == read(os.path.join(STUBS, name))
               for name in os.listdir(STUBS)) and len(os.listdir(written)) == count,
           "`write stubs` writes other files")

    clang = shutil.which("clang++") or shutil.which("clang++-14")
    if clang:
        check_syntax(clang)
    else:
        print("skipped in part: needs clang (apt-get install clang)")
    print(f"{count} exercises, {len(failures)} failures")
    return 1 if failures else 0


sys.exit(main())
