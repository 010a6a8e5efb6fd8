"""What a graphical front end gets for its Locals pane. VS Code talks to gdb over MI, so a second
gdb is started and asked in that protocol."""

import os
import subprocess
import sys

import gdb

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from checking import end_with, expect_that, line_of

INIT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "tutorials", "debugger",
                    "init.gdb")


def conversation(program):
    questions = [
        f'-interpreter-exec console "source {INIT}"',
        "-enable-pretty-printing",
        "-break-insert look",
        "-exec-run",
        "-exec-continue",
        "-exec-continue",
        "-stack-select-frame 1",
        "-var-create one * weights",
        "-var-create two * words",
        "-gdb-exit",
    ]
    asked = subprocess.run(["gdb", "-nx", "--interpreter=mi", program], text=True, timeout=60,
                           input="set mi-async off\n" + "\n".join(questions) + "\n",
                           capture_output=True, check=False)
    return asked.stdout


def main():
    said = conversation(gdb.current_progspace().filename)
    line = line_of("Variable weights =")
    expect_that(said, f'name="one",numchild="0",value="[2, 3] softmax at states.cpp:{line}, needs '
                'grad, rows sum to 1\\n[[0.0391, 0.1753, 0.7856],\\n [0.0208, 0.0934, 0.8858]]"'
                in said)
    expect_that(said, 'name="two"' in said)


end_with(main, 2)
