#!/usr/bin/env python3
"""Plants the faults listed beside this file, one at a time, and says which of them no test notices.

    tests/faults/plant.py                    all of them, with two workers; takes hours
    tests/faults/plant.py --only softmax     those whose file or title contains a word
    tests/faults/plant.py --quick            the unit tests only; an hour or two
    tests/faults/plant.py --check            only whether the lists can be read and still apply

It works on copies of the tree, in build/faults/. README.md says how the lists are written.
"""
import argparse
import dataclasses
import pathlib
import shlex
import shutil
import subprocess
import sys
import threading

ROOT = pathlib.Path(__file__).resolve().parents[2]
LISTS = pathlib.Path(__file__).resolve().parent
PROGRAMS = ("heed_tests", "heed_tests_double")  # the unit tests
UNSEEN = "NOT NOTICED"
LONGEST = 900  # seconds for one run of the tests: what runs longer hangs, so it is noticed


@dataclasses.dataclass
class Fault:
    title: str
    file: str = ""
    unseen_because: str = ""
    before: list = dataclasses.field(default_factory=list)
    after: list = dataclasses.field(default_factory=list)
    where: str = ""

    def planted_in(self, source):
        """The text of the file with the fault; None if the lines are not there just once."""
        before = "\n" + "".join(line + "\n" for line in self.before)
        after = "\n" + "".join(line + "\n" for line in self.after)
        source = "\n" + source
        return source.replace(before, after)[1:] if source.count(before) == 1 else None


def read_list(path):
    faults = []
    for number, line in enumerate(path.read_text().split("\n"), 1):
        kind, text = line[:2], line[2:]
        if kind == "# ":
            faults.append(Fault(text, where=f"{path.name}:{number}"))
        elif line and not faults:
            sys.exit(f"{path.name}:{number}: a fault begins with a title, '# what is wrong'")
        elif kind == "= ":
            faults[-1].unseen_because += text + " "
        elif kind == "- " or line == "-":
            faults[-1].before.append(text)
        elif kind == "+ " or line == "+":
            faults[-1].after.append(text)
        elif line and not faults[-1].file:
            faults[-1].file = line
        elif line:
            sys.exit(f"{path.name}:{number}: a line that begins with none of '# ', '= ', '- ', '+ '")
    return faults


def applicable(faults):
    found = []
    for fault in faults:
        path = ROOT / fault.file
        if path.is_file() and fault.before and fault.planted_in(path.read_text()) is not None:
            found.append(fault)
        else:
            print(f"{fault.where}: the code has changed: '{fault.title}' no longer applies")
    return found


class Worker:
    """A copy of the tree, built once; each fault is planted in it, built, tested and taken out."""

    def __init__(self, number):
        self.tree = ROOT / "build" / "faults" / str(number)
        self.build = self.tree / "build" / "test"
        tracked = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True,
                                 check=True, text=True).stdout.split("\0")
        for name in filter(None, tracked):
            if not (ROOT / name).exists():
                continue
            target = self.tree / name
            target.parent.mkdir(parents=True, exist_ok=True)
            if not target.exists() or target.read_bytes() != (ROOT / name).read_bytes():
                shutil.copy(ROOT / name, target, follow_symlinks=False)

    def run(self, *command, seconds=LONGEST):
        try:
            done = subprocess.run(command, cwd=self.tree, capture_output=True, text=True,
                                  errors="replace", timeout=seconds)
            return done.returncode, done.stdout + done.stderr
        except subprocess.TimeoutExpired:
            return 1, f"not done after {seconds} s"

    def prepare(self, options):
        status, said = self.run("cmake", "--preset", "test", "-D", "HEED_WERROR=OFF", *options)
        for program in PROGRAMS:
            if status == 0:
                status, said = self.compile(program)
            if status == 0:
                status, said = self.test(program, "~[.]")
        if status != 0:
            sys.exit(f"without a fault, already:\n{said[-3000:]}")

    def compile(self, *targets):
        chosen = ["--target", *targets] if targets else []
        return self.run("cmake", "--build", str(self.build), "-j1", *chosen, seconds=3600)

    def test(self, program, which):
        """Until something fails."""
        status, said = self.run(str(self.build / "tests" / program), "--abort", "-#", which)
        return (0, "") if "No test" in said else (status, said)  # no tests match that name

    def verdict(self, fault, quick):
        path = self.tree / fault.file
        right = path.read_text()
        path.write_text(fault.planted_in(right))
        try:
            return self.verdict_on_planted(fault, quick)
        finally:
            path.write_text(right)

    def verdict_on_planted(self, fault, quick):
        stem = pathlib.Path(fault.file).stem
        for program in PROGRAMS:
            status, said = self.compile(program)
            if status != 0:
                return "does not compile", said[-500:]
            # First the tests of that file, last those that take seconds.
            for which in (f"[#{stem}_test]", "~[.]~[slow]", "[slow]"):
                status, said = self.test(program, which)
                if status != 0:
                    return "noticed", test_that_failed(said)
        if quick:
            return UNSEEN, "by the unit tests"
        status, said = self.compile()
        if status != 0:
            return "noticed", "the build of the rest"
        status, said = self.run("ctest", "--preset", "test", "--stop-on-failure", "-j1",
                                seconds=4 * LONGEST)
        if status != 0:
            return "noticed", "ctest: " + said[-1500:].partition("The following tests FAILED:")[2]
        return UNSEEN, ""


