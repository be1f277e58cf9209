"""What a run gave: its tables, and the rows that the command prints."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tarry._compared import Compared
from tarry._tables import Tables

if TYPE_CHECKING:
    import pyarrow


class Result(Compared):
    """The result of tarry.simulate or tarry.compare.

    tables has the tables of the run by name, trials and jobs also as attributes; rows is what `--format json` prints, a dict per policy;
    notes are the remarks that the command writes to standard error.

    Raises: UnknownName for a row that the result does not have.

    Example:
        import tarry

        result = tarry.simulate(trace="synth:demo", cluster="4x4x8", policy="fifo", tables=("trials", "intervals"))
        print(result.rows[0]["policy"], result.intervals.num_rows)
    """

    first = "trials"

    def __init__(self, handle: int, report: dict[str, Any]) -> None:
        rows = [{name: row.get(name) for name in report["columns"]} for row in report["summary"]]
        super().__init__(Tables(handle, report["tables"]), rows, report["texts"], report["text"])
        self.notes: list[str] = report["notes"] or []

    @property
    def intervals(self) -> pyarrow.Table:
        """A row per allocation; with tables=("intervals", ...)."""
        return self.tables["intervals"]

    @property
    def cluster(self) -> pyarrow.Table:
        """The cluster's state over time; with tables=("cluster", ...)."""
        return self.tables["cluster"]

    @property
    def power(self) -> pyarrow.Table:
        """What the cluster drew over time; with tables=("power", ...)."""
        return self.tables["power"]

    @property
    def services(self) -> pyarrow.Table:
        """What services did over time; with tables=("services", ...)."""
        return self.tables["services"]

    @property
    def predictions(self) -> pyarrow.Table:
        """How good the predictor was; with tables=("predictions", ...)."""
        return self.tables["predictions"]

    @property
    def measures(self) -> pyarrow.Table:
        """Deadlines, tenants and measures of policies; with tables=("measures", ...)."""
        return self.tables["measures"]
