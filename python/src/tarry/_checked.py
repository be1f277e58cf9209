"""Arguments of users: what is not of the kind that is expected is an OptionError, whatever Python makes of it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from tarry.errors import OptionError

LONGEST = 200  # characters of a value in an error


def shown(value: Any) -> str:
    """A value for an error, also where it has no text: a whole number of 5000 digits, an object whose repr fails."""
    try:
        said = repr(value)
    except Exception:
        said = f"a value of type {type(value).__name__}"
    said = said.encode("utf-8", "backslashreplace").decode()
    return said if len(said) <= LONGEST else said[:LONGEST] + "..."


def text(what: str, value: Any) -> str:
    """A text that the library can be given."""
    if not isinstance(value, str):
        raise OptionError(f"{what} is {shown(value)}, expected a text")
    try:
        value.encode()
    except UnicodeEncodeError as err:
        raise OptionError(f"{what} is {shown(value)}, expected text that UTF-8 can hold") from err
    return value


def path(what: str, value: Any) -> str:
    """The path of a file."""
    if not isinstance(value, (str, os.PathLike)):
        raise OptionError(f"{what} is {shown(value)}, expected a path")
    said = text(what, os.fsdecode(value))
    if "\0" in said:
        raise OptionError(f"{what} is {shown(value)}, expected no zero character")
    return said


def texts(what: str, values: Any) -> list[str]:
    """A list of texts; one text is a list of it."""
    if isinstance(values, str):
        return [text(what, values)]
    if not isinstance(values, Iterable):
        raise OptionError(f"{what} is {shown(values)}, expected a list of texts")
    out = list(values)
    for one in out:
        if not isinstance(one, str):
            raise OptionError(f"{what} has {shown(one)}, expected a text")
        text(what, one)
    return out


def settings(what: str, value: Any) -> dict[str, Any]:
    """A dict; None is an empty one."""
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise OptionError(f"{what} is {shown(value)}, expected a dict")
    for key in value:
        text(f"a name in {what}", key)
    return dict(value)


def steps(value: Any) -> int:
    """The limit of an episode; 0 is none."""
    if value is None:
        return 0
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or not 1 <= int(value) < 1 << 31:
        raise OptionError(f"max_episode_steps is {shown(value)}, expected None or a whole number from 1 to 2**31 - 1")
    return int(value)


def number(value: int) -> str:
    """A whole number as text."""
    if not -(1 << 128) < value < 1 << 128:
        raise OptionError(f"{shown(value)} is too large for any option")
    return str(value)
