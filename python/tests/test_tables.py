"""tarry.simulate and tarry.compare give what the command of the same names writes and prints."""

from __future__ import annotations

import decimal
import json
import os
import pathlib
import subprocess
import sys
from typing import Any

import numpy as np
import pytest
import tarry

pa = pytest.importorskip("pyarrow")
pd = pytest.importorskip("pandas")
pq = pytest.importorskip("pyarrow.parquet")

COMMAND = pathlib.Path(__file__).resolve().parents[2] / "build" / "python" / "tarry"  # built with the library
LEAKS = int(os.environ.get("TARRY_LEAK_RUNS", "60"))
ALL = ("trials", "jobs", "intervals", "cluster", "power", "services", "predictions", "measures")
SMALL = {"trace": "synth:demo,jobs=60", "cluster": "2x2x4"}


def command(*args: str) -> str:
    done = subprocess.run([str(COMMAND), *args], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def read(folder: pathlib.Path, table: str) -> Any:
    return pq.read_table(folder / table, partitioning=None)


def same(ours: Any, theirs: Any, version: bool = False) -> None:
    """Equal in the names, types, metadata and values of all columns. A build of changed files has its program's id in its version."""
    assert ours.schema.names == theirs.schema.names
    for a, b in zip(ours.schema, theirs.schema, strict=True):
        assert a.equals(b, check_metadata=True), f"{a} {a.metadata} is not {b} {b.metadata}"
        assert pa.types.is_dictionary(a.type) is False and a.nullable is False
    for name in ours.schema.names:
        if name == "version" and not version:
            continue
        a, b = ours.column(name).combine_chunks(), theirs.column(name).combine_chunks()
        assert a.null_count == b.null_count == 0
        if pa.types.is_floating(a.type):
            assert a.to_numpy().view("u8").tolist() == b.to_numpy().view("u8").tolist(), name
        else:
            assert a.equals(b), name


CASES: dict[str, tuple[dict[str, Any], list[str]]] = {
    "plain": ({"policy": "dally"}, ["--policy", "dally"]),
    "options": (
        {"policy": {"dally": {"t_rack": 6, "t_net": 12}}, "costs": {"start_s": 30, "checkpoint_every_s": 600.5}, "seed": 7, "speed": "tiers", "placement": "first-found"},
        ["--policy", "dally:t_rack=6,t_net=12", "--cost", "start_s=30,checkpoint_every_s=600.5", "--seed", "7", "--speed", "tiers", "--placement", "first-found"],
    ),
    "faults": (
        {"policy": "las", "faults": {"machine_mtbf_s": 200000}, "gpu_mtbf": 1e6, "until": 500000, "costs": "checkpoint_every_s=600"},
        ["--policy", "las", "--machine-mtbf", "200000", "--gpu-mtbf", "1e6", "--until", "500000", "--cost", "checkpoint_every_s=600"],
    ),
    "due": (
        {"policy": "srtf", "deadlines": {"min": 0.5, "max": 1.5, "tightness": 3}, "tenants": "user"},
        ["--policy", "srtf", "--deadlines", "min=0.5,max=1.5,tightness=3", "--tenants", "user"],
    ),
    "served": (
        {"policy": "las", "services": "day-night:own=1", "operator": "least:lend=all", "until": 200000},
        ["--policy", "las", "--services", "day-night:own=1", "--operator", "least:lend=all", "--until", "200000"],
    ),
    "predicted": ({"policy": "sjf:by=estimate", "predict": "ridge"}, ["--policy", "sjf:by=estimate", "--predict", "ridge"]),
}


@pytest.mark.parametrize("name", CASES)
def test_same_rows_as_the_command(name: str, tmp_path: pathlib.Path) -> None:
    settings, flags = CASES[name]
    folder = tmp_path / "run"
    printed = command("simulate", "--trace", SMALL["trace"], "--cluster", SMALL["cluster"], *flags, "--out", str(folder), "--format", "json")
    result = tarry.simulate(**SMALL, **settings, tables=ALL)
    for table in ALL:
        if table in ("predictions", "power", "services") and {"predictions": "predict"}.get(table, table) not in settings or table == "measures" and not settings.keys() & {"deadlines", "services"}:
            assert result.tables[table].num_rows == 0
            continue
        ours, theirs = result.tables[table], read(folder, table)
        assert ours.num_rows > 0
        same(ours, theirs)
        said = pq.ParquetFile(next((folder / table).rglob("*.parquet"))).metadata.metadata
        for key, value in ours.schema.metadata.items():
            assert value == said[key] or key == b"tarry.version", key
    assert [json.loads(line) for line in printed.splitlines()] == result.rows


def test_out_is_the_folder_of_the_command(tmp_path: pathlib.Path) -> None:
    settings = {**SMALL, "policies": ["dally", "fifo"], "replicates": 2, "seed": 3}
    folders = [tmp_path / "command", tmp_path / "ours"]
    command("compare", "--trace", SMALL["trace"], "--cluster", SMALL["cluster"], "--policy", "dally", "--policy", "fifo", "--replicates", "2", "--seed", "3", "--out", str(folders[0]))
    first = tarry.compare(**settings, out=folders[1], tables=ALL)
    files = [sorted(p.relative_to(f) for p in f.rglob("*") if p.is_file() and not p.name.startswith(".")) for f in folders]
    assert files[0] == files[1]
    versions = {next(iter(read(f, "trials").column("version").unique().to_pylist())) for f in folders}
    for name in files[0]:
        a, b = ((f / name).read_bytes() for f in folders)
        if len(versions) == 1:  # both of one commit, else the id of the program is in the files
            assert a == b, name
        elif name.suffix == ".parquet" and "manifest" not in name.name:
            same(pq.read_table(folders[0] / name, partitioning=None), pq.read_table(folders[1] / name, partitioning=None))
    again = tarry.compare(**settings, out=folders[1], tables=ALL, workers=1)  # read from the folder, not run again
    for table in ALL:
        same(again.tables[table], first.tables[table], version=True)
    with pytest.raises(tarry.errors.OptionError, match="results of another configuration.*--force"):
        tarry.compare(**{**settings, "seed": 4}, out=folders[1])
    tarry.compare(**{**settings, "seed": 4}, out=folders[1], force=True)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "notes.md").write_text("mine")
    with pytest.raises(tarry.errors.OptionError, match="holds something else"):
        tarry.compare(**settings, out=tmp_path / "mine", force=True)