def test_that_failed(said):
    """The name of the test that Catch wrote between two rules, or what it said at the end."""
    lines = said.splitlines()
    for i, line in enumerate(lines[:-2]):
        if line.startswith("-----") and lines[i + 1].strip():
            return lines[i + 1].strip()
    return said[-200:].strip().replace("\n", " ")


def plant_all(faults, workers, options, quick, report):
    waiting = list(reversed(faults))
    lock = threading.Lock()
    verdicts = []

    def work(number):
        worker = Worker(number)
        worker.prepare(options)
        while True:
            with lock:
                if not waiting:
                    return
                fault = waiting.pop()
            verdict, by = worker.verdict(fault, quick)
            with lock:
                verdicts.append((fault, verdict))
                line = f"{verdict}\t{fault.where}\t{fault.file}\t{fault.title}\t{by.strip()}"
                print(line.replace("\n", " "), flush=True)
                with open(report, "a") as file:
                    file.write(line.replace("\n", " ") + "\n")

    threads = [threading.Thread(target=work, args=(number,)) for number in range(workers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return verdicts


def main():
    asked = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    asked.add_argument("--check", action="store_true", help="only read the lists")
    asked.add_argument("--only", default="", help="a word of the file's name or the title")
    asked.add_argument("--quick", action="store_true", help="only the unit tests look for it")
    asked.add_argument("--skip", default="", help="a report: what it has verdicts for is left out")
    asked.add_argument("--workers", type=int, default=2, help="copies of the tree (default: 2)")
    asked.add_argument("--cmake", default="", help="more options for cmake, in one word: "
                                                  "--cmake='-G Ninja'")
    asked = asked.parse_args()

    faults = [fault for path in sorted(LISTS.glob("*.txt")) for fault in read_list(path)]
    found = applicable(faults)
    print(f"{len(found)} of {len(faults)} faults apply")
    if asked.check:
        sys.exit(len(found) < len(faults))
    known = pathlib.Path(asked.skip).read_text() if asked.skip else ""
    chosen = [fault for fault in found
              if asked.only in fault.file + fault.title and f"\t{fault.where}\t" not in known]
    report = ROOT / "build" / "faults" / "report.txt"
    report.parent.mkdir(parents=True, exist_ok=True)
    verdicts = plant_all(chosen, asked.workers, shlex.split(asked.cmake), asked.quick, report)
    unseen = [fault for fault, verdict in verdicts if verdict == UNSEEN]
    unexplained = [fault for fault in unseen if not fault.unseen_because]
    print(f"{len(verdicts)} planted, {len(unseen)} not noticed, "
          f"{len(unexplained)} of these without a reason in the list")
    for fault in unexplained:
        print(f"{fault.where}: {fault.file}: {fault.title}")
    sys.exit(bool(unexplained))


if __name__ == "__main__":
    main()
