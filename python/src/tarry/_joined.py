"""Tables of a result joined by what names their rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from tarry import _checked
from tarry._keys import BY, KEYS
from tarry._tables import need_pandas
from tarry.errors import OptionError

if TYPE_CHECKING:
    import pandas

RUN = "run"  # the column of the folder, where there are several


def joined(frame: Callable[[str], pandas.DataFrame], left: str, right: str, tables: Sequence[str]) -> pandas.DataFrame:
    """Joins two tables of a result, of which the right one has a row for each row of the left."""
    need_pandas()
    for name in (left, right):
        if not isinstance(name, str) or name not in BY or name not in tables:
            raise OptionError(f"table {_checked.shown(name)}, expected one of {', '.join(tables)}")
    also = [column for column in BY[right] if column in BY[left]]
    if len(also) < len(BY[right]):
        other = f', expected join("{right}", "{left}")' if set(BY[left]) <= set(BY[right]) else ", expected two tables with common keys"
        raise OptionError(f"a row of {left} has many rows of {right}{other}")
    a, b = frame(left), frame(right)
    on = [column for column in (RUN, *KEYS, *also) if column in a and column in b]
    b = b.drop(columns=[c for c in b if c not in on and (c == "version" or c.startswith("axis_")) and c in a])
    return a.merge(b, on=on, how="left", suffixes=("", f"_{right}"), validate="many_to_one")
