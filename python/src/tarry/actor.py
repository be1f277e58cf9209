"""A policy in a process of its own, for `tarry eval --actor python:MODULE:FUNCTION`: python3 -m tarry.actor MODULE:FUNCTION.

FUNCTION(env) gives the policy, or (policy, env with wrappers). Questions come through standard input and answers leave through standard output, as
frames: a letter, the length in four bytes, and numbers (run/pychild/frame.go, run/pyactor/wire.go). What any code prints goes to standard error.
"""

from __future__ import annotations

import importlib
import json
import signal
import sys
import traceback
from typing import Any, BinaryIO

import numpy as np

from tarry import _pipe


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
    first = _pipe.receive(questions)
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
        _pipe.send(answers, b"h", json.dumps({"version": version(), **numbers, "sha256": _policies.sha256_of(policy)}).encode())
        while (frame := _pipe.receive(questions)) is not None:
            row = np.frombuffer(frame[1], "<f8")
            player.row[:] = row[: len(player.row)]
            if player.mask is not None:
                player.mask[:] = row[len(player.row) :]
            player.play()
            _pipe.send(answers, b"a", player.action.astype("<f8").tobytes())


def main() -> int:
    """Answers until the questions end; what is raised goes to who asks."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # who asks ends this process
    _pipe.follow()
    questions, answers = _pipe.private()
    _pipe.here()
    try:
        _play(sys.argv[1], questions, answers)
    except BrokenPipeError:
        return 1
    except BaseException:
        _pipe.send(answers, b"e", traceback.format_exc().encode())
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
