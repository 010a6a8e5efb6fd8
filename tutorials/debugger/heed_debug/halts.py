"""Where a program is to halt."""

from dataclasses import dataclass
from typing import Any, Callable


@dataclass
class Halt:
    place: Any  # a function, "file.cpp:12", or an address
    wanted: Callable = lambda frame: True  # asked each time it comes there
