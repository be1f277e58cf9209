"""Read tables back with pandas and compare them with what was written.

Usage: verify_parquet.py expected.json

The JSON holds {"files": [...], "hive": {...}}. A file has its path, its metadata and
its columns in order, each with a dtype and the values as text: floats in hexadecimal
notation, so that every bit counts. Prints one line per difference; exit code 1 if any.
"""

import json
import math
import struct
import sys

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

PARSE = {"float64": float.fromhex, "int64": int, "int32": int, "uint64": int, "str": str}
differences = []


def differ(*words):
    differences.append(" ".join(str(w) for w in words))


def same(got, want):
    if isinstance(want, float):
        if math.isnan(want):
            return isinstance(got, float) and math.isnan(got)
        return struct.pack("<d", got) == struct.pack("<d", want)
    return got == want


def check_values(name, frame, columns):
    if list(frame.columns) != [c["name"] for c in columns]:
        differ(name, "has columns", list(frame.columns))
        return
    for c in columns:
        got = frame[c["name"]]
        want = [PARSE[c["dtype"]](v) for v in c["values"]]
        dtype = "str" if str(got.dtype) == "object" else str(got.dtype)  # pandas before 3 has object
        if dtype != c["dtype"]:
            differ(name, c["name"], "has dtype", dtype, "want", c["dtype"])
        if len(got) != len(want):
            differ(name, c["name"], "has", len(got), "rows, want", len(want))
            continue
        for i, (g, w) in enumerate(zip(got.tolist(), want)):
            if not same(g, w):
                differ(name, c["name"], "row", i, "is", repr(g), "want", repr(w))
                break


def check_layout(name, path, meta):
    """Flat required columns, no nulls, the codec that the metadata name (zstd), our metadata."""
    parquet = pq.ParquetFile(path)
    kv = {k.decode(): v.decode() for k, v in (parquet.metadata.metadata or {}).items()}
    named = kv.get("tarry.parquet_codec", "zstd")
    codec = {"none": "UNCOMPRESSED", "snappy": "SNAPPY"}.get(named, "ZSTD")
    for key, want in meta.items():
        if kv.get("tarry." + key) != want:
            differ(name, "metadata", key, "is", repr(kv.get("tarry." + key)), "want", repr(want))
    for i in range(parquet.metadata.num_columns):
        column = parquet.schema.column(i)
        if column.max_definition_level or column.max_repetition_level:
            differ(name, column.name, "is not flat and required")
    for g in range(parquet.metadata.num_row_groups):
        group = parquet.metadata.row_group(g)
        for i in range(group.num_columns):
            chunk = group.column(i)
            if chunk.compression != codec:
                differ(name, chunk.path_in_schema, "is compressed with", chunk.compression)
            if chunk.statistics is None or chunk.statistics.null_count != 0:
                differ(name, chunk.path_in_schema, "has statistics", chunk.statistics)


def check_bounds(name, path):
    """Every row group has the least and the greatest value of each column; NaN is neither, and without a number there is none."""
    parquet = pq.ParquetFile(path)
    for g in range(parquet.metadata.num_row_groups):
        rows = parquet.read_row_group(g).to_pandas()
        for i in range(parquet.metadata.num_columns):
            chunk = parquet.metadata.row_group(g).column(i)
            values = rows[chunk.path_in_schema].dropna().tolist()
            got = chunk.statistics
            if got is None or got.has_min_max != bool(values):
                differ(name, chunk.path_in_schema, "has bounds:", got is not None and got.has_min_max, "of", len(values), "values")
            elif values and (got.min != min(values) or got.max != max(values)):
                differ(name, chunk.path_in_schema, "has bounds", repr(got.min), repr(got.max), "want", repr(min(values)), repr(max(values)))


def check_words(name, path, columns):
    """The data dictionary stands beside each column."""
    schema = pq.read_schema(path)
    for i, c in enumerate(columns):
        got = {k.decode(): v.decode() for k, v in (schema.field(i).metadata or {}).items() if not k.startswith(b"PARQUET:")}
        if got != c["words"]:
            differ(name, c["name"], "is described by", got, "want", c["words"])
        if schema.field(i).nullable:
            differ(name, c["name"], "is nullable")


def check_filters(name, path, frame):
    """Readers skip row groups by their statistics: filtering must find what is there."""
    schema = pq.read_schema(path)
    for column in frame.columns:
        value = frame[column].iloc[-1]
        if isinstance(value, float) and math.isnan(value):
            continue
        if hasattr(value, "item"):
            value = value.item()
        constant = pa.scalar(value, type=schema.field(column).type)  # else an int64, which uint64 does not fit
        found = pd.read_parquet(path, filters=pc.field(column) == constant)
        want = int((frame[column] == value).sum())
        if len(found) != want:
            differ(name, column, "==", repr(value), "finds", len(found), "rows, want", want)


def check_hive(hive):
    frame = pd.read_parquet(hive["path"])
    if len(frame) != hive["rows"]:
        differ("hive folder has", len(frame), "rows, want", hive["rows"])
    for key, want in hive["values"].items():
        got = sorted(str(v) for v in frame[key].unique())
        if got != want:
            differ("hive key", key, "has values", got, "want", want)


def check_plain(path):
    """A folder of trials: keys are columns of the types of the schema, no categories."""
    frame = pd.read_parquet(path)
    got = {k: str(frame[k].dtype) for k in ["seed", "replicate"]}
    if got != {"seed": "int64", "replicate": "int64"} or str(frame["policy"].dtype) == "category":
        differ("folder of trials has", frame.dtypes.to_dict())
    if sorted(zip(frame.policy, frame.replicate, frame.seed)) != sorted([("dally:t_rack=1/2", 0, 0), ("fifo", 0, 1), ("dally:t_rack=1/2", 1, 2), ("fifo", 1, 3)]):
        differ("folder of trials has", frame[["policy", "replicate", "seed"]].values.tolist())


def main():
    with open(sys.argv[1], encoding="utf-8") as f:
        expected = json.load(f)
    for file in expected["files"]:
        frame = pd.read_parquet(file["path"])
        check_values(file["name"], frame, file["columns"])
        check_layout(file["name"], file["path"], file["meta"])
        check_bounds(file["name"], file["path"])
        check_words(file["name"], file["path"], file["columns"])
        if len(frame):
            check_filters(file["name"], file["path"], frame)
    check_hive(expected["hive"])
    check_plain(expected["plain"])
    for line in differences:
        print(line)
    print("pandas", pd.__version__, "read", len(expected["files"]), "files,", len(differences), "differences")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
