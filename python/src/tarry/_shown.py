"""Results as Jupyter shows them: tables and pictures in HTML."""

from __future__ import annotations

import base64
import html
import json
import pathlib
import re
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from tarry import _program
from tarry.errors import TarryError

if TYPE_CHECKING:
    import pandas


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table of texts."""
    top = "".join(f"<th>{html.escape(name)}</th>" for name in head)
    body = "".join("<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>"


def printed(words: str, rows: int) -> str:
    """The table that a command prints, whose columns are aligned to the right, and what stands below it."""
    head, *lines = words.rstrip("\n").split("\n")
    ends = [m.end() for m in re.finditer(r"\S+(?: \S+)*", head)]
    cells = [[line[a:b].strip() for a, b in zip([0, *ends], [*ends[:-1], len(line)], strict=False)] for line in (head, *lines[:rows])]
    return table(cells[0], cells[1:]) + text("\n".join(lines[rows:]))


def picture(svg: str, caption: str) -> str:
    """A picture with its caption; as an image of its own, for two SVGs in one page share names."""
    data = base64.b64encode(svg.encode()).decode()
    words = html.escape(caption)
    return f'<figure><img src="data:image/svg+xml;base64,{data}" alt="{words}"><figcaption>{words}</figcaption></figure>'


def text(words: str) -> str:
    """Lines of text as they are."""
    return f"<pre>{html.escape(words)}</pre>" if words else ""


def drawn(*folders: pathlib.Path) -> str:
    """The figure of results that answers most, as `tarry figures` draws it; where it cannot be drawn, the reason."""
    from tarry.drawn import Figures

    try:
        with tempfile.TemporaryDirectory() as out:
            said = _program.run(["figures", "--format=svg", f"--out={out}", "--", *map(str, folders)])
            all_of = Figures(said.out)
            if not all_of:
                return ""
            one = all_of["validation" if "validation" in all_of else next(iter(all_of))]
            return picture(one.svg, one.caption)
    except TarryError as err:
        return text(f"no picture: {err}")


def drawn_of(tables: Mapping[str, Any], policies: Sequence[str]) -> str:
    """The same of tables that are in no folder."""
    import pyarrow.parquet as pq

    if not {"trials", "jobs"} <= set(tables):
        return ""
    with tempfile.TemporaryDirectory() as folder:
        base = pathlib.Path(folder)
        for name in ("trials", "jobs"):
            (base / name).mkdir()
            pq.write_table(tables[name], base / name / "part-0.parquet")
        (base / "config.json").write_text(json.dumps({"policies": list(policies)}), encoding="utf-8")
        return drawn(base)


def means(trials: pandas.DataFrame, by: Sequence[str]) -> str:
    """Means of trials by policy, or by the axes of a sweep."""
    columns = {"jct_mean_s": "JCT mean (s)", "jct_p99_s": "p99 (s)", "queue_mean_s": "queue mean (s)", "makespan_s": "makespan (s)"}
    found = trials.groupby(list(by), sort=False)[list(columns)].agg("mean")
    counts = trials.groupby(list(by), sort=False).size()
    rows = [[*map(str, key if isinstance(key, tuple) else (key,)), str(n), *(f"{v:.0f}" for v in row)] for key, n, row in zip(found.index, counts, found.to_numpy(), strict=True)]
    return table([*(name.removeprefix("axis_") for name in by), "trials", *columns.values()], rows)


def updates(curves: pandas.DataFrame) -> str:
    """How far each training is, and its best return on validation."""
    by = [name for name in ("run", "seed") if name in curves]
    rows = []
    for key, one in curves.groupby(by, sort=False):
        last, returns = one.iloc[-1], one.return_mean.dropna()
        shown = [f"{v:.6g}" if v == v else "-" for v in (returns.iloc[-1] if len(returns) else float("nan"), one.validation_return.max())]
        rows.append([*map(str, key), str(last["update"]), str(last.env_steps), *shown])
    return table([*by, "updates", "steps", "return", "best on validation"], rows)


def points(tune: pandas.DataFrame) -> str:
    """The scheduler as it stands, and the candidates on validation."""
    rows = [[one.stage, one.params or "as it stands", str(one.windows), f"{one.value_mean:.1f}", f"{100 * one.diff_frac:+.1f} %"] for one in tune[tune.stage != "search"].itertuples()]
    return table(["stage", "params", "windows", "mean of the metric", "difference"], rows)
