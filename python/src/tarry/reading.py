"""tarry.read and tarry.runs: the folders that commands write, with their tables, settings and state."""

from __future__ import annotations

import contextlib
import json
import os
import pathlib
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from tarry import _checked, _parquet, _program, _shown
from tarry._joined import RUN, joined
from tarry._keys import BY
from tarry._tables import need_pandas, need_pyarrow
from tarry.errors import OptionError, UnknownName

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

Path = str | os.PathLike[str]


class Folder(Mapping[str, "Folder"]):
    """A folder of results, or several: their tables, settings and state. Tables are read when they are asked for, each time anew.

    One run has kind (compare, eval, train, tune or sweep), status, reason and settings. Several are a mapping of runs by name, and
    each table begins with the column run.

    Raises: OptionError for a table that is not there; UnknownName for a run that is not there.

    Example:
        import tarry

        tarry.compare(trace="synth:demo", cluster="2x2x4", policies=["dally", "fifo"], out="runs/first", force=True)
        run = tarry.read("runs/first")
        print(run.status, run.tables, run.settings["seed"])
        print(run.join("jobs", "trials")[["policy", "job", "jct_s", "jct_mean_s"]].head())
    """

    def __init__(self, rows: Sequence[tuple[pathlib.Path, dict[str, Any]]]) -> None:
        self._rows = list(rows)
        self.text = ""  # what the command printed, where this is the result of a run
        self.notes: list[str] = []  # its remarks

    def with_words(self, said: _program.Said) -> Folder:
        """The folder with what the command printed that filled it."""
        self.text, self.notes = said.out.rstrip("\n"), said.notes
        return self

    def __getitem__(self, name: str) -> Folder:
        """A run by its name."""
        for row in self._rows:
            if row[1]["path"] == name:
                return Folder([row])
        raise UnknownName(f"{_checked.shown(name)}, expected one of {', '.join(self)}")

    def __iter__(self) -> Iterator[str]:
        return (row["path"] for _, row in self._rows)

    def __len__(self) -> int:
        return len(self._rows)

    @property
    def paths(self) -> list[pathlib.Path]:
        """The folders of the runs."""
        return [path for path, _ in self._rows]

    @property
    def path(self) -> pathlib.Path:
        """The folder of the run; of several an error."""
        self._one("path")
        return self._rows[0][0]

    @property
    def kind(self) -> str:
        """What wrote the run: compare (simulate, too), eval, train, tune or sweep; of several all kinds, joined by +."""
        return "+".join(dict.fromkeys(row["kind"] for _, row in self._rows))

    @property
    def status(self) -> str:
        """The state of the run when it was read: finished, running, interrupted or broken; of several the worst, in this order."""
        states = {row["status"] for _, row in self._rows}
        return next(state for state in ("broken", "interrupted", "running", "finished") if state in states)

    @property
    def reason(self) -> str:
        """Why a run is broken; empty = none is."""
        broken = [(row["path"], row["error"]) for _, row in self._rows if row["error"] != "-"]
        return "; ".join(error if len(self) == 1 else f"{name}: {error}" for name, error in broken)

    @property
    def headline(self) -> str:
        """The main number of the run in words, as `tarry runs` prints it."""
        return "; ".join(row["headline"] for _, row in self._rows)

    @property
    def settings(self) -> dict[str, Any]:
        """The settings of the run, of config.json; of a sweep its question, of sweep.json. Of several a dict of these by run."""
        found = {row["path"]: _json(path / ("sweep.json" if row["kind"] == "sweep" else "config.json")) for path, row in self._rows}
        return dict(found[next(iter(found))]) if len(self) == 1 else found

    @property
    def best(self) -> dict[str, Any]:
        """What a tuning chose, of best.json: its policy, params and means; empty for other runs."""
        self._one("best")
        return _json(self._rows[0][0] / "best.json")

    @property
    def labels(self) -> dict[str, str]:
        """The short names that pictures have for policies, of labels.json."""
        return {policy: label for path, _ in self._rows for policy, label in _json(path / "labels.json").items()}

    @property
    def tables(self) -> tuple[str, ...]:
        """The tables that are there, named as in `tarry list tables`."""
        return tuple(name for name in BY if any(_parquet.folders(path, row["kind"], name) for path, row in self._rows))

    def arrow(self, table: str, columns: Sequence[str] | None = None, filter: Any = None) -> pyarrow.Table:  # noqa: A002
        """A table of pyarrow: all columns or these, all rows or the rows that an expression of pyarrow.compute lets pass."""
        pa = need_pyarrow()
        parts = []
        for path, row in self._rows:
            of = _parquet.folders(path, row["kind"], _checked.text("table", table))
            if not of:
                continue
            part = _parquet.read(of, columns, filter)
            if len(self) > 1:
                part = part.add_column(0, RUN, pa.repeat(row["path"], part.num_rows))
            parts.append(part)
        if not parts:
            raise OptionError(f"table {_checked.shown(table)} is not in {self._names()}, expected one of {', '.join(self.tables) or 'none: there is no table yet'}")
        return parts[0] if len(parts) == 1 else _parquet.together(parts)

    def to_pandas(self, table: str, columns: Sequence[str] | None = None, filter: Any = None) -> pandas.DataFrame:  # noqa: A002
        """A table as a data frame of pandas."""
        need_pandas()
        return self.arrow(table, columns, filter).to_pandas()

    def to_polars(self, table: str, columns: Sequence[str] | None = None, filter: Any = None) -> polars.DataFrame:  # noqa: A002
        """A table as a data frame of polars."""
        try:
            import polars
        except ImportError as err:
            raise ImportError("data frames of polars need polars: pip install polars") from err
        frame = polars.from_arrow(self.arrow(table, columns, filter))
        assert isinstance(frame, polars.DataFrame)
        return frame

    def join(self, left: str, right: str) -> pandas.DataFrame:
        """Each row of a table with its row of another one: join("jobs", "trials"), join("intervals", "jobs").

        Rows belong together where the keys are the same, and what else names a row of the right table (docs/reference/tables.md). A column
        that both have is the left one's; the right one's has the table's name behind it, jobs_trials.
        """
        return joined(self.to_pandas, left, right, self.tables)

    def _names(self) -> str:
        return ", ".join(f"{path} ({row['kind']})" for path, row in self._rows)

    def _one(self, what: str) -> None:
        if len(self) != 1:
            raise OptionError(f"{what} of {len(self)} runs, expected one: take it by its name, {_checked.shown(next(iter(self), ''))}")

    def _lines(self) -> list[dict[str, str]]:
        shown = {"run": "path", "kind": "kind", "status": "status", "headline": "headline", "what": "what"}
        return [{head: row[key] for head, key in shown.items()} for _, row in self._rows]

    def __repr__(self) -> str:
        rows = self._lines()
        widths = {head: max(len(head), *(len(r[head]) for r in rows)) for head in rows[0]}
        lines = ["  ".join(text.ljust(widths[head]) for head, text in row.items()).rstrip() for row in [{h: h for h in widths}, *rows]]
        said = [self.text, *self.notes] if self.text or self.notes else []
        return "\n".join([*said, *lines, f"tables: {', '.join(self.tables) or 'none'}", *([self.reason] if self.reason else [])])

    def _repr_html_(self) -> str:
        """What Jupyter shows: the runs, what they found, and the figure of `tarry figures`."""
        rows = self._lines()
        said = "\n".join([self.text, *self.notes]).strip() if self.text or self.notes else ""
        parts = [_shown.text(said), _shown.table(list(rows[0]), [list(row.values()) for row in rows]), _shown.text(self.reason)]
        for kind, name, show in (("train", "curves", _shown.updates), ("tune", "tune", _shown.points)):
            if self.kind == kind and name in self.tables:
                parts.append(show(self.to_pandas(name)))
        if "train" not in self.kind and "tune" not in self.kind and "trials" in self.tables:
            trials = self.to_pandas("trials")
            axes = [c for c in trials if c.startswith("axis_") and c != "axis_seed"]
            parts.append(_shown.means(trials, [*([RUN] if RUN in trials else []), *([] if "axis_policy" in axes else ["policy"]), *axes]))
        return "".join([*parts, _shown.drawn(*self.paths)])


