"""The networks of the agents, over numpy or torch: weights are as in Go, `x @ weight + bias`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np


class Numpy:
    """The operations that the networks need, of numpy."""

    tanh = staticmethod(np.tanh)
    clip = staticmethod(np.clip)

    @staticmethod
    def relu(x: Any) -> Any:
        """The larger of 0 and a number."""
        return np.maximum(x, 0.0)

    @staticmethod
    def cat(parts: list[Any]) -> Any:
        """Joins along the last axis."""
        return np.concatenate(parts, -1)


class List(NamedTuple):
    """How an observation lists candidates, classes or items: numbers about the whole, then slots of features."""

    whole: int
    features: int
    extra: int = 0
    each: int = 0
    marked: bool = False  # the first feature is 0 where there is none
    choices: int = 0  # of each slot; 0 = 1

    def slots(self, x: Any) -> Any:
        """The slots of observations, as batch x slots x features."""
        return x[..., self.whole :].reshape(x.shape[0], -1, self.features)

    def legal(self, x: Any, mask: Any) -> Any:
        """Which slots take part, as numbers."""
        rows = self.slots(x)
        ones = rows[..., 0] * 0.0 + 1.0  # of their type: torch makes 32 bits of a truth value
        if self.marked:
            return (rows[..., 0] != 0) * ones
        if mask is None:
            return ones
        legal = mask[..., self.extra :]
        if self.choices < 2:
            return legal * ones
        return (legal.reshape(rows.shape[0], rows.shape[1], self.choices).sum(-1) > 0) * ones


def dense(w: Mapping[str, Any], name: str, x: Any) -> Any:
    """One layer."""
    return x @ w[name + "/weight"] + w[name + "/bias"]


def mlp(bend: Any, w: Mapping[str, Any], name: str, x: Any) -> Any:
    """Dense layers name/0, name/1, ... with the function bend between them."""
    last = sum(1 for key in w if key.startswith(name + "/") and key.endswith("/weight")) - 1
    for i in range(last):
        x = bend(dense(w, f"{name}/{i}", x))
    return dense(w, f"{name}/{last}", x)


def set_net(ops: Any, bend: Any, w: Mapping[str, Any], name: str, x: Any, mask: Any, of: List, pooled: bool) -> Any:
    """A network that judges every slot in the context of all (pooled: gives one number about all). Slots that take no part have 0."""
    legal = of.legal(x, mask)
    count = legal.sum(-1)[..., None]
    e = bend(dense(w, name + "/embed", of.slots(x))) * legal[..., None]
    mean = e.sum(-2) / (count + (count == 0))
    u = ops.cat([x[..., : of.whole], count / legal.shape[-1]])
    c = bend(dense(w, name + "/context", bend(dense(w, name + "/global", u))) + mean @ w[name + "/pool"])
    if pooled:
        return dense(w, name + "/out", c)
    h = bend(dense(w, name + "/score", e) + c[..., None, :])
    answers = (dense(w, name + "/out", h) * legal[..., None]).reshape(x.shape[0], -1)
    return ops.cat([dense(w, name + "/extra", c), answers]) if of.extra else answers
