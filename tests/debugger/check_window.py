"""What a graphical front end gets for its Locals pane: a line for each variable, which opens into
rows, members and inputs. VS Code talks to gdb over MI, so a gdb is started and asked in that
protocol.
Run as: python3 check_window.py GDB INIT STATES HOLDERS"""

import re
import subprocess
import sys

from states_shown import LOCALS, UNBORN, line_of

GDB, INIT, STATES, HOLDERS = sys.argv[1:]
failures = 0


def expect(what, found, wanted):
    global failures
    if found != wanted:
        failures += 1
        print(f"FAILED: {what}\n  expected: {wanted}\n  but it is: {found}")


class Pane:
    """The answers to MI commands, asked at once where the program has halted for the nth time."""

    def __init__(self, program, halt, questions, function="look"):
        begin = [f'-interpreter-exec console "source {INIT}"', "-enable-pretty-printing",
                 f"-break-insert {function}", "-exec-run", *["-exec-continue"] * (halt - 1),
                 f"-stack-select-frame {1 if function == 'look' else 0}"]
        lines = begin + [f"{1000 + i}{question}" for i, question in enumerate(questions)]
        asked = subprocess.run([GDB, "-nx", "--interpreter=mi", program], text=True, timeout=300,
                               input="set mi-async off\n" + "\n".join(lines) + "\n-gdb-exit\n",
                               capture_output=True, check=False)
        self.said = asked.stdout
        found = dict(re.findall(r"^(1\d{3})\^\w+,?(.*)$", asked.stdout, re.M))
        self.answers = {question: found.get(str(1000 + i), "")
                        for i, question in enumerate(questions)}
        expect("nothing is thrown", re.findall(r"Exception.*", self.said), [])

    def value(self, question):
        return re.search(r'value="((?:[^"\\]|\\.)*)"', self.answers[question] + 'value=""').group(1)

    def children(self, name):
        """{name: value} of what a variable opens into."""
        answer = self.answers[f"-var-list-children --all-values {name}"]
        return {child: value.replace('\\"', '"') for child, value in re.findall(
            r'exp="([^"]*)",numchild="\d+",value="((?:[^"\\]|\\.)*)"', answer)}


def opened(*names):
    return [f"-var-list-children --all-values {name}" for name in names]


def check_variables():
    pane = Pane(STATES, 3, [
        "-var-create w * weights", *opened("w", "w.row[0]", "w.made_by", "w.made_by.input[0]"),
        "-var-create W * W", *opened("W", "W.gradient"), "-var-create words * words",
        "-var-update --all-values *", '-interpreter-exec console "print weights"',
        '-interpreter-exec console "print weights[1]"'])
    made = f"[2, 3] softmax at states.cpp:{line_of('Variable weights =')}"
    expect("weights", pane.value("-var-create w * weights"), f"{made}, needs grad, rows sum to 1")
    expect("their children", pane.children("w"), {
        "row[0]": "[3]: [0.0391, 0.1753, 0.7856]", "row[1]": "[3]: [0.0208, 0.0934, 0.8858]",
        "made_by": f"softmax [2, 3] at states.cpp:{line_of('Variable weights =')}"})
    expect("a row", list(pane.children("w.row[0]").items())[1], ("[1]", "0.175290391"))
    scores = f"states.cpp:{line_of('Variable scores =')}"
    expect("what made them", pane.children("w.made_by"), {"input[0]": f"add [2, 3] at {scores}"})
    expect("and that", pane.children("w.made_by.input[0]"),
           {"input[0]": f"multiply [2, 3] at {scores}", "constant_input[1]": "[2, 3]"})
    expect("a gradient", pane.children("W")["gradient"], "[2, 3]")
    expect("its rows", pane.children("W.gradient")["row[1]"], "[3]: [ 8., 10., 13.]")
    expect("words are the standard library's", "std::vector<" in pane.answers[
        "-var-create words * words"], True)
    expect("print has all numbers", ("[[0.0391, 0.1753, 0.7856],\\n" in pane.said,
                                     "row[0] =" in pane.said), (True, False))
    expect("print of a row that is open", "= [3]\\n[0.0208, 0.0934, 0.8858]" in pane.said, True)


