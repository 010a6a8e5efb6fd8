"""lldb's summaries of every state of states.cpp, its commands, and where its `step` leads.
Run as: python3 check_lldb.py LLDB INIT STATES TUTORIAL; it starts lldb, which imports this file."""

import glob
import os
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from states_shown import LAYERS, LOCALS, OTHERS, TENSORS, UNBORN, VARIABLES, lines_of, with_lines

LEAST = 150

# What gdb words differently, or what lldb has no path to.
NOT_IN_LLDB = {
    "list", "pair",                # shown by lldb as a vector and as a struct
    "*weights.node_._M_ptr", "*W.node_._M_ptr", "weights.node_._M_ptr.operation",
    "kept.node_._M_ptr.operation", "W.node_._M_ptr.operation", "weights.node_._M_ptr.site",
    "model",                       # a user's class: its members have summaries
    "wild_pointer", "garbage",     # below
}

RANK_2 = "[[ 0.5000, -2.0000,  3.0000],\n [ 4.0000,  5.0000,  6.2500]]"
COMMANDS = {
    "tensors": {
        "tensor rank_2": "rank_2 [2, 3]\n" + RANK_2,
        "tensor pointer": "pointer [2, 3]\n" + RANK_2,
        "tensor *pointer": "*pointer [2, 3]\n" + RANK_2,
        "tensor reference": "reference [2, 3]\n" + RANK_2,
        "tensor pair.left": "pair.left [3]\n[1., 2., 3.]",
        "tensor list[1]": "list[1] [3]\n[1., 2., 3.]",
        "tensor list[1][0]": "list[1][0] []\n1.",
        "tensor full[1]": "full[1] []\n2.",
        "tensor rank_2[1,2]": "rank_2[1,2] []\n6.2500",
        "tensor rank_2[:,1]": "rank_2[:,1] [2] strides [3]\n[-2.,  5.]",
        "tensor rank_2[2]": "error: rank_2[2]: index 2 is out of range: axis 0 has 2 entries.",
        "tensor source": "source [0]\n[]",
        "tensor none": "error: none is empty: nothing was put into it.",
        "tensor number": "error: number is of type int, which is not a tensor. `shapes` lists the "
                         "tensors here.",
        "tensor nobody": "error: There is no nobody here. `shapes` lists what there is; `up` goes "
                         "to the caller.",
        "tensor": "error: Which tensor? For example: tensor weights, or of a part of it: tensor "
                  "weights[0,2]. `shapes` lists what there is.",
        "grad rank_2": "error: rank_2 is of type Tensor: numbers without a graph. Only a Variable "
                       "has a gradient.",
    },
    "variables": {
        "tensor weights[1]": "weights[1] [3] softmax at states.cpp:{Variable weights =}, needs "
                             "grad, rows sum to 1\n[0.0208, 0.0934, 0.8858]",
        "grad W": "gradient of W [2, 3]\n[[ 2.,  4.,  6.],\n [ 8., 10., 13.]]",
        "grad W[1,0]": "gradient of W[1,0] []\n8.",
        "grad constant": "error: constant is a constant: nothing is recorded for it, so it has no "
                         "gradient.",
        "grad frozen": "error: frozen is frozen: no gradient is computed for it.",
        "grad weights": "error: weights is not a leaf, and backward() keeps only the gradients of "
                        "leaves. Call weights.retain_grad() before backward() to keep this one.",
    },
    "layers": {"tensor linear.weight[0]": None, "tensor network": None},
    "Model::operator()": {"tensor x[0]": "x[0] [3] constant\n[1., 2., 3.]",
                          "tensor first.bias": None},
}
# Rows of `shapes`, whatever the width of its columns.
SHAPES = {
    "variables": ['W Variable "W" [2, 3] leaf, needs grad, has a gradient',
                  "weights Variable [2, 3] softmax at states.cpp:{Variable weights =}, needs grad, "
                  "rows sum to 1",
                  "source Variable [0] constant",
                  "not_set Parameter <not set>"],
    "layers": ["linear Linear 8 parameters, weight [2, 3], bias [2]",
               "model Model 12 parameters", "network Sequential 13 parameters",
               "record.mask std::optional<Mask> <none>"],
}

checked = 0
failed = 0


def expect(what, said, wanted):
    global checked, failed
    checked += 1
    if said != wanted:
        failed += 1
        print(f"\nFAILED: {what}\n  expected: {wanted!r}\n  but it is: {said!r}")


class Session:
    def __init__(self, debugger):
        import lldb
        self.lldb = lldb
        self.debugger = debugger
        debugger.SetAsync(False)
        self.target = debugger.GetSelectedTarget()

    def run(self, command):
        answer = self.lldb.SBCommandReturnObject()
        self.debugger.GetCommandInterpreter().HandleCommand(command, answer)
        return (answer.GetOutput() or "" if answer.Succeeded() else answer.GetError()).rstrip("\n")

    def frame(self):
        return self.target.GetProcess().GetSelectedThread().GetSelectedFrame()

    def shown(self, path):
        """What the Locals pane shows for the name."""
        value = self.frame().GetValueForVariablePath(path)
        return value.GetSummary() or ""

    def start(self, function):
        self.run("breakpoint delete -f")
        found = self.target.BreakpointCreateByName(function)
        assert found.GetNumLocations() > 0, function
        self.target.GetProcess().Kill()
        self.run("process launch -o /dev/null")

    def go_on(self):
        process = self.target.GetProcess()
        assert process.GetState() == self.lldb.eStateStopped, "the program has ended"
        process.Continue()

    def stop_in(self, function):
        """Continues to the next look() that the function calls, and selects the function's
        frame."""
        for _ in range(20):
            self.go_on()
            thread = self.target.GetProcess().GetSelectedThread()
            if (thread.GetFrameAtIndex(0).GetFunctionName() or "").startswith("look"):
                thread.SetSelectedFrame(1)
                if self.frame().GetFunctionName().split("(")[0] == function.split("(")[0]:
                    return
        raise AssertionError(f"{function} was never reached")


