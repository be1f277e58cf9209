"""What tarry figures drew."""

from __future__ import annotations

import pathlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tarry import _checked, _shown
from tarry._tables import need_pandas
from tarry.errors import UnknownName

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True)
class Figure:
    """One figure: its name, what it shows, and its files by format (svg, png, pdf, csv, parquet)."""

    name: str
    caption: str
    files: dict[str, pathlib.Path]

    @property
    def svg(self) -> str:
        """The picture as SVG; an error where it was drawn in other formats only."""
        if "svg" not in self.files:
            raise UnknownName(f"{self.name} has no SVG, expected one of {', '.join(self.files)}")
        return self.files["svg"].read_text(encoding="utf-8")

    def to_pandas(self) -> pandas.DataFrame:
        """What is drawn as a data frame."""
        return need_pandas().read_parquet(self.files["parquet"])

    def __repr__(self) -> str:
        return f"{self.name}: {self.caption}"

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        bundle: dict[str, Any] = {"text/plain": repr(self)}
        if "svg" in self.files:
            bundle["image/svg+xml"] = self.svg
        return bundle


class Figures(Mapping[str, Figure]):
    """Figures by name, in the order in which they were drawn.

    Raises: UnknownName for a figure that was not drawn.

    Example:
        import tarry

        tarry.simulate(trace="synth:demo", cluster="2x2x4", policy="dally", out="runs/one", force=True)
        drawn = tarry.figures("runs/one", format="svg")
        print(drawn["jct_cdf"].to_pandas().head())
    """

    def __init__(self, printed: str) -> None:
        """Of what the command prints: FOLDER/NAME.{FORMAT,...}, two spaces, the caption."""
        self._all: dict[str, Figure] = {}
        for line in printed.splitlines():
            path, _, rest = line.partition(".{")
            formats, _, caption = rest.partition("}  ")
            at = pathlib.Path(path)
            self._all[at.name] = Figure(at.name, caption, {f: at.with_name(f"{at.name}.{f}") for f in formats.split(",")})

    def __getitem__(self, name: str) -> Figure:
        if name not in self._all:
            raise UnknownName(f"{_checked.shown(name)}, expected one of {', '.join(self._all)}")
        return self._all[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._all)

    def __len__(self) -> int:
        return len(self._all)

    def __repr__(self) -> str:
        return "\n".join(repr(figure) for figure in self._all.values())

    def _repr_html_(self) -> str:
        return "".join(_shown.picture(f.svg, f.caption) for f in self._all.values() if "svg" in f.files)
