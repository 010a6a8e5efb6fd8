"""What the runner keeps and must not lose: the progress, a learner's file, the verdict, whatever the
learner's program does, and when two runners are at work.
Run as: python3 check_progress.py RUNNER BUILD STUBS SOURCES"""

import os
import resource
import shutil
import signal
import sys
import time

from runner_tools import (NAME, SCRATCH, Terminal, Workshop, expect, finish, is_gone, one_line,
                          program, read, write)

NEXT = "08_2_attention_class"


def check_progress_file():
    workshop = Workshop("file")
    workshop.save(program("passed"))
    mixed = "\ufeffcurrent 12.7\r\ndone 08.2\ndun 08.3\ndone 23.1\nhint 08.3 many\n"
    write(workshop.progress, mixed)
    said = workshop.expect_run(0, ["names exercises that do not exist here: 12.7, 23.1",
                                   'line 3 is not understood: "dun 08.3"', 'line 5',
                                   "done 08.2", "1 of "], "list")
    expect("> 01.1" in one_line(said), f"the first open one is the current one: {said}")
    expect(read(workshop.progress) == mixed, "list does not write")
    workshop.expect_run(0, ["is not understood", "08.1 The causal mask: passed"], "run", "08.1")
    expect(read(workshop.progress) == "current 08.1\ndone 08.1\ndone 08.2\ndun 08.3\ndone 23.1\n"
           "hint 08.3 many\n", f"nothing is lost: {read(workshop.progress)}")
    workshop.expect_run(0, ["is as it was at first"], "reset", "08.1")
    expect("dun 08.3\ndone 23.1\nhint 08.3 many\n" in read(workshop.progress), "nor by reset")
    workshop.expect_run(0, ["08.3", "file:", "08_3_padding_and_causal.cpp"], "go", "8.3")
    expect(read(workshop.progress).startswith("current 08.3\n"), "go makes it the current one")
    workshop.expect_run(2, ["go needs a number"], "go")
    for name, make in (("a directory", os.mkdir), ("a NUL", lambda file: write(file, "done\0 1"))):
        os.remove(workshop.progress)
        make(workshop.progress)
        workshop.expect_run(0, ["Your progress cannot be read or kept", "Move it away"], "list")
        workshop.save(program("wrong"))
        said = workshop.expect_run(11, ["progress cannot be read or kept", "not yet right"], "run", "08.1")
        expect(said.count("cannot be read or kept") == 1, f"it is said once: {said}")
        if os.path.isdir(workshop.progress):
            os.rmdir(workshop.progress)
            write(workshop.progress, "")
        else:
            expect(read(workshop.progress) == "done\0 1", f"{name} is left alone")


def no_room():
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (3, 3))


def check_not_writable():
    workshop = Workshop("readonly")
    workshop.save(program("wrong"))
    write(workshop.progress, "done 08.2\n")
    workshop.expect_run(0, ["Your progress is not kept: cannot write", "progress.txt: File too large",
                            "--progress FILE"], "go", "08.3", before=no_room)
    expect(read(workshop.progress) == "done 08.2\n", "a full disk leaves the progress as it was")
    expect([name for name in os.listdir(workshop.folder) if ".new" in name] == [],
           "nothing half written is left")
    workshop.expect_run(2, ["cannot write", ": File too large"], "reset", "08.1", before=no_room)
    expect(read(workshop.file) == program("wrong"), "nor is the learner's file touched")

    if os.geteuid() == 0:  # whom permissions do not bind
        place, why = "/sys/progress.txt", ("Permission denied", "Read-only file system")
    else:
        os.chmod(workshop.folder, 0o555)
        place, why = workshop.progress, ("Permission denied",)
    if os.geteuid() != 0 or os.path.ismount("/sys"):
        code, said = workshop.run("--progress", place, "run", "08.1")
        expect(code == 11 and "not yet right" in said, f"the verdict is shown all the same: {said}")
        expect(any(f"cannot write {place}: {words}" in one_line(said) for words in why), said)
    os.chmod(workshop.folder, 0o755)

    os.symlink(workshop.progress, workshop.path + "/link")
    os.chmod(workshop.progress, 0o640)
    workshop.run("--progress", workshop.path + "/link", "go", "08.3")
    expect(os.path.islink(workshop.path + "/link") and "current 08.3" in read(workshop.progress),
           "a link stays a link")
    expect(os.stat(workshop.progress).st_mode & 0o777 == 0o640, "permissions stay as they are")


