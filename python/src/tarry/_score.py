"""The function of tarry/Order-v0: a weighted sum of terms of a job, with tanh units beside them, and the text file that has it."""

from __future__ import annotations

import pathlib
from typing import Any, NamedTuple

import numpy as np

from tarry._checkpoint import Array
from tarry.errors import OptionError

INPUTS = ("rank", "spread", "gpus", "attained", "age", "wait", "running", "preempted", "exposed", "slowed", "level")  # after present, in a row
PRODUCTS = ("rank", "gpus", "attained")
SQUARES = ("rank", "gpus", "attained", "age", "wait")
TERMS = (*INPUTS, *(f"pressure_{n}" for n in PRODUCTS), *(f"{n}2" for n in SQUARES))
ROW = len(INPUTS) + 1
MOST = 100.0  # bound of scores
GLOBALS = 4  # margin, ln_min_run, ln_t_rack, ln_t_net
MAGIC = "tarry-score 1"


class Function(NamedTuple):
    """What a vector of weights means."""

    terms: tuple[str, ...]
    hidden: int = 0

    def names(self) -> list[str]:
        """The weights in their order."""
        inputs = ["bias", *(t for t in self.terms if t in INPUTS), "pressure", "out"]
        return [*self.terms, *(f"unit{k + 1}.{n}" for k in range(self.hidden) for n in inputs)]


def _center(name: str) -> float:
    return 2.0 if name == "gpus" else 4.0


def _term(name: str, rows: Any, pressure: Any) -> Any:
    if name in INPUTS:
        return rows[..., 1 + INPUTS.index(name)]
    if name.startswith("pressure_"):
        of = name.removeprefix("pressure_")
        return pressure * (rows[..., 1 + INPUTS.index(of)] - _center(of))
    of = name[:-1]
    v = 0.5 * (rows[..., 1 + INPUTS.index(of)] - _center(of))
    return v * v


def scores(ops: Any, f: Function, vector: Any, rows: Any, pressure: Any) -> Any:
    """The score of every row, 0 where there is no job. ops is numpy's or torch's (tarry._nets)."""
    total = rows[..., 0] * 0.0
    for i, name in enumerate(f.terms):
        total = total + vector[i] * _term(name, rows, pressure)
    inputs = [1 + INPUTS.index(t) for t in f.terms if t in INPUTS]
    at, n = len(f.terms), len(inputs) + 1
    for _ in range(f.hidden):
        within = vector[at] + vector[at + n] * pressure
        for i, column in enumerate(inputs):
            within = within + vector[at + 1 + i] * rows[..., column]
        total = total + vector[at + n + 1] * ops.tanh(within)
        at += n + 2
    return ops.clip(total, -MOST, MOST) * (rows[..., 0] != 0)


def read(path: pathlib.Path) -> tuple[Function, Array, dict[str, str]]:
    """A file of tarry export weights: its function, its weights, and its other lines."""
    lines = [line.strip() for line in path.read_text(encoding="utf-8-sig").splitlines()]
    lines = [line for line in lines if line and not line.startswith("#")]
    if not lines or lines[0] != MAGIC:
        raise OptionError(f"{path}: begins with {lines[0][:60] if lines else ''!r}, expected {MAGIC!r}, or a checkpoint")
    said = dict(line.split(" ", 1) for line in lines[1:4] if " " in line)
    pairs: dict[str, str] = {}
    for line in lines[4:]:
        name, _, value = line.partition("=")
        pairs[name.strip()] = value.strip()
    try:
        f = Function(tuple(said["features"].split()), int(said["hidden"]))
        unknown = [t for t in f.terms if t not in TERMS]
        if unknown:
            raise OptionError(f"{path}: the features {', '.join(unknown)} are unknown, expected some of {', '.join(TERMS)}")
        vector = np.array([float(pairs.pop(name)) for name in f.names()])
    except (KeyError, ValueError) as err:
        raise OptionError(f"{path}: {err}: a line is missing or wrong, expected predictor, features, hidden and every weight of the features") from err
    return f, vector, {"predictor": said.get("predictor", "none"), **pairs}


def text(f: Function, vector: Array, other: dict[str, str]) -> str:
    """The file that read reads, and `--policy ranked:weights=FILE`."""
    lines = [MAGIC, f"predictor {other.get('predictor', 'none')}", f"features {' '.join(f.terms)}", f"hidden {f.hidden}", ""]
    lines += [f"{k} = {v}" for k, v in other.items() if k != "predictor"]
    return "\n".join([*lines, "", *(f"{n} = {float(v)!r}" for n, v in zip(f.names(), vector, strict=True)), ""])
