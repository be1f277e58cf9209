"""The Parquet files of a table in a folder of results."""

from __future__ import annotations

import json
import pathlib
import re
import urllib.parse
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from tarry._tables import need_pyarrow
from tarry.errors import OptionError

if TYPE_CHECKING:
    import pyarrow


def folders(run: pathlib.Path, kind: str, table: str) -> list[pathlib.Path]:
    """The folders that hold a table of a run. A table that a sweep has not gathered is in the folders of its cells that are done."""
    if _files(run / table):
        return [run / table]
    if kind != "sweep":
        return []
    places = (place / table for cell in _cells(run) for place in (cell, cell / "run"))
    return [place for place in places if _files(place)]


def _cells(run: pathlib.Path) -> Iterator[pathlib.Path]:
    try:
        ids = [json.loads(line)["id"] for line in (run / "cells.jsonl").read_text(encoding="utf-8").splitlines()]
    except (OSError, ValueError, KeyError):
        return  # tarry runs states what is wrong with it
    for one in ids:
        cell = run / "cells" / one
        try:
            done = json.loads((cell / "STATUS").read_text(encoding="utf-8"))["state"] == "done"
        except (OSError, ValueError, KeyError):
            continue
        if done and run / "cells" in cell.parents and ".." not in cell.parts:
            yield cell


def _files(folder: pathlib.Path) -> list[pathlib.Path]:
    """The files of a table, in the order of their names with numbers as numbers; names that begin with a dot are being written."""
    if not folder.is_dir():
        return []
    found = [f for f in folder.rglob("*.parquet") if not any(part[0] in "._" for part in f.relative_to(folder).parts)]
    return sorted(found, key=lambda f: [(0, int(t), "") if t.isdigit() else (1, 0, t) for t in re.split(r"(\d+)", str(f.relative_to(folder)))])


def read(of: Sequence[pathlib.Path], columns: Sequence[str] | None, rows: Any) -> pyarrow.Table:
    """The rows of the files in some folders; each file is read by itself, since pyarrow.dataset imports pandas, which takes seconds."""
    pa = need_pyarrow()
    try:
        return together([_file(file, folder, columns, rows) for folder in of for file in _files(folder)])
    except (pa.ArrowException, OSError) as err:
        raise OptionError(f"{of[0]}: {err}") from err


def _file(file: pathlib.Path, folder: pathlib.Path, columns: Sequence[str] | None, rows: Any) -> pyarrow.Table:
    pa = need_pyarrow()
    import pyarrow.parquet as pq

    # Files of early versions have keys in the names of their folders alone.
    pairs = [part.partition("=") for part in file.relative_to(folder).parts[:-1] if "=" in part]
    with pq.ParquetFile(file) as opened:
        keys = {key: urllib.parse.unquote(value) for key, _, value in pairs if key not in opened.schema_arrow.names}
        names = [*keys, *opened.schema_arrow.names]
        if unknown := [name for name in columns or () if name not in names]:
            raise OptionError(f"columns {', '.join(unknown)} are not in the table {folder.name}, expected some of {', '.join(names)}")
        wanted = None if columns is None or rows is not None else [name for name in columns if name not in keys]
        groups = [opened.read_row_group(i, columns=wanted) for i in range(opened.num_row_groups)]
        if not groups:
            groups = [opened.read(columns=wanted)]
    parts = []
    for table in groups:
        for name, value in reversed(keys.items()):
            whole = name in ("seed", "replicate")
            table = table.add_column(0, name, pa.repeat(pa.scalar(int(value) if whole else value), table.num_rows))
        parts.append(table if rows is None else table.filter(rows))
    table = pa.concat_tables(parts)
    return table if columns is None else table.select(list(columns))


def _filled(column: Any) -> Any:
    """A column of which files of earlier versions have no values: these are missing as they are elsewhere, NaN, "" or -1."""
    pa = need_pyarrow()
    missing: Any = -1
    if pa.types.is_floating(column.type):
        missing = float("nan")
    elif pa.types.is_string(column.type):
        missing = ""
    return column.fill_null(missing)


def together(tables: Sequence[pyarrow.Table]) -> pyarrow.Table:
    """Tables one behind the other; a column that one of them lacks is missing there."""
    pa = need_pyarrow()
    first = tables[0].schema
    if all(t.schema.equals(first) for t in tables[1:]):
        whole = pa.concat_tables([t.replace_schema_metadata(first.metadata) for t in tables])
    else:
        whole = pa.concat_tables([t.replace_schema_metadata(None) for t in tables], promote_options="permissive")
    for i, field in enumerate(whole.schema):
        if whole.column(i).null_count:
            whole = whole.set_column(i, field, _filled(whole.column(i)))
    return whole.combine_chunks()