def check_backups():
    workshop = Workshop("backups")
    for i, end in enumerate(["", ".2", ".3"], 1):
        workshop.save(f"attempt {i}")
        workshop.expect_run(0, ["What you had is in", NAME + ".cpp.bak" + end], "reset", "08.1")
    workshop.expect_run(0, ["as it was at first.\n"], "reset", "08.1")
    texts = [read(workshop.file + ".bak" + end) for end in ("", ".2", ".3")]
    expect(texts == ["attempt 1", "attempt 2", "attempt 3"], f"no reset overwrites another: {texts}")
    expect(not os.path.exists(workshop.file + ".bak.4"), "a stub is not kept")
    write(workshop.file, "no text\0")
    workshop.expect_run(0, [".bak.4"], "reset", "08.1")
    expect(read(workshop.file + ".bak.4") == "no text\0", "what is no text is kept too")


def check_two_runners():
    workshop = Workshop("two")
    workshop.save("//build sleep 1.5\n" + program("passed"))
    workshop.save(program("passed"), NEXT)
    first = workshop.start("run", "08.1")
    time.sleep(0.5)
    second = workshop.start("run", "08.2")
    said = second.communicate()[0]
    expect("Another runner builds or runs in" in one_line(said), f"the second waits: {said}")
    first.communicate()
    expect((first.returncode, second.returncode) == (0, 0), "both are judged")
    expect("done 08.1\ndone 08.2\n" in read(workshop.progress), read(workshop.progress))

    first = workshop.start("run", "08.1")
    time.sleep(0.5)
    second = workshop.start("run", "08.1")
    time.sleep(0.5)
    second.send_signal(signal.SIGINT)
    second.communicate(timeout=5)
    first.communicate()
    expect((first.returncode, second.returncode) == (0, -signal.SIGINT), "Ctrl-C ends waiting")

    many = [NAME, NEXT, "08_3_padding_and_causal", "01_1_strides", "01_3_matmul", "02_1_multiply"]
    for name in many:
        workshop.save(program("passed"), name)
    for started in [workshop.start("run", name) for name in many]:
        started.communicate()
    expect(read(workshop.progress).count("done") == len(many), f"all are kept: {read(workshop.progress)}")

    # One build folder, and two folders with the same exercise. The first program is there for a
    # while before it is run.
    mine = Workshop("right", prefix="exercise_")
    mine.save("//build linger 1.5\n" + program("passed"))
    others = Workshop("wrong", prefix="exercise_")
    others.save(program("wrong"))
    others.options[others.options.index("--build") + 1] = mine.build
    right = mine.start("run", "08.1")
    time.sleep(0.7)
    wrong = others.start("run", "08.1")
    said = right.communicate()[0] + wrong.communicate()[0]
    codes = right.returncode, wrong.returncode
    expect(codes == (0, 11), f"each is told of its own file: {codes} {said}")
    expect("done" in read(mine.progress) and "done" not in read(others.progress), "and keeps its own")
    expect("is set from the files of" in one_line(said), f"and this is said: {said}")
    mine.expect_run(0, ["passed"], "run", "08.1")
    expect("=\n" in read(mine.build + "/CMakeCache.txt"), "the build is set back when needed")
    mine.expect_run(2, ['there is no folder "/nowhere"'], "--folder", "/nowhere", "list")


