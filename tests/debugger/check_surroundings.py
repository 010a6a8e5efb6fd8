"""gdb where something is missing: a locale, a process, debug information, what `why` needs. Each
command answers in words, never with a Python exception and never with a false word; and what users
have set stays as they set it.
Run as: python3 check_surroundings.py GDB INIT STATES COMPILER LIBRARY INCLUDE SCRATCH"""

import os
import re
import shutil
import socket
import subprocess
import sys

GDB, INIT, STATES, COMPILER, LIBRARY, INCLUDE, SCRATCH = sys.argv[1:]
HERE = os.path.dirname(os.path.abspath(__file__))
COMPILING = [COMPILER, "-std=c++20", "-g", "-O0", "-ffp-contract=off", "-I", INCLUDE, "-I",
             os.path.dirname(os.path.dirname(HERE))]
if "clang" in COMPILER:
    COMPILING.append("-fstandalone-debug")  # describes heed's types, though heed does not
failures = 0

COMMANDS = ["print weights", "info locals", "shapes", "tensor weights", "grad W", "graph loss",
            "attention weights", "compare weights scores", "stops", "why W[0,0] of loss",
            "watch-number W[0,0]", "watch-number", "wrote W[0,0]", "tape", "tape step",
            "until-layer weights", "until-stop 99"]
THROWN = re.compile(r"Python Exception|Traceback|Error occurred in Python|UnicodeEncodeError")
WEIGHTS = "[[0.0391, 0.1753, 0.7856],\n [0.0208, 0.0934, 0.8858]]"


def expect(holds, problem):
    global failures
    if not holds:
        failures += 1
        print("FAILED:", problem)


def run(*command, environment=None):
    ended = subprocess.run(command, cwd=SCRATCH, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                           stderr=subprocess.STDOUT, timeout=300, env=environment)
    return ended.stdout.decode("utf-8", "replace")


def session(before, commands, *program, environment=None, init=INIT):
    """What each command says, after the commands `before`."""
    arguments = [GDB, "-nx", "-q", "-batch", "-x", init]
    for command in before:
        arguments += ["-ex", command]
    for command in commands:
        arguments += ["-ex", f"echo \\n>>>{command}\\n", "-ex", command]
    said = run(*arguments, *program, environment=environment)
    expect(not THROWN.search(said), f"{program}: something was thrown:\n{said}")
    parts = said.split("\n>>>")
    answers = dict(part.split("\n", 1) for part in parts[1:])
    expect(list(answers) == list(dict.fromkeys(commands)), f"{program}: gdb ended early:\n{said}")
    return {command: answer.strip() for command, answer in answers.items()}


IN_VARIABLES = ["break variables", "run > /dev/null", "break look", "continue", "up"]


def without_locale():
    environment = {name: value for name, value in os.environ.items()
                   if not name.startswith(("LANG", "LC_"))}
    said = session(IN_VARIABLES, [*COMMANDS, "help why", "show host-charset"], STATES,
                   environment=environment)
    expect(WEIGHTS in said["print weights"], said["print weights"])
    expect("upstream gradient * local derivative" in said["why W[0,0] of loss"]
           or "0.5" in said["why W[0,0] of loss"], said["why W[0,0] of loss"])
    expect("upstream\ngradient * local derivative" in said["help why"], said["help why"])
    expect("auto" in said["show host-charset"], said["show host-charset"])
    masks = session(["break look", "run > /dev/null", "continue", "up"],
                    ["print causal", "tensor causal", "attention weights"], STATES,
                    environment=environment)
    expect("x x .\nx x x" in masks["print causal"], masks)
    expect("x x .\nx x x" in masks["tensor causal"], masks)
    expect("; . is 0" in masks["attention weights"], masks)


