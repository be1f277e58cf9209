"""Dask runs a sweep of one Python program: each cell is a tarry.compare in one of several processes, the rows are one data frame.

  PYTHONPATH=python/src build/learners/bin/python python/examples/dask_sweep.py --workers 2 --out sweep.parquet
"""

from __future__ import annotations

import argparse
import itertools
import pathlib
from typing import Any

import pandas as pd
import tarry
from dask.distributed import Client, LocalCluster

LOADS, CLUSTERS = (0.6, 0.9), ("2x4x8", "ethernet:2x4x8")


def cell(load: float, cluster: str, jobs: int) -> list[dict[str, Any]]:
    """The rows of one setting, with the setting in front."""
    run = tarry.compare(trace=f"synth:demo,jobs={jobs},load={load}", cluster=cluster, policies=["dally", "tiresias", "fifo"], replicates=3, tables=["trials"])
    return [{"load": load, "cluster": cluster, **row} for row in run.rows]


def main() -> None:
    """Sweeps, and shows how far each policy is from the first of its cell."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--jobs", type=int, default=100)
    parser.add_argument("--out", type=pathlib.Path)
    arguments = parser.parse_args()
    settings = list(itertools.product(LOADS, CLUSTERS))
    # Processes, since Go does not survive a fork: Dask starts them anew.
    with LocalCluster(n_workers=arguments.workers, threads_per_worker=1, processes=True, dashboard_address=None) as cluster, Client(cluster) as client:
        rows = client.gather(client.map(cell, *zip(*settings, strict=True), jobs=arguments.jobs))
    frame = pd.DataFrame(list(itertools.chain(*rows)))
    if arguments.out is not None:
        frame.to_parquet(arguments.out)
    print(f"{len(settings)} cells, {len(frame)} rows")
    print(frame.pivot_table(index=["cluster", "load"], columns="policy", values="jct_mean_s").round(0))


if __name__ == "__main__":
    main()