def check_output():
    workshop = Workshop("output")
    loud = '//! yes "a line of mine" | head -n 300000\n'
    workshop.save(program("wrong", "//! echo the beginning\n" + loud + "//! echo the end\n"))
    said = workshop.expect_run(11, ["the beginning", "a line of mine",
                                    "... 299802 lines are left out here ...", "the end", "08.1 The causal mask: not yet right",
                                    "the mask is not right"], "run", "08.1")
    expect(len(said.splitlines()) < 220, f"{len(said.splitlines())} lines are shown")
    workshop.save(program("wrong", "//! seq 201\n"))
    said = workshop.expect_run(11, ["... 1 line is left out here ..."], "run", "08.1")
    shown = [line for line in said.splitlines() if line.isdigit()]
    expect(shown == [str(i) for i in range(1, 202) if i != 101], f"all others are shown: {shown}")
    workshop.save(program("wrong", "//! seq 200\n"))
    expect("left out" not in workshop.run("run", "08.1")[1], "200 lines are shown")
    workshop.save(program("wrong", "//! head -c 300000 /dev/zero | tr '\\0' x\n"))
    said = workshop.expect_run(11, ["bytes are left out here"], "run", "08.1")
    expect(len(said) < 100000, f"{len(said)} bytes of one line are shown")
    hostile = r"//! printf '\033[2J\033]0;title\007\302\233\377 \033[31mred\033[0m\r\n'" + "\n"
    workshop.save(program("wrong", hostile))
    said = workshop.expect_run(11, ["\\x1b[2J", "\\xff", " red\n"], "run", "08.1")
    expect(not any(c in said for c in "\x1b\x07\x9b\r"), f"nothing for a terminal to obey: {said!r}")
    workshop.save(program("passed", "//! exec 1>&- 2>&-\n"))
    workshop.expect_run(0, ["passed"], "run", "08.1")
    workshop.save("//! exec 1>&- 2>&-\n//! sleep 61.875\n")
    workshop.expect_run(13, ["did not end within 1 seconds"], "--timeout", "1", "run", "08.1")
    expect(is_gone("61.875"), "what did not end is ended")
    workshop.save(program("passed", "//! sleep 61.875 &\n"))
    began = time.monotonic()
    workshop.expect_run(0, ["passed"], "run", "08.1")
    expect(time.monotonic() - began < 10, "a child that is left is not waited for")
    expect(is_gone("61.875"), "but ended")
    workshop.save(program("passed", "//! read words\n//! cat\n"))
    workshop.expect_run(0, ["passed"], "--timeout", "5", "run", "08.1")
    workshop.save("//! exit 127\n")
    workshop.expect_run(12, ["ended before anything was tried, with exit code 127"], "run", "08.1")
    workshop.save(program("passed").replace("exit 0", "exit 3"))
    workshop.expect_run(12, ["reached a verdict and then ended with exit code 3"], "run", "08.1")
    expect(not [name for name in os.listdir(workshop.build + "/tutorials/exercises")
                if "report" in name], "no report is left")


def check_endless_output():
    workshop = Workshop("flood")
    workshop.save("//! yes flood\n")
    said = workshop.expect_run(13, ["lines are left out here", "did not end within 1 seconds"],
                               "--timeout", "1", "run", "08.1")
    expect(len(said) < 100000, f"{len(said)} bytes are shown")
    workshop.save(program("wrong"))
    workshop.expect_run(0, ["exit codes:"], "--help")
    expect(max(map(len, workshop.run("--help")[1].splitlines())) <= 80, "the usage has 80 columns")
    said = workshop.expect_run(11, ["not yet right"], "run", "08.1",
                               environment={**workshop.environment, "COLUMNS": "40"})
    expect(max(len(line) for line in said.splitlines() if "/" not in line) <= 40, said)


def check_empty():
    workshop = Workshop("empty")
    for text in "", " \n\n":
        workshop.save(text)
        empty = "is empty; `exercises reset 08.1` puts it back"
        for command in "run", "hint", "why", "debug":
            workshop.expect_run(2, [empty], command, "08.1")
        said = workshop.run("check-all")[1]
        expect("08.1 is empty: `exercises reset 08.1` puts it back\n08.2 not done yet" in said, said)
    expect(not workshop.calls(), f"it is not built: {workshop.calls()}")
    workshop.expect_run(0, ["08.1 is as it was at first."], "reset", "08.1")


def check_long_builds():
    workshop = Workshop("long")
    own = f"//build print [ 2/97] Building CXX object {NAME}.cpp.o\n"
    why = "A hint is for what your code does, so it is built and run first."
    library = "so they are built again first, which may take some minutes."
    workshop.save(own + program("wrong"))
    said = workshop.expect_run(0, [why, "1. hint number 1"], "hint", "08.1")
    expect(library not in one_line(said), f"only the learner's file was built: {said}")
    workshop.save("//build print [ 1/97] Building CXX object tensor/tensor.cpp.o\n" * 2 + own +
                  program("wrong"))
    said = workshop.expect_run(0, [why, library, "2. hint number 2"], "hint", "08.1")
    expect(one_line(said).count(library) == 1, f"it is said once: {said}")


