"""A variable of a frame."""

from dataclasses import dataclass
from typing import Any


@dataclass
class Local:
    name: str
    type: Any   # behind a reference
    place: int
    later: bool  # its line has not run: there is nothing behind it
