"""Draws the still of a walk that the README shows. Run as: python3 draw_still.py PAGE STILL.webp"""

import base64
import sys

import chromium

WIDTH, HEIGHT, STEP = 1120, 720, 82


def draw(page, still):
    with chromium.Page(page, f"step={STEP}", WIDTH, HEIGHT) as opened:
        opened.wait_for("document.documentElement.dataset.ready", 20)
        opened.evaluate("scrollTo(0, document.querySelector('.chapters').offsetTop - 8)")
        data = opened.call("Page.captureScreenshot", format="webp", quality=85)["data"]
    with open(still, "wb") as file:
        file.write(base64.b64decode(data))


if __name__ == "__main__":
    draw(*sys.argv[1:3])
