"""The notebook that trains in Python and measures in tarry runs, and its stored outputs are of such a run."""

from __future__ import annotations

import importlib.util
import pathlib

import pytest

nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")
pytest.importorskip("matplotlib")

ROOT = pathlib.Path(__file__).parents[2]
FILE = ROOT / "notebooks" / "python_train.ipynb"


def outputs(book: nbformat.NotebookNode, kind: str) -> list[str]:
    """What cells put out, of one kind of content."""
    return [out.data[kind] for cell in book.cells for out in cell.get("outputs", ()) if kind in out.get("data", {})]


def tables(book: nbformat.NotebookNode) -> str:
    """The data frame that it shows, as text."""
    (text,) = [out.data["text/plain"] for cell in book.cells for out in cell.get("outputs", ()) if "text/html" in out.get("data", {})]
    return str(text)


def test_runs_and_finds_what_is_stored(monkeypatch: pytest.MonkeyPatch) -> None:
    stored = nbformat.read(FILE, 4)
    assert len(outputs(stored, "image/png")) == 4
    assert all(len(cell.source.splitlines()) <= 8 for cell in stored.cells if cell.cell_type == "code")
    monkeypatch.setenv("PYTHONPATH", str(ROOT / "python" / "src"))
    book = nbformat.read(FILE, 4)
    nbclient.NotebookClient(book, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(FILE.parent)}}).execute()
    assert len(outputs(book, "image/png")) == 4
    for text in (tables(book), tables(stored)):
        rows = {line.split()[1]: line.split()[2:] for line in text.splitlines() if line[:1].isdigit()}
        assert {"learned", "dally", "dally:order=gittins,evict=later", "dally-nowait"} <= set(rows)
        assert float(rows["learned"][0]) < 0.9 * float(rows["dally"][0])


def test_categories_have_styles_of_their_own() -> None:
    """As many as there are, no two categories of a chart look alike."""
    spec = importlib.util.spec_from_file_location("tables", ROOT / "notebooks" / "tables.py")
    assert spec is not None and spec.loader is not None
    tables = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tables)
    for lines, most in ((True, 210), (False, 42)):
        assert len({str(tables.style(i, lines)) for i in range(most)}) == most