def test_compare_prints_what_the_command_prints() -> None:
    flags = ["--trace", SMALL["trace"], "--cluster", SMALL["cluster"], "--policy", "dally", "--policy", "srtf", "--policy", "fifo", "--replicates", "3"]
    result = tarry.compare(**SMALL, policies=["dally", "srtf", "fifo"], replicates=3, workers=2)
    assert repr(result) == command("compare", *flags).rstrip("\n")
    assert result.rows == [json.loads(line) for line in command("compare", *flags, "--format", "json").splitlines()]
    summary = result.to_pandas("summary")
    assert list(summary.policy) == ["dally", "srtf", "fifo"]
    assert summary.jct_mean_diff_lo_s.isna().tolist() == [True, False, False]
    assert (summary.jct_mean_diff_lo_s <= summary.jct_mean_diff_s)[1:].all()
    assert "<td>fifo</td>" in result._repr_html_()
    assert result["srtf"] == result.rows[1]
    with pytest.raises(KeyError, match="expected one of dally, srtf, fifo"):
        result["nobody"]
    assert result.trials.num_rows == 9
    assert len(tarry.compare(**SMALL, policies=["dally"], bounds=True).rows) > 1


def test_workers_do_not_change_rows() -> None:
    settings = {**SMALL, "policies": ["dally", "fifo"], "replicates": 3}
    one, four = (tarry.compare(**settings, workers=n) for n in (1, 4))
    assert one.jobs.equals(four.jobs, check_metadata=True) and one.trials.equals(four.trials)


