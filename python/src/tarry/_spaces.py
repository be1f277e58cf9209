"""Spaces of Go as spaces of Gymnasium, and values between a flat row of float64 and what a space has."""

from __future__ import annotations

import operator
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from tarry._checked import shown
from tarry.errors import InvalidAction

Row = NDArray[np.float64]
Show = Callable[[], Any]
Parts = Show | dict[str, Show]


def space(wire: dict[str, Any]) -> spaces.Space[Any]:
    """The space that JSON describes."""
    kind = wire["type"]
    if kind == "Box":
        low, high = (np.array([float(v) for v in wire[k]]) for k in ("low", "high"))
        shape = tuple(wire.get("shape", (len(low),)))
        return spaces.Box(low.reshape(shape), high.reshape(shape), dtype=np.float64)
    if kind == "Discrete":
        return spaces.Discrete(wire["n"], start=wire.get("start", 0))
    if kind == "MultiDiscrete":
        return spaces.MultiDiscrete(wire["nvec"])
    if kind == "MultiBinary":
        return spaces.MultiBinary(wire["n"])
    if kind == "Dict":
        return spaces.Dict(OrderedDict((p["name"], space(p)) for p in wire["parts"]))  # a plain dict would be sorted
    if kind == "Tuple":
        return spaces.Tuple([space(p) for p in wire["parts"]])
    raise TypeError(f"a space is of type {kind!r}, expected one of the six kinds")


def length(of: spaces.Space[Any]) -> int:
    """How many numbers a value has."""
    if isinstance(of, spaces.Discrete):
        return 1
    if isinstance(of, spaces.Dict):
        return sum(length(s) for s in of.spaces.values())
    if isinstance(of, spaces.Tuple):
        return sum(length(s) for s in of.spaces)
    return int(np.prod(of.shape or (1,)))


def reader(of: spaces.Space[Any], lead: tuple[int, ...]) -> Callable[[Row], Any]:
    """What makes values out of rows of shape lead + (length,): views where the space has float64, else copies."""
    if isinstance(of, spaces.Box):
        shape = lead + of.shape
        return lambda row: row.reshape(shape)
    if isinstance(of, spaces.Discrete):
        return (lambda row: row[..., 0].astype(np.int64)) if lead else (lambda row: np.int64(row[0]))
    if isinstance(of, (spaces.MultiDiscrete, spaces.MultiBinary)):
        dtype, shape = of.dtype, lead + of.shape
        return lambda row: row.astype(dtype).reshape(shape)
    if not isinstance(of, (spaces.Dict, spaces.Tuple)):
        raise TypeError(f"no reader for {of}")
    named = of.spaces.items() if isinstance(of, spaces.Dict) else enumerate(of.spaces)
    parts, at = [], 0
    for name, sub in named:
        parts.append((name, slice(at, at + length(sub)), reader(sub, lead)))
        at += length(sub)
    if isinstance(of, spaces.Dict):
        return lambda row: {name: read(row[..., cut]) for name, cut, read in parts}
    return lambda row: tuple(read(row[..., cut]) for _, cut, read in parts)


def live(of: spaces.Space[Any], lead: tuple[int, ...], row: Row) -> Any:
    """The value over a row that stays where it is, if all of it is real numbers: views that follow the row; else None."""
    inner = list(of.spaces.values()) if isinstance(of, spaces.Dict) else list(of.spaces) if isinstance(of, spaces.Tuple) else [of]
    if all(isinstance(s, spaces.Box) for s in inner):
        return reader(of, lead)(row)
    return None


def parts(value: Any, call: str) -> Parts | None:
    """What makes the arrays of a value anew, by their method copy or view; None where it has others than named arrays."""
    if isinstance(value, np.ndarray):
        made: Show = getattr(value, call)
        return made
    if isinstance(value, dict) and all(isinstance(part, np.ndarray) for part in value.values()):
        return {name: getattr(part, call) for name, part in value.items()}
    return None


