"""Makes fonts without mathematics from a TrueType font of this machine. Pages are opened with these
alone, because machines differ in which of their fonts can draw a root."""
import os
import pathlib
import string
import struct

ROOT = ord("√")
NEEDED = string.ascii_letters + string.digits + "√ᵀ·−∂"
MATHEMATICAL_LETTERS = range(0x1D400, 0x1D800)
FOLDERS = ("/usr/share/fonts", "/usr/local/share/fonts", "~/.local/share/fonts", "~/.fonts")


def tables_of(font):
    tables = {}
    for i in range(struct.unpack_from(">H", font, 4)[0]):
        tag, _, start, size = struct.unpack_from(">4sIII", font, 12 + 16 * i)
        tables[tag] = font[start:start + size]
    return tables


def glyphs_of(cmap):
    """The glyph of each character, from the subtables of Unicode in formats 4 and 12."""
    glyphs = {}
    for i in range(struct.unpack_from(">H", cmap, 2)[0]):
        platform, encoding, at = struct.unpack_from(">HHI", cmap, 4 + 8 * i)
        form = struct.unpack_from(">H", cmap, at)[0]
        if (platform, encoding, form) == (3, 10, 12):
            for j in range(struct.unpack_from(">I", cmap, at + 12)[0]):
                first, last, glyph = struct.unpack_from(">III", cmap, at + 16 + 12 * j)
                glyphs.update((c, glyph + c - first) for c in range(first, last + 1))
        elif (platform, encoding, form) == (3, 1, 4):
            glyphs.update(glyphs_in_segments(cmap, at))
    return {c: glyph for c, glyph in glyphs.items() if glyph}


def glyphs_in_segments(cmap, at):
    size = struct.unpack_from(">H", cmap, at + 6)[0]
    for j in range(0, size, 2):
        ends, starts = at + 14 + j, at + 16 + size + j
        last, first = (struct.unpack_from(">H", cmap, place)[0] for place in (ends, starts))
        delta, offset = (struct.unpack_from(">H", cmap, starts + k * size)[0] for k in (1, 2))
        for c in range(first, min(last, 0xFFFE) + 1):
            place = starts + 2 * size + offset + 2 * (c - first)
            glyph = struct.unpack_from(">H", cmap, place)[0] if offset else c
            yield c, (glyph + delta) & 0xFFFF if glyph else 0


def cmap_of(glyphs):
    """A table in format 12 that has a group for each character."""
    groups = b"".join(struct.pack(">III", c, c, glyph) for c, glyph in sorted(glyphs.items()))
    return struct.pack(">HHHHIHHIII", 0, 1, 3, 10, 12, 12, 0, 16 + len(groups), 0,
                       len(glyphs)) + groups


def write_font(path, tables):
    directory, data, start = b"", b"", 12 + 16 * len(tables)
    for tag, table in sorted(tables.items()):
        directory += struct.pack(">4sIII", tag, 0, start + len(data), len(table))
        data += table + bytes(-len(table) % 4)
    path.write_bytes(struct.pack(">IHHHH", 0x10000, len(tables), 0, 0, 0) + directory + data)


def fonts_of_machine():
    for folder in FOLDERS:
        for path in sorted(pathlib.Path(os.path.expanduser(folder)).rglob("*.ttf")):
            font = path.read_bytes()
            if font[:4] == b"\0\1\0\0":
                yield tables_of(font)


def write_text_fonts(folder):
    """Writes a font for text that has no root, no mathematical letters and no table MATH, and a font
    that has only the root. Returns the path of a fontconfig file that lists these two alone, or None
    if the machine has no TrueType font to make them of."""
    folder = pathlib.Path(folder).resolve()
    (folder / "fonts").mkdir(parents=True, exist_ok=True)
    for tables in fonts_of_machine():
        glyphs = glyphs_of(tables.get(b"cmap", bytes(4)))
        if all(c in glyphs for c in map(ord, NEEDED)):
            break
    else:
        return None
    tables.pop(b"MATH", None)
    root = glyphs.pop(ROOT)
    for letter in MATHEMATICAL_LETTERS:
        glyphs.pop(letter, None)
    write_font(folder / "fonts/text.ttf", {**tables, b"cmap": cmap_of(glyphs)})
    write_font(folder / "fonts/root.ttf", {**tables, b"cmap": cmap_of({ROOT: root})})
    configuration = folder / "fonts.conf"
    configuration.write_text(f'<?xml version="1.0"?>\n<fontconfig><dir>{folder}/fonts</dir>'
                             f"<cachedir>{folder}/cache</cachedir></fontconfig>\n")
    return str(configuration)
