"""Progress for people: a bar of tqdm where it is installed, in notebooks too; else a line now and then."""

from __future__ import annotations

import sys
import time
import warnings
from types import TracebackType
from typing import Any

from tarry import _checked
from tarry._program import Progress
from tarry.errors import OptionError

LINE_EVERY_S = 5.0


def _watched() -> bool:
    """Whether a person may be reading: a terminal, or a notebook."""
    return sys.stderr is not None and sys.stderr.isatty() or "ipykernel" in sys.modules


def _tqdm() -> Any:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a notebook without widgets gets a bar of text
            from tqdm.auto import tqdm
    except ImportError:
        return None
    return tqdm


class Bar:
    """Shows how far a run is, until it is left. shown None = where a person may be reading."""

    def __init__(self, what: str, shown: bool | None) -> None:
        if shown is not None and not isinstance(shown, bool):
            raise OptionError(f"progress is {_checked.shown(shown)}, expected True, False or None")
        self._what = what
        self._shown = _watched() if shown is None else shown
        self._tqdm = _tqdm() if self._shown else None
        self._bar: Any = None
        self._said = time.monotonic()

    def __enter__(self) -> Bar:
        return self

    def __exit__(self, kind: type[BaseException] | None, err: BaseException | None, trace: TracebackType | None) -> None:
        self._close()

    def __call__(self, p: Progress) -> None:
        """Takes a line of progress."""
        if not self._shown:
            return
        if self._tqdm is None:
            if time.monotonic() - self._said >= LINE_EVERY_S or p.done == p.total:
                self._said = time.monotonic()
                print(f"{self._what}: {p.done} of {p.total} {p.unit}, {p.text}", file=sys.stderr)
            return
        if self._bar is not None and (self._bar.total != p.total or p.done < self._bar.n):  # another sweep
            self._close()
        if self._bar is None:
            self._bar = self._tqdm(total=p.total, unit=" " + p.unit, desc=self._what, initial=p.done)
        self._bar.set_postfix_str(p.text, refresh=False)
        self._bar.update(p.done - self._bar.n)
        if p.done == p.total:
            self._bar.refresh()

    def _close(self) -> None:
        if self._bar is not None:
            self._bar.close()
            self._bar = None
