"""The environments in Gymnasium's registry, under the ids of `tarry list envs`."""

from __future__ import annotations

import functools
import json
import pathlib
from typing import Any

import gymnasium


@functools.cache
def catalogue() -> tuple[dict[str, Any], ...]:
    """What the library lists: id, doc, options. The build wrote it into a file, so that an import does not start the library."""
    file = pathlib.Path(__file__).with_name("envs.json")
    if not file.exists():  # a clone that was not installed
        return ()
    return tuple(json.loads(file.read_text(encoding="utf-8")))


def register() -> None:
    """Registers every environment, once."""
    for entry in catalogue():
        if entry["id"] not in gymnasium.registry:
            gymnasium.register(
                id=entry["id"],
                entry_point="tarry.env:Env",
                vector_entry_point="tarry.vector:VectorEnv",
                kwargs={"env_id": entry["id"]},
                order_enforce=False,  # Go does, with the time limit
            )
