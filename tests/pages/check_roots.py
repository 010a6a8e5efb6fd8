"""Checks by its pixels that a root is visible in headless Chromium: on a lesson's page, a page that runs
a lesson, a walk and the playground, with the fonts of this machine and with fonts without mathematics.
The root of a formula has a sign and a bar, in light, dark and forced colors, at 360 and 1280 pixels,
and the formula's letters are not all the same box. The root in a text has a sign. (Pages of recorded
attention have no roots.)

Usage: check_roots.py LESSON TRANSCRIPT PLAYGROUND FOLDER
"""
import io
import json
import pathlib
import string
import subprocess
import sys

from fontTools.ttLib import TTFont
from PIL import Image

TREE = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(TREE / folder) for folder in ("tests/live", "tutorials/live/walk",
                                                   "tutorials/live/playground")]
import make_page  # noqa: E402
from chromium import Page  # noqa: E402
from page import page_of  # noqa: E402

SCALE = 4
WALKED = TREE / "tutorials/08_causal_attention/by_hand.cpp"
# Width, color scheme, forced colors, medium.
LOOKS = ((1280, "light", "none", "screen"), (1280, "dark", "none", "screen"),
         (360, "light", "none", "screen"), (360, "dark", "none", "screen"),
         (1280, "light", "active", "screen"), (800, "light", "none", "print"))

# Finds the first formula with a root. ROOT and LETTER scroll to a part of it and return rectangles in
# pixels of the page: the root and the part below its bar; the letter Q.
FORMULA = """
var math = [...document.querySelectorAll("math")].find((one) => one.getAttribute("alttext").includes("√"));
var box = (one) => {
  const {x, y, width, height} = one.getBoundingClientRect();
  return {x: x + scrollX, y: y + scrollY, width, height};
};
var shown = (one) => one.scrollIntoView({block: "center", inline: "center"});"""
ROOT = """(() => {
  const root = math.querySelector(".root, msqrt");
  shown(root);
  return [box(root), box(root.lastElementChild), getComputedStyle(root).printColorAdjust];
})()"""
LETTER = """
var first = math.querySelector("mi.role-Q");
shown(first);
box(first);"""

# Scrolls to the √ of this index among the texts that are not folded away, and returns its rectangle.
TEXT = """(() => {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const roots = [];
  while (texts.nextNode()) {
    const text = texts.currentNode, around = text.parentElement;
    if (text.data.includes("√") && !around.closest("math") && around.checkVisibility()) roots.push(text);
  }
  if (!roots[INDEX]) return null;
  const range = document.createRange(), at = roots[INDEX].data.indexOf("√");
  range.setStart(roots[INDEX], at);
  range.setEnd(roots[INDEX], at + 1);
  for (let one = roots[INDEX].parentElement; one; one = one.parentElement) {
    const root = range.getBoundingClientRect(), whole = one.getBoundingClientRect();
    one.scrollBy(root.x - whole.x - one.clientWidth / 2, root.y - whole.y - one.clientHeight / 2);
  }
  const {x, y, width, height} = range.getBoundingClientRect();
  return {x: x + scrollX, y: y + scrollY, width, height};
})()"""

failures = []


def expect(holds, problem):
    if not holds:
        failures.append(problem)
        print("FAILED:", problem)


def ink_of(page, x, y, width, height):
    """The rows of a part of the page, true where a pixel differs from the one in the upper left corner,
    which is paper."""
    if width < 1 or height < 1:
        return []
    image = Image.open(io.BytesIO(page.screenshot(x, y, width, height, SCALE))).convert("RGB")
    paper = image.getpixel((0, 0))
    ink = [sum(abs(a - b) for a, b in zip(pixel, paper)) > 150 for pixel in image.getdata()]
    return [ink[at:at + image.width] for at in range(0, len(ink), image.width)]


def size_of(ink):
    """The width and height of the part that has ink."""
    rows = [y for y, row in enumerate(ink) if any(row)]
    columns = [x for row in ink for x, is_ink in enumerate(row) if is_ink]
    return (max(columns) - min(columns) + 1, rows[-1] - rows[0] + 1) if rows else (0, 0)


