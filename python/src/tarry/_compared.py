"""What runs and measurements have in common: tables, and the rows that the command prints."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tarry import _shown
from tarry._checked import shown
from tarry._joined import joined
from tarry._tables import Tables, need_pyarrow
from tarry.errors import UnknownName

if TYPE_CHECKING:
    import pandas
    import pyarrow


class Compared:
    """Policies on the same jobs. Printed, it is the command's table; result["dally"] is the row of a policy."""

    first = ""  # the table that to_pandas gives

    def __init__(self, tables: Tables, rows: list[dict[str, Any]], texts: list[str], text: str) -> None:
        self.tables = tables
        self.rows = rows
        self._texts = frozenset(texts)
        self._text = text

    @property
    def trials(self) -> pyarrow.Table:
        """A row per simulation: a policy on a replicate or a window."""
        return self.tables["trials"]

    @property
    def jobs(self) -> pyarrow.Table:
        """A row per job of every trial; tables= sets whether it is kept."""
        return self.tables["jobs"]

    @property
    def summary(self) -> pyarrow.Table:
        """The rows as a table: one per policy, with means, and differences from the first in pairs with their intervals."""
        pa = need_pyarrow()
        return pa.table({name: pa.array([row[name] for row in self.rows], "string" if name in self._texts else "float64") for name in self.rows[0]})

    def to_pandas(self, table: str = "") -> pandas.DataFrame:
        """A table as a data frame, by default the first; "summary" is one, too."""
        if isinstance(table, str) and table == "summary":
            return self.summary.to_pandas()
        return self.tables.to_pandas(self.first if isinstance(table, str) and table == "" else table)

    def join(self, left: str, right: str) -> pandas.DataFrame:
        """Each row of a table with its row of another one, as of a folder: join("jobs", "trials")."""
        return joined(self.to_pandas, left, right, tuple(self.tables))

    def __getitem__(self, policy: str) -> dict[str, Any]:
        """The row of a policy."""
        for row in self.rows:
            if isinstance(policy, str) and row["policy"] == policy:
                return row
        raise UnknownName(f"{shown(policy)}, expected one of {', '.join(row['policy'] for row in self.rows)}")

    def __repr__(self) -> str:
        return self._text.rstrip("\n")

    def _repr_html_(self) -> str:
        return _shown.printed(self._text, len(self.rows)) + _shown.drawn_of(self.tables, [str(row["policy"]) for row in self.rows])
