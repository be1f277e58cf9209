"""The numbers of two PPOs in docs/howto/python.md and docs/results/tables follow from the stored rows."""

from __future__ import annotations

import csv
import pathlib
import sys

import pandas

ROOT = pathlib.Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "python" / "bench"))
from ppo_both_table import CSV, table  # noqa: E402


def test_the_table_is_that_of_the_rows() -> None:
    rows = pandas.read_csv(CSV)
    assert set(rows.learner) == {"tarry", "sb3", "untrained", "dally"} and rows[rows.learner == "sb3"].seed.nunique() == 10
    made = [[cell.strip().strip("`") for cell in line.strip("|").split("|")] for line in table(rows) if not line.startswith("|---")]
    with open(ROOT / "docs" / "results" / "tables" / "examples-two_ppos.csv", newline="", encoding="utf-8") as f:
        assert list(csv.reader(f)) == made
    page = " ".join((ROOT / "docs" / "howto" / "python.md").read_text(encoding="utf-8").split())
    difference, interval = made[2][4].split(" ", 1)
    assert f"{difference} s of 11 376 {interval}" in page and made[1][1] == "11376"
