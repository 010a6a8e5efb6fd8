"""Size and time of each lesson in its page, in headless Chromium, beside the program itself; a line
each.
Run as: python3 measure.py PROGRAMS BOOK NAME...    PROGRAMS: a folder of native lessons"""

import os
import re
import subprocess
import sys
import time

import chromium

PROGRAMS, BOOK = sys.argv[1:3]


def native_seconds(name):
    start = time.monotonic()
    subprocess.run([os.path.join(PROGRAMS, name)], stdout=subprocess.DEVNULL, check=True)
    return time.monotonic() - start


def page_seconds(path):
    with chromium.Page(path) as page:
        page.wait_for("document.readyState === 'complete'", 60)
        page.evaluate("document.getElementById('run').click()")
        status = "document.getElementById('status').textContent"
        said = page.wait_for(f"/^Ended/.test({status}) && {status}", 3600)
        if said is None or "Every byte" not in said:
            sys.exit(f"{path}: {said}")
        return float(re.search(r"after ([0-9.]+) s", said).group(1))


for name in sys.argv[3:]:
    path = os.path.join(BOOK, name + ".run.html")
    size = (os.path.getsize(path) + 999) // 1000
    times = f"{native_seconds(name):8.2f} {page_seconds(path):8.1f}"
    print(f"{name:26} {size:5} kB {times}", flush=True)