def settings():
    """As they were, after init.gdb and every command."""
    before = {"confirm": True, "history size": 77, "max-value-size": 12345, "print pretty": False,
              "pagination": True, "host-charset": "UTF-8", "can-use-hw-watchpoints": 1,
              "record full insn-number-max": 1234}
    arguments = [GDB, "-nx", "-q"]
    for name, value in before.items():
        arguments += ["-iex", f"set {name} {value}".replace("True", "on").replace("False", "off")]
    commands = [*IN_VARIABLES, *COMMANDS, "set heed-recordable on", "set heed-recordable off",
                f"python print('after:', {{name: gdb.parameter(name) for name in {list(before)}}})",
                "kill", "quit"]
    said = run(*arguments, "-x", INIT, *(word for each in commands for word in ("-ex", each)),
               STATES)
    expect(f"after: {before}" in said, said)


def core_file():
    core = os.path.join(SCRATCH, "core")
    session([*IN_VARIABLES, f"generate-core-file {core}"], ["info inferiors"], STATES)
    said = session(["up"], COMMANDS, STATES, core)
    expect(WEIGHTS in said["print weights"] and WEIGHTS in said["tensor weights"], said)
    expect("gradient of W" in said["grad W"] and "#1 softmax" in said["graph loss"], said)
    for command in ("why W[0,0] of loss", "watch-number W[0,0]", "wrote W[0,0]"):
        expect(said[command] == "This is a core file, the memory of a program that has ended: "
               f"{command.split()[0]} needs one that runs.", said[command])
    for command in ("until-stop 99", "tape step"):
        expect("This is a core file" in said[command], said[command])


def remote():
    server = shutil.which("gdbserver")
    if not server:
        print("skipped in part: needs gdbserver (apt-get install gdbserver)")
        return
    with socket.socket() as free:
        free.bind(("localhost", 0))
        port = free.getsockname()[1]
    address = f"localhost:{port}"
    serving = subprocess.Popen([server, "--once", address, STATES], stdout=subprocess.DEVNULL,
                               stderr=subprocess.PIPE)
    serving.stderr.readline()  # "Process ... created"
    serving.stderr.readline()  # "Listening on port ..."
    said = session(["set sysroot /", f"target remote {address}", "break variables", "continue",
                    "break look", "continue", "up"],
                   [*COMMANDS[:10], "record", "record stop", "kill"], STATES)
    serving.terminate()
    expect(WEIGHTS in said["print weights"] and WEIGHTS in said["tensor weights"], said)
    expect("The derivative with respect to W[0, 0] is" in said["why W[0,0] of loss"], said)


def without_debug_information():
    program = os.path.join(SCRATCH, "without_debug_information")
    run("strip", "--strip-debug", "-o", program, STATES)
    said = session(["break variables", "run > /dev/null"], COMMANDS, program)
    words = "was compiled without debug information (-g, which the preset `debug` has)"
    for command in COMMANDS[2:10]:
        if command != "stops":
            expect(words in said[command], f"{command}: {said[command]}")


def linked(name, *more):
    program = os.path.join(SCRATCH, name)
    said = run(COMPILER, os.path.join(SCRATCH, "by_hand.o"), *more, "-pthread", "-o", program)
    expect(os.path.exists(program), said)
    return program


