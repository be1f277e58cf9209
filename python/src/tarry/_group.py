"""A group of environments in Go, and the one buffer between the two sides."""

from __future__ import annotations

import ctypes
import json
import time
import weakref
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tarry import _checked, _library
from tarry.errors import BY_STATUS, ClosedError, FaultError, ForkedError, OptionError, TarryError

BUSY = 4
MOST = 1 << 16  # environments of a group
DTYPES = {"f8": np.float64, "i1": np.int8, "u8": np.uint64}


def _close(lib: ctypes.CDLL, handle: int, memory: NDArray[np.uint8]) -> None:
    """Closes a group; memory stays alive until then. A forked child has no group to close."""
    while not _library.forked() and lib.tarry_close(handle) == BUSY:
        time.sleep(0.001)  # another thread is still writing to memory


class Group:
    """N environments. `columns` are arrays over the buffer: column of numbers per environment."""

    def __init__(self, env_id: str, options: str, count: int, autoreset: str, max_steps: int | None) -> None:
        lib = self.lib = _library.library()
        request = {"id": env_id, "options": options, "count": count, "autoreset": autoreset, "max_steps": _checked.steps(max_steps)}
        handle, out = ctypes.c_size_t(), ctypes.c_void_p()
        _checked.text("the id of an environment", env_id)
        if isinstance(count, bool) or not isinstance(count, (int, np.integer)) or not 0 < count <= MOST:
            raise OptionError(f"num_envs is {_checked.shown(count)}, expected 1 to {MOST}")
        request["count"] = count = int(count)
        status = lib.tarry_open(json.dumps(request).encode(), ctypes.byref(handle), ctypes.byref(out))
        text = _library.take(lib, out)
        if status:
            raise BY_STATUS.get(status, FaultError)(text)
        described = json.loads(text)
        self.spec: dict[str, Any] = described["spec"]
        self.notes: list[str] = described["notes"]
        self.layout: dict[str, Any] = described["layout"]
        self.mask: int = described["mask"]
        self.count = count
        self.handle = handle.value
        size = described["bytes"]
        try:
            memory = np.zeros(size + 64, np.uint8)
        except MemoryError as err:
            lib.tarry_close(handle.value)
            raise OptionError(f"{env_id}: {count} environments need {size} bytes for what they show, more than the memory that is free") from err
        start = -memory.ctypes.data % 64
        self.memory = memory[start : start + size]
        self.columns = {c["name"]: self._column(c) for c in described["columns"]}
        self._finalizer = weakref.finalize(self, _close, lib, self.handle, memory)
        self.check(lib.tarry_bind(self.handle, self.memory.ctypes.data, size))

    def _column(self, c: dict[str, Any]) -> NDArray[Any]:
        dtype = np.dtype(DTYPES[c["type"]])
        end = c["offset"] + self.count * c["count"] * dtype.itemsize
        return self.memory[c["offset"] : end].view(dtype).reshape(self.count, c["count"])

    def check(self, status: int) -> None:
        """Raises what a status stands for."""
        if status:
            raise self.fault(status)

    def fault(self, status: int) -> TarryError:
        """The error of the last call."""
        out = ctypes.c_void_p()
        self.lib.tarry_fault(self.handle, ctypes.byref(out))
        return BY_STATUS.get(status, FaultError)(_library.take(self.lib, out))

    def alive(self) -> None:
        """Raises where no call may be made: in a forked child, or after close."""
        if _library.forked():
            raise ForkedError()
        if not self._finalizer.alive:
            raise ClosedError(f"{self.spec['id']}: environment is closed")

    def reset(self, options: str) -> None:
        """Resets the environments that the column chosen marks."""
        self.alive()
        self.check(self.lib.tarry_reset(self.handle, options.encode()))

    def text(self, i: int) -> str:
        """Environment i in lines of text."""
        self.alive()
        out = ctypes.c_void_p()
        self.check(self.lib.tarry_text(self.handle, i, ctypes.byref(out)))
        return _library.take(self.lib, out)

    def picture(self, i: int) -> NDArray[np.uint8]:
        """Environment i as an array of height x width x 3 bytes."""
        self.alive()
        out, width, height = ctypes.c_void_p(), ctypes.c_int(), ctypes.c_int()
        self.check(self.lib.tarry_picture(self.handle, i, ctypes.byref(width), ctypes.byref(height), ctypes.byref(out)))
        try:
            data = ctypes.string_at(out.value or 0, width.value * height.value * 4)
        finally:
            self.lib.tarry_free(out)
        return np.frombuffer(data, np.uint8).reshape(height.value, width.value, 4)[:, :, :3].copy()

    def close(self) -> None:
        """Closes the environments; a second call does nothing."""
        self._finalizer()
