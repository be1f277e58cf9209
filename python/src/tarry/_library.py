"""The C library of tarry: where it is, the types of its calls, and the guard against fork."""

from __future__ import annotations

import ctypes
import functools
import json
import os
import pathlib
import sys
from typing import Any

from tarry.errors import ForkedError, LibraryError, OptionError

INTERFACE = 7  # tarry_interface of the library that this package goes with


def path() -> pathlib.Path:
    """The file of the library."""
    suffix = {"darwin": ".dylib", "win32": ".dll"}.get(sys.platform, ".so")
    return pathlib.Path(__file__).with_name("libtarry" + suffix)


class Process:
    """In which process the library runs. Go's runtime has threads, which a forked child lacks."""

    loaded = False
    forked = False

    @classmethod
    def after_fork(cls) -> None:
        cls.forked = cls.loaded


def _declare(lib: ctypes.CDLL) -> None:
    text = ctypes.POINTER(ctypes.c_void_p)
    number = ctypes.POINTER(ctypes.c_int)
    for name, types in {
        "tarry_interface": [],
        "tarry_version": [text],
        "tarry_envs": [text],
        "tarry_open": [ctypes.c_char_p, ctypes.POINTER(ctypes.c_size_t), text],
        "tarry_bind": [ctypes.c_size_t, ctypes.c_void_p, ctypes.c_size_t],
        "tarry_reset": [ctypes.c_size_t, ctypes.c_char_p],
        "tarry_step": None,  # an int, which takes no conversion
        "tarry_fault": [ctypes.c_size_t, text],
        "tarry_text": [ctypes.c_size_t, ctypes.c_int, text],
        "tarry_picture": [ctypes.c_size_t, ctypes.c_int, number, number, text],
        "tarry_close": [ctypes.c_size_t],
        "tarry_table": [ctypes.c_size_t, ctypes.c_char_p, ctypes.c_int64, ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p, text],
        "tarry_release": [ctypes.c_size_t],
        "tarry_measure": [ctypes.c_char_p, ctypes.c_char_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, number, ctypes.POINTER(ctypes.c_size_t), text],
        "tarry_play": [ctypes.c_char_p, ctypes.c_char_p, ctypes.c_size_t, ctypes.c_void_p, ctypes.c_void_p, number, ctypes.POINTER(ctypes.c_size_t), text],
        "tarry_view": None,  # ints, which take no conversion
        "tarry_view_bind": [ctypes.c_int, ctypes.c_void_p, ctypes.c_size_t],
        "tarry_columns": [text],
        "tarry_watch": [ctypes.c_size_t, ctypes.c_int, ctypes.c_char_p, ctypes.POINTER(ctypes.c_size_t)],
        "tarry_look": [ctypes.c_size_t, ctypes.c_int, ctypes.c_size_t, ctypes.POINTER(ctypes.c_size_t)],
        "tarry_unwatch": [ctypes.c_size_t],
        "tarry_list": [ctypes.c_char_p, text],
        "tarry_start": [ctypes.c_char_p, ctypes.c_char_p, ctypes.c_size_t, ctypes.POINTER(ctypes.c_size_t), text],
        "tarry_wait": [ctypes.c_size_t, ctypes.c_int, text],
        "tarry_cancel": [ctypes.c_size_t],
        "tarry_trace": [ctypes.c_char_p, ctypes.c_size_t, text],
    }.items():
        function = getattr(lib, name)
        function.argtypes = types
        function.restype = ctypes.c_int
    lib.tarry_free.argtypes = [ctypes.c_void_p]
    lib.tarry_free.restype = None


@functools.cache
def _load() -> ctypes.CDLL:
    file = path()
    if not file.exists():
        raise LibraryError(f"{file} is missing: install tarry anew, pip install ./python in a clone builds it (needs Go 1.26 and a C compiler)")
    lib = ctypes.CDLL(str(file))
    if lib.tarry_interface() != INTERFACE:  # before its other calls are looked for
        raise LibraryError(f"{file} has interface {lib.tarry_interface()}, expected {INTERFACE}: install tarry anew")
    _declare(lib)
    Process.loaded = True
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=Process.after_fork)
    return lib


def library() -> ctypes.CDLL:
    """The library, loaded at the first call; an error in a process that was forked since."""
    if Process.forked:
        raise ForkedError()
    return _load()


def forked() -> bool:
    """Whether this process is a child, by fork, of one that had loaded the library."""
    return Process.forked


def encoded(request: dict[str, Any]) -> bytes:
    """A request as the library takes it."""
    text = json.dumps(request)
    if "\\u0000" in text:
        raise OptionError("a setting holds a zero character, expected none")
    return text.encode()


def take(lib: ctypes.CDLL, out: ctypes.c_void_p) -> str:
    """The text that a call handed out; frees it."""
    if not out.value:
        return ""
    try:
        return ctypes.string_at(out.value).decode("utf-8", "replace")
    finally:
        lib.tarry_free(out)