def by_hand():
    """A program linked without CMake, with this build's heed, and with one without debug
    information, as an installed Release has none."""
    said = run(*COMPILING, "-c", os.path.join(HERE, "by_hand.cpp"), "-o", "by_hand.o")
    expect(not said, said)
    bare = os.path.join(SCRATCH, "libbare.a")
    run("strip", "--strip-debug", "-o", bare, LIBRARY)
    to_here = ["break puts", "run > /dev/null", "up"]
    said = session(to_here, ["why W[0,0] of loss"], linked("without_why", LIBRARY))
    expect("-Wl,-u,heed_why_at_breakpoint" in said["why W[0,0] of loss"], said)
    said = session(to_here, ["why W[0,0] of loss"],
                   linked("with_why", LIBRARY, "-Wl,-u,heed_why_at_breakpoint"))
    expect("The derivative with respect to" in said["why W[0,0] of loss"], said)
    program = linked("installed", bare, "-Wl,-u,heed_why_at_breakpoint")
    said = session(to_here, ["info locals", "shapes", "tensor y", "grad W", "graph loss", "tape",
                             "tape step", "why W[0,0] of loss", "until-layer gpt",
                             "until-layer linear", "tensor linear.weight", "print gpt"], program)
    unread = "<heed was built without debug information, so this cannot be read>"
    unknown = "graph unknown: heed was built without debug information"
    for command, answer in said.items():
        expect("constructed" not in answer, f"{command} says what is not so: {answer}")
    expect("[2, 3]\n[[1., 2., 3.],\n [4., 5., 6.]]" in said["info locals"], said["info locals"])
    expect(f"y [2, 2] {unknown}, rows sum to 1\n[[" in said["tensor y"], said["tensor y"])
    expect(f"W       Variable  [3, 2] {unknown}\n" in said["shapes"], said["shapes"])
    expect(f"linear  Linear    {unread}\n" in said["shapes"]
           or "linear  Linear    9 parameters, weight [3, 2]" in said["shapes"], said["shapes"])
    expect(unread in said["print gpt"], said["print gpt"])
    for command, what in (("grad W", "gradient"), ("graph loss", "graph")):
        expect(said[command] == f"{command.split()[1]} was made by a heed without debug "
               f"information, so its {what} cannot be read.", said[command])
    for command in ("why W[0,0] of loss", "until-layer linear", "until-layer gpt", "tape step",
                    "tensor linear.weight"):
        expect("heed was built without debug information" in said[command],
               f"{command}: {said[command]}")


def folder_with_signs():
    """Sources and init.gdb in a folder whose name means something to linespecs and patterns."""
    folder = os.path.join(SCRATCH, "c++ (1) [2]")
    os.makedirs(folder)
    shutil.copytree(os.path.dirname(INIT), os.path.join(folder, "debugger"))
    source = os.path.join(folder, "by++hand.cpp")
    with open(os.path.join(HERE, "by_hand.cpp"), encoding="utf-8") as file:
        text = file.read()
    text = text.replace("using namespace heed;", '#include "tutorials/support/stop.h"\n'
                        "using namespace heed;")
    text = text.replace('std::puts("here");', 'heed::stop("99.2 here", {{"W", W}});')
    with open(source, "w", encoding="utf-8") as file:
        file.write(text)
    program = os.path.join(folder, "by++hand")
    support = os.path.join(os.path.dirname(LIBRARY), "tutorials", "libtutorial_support.a")
    said = run(*COMPILING, source, support, LIBRARY, "-Wl,-u,heed_why_at_breakpoint", "-pthread",
               "-o", program)
    expect(not said, said)
    said = session([], ["stops", "until-stop 99.2", "tensor y", "graph loss", "why W[0,0] of loss"],
                   program, init=os.path.join(folder, "debugger", "init.gdb"))
    expect("99.2 here  by++hand.cpp:" in said["stops"], said["stops"])
    expect(re.search(r"^stop 99\.2 here, by\+\+hand\.cpp:\d+$", said["until-stop 99.2"], re.M),
           said)
    expect("softmax at by++hand.cpp:" in said["tensor y"], said["tensor y"])
    expect("softmax [2, 2] at by++hand.cpp:" in said["graph loss"], said["graph loss"])
    expect("at by++hand.cpp:" in said["why W[0,0] of loss"], said["why W[0,0] of loss"])


shutil.rmtree(SCRATCH, ignore_errors=True)
os.makedirs(SCRATCH)
for part in (without_locale, settings, core_file, remote, without_debug_information, by_hand,
             folder_with_signs):
    part()
shutil.rmtree(SCRATCH, ignore_errors=True)
sys.exit(1 if failures else 0)
