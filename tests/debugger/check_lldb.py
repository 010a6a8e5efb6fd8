"""lldb's summaries of every state of states.cpp, its commands, and where its `step` leads.
Run as: python3 check_lldb.py LLDB INIT STATES TUTORIAL; it starts lldb, which imports this file."""

import glob
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import commands_said
from states_shown import (LAYERS, LOCALS, OTHERS, ROOT, TENSORS, UNBORN, VARIABLES, lines_of,
                          with_lines)

LEAST = 230

# What gdb words differently, or what lldb has no path to.
NOT_IN_LLDB = {
    "list", "pair",                # shown by lldb as a vector and as a struct
    "*weights.node_._M_ptr", "*W.node_._M_ptr", "weights.node_._M_ptr.operation",
    "kept.node_._M_ptr.operation", "W.node_._M_ptr.operation", "weights.node_._M_ptr.site",
    "model",                       # a user's class: its members have summaries
    "wild_pointer", "garbage",     # below
}

COMMANDS = {"tensors": commands_said.TENSORS, "variables": commands_said.VARIABLES,
            "layers": commands_said.GRAPHS,
            "Model::operator()": {"shapes": commands_said.IN_A_LAYER}}
MORE = {
    "tensors": {
        "tensor list[1]": "list[1] [3]\n[1., 2., 3.]",
        "level": "  lesson      the lesson's own functions\n"
                 "  layers      calls of layers and models\n"
                 "* operations  the operations that these call, and derivatives\n"
                 "  tensor      constructors, recording, the engine, the insides of operations and "
                 "tensors\n"
                 "  kernels     the plain loops over numbers",
        "level nonsense": 'There is no level "nonsense"; there are lesson, layers, operations, '
                          "tensor, kernels.",
        "expect rank_2[0,1] == -2": "  as the lesson says: rank_2[0,1] is -2",
        "expect rank_2.shape == [2, 3]": "  as the lesson says: rank_2.shape is [2, 3]",
        "expect number": "expect takes what, ==, and a value: expect weights[2,0] == 0.3263 within "
                         "0.001, or expect weights.shape == [3, 3].",
        "why rank_2[0,0]": "rank_2[0,0] is of type Tensor; why needs a Variable, whose gradient is "
                           "known to be a sum.",
        "tour 77": f"There is no tour 77: tours lie in {ROOT}/tutorials/debugger/tours.",
        "until-stop nowhere": 'This program has no stop whose name begins with "nowhere", so it was '
                              "not continued. It has these:\n  99.1 a stop",
        "stops": "99.1 a stop  states.cpp:{99.1 a stop}\n"
                 "Halt at each of them: breakpoint set -n heed::stop\n"
                 "At one only: breakpoint set -n heed::stop -c '(int)strcmp(name, \"99.1 a stop\") "
                 "== 0'",
    },
    "other_types": {
        "tensor causal": "causal [2, 3]\nx x ·\nx x x",
        "tensor no_mask": "no_mask is empty: nothing was put into it.",
        "attention weights sentence": "weights [3, 3] rows sum to 1\n"
                                      "rows: queries, columns: keys; · is 0\n"
                                      "query \\ key   the  keys   are\n"
                                      "the          1.00     ·     ·\n"
                                      "keys         0.50  0.50     ·\n"
                                      "are          0.25  0.50  0.25",
    },
    "layers": {
        "tensor linear": "linear is of type Linear, which is not a tensor. `v linear` shows it.",
    },
}
# What an object opens into: (name, summary or value) of the first of them.
OPENED = {
    "tensors": {
        "rank_2": [("row[0]", ""), ("row[1]", "")],
        "rank_1": [("[0]", "1"), ("[1]", "2"), ("[2]", "3")],
        "rank_3": [("[0]", ""), ("[1]", "")],
    },
    "variables": {
        "weights": [("row[0]", ""), ("row[1]", ""),
                    ("made_by", "softmax [2, 3] at states.cpp:{Variable weights =}")],
        "W": [("row[0]", ""), ("row[1]", ""), ("gradient", "[2, 3]")],
        "weights.made_by": [("input[0]", "add [2, 3] at states.cpp:{Variable scores =}")],
    },
    "layers": {
        "linear": [("training_", "true"), ("weight", '"weight" [2, 3] leaf, needs grad'),
                   ("bias", '"bias" [2] leaf, needs grad: {bias}')],
    },
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
        said = answer.GetOutput() or "" if answer.Succeeded() else answer.GetError()
        return said.rstrip("\n").removeprefix("error: ")

    def frame(self):
        return self.target.GetProcess().GetSelectedThread().GetSelectedFrame()

    def shown(self, path):
        """What the Locals pane shows for the name."""
        return self.value(path).GetSummary() or ""

    def value(self, path):
        return self.frame().GetValueForVariablePath(path)

    def start(self, function):
        self.run("breakpoint disable")
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


def check_texts(session, texts):
    lines = {name: str(lines_of("nn/linear.cpp", text)[0])
             for name, text in (("line", "matmul("), ("linear", " linear("))}
    for command, words in texts.items():
        for name, line in lines.items():
            words = words.replace(f"{{{name}}}", line)
        sys.stdout.flush()
        expect(command, session.run(command), with_lines(words).rstrip("\n"))


def check_commands(session, function):
    check_texts(session, commands_said.in_lldb(COMMANDS.get(function, {})))
    check_texts(session, MORE.get(function, {}))
    for path, children in OPENED.get(function, {}).items():
        value = session.value(path)
        opened = [value.GetChildAtIndex(i) for i in range(min(value.GetNumChildren(), 20))]
        said = [(each.GetName(), re.sub(": \\[.*", ": {bias}", each.GetSummary() or
                                        each.GetValue() or "")) for each in opened]
        expect(f"{path} opens into", said,
               [(name, with_lines(words)) for name, words in children])


def check_states(session):
    without = {command: words for command, words in commands_said.WITHOUT_PROGRAM.items()
               if command != "stops"}
    check_texts(session, commands_said.in_lldb(without))
    session.start("nothing_is_constructed")
    check_texts(session, commands_said.UNBORN)
    check_help(session)
    for _ in range(5):
        for name in LOCALS:
            if name not in NOT_IN_LLDB | {"random"}:
                expect(f"{name} before it is made", session.shown(name).removeprefix("-> "), UNBORN)
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


def check_help(session):
    """help heed has an example of each command, and names those that lldb has not."""
    from heed_debug.lldb_command import COMMANDS
    from heed_debug.lldb_lacks import LACKS
    shown = session.run("help heed")
    examples = {line.split()[0] for line in shown.split("\n") if line.startswith("  ")}
    expect("commands without an example", sorted(set(COMMANDS) - set(LACKS) - {"heed"} - examples),
           [])
    expect("commands of gdb", f"In gdb only: {', '.join(sorted(LACKS))}." in shown, True)
    for name, why in LACKS.items():
        expect(name, session.run(name), f"{name} needs gdb: {why}.")


def check_steps(session):
    """From the line with softmax, `step` enters our functions and no others, those of the level."""
    for level, wanted, unwanted in (
            ("lesson", [], "heed::f32::"),
            ("layers", [], "heed::f32::softmax"),
            ("operations", ["heed::f32::softmax"], "heed::f32::tensor::"),
            ("tensor", ["heed::f32::softmax", "heed::f32::tensor::softmax"], "heed::f32::kernels::"),
            ("kernels", ["heed::f32::softmax", "heed::f32::tensor::softmax",
                         "heed::f32::kernels::plain::softmax"], "CallSite")):
        said = session.run(f"level {level}")
        expect(f"level {level}", said.startswith(f"level {level}: `step` goes into "), True)
        functions = stepped(session)
        for each in wanted:
            expect(f"at {level}, step comes to {each}: {functions}", each in functions, True)
        entered = [each for each in functions if unwanted in each or "Shape" in each]
        expect(f"at {level}, step passes over {unwanted}", entered, [])


def stepped(session):
    """The functions that `step` comes to, until it has left the line behind."""
    for i in range(session.target.GetNumBreakpoints()):
        session.target.GetBreakpointAtIndex(i).SetEnabled(False)
    session.target.GetProcess().Kill()
    halt = session.target.BreakpointCreateByName("heed::stop")
    halt.SetCondition("(int)strcmp(name, \"08.1 after the mask\") == 0")
    session.run("process launch -o /dev/null")
    thread = session.target.GetProcess().GetSelectedThread()
    thread.StepOut()
    lesson, functions = session.frame().GetFunctionName(), []
    for _ in range(120):
        thread.StepInto()
        name = session.frame().GetFunctionName() or "?"
        file = session.frame().GetLineEntry().GetFileSpec().GetDirectory() or ""
        expect(f"step is in our sources: {name} in {file}",
               any(f"/{folder}" in file for folder in ("tensor", "autograd", "tutorials")), True)
        if not functions or functions[-1] != name.split("(")[0]:
            functions.append(name.split("(")[0])
        if "plain::softmax" in name or name == lesson and len(functions) > 2:
            break
        if name == lesson and session.frame().GetLineEntry().GetLine() > line_of_weights() + 1:
            break
    return functions


def check_why(session):
    """As in gdb; the program goes on unharmed, and graphs are kept only if the reader wants it."""
    session.run("until-stop 02.3 after")
    said = session.run("why x")
    expect(f"why x: {said}", said.split("\n")[0],
           "The gradient of x is 44, the sum of what its 3 uses gave:")
    expect("why x is measured", said.split("\n")[-1].startswith("Measured: "), True)
    for command, wanted in (("why", "Why what? For example: why W[1,2], or, for a value that is not a "
                                    "leaf: why weights[0,3] of loss."),
                            ("why x[:]", "why needs one entry: why x[1,2], with a number for each "
                                         "axis."),
                            ("why nonsense", "There is no nonsense here. `shapes` lists what there "
                                             "is; `up` goes to the caller."),
                            ("why x[0]", "explain: index [0] has 1 numbers, but shape [] has 0 axes; "
                                         "give one for each axis")):
        expect(command, session.run(command), wanted)
    expect("after why", session.run("until-stop 02.4 the second").startswith("stop 02.4"), True)
    expect("why x[1]", session.run("why x[1]").split("\n")[0],
           "The gradient of x[1] is 14, the sum of what 2 calls of backward() added:")
    ended = session.run("until-stop 02.1")
    expect("the end", ended, 'The program ended, and came to no stop whose name begins with "02.1". '
                             "`stops` lists them, and `until-stop` starts again.")
    expect("it ended well", session.target.GetProcess().GetExitStatus(), 0)
    session.run("breakpoint disable heed_keep_graphs")
    session.run("until-stop 02.3 after")
    said = session.run("why x")
    expect(f"of a freed graph: {said}", "was freed by backward(), or it was set by hand" in said,
           True)


def check_errors(session):
    """until-error says what it says in gdb (check_errors.py)."""
    for what, function, text in (
            ("Log of [600, 500] made nan at [599, 498] of [600, 500]", "a_logarithm",
             "const Variable y = log(x);  // a NaN at [599, 498]"),
            ("Divide of [2], [2] made inf at [1] of [2]", "a_root", "y.backward();  // 1 / (2·√0)"),
            ("an error: matmul: the last axis of A [2, 3] has length 3", "a_shape",
             "matmul(a, a);  // [2, 3] times [2, 3]")):
        said = session.run("until-error")
        expect(f"until-error: {said}", said.startswith(what), True)
        expect(f"the reader's line: {said}", said.endswith(text), True)
        expect("the reader's frame", function in session.frame().GetFunctionName(), True)
    expect("until-error at the end", session.run("until-error"),
           "The program ended without an error of heed's, NaN or infinity.")
    expect("until-error now", session.run("until-error now"), "until-error takes no argument.")


def check_layers(session):
    """until-layer and into, in the model that lesson 20 loads."""
    expect("until-layer", session.run("until-layer"),
           "Into which layer? For example: until-layer model.blocks[0].attention")
    expect("into", session.run("into"), "Into which operation or layer? For example: into softmax")
    expect("into +", session.run("into +"), "+ is no name; for example: into softmax")
    none = session.run("into nothing")
    expect(f"into nothing: {none}", none.startswith(
        "This program has no operation and no layer named nothing. The name is an operation's "), True)
    session.run("until-stop 20.4 before the call")
    for command, wanted in (
            ("until-layer nothing", "There is no nothing here. `shapes` lists what there is; `up` "
                                    "goes to the caller."),
            ("until-layer model->blocks[7]", "model->blocks has 2 entries, so there is no "
                                             "model->blocks[7]."),
            ("until-layer model->blocks[1].attention",
             "in model->blocks[1].attention, at its weights, attention.cpp:75"),
            ("attention weights[1]", None),
            ("until-layer model->blocks[1].feed_forward",
             "in model->blocks[1].feed_forward, feed_forward.cpp:55"),
            ("into softmax", "in heed::f32::(anonymous namespace)::Softmax::forward, "
                             "softmax.cpp:25")):
        said = session.run(command)
        if wanted is not None:
            expect(command, re.sub(r":\d+$", "", said), re.sub(r":\d+$", "", wanted))
        else:
            expect(f"the words of the lesson: {said}", said.split("\n")[2].split()[3:],
                   ["time", "Ġflies", "Ġlike", "Ġan", "Ġarrow"])


def line_of_weights():
    return lines_of("tutorials/08_causal_attention/08_causal_attention.cpp",
                    "const Variable weights = softmax(allowed, -1);")[0]


def __lldb_init_module(debugger, session_dictionary):
    code = 1
    try:
        session = Session(debugger)
        program = session.target.GetExecutable().GetFilename()
        if "states" in program:
            check_states(session)
            expect(f"at least {LEAST} checks", checked >= LEAST, True)
        elif program.startswith("20"):
            check_layers(session)
        elif "errors" in program:
            check_errors(session)
        elif program.startswith("02"):
            check_why(session)
        else:
            check_steps(session)
        print(f"{checked} checks, {failed} failed")
        code = 1 if failed else 0
    except BaseException as error:
        import traceback
        traceback.print_exc(file=sys.stdout)
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
                               stderr=subprocess.STDOUT, encoding="utf-8", timeout=800)
        print(ended.stdout)
        if "No module named 'lldb" in ended.stdout:
            print("skipped: needs python3-lldb-14 (apt-get install python3-lldb-14)")
        codes.append(ended.returncode)
        if "checks, 0 failed" not in ended.stdout:
            codes.append(1)
    return 0 if not any(codes) else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
