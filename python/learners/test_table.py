"""The numbers of two PPOs in docs/howto/python.md follow from the stored rows."""

from __future__ import annotations

import pathlib
import sys

import pandas

ROOT = pathlib.Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "python" / "bench"))
from ppo_both_table import CSV, table  # noqa: E402


def test_the_table_is_that_of_the_rows() -> None:
    rows = pandas.read_csv(CSV)
    assert set(rows.learner) == {"tarry", "sb3", "untrained", "dally"} and rows[rows.learner == "sb3"].seed.nunique() == 10
    page = (ROOT / "docs" / "python-learners.md").read_text(encoding="utf-8")
    for line in table(rows):
        assert line in page
