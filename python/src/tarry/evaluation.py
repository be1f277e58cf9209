"""What a measurement found."""

from __future__ import annotations

import html
import math
from typing import TYPE_CHECKING, Any

from tarry._tables import need_pandas

if TYPE_CHECKING:
    import pandas
    import pyarrow

    from tarry._tables import Tables


class Evaluation:
    """The policies of a measurement with their intervals; the first is compared with all others.

    Printed, it is the table of `tarry eval`. `rows` has a dict per policy with all columns of `tarry eval --format json`.
    """

    def __init__(self, found: dict[str, Any], tables: Tables) -> None:
        self._text: str = found["text"]
        self.rows: list[dict[str, Any]] = [{name: math.nan if value is None else value for name, value in row} for row in found["rows"]]
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

    def to_pandas(self) -> pandas.DataFrame:
        """The rows of the table evals as a data frame."""
        return self.tables.to_pandas("evals")

    def summary(self) -> pandas.DataFrame:
        """The rows, one per policy, with means, differences and intervals, as a data frame."""
        return need_pandas().DataFrame(self.rows)

    def __getitem__(self, policy: str) -> dict[str, Any]:
        """The row of a policy."""
        for row in self.rows:
            if row["policy"] == policy:
                return row
        raise KeyError(f"{policy!r}, expected one of {', '.join(row['policy'] for row in self.rows)}")

    def __str__(self) -> str:
        return self._text.rstrip("\n")

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(str(self))}</pre>"
