"""What a measurement found."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, Any

from tarry._tables import need_pyarrow

if TYPE_CHECKING:
    import pandas
    import pyarrow

    from tarry._tables import Tables


class Evaluation:
    """The policies of a measurement with their intervals; the first is compared with all others.

    Printed, it is the table of `tarry eval`. rows has a dict per policy with all columns of `tarry eval --format json`; latency says how often
    each policy was asked, and how long an answer took by the clock.
    """

    def __init__(self, found: dict[str, Any], tables: Tables) -> None:
        self._text: str = found["text"]
        self._texts = frozenset(found["texts"])
        self.rows: list[dict[str, Any]] = [dict(row) for row in found["rows"]]
        self.latency: dict[str, dict[str, float]] = found["latency"]
        self.tables = tables

    @property
    def evals(self) -> pyarrow.Table:
        """The table evals: a row per policy and window."""
        return self.tables["evals"]

    @property
    def trials(self) -> pyarrow.Table:
        """The table trials, of the same simulations."""
        return self.tables["trials"]

    @property
    def jobs(self) -> pyarrow.Table:
        """A row per job of every trial, where tables= asked for it."""
        return self.tables["jobs"]

    @property
    def summary(self) -> pyarrow.Table:
        """The rows as a table: one per policy, with means, differences and intervals."""
        pa = need_pyarrow()
        return pa.table({name: pa.array([row[name] for row in self.rows], "string" if name in self._texts else "float64") for name in self.rows[0]})

    def to_pandas(self, table: str = "evals") -> pandas.DataFrame:
        """A table as a data frame; "summary" is one, too."""
        if table == "summary":
            return self.summary.to_pandas()
        return self.tables.to_pandas(table)

    def __getitem__(self, policy: str) -> dict[str, Any]:
        """The row of a policy."""
        for row in self.rows:
            if row["policy"] == policy:
                return row
        raise KeyError(f"{policy!r}, expected one of {', '.join(row['policy'] for row in self.rows)}")

    def __repr__(self) -> str:
        return self._text.rstrip("\n")

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(repr(self))}</pre>"
