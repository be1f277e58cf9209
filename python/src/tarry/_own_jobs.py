"""Jobs of a table or data frame, as the Parquet file that the library reads; the file is in memory.

The library reads the cells, by the rules of all its tables: here nothing is converted but what Parquet has no type for.
"""

from __future__ import annotations

import ctypes
import json
import sys
from typing import TYPE_CHECKING, Any

from tarry import _library
from tarry._tables import need_pyarrow
from tarry.errors import OptionError

if TYPE_CHECKING:
    import pyarrow


def is_table(trace: Any) -> bool:
    """Whether a trace is a table of jobs: of pyarrow, pandas, polars or another library that speaks Arrow."""
    return hasattr(trace, "__arrow_c_stream__") or hasattr(trace, "__dataframe__")


def _as_text(value: Any) -> str | None:
    """A cell of a column that holds several types, as the text that it would be in CSV."""
    if value is None or value != value or type(value).__name__ in ("NAType", "NaTType"):  # noqa: PLR0124: NaN is not itself
        return None
    return str(value)


def _of_pandas(frame: Any) -> pyarrow.Table:
    """The table of a data frame of pandas. A column of Python objects of several types becomes text."""
    import pyarrow as pa

    doubles = [str(name) for name in frame.columns[frame.columns.duplicated()]]
    if doubles:
        raise OptionError(f"trace: column {doubles[0]!r} appears twice")
    texts = {}
    for name in frame.columns:
        if frame[name].dtype == object:
            try:
                pa.array(frame[name], from_pandas=True)
            except (pa.ArrowException, OverflowError, TypeError, ValueError):
                texts[name] = [_as_text(value) for value in frame[name]]
    return pa.Table.from_pandas(frame.assign(**{str(name): column for name, column in texts.items()}) if texts else frame)


def _table(trace: Any) -> pyarrow.Table:
    """The Arrow table."""
    import pyarrow as pa

    if isinstance(trace, pa.Table):
        return trace
    pandas = sys.modules.get("pandas")
    if pandas is not None and isinstance(trace, pandas.DataFrame):
        return _of_pandas(trace)
    if hasattr(trace, "__arrow_c_stream__"):
        return pa.table(trace)
    from pyarrow import interchange

    return interchange.from_dataframe(trace)


def _index(table: pyarrow.Table) -> dict[str, str]:
    """What the library needs of the metadata: which columns are the index of pandas. The rest has versions, which would make other bytes of the same jobs."""
    about = json.loads((table.schema.metadata or {}).get(b"pandas", b"{}"))
    names = [name for name in about.get("index_columns", []) if isinstance(name, str)]
    return {"pandas": json.dumps({"index_columns": names})} if names else {}


def _write(table: pyarrow.Table) -> bytes:
    import pyarrow as pa
    import pyarrow.parquet as pq

    sink = pa.BufferOutputStream()
    pq.write_table(table.replace_schema_metadata(_index(table)), sink, compression="none")
    return bytes(sink.getvalue().to_pybytes())


def parquet(trace: Any) -> bytes:
    """The Parquet file."""
    pa = need_pyarrow()
    wrong = (pa.ArrowException, OverflowError, TypeError, ValueError, NotImplementedError, KeyError)
    try:
        table = _table(trace)
        return _write(table)
    except OptionError:
        raise
    except wrong as err:
        raise OptionError(f"trace: {_culprit(trace, wrong) or err}") from err


def _culprit(trace: Any, wrong: tuple[type[Exception], ...]) -> str:
    """The column that has no place in Parquet; empty where it is not one."""
    try:
        table = _table(trace)
    except wrong:
        return ""
    for i, name in enumerate(table.column_names):
        try:
            _write(table.select([i]))
        except wrong:
            return f"column {name!r} holds {table.column(i).type}, expected numbers, texts, timestamps or durations"
    return ""


def spelling(data: bytes) -> str:
    """The name under which such jobs are the trace of a run."""
    lib, out = _library.library(), ctypes.c_void_p()
    lib.tarry_trace(data, len(data), ctypes.byref(out))
    return _library.take(lib, out)
