"""walk: records the steps from one place of the program to another, and writes them as a page that
plays them (../../live/walk), or as JSON."""

import json
import os
import re
import shlex
import sys

import gdb

from heed_debug import levels
from heed_debug.arguments import read
from heed_debug.commands_look import gradient_of
from heed_debug.commands_stops import all_stops
from heed_debug.gdb_command import Command
from heed_debug.gdb_here import set_level
from heed_debug.gdb_moves import go_on, go_to_stop, is_running
from heed_debug.paths import find
from heed_debug.recorder import record, saved, source_of
from heed_debug.stepping import Stepping
from heed_debug.stop_names import unknown

MOST_STEPS = 3000
MOST_ASKED = 64
PAGE_FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "live", "walk")
NO_LINES = ("Nothing is known of the lines of {}: it was compiled without debug information (-g, "
            "which the preset `debug` has), so there is nothing to walk through.")


class Walk:
    """What was recorded in this session."""
    title = about = ""
    steps, chapters, links, reasons = [], [], [], {}


class Passed(gdb.Breakpoint):
    """Notes that the program came to a place, and halts there only if it is told to."""

    def __init__(self, location, halts=False):
        super().__init__(location, internal=True)
        self.halts = halts
        self.came = False

    def stop(self):
        self.came = True
        return self.halts


class PassedStops(gdb.Breakpoint):
    """Makes a chapter of each named stop that is passed; `came` after one whose name begins so."""

    def __init__(self, beginning):
        super().__init__("heed::stop", internal=True)
        self.beginning = beginning
        self.came = False

    def stop(self):
        name = gdb.selected_frame().read_var("name").string()
        Walk.chapters.append({"name": name, "step": len(Walk.steps)})
        self.came = self.came or self.beginning is not None and name.startswith(self.beginning)
        return False


def is_stop(place):
    return any(name.startswith(place) for name, _ in all_stops())


def location_of(place):
    """What gdb calls a place: a line of a file, by its number or its text, or a function."""
    file, colon, rest = place.partition(":")
    if colon and not rest.startswith(":") and "." in file:
        path, rest = path_of(file), rest.strip()
        return f"{path}:{rest if rest.isdigit() else line_with(path, rest)}"
    try:
        if gdb.decode_line(place)[1]:
            return place
    except gdb.error:
        pass
    raise gdb.GdbError(no_such_place(place))


def line_of(location):
    place = gdb.decode_line(location)[1][0]
    return place.symtab and (place.symtab.fullname(), place.line)


def path_of(file):
    """Of a source file of the program; the build has the lessons' sources as text, too."""
    base = re.escape(os.path.basename(file))
    listed = gdb.execute(f"info sources -basename -- ^{base}$", to_string=True)
    found = sorted({os.path.realpath(path.strip()) for path in re.split(r"[,\n]\s*", listed)
                    if path.strip().endswith("/" + file) and "/tutorials/pages/" not in path})
    if len(found) == 1:
        return found[0]
    if found:
        raise gdb.GdbError(f"There are {len(found)} source files {file}: name the folder, too, "
                           f"{'/'.join(found[0].split('/')[-2:])}.")
    raise gdb.GdbError(f"This program has no source file {file}, or it was compiled without debug "
                       "information.")


def line_with(path, text):
    lines = [number for number, line in enumerate(source_of(path), 1) if text in line]
    if len(lines) != 1:
        raise gdb.GdbError(f'{len(lines)} lines of {os.path.basename(path)} have the text '
                           f'"{text}": one is needed.')
    return lines[0]


def no_such_place(place):
    names = unknown(place, all_stops()).partition("It has these:\n")[2]
    known = "" if not names else f" These stops are there:\n{names}"
    return (f'"{place}" is no stop, no line (file.cpp:12) and no function of this program.'
            + known)


def check_lines_are_known():
    program = gdb.current_progspace().filename
    if not program:
        raise gdb.GdbError("No program is loaded: file build/debug/tutorials/08_causal_attention")
    found = gdb.decode_line("main")[1] if has_main() else ()
    if not found or found[0].symtab is None:
        raise gdb.GdbError(NO_LINES.format(os.path.basename(program)))


def has_main():
    try:
        gdb.decode_line("main")
        return True
    except gdb.error:
        return False


def run_to(place):
    """To where the walk begins."""
    if place == "here":
        if not is_running():
            raise gdb.GdbError("The program is not running, so there is no here: name a stop, a "
                               "line or a function.")
        return
    if is_stop(place):
        came = go_to_stop(place, quietly=True)
    else:
        passed = Passed(location_of(place), halts=True)
        try:
            go_on(quietly=True)
            came = passed.came and is_running()
        finally:
            passed.delete()
    if not came:
        ended = "Something else halted the program" if is_running() else "The program ended"
        raise gdb.GdbError(f'{ended} before it came to "{place}", where the walk begins.')


