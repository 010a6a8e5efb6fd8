"""Makes the page that plays a record of steps (debugger/heed_debug/recorder.py): one file, with the
look of the lessons' pages, that opens from the file system and fetches nothing."""

import html
import json
import os

HERE = os.path.dirname(os.path.abspath(__file__))
STYLES = ["../../support/lesson_page.css", "walk.css"]
SCRIPTS = ["walk_moves.js", "walk_values.js", "walk_code.js", "walk_play.js", "walk_selftest.js"]
POLICY = ("default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; "
          "img-src data:")


def text_of(name):
    with open(os.path.join(HERE, name), encoding="utf-8") as file:
        return file.read()


def data_of(record):
    """JSON that cannot end the element it stands in."""
    text = json.dumps(record, ensure_ascii=False, separators=(",", ":"))
    for letter, escaped in (("<", "\\u003c"), ("\u2028", "\\u2028"), ("\u2029", "\\u2029")):
        text = text.replace(letter, escaped)
    return text


def outline_of(record):
    """The steps as text, for those who have no JavaScript."""
    return "\n".join(f"{i:>4} {'  ' * len(step['stack'])}{step['function']}  "
                     f"{step['file']}:{step['line']}  {step['source']}"
                     for i, step in enumerate(record["steps"]))


def links_of(record):
    links = [f'<a href="{html.escape(to)}">{html.escape(name)}</a>' for name, to in record["links"]]
    return f'<p class="facts">{" · ".join(links)}</p>' if links else ""


def page_of(record):
    title = html.escape(record["title"])
    styles = "".join(text_of(name) for name in STYLES)
    scripts = "".join(text_of(name) for name in SCRIPTS)
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{POLICY}">
<title>{title}: a walk</title>
<style>
{styles}</style>
</head>
<body class="walk-page">
<header>
<h1>{title}</h1>
<p class="subject">{html.escape(record["about"])}</p>
{links_of(record)}
</header>
<main id="walk"></main>
<noscript>
<p>Without JavaScript this page cannot play the walk. These are its steps:</p>
<pre>{html.escape(outline_of(record))}</pre>
</noscript>
<script type="application/json" id="record">{data_of(record)}</script>
<script>
"use strict";
{scripts}</script>
</body>
</html>
"""
