"""Writes the page in which a lesson runs: one file, with the lesson's WebAssembly, its fields, made
of what the program says of its options, and the kept transcript, which stands there without
JavaScript.
Run as: python3 make_page.py PROGRAM SCRIPT TRANSCRIPT OUT.html
PROGRAM: the lesson as this machine runs it; SCRIPT: the same, compiled by Emscripten."""

import html
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
SCRIPTS = ("curve.js", "run.js", "form.js", "run_page.js", "run_selftest.js")

# What makes no sense in a page, or is done by it.
LEFT_OUT = {"--color", "--html", "--stop", "--help", "--save", "--resume", "--load", "--to",
            "--pytorch", "--onnx"}

# Lessons 07 and 10 take 6 and 12 times as long in node as by themselves: of this many seconds, a
# minute or more.
PATIENCE = 3


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def usage_of(program):
    run = subprocess.run([program, "--help"], capture_output=True, text=True, check=True)
    return run.stdout


def options_in(usage):
    """(name, placeholder, help) of each; the words come first, as ("words", "WORD...", …)."""
    words = re.match(r"usage: \S+ \[options\] \[(\S+)\]\n", usage)
    if words:
        yield ("words", words.group(1), "words of your own")
    for name, value, said in re.findall(r"^  (--\S+) (\S*) {2,}(.*)$", usage, re.MULTILINE):
        if name not in LEFT_OUT:
            yield (name, value, said)


def field(name, value, said):
    ident = "option-" + name.strip("-")
    shown = name if name.startswith("--") else value
    label = f'<label for="{ident}">{html.escape(said)}<code>{html.escape(shown)}</code></label>'
    data = f'id="{ident}" data-option="{name}"'
    if value == "":
        return f'<div class="field"><label><input type="checkbox" {data}> {html.escape(said)}' \
               f"<code>{name}</code></label></div>"
    if value in ("FILE", "DIR"):
        many = " multiple" if value == "DIR" else ""
        what = "Its files" if many else "A file"
        return f'<div class="field file">{label}<input type="file" {data}{many}>' \
               f"<small>{what} of yours: pick or drop. Nothing leaves this page.</small> " \
               f'<button type="button">No file</button></div>'
    numeric = ' inputmode="numeric"' if value == "N" else ""
    return f'<div class="field">{label}<input type="text" {data}{numeric} autocomplete="off" ' \
           f'spellcheck="false"></div>'


def seconds_of(name):
    """Of the program itself, as the table of lessons has them."""
    lessons = read(os.path.join(HERE, "../../README.md"))
    row = re.search(rf"^\| {name[:2]} \[.*?\| *[0-9]+ \| ([0-9.]+) s \|", lessons, re.MULTILINE)
    return float(row.group(1)) if row else 0


def claims_in(text):
    return len(re.findall("^  checked: ", text, re.MULTILINE))


def short_run(program, usage, kept):
    """What a run with --short checks, in words."""
    if "--short" not in usage:
        return ""
    run = subprocess.run([program, "--short", "--color", "never"], capture_output=True, text=True,
                         check=True)
    return " The short run ends where the first training would begin: it checks " \
           f"{claims_in(run.stdout)} of the {claims_in(kept)} claims, in seconds."


def patience(name, program, usage, kept):
    if seconds_of(name) < PATIENCE:
        return ""
    return "<p><strong>This lesson trains models, which takes a minute or more here</strong>, " \
           f"and {seconds_of(name):.0f} seconds in the program itself. You see the loss as it " \
           f"falls, and can stop it.{short_run(program, usage, kept)}</p>\n"


def title_of(name):
    number, words = name.split("_", 1)
    words = words.replace("_", " ")
    return f"{number} {words[0].upper()}{words[1:]}"


def inert(script, name):
    """A script that may stand between <script> and its end."""
    if re.search(r"</script|<!--", script, re.IGNORECASE):
        sys.exit(f"make_page.py: {name} has what would end the element that holds it")
    return script


def page(program, script, transcript, out):
    name = os.path.basename(script).removesuffix(".js")
    usage = usage_of(program)
    options = list(options_in(usage))
    subject = usage.split("\n\n")[1]
    kept = read(transcript)
    trains = ' data-trains="1"' if "--resume" in usage else ""
    style = read(os.path.join(HERE, "../../support/lesson_page.css")) \
        + read(os.path.join(HERE, "run_page.css"))
    scripts = "".join(read(os.path.join(HERE, file)) + "\n" for file in SCRIPTS)
    parts = {
        "title": html.escape(title_of(name)), "name": name, "style": style,
        "subject": html.escape(subject), "trains": trains,
        "patience": patience(name, program, usage, kept),
        "fields": "\n".join(field(*option) for option in options),
        "transcript": html.escape(kept, quote=False),
        "program": inert(read(script), script),
        "worker": inert(read(os.path.join(HERE, "worker.js")), "worker.js"),
        "scripts": inert(scripts, "a script of the page")}
    template = read(os.path.join(HERE, "run_page.html"))
    whole = re.sub(r"\{\{(\w+)\}\}", lambda match: parts[match.group(1)], template)
    with open(out + ".new", "w", encoding="utf-8") as file:
        file.write(whole)
    os.replace(out + ".new", out)


if __name__ == "__main__":
    if len(sys.argv) != 5:
        sys.exit("make_page.py takes PROGRAM SCRIPT TRANSCRIPT OUT.html")
    page(*sys.argv[1:])