def observer(of: spaces.Space[Any], lead: tuple[int, ...], row: Row, copy: bool) -> Parts:
    """What gives the value that a row now has: in memory of its own, or, without copy, views where the space is of real numbers."""
    value = live(of, lead, row)
    if value is None:
        read = reader(of, lead)
        return (lambda: detached(read(row))) if copy else (lambda: read(row))
    if not copy:
        return lambda: value
    return parts(value, "copy") or (lambda: detached(value))


def whole(of: Parts) -> Show:
    """What gives a value out of what gives its parts."""
    if not isinstance(of, dict):
        return of
    named = list(of.items())
    return lambda: {name: show() for name, show in named}


def writer(of: spaces.Space[Any], lead: tuple[int, ...], row: Row) -> Callable[[Any], None]:
    """What writes an action, or a batch of them, into a row of shape lead + (length,). Go checks the numbers, this the types and shapes."""
    if isinstance(of, spaces.Discrete) and not lead:
        return _index_writer(row)
    if isinstance(of, (spaces.Dict, spaces.Tuple)):
        raise TypeError(f"no writer for {of}")
    shape = lead + tuple(of.shape or ())
    kinds, expected = ("fiu", "real numbers") if isinstance(of, spaces.Box) else ("iub", "integers")
    target = row.reshape(shape)  # a view

    def write(action: Any) -> None:
        value = action if isinstance(action, np.ndarray) else _array(action, of)
        if value.shape != shape or value.dtype.kind not in kinds:
            raise InvalidAction(f"action has dtype {value.dtype} and shape {value.shape}, expected {expected} of shape {shape}")
        target[...] = value

    return _float_writer(target, write) if isinstance(of, spaces.Box) else write


def _float_writer(target: Row, write: Callable[[Any], None]) -> Callable[[Any], None]:
    """write, where an array of float64 of the right shape takes half the time: its bytes are copied, no number is looked at."""
    cell: Any = memoryview(target)  # type: ignore[arg-type]
    if target.ndim != 1:
        cell = cell.cast("B")
    flat, every, real, shape = target.ndim == 1, slice(None), target.dtype, target.shape

    def write_floats(action: Any) -> None:
        try:
            if action.dtype is real:
                if flat:
                    cell[every] = action  # compares type and length itself
                    return
                if action.shape == shape:
                    cell[every] = action.tobytes()
                    return
        except (AttributeError, TypeError, ValueError, NotImplementedError):
            pass
        write(action)

    return write_floats


def _array(action: Any, of: spaces.Space[Any]) -> NDArray[Any]:
    try:
        return np.asarray(action)
    except (TypeError, ValueError, OverflowError) as err:
        raise InvalidAction(f"action is {shown(action)}, expected a value of {of}") from err


def _index_writer(row: Row) -> Callable[[Any], None]:
    cell: Any = memoryview(row)  # type: ignore[arg-type]
    index = operator.index

    def write(action: Any) -> None:
        try:
            cell[0] = float(index(action))
        except (TypeError, OverflowError, ValueError) as err:
            raise InvalidAction(f"action is {shown(action)}, expected a whole number") from err

    return write


def choices(of: spaces.Space[Any]) -> int:
    """How many entries an action mask has."""
    if isinstance(of, spaces.Discrete):
        return int(of.n)
    if isinstance(of, spaces.MultiDiscrete):
        return int(of.nvec.sum())
    if isinstance(of, spaces.MultiBinary):
        return 2 * length(of)
    raise TypeError(f"no mask for {of}, expected an action space of choices")


def detached(value: Any) -> Any:
    """The same value in memory of its own."""
    if isinstance(value, np.ndarray):
        return value.copy()
    if isinstance(value, dict):
        return {name: detached(part) for name, part in value.items()}
    if isinstance(value, tuple):
        return tuple(detached(part) for part in value)
    return value
