"""What pip builds: the files of a wheel, the licences in it, and what a build that cannot be states."""

from __future__ import annotations

import base64
import hashlib
import importlib.util
import pathlib
import sys
import zipfile
from types import ModuleType

import pytest

BACKEND = pathlib.Path(__file__).resolve().parents[1] / "backend"


@pytest.fixture
def gobuild(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The module that calls Go, afresh."""
    return module("gobuild", monkeypatch)


def module(name: str, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(BACKEND))
    spec = importlib.util.spec_from_file_location(name, BACKEND / f"{name}.py")
    assert spec is not None and spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, name, made)
    spec.loader.exec_module(made)
    return made


def test_the_record_has_every_file(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wheel = module("wheelfile", monkeypatch).Wheel(tmp_path, "tarry", "1.0", "linux_aarch64")
    wheel.add("tarry/a.py", b"a")
    wheel.add(f"{wheel.scripts}/tarry", b"program", 0o755)
    with zipfile.ZipFile(tmp_path / wheel.close("Name: tarry")) as made:
        names = set(made.namelist())
        record = dict(line.split(",", 1) for line in made.read("tarry-1.0.dist-info/RECORD").decode().splitlines())
        assert set(record) == names and "Tag: py3-none-linux_aarch64" in made.read("tarry-1.0.dist-info/WHEEL").decode()
        for name in names - {"tarry-1.0.dist-info/RECORD"}:
            digest = base64.urlsafe_b64encode(hashlib.sha256(made.read(name)).digest()).rstrip(b"=").decode()
            assert record[name] == f"sha256={digest},{len(made.read(name))}"
        assert made.getinfo(f"{wheel.scripts}/tarry").external_attr >> 16 & 0o111


def test_licences_of_all_that_is_linked(gobuild: ModuleType) -> None:
    found = gobuild.licences(gobuild.Target())
    assert {"LICENSE", "modules/go/LICENSE"} <= set(found) and all(len(text) > 50 for text in found.values())
    modules = {"@".join(name.split("@")[:1]) for name in found}
    needed = [line.split()[0] for line in (gobuild.MODULE / "go.mod").read_text(encoding="utf-8").split("require (")[1].split(")")[0].splitlines() if line.strip()]
    linked = [name for name in needed if f"modules/{name}" in modules]
    assert {"github.com/urfave/cli/v2", "github.com/apache/arrow/go/v15", "gonum.org/v1/gonum"} <= set(linked)


def test_what_a_build_needs(gobuild: ModuleType, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = "arm64" if gobuild.Target().platform.endswith("x86_64") else "amd64"
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("GO", raising=False)
    monkeypatch.delenv("CC", raising=False)
    with pytest.raises(SystemExit, match=r"Go 1\.26 or later(.|\n)*a C compiler"):
        gobuild.check()
    with pytest.raises(SystemExit, match=rf"for {other} needs\n.*gcc.*apt-get install gcc-"):
        gobuild.target(other)
    with pytest.raises(SystemExit, match="'mips', expected one of amd64, arm64"):
        gobuild.target("mips")


def test_a_build_states_what_it_does(gobuild: ModuleType, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    def build(*words: str, **more: str) -> str:
        if "-o" in words:
            pathlib.Path(words[words.index("-o") + 1]).write_bytes(b"x")
        return "go1.26.1"

    monkeypatch.setattr(gobuild, "_run", build)
    monkeypatch.setattr(gobuild, "check", lambda: "go")
    gobuild._go_build(gobuild.Target("linux-aarch64", tmp_path, {"GOARCH": "arm64"}), tmp_path / "tarry", "./cmd/tarry")
    said = capfd.readouterr().err
    assert "building tarry for linux-aarch64 with go1.26.1 (about 90 s" in said and "built tarry: 0.0 MB in" in said