def is_sign(ink):
    """One stroke rises from the foot to the upper right without a gap, and another one begins left of
    the foot."""
    drawn = [[x for x, is_ink in enumerate(row) if is_ink] for row in ink if any(row)]
    width, height = size_of(ink)
    if height < max(8, 0.3 * len(ink)) or len(drawn) < height:
        return False
    last = [row[-1] for row in drawn]
    rises = all(last[y] >= max(last[y:]) - SCALE / 2 for y in range(height))
    top, foot = drawn[SCALE // 2], drawn[-SCALE // 2]
    return (rises and top[0] - foot[-1] > 0.1 * width
            and min(row[0] for row in drawn[height // 2:]) < foot[0] - SCALE / 2)


def check_formula(page, kind):
    root, below, printed = page.evaluate(FORMULA + ROOT)
    sign = ink_of(page, root["x"], root["y"], below["x"] - root["x"], root["height"])
    expect(is_sign(sign) and size_of(sign)[1] > 0.8 * len(sign),
           f"{kind}: the sign of the root is not drawn")
    bar = ink_of(page, below["x"], root["y"], below["width"], below["y"] - root["y"])
    expect(any(all(row[:-SCALE]) for row in bar), f"{kind}: the bar of the root is not drawn")
    expect(printed == "exact", f"{kind}: on paper the root is not drawn")
    letter = page.evaluate(FORMULA + LETTER).values()
    before = ink_of(page, *letter)
    page.evaluate("first.textContent = 'M'")
    expect(before != ink_of(page, *letter), f"{kind}: the formula's Q and M look the same")
    page.evaluate("first.textContent = 'Q'")


def check_text(page, kind, count):
    for i in range(count):
        box = page.evaluate(TEXT.replace("INDEX", str(i)))
        expect(box is not None and is_sign(ink_of(page, *box.values())),
               f"{kind}: the √ number {i} is not drawn, at {box}")


def write_run_page(lesson, transcript, folder):
    script = folder / f"{lesson.name}.js"
    script.write_text("// The program is not run.\n")
    made = folder / "run.html"
    subprocess.run([sys.executable, TREE / "tutorials/live/lesson/make_page.py", lesson, script,
                    transcript, made], check=True)
    return made


def write_walk(folder):
    """One step of a walk, at the first line that has a root."""
    text = WALKED.read_text(encoding="utf-8")
    lines = text.split("\n")
    line = next(i for i, line in enumerate(lines) if "√" in line)
    step = {"file": WALKED.name, "line": line + 1, "source": lines[line].strip(), "stack": [],
            "function": "scaled_scores", "variables": {}, "changed": []}
    made = folder / "walk.html"
    made.write_text(page_of({"title": "A step", "about": "", "links": [], "reasons": {}, "loops": [],
                             "chapters": [], "values": [], "steps": [step],
                             "sources": {WALKED.name: [[1, text]]}}), encoding="utf-8")
    return made


def write_playground(program, folder):
    """The page as it begins: every state has the answer of the native program to the first one."""
    _, answer = make_page.note_answer([program])
    core = f"const loadHeed = async () => ({{ccall: () => {json.dumps(answer)}}});"
    made = folder / "playground.html"
    made.write_text(make_page.page(core, [program]), encoding="utf-8")
    return made


def write_text_fonts(folder):
    """Writes a font for text that has no root, no mathematical letters and no table MATH, and a font
    that has only the root. Returns the path of a fontconfig file that lists these two alone, or None
    if the machine has no TrueType font with the needed characters."""
    needed = {ord(c) for c in string.ascii_letters + string.digits + "√ᵀ·−∂"}
    for path in sorted(pathlib.Path("/usr/share/fonts").rglob("*.ttf")):
        if needed <= (TTFont(path).getBestCmap() or {}).keys():
            break
    else:
        return None
    (folder / "fonts").mkdir(exist_ok=True)
    for name, is_kept in (("text", lambda c: c != ord("√") and not 0x1D400 <= c < 0x1D800),
                          ("root", lambda c: c == ord("√"))):
        font = TTFont(path)
        for table in font["cmap"].tables:
            table.cmap = {c: glyph for c, glyph in table.cmap.items() if is_kept(c)}
        if "MATH" in font:
            del font["MATH"]
        font.save(folder / f"fonts/{name}.ttf")
    configuration = folder / "fonts.conf"
    configuration.write_text(f"<fontconfig><dir>{folder}/fonts</dir>"
                             f"<cachedir>{folder}/cache</cachedir></fontconfig>\n")
    return str(configuration)


def check_pages(pages, fonts, about):
    with Page("/dev/null", fonts=fonts) as page:
        page.call("Emulation.setScrollbarsHidden", hidden=True)
        for kind, path, count in pages:
            page.open(path)
            page.wait_for("document.readyState === 'complete'", 20)
            check_text(page, f"{kind}, {about}", count)
        for width, color, forced, medium in LOOKS:  # of the last one, the lesson
            page.resize(width, 900)
            page.call("Emulation.setEmulatedMedia", media=medium, features=[
                {"name": "prefers-color-scheme", "value": color},
                {"name": "forced-colors", "value": forced}])
            check_formula(page, f"{kind}, {about}, {width} pixels, {color}, {forced}, {medium}")


def main(lesson, transcript, playground, folder):
    folder = pathlib.Path(folder).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    written = folder / "lesson.html"
    subprocess.run([lesson, "--html", written], check=True, stdout=subprocess.DEVNULL)
    pages = [("walk", write_walk(folder), 1), ("playground", write_playground(playground, folder), 3),
             ("page that runs", write_run_page(pathlib.Path(lesson), transcript, folder), 1),
             ("lesson", written, 1)]
    check_pages(pages, None, "the fonts of this machine")
    fonts = write_text_fonts(folder)
    if fonts is not None:
        check_pages(pages, fonts, "fonts without mathematics")
    else:
        print("skipped in part: needs fonts-liberation (apt-get install fonts-liberation)")
    print(f"{len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
