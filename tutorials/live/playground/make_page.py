"""Writes the playground as one page: its style and scripts, and heed as WebAssembly in base64.

Usage: make_page.py PLAYGROUND_JS PAGE COMMAND...
where PLAYGROUND_JS is what Emscripten made, and COMMAND answers states, one a line (answers.js).
"""
import html
import json
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
SUPPORT = HERE.parent.parent / "support"
SCRIPTS = ["state", "examples", "fields", "mask", "results", "playground", "selftest"]
POLICY = ("default-src 'none'; style-src 'unsafe-inline'; "
          "script-src 'unsafe-inline' 'wasm-unsafe-eval'; img-src data:")


def read(path):
    return path.read_text(encoding="utf-8")


def static_table(table):
    """A table for readers without JavaScript."""
    columns = table["shape"][-1]
    rows = [table["shown"][at:at + columns] for at in range(0, len(table["shown"]), columns)]
    cells = "\n".join("<tr>" + "".join(f"<td>{html.escape(one)}</td>" for one in row) + "</tr>"
                      for row in rows)
    shape = ", ".join(map(str, table["shape"]))
    caption = f"{html.escape(table['name'])} <span class=\"shape\">[{shape}]</span>"
    return (f"<figure><figcaption>{caption}</figcaption><div class=\"scroll\"><table>\n{cells}\n"
            "</table></div></figure>")


def note_answer(command):
    """The numbers of the first example of examples.js, and what heed answers, as JSON."""
    examples = read(HERE / "examples.js")
    note = re.search(r'const note = (.*?");\n', examples, re.S).group(1)
    note = "".join(re.findall('"(.*)"', note))
    state = re.search(r"state: `(.*)`", examples).group(1).replace("${note}", note)
    done = subprocess.run(command, input=state + "\n", capture_output=True, text=True,
                          encoding="utf-8", check=True)
    return note, done.stdout.strip()


def note_example(command):
    """The first example as tables."""
    note, answer = note_answer(command)
    X = {"name": "Q = K = V", "shape": [3, 5], "shown": re.split("[,;]", note)}
    return "\n".join(map(static_table, [X, *json.loads(answer)["tables"]]))


def page(core, command):
    body = read(HERE / "page.html").replace("<!-- the note's example -->", note_example(command))
    style = read(SUPPORT / "lesson_page.css") + read(HERE / "playground.css")
    script = '"use strict";\n' + "\n".join(read(HERE / f"{name}.js") for name in SCRIPTS)
    for text in (core, script):
        if "</script" in text:
            raise ValueError("a script would end its own element")
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Attention, to play with</title>
<style>
{style}</style>
</head>
<body>
{body}<script>
const loadHeed = ((fetch) => {{
{core}
return loadHeed;
}})();  // without fetch(), which Emscripten would try first, it reads what it holds itself
</script>
<script>
{script}</script>
</body>
</html>
"""


if __name__ == "__main__":
    made = page(read(pathlib.Path(sys.argv[1])), sys.argv[3:])
    target = pathlib.Path(sys.argv[2])
    target.parent.mkdir(parents=True, exist_ok=True)
    beside = target.with_name(target.name + ".new")
    beside.write_text(made, encoding="utf-8")
    beside.replace(target)
