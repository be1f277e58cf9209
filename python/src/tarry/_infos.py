"""The info of a vector: an array for each key, and under _key for which environments it holds, as Gymnasium has it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tarry._group import Group


class Infos:
    """Makes infos out of the columns of a group."""

    def __init__(self, group: Group, copy: bool) -> None:
        n, columns = group.count, group.columns
        names = list(group.spec.get("metrics") or ())
        self._now = self._arrays(columns, names, "")
        self._final = self._arrays(columns, names, "_final")
        self._all = np.ones(n, np.bool_)
        self._all.flags.writeable = False
        self._shows = [(key, "_" + key, _same(array) if not copy else array.copy) for key, array in self._now.items()]

    @staticmethod
    def _arrays(columns: dict[str, NDArray[Any]], names: list[str], suffix: str) -> dict[str, NDArray[Any]]:
        arrays = {"elapsed": columns["elapsed" + suffix][:, 0]}
        for k, name in enumerate(names):
            arrays[name] = columns["metrics" + suffix][:, k]
        if "mask" in columns:
            arrays["action_mask"] = columns["mask" + suffix]
        return arrays

    def of_step(self) -> dict[str, Any]:
        """What all environments have after a step."""
        infos: dict[str, Any] = {}
        for key, holds, show in self._shows:
            infos[key] = show()
            infos[holds] = self._all
        return infos

    def of_reset(self, chosen: NDArray[np.bool_]) -> dict[str, Any]:
        """The values of the environments that were reset; 0 elsewhere."""
        return self.of_step() if chosen.all() else self._only(self._now, chosen)

    def add_final(self, infos: dict[str, Any], done: NDArray[np.bool_], final: Callable[[int], Any]) -> None:
        """Adds what the episodes that ended led to."""
        n = len(done)
        observations = np.full(n, None, dtype=object)
        for i in np.flatnonzero(done):
            observations[i] = final(int(i))
        infos["final_obs"], infos["_final_obs"] = observations, done.copy()
        infos["final_info"], infos["_final_info"] = self._only(self._final, done), done.copy()

    @staticmethod
    def _only(arrays: dict[str, NDArray[Any]], which: NDArray[np.bool_]) -> dict[str, Any]:
        out: dict[str, Any] = {}
        for key, array in arrays.items():
            rows = which.reshape(-1, *[1] * (array.ndim - 1))
            out[key] = np.where(rows, array, array.dtype.type(0))
            out["_" + key] = which.copy()
        return out


def _same(array: NDArray[Any]) -> Callable[[], NDArray[Any]]:
    return lambda: array
