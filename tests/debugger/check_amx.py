"""gdb before 14 on a processor with AMX, whose extended registers it cannot write: `why` answers,
since the program has written its answer down when gdb fails, and the program goes on; `wrote` says
why it cannot go back. Simulated by a library that refuses what the kernel would.
In lldb `why` answers, too.
Run as: python3 check_amx.py GDB INIT COMPILER SCRATCH LESSON_02 LESSON_08 [LLDB INIT_LLDB]"""

import glob
import os
import shutil
import subprocess
import sys

GDB, INIT, COMPILER, SCRATCH, LESSON_02, LESSON_08 = sys.argv[1:7]
LLDB = [argument for argument in sys.argv[7:] if argument]
HERE = os.path.dirname(os.path.abspath(__file__))
LESSONS = os.path.join(os.path.dirname(INIT), "lessons")
failed = False


def run(*command, **more):
    ended = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                           stderr=subprocess.STDOUT, encoding="utf-8", timeout=300, **more)
    return ended.returncode, ended.stdout


def expect(what, holds, said):
    global failed
    if not holds:
        failed = True
        print(f"FAILED: {what}\n{said}")


def gdb(*arguments):
    environment = os.environ | {"LD_PRELOAD": os.path.join(SCRATCH, "refuse.so")}
    return run(GDB, "-nx", "-q", "-batch", "-x", INIT, *arguments, env=environment)


shutil.rmtree(SCRATCH, ignore_errors=True)
os.makedirs(SCRATCH)
code, said = run(COMPILER, "-x", "c", "-shared", "-fPIC", "-o", os.path.join(SCRATCH, "refuse.so"),
                 os.path.join(HERE, "refuse_extended_state.c"), "-ldl")
expect("the library is compiled", code == 0, said)

# That it refuses: a call of the program's own functions fails.
code, said = gdb("-ex", "start > /dev/null", "-ex", "print (int)puts(\"\")", LESSON_02)
expect("a call fails", "extended state status" in said, said)

code, said = gdb("-x", os.path.join(HERE, "check_why.py"), "-ex", "quit 1", LESSON_02)
expect("all that `why` says is right", code == 0 and " checks, 0 failed" in said, said)

code, said = gdb("-x", os.path.join(LESSONS, "who_wrote_this.gdb"), LESSON_08)
expect("`wrote` says why not",
       "gdb before 14 cannot go back on this processor, which has AMX" in said, said)
expect("and nothing is thrown", "Exception" not in said, said)

if LLDB:
    modules = glob.glob("/usr/lib/llvm-*/lib/python3*/dist-packages")
    code, said = run(LLDB[0], "-x", "-b", "-s", LLDB[1], "-o", "until-stop 08.1 weights",
                     "-o", "why X[1,0] of weights[1,0]", LESSON_08,
                     env=os.environ | {"LD_PRELOAD": os.path.join(SCRATCH, "refuse.so"),
                                       "PYTHONPATH": ":".join(modules), "PATH": os.defpath})
    if "No module named 'lldb" in said:
        print("skipped in part: needs python3-lldb-14 (apt-get install python3-lldb-14)")
    else:
        expect("`why` answers in lldb", "the sum of what its 2 uses gave" in said, said)
else:
    print("skipped in part: needs lldb (apt-get install lldb)")
shutil.rmtree(SCRATCH, ignore_errors=True)
sys.exit(1 if failed else 0)
