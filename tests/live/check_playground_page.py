"""The playground as WebAssembly: in node the same JSON as the native program for 200 random states
and all errors, then its page in headless Chromium, opened from a file, every host unreachable.

Usage: check_playground_page.py CHROMIUM NODE PROGRAM PLAYGROUND_JS FOLDER
"""
import html
import pathlib
import re
import subprocess
import sys
import tempfile

from check_playground import BY_HAND, OF_HEED, REFUSED
from playground_states import random_states

SOURCES = pathlib.Path(__file__).resolve().parent.parent.parent / "tutorials/live/playground"
failures = []


def fail(*what):
    print("FAILED:", *what)
    failures.append(what)


def answers(command, states):
    return subprocess.run(command, input="\n".join(states) + "\n", capture_output=True, text=True,
                          encoding="utf-8", check=True).stdout.split("\n")[:-1]


def check_bits(program, in_node):
    states = [one.text for one in random_states()]
    states += [one[0] for one in REFUSED + OF_HEED + BY_HAND]
    for state, native, wasm in zip(states, answers([program], states), answers(in_node, states),
                                   strict=True):
        if native != wasm:
            fail(state, "natively", native, "as WebAssembly", wasm)
    print(f"{len(states)} states have the same answer natively and as WebAssembly")


def opened(chromium, address, *options):
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        return subprocess.run(
            [chromium, "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run",
             "--disable-background-networking", f"--user-data-dir={profile}",
             "--host-resolver-rules=MAP * ~NOTFOUND", "--virtual-time-budget=20000",
             "--enable-logging=stderr", "--dump-dom", *options, address],
            capture_output=True, text=True, encoding="utf-8", timeout=300)


def check_page(chromium, page, width, dark):
    done = opened(chromium, f"{page.as_uri()}?selftest", f"--window-size={width},900",
                  f"--blink-settings=preferredColorScheme={0 if dark else 1}")
    tap = re.search(r'<pre id="tap">(.*?)</pre>', done.stdout, re.S)
    lines = html.unescape(tap.group(1)).split("\n") if tap else []
    good = [line for line in lines if line.startswith("ok ")]
    if not good or lines[-1] != f"1..{len(good)}":
        fail(f"at {width}: {len(good)} ok, and:\n" +
             "\n".join(line for line in lines if not line.startswith("ok ")))
    for line in done.stderr.split("\n"):
        if "CONSOLE" in line:
            fail(f"at {width}, on the console: {line}")
    print(f"{page.stat().st_size} bytes, at {width} {len(good)} ok")


def check_without_script(page):
    """What a browser shows whose JavaScript is off: the note's example, computed by heed."""
    shown = re.search("<noscript>(.*?)</noscript>", page.read_text(encoding="utf-8"), re.S).group(1)
    for words in ("this page needs JavaScript", "Q = K = V", "<td>0.8505</td><td>0.4</td>",
                  "<td>0.4684</td><td>0.5316</td><td>0.0000</td>"):
        if words not in shown:
            fail("without JavaScript the page does not say", words)


def main(chromium, node, program, script, folder):
    in_node = [node, SOURCES / "answers.js", script]
    check_bits(program, in_node)
    page = pathlib.Path(folder).resolve() / "playground.html"
    subprocess.run([sys.executable, SOURCES / "make_page.py", script, page, *in_node], check=True)
    if re.search(r'(src|href)="?http|@import|url\(', page.read_text(encoding="utf-8")):
        fail("the page names something outside of it")
    for width, dark in ((360, True), (1280, False)):
        check_page(chromium, page, width, dark)
    check_without_script(page)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
