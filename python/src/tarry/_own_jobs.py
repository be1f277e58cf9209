"""Jobs of a table or data frame, as the Parquet file that the library reads; the file is in memory.

The library reads the cells, by the rules of all its tables: here nothing is converted but what Parquet has no type for.
"""

from __future__ import annotations

import ctypes
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from tarry import _library
from tarry._tables import need_pyarrow
from tarry.errors import OptionError

if TYPE_CHECKING:
    import pyarrow


def _is_column(value: Any) -> bool:
    """Whether a value of a dict is a column: a list or an array, no text and no options."""
    return hasattr(value, "__len__") and hasattr(value, "__getitem__") and not isinstance(value, (str, bytes, Mapping))


def is_table(trace: Any) -> bool:
    """Whether a trace is a table of jobs: of pyarrow, pandas, polars or another library that speaks Arrow, columns by name, or a list or iterator of rows or batches."""
    if any(hasattr(trace, name) for name in ("__arrow_c_stream__", "__arrow_c_array__", "__dataframe__")):
        return True
    if isinstance(trace, Mapping):
        return bool(trace) and all(_is_column(value) for value in trace.values())
    return isinstance(trace, Iterator) or isinstance(trace, Sequence) and not isinstance(trace, (str, bytes))


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


def _of_columns(columns: Mapping[Any, Any]) -> pyarrow.Table:
    """The table of columns by name. A column of several types becomes text."""
    import pyarrow as pa

    sizes = {str(name): len(values) for name, values in columns.items()}
    if len(set(sizes.values())) > 1:
        raise OptionError(f"trace: columns of different lengths: {', '.join(f'{name} {size}' for name, size in sizes.items())}")
    arrays = {}
    for name, values in columns.items():
        try:
            arrays[str(name)] = pa.array(values, from_pandas=True)
        except (pa.ArrowException, OverflowError, TypeError, ValueError):
            arrays[str(name)] = pa.array([_as_text(value) for value in values], pa.string())
    return pa.table(arrays)


def _of_items(items: list[Any]) -> pyarrow.Table:
    """The table of rows, each a dict, or of batches and tables, one behind the other."""
    import pyarrow as pa

    if items and all(isinstance(item, Mapping) for item in items):
        names = list(dict.fromkeys(name for row in items for name in row))
        return _of_columns({name: [row.get(name) for row in items] for name in names})
    if items and all(is_table(item) and not isinstance(item, (Iterator, Sequence)) for item in items):
        return pa.concat_tables([_table(item) for item in items], promote_options="permissive")
    kinds = ", ".join(dict.fromkeys(type(item).__name__ for item in items)) or "nothing"
    raise OptionError(f"trace is a list of {kinds}, expected dicts, one for each job, or tables")


def _table(trace: Any) -> pyarrow.Table:
    """The Arrow table."""
    import pyarrow as pa

    if isinstance(trace, pa.Table):
        return trace
    if isinstance(trace, pa.RecordBatch):
        return pa.Table.from_batches([trace])
    if isinstance(trace, Mapping):
        return _of_columns(trace)
    pandas = sys.modules.get("pandas")
    if pandas is not None and isinstance(trace, pandas.DataFrame):
        return _of_pandas(trace)
    if hasattr(trace, "__arrow_c_stream__"):
        return pa.table(trace)
    if isinstance(trace, (Iterator, Sequence)):
        return _of_items(list(trace))
    if hasattr(trace, "__arrow_c_array__"):
        return pa.Table.from_batches([pa.record_batch(trace)])
    from pyarrow import interchange

    return interchange.from_dataframe(trace)


def _index(table: pyarrow.Table) -> dict[str, str]:
    """What the library needs of the metadata: which columns are the index of pandas. The rest has versions, which would make other bytes of the same jobs."""
    about = json.loads((table.schema.metadata or {}).get(b"pandas", b"{}"))
    names = [name for name in about.get("index_columns", []) if isinstance(name, str)]
    return {"pandas": json.dumps({"index_columns": names})} if names else {}


def _writable(table: pyarrow.Table) -> pyarrow.Table:
    """The table with dictionaries of views as dictionaries of texts: polars has categories so, and Parquet's writer no place for them."""
    import pyarrow as pa

    for i, field in enumerate(table.schema):
        if pa.types.is_dictionary(field.type) and pa.types.is_string_view(field.type.value_type):
            parts = [pa.DictionaryArray.from_arrays(part.indices, part.dictionary.cast(pa.string())) for part in table.column(i).chunks]
            table = table.set_column(i, field.name, pa.chunked_array(parts, pa.dictionary(field.type.index_type, pa.string())))
    return table


def _write(table: pyarrow.Table) -> bytes:
    import pyarrow as pa
    import pyarrow.parquet as pq

    table = _writable(table)
    sink = pa.BufferOutputStream()
    pq.write_table(table.replace_schema_metadata(_index(table)), sink, compression="none")
    return bytes(sink.getvalue().to_pybytes())


def parquet(trace: Any) -> bytes:
    """The Parquet file."""
    pa = need_pyarrow()
    wrong = (pa.ArrowException, OverflowError, TypeError, ValueError, NotImplementedError, KeyError)
    if isinstance(trace, Iterator) and not hasattr(trace, "__arrow_c_stream__"):
        trace = list(trace)  # to look at it again
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