def test_files_and_dicts(tmp_path: pathlib.Path) -> None:
    run = {"trace": SMALL["trace"], "cluster": SMALL["cluster"], "policy": "las", "costs": {"start_s": 10}}
    file = tmp_path / "run.yaml"
    file.write_text(json.dumps(run))
    expected = tarry.simulate(**run)
    for given in ({"config": file}, {"config": run}, {"config": run, "policies": ["las"]}, {"scenario": {k: v for k, v in run.items() if k != "policy"}, "policy": "las"}):
        assert tarry.simulate(**given).jobs.equals(expected.jobs, check_metadata=True)
    assert tarry.simulate(config=run, policy="fifo").rows[0]["policy"] == "fifo"
    assert tarry.simulate(preset="paper", trace=SMALL["trace"], policy="fifo").trials["placement"][0].as_py() == "first-found"


def frame(**more: Any) -> Any:
    return pd.DataFrame({"id": ["a", "b", "c"], "submit_s": [0.0, 1.5, 3.0], "gpus": [1, 2, 4], "work_s": [100.0, 200.0, 400.0], **more})


def test_jobs_of_ones_own(tmp_path: pathlib.Path) -> None:
    frame(user=["u", "v", "u"]).to_csv(tmp_path / "jobs.csv", index=False)
    by_file = tarry.simulate(trace=f"csv:{tmp_path}/jobs.csv", cluster="1x1x4", policy="fifo")
    for jobs in (frame(user=["u", "v", "u"]), pa.Table.from_pandas(frame(user=["u", "v", "u"]))):
        result = tarry.simulate(trace=jobs, cluster="1x1x4", policy="fifo")
        different = {"trace", "drawn"}
        for name in set(result.jobs.schema.names) - different:
            assert result.jobs[name].equals(by_file.jobs[name]) or pa.types.is_floating(result.jobs[name].type), name
        assert result.to_pandas("jobs").jct_s.tolist() == by_file.to_pandas("jobs").jct_s.tolist()
        assert result.jobs["trace"][0].as_py().startswith("python:")
    same_again = tarry.simulate(trace=frame(), cluster="1x1x4", policy="fifo", out=tmp_path / "out")
    assert tarry.simulate(trace=frame(), cluster="1x1x4", policy="fifo", out=tmp_path / "out").jobs.equals(same_again.jobs)
    no_ids = tarry.simulate(trace=frame().drop(columns="id"), cluster="1x1x4", policy="fifo")
    assert no_ids.jobs["job"].to_pylist() == ["0", "1", "2"]
    assert tarry.compare(trace=frame(), cluster="1x1x4", policies=["fifo", "las"]).trials.num_rows == 2


@pytest.mark.parametrize(
    ("jobs", "words"),
    [
        (frame().drop(columns="gpus"), 'column "gpus" is missing'),
        (frame(modle="x"), 'unknown column "modle", did you mean "model"'),
        (frame().rename(columns={"gpus": "num_gpus"}).to_dict("records"), "--trace-columns gpus=num_gpus reads it so, trace_columns in files and Python"),
        ({"submit": [1, 2], "gpus": [1], "work": [3, 4]}, "columns of different lengths: submit 2, gpus 1, work 2"),
        ([1, 2], "trace is a list of int, expected dicts, one for each job, or tables"),
        ([], "trace is a list of nothing"),
        (frame(submit_us=1), 'columns "submit_s" and "submit_us" are both given'),
        (frame(duration_s=1), 'exactly one of the columns "work_s" and "duration_s"'),
        (frame(iter_s=["x", "y", "z"]), 'column "iter_s" is "x", expected a number'),
        (frame().assign(gpus=[[1], [2], [4]]), 'column "gpus" holds lists or structs'),
        (frame(model=[1j, 2j, 3j]), "trace: "),
        (pd.concat([frame(), frame()], axis=1), "column 'id' appears twice"),
        (pa.table({"submit_s": [0], "gpus": [1], "work_s": pa.array([(1, 2, 3)], pa.month_day_nano_interval())}), "trace: column 'work_s' holds month_day_nano_interval, expected numbers"),
        (frame().iloc[:0], "no job can be kept"),
    ],
)
def test_wrong_jobs(jobs: Any, words: str) -> None:
    with pytest.raises(tarry.errors.OptionError, match=words):
        tarry.simulate(trace=jobs, cluster="1x1x4", policy="fifo")