def _json(path: pathlib.Path) -> dict[str, Any]:
    """A mapping of a JSON file; none where there is no file."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as err:
        raise OptionError(f"{path}: {err}") from err
    if not isinstance(found, dict):
        raise OptionError(f"{path}: {_checked.shown(found)}, expected an object")
    return found


def _listed(folder: Path) -> list[tuple[pathlib.Path, dict[str, Any]]]:
    """The runs of a folder, or in it, as `tarry runs` lists them."""
    rows = _program.json_of(["runs", "--columns", "kind,status,date,headline,what,error,folder", "--", _checked.path("folder", folder)])
    return [(pathlib.Path(row["folder"]), row) for row in rows]


def read(folder: Path | Sequence[Path]) -> Folder:
    """Reads a folder of results: of compare, simulate, eval, train, tune, sweep or reproduce; a folder of such folders, or a list.

    Raises: OptionError for a folder that is not there or holds no run.

    Example:
        import tarry

        tarry.simulate(trace="synth:demo", cluster="2x2x4", policy="dally", out="runs/one", force=True)
        run = tarry.read("runs/one")
        print(run.to_pandas("jobs").groupby("user").jct_s.mean())  # seconds
    """
    several = [folder] if isinstance(folder, (str, os.PathLike)) else folder
    if not isinstance(several, Sequence) or not several:
        raise OptionError(f"folder is {_checked.shown(folder)}, expected the path of a folder, or a list of paths")
    rows = [row for one in several for row in _listed(one)]
    if len(several) > 1:
        for (path, row), name in zip(rows, _short([path for path, _ in rows]), strict=True):
            row["path"] = name
    return Folder(rows)


def _short(paths: Sequence[pathlib.Path]) -> list[str]:
    """The shortest ends of paths that differ."""
    parts = [path.resolve().parts for path in paths]
    for n in range(1, max(len(p) for p in parts) + 1):
        names = ["/".join(p[-n:]) for p in parts]
        if len(set(names)) == len(set(parts)):
            return names
    return names


def runs(folder: Path = "runs") -> pandas.DataFrame:
    """The runs below a folder as a data frame: `tarry runs`, with the settings in which they differ as columns.

    Raises: OptionError for a folder that is not there or holds no run.

    Example:
        import tarry

        tarry.simulate(trace="synth:demo", cluster="2x2x4", policy="dally", out="runs/one", force=True)
        print(tarry.runs("runs")[["path", "kind", "status", "headline"]])
    """
    pd = need_pandas()
    rows = _program.json_of(["runs", "--columns", "all", "--", _checked.path("folder", folder)])
    frame = pd.DataFrame([{key: None if value == "-" else value for key, value in row.items()} for row in rows])
    frame["date"] = pd.to_datetime(frame["date"], utc=True)
    for name in frame.columns:
        with contextlib.suppress(ValueError, TypeError):  # it has texts
            frame[name] = frame[name] if name == "date" else pd.to_numeric(frame[name])
    return frame
