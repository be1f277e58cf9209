"""What the library states of itself: its version, and which environments there are."""

from __future__ import annotations

import ctypes
import functools
import json
from typing import Any

from tarry import _library
from tarry.errors import LibraryError


def _ask(name: str) -> str:
    lib, out = _library.library(), ctypes.c_void_p()
    status = getattr(lib, name)(ctypes.byref(out))
    text = _library.take(lib, out)
    if status:
        raise LibraryError(f"{name}: {text}")
    return text


@functools.cache
def version() -> str:
    """The version of the program, as `tarry version` prints it."""
    return _ask("tarry_version")


def list_envs() -> list[dict[str, Any]]:
    """The environments: id, doc, options (a line each) and max_steps (0 = the environment sees to it).

    Example:
        import tarry

        print([entry["id"] for entry in tarry.list_envs()])
    """
    return list(json.loads(_ask("tarry_envs")))
