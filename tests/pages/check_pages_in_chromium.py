"""Opens pages in headless Chromium, each with #selftest=1: every line of their TAP must be ok, and
the console silent. They must show the numbers of expected.txt. Then pictures of some at 360 and
1280 pixels, light and dark: not of one colour, and dark where it should be.

Usage: check_pages_in_chromium.py CHROMIUM FOLDER
"""
import pathlib
import re
import subprocess
import sys
import tempfile

from PIL import Image

chromium, folder = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()
failures = []


def fail(what):
    print("FAILED:", what)
    failures.append(what)


def run(page, *options):
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        return subprocess.run(
            [chromium, "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run",
             "--disable-background-networking", f"--user-data-dir={profile}",
             "--host-resolver-rules=MAP * ~NOTFOUND", "--virtual-time-budget=3000", *options, page],
            capture_output=True, text=True, timeout=120)


def check_tap(file):
    done = run(f"{file.as_uri()}#selftest=1", "--enable-logging=stderr", "--dump-dom")
    tap = re.search(r'<pre id="tap">(.*?)</pre>', done.stdout, re.S)
    lines = tap.group(1).split("\n") if tap else []
    good = [line for line in lines if line.startswith("ok ")]
    if not good or lines[-1] != f"1..{len(good)}":
        fail(f"{file.name}: {len(good)} ok, and: " +
             "\n".join(line for line in lines if not line.startswith("ok ")))
    for line in done.stderr.split("\n"):
        if "CONSOLE" in line:
            fail(f"{file.name}: on the console: {line}")
    ready = re.search(r'data-ready="(\d+)"', done.stdout)
    print(f"{file.name}: {file.stat().st_size} bytes, ready after {ready and ready.group(1)} ms, "
          f"{len(good)} ok")


def check_words(page, state, words):
    """What stands in the page in that state, without its data."""
    done = run(f"{(folder / page).as_uri()}.html#{state}", "--dump-dom")
    shown = re.sub("<script.*?</script>", "", done.stdout, flags=re.S)
    if words not in re.sub("<[^>]*>", "", shown):
        fail(f"{page}#{state} does not say {words!r}")


def check_picture(file, state, width, dark):
    shot = folder / f"{file.stem}.{width}.{'dark' if dark else 'light'}.png"
    shot.unlink(missing_ok=True)
    run(f"{file.as_uri()}#{state}", "--hide-scrollbars", f"--window-size={width},700",
        f"--blink-settings=preferredColorScheme={0 if dark else 1}", f"--screenshot={shot}")
    if not shot.exists():
        return fail(f"{shot.name} was not written")
    image = Image.open(shot).convert("RGB")
    colors = len(set(image.getdata()))
    if colors < 100:
        fail(f"{shot.name} has only {colors} colors")
    corner = image.getpixel((0, 0))
    if (sum(corner) < 200) != dark:
        fail(f"{shot.name}: the corner is {corner}")


pages = sorted(folder.glob("*.html"))
if not pages:
    fail(f"no pages in {folder}")
for one in pages:
    check_tap(one)
for line in (folder / "expected.txt").read_text().splitlines():
    check_words(*line.split("\t"))
for width in (360, 1280):
    for dark in (False, True):
        check_picture(folder / "gpt.html", "view=neuron&layer=1&head=1&query=5", width, dark)
        check_picture(folder / "large_16.html", "", width, dark)
print(f"{len(pages)} pages, {len(failures)} failures")
sys.exit(1 if failures else 0)
