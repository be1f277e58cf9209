"""What a measurement found."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tarry._compared import Compared

if TYPE_CHECKING:
    import pyarrow

    from tarry._tables import Tables


class Evaluation(Compared):
    """The policies of a measurement with their intervals; the first is compared with all others.

    Printed, it is the table of `tarry eval`. rows has a dict per policy with all columns of `tarry eval --format json`; latency has how often
    each policy was asked, and how long an answer took by the clock, in seconds.

    Raises: UnknownName for a row that the evaluation does not have.

    Example:
        import tarry

        found = tarry.evaluate(lambda obs: 1, "tarry/Offer-v1", {"cluster": "2x2x4", "warm": 2, "horizon": 12}, trained_on=(), count=2)
        print(found.rows[0]["policy"], found.evals.num_rows)
    """

    first = "evals"

    def __init__(self, found: dict[str, Any], tables: Tables) -> None:
        super().__init__(tables, [dict(row) for row in found["rows"]], found["texts"], found["text"])
        self.latency: dict[str, dict[str, float]] = found["latency"]

    @property
    def evals(self) -> pyarrow.Table:
        """The table evals: a row per policy and window."""
        return self.tables["evals"]
