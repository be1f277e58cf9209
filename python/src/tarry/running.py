"""tarry.simulate and tarry.compare: the commands of these names, with keyword arguments in place of flags."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from tarry import _asking, _checked, _library, _own, _own_jobs, _settings, _work
from tarry.errors import OptionError
from tarry.result import Result

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from tarry._keywords import Settings

TABLES = ("trials", "jobs")


def simulate(*, tables: Sequence[str] = TABLES, workers: int | None = None, out: Any = None, force: bool = False, **settings: Unpack[Settings]) -> Result:
    """Runs one policy on one workload, as `tarry simulate` does.

    Settings are the flags of the command and the keys of a run's file: simulate(trace="synth:demo", cluster="4x4x8", policy="dally",
    costs={"start_s": 1}). trace may be a table or data frame of jobs, columns by name, or a list of rows. tables names which tables the result has: trials, jobs, intervals,
    cluster, power, predictions, measures; their units are in docs/reference/tables.md. out writes the folder that --out writes.

    Raises: OptionError for a wrong setting or argument; RunError where the run fails (a file, a disk); ForkedError in a forked process.

    Example:
        import tarry

        result = tarry.simulate(trace="synth:demo", cluster="4x4x8", policy="dally")
        print(result.jobs.to_pandas()["jct_s"].mean())  # seconds
    """
    return _run("simulate", tables, workers, out, force, False, dict(settings))


def compare(*, tables: Sequence[str] = TABLES, workers: int | None = None, out: Any = None, force: bool = False, bounds: bool = False, **settings: Unpack[Settings]) -> Result:
    """Runs many policies on the same jobs, as `tarry compare` does: compare(trace="synth:demo", policies=["dally", "fifo"], replicates=5).

    The result's summary has each policy's difference from the first, in pairs, with its interval. The arguments are as of simulate, and bounds, which
    adds the rows ideal:, hindsight: and placebo: of docs/reference/bounds.md.

    Raises: OptionError for a wrong setting or argument; RunError where a run fails (a file, a disk); ForkedError in a forked process.

    Example:
        import tarry

        result = tarry.compare(trace="synth:demo", cluster="4x4x8", policies=["dally", "fifo"])
        print(result)  # the table of tarry compare
    """
    return _run("compare", tables, workers, out, force, bounds, dict(settings))


def _file(what: str, value: Any) -> Any:
    """A file by its path, or its settings."""
    if value is None:
        return None
    if isinstance(value, Mapping):
        return _settings.tree(value)
    if isinstance(value, (str, os.PathLike)):
        return _checked.text(what, os.fsdecode(value))
    raise OptionError(f"{what} is {_checked.shown(value)}, expected the path of a file, or its settings as a dict")


def _run(command: str, tables: Sequence[str], workers: int | None, out: Any, force: bool, bounds: bool, settings: dict[str, Any]) -> Result:
    jobs = None
    for what, value in (("force", force), ("bounds", bounds)):
        if not isinstance(value, (bool, np.bool_)):
            raise OptionError(f"{what} is {_checked.shown(value)}, expected True or False")
    if _own_jobs.is_table(settings.get("trace")):
        jobs = _own_jobs.parquet(settings["trace"])
        settings["trace"] = _own_jobs.spelling(jobs)
    if workers is not None:
        settings.setdefault("jobs", workers)
    if out is not None:
        settings["out"] = out
    preset = settings.pop("preset", None)
    own: list[_own.Own] = []
    for key in ("policy", "policies"):
        if settings.get(key) is not None:
            settings[key] = _own.take(settings[key], own)
    request = {
        "command": command,
        "config": _file("config", settings.pop("config", None)),
        "scenario": _file("scenario", settings.pop("scenario", None)),
        "preset": "" if preset is None else _checked.text("preset", preset),
        "settings": _settings.tree(settings),
        "tables": _checked.texts("tables", tables),
        "force": bool(force),
        "bounds": bool(bounds),
        "library": str(_library.path()),
    }
    return Result(*(_asking.play(request, jobs, own) if own else _work.run(request, jobs)))
