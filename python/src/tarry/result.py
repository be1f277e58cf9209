"""What a run gave: its tables, and the rows that the command prints."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, Any

from tarry._tables import Tables, need_pyarrow

if TYPE_CHECKING:
    import pandas
    import pyarrow


class Result:
    """The result of tarry.simulate or tarry.compare.

    tables has the tables of the run by name, trials and jobs also as attributes; rows is what `--format json` prints, a dict per policy;
    notes are the remarks that the command writes to standard error.
    """

    def __init__(self, handle: int, report: dict[str, Any]) -> None:
        self.tables = Tables(handle, report["tables"])
        self.rows: list[dict[str, Any]] = [{name: row.get(name) for name in report["columns"]} for row in report["summary"]]
        self.notes: list[str] = report["notes"] or []
        self._texts = frozenset(report["texts"])
        self._text: str = report["text"]

    @property
    def trials(self) -> pyarrow.Table:
        """A row per policy and replicate."""
        return self.tables["trials"]

    @property
    def jobs(self) -> pyarrow.Table:
        """A row per job of every trial."""
        return self.tables["jobs"]

    @property
    def intervals(self) -> pyarrow.Table:
        """A row per allocation; with tables=("intervals", ...)."""
        return self.tables["intervals"]

    @property
    def cluster(self) -> pyarrow.Table:
        """The cluster's state over time; with tables=("cluster", ...)."""
        return self.tables["cluster"]

    @property
    def predictions(self) -> pyarrow.Table:
        """How good the predictor was; with tables=("predictions", ...)."""
        return self.tables["predictions"]

    @property
    def summary(self) -> pyarrow.Table:
        """A row per policy, as the command prints it: means over replicates, and for tarry.compare the difference from the first in pairs."""
        pa = need_pyarrow()
        columns = {name: pa.array([row[name] for row in self.rows], "string" if name in self._texts else "float64") for name in self.rows[0]}
        return pa.table(columns)

    def to_pandas(self, table: str = "trials") -> pandas.DataFrame:
        """A table as a data frame; "summary" is one, too."""
        if table == "summary":
            return self.summary.to_pandas()
        return self.tables.to_pandas(table)

    def __repr__(self) -> str:
        return self._text.rstrip("\n")

    def _repr_html_(self) -> str:
        head = "".join(f"<th>{html.escape(name)}</th>" for name in self.rows[0])
        body = "".join("<tr>" + "".join(f"<td>{html.escape(_short(value))}</td>" for value in row.values()) + "</tr>" for row in self.rows)
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _short(value: Any) -> str:
    if value is None:
        return ""
    return f"{value:.6g}" if isinstance(value, (int, float)) else str(value)
