"""tarry.read and tarry.runs give what commands left in folders."""

from __future__ import annotations

import json
import pathlib
import subprocess

import pytest
import tarry

pa = pytest.importorskip("pyarrow")
pd = pytest.importorskip("pandas")
pq = pytest.importorskip("pyarrow.parquet")

COMMAND = pathlib.Path(__file__).resolve().parents[2] / "build" / "python" / "tarry"
SMALL = {"trace": "synth:demo,jobs=30", "cluster": "2x2x4"}
SWEEP = "name: few\nkind: simulate\nbase: {trace: 'synth:demo,jobs=20', cluster: 2x2x4}\naxes: [{name: policy, values: [dally, fifo]}]\nseeds: 2\n"


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """A run of every kind."""
    base = tmp_path_factory.mktemp("runs")
    (base / "few.yaml").write_text(SWEEP, encoding="utf-8")
    env = "tarry/Offer-v1:cluster=2x2x4,warm=2,horizon=12"
    for words in (
        ["compare", "--trace", SMALL["trace"], "--cluster", SMALL["cluster"], "--policy", "dally", "--policy", "fifo", "--replicates", "11", "--out", "both"],
        ["simulate", "--trace", SMALL["trace"], "--cluster", SMALL["cluster"], "--policy", "dally", "--tenants", "user", "--predict", "ridge", "--timing", "--out", "one"],
        ["train", "--env", env, "--agent", "ppo", "--steps", "1024", "--seeds", "1-2", "--out", "agent"],
        ["eval", "--checkpoint", "agent/1", "--checkpoint", "agent/2", "--baselines", "dally", "--count", "2", "--out", "measured"],
        ["tune", "--policy", "dally-manual", "--param", "t_rack=0.1:100:log", "--env", env.replace("Offer", "DelayTimer"), "--budget", "3", "--windows", "2", "--validation", "2", "--out", "tune"],
        ["sweep", "few.yaml", "--out", "swept"],
    ):
        done = subprocess.run([COMMAND, *words], cwd=base, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
    return base


TABLES = {
    "both": ("compare", "trials jobs intervals cluster"), "one": ("compare", "trials jobs intervals cluster predictions measures timing"),
    "agent/1": ("train", "curves timing"), "measured": ("eval", "trials evals jobs intervals cluster"),
    "tune": ("tune", "tune"), "swept": ("sweep", "trials jobs intervals cluster"),
}  # fmt: skip


@pytest.mark.parametrize("name", TABLES)
def test_every_kind(base: pathlib.Path, name: str) -> None:
    run = tarry.read(base / name)
    kind, tables = TABLES[name]
    assert (run.kind, run.status, run.reason, run.path, " ".join(run.tables)) == (kind, "finished", "", base / name, tables)
    for table in run.tables:
        read, frame = run.arrow(table), run.to_pandas(table)
        assert read.num_rows == len(frame) > 0
        if (base / name / table).is_dir():
            apart = pq.read_table(base / name / table, partitioning=None)
            assert read.schema.equals(apart.schema) and read.num_rows == apart.num_rows
            assert read.schema.field(3).metadata == pq.read_schema(next((base / name / table).rglob("*.parquet"))).field(3).metadata
        assert frame.duplicated([*tarry._joined.KEYS, *tarry._joined.BY[table]]).sum() == 0  # which the joins rely on
    assert name in repr(run) or kind in repr(run)
    assert run.settings and json.dumps(run.settings)


def test_rows_are_those_of_the_library(base: pathlib.Path) -> None:
    same = tarry.compare(**SMALL, policies=["dally", "fifo"], replicates=11)  # 10 comes after 9
    for table in ("trials", "jobs"):
        a, b = tarry.read(base / "both").to_pandas(table), same.to_pandas(table)
        pd.testing.assert_frame_equal(a.drop(columns="version", errors="ignore"), b.drop(columns="version", errors="ignore"))


def test_parts_of_a_table(base: pathlib.Path) -> None:
    run = tarry.read(base / "both")
    few = run.to_pandas("jobs", ["policy", "jct_s"], pa.compute.field("replicate") == 3)
    assert list(few.columns) == ["policy", "jct_s"] and len(few) == 60
    for wrong in (lambda: run.arrow("evals"), lambda: run.arrow("none"), lambda: run.arrow("jobs", ["job", "none"])):
        with pytest.raises(tarry.errors.OptionError, match=r"expected (one|some) of"):
            wrong()


def test_polars(base: pathlib.Path) -> None:
    pytest.importorskip("polars")
    run = tarry.read(base / "both")
    assert run.to_polars("jobs").to_pandas().equals(run.to_pandas("jobs"))


def test_joins(base: pathlib.Path) -> None:
    run = tarry.read(base / "one")
    jobs = run.join("jobs", "trials")
    assert len(jobs) == 30 and (jobs.jct_mean_s.iloc[0] == jobs.jct_s[jobs.outcome == "finished"].mean()).all() and "preemptions_trials" in jobs
    held = run.join("intervals", "jobs")
    assert len(held) == run.arrow("intervals").num_rows and (held.groupby("job").gpus.first() == held.groupby("job").gpus_jobs.first()).all()
    assert run.join("measures", "trials").shape[0] == run.arrow("measures").num_rows
    swept = tarry.read(base / "swept").join("jobs", "trials")
    assert swept.jct_mean_s.notna().all() and swept.axis_policy.nunique() == 2 and "axis_policy_trials" not in swept
    several = tarry.read(base).join("jobs", "trials")
    assert several.workload_sha256.notna().all() and several.run.nunique() == 4
    both = tarry.compare(**SMALL, policies=["dally", "fifo"])
    assert len(both.join("jobs", "trials")) == 60
    with pytest.raises(tarry.errors.OptionError, match=r'expected join\("jobs", "trials"\)'):
        run.join("trials", "jobs")
    with pytest.raises(tarry.errors.OptionError, match="common keys"):
        run.join("cluster", "jobs")


def test_several_folders(base: pathlib.Path) -> None:
    all_of = tarry.read(base)
    assert list(all_of) == ["agent/1", "agent/2", "both", "measured", "one", "swept", "tune"]
    assert all_of["agent/2"].kind == "train" and all_of.settings["one"]["seed"] == 1
    assert set(all_of.to_pandas("curves").run) == {"agent/1", "agent/2"}
    two = tarry.read([base / "both", base / "agent" / "1"])
    assert list(two) == ["both", "1"] and two.kind == "compare+train"
    with pytest.raises(tarry.errors.UnknownName, match="expected one of both, 1"):
        two["none"]
    for wrong in (lambda: two.path, lambda: tarry.read(base / "none"), lambda: tarry.read(base / "agent" / "1" / "curves"), lambda: tarry.read([]), lambda: tarry.read(3)):
        with pytest.raises(tarry.errors.OptionError):
            wrong()


def test_state(base: pathlib.Path, tmp_path: pathlib.Path) -> None:
    """A sweep of which a cell is left has the tables of the others; what cannot be read has a reason."""
    run = tmp_path / "left"
    subprocess.run(["cp", "-r", str(base / "swept"), str(run)], check=True)
    for name in ("trials", "jobs", "manifest.json", "cells/policy=fifo/seed=2/STATUS"):
        subprocess.run(["rm", "-r", str(run / name)], check=True)
    left = tarry.read(run)
    assert (left.status, left.headline) == ("interrupted", "3 of 4 cells done")
    assert sorted(left.to_pandas("trials").cell) == ["policy=dally/seed=1", "policy=dally/seed=2", "policy=fifo/seed=1"]
    subprocess.run(["cp", "-r", str(base / "both"), str(tmp_path / "torn")], check=True)
    (tmp_path / "torn" / "config.json").write_text("{", encoding="utf-8")
    (tmp_path / "torn" / "labels.json").write_text('{"dally": "ours"}', encoding="utf-8")
    torn = tarry.read(tmp_path / "torn")
    assert torn.status == "broken" and "config.json" in torn.reason and torn.labels == {"dally": "ours"}
    assert tarry.read(tmp_path).status == "broken" and "torn: " in tarry.read(tmp_path).reason
    with pytest.raises(tarry.errors.OptionError, match=r"config\.json"):
        torn.settings  # noqa: B018
    next((tmp_path / "torn" / "jobs").rglob("*.parquet")).write_bytes(b"PAR1 no PAR1")
    with pytest.raises(tarry.errors.OptionError, match="jobs"):
        torn.arrow("jobs")


def test_earlier_versions(base: pathlib.Path, tmp_path: pathlib.Path) -> None:
    """Keys in the names of folders, and columns that a file lacks, read as they do in the command."""
    table = pq.read_table(base / "one" / "trials", partitioning=None)
    for seed, lacks in ((7, []), (8, ["rejected", "finished_set", "bsld_mean"])):
        to = tmp_path / "old" / "trials" / "policy=a%2Fb%3D1" / f"seed={seed}" / "part-0.parquet"
        to.parent.mkdir(parents=True)
        pq.write_table(table.drop_columns(["policy", "seed", *lacks]), to)
    read = tarry.read(tmp_path / "old").to_pandas("trials")
    assert list(read.policy) == ["a/b=1"] * 2 and list(read.seed) == [7, 8]
    assert list(read.rejected) == [0, -1] and list(read.finished_set)[1] == "" and pd.isna(read.bsld_mean[1])


def test_runs(base: pathlib.Path) -> None:
    frame = tarry.runs(base)
    said = subprocess.run([COMMAND, "runs", str(base), "--format", "json"], capture_output=True, check=True, text=True)
    rows = [json.loads(line) for line in said.stdout.splitlines()]
    assert list(frame.columns) == list(rows[0]) and list(frame.path) == [row["path"] for row in rows]
    assert frame.date.dt.tz is not None and pd.api.types.is_numeric_dtype(frame.value) and set(frame.status) == {"finished"}
    with pytest.raises(tarry.errors.OptionError, match="no such file"):
        tarry.runs(base / "none")
