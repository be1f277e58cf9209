"""The tables of a tarry folder as pandas frames.

    run = Run("../runs/load")
    run.trials.groupby(["load", "policy"]).jct_mean_s.mean()

Every table of a sweep has its axes as columns, numbers where all their values are numbers: axis_load, as tarry wrote it
(docs/reference/tables.md), and load, which tables of earlier versions have as well.
"""

import json
import math
import os
from functools import cached_property
from pathlib import Path

import numpy as np
import pandas as pd

# The 0.975 quantile of Student's distribution for 1 to 30 degrees of freedom.
T975 = [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131,
        2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042]


def folder(name):
    """The folder of a question: below TARRY_RUNS, or ../runs by default."""
    return Path(os.environ.get("TARRY_RUNS", "../runs")) / name


class Run:
    """A folder of tarry sweep, compare, eval or train; tables are read when they are asked for."""

    def __init__(self, path):
        self.path = Path(path)
        if not self.path.is_dir():
            raise FileNotFoundError(f"{path} is not there; tarry sweep --question NAME --out {path} makes it")

    def __getattr__(self, table):
        if table.startswith("_") or not (self.path / table).is_dir():
            raise AttributeError(f"{self.path} has no table {table}")
        return self.read(table)

    def read(self, table):
        """One table of the folder, with the sweep's axes as columns."""
        rows = pd.read_parquet(self.path / table)
        if "cell" not in rows or self.cells is None:
            return rows
        axes = self.cells[[c for c in self.cells if c == "cell" or c not in {*rows, "index"}]]
        if "axis_seed" not in rows:  # tables of earlier versions; seed is the jobs' seed, which agents of all seeds may share
            axes = axes.assign(axis_seed=self.cells.seed)
        return rows.merge(axes, on="cell", how="left")

    def measured(self, of=""):
        """The table trials with a column per measure: of all jobs, or of one tenant (docs/reference/measures.md)."""
        keys = ["experiment", "cell", "policy", "trace", "cluster", "speed", "placement", "seed", "replicate"]
        rows = self.measures[self.measures.of == of]
        return self.trials.merge(rows.pivot(index=keys, columns="name", values="value").reset_index(), on=keys, how="left")

    @cached_property
    def cells(self):
        """One row per cell: its id and the value of every axis; None outside sweeps."""
        path = self.path / "cells.jsonl"
        if not path.exists():
            return None
        lines = [json.loads(line) for line in path.read_text().splitlines()]
        axes = pd.DataFrame([c["axes"] for c in lines])
        for name in axes:
            numbers = pd.to_numeric(axes[name], errors="coerce")
            axes[name] = numbers if numbers.notna().all() else axes[name]
        return axes.assign(cell=[c["id"] for c in lines], index=[c["index"] for c in lines], seed=[c["seed"] for c in lines])

    @cached_property
    def sweep(self):
        """What was asked: sweep.json."""
        return json.loads((self.path / "sweep.json").read_text())


def interval(values):
    """Mean with Student's 95 % interval."""
    x = np.asarray(values, dtype=float)
    x = x[np.isfinite(x)]
    n = len(x)
    if n < 2:
        return pd.Series({"mean": x.mean() if n else math.nan, "lo": math.nan, "hi": math.nan, "n": n})
    half = (T975[n - 2] if n - 2 < len(T975) else 1.96 + 2.4 / n) * x.std(ddof=1) / math.sqrt(n)
    return pd.Series({"mean": x.mean(), "lo": x.mean() - half, "hi": x.mean() + half, "n": n})


def means(rows, by, metric):
    """Mean and interval of a metric per group, over seeds and replicates."""
    return rows.groupby(by, sort=False)[metric].apply(interval).unstack()


def against(rows, base, metric, series="policy", by=()):
    """Difference to a base in per cent, within seed and replicate, with Student's interval over the logarithms.

    Jobs of which not all of the series finished the same are left out, and that is reported: their means cannot be compared.
    """
    pairs = [*by, "seed", "replicate"]
    if "finished_set" in rows:
        same = rows.groupby([*pairs, "workload_sha256"]).finished_set.transform("nunique") == 1
        if not same.all():
            print(f"{len(rows) - same.sum()} of {len(rows)} rows left out: not the same jobs finished")
        rows = rows[same]
    wide = rows.pivot_table(index=pairs, columns=series, values=metric, sort=False)
    logs = np.log(wide.div(wide[base], axis=0)).drop(columns=base).stack(future_stack=True).rename("ratio").reset_index()
    out = logs.groupby([*by, series], sort=False).ratio.apply(interval).unstack()
    return out.assign(**{c: 100 * np.expm1(out[c]) for c in ["mean", "lo", "hi"]})


def style(i, lines):
    """The look of the i-th of up to 210 categories: seven colours, six shapes and five kinds of line, none of which divides another."""
    colours = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000"]
    shapes = ["o", "s", "^", "D", "v", "P"]
    kinds = ["-", "--", ":", "-.", (0, (6, 1, 1, 1, 1, 1))]
    return {"color": colours[i % len(colours)], "marker": shapes[i % len(shapes)], "linestyle": kinds[i % len(kinds)] if lines else ""}


def draw(frame, ylabel, logy=False):
    """Points with intervals over the first level of a frame from means or against, a colour, shape and line per value of the second."""
    import matplotlib.pyplot as plt

    x_name, s_name = frame.index.names
    fig, axes = plt.subplots(figsize=(6, 3.6))
    xs = list(dict.fromkeys(frame.index.get_level_values(0)))
    numeric = all(isinstance(x, (int, float)) for x in xs)
    groups = list(frame.groupby(level=1, sort=False))
    for i, (name, part) in enumerate(groups):
        at = [x if numeric else xs.index(x) + (i - len(groups) / 2) * 0.08 for x in part.index.get_level_values(0)]
        errors = np.abs(np.vstack([part["mean"] - part["lo"], part["hi"] - part["mean"]]))
        axes.errorbar(at, part["mean"], yerr=np.nan_to_num(errors), label=str(name), capsize=2, markersize=3, **style(i, numeric))
    if not numeric:
        axes.set_xticks(range(len(xs)), [str(x) for x in xs])
    axes.set(xlabel=x_name, ylabel=ylabel, yscale="log" if logy else "linear")
    axes.legend(title=s_name, fontsize="small", frameon=False)
    axes.grid(alpha=0.3)
    return axes
