"""What a step of one environment led to beside the observation: one read of the buffer."""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any

from tarry._group import Group

Outcome = tuple[float, bool, bool, dict[str, Any]]


def reader(group: Group, copy: bool) -> Callable[[], Outcome]:
    """What gives reward, terminated, truncated and info of the only environment of a group."""
    names = ["elapsed", *(group.spec.get("metrics") or ())]
    unpack = struct.Struct(_layout(group)).unpack_from
    memory = memoryview(group.memory)  # type: ignore[arg-type]
    make = _maker(names)
    if not group.mask:
        return lambda: make(*unpack(memory))
    mask = group.columns["mask"][0]

    def masked() -> Outcome:
        outcome = make(*unpack(memory))
        outcome[3]["action_mask"] = mask.copy() if copy else mask
        return outcome

    return masked


def _layout(group: Group) -> str:
    """The columns reward, elapsed, metrics, terminated and truncated, with what lies between them."""
    text, at = "<", 0
    start = group.memory.ctypes.data
    for name in ("reward", "elapsed", "metrics", "terminated", "truncated"):
        if name in group.columns:
            column = group.columns[name]
            text += f"{column.ctypes.data - start - at}x{column.size}{'?' if column.itemsize == 1 else 'd'}"
            at = column.ctypes.data - start + column.nbytes
    return text


def _maker(names: list[str]) -> Callable[..., Outcome]:
    """A function that puts numbers into the dict of names. It is made of text, as dataclasses make their functions: half a microsecond less than a loop."""
    values = [f"v{i}" for i in range(len(names))]
    info = ", ".join(f"{name!r}: {value}" for name, value in zip(names, values, strict=True))
    made: Callable[..., Outcome] = eval(f"lambda reward, {', '.join(values)}, terminated, truncated: (reward, terminated, truncated, {{{info}}})", {})
    return made