STEP = "gmake[2]: *** [{0}.dir/build.make:76: {0}.dir/{1}.o] Error 1"
OF_LIBRARY = STEP.format("CMakeFiles/heed_double", "tensor/shape.cpp")
OF_JUDGES = STEP.format("tutorials/exercises/CMakeFiles/exercise_judges", f"judges/{NAME}.cpp")
OWN = STEP.format(f"tutorials/exercises/CMakeFiles/fake_{NAME}", f"{NAME}.cpp")
NOT_YOURS = [  # what the build tools say, and the reason
    (["/heed/tensor/shape.cpp:12:5: error: 'x' was not declared in this scope", OF_LIBRARY],
     "/heed/tensor/shape.cpp does not compile", "`git diff` shows it"),
    ([f"/heed/judges/{NAME}.cpp:3:1: error: 'y' does not name a type", OF_JUDGES],
     f"/heed/judges/{NAME}.cpp does not compile", "builds all of it again"),
    (["FAILED: [code=1] CMakeFiles/heed_double.dir/tensor/shape.cpp.o",
      "/heed/tensor/shape.cpp:12:5: error: expected ';' before 'x'"],
     "/heed/tensor/shape.cpp does not compile", "`git diff` shows it"),
    (["/usr/bin/ar: unable to rename", OF_LIBRARY],
     "the library or the judges cannot be built", "builds all of it again"),
    (["/usr/bin/ld: ../../libheed_double.a(shape.cpp.o): in function `f()':",
      "/heed/tensor/shape.cpp:9: undefined reference to `g()'", OWN],
     "the library or the judges lack a function", "builds all of it again"),
    ([f"{NAME}.cpp:9: fatal error: error writing to /tmp/cc.s: No space left on device", OWN],
     "the disk is full", "Free some space"),
    (["/usr/bin/ld: final link failed: Disk quota exceeded", OWN],
     "your part of the disk is full", "Free some space"),
    (["g++: fatal error: Killed signal terminated program cc1plus", OWN],
     "the compiler used up the memory", "CMAKE_BUILD_PARALLEL_LEVEL=1"),
    (["cc1plus: out of memory allocating 65536 bytes after a total of 1 bytes", OWN],
     "the compiler used up the memory", "CMAKE_BUILD_PARALLEL_LEVEL=1"),
    (["/tmp/cc.s: Fatal error: can't write 61 bytes to a.o: 'No space left on device'",
      *["as: assertion fail"] * 60, OWN], "the disk is full", "Free some space"),
    ([f"Fatal error: can't create {NAME}.cpp.o: Permission denied", OWN],
     "the build folder cannot be written", "Give yourself the right"),
    (["/usr/bin/ld: ../../libheed_double.a: file format not recognized", OWN],
     "a file that was built before is damaged", "--clean-first"),
    (["/bin/sh: 1: /usr/bin/c++: not found", OWN.replace("Error 1", "Error 127")],
     "the compiler or another tool is missing (/bin/sh: 1: /usr/bin/c++: not found)",
     "apt-get install build-essential"),
    (["gmake[2]: /usr/bin/c++: No such file or directory", OWN.replace("Error 1", "Error 127")],
     "the compiler or another tool is missing", "apt-get install build-essential"),
    (["CMake Error: Generator: execution of make failed. Make command was: gmake"],
     "the program that builds is missing", "apt-get install build-essential"),
    (["CMake Error at CMakeLists.txt:5 (project):", "  unknown command"],
     "CMake cannot configure the build", "undo your change"),
    (["gmake[2]: *** No rule to make target '/heed/tensor/a.cpp', needed by 'a.cpp.o'.  Stop."],
     "a file of the library or of the build is missing", "`git status`"),
    (["ninja: error: '/heed/tensor/a.cpp', needed by 'a.cpp.o', missing and no known rule to make it"],
     "a file of the library or of the build is missing", "`git status`"),
]