START = pd.Timestamp("2024-03-01T08:00:00")


def alike() -> list[Any]:
    """The jobs of frame() as other people have them."""
    base = frame(user=["7", None, "9"])
    submits, works = pd.to_timedelta(base.submit_s, unit="s"), pd.to_timedelta(base.work_s, unit="s")
    frames = [
        base,
        base.convert_dtypes(),
        base.convert_dtypes(dtype_backend="pyarrow"),
        base.assign(user=[7.0, np.nan, 9.0]),
        base.assign(user=pd.array([7, None, 9], "Int64")),
        base.assign(user=pd.Series([7, None, "9"], dtype=object), gpus=pd.Series([1, "2", 4.0], dtype=object)),
        base.astype({"user": "category", "gpus": "float64"}),
        base.astype({"gpus": "int8", "work_s": "float32"}),
        base.astype(str),
        base.set_index("id"),
        base.set_index(pd.Index([5, 6, 7], name="row")),
        base.reset_index(),
        base.assign(model=None, priority=[None, 0, np.nan]),
        base.assign(submit_s=START + submits),
        base.assign(submit_s=(START + submits).dt.tz_localize("America/New_York").astype("datetime64[ms, America/New_York]")),
        base.assign(submit_s=(START + submits).astype(str)),
        base.assign(submit_s=[str(t) + "+01:00" for t in START + submits]),
        base.assign(work_s=works),
        base.assign(work_s=works.astype(str)),
        base.assign(work_s=works.dt.as_unit("ms"), request_s=pd.to_timedelta([None, None, None])),
        base.drop(columns="work_s").assign(duration_s=100),
        base.drop(columns=["work_s", "submit_s"]).assign(work_us=(base.work_s * 1e6).astype("int64"), submit_us=base.submit_s * 1e6),
        base.assign(work_s=[decimal.Decimal(str(w)) for w in base.work_s]),
    ]
    rows = base.astype(object).where(base.notna(), None).to_dict("records")
    table = pa.table(base.assign(submit_s=START + submits))
    return [
        *frames,
        pa.Table.from_pandas(base),
        table,
        Exchange(base),
        rows,
        [{name: value for name, value in row.items() if value is not None} for row in rows],
        iter(rows),
        base.to_dict("list"),
        {name: base[name].to_numpy() for name in base},
        pa.RecordBatch.from_pandas(base),
        table.to_batches(max_chunksize=2),
        table.cast(pa.schema([*table.schema][:-1] + [("user", pa.large_string())])) if table.schema.names[-1] == "user" else table,
        table.set_column(0, "id", pa.array(base["id"].tolist(), pa.string_view())),
        table.set_column(4, "user", pa.DictionaryArray.from_arrays(pa.array([0, None, 1], pa.uint32()), pa.array(["7", "9"], pa.string_view()))),
    ]


class Exchange:
    """A frame of a library that has the interchange protocol alone."""

    def __init__(self, inner: Any) -> None:
        self.inner = inner

    def __dataframe__(self, *_: Any, **__: Any) -> Any:
        return self.inner.__dataframe__()


@pytest.mark.parametrize("number", range(36))
def test_frames_of_all_kinds(number: int, tmp_path: pathlib.Path) -> None:
    """Frames, Parquet and CSV are read by the same rules, whatever types pandas gives to the same jobs."""
    want = tarry.simulate(trace=frame(user=["7", None, "9"]), cluster="1x1x4", policy="fifo").jobs.select(["job", "user", "submit_s", "gpus", "run_s", "end_s"])
    jobs = alike()[number]
    traces = [jobs]
    if isinstance(jobs, pd.DataFrame):
        jobs.to_csv(tmp_path / "jobs.csv", index=jobs.index.name != "row")  # in CSV nothing marks that such a column is an index
        traces.append(f"csv:{tmp_path}/jobs.csv")
        if not any(jobs[name].map(type).nunique() > 2 for name in jobs.columns if jobs[name].dtype == object):  # which pandas does not write
            jobs.to_parquet(tmp_path / "jobs.parquet")
            traces.append(f"parquet:{tmp_path}/jobs.parquet")
    for trace in traces:
        result = tarry.simulate(trace=trace, cluster="1x1x4", policy="fifo", strict=True)
        assert result.jobs.select(want.schema.names).to_pylist() == want.to_pylist()


