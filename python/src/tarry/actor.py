"""A policy in a process of its own, for `tarry eval --actor python:MODULE:FUNCTION`: python3 -m tarry.actor MODULE:FUNCTION.

FUNCTION(env) gives the policy, or (policy, env with wrappers). Questions come through standard input and answers leave through standard output, as
frames: a letter, the length in four bytes, and numbers (run/pyactor/wire.go). What any code prints goes to standard error.
"""

from __future__ import annotations

import importlib
import json
import os
import signal
import struct
import sys
import threading
import time
import traceback
from typing import Any, BinaryIO

import numpy as np

HEAD = struct.Struct("<cI")


def _private() -> tuple[BinaryIO, BinaryIO]:
    """The two pipes, out of reach of code that prints or reads: number 1 is standard error from now on, number 0 is empty."""
    questions, answers = os.dup(0), os.dup(1)
    empty = os.open(os.devnull, os.O_RDONLY)
    os.dup2(empty, 0)
    os.close(empty)
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    return os.fdopen(questions, "rb"), os.fdopen(answers, "wb", buffering=0)


def _receive(pipe: BinaryIO) -> tuple[bytes, bytes] | None:
    """A frame; None at the end."""
    head = pipe.read(HEAD.size)
    if len(head) < HEAD.size:
        return None
    kind, size = HEAD.unpack(head)
    body = pipe.read(size)
    return (kind, body) if len(body) == size else None


def _send(pipe: BinaryIO, kind: bytes, body: bytes) -> None:
    left = memoryview(HEAD.pack(kind, len(body)) + body)
    while left:
        left = left[pipe.write(left) :]


def make(function: str, env: Any) -> tuple[Any, Any]:
    """The policy of MODULE:FUNCTION for an environment, and the environment with the wrappers that it wants."""
    from tarry import _policies

    module, _, name = function.partition(":")
    thing: Any = importlib.import_module(module)
    for part in name.split("."):
        if not hasattr(thing, part):
            raise AttributeError(f"{module} has no {name}, expected one of its names")
        thing = getattr(thing, part)
    if _policies.is_model(thing) and not isinstance(thing, type) or _policies.is_module(thing):
        return thing, env
    if not callable(thing):
        raise TypeError(f"{function} is {thing!r}, expected a function(env) that gives the policy")
    made = thing(env)
    if isinstance(made, tuple) and len(made) == 2:
        return made
    return made, env


def _play(function: str, questions: BinaryIO, answers: BinaryIO) -> None:
    first = _receive(questions)
    if first is None:
        return
    from tarry import _policies
    from tarry._names import version
    from tarry._player import Player
    from tarry.env import Env

    wanted = json.loads(first[1])
    policy, env = make(function, Env(wanted["env"], **wanted["options"]))
    player = Player(policy, env)
    numbers = {"obs": len(player.row), "mask": 0 if player.mask is None else len(player.mask), "action": len(player.action)}
    with player.lent():
        _send(answers, b"h", json.dumps({"version": version(), **numbers, "sha256": _policies.sha256_of(policy)}).encode())
        while (frame := _receive(questions)) is not None:
            row = np.frombuffer(frame[1], "<f8")
            player.row[:] = row[: len(player.row)]
            if player.mask is not None:
                player.mask[:] = row[len(player.row) :]
            player.play()
            _send(answers, b"a", player.action.astype("<f8").tobytes())


def _leave_with(parent: int) -> None:
    """Ends this process, whatever its policy does, when the process that asks is gone without a word."""
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(1)


def main() -> int:
    """Answers until the questions end; what is raised goes to who asks."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # who asks ends this process
    threading.Thread(target=_leave_with, args=(os.getppid(),), daemon=True).start()
    questions, answers = _private()
    if "" not in sys.path and os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())
    try:
        _play(sys.argv[1], questions, answers)
    except BrokenPipeError:
        return 1
    except BaseException:
        _send(answers, b"e", traceback.format_exc().encode())
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