def check_failures():
    """A build that fails for a reason outside the learner's file is not the learner's mistake."""
    workshop = Workshop("failures")
    write(workshop.progress, "current 08.1\ndone 08.1\n")
    for lines, reason, advice in NOT_YOURS:
        shown = next(line for line in lines if not line.startswith("FAILED"))
        workshop.save("".join(f"//build print {line}\n" for line in lines) + "//build fail\n")
        for command in "run", "hint", "debug":
            said = workshop.expect_run(2, [f"08.1 cannot be judged, because {reason}", shown, advice,
                                           "The mistake is not in your file.", "All of it is in"],
                                       command, "08.1")
            expect("does not compile:" not in said and "hint:" not in said, f"{reason}: {said}")
    expect("done 08.1" in read(workshop.progress), "what was passed stays so")
    workshop.expect_run(2, ["Stopped after ", "cannot be judged"], "check-all")
    mine = f"{workshop.folder}/{NAME}.cpp"
    for lines in ([f"{mine}:9:5: error: No space left on device, CMake Error", OWN],
                  [f"{mine}:9:5: error: not mine alone", OWN, OF_LIBRARY],
                  [f"{mine}:3:10: fatal error: mine.h: No such file or directory", OWN],
                  [f"In file included from {mine}:4:", "/heed/tensor/shape.h:3:1: error: no such", OWN],
                  [f"/usr/bin/ld: {NAME}.cpp.o: in function `main':",
                   f"{mine}:9: undefined reference to `mine()'", OWN],
                  [f"{mine}:9:5: internal compiler error: in build2", OWN],
                  ["     9 | f(\"CMake Error\");", OWN], ["nobody knows"]):
        workshop.save("".join(f"//build print {line}\n" for line in lines) + "//build fail\n")
        said = workshop.expect_run(14, ["This does not compile:", lines[0]], "run", "08.1")
        expect("is not in your file" not in said, said)


def check_shortcuts():
    workshop = Workshop("shortcuts")
    asked = "the exercise asks you to write yourself what the library has there."
    mask, reductions = "08_3_padding_and_causal", "01_5_reductions"
    used = 'f("\\"//"); Mask::causal(3);'
    said = "Your numbers are right, but your file has Mask::causal in it"
    workshop.save(program("passed", used + "\n"), mask)
    workshop.expect_run(11, ["08.3 Padding and causal mask together: not yet right", said, asked],
                        "run", "08.3")
    workshop.expect_run(0, ["1. What would you write in place of Mask::causal?"], "hint", "08.3")
    expect("08.3 not yet right" in workshop.run("check-all")[1], "check-all looks for it too")
    for harmless in "// Mask::causal", "/* a\nMask::causal */", "Mask::causal_of_mine(3);":
        workshop.save(program("passed", harmless + "\n"), mask)
        workshop.expect_run(0, ["08.3 Padding and causal mask together: passed"], "run", "08.3")
    workshop.save(program("wrong", used + "\n"), mask)
    expect(asked not in one_line(workshop.run("run", "08.3")[1]), "a wrong answer is wrong anyway")
    workshop.save(program("passed", '#include "tensor/ops/reduce.h"\n'), reductions)
    workshop.expect_run(11, ["your file has reduce.h in it", asked], "run", "01.5")
    workshop.save(program("passed", used + "\n"))
    workshop.expect_run(0, ["passed"], "run", "08.1")
    workshop.run("write", "solutions", workshop.folder)
    for number, name in ("01.2", "01_2_broadcasting"), ("01.3", "01_3_matmul"), \
            ("01.5", reductions), ("08.3", mask):
        ours = read(os.path.join(workshop.folder, name + ".cpp"))
        workshop.save(program("passed", ours), name)
        workshop.expect_run(0, ["passed"], "run", number)


def check_solution():
    workshop = Workshop("solution")
    code, said = workshop.run("solution", "08.1")
    workshop.run("write", "solutions", workshop.folder)
    expect(code == 0 and said == read(workshop.file), "a script gets the solution, byte for byte")
    for typed, shown in ("n", False), ("y", True):
        terminal = Terminal(workshop, "solution", "08.1")
        terminal.wait_for("Show our solution to 08.1? It is not passed yet. (y/n)")
        terminal.press(typed)
        expect(terminal.status() == 0, "it ends")
        expect(("Mask::causal" in terminal.shown()) == shown, f"{typed}: {terminal.shown()}")
        expect(not terminal.is_key_by_key(), "the terminal is as it was")


def check_folders():
    workshop = Workshop("folders")
    shutil.rmtree(workshop.build)
    workshop.expect_run(2, ["is not a build folder", "--preset exercises"], "run", "08.1")
    workshop.expect_run(0, ["08.1"], "list", environment={})
    os.remove(workshop.file)
    workshop.expect_run(2, ["is not there; `exercises reset 08.1` makes it"], "run", "08.1")


def main():
    for check in (check_failures, check_progress_file, check_not_writable, check_backups, check_two_runners,
                  check_output, check_endless_output,
                  check_empty, check_long_builds,
                  check_shortcuts, check_solution, check_folders):
        check()
    shutil.rmtree(SCRATCH)
    return finish()


if __name__ == "__main__":
    sys.exit(main())
