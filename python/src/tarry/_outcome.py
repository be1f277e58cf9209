"""What a step of one environment led to: one read of the buffer beside the observation."""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any

from tarry._group import Group
from tarry._spaces import Parts

Outcome = tuple[Any, float, bool, bool, dict[str, Any]]
Finish = Callable[[], Outcome]


def finisher(group: Group, copy: bool) -> Callable[[Parts], Finish]:
    """What makes, of what gives the observation or its parts, a function that gives all of a step of the only environment of a group.

    The function is made of text, as dataclasses make their functions: calls and loops between its parts would cost half a microsecond.
    """
    names = ["elapsed", *(group.spec.get("metrics") or ())]
    given: dict[str, Any] = {"unpack": struct.Struct(_layout(group)).unpack_from, "memory": memoryview(group.memory)}  # type: ignore[arg-type]
    values = [f"v{i}" for i in range(len(names))]
    info = [f"{name!r}: {value}" for name, value in zip(names, values, strict=True)]
    if group.mask:
        mask = group.columns["mask"][0]
        given["mask"] = mask.copy if copy else lambda: mask
        info.append("'action_mask': mask()")

    def make(parts: Parts) -> Finish:
        if isinstance(parts, dict):
            shows = {f"show{i}": show for i, show in enumerate(parts.values())}
            observation = "{" + ", ".join(f"{name!r}: {show}()" for name, show in zip(parts, shows, strict=True)) + "}"
        else:
            shows, observation = {"show": parts}, "show()"
        body = f"reward, {', '.join(values)}, terminated, truncated = unpack(memory)"
        outcome = f"{observation}, reward, terminated, truncated, {{{', '.join(info)}}}"
        text = f"def make_it({', '.join([*given, *shows])}):\n  def finish():\n    {body}\n    return {outcome}\n  return finish"
        made: dict[str, Any] = {}
        exec(text, made)
        finish: Finish = made["make_it"](**given, **shows)
        return finish

    return make


def _layout(group: Group) -> str:
    """The columns reward, elapsed, metrics, terminated and truncated, with what lies between them."""
    text, at = "@", 0
    start = group.memory.ctypes.data
    for name in ("reward", "elapsed", "metrics", "terminated", "truncated"):
        if name in group.columns:
            column = group.columns[name]
            text += f"{column.ctypes.data - start - at}x{column.size}{'?' if column.itemsize == 1 else 'd'}"
            at = column.ctypes.data - start + column.nbytes
    return text
