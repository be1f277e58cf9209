"""The examples run as a user runs them, in a short form, and do what they promise."""

from __future__ import annotations

import os
import pathlib
import re
import subprocess
import sys

EXAMPLES = pathlib.Path(__file__).parents[1] / "examples"


def run(name: str, *arguments: str) -> str:
    """What an example prints."""
    command = [sys.executable, "-W", "ignore", str(EXAMPLES / name), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, "OMP_NUM_THREADS": "1"}, timeout=300)
    assert done.returncode == 0, done.stderr
    return done.stdout


def numbers(pattern: str, said: str) -> list[float]:
    """The groups of a pattern, which must be in what was printed."""
    found = re.search(pattern, said)
    assert found, said
    return [float(text) for text in found.groups()]


def test_sb3_ppo(tmp_path: pathlib.Path) -> None:
    steps, episodes, mean = numbers(r"(\d+) steps; mean return of the last (\d+) episodes (\S+)", run("sb3_ppo.py", "--steps", "1024", "--save", str(tmp_path / "ppo")))
    assert steps == 1024 and episodes > 0 and mean < 0
    assert (tmp_path / "ppo.zip").stat().st_size > 1000


def test_sb3_maskable_ppo() -> None:
    said = run("sb3_maskable_ppo.py", "--steps", "1024", "--windows", "3")
    for policy in ("MaskablePPO", "dally", "fifo"):
        jobs, finished = numbers(rf"{policy}\S* +(\d+) +(\d+)", said)
        assert jobs == finished > 10
    numbers(r"1024 steps; Dally's mean completion time minus that of the policy: (\S+) s", said)


def test_torch_ppo() -> None:
    pattern = r"(\d+) episodes; mean return of the first \d+ (\S+), of the last \d+ (\S+)"
    _, first, last = numbers(pattern, run("torch_ppo.py", "--env", "classic/CartPole-v1", "--steps", "20480"))
    assert last > 3 * first
    episodes, first, last = numbers(pattern, run("torch_ppo.py", "--steps", "2048"))  # masked: an illegal action would be an error
    assert episodes > 10 and first < 0 and last < 0


def test_pufferlib_vector() -> None:
    said = run("pufferlib_vector.py", "--steps", "200")
    assert numbers(r"Preempt, emulated: (\d+) environments, (\d+) ends", said) == numbers(r"Preempt, emulated in 2 processes: (\d+) environments, (\d+) ends", said)
    assert numbers(r"CartPole, native: 64 environments, (\d+) ends", said)[0] > 100


def test_weights_and_biases(tmp_path: pathlib.Path) -> None:
    run("trackers.py", "--tracker", "wandb", "--steps", "1024", "--out", str(tmp_path))
    (record,) = tmp_path.glob("wandb/offline-run-*/run-*.wandb")
    assert b"return" in record.read_bytes()


def test_mlflow(tmp_path: pathlib.Path) -> None:
    run("trackers.py", "--tracker", "mlflow", "--steps", "1024", "--out", str(tmp_path))
    (metric,) = tmp_path.glob("mlruns/*/*/metrics/return")
    rows = [line.split() for line in metric.read_text().splitlines()]
    assert len(rows) > 1 and all(float(row[1]) > 5 for row in rows) and rows[-1][2] == "1024"


def test_optuna_dally() -> None:
    said = run("optuna_dally.py", "--trials", "8")
    trials, rack, net, best = numbers(r"(\d+) trials; best on validation: t_rack (\S+), t_net (\S+) leases, (\d+) s", said)
    assert trials == 8 and 0 <= rack <= net and best > 0
    low, high = numbers(r"tuned \S+ s \[(\S+), (\S+)\]", said)
    assert low < high


def test_ray_tune() -> None:
    said = run("ray_tune.py", "--trials", "4")
    trials, rack, net, best = numbers(r"(\d+) trials; best on validation: t_rack (\S+), t_net (\S+) leases, (\d+) s", said)
    assert trials == 4 and 0 <= rack <= net and best > 0
    low, high = numbers(r"tuned \S+ s \[(\S+), (\S+)\]", said)
    assert low < high


def test_hydra_compare(tmp_path: pathlib.Path) -> None:
    said = run("hydra_compare.py", "--multirun", "load=0.6,0.9", "replicates=2", f"hydra.sweep.dir={tmp_path}")
    for load in ("0.6", "0.9"):
        low, high = numbers(rf"load {load}, cluster 2x4x8: tiresias - dally \S+ s \[(\S+), (\S+)\]", said)
        (folder,) = tmp_path.glob(f"load={load}*")
        assert low < high and (folder / ".hydra" / "overrides.yaml").exists() and len(list(folder.glob("tarry/trials/**/*.parquet"))) == 4


def test_dask_sweep(tmp_path: pathlib.Path) -> None:
    """The rows of several processes equal the rows of one."""
    import pandas as pd

    sys.path.insert(0, str(EXAMPLES))
    from dask_sweep import CLUSTERS, LOADS, cell

    assert numbers(r"(\d+) cells, (\d+) rows", run("dask_sweep.py", "--jobs", "30", "--out", str(tmp_path / "sweep.parquet"))) == [4, 12]
    rows = [row for load in LOADS for cluster in CLUSTERS for row in cell(load, cluster, 30)]
    pd.testing.assert_frame_equal(pd.read_parquet(tmp_path / "sweep.parquet"), pd.DataFrame(rows), check_dtype=False)
