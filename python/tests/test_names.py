"""The examples in the docstrings of public names, and the example on the page of each environment, run."""

from __future__ import annotations

import inspect
import pathlib
import types

import pytest

import tarry

STEP = pathlib.Path(__file__).resolve().parents[1] / "examples" / "step.py"


@pytest.mark.parametrize("name", [n for n in tarry.__all__ if not isinstance(getattr(tarry, n), types.ModuleType)])
def test_example_of_a_name(name: str, capsys: pytest.CaptureFixture[str], tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each public name has an example, which runs."""
    monkeypatch.chdir(tmp_path)
    doc = inspect.getdoc(getattr(tarry, name)) or ""
    words, mark, example = doc.partition("\nExample:\n")
    assert mark and words.strip(), name
    exec(compile(inspect.cleandoc(example), name, "exec"), {"__name__": "__example__"})  # noqa: S102
    capsys.readouterr()


@pytest.mark.parametrize("env_id", [entry["id"] for entry in tarry.list_envs()])
def test_example_of_an_environment(env_id: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The example on the page of an environment runs with its id."""
    text = STEP.read_text(encoding="utf-8").replace("probe/Masked-v0", env_id)
    exec(compile(text, env_id, "exec"), {"__name__": "__example__"})  # noqa: S102
    assert float(capsys.readouterr().out) == pytest.approx(float(0), abs=1e9)