def test_columns_by_other_names(tmp_path: pathlib.Path) -> None:
    """A text or a dict maps columns of frames and files; others are not read, and a note names them."""
    want = tarry.simulate(trace=frame(), cluster="1x1x4", policy="fifo").jobs.select(["job", "submit_s", "gpus", "run_s"])
    own = frame().rename(columns={"gpus": "num gpu", "submit_s": "start", "work_s": "gpu_seconds"}).assign(note="x")
    own.to_csv(tmp_path / "own.csv", index=False)
    own.to_json(tmp_path / "own.jsonl", orient="records", lines=True)
    own.to_feather(tmp_path / "own.feather")
    own.to_parquet(tmp_path / "own.parquet")
    mapped = {"gpus": "num gpu", "submit": "start", "work": "gpu_seconds"}
    for trace in (own, own.to_dict("list"), *(tmp_path / f"own.{end}" for end in ("csv", "jsonl", "feather", "parquet"))):
        for columns in (mapped, "gpus=num gpu,submit=start,work=gpu_seconds"):
            result = tarry.simulate(trace=trace, cluster="1x1x4", policy="fifo", trace_columns=columns)
            assert result.jobs.select(want.schema.names).equals(want)
            assert 'column "note" is no column of jobs' in " ".join(result.notes)
    with pytest.raises(tarry.errors.OptionError, match=r'trace_columns: .*unknown column "gpsu".* did you mean "gpus"'):
        tarry.simulate(trace=own, cluster="1x1x4", policy="fifo", trace_columns={"gpsu": "num gpu"})
    with pytest.raises(tarry.errors.OptionError, match=r'the table has no column "num_gpu".* did you mean "num gpu"'):
        tarry.simulate(trace=own, cluster="1x1x4", policy="fifo", trace_columns={**mapped, "gpus": "num_gpu"})


@pytest.mark.parametrize("end", ["csv", "jsonl", "parquet"])
def test_what_tarry_writes_is_read_filtered(end: str, tmp_path: pathlib.Path) -> None:
    """What trace generate writes, and a filter in pandas of it writes again, is read in every format."""
    command("trace", "generate", "--out", str(tmp_path / f"all.{end}"), "demo")
    path = tmp_path / f"all.{end}"
    whole = {"csv": pd.read_csv, "jsonl": lambda p: pd.read_json(p, orient="records", lines=True), "parquet": pd.read_parquet}[end](path)
    few = whole[whole["gpus"] <= 2]
    few.to_csv(tmp_path / "few.csv")  # with its index
    few.to_json(tmp_path / "few.jsonl", orient="records", lines=True)
    few.to_parquet(tmp_path / "few.parquet")
    few.reset_index(drop=True).to_feather(tmp_path / "few.feather")
    jobs = [tarry.simulate(trace=trace, cluster="4x4x8", policy="fifo", strict=True).jobs for trace in (few, *sorted(tmp_path.glob("few.*")))]
    assert jobs[0].num_rows == len(few) > 10
    for other in jobs[1:]:
        for name in ("job", "gpus", "submit_s", "run_s", "end_s", "model", "user"):
            assert other[name].equals(jobs[0][name]), name


def test_half_a_gpu_is_a_wrong_row() -> None:
    """As in a report (cases/15-python-frames), whose times test_frames_of_all_kinds reads."""
    notes = " ".join(tarry.simulate(trace=frame().assign(gpus=[1, 2.5, 4]), cluster="1x1x4", policy="fifo").notes)
    assert 'column "gpus" is "2.5", expected a whole number' in notes and "2 jobs kept of 3 rows" in notes


