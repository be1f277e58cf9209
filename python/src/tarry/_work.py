"""Runs in Go: started, waited for, cancelled by Ctrl-C."""

from __future__ import annotations

import ctypes
import json
from typing import Any

from tarry import _library
from tarry.errors import BY_STATUS, FaultError

RUNNING = 9
PATIENCE_MS = 50  # Python looks for Ctrl-C this often


def _end(lib: ctypes.CDLL, handle: ctypes.c_size_t) -> None:
    """Cancels a run, waits until it has ended, and gives it up; there is none where handle is 0."""
    out = ctypes.c_void_p()
    lib.tarry_cancel(handle)
    while lib.tarry_wait(handle, PATIENCE_MS, ctypes.byref(out)) == RUNNING:
        pass
    _library.take(lib, out)
    lib.tarry_release(handle)


def run(request: dict[str, Any], jobs: bytes | None) -> tuple[int, dict[str, Any]]:
    """Runs a request to its end; gives the handle of its tables and the report. Other threads run meanwhile."""
    lib = _library.library()
    handle, out = ctypes.c_size_t(), ctypes.c_void_p()
    text = _library.encoded(request)
    try:
        status = lib.tarry_start(text, jobs, len(jobs or b""), ctypes.byref(handle), ctypes.byref(out))
        if status == 0:
            status = RUNNING
        while status == RUNNING:
            status = lib.tarry_wait(handle, PATIENCE_MS, ctypes.byref(out))
        said = _library.take(lib, out)
    except BaseException:  # KeyboardInterrupt: the run ends with complete files only, then it is raised
        _end(lib, handle)
        raise
    if status:
        lib.tarry_release(handle)
        raise BY_STATUS.get(status, FaultError)(said)
    return handle.value, json.loads(said)