def go_through(place):
    """Records up to the place; its line is the last step."""
    to_stop = is_stop(place)
    stops = PassedStops(place if to_stop else None) if all_stops() else None
    end = stops if to_stop else Passed(location_of(place))
    line = None if to_stop else line_of(location_of(place))
    try:
        came = record(Walk.steps, lambda steps: end.came or steps[-1].place == line, MOST_STEPS)
    finally:
        for each in {end, stops} - {None}:
            each.delete()
    if came:
        return
    if not is_running():
        raise gdb.GdbError(f'The program ended before it came to "{place}", where the walk ends.')
    raise gdb.GdbError(f'After {MOST_STEPS} steps it has not come to "{place}": name a nearer '
                       "place, or a level that goes less deep.")


def level_called(name):
    found = [level for level, (known, _) in levels.LEVELS.items() if known == name]
    if not found:
        names = ", ".join(known for known, _ in levels.LEVELS.values())
        raise gdb.GdbError(f'There is no level "{name}"; there are {names}.')
    return found[0]


class WalkCommand(Command):
    """walk FROM TO [LEVEL [CHAPTER]]: record every step from one place to another, at the level
    that is on or at this one; a second walk is added to the first. A place is a named stop, a line
    (attention.cpp:41, or "attention.cpp: softmax(" for the one with this text), a function, or, to
    begin with, here.
    walk "08.1 the scores" "08.1 weights and output"
    walk here plain.cpp:60 kernels "one entry of the product"
    walk why s            what `why` says of each entry of the gradient of s, for the page
    walk title NAME ABOUT what the page is called, and a sentence
    walk link NAME FILE   a page beside it that it links to
    walk save FILE        writes FILE.html, a page that plays it, or FILE.json"""

    def __init__(self):
        super().__init__("walk", gdb.COMPLETE_NONE)

    def lines(self, argument):
        try:
            words = shlex.split(argument)
        except ValueError:
            raise gdb.GdbError("A quote is open at the end.") from None
        if len(words) == 3 and words[0] == "title":
            Walk.title, Walk.about = words[1:]
        elif len(words) == 3 and words[0] == "link":
            Walk.links.append(words[1:])
        elif len(words) == 2 and words[0] == "why":
            return self.why(words[1])
        elif len(words) == 2 and words[0] == "save":
            return self.save(words[1])
        elif 2 <= len(words) <= 4:
            return self.walk(*words)
        else:
            raise gdb.GdbError('From where to where? For example: walk "08.1 the scores" '
                               '"08.1 weights and output". `stops` lists the stops.')
        return []

    def walk(self, start, end, level="", chapter=""):
        check_lines_are_known()
        was = Stepping.level
        if level:
            set_level(level_called(level))
        try:
            if not is_stop(end):
                location_of(end)
            run_to(start)
            begun = len(Walk.steps)
            if chapter or start != "here":
                Walk.chapters.append({"name": chapter or start, "step": begun})
            go_through(end)
        finally:
            set_level(was)
        return [f"{len(Walk.steps) - begun} steps"]

    def why(self, name):
        """Of each entry of a leaf's gradient."""
        grad = gradient_of(name, read(find(name)).node)
        if grad.count > MOST_ASKED:
            raise gdb.GdbError(f"The gradient of {name} has {grad.count} entries, and `walk why` "
                               f"asks of {MOST_ASKED} at most.")
        for position in range(grad.count):
            index = ",".join(map(str, grad.index_of(position)))
            said = gdb.execute(f"why {name}[{index}]", to_string=True)
            Walk.reasons.setdefault(name + ".grad", []).append(said.rstrip())
        return [f"{grad.count} entries of the gradient of {name}"]

    def save(self, path):
        if not Walk.steps:
            raise gdb.GdbError("Nothing was recorded yet: walk FROM TO.")
        program = os.path.basename(gdb.current_progspace().filename)
        found = saved(Walk.steps, title=Walk.title or program, about=Walk.about,
                      chapters=chapters(), links=Walk.links, reasons=Walk.reasons)
        text = page_of(found) if path.endswith(".html") else json.dumps(
            found, ensure_ascii=False, indent=1)
        write_whole(path, text)
        return [f"{len(Walk.steps)} steps in {path}"]


def write_whole(path, text):
    """Beside it first, so that nobody finds half a file."""
    beside = f"{path}.{os.getpid()}"
    try:
        with open(beside, "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(beside, path)
    except OSError as error:
        if os.path.exists(beside):
            os.remove(beside)
        raise gdb.GdbError(f"{path}: {error.strerror}.") from None


def chapters():
    """Without those that begin with the same step as the next one."""
    last = {chapter["step"]: chapter for chapter in Walk.chapters}
    return [last[step] for step in sorted(last) if step < len(Walk.steps)]


def page_of(found):
    sys.path.insert(0, PAGE_FOLDER)
    try:
        import page
    except ModuleNotFoundError:
        raise gdb.GdbError("The files of the page are not beside the debugger's (live/walk): a "
                           "file that ends in .json needs none of them.") from None
    return page.page_of(found)


WalkCommand()
