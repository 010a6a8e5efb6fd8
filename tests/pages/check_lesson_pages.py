"""The page that a lesson writes: the terminal shows what it always shows, the page has all of it,
nothing in it reaches out, and in Chromium it passes its own test without a word on the console.
Run as: python3 check_lesson_pages.py PROGRAM TRANSCRIPT FOLDER
Without Chromium that part is skipped."""

import html.parser
import os
import re
import shutil
import subprocess
import sys
import tempfile

PROGRAM, TRANSCRIPT, FOLDER = sys.argv[1:4]
NAME = os.path.basename(PROGRAM)
VOID = {"area", "br", "col", "hr", "img", "input", "link", "meta", "wbr"}
failures = []


def expect(holds, problem):
    if not holds:
        failures.append(problem)
        print("FAILED:", problem)


class Printed(html.parser.HTMLParser):
    """The text of a page that the lesson printed, in order: what stands in data-printed, without
    class extra, a formula by its alttext, and a caption's shape after its table."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.open = []  # (tag, is printed, is extra, is a shape, is a formula)
        self.text = ""
        self.shape = ""
        self.unclosed = []

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        classes = (given.get("class") or "").split()
        before = self.open[-1] if self.open else ("", False, False, False, False)
        shape = before[3] or (tag == "span" and "shape" in classes)
        here = (tag, before[1] or "data-printed" in given, before[2] or "extra" in classes, shape,
                before[4] or tag == "math")
        if tag == "math" and here[1] and not here[2]:
            self.text += given["alttext"]
        if tag not in VOID:
            self.open.append(here)

    def handle_endtag(self, tag):
        if not self.open or self.open[-1][0] != tag:
            self.unclosed.append(tag)
            return
        self.open.pop()
        if tag == "table":
            self.text += " " + self.shape
            self.shape = ""
        self.text += "\n"

    def handle_data(self, data):
        if not self.open:
            return
        _, printed, extra, shape, formula = self.open[-1]
        if printed and shape:
            self.shape += data
        elif printed and not extra and not formula:
            self.text += data


def bare(text):
    """Without what a page shows in another way: lines, brackets, margins, the line below a title."""
    lines = [line for line in text.split("\n") if not re.fullmatch(r" *-{4,}", line)]
    return re.sub(r"[\s\[\],|=]", "", "\n".join(lines))


def check_text(page, transcript):
    reader = Printed()
    reader.feed(page)
    expect(not reader.unclosed and not reader.open, f"tags do not match: {reader.unclosed[:5]}")
    shown, printed = bare(reader.text), bare(transcript)
    if shown != printed:
        at = next((i for i, (a, b) in enumerate(zip(shown, printed)) if a != b),
                  min(len(shown), len(printed)))
        expect(False, f"the page has\n  …{shown[max(0, at - 60):at + 60]}…\nwhere the lesson printed\n"
                      f"  …{printed[max(0, at - 60):at + 60]}…")


def check_self_contained(page):
    page = page.replace("http://www.w3.org/2000/svg", "")
    for word in ("http:", "https:", "src=", "@import", "url("):
        at = page.find(word)
        expect(at < 0, f"the page has {word}: …{page[max(0, at - 40):at + 40]}…")


def in_chromium(path, fragment, *options):
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        return None
    with tempfile.TemporaryDirectory() as profile:
        return subprocess.run(
            [chromium, "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run",
             "--disable-background-networking", f"--user-data-dir={profile}",
             "--virtual-time-budget=3000", "--host-resolver-rules=MAP * ~NOTFOUND",
             "--enable-logging=stderr", "--dump-dom", *options, f"file://{path}#{fragment}"],
            capture_output=True, encoding="utf-8", errors="replace", timeout=120)


def check_in_chromium(path):
    for size in ("1280,900", "360,740"):
        run = in_chromium(path, "selftest=1", f"--window-size={size}")
        if run is None:
            print("skipped in part: needs chromium (apt-get install chromium)")
            return
        tap = re.search(r'<pre id="tap">(.*?)</pre>', run.stdout, re.DOTALL)
        if tap is None:
            expect(False, "the page does not test itself")
            return
        lines = tap.group(1).strip().split("\n")
        results = [line for line in lines if line.startswith(("ok ", "not ok "))]
        expect(lines[-1] == f"1..{len(results)}", f"the plan is {lines[-1]}, of {len(results)}")
        for line in results:
            expect(line.startswith("ok "), f"at {size}: {line}")
        console = [line for line in run.stderr.split("\n") if "CONSOLE" in line]
        expect(not console, f"the console says {console[:3]}")


def main():
    os.makedirs(FOLDER, exist_ok=True)
    path = os.path.abspath(os.path.join(FOLDER, NAME + ".html"))
    if os.path.exists(path):
        os.remove(path)
    environment = {name: value for name, value in os.environ.items()
                   if name not in ("NO_COLOR", "FORCE_COLOR", "COLUMNS")}
    run = subprocess.run([PROGRAM, "--html", path], capture_output=True, env=environment)
    expected = open(TRANSCRIPT, "rb").read()
    expect(run.returncode == 0, f"exit code {run.returncode}: {run.stderr.decode()}")
    expect(run.stdout == expected, "with --html the lesson prints something else")
    page = open(path, encoding="utf-8").read()
    check_text(page, expected.decode())
    check_self_contained(page)
    check_in_chromium(path)
    print(f"{len(page)} characters, {len(failures)} failures")
    sys.exit(1 if failures else 0)


main()
