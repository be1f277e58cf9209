"""Tables that Go hands out: pyarrow tables through the Arrow C data interface, and the same in pandas."""

from __future__ import annotations

import ctypes
import weakref
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from tarry import _checked, _library
from tarry.errors import BY_STATUS, FaultError, OptionError

if TYPE_CHECKING:
    import pandas
    import pyarrow

BATCH = 1 << 20  # rows in one piece: texts are addressed by 32 bits
STRUCT = 128  # bytes, enough for an ArrowArray (80) and for an ArrowSchema (72)


def need_pyarrow() -> Any:
    """pyarrow, or an error that states how to install it."""
    try:
        import pyarrow
    except ImportError as err:
        raise ImportError("tables need pyarrow: pip install 'tarry[tables]', or pip install pyarrow") from err
    return pyarrow


def need_pandas() -> Any:
    """pandas, or an error that states how to install it."""
    need_pyarrow()
    try:
        import pandas
    except ImportError as err:
        raise ImportError("data frames need pandas: pip install 'tarry[tables]', or pip install pandas") from err
    return pandas


def _release(lib: ctypes.CDLL, handle: int) -> None:
    """Gives a handle up. A forked child has nothing to give up."""
    if not _library.forked():
        lib.tarry_release(handle)


class Tables(Mapping[str, "pyarrow.Table"]):
    """The tables of a handle of the library, by name; rows has how many rows each has. A table is made when it is first asked for.

    The handle is given up with this object; tables stay.
    """

    def __init__(self, handle: int, rows: Mapping[str, int], made: Mapping[str, pyarrow.Table] | None = None) -> None:
        self._handle = handle
        self._rows = dict(rows)
        self._made: dict[str, pyarrow.Table] = dict(made or {})
        if handle:
            weakref.finalize(self, _release, _library.library(), handle)

    def __reduce__(self) -> tuple[Any, ...]:
        """A copy, or what another process gets, has the tables themselves."""
        return Tables, (0, self._rows, dict(self))

    def __iter__(self) -> Iterator[str]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)

    def __contains__(self, name: object) -> bool:
        return name in self._rows

    def __getitem__(self, name: str) -> pyarrow.Table:
        if not isinstance(name, str) or name not in self._rows:
            there = f"one of {', '.join(self._rows)}" if self._rows else "none: tables= named no table that there is"
            raise OptionError(f"table {_checked.shown(name)}, expected {there}")
        if name not in self._made:
            self._made[name] = _fetch(self._handle, name, self._rows[name])
        return self._made[name]

    def to_pandas(self, name: str) -> pandas.DataFrame:
        """A table as a data frame; column units are in table.schema.field(column).metadata."""
        need_pandas()
        return self[name].to_pandas()


def _fetch(handle: int, name: str, rows: int) -> pyarrow.Table:
    """One table, copied from Go into memory of its own."""
    pa, lib = need_pyarrow(), _library.library()
    batches = []
    for first in range(0, rows, BATCH) or [0]:
        array, schema, out = ctypes.create_string_buffer(STRUCT), ctypes.create_string_buffer(STRUCT), ctypes.c_void_p()
        at = ctypes.addressof(array), ctypes.addressof(schema)
        status = lib.tarry_table(handle, name.encode(), first, min(BATCH, rows - first), *at, ctypes.byref(out))
        text = _library.take(lib, out)
        if status:
            raise BY_STATUS.get(status, FaultError)(text)
        batches.append(pa.RecordBatch._import_from_c(*at))
    return pa.Table.from_batches(batches)
