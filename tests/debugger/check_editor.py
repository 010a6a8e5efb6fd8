"""Checks .vscode: it is JSON, the tasks and programs it names exist, gdb accepts its commands, and
the open file leads to its lesson; and .devcontainer: it installs what the README's commands install,
lets gdb trace, and builds a lesson in the preset in which the editor builds.
Run as: python3 check_editor.py GDB ROOT CMAKE PROGRAMS..."""

import glob
import json
import os
import re
import subprocess
import sys

GDB, ROOT, CMAKE, *PROGRAMS = sys.argv[1:]
failures = 0


def expect(holds, problem):
    global failures
    if not holds:
        failures += 1
        print("FAILED:", problem)


def read(name):
    with open(os.path.join(ROOT, ".vscode", name), encoding="utf-8") as file:
        return json.load(file)


def run(*command):
    ended = subprocess.run(command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                           stderr=subprocess.STDOUT, encoding="utf-8", timeout=60)
    return ended.returncode, ended.stdout


def strings_in(value):
    if isinstance(value, str):
        yield value
    elif isinstance(value, (list, dict)):
        for part in value.values() if isinstance(value, dict) else value:
            yield from strings_in(part)


def expect_files(settings, what):
    """Files of the repository named with ${workspaceFolder} exist; build products are not
    checked."""
    for text in strings_in(settings):
        for path in re.findall(r"\$\{workspaceFolder\}/([\w./]+)", text):
            if not path.startswith("build/"):
                expect(os.path.exists(os.path.join(ROOT, path)), f"{what} names {path}")


launch, tasks = read("launch.json"), read("tasks.json")
expect_files(launch, "launch.json")
expect_files(tasks, "tasks.json")

labels = [task["label"] for task in tasks["tasks"]]
expect(len(set(labels)) == len(labels), f"two tasks have one label: {labels}")
for task in tasks["tasks"]:
    expect(task.get("dependsOn", labels[0]) in labels, f"{task['label']} depends on no task")
with open(os.path.join(ROOT, "CMakePresets.json"), encoding="utf-8") as file:
    presets = [preset["name"] for preset in json.load(file)["buildPresets"]]
for task in tasks["tasks"]:
    if "--preset" in task["args"]:
        preset = task["args"][task["args"].index("--preset") + 1]
        expect(preset in presets, f"{task['label']}: there is no preset {preset}")

inputs = {entry["id"]: entry for entry in launch["inputs"]}
expect(inputs["lesson"]["options"] == PROGRAMS,
       f"the list has {inputs['lesson']['options']}, the lessons are {PROGRAMS}")
expect(inputs["lesson"]["default"] in PROGRAMS, "the default is no lesson")
for configuration in launch["configurations"]:
    name = configuration["name"]
    if configuration["request"] == "launch":
        expect(configuration["preLaunchTask"] in labels, f"{name}: no such task")
    expect(configuration["program"] in ("${workspaceFolder}/build/debug/open_lesson",
                                        "${workspaceFolder}/build/debug/tutorials/${input:lesson}"),
           f"{name}: {configuration['program']} is built by no task")
    for command in configuration["setupCommands"]:
        inner = re.fullmatch(r'-interpreter-exec console "(.*)"', command["text"])
        expect(inner, f"{name}: {command['text']}")
        if inner and inner.group(1).startswith("source"):
            inner = inner.group(1).replace("${workspaceFolder}", ROOT)
            code, said = run(GDB, "-nx", "-q", "-batch", "-ex", inner, "-ex", "help until-stop")
            expect(code == 0 and "until-stop NAME" in said, f"{inner}: {said}")

with open(os.path.join(ROOT, ".devcontainer/devcontainer.json"), encoding="utf-8") as file:
    container = json.loads(re.sub(r"^//.*", "", file.read(), flags=re.MULTILINE))
with open(os.path.join(ROOT, "README.md"), encoding="utf-8") as file:
    readme = file.read()


def packages_in(text):
    lists = re.findall(r"apt-get install -y ([^&`\n]+)", text)
    return {package for names in lists for package in names.split()}


missing = packages_in(readme) - packages_in(container["onCreateCommand"])
expect(packages_in(readme), "README.md installs no packages")
expect(not missing, f"devcontainer.json does not install {missing}, which README.md does")
expect(container["capAdd"] == ["SYS_PTRACE"] and "seccomp=unconfined" in container["securityOpt"],
       "gdb cannot trace in the container")
built = re.fullmatch(r"cmake --workflow --preset exercises && "
                     r"cmake --build --preset debug --target (\w+)", container["postCreateCommand"])
expect(built and built[1] in PROGRAMS, f"devcontainer.json runs {container['postCreateCommand']}")

SCRIPT = os.path.join(ROOT, "tutorials/debugger/build_open_lesson.cmake")
for program in PROGRAMS:
    files = glob.glob(os.path.join(ROOT, "tutorials", program, "*"))
    expect(files, f"there is no file of {program}")
    for path in files:
        code, said = run(CMAKE, "-D", "FILE=" + path, "-D", "DRY_RUN=ON", "-P", SCRIPT)
        expect(code == 0 and f"belongs to tutorials/{program}, target {program}\n" in said, f"{path}: {said}")
code, said = run(CMAKE, "-D", "FILE=tutorials/exercises/05_1_stable_softmax.cpp", "-D",
                 "DRY_RUN=ON", "-P", SCRIPT)
expect("belongs to tutorials/exercises/05_1_stable_softmax, target exercise_05_1_" in said, said)
for path in ("README.md", "tutorials/support/stop.cpp", "nn/attention/attention.cpp", "",
             "tutorials/08_causal_attention/missing.cpp", "tutorials/README.md"):
    code, said = run(CMAKE, "-D", "FILE=" + path, "-D", "DRY_RUN=ON", "-P", SCRIPT)
    expect(code != 0 and "belongs to no lesson" in said, f"{path}: {said}")
sys.exit(1 if failures else 0)