def test_rows_of_jobs_that_are_wrong() -> None:
    jobs = frame().assign(gpus=[1, -2, 4])
    with pytest.raises(tarry.errors.OptionError, match=r'python:\w+:2: column "gpus" is "-2", expected a whole number from 1'):
        tarry.simulate(trace=jobs, cluster="1x1x4", policy="fifo", strict=True)
    result = tarry.simulate(trace=jobs, cluster="1x1x4", policy="fifo")
    assert result.jobs.num_rows == 2 and '"gpus" is "-2"' in " ".join(result.notes)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"trace": "synth:demo", "policy": "fifo", "clutser": "1x1x4"}, ["unknown field", 'did you mean "cluster"']),
        ({"trace": "synth:dem", "policy": "daly", "seed": -1}, ['unknown preset "dem"', 'policy "daly"', "seed is"]),
        ({"trace": "synth:demo", "policy": ["fifo", "las"]}, ["tarry.compare takes many"]),
        ({"trace": "synth:demo", "policy": "fifo", "tables": ["job"]}, ["did you mean"]),
        ({"trace": "synth:demo", "policy": object()}, ["policy is <object"]),
        ({"trace": "synth:demo", "policy": {"dally": 3}}, ["expected a dict"]),
        ({"trace": "synth:demo", "policy": "fi\0fo"}, ["zero character"]),
        ({"config": 3}, ["config is 3"]),
        ({"config": "none.yaml", "policy": "fifo"}, ["none.yaml"]),
        ({}, ["no trace", "no policy"]),
    ],
)
def test_all_faults_are_said_at_once(settings: dict[str, Any], words: list[str]) -> None:
    with pytest.raises(tarry.errors.OptionError) as caught:
        tarry.simulate(**settings)
    for word in words:
        assert word in str(caught.value)


