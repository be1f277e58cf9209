"""What there is by name: `tarry list` from Python. An entry has a name, a line of words (doc), and often more."""

from __future__ import annotations

import ctypes
import json
from typing import Any

from tarry import _library
from tarry.errors import OptionError

Entries = list[dict[str, Any]]


def _list(name: str) -> Entries:
    lib, out = _library.library(), ctypes.c_void_p()
    status = lib.tarry_list(name.encode(), ctypes.byref(out))
    text = _library.take(lib, out)
    if status:
        raise OptionError(text)
    return list(json.loads(text))


def list_policies() -> Entries:
    """The schedulers, their papers and parameters."""
    return _list("policies")


def list_traces() -> Entries:
    """The formats of traces and the generator's presets."""
    return _list("traces")


def list_speeds() -> Entries:
    """The speed models and their options."""
    return _list("speeds")


def list_predictors() -> Entries:
    """The predictors of run times, their papers and settings."""
    return _list("predictors")


def list_models() -> Entries:
    """The catalogue of networks."""
    return _list("models")


def list_clusters() -> Entries:
    """The named clusters and where their figures come from."""
    return _list("clusters")


def list_costs() -> Entries:
    """The keys of costs."""
    return _list("costs")


def list_deadlines() -> Entries:
    """The keys of deadlines: the law of the jobs' deadlines."""
    return _list("deadlines")


def list_efficiency() -> Entries:
    """The keys of efficiency: what samples of larger batches are worth."""
    return _list("efficiency")


def list_hosts() -> Entries:
    """The laws of hosts: how speeds follow the CPU and memory that jobs have."""
    return _list("hosts")


def list_interference() -> Entries:
    """The laws of interference: what jobs on one GPU keep of their speeds."""
    return _list("interference")


def list_elastic() -> Entries:
    """The keys of elastic: which jobs can run on other numbers of GPUs than they ask for."""
    return _list("elastic")


def list_quotas() -> Entries:
    """The forms and keys of quotas: who owns which part of the cluster."""
    return _list("quotas")


def list_settings() -> Entries:
    """The settings of a run and its scenario: key, flag, unit, range, default and meaning."""
    return _list("settings")


def list_presets() -> Entries:
    """The named settings of preset."""
    return _list("presets")


def list_agents() -> Entries:
    """The agents, their papers and settings."""
    return _list("agents")


def list_rewards() -> Entries:
    """The rewards of the environments over the simulator."""
    return _list("rewards")


def list_optimisers() -> Entries:
    """The optimisers of tarry tune, their papers and settings."""
    return _list("optimisers")


def list_questions() -> Entries:
    """The shipped questions, what is expected, and how many cells they have."""
    path = _library.path().with_name("questions.json")
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
