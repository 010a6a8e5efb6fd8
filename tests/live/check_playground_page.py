"""The playground as WebAssembly: in node the same JSON as the native program for 200 random states
and all errors, then its page in headless Chromium, opened from a file, every host unreachable.

Usage: check_playground_page.py NODE PROGRAM PLAYGROUND_JS FOLDER
"""
import pathlib
import re
import subprocess
import sys

from check_playground import BY_HAND, OF_HEED, REFUSED
from chromium import Page
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


def check_page(path, width, dark):
    with Page(f"{path}?selftest", width=width, dark=dark) as page:
        tap = page.wait_for("document.getElementById('tap')?.textContent", 300) or ""
        console = page.console
    lines = tap.split("\n")
    good = [line for line in lines if line.startswith("ok ")]
    if not good or lines[-1] != f"1..{len(good)}":
        fail(f"at {width}: {len(good)} ok, and:\n" +
             "\n".join(line for line in lines if not line.startswith("ok ")))
    for line in console:
        fail(f"at {width}, on the console: {line}")
    print(f"{path.stat().st_size} bytes, at {width} {len(good)} ok")


def press(page, key, code, number, text=""):
    for kind in ("keyDown", "keyUp"):
        page.call("Input.dispatchKeyEvent", type=kind, key=key, code=code,
                  windowsVirtualKeyCode=number, text=text if kind == "keyDown" else "")


def check_hands(path):
    """The mask, painted by a real mouse and a real keyboard."""
    with Page(path) as page:
        page.wait_for("document.querySelector('.cell') !== null", 300)
        place = page.evaluate("""(() => {
          const cell = document.querySelector('.cell[data-row="0"][data-column="1"]');
          cell.scrollIntoView();
          const {x, y, width, height} = cell.getBoundingClientRect();
          return [x + width / 2, y + height / 2];
        })()""")
        for kind in ("mousePressed", "mouseReleased"):
            page.call("Input.dispatchMouseEvent", type=kind, x=place[0], y=place[1], button="left",
                      clickCount=1)
        clicked = page.evaluate("location.hash")
        page.evaluate("document.querySelector('.cell').focus()")
        press(page, "ArrowDown", "ArrowDown", 40)
        press(page, " ", "Space", 32, " ")
        pressed = page.evaluate("location.hash")
    if not clicked.endswith("&mask=110;110;111") or not pressed.endswith("&mask=110;010;111"):
        fail("the mask, clicked:", clicked, "then painted with space:", pressed)


def check_no_start(path):
    """In a browser without WebAssembly the page says that it cannot start."""
    old = path.with_name("old_browser.html")
    old.write_text(path.read_text(encoding="utf-8").replace(
        "<script>\n", "<script>\nglobalThis.WebAssembly = undefined;\n", 1), encoding="utf-8")
    with Page(old) as page:
        said = page.wait_for("document.getElementById('starting').textContent", 60)
    if not said or not said.startswith("heed could not start in this browser: "):
        fail("without WebAssembly the page says", said)


def check_without_script(page):
    """What a browser shows whose JavaScript is off: the note's example, computed by heed."""
    shown = re.search("<noscript>(.*?)</noscript>", page.read_text(encoding="utf-8"), re.S).group(1)
    for words in ("this page needs JavaScript", "Q = K = V", "<td>0.8505</td><td>0.4</td>",
                  "<td>0.4684</td><td>0.5316</td><td>0.0000</td>"):
        if words not in shown:
            fail("without JavaScript the page does not say", words)


def main(node, program, script, folder):
    in_node = [node, SOURCES / "answers.js", script]
    check_bits(program, in_node)
    page = pathlib.Path(folder).resolve() / "playground.html"
    subprocess.run([sys.executable, SOURCES / "make_page.py", script, page, *in_node], check=True)
    if re.search(r'(src|href)="?http|@import|url\(', page.read_text(encoding="utf-8")):
        fail("the page names something outside of it")
    for width, dark in ((360, True), (1280, False)):
        check_page(page, width, dark)
    check_hands(page)
    check_no_start(page)
    check_without_script(page)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