def check_pointers():
    pane = Pane(STATES, 1, [
        "-var-create p * pointer", "-var-create f * &pair", "-var-create t * &texts[0]",
        "-var-create n * null_pointer", "-var-create w * wild_pointer",
        "-var-create v * \"(void*)pointer\"", "-var-create d * rank_2.storage_._M_ptr->data_",
        *opened("p", "f", "t", "n", "w", "v", "d")])
    expect("to a tensor", list(pane.children("p")), ["row[0]", "row[1]"])
    expect("to a struct", list(pane.children("f")), ["left", "right", "number"])
    expect("to a text", pane.children("t"), {"*": '"[]  [0]"'})
    expect("to numbers", (pane.value("-var-create d * rank_2.storage_._M_ptr->data_"),
                          list(pane.children("d").items())[1]),
           ("-> [0.5000, -2.0000, 3.0000, 4.0000, 5.0000, 6.2500]", ("[1]", "-2")))
    expect("to nothing", [pane.children(name) for name in ("n", "w", "v")], [{}, {}, {}])


def check_unborn():
    """Before a variable's line has run it says so, and opens into nothing, though the function's
    last call has left a whole one there."""
    names = [name for name in LOCALS if name not in ("pair", "random")]
    pane = Pane(STATES, 4, [question for name in names for question in (
        f"-var-create {name} * {name}", *opened(name))], "nothing_is_constructed")
    for name in names:
        expect(f"{name}, unborn", (pane.value(f"-var-create {name} * {name}"), pane.children(name)),
               (UNBORN, {}))


def check_holders():
    pane = Pane(HOLDERS, 1, ["-var-create a * attention", "-var-create t * two",
                             "-var-create n * none", "-var-create s * shared",
                             *opened("a", "a.weights", "t", "n", "s")])
    expect("an Attention", list(pane.children("a")), ["output", "weights"])
    expect("its weights", list(pane.children("a.weights")), ["row[0]", "row[1]", "made_by"])
    expect("an array", pane.children("t"), {f"[{i}]": "[3]: [1., 2., 3.]" for i in range(2)})
    expect("an empty optional", (pane.value("-var-create n * none"), pane.children("n")),
           ("<none>", {}))
    expect("a pointer", pane.children("s"), {"[0]": "1", "[1]": "2", "[2]": "3"})


def check_layers():
    pane = Pane(HOLDERS, 2, [
        "-var-create g * gpt", "-var-create r * record", "-var-create h * heads",
        *opened("g", "g.blocks[1]", "g.blocks[1].norm1", "g.norm.weight", "h", "r", "r.weights",
                "r.weights.batch[0]", "r.weights.batch[0].head[1]",
                "r.weights.batch[0].head[1].row[2]")])
    expect("a model", pane.value("-var-create g * gpt"), "Gpt, 548 parameters")
    expect("no bookkeeping", [name for name in pane.children("g") if name in ("before_", "known_")],
           [])
    expect("a block", pane.children("g").get("blocks[1]"), "GptBlock, 244 parameters")
    # What is held as any layer opens as what it is.
    expect("a norm", pane.children("g.blocks[1]").get("norm1"),
           "LayerNorm, 8 parameters, weight [4], bias [4]")
    expect("its weight", pane.children("g.blocks[1].norm1").get("weight"),
           '"weight" [4] leaf, needs grad: [1., 1., 1., 1.]')
    members = pane.children("h")
    expect("members", [members.get(name) for name in ("second", "pair[1]", "any")], [
        "<none>", "Linear, 3 parameters, weight [1, 2], bias [1]",
        "LayerNorm, 4 parameters, weight [2], bias [2]"])
    expect("weights", pane.children("r.weights"), {"batch[0]": "[2, 3, 3]"})
    expect("a head", pane.children("r.weights.batch[0]").get("head[1]"), "[3, 3]")
    expect("its rows", pane.children("r.weights.batch[0].head[1]").get("row[0]"),
           "[3]: [1., 0., 0.]")
    expect("their entries", list(pane.children("r.weights.batch[0].head[1].row[2]")),
           ["[0]", "[1]", "[2]"])


check_variables()
check_pointers()
check_unborn()
check_holders()
check_layers()
sys.exit(1 if failures else 0)
