"""Opens pages in headless Chromium, each with #selftest=1: every line of their TAP must be ok, and
the console silent. They must show the numbers of expected.txt. Then pictures of some at 360 and
1280 pixels, light and dark: not of one colour, and dark where it should be.

Usage: check_pages_in_chromium.py CHROMIUM FOLDER
"""
import pathlib
import re
import struct
import subprocess
import sys
import tempfile
import zlib

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


def pixels(file):
    """The rows of a PNG of 8 bits a channel."""
    data = file.read_bytes()
    width, height, _, kind = struct.unpack(">IIBB", data[16:26])
    channels = {2: 3, 6: 4}[kind]
    packed, at = b"", 8
    while at < len(data):
        size, name = struct.unpack(">I4s", data[at:at + 8])
        if name == b"IDAT":
            packed += data[at + 8:at + 8 + size]
        at += size + 12
    raw, stride, before, rows = zlib.decompress(packed), width * channels, None, []
    before = bytearray(stride)
    for y in range(height):
        how, row = raw[y * (stride + 1)], bytearray(raw[y * (stride + 1) + 1:(y + 1) * (stride + 1)])
        for x in range(stride):
            left = row[x - channels] if x >= channels else 0
            up, corner = before[x], before[x - channels] if x >= channels else 0
            if how == 1:
                row[x] = (row[x] + left) & 255
            elif how == 2:
                row[x] = (row[x] + up) & 255
            elif how == 3:
                row[x] = (row[x] + (left + up) // 2) & 255
            elif how == 4:
                guess = left + up - corner
                nearest = min((abs(guess - left), 0, left), (abs(guess - up), 1, up),
                              (abs(guess - corner), 2, corner))
                row[x] = (row[x] + nearest[2]) & 255
        rows.append(row)
        before = row
    return rows, channels


def check_picture(file, state, width, dark):
    shot = folder / f"{file.stem}.{width}.{'dark' if dark else 'light'}.png"
    shot.unlink(missing_ok=True)
    run(f"{file.as_uri()}#{state}", "--hide-scrollbars", f"--window-size={width},700",
        f"--blink-settings=preferredColorScheme={0 if dark else 1}", f"--screenshot={shot}")
    if not shot.exists():
        return fail(f"{shot.name} was not written")
    rows, channels = pixels(shot)
    colors = {bytes(row[x:x + 3]) for row in rows[::3] for x in range(0, len(row), channels)}
    if len(colors) < 20:
        fail(f"{shot.name} has only {len(colors)} colours")
    corner = sum(rows[0][:3])
    if (corner < 200) != dark:
        fail(f"{shot.name}: the corner is {tuple(rows[0][:3])}")


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