def test_a_run_that_fails(tmp_path: pathlib.Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(tarry.errors.RunError, match="file"):
        tarry.simulate(**SMALL, policy="fifo", out=tmp_path / "file" / "below")


def test_tables_that_were_not_kept() -> None:
    result = tarry.simulate(**SMALL, policy="fifo", tables="trials")
    assert list(result.tables) == ["trials"]
    with pytest.raises(tarry.errors.OptionError, match="expected one of trials"):
        result.jobs  # noqa: B018


def test_without_pyarrow() -> None:
    code = """
import sys
sys.modules["pyarrow"] = None
import tarry
result = tarry.simulate(trace="synth:demo,jobs=20", policy="fifo")
print(result.rows[0]["finished"])
for ask in (lambda: result.jobs, lambda: result.summary, lambda: result.to_pandas()):
    try:
        ask()
    except ImportError as err:
        print(err)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=60)
    assert done.stdout.splitlines() == ["20", *["tables need pyarrow: pip install 'tarry[tables]', or pip install pyarrow"] * 3], done.stderr


def test_tables_outlive_the_result() -> None:
    jobs = tarry.simulate(**SMALL, policy="fifo").jobs
    expected = jobs.to_pydict()
    for _ in range(20):
        tarry.simulate(**SMALL, policy="las")
    assert jobs.to_pydict() == expected


def test_copies_and_pickles_have_the_tables() -> None:
    import copy
    import pickle

    result = tarry.simulate(**SMALL, policy="fifo", tables=ALL)
    jobs = result.jobs
    for again in (pickle.loads(pickle.dumps(result)), copy.deepcopy(result), copy.copy(result)):
        assert again.jobs.equals(jobs, check_metadata=True) and repr(again) == repr(result)
        same(again.cluster, result.cluster, version=True)
        del again
    assert result.intervals.num_rows > 0 and result.predictions.num_rows == 0


def test_threads_may_simulate_at_once() -> None:
    from concurrent.futures import ThreadPoolExecutor

    expected = {policy: tarry.simulate(**SMALL, policy=policy).rows for policy in ("fifo", "las", "dally", "srtf")}
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda policy: (policy, tarry.simulate(**SMALL, policy=policy)), [*expected] * 5))
    for policy, result in found:
        assert result.rows == expected[policy] and result.jobs.num_rows == 60


def test_runs_leak_nothing() -> None:
    status = pathlib.Path("/proc/self/statm")
    if not status.exists():
        pytest.skip("no /proc here")

    def resident_mb() -> float:
        return int(status.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6

    def once() -> None:
        result = tarry.simulate(trace="synth:demo,jobs=2000", cluster="4x4x8", policy="fifo", tables=ALL)
        assert all(result.tables[name] is not None for name in ALL)

    for _ in range(20):
        once()
    before = resident_mb()
    for _ in range(LEAKS):
        once()
    assert resident_mb() - before < 60


INTERRUPTED = """
import json, pathlib, signal, sys, threading, time, os, tarry
out, run = pathlib.Path(sys.argv[1]), json.loads(sys.argv[2])
signal.signal(signal.SIGINT, signal.default_int_handler)  # what starts tests in the background may have SIGINT ignored
threading.Timer(1.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
began = time.monotonic()
try:
    tarry.compare(**run, policies=["fifo", "las", "dally", "srtf"], out=out, workers=1)
    sys.exit("it was not interrupted")
except KeyboardInterrupt:
    print(time.monotonic() - began < 20)
print(tarry.simulate(trace="synth:demo,jobs=20", policy="fifo").rows[0]["finished"])
print([str(p) for p in out.rglob("*.tmp-*")])
"""


@pytest.mark.parametrize("run", [{"trace": "synth:million", "cluster": "32x4x8", "replicates": 50}, {"trace": "synth:demo,jobs=20000", "replicates": 20}], ids=["drawing", "running"])
def test_ctrl_c_leaves_nothing_half_written(run: dict[str, Any], tmp_path: pathlib.Path) -> None:
    done = subprocess.run([sys.executable, "-c", INTERRUPTED, str(tmp_path / "out"), json.dumps(run)], capture_output=True, text=True, check=False, timeout=120, env=dict(os.environ))
    assert done.stdout.splitlines() == ["True", "20", "[]"], done.stderr
    files = list((tmp_path / "out").rglob("*.parquet"))
    for file in files:
        pq.read_table(file, partitioning=None)
    assert not files or run["trace"] != "synth:million"


def test_other_threads_run_meanwhile() -> None:
    import threading

    counted, stop = [0], threading.Event()

    def count() -> None:
        while not stop.is_set():
            counted[0] += 1

    thread = threading.Thread(target=count)
    thread.start()
    before = counted[0]
    tarry.simulate(trace="synth:demo,jobs=20000", cluster="8x4x8", policy="dally", tables=())
    during = counted[0] - before
    stop.set()
    thread.join()
    assert during > 1000


def test_forked_child_may_drop_tables() -> None:
    if not hasattr(os, "fork"):
        pytest.skip("no fork here")
    code = """
import os, tarry
result = tarry.simulate(trace="synth:demo,jobs=20", policy="fifo")
jobs = result.jobs
child = os.fork()
if child == 0:
    del result, jobs
    try:
        tarry.simulate(trace="synth:demo,jobs=20", policy="fifo")
    except tarry.errors.ForkedError:
        os._exit(7)
    os._exit(1)
print(os.waitpid(child, 0)[1] >> 8)
"""
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True, check=False, timeout=60)
    assert done.stdout.strip() == "7", done.stderr


@pytest.mark.parametrize("kind", ["envs", *(name.removeprefix("list_") for name in tarry.lists.__all__)])
def test_lists_are_those_of_the_command(kind: str) -> None:
    printed = [json.loads(line) for line in command("list", kind, "--format", "json").splitlines()]
    ours = getattr(tarry, f"list_{kind}")()
    if kind == "envs":  # has more of each
        assert [e["id"] for e in ours] == [e["name"] for e in printed]
    else:
        assert ours == printed
