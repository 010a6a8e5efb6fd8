"""What cannot be walked is said in words, and a program of anybody's can be. Run as:
python3 check_walk_errors.py GDB ROOT FOLDER LESSON_08 COMPILER"""

import json
import os
import subprocess
import sys

from walking import FOLDER, check_page, end, expect, record

LESSON, COMPILER = sys.argv[4:6]
PAGE = os.path.join(FOLDER, "never.html")
OWN = r"""#include <cstdio>
#include <vector>
double triangle(int n) {
    double sum = 0;
    for (int i = 1; i <= n; ++i) {
        sum += i;
    }
    return sum;
}
int main(int count, char** words) {
    const std::vector<double> list = {0.5, -1.25, 3};
    const char* text = "</script>";
    std::puts(text);
    const double found = triangle(count > 1 ? 200 : 4);
    if (found > 1e9) {
        std::puts(words[0]);
    }
    return static_cast<int>(found + list[0]) == 10 ? 0 : 1;
}
"""


def built(name, *flags):
    source, program = os.path.join(FOLDER, "own.cpp"), os.path.join(FOLDER, name)
    with open(source, "w", encoding="utf-8") as file:
        file.write(OWN)
    subprocess.run([COMPILER, "-std=c++20", "-O0", *flags, source, "-o", program], check=True)
    return program


def expect_error(said, *call):
    done = record(*call)
    expect(done.returncode != 0, f"{call[1:]} succeeds: {done.stdout}")
    begins = said.endswith("...")
    expect(said[:-3] in done.stderr if begins else done.stderr.strip().endswith(said),
           f"{call[1:]} says {done.stderr!r}, not {said!r}")
    expect(not os.path.exists(PAGE), "there is a page all the same")


def in_script(*lines):
    path = os.path.join(FOLDER, "script.gdb")
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")
    return "--script", path


def check_places(own):
    expect_error('"08.1 the scors" is no stop, no line (file.cpp:12) and no function of this '
                 "program. These stops are there:\n  08.1 the scores\n...", LESSON, PAGE,
                 "--from", "08.1 the scors", "--to", "08.1 weights and output")
    expect_error('"nowhere" is no stop, no line (file.cpp:12) and no function of this program.',
                 own, PAGE, "--from", "main", "--to", "nowhere")
    expect_error("This program has no source file other.cpp, or it was compiled without debug "
                 "information.", own, PAGE, "--from", "other.cpp:3", "--to", "main")
    expect_error('2 lines of own.cpp have the text "std::puts": one is needed.', own, PAGE,
                 "--from", "own.cpp: std::puts", "--to", "main")
    expect_error("There are 2 source files matmul.cpp: name the folder, too, ops/matmul.cpp.",
                 LESSON, PAGE, "--from", "matmul.cpp:3", "--to", "main")
    expect_error('There is no level "deep"; there are lesson, layers, operations, tensor, kernels.',
                 own, PAGE, "--from", "main", "--to", "triangle", "--level", "deep")


def check_ends(own):
    expect_error('The program ended before it came to "own.cpp:16", where the walk begins.',
                 own, PAGE, "--from", "own.cpp:16", "--to", "main")
    expect_error('The program ended before it came to "own.cpp:16", where the walk ends.',
                 own, PAGE, "--from", "triangle", "--to", "own.cpp:16")
    expect_error('After 20 steps it has not come to "own.cpp:18": name a nearer place, or a level '
                 "that goes less deep.", own, PAGE, *in_script(
                     "python heed_debug.commands_walk.MOST_STEPS = 20",
                     "walk own.cpp:3 own.cpp:18 kernels"), "--", "many")


def check_programs(own):
    bare = built("bare")
    expect_error("Nothing is known of the lines of bare: it was compiled without debug information "
                 "(-g, which the preset `debug` has), so there is nothing to walk through.",
                 bare, PAGE, "--from", "main", "--to", "triangle")
    expect_error("own.cpp.none: there is no such program", "own.cpp.none", PAGE, "--from", "main",
                 "--to", "main")
    expect_error("own.none was not found: apt-get install gdb", own, PAGE, "--from", "main", "--to",
                 "main", "--gdb", "own.none")
    expect_error("error: from where to where? --from PLACE --to PLACE, or --script WALK.gdb", own,
                 PAGE, "--from", "main")
    expect_error("/nowhere/page.html: No such file or directory.", own, "/nowhere/page.html",
                 "--from", "triangle", "--to", "own.cpp:8")


def check_commands(own):
    for line, said in {
            "walk": 'From where to where? For example: walk "08.1 the scores"...',
            "walk 'open": "A quote is open at the end.",
            "walk here main": "The program is not running, so there is no here: name a stop, a "
                              "line or a function.",
            "walk save x.html": "Nothing was recorded yet: walk FROM TO.",
    }.items():
        expect_error(said, own, PAGE, *in_script(line))


def check_own(own):
    """A program that knows nothing of heed."""
    path = os.path.join(FOLDER, "own.json")
    options = ("--from", "own.cpp: std::puts(text)", "--to", "own.cpp: return static_", "--level",
               "kernels", "--title", "A triangle </script>")
    done = record(own, path, *options)
    expect(done.returncode == 0, f"own: {done.stderr}")
    with open(path, encoding="utf-8") as file:
        walk = json.load(file)
    expect(walk["loops"][0]["values"] == list("1234"), f"its loops are {walk['loops']}")
    sums = [walk["values"][step["variables"]["sum"]]["line"] for step in walk["steps"]
            if step["function"] == "triangle" and "sum" in step["variables"]]
    expect(list(dict.fromkeys(sums)) == [f"sum = {n}.0" for n in (0, 1, 3, 6, 10)], f"sums: {sums}")
    lists = [value["numbers"] for value in walk["values"] if value["line"].startswith("list of")]
    expect(lists == [[0.5, -1.25, 3]], f"the list is {lists}")
    page = os.path.join(FOLDER, "own.html")
    record(own, page, *options)
    check_page(page)


if os.path.exists(PAGE):
    os.remove(PAGE)
program = built("own", "-g")
check_places(program)
check_ends(program)
check_programs(program)
check_commands(program)
check_own(program)
end()
