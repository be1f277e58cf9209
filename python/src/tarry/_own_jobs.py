"""Jobs of a table or data frame, as the Parquet file that the library reads; the file is in memory."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any

from tarry import _library
from tarry._tables import need_pyarrow
from tarry.errors import OptionError

if TYPE_CHECKING:
    import pyarrow

TIMES = ("submit", "work", "request", "deadline")  # NAME_us, or NAME_s in seconds
WHOLE = {"gpus": "int32", "min_gpus": "int32", "max_gpus": "int32", "worker_gpus": "int32", "iterations": "int64", "batch_size": "int32", "share_milli": "int32", "cpu_milli": "int32", "mem_mib": "int32", "gpu_mem_mib": "int32", "priority": "int32"}
NUMBERS = ("iter_s", "gpu_util_frac")
TEXTS = ("id", "model", "user", "group", "vc", "gpu_type", "state")
NEEDED = ("submit_us", "gpus", "work_us")


def is_table(trace: Any) -> bool:
    """Whether a trace is a table of jobs: of pyarrow, pandas, polars or another library that speaks Arrow."""
    return hasattr(trace, "__arrow_c_stream__") or hasattr(trace, "__dataframe__")


def _columns(table: pyarrow.Table) -> dict[str, Any]:
    """The columns that the library knows, with its names and types."""
    import pyarrow.compute as pc

    columns: dict[str, Any] = {}
    unknown = []
    for name in table.column_names:
        stem, _, unit = name.rpartition("_")
        column = table.column(name)
        if stem in TIMES and unit in ("s", "us"):
            scale = 1e6 if unit == "s" else 1.0
            if f"{stem}_us" in columns:
                raise OptionError(f"trace: {stem}_s and {stem}_us are both given, expected one of them")
            columns[f"{stem}_us"] = pc.round(pc.multiply(column.cast("float64"), scale)).cast("int64") if unit == "s" else column.cast("int64")
        elif name in WHOLE:
            columns[name] = column.cast(WHOLE[name])
        elif name in NUMBERS:
            columns[name] = column.cast("float64")
        elif name in TEXTS:
            columns[name] = column.cast("string")
        else:
            unknown.append(name)
    known = ", ".join([*TEXTS, *(f"{t}_s" for t in TIMES), *WHOLE, *NUMBERS])
    if unknown:
        raise OptionError(f"trace: unknown columns {', '.join(map(repr, unknown))}, expected some of {known}")
    return columns


def parquet(trace: Any) -> bytes:
    """The Parquet file. The row's number is the id of a job where there is no column of that name."""
    pa = need_pyarrow()
    import pyarrow.parquet as pq

    try:
        table = trace if isinstance(trace, pa.Table) else pa.table(trace)
        columns = _columns(table)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError, pa.ArrowTypeError) as err:
        raise OptionError(f"trace: {err}") from err
    missing = [name.replace("_us", "_s") for name in NEEDED if name not in columns]
    if missing:
        raise OptionError(f"trace: columns {', '.join(missing)} are missing, expected at least submit_s, gpus and work_s (GPU-seconds of work)")
    columns.setdefault("id", pa.array([str(i) for i in range(table.num_rows)], "string"))
    sink = pa.BufferOutputStream()
    pq.write_table(pa.table(columns), sink, compression="none")
    return bytes(sink.getvalue().to_pybytes())


def spelling(data: bytes) -> str:
    """The name under which such jobs are the trace of a run."""
    lib, out = _library.library(), ctypes.c_void_p()
    lib.tarry_trace(data, len(data), ctypes.byref(out))
    return _library.take(lib, out)