def first_line(words):
    return with_lines(words).split("\n")[0]


def check_summaries(session, texts):
    for path, words in texts.items():
        if path not in NOT_IN_LLDB:
            expect(path, session.shown(path), first_line(words))


def check_commands(session, function):
    for command, words in COMMANDS.get(function, {}).items():
        said = session.run(command)
        if words is None:
            expect(f"{command} is answered: {said}", "[" in said or "not a tensor" in said, True)
        else:
            expect(command, said, with_lines(words))
    rows = [" ".join(row.split()) for row in session.run("shapes").split("\n")]
    for row in SHAPES.get(function, []):
        expect(f"shapes says {row}, of {rows}", with_lines(row) in rows, True)


def check_states(session):
    session.start("nothing_is_constructed")
    for _ in range(5):
        for name in LOCALS:
            if name not in NOT_IN_LLDB | {"random"}:
                expect(f"{name} before it is made", session.shown(name).removeprefix("-> "), UNBORN)
        expect("tensor x", session.run("tensor x")[:30], "error: x is not constructed ye")
        expect("shapes", session.run("shapes").count(UNBORN) > 5, True)
        session.go_on()
    session.start("main")
    session.target.BreakpointCreateByName("look")
    for function, texts in (("tensors", TENSORS), ("other_types", OTHERS), ("variables", VARIABLES),
                            ("Model::operator()", {}), ("layers", LAYERS)):
        session.stop_in(function)
        line = str(lines_of("nn/linear.cpp", "matmul(")[0])
        check_summaries(session, {path: words.replace("{line}", line)
                                  for path, words in texts.items()})
        check_commands(session, function)
        if function == "tensors":
            for path in ("wild_pointer", "garbage"):
                expect(path, session.shown(path), "-> " + UNBORN)


def check_steps(session):
    """From the line with softmax, `step` enters our functions and no others."""
    session.run("breakpoint delete -f")
    session.target.GetProcess().Kill()
    session.run("breakpoint set -n heed::stop -c '(int)strcmp(name, \"08.1 after the mask\") == 0'")
    session.run("process launch -o /dev/null")
    thread = session.target.GetProcess().GetSelectedThread()
    thread.StepOut()
    functions = []
    for _ in range(120):
        thread.StepInto()
        name = session.frame().GetFunctionName() or "?"
        file = session.frame().GetLineEntry().GetFileSpec().GetDirectory() or ""
        if not functions or functions[-1] != name.split("(")[0]:
            functions.append(name.split("(")[0])
        expect(f"step is in our sources: {name} in {file}",
               any(f"/{folder}" in file for folder in ("tensor", "autograd", "tutorials")), True)
        if "plain::softmax" in name:
            break
    for wanted in ("heed::f32::softmax", "heed::f32::tensor::softmax",
                   "heed::f32::kernels::plain::softmax"):
        expect(f"step comes to {wanted}: {functions}", wanted in functions, True)
    hidden = [name for name in functions if "CallSite" in name or "Shape" in name]
    expect("step passes over the rest", hidden, [])


def __lldb_init_module(debugger, session_dictionary):
    code = 1
    try:
        session = Session(debugger)
        if "states" in session.target.GetExecutable().GetFilename():
            check_states(session)
            expect(f"at least {LEAST} checks", checked >= LEAST, True)
        else:
            check_steps(session)
        print(f"{checked} checks, {failed} failed")
        code = 1 if failed else 0
    except BaseException as error:
        import traceback
        traceback.print_exc()
    session.target.GetProcess().Kill()
    sys.stdout.flush()
    os._exit(code)


def main(lldb, init, *programs):
    # Debian's lldb looks for its own module in a folder that does not exist.
    modules = glob.glob("/usr/lib/llvm-*/lib/python3*/dist-packages")
    os.environ["PYTHONPATH"] = os.pathsep.join(modules + [os.environ.get("PYTHONPATH", "")])
    # lldb's Python takes the standard library of the first python3 in PATH: it must be the
    # system's.
    os.environ["PATH"] = os.pathsep.join([os.path.dirname(lldb), os.environ["PATH"]])
    codes = []
    for program in programs:
        ended = subprocess.run([lldb, "-x", "-b", "-s", init, "-o",
                                f"command script import {os.path.abspath(__file__)}", program],
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, encoding="utf-8", timeout=110)
        print(ended.stdout)
        if "No module named 'lldb" in ended.stdout:
            print("skipped, since there is no Python for lldb: apt-get install python3-lldb-14")
        codes.append(ended.returncode)
        if "checks, 0 failed" not in ended.stdout:
            codes.append(1)
    return 0 if not any(codes) else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
