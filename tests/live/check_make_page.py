"""The fields of a page that runs a lesson are made of what the program says of itself; what would
end an element of the page is refused. Run as: python3 check_make_page.py FOLDER"""

import os
import re
import stat
import subprocess
import sys

FOLDER = sys.argv[1]
TESTS = os.path.dirname(os.path.abspath(__file__))
MAKE = os.path.join(TESTS, "../../tutorials/live/lesson/make_page.py")
USAGE = """usage: 00_first_look [options] [WORD...]

Attention & more.

  --data FILE       learn <these> lines
  --model DIR       look into this folder
  --resume DIR      go on
  --prompt TEXT     what it writes on from
  --short           end before it trains
  --seed N          seed of all random numbers (1)
  --html FILE       write the lesson as a page, too
  --predict         ask what will come before showing it
"""
failures = []


def expect(holds, problem):
    if not holds:
        failures.append(problem)
        print("FAILED:", problem)


def write(name, text):
    path = os.path.join(FOLDER, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def make(script):
    run = subprocess.run([sys.executable, MAKE, program, script, transcript, page], text=True,
                         capture_output=True)
    return run.returncode, run.stderr


os.makedirs(FOLDER, exist_ok=True)
program = write("00_first_look", f"""#!/bin/sh
case $1 in
--short) printf 'a\\n  checked: b\\n' ;;
*) cat <<'EOF'
{USAGE}EOF
esac
""")
os.chmod(program, os.stat(program).st_mode | stat.S_IXUSR)
transcript = write("00.txt", "a < b & c\n  checked: \\1 {{name}}\n  checked: d\n")
page = os.path.join(FOLDER, "page.html")

code, errors = make(write("00_first_look.js", "var lesson = 1 < 2;"))
expect(code == 0, f"it ended with {code}: {errors}")
text = open(page, encoding="utf-8").read()
for part in ('<pre id="output" tabindex="0" aria-labelledby="what">a &lt; b &amp; c\n'
             "  checked: \\1 {{name}}\n  checked: d\n</pre>",
             "<h1>00 First look: run it here</h1>", "Attention &amp; more.", 'data-trains="1"',
             'learn &lt;these&gt; lines<code>--data</code></label>'
             '<input type="file" id="option-data"',
             'data-option="--model" multiple>', '<input type="text" id="option-prompt"',
             'id="option-seed" data-option="--seed" inputmode="numeric"',
             '<input type="checkbox" id="option-predict"', 'words of your own<code>WORD...</code>',
             '<script type="text/plain" id="program">var lesson = 1 < 2;</script>'):
    expect(part in text, f"the page has no {part}")
options = re.findall(r'data-option="([^"]*)"', text.split("<script")[0])
expect(options == ["words", "--data", "--model", "--prompt", "--short", "--seed", "--predict"],
       f"the fields are {options}")

expect("takes a minute or more" not in text, "a quick lesson is said to take long")
make(write("12_the_block.js", ""))
slow = open(page, encoding="utf-8").read()
says = "takes a minute or more here</strong>, and 13 seconds"
expect(says in slow, "a slow one is not said to be")
expect("it checks 1 of the 2 claims, in seconds" in slow, "its short run is not offered")
write("page.html", text)

for script in ("x = '</ScRipt>'", "a <!-- b"):
    code, errors = make(write("00_first_look.js", script))
    refusal = r"make_page.py: \S+ has what would end the element that holds it\n"
    expect(code == 1 and re.fullmatch(refusal, errors), f"{script} gives {code}, {errors}")
expect(open(page, encoding="utf-8").read() == text, "the page that was there is another")
run = subprocess.run([sys.executable, MAKE], text=True, capture_output=True)
takes = "make_page.py takes PROGRAM SCRIPT TRANSCRIPT OUT.html\n"
expect(run.returncode == 1 and run.stderr == takes, f"without arguments: {run.stderr}")
sys.exit(1 if failures else 0)
