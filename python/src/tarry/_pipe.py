"""The pipes of a process that the command started to ask: frames of a letter, a length in four bytes, and bytes (run/pychild/frame.go)."""

from __future__ import annotations

import os
import struct
import sys
import threading
import time
from typing import BinaryIO

HEAD = struct.Struct("<cI")


def private() -> tuple[BinaryIO, BinaryIO]:
    """The two pipes, out of reach of code that prints or reads: number 1 is standard error from now on, number 0 is empty."""
    questions, answers = os.dup(0), os.dup(1)
    empty = os.open(os.devnull, os.O_RDONLY)
    os.dup2(empty, 0)
    os.close(empty)
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    return os.fdopen(questions, "rb"), os.fdopen(answers, "wb", buffering=0)


def receive(pipe: BinaryIO) -> tuple[bytes, bytes] | None:
    """A frame; None at the end."""
    head = pipe.read(HEAD.size)
    if len(head) < HEAD.size:
        return None
    kind, size = HEAD.unpack(head)
    body = pipe.read(size)
    return (kind, body) if len(body) == size else None


def send(pipe: BinaryIO, kind: bytes, body: bytes) -> None:
    """Writes a frame."""
    left = memoryview(HEAD.pack(kind, len(body)) + body)
    while left:
        left = left[pipe.write(left) :]


def _leave_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(1)


def follow() -> None:
    """Ends this process, whatever it does then, when the process that asks is gone without a word."""
    threading.Thread(target=_leave_with, args=(os.getppid(),), daemon=True).start()


def here() -> None:
    """Modules of the present folder are found."""
    if "" not in sys.path and os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())
