"""What pip calls (PEP 517 and 660): no other package is needed to build."""

import pathlib
import re
from typing import Any

import gobuild
import wheelfile

HERE = pathlib.Path(__file__).resolve().parents[1]
PACKAGE = HERE / "src" / "tarry"
EXTRAS = ("tables",)  # the settings of [project.optional-dependencies]


def _setting(name: str) -> str:
    """A text or list of the table [project]; Python 3.10 has no reader of TOML."""
    found = re.search(rf"^{name} = (.*)$", (HERE / "pyproject.toml").read_text(encoding="utf-8"), re.MULTILINE)
    assert found, name
    return found[1]


def _metadata(version: str, licences: list[str]) -> str:
    lines = ["Metadata-Version: 2.4", "Name: tarry", f"Version: {version}"]
    for key, name in {"Summary": "description", "Requires-Python": "requires-python", "License-Expression": "license"}.items():
        lines.append(f"{key}: " + _setting(name).strip('"'))
    lines += [f"License-File: {name}" for name in licences]
    lines += ["Requires-Dist: " + one for one in re.findall(r'"([^"]+)"', _setting("dependencies"))]
    for extra in EXTRAS:
        lines += [f"Provides-Extra: {extra}"]
        lines += [f'Requires-Dist: {one} ; extra == "{extra}"' for one in re.findall(r'"([^"]+)"', _setting(extra))]
    lines += ["Description-Content-Type: text/markdown", "", (HERE / "README.md").read_text(encoding="utf-8")]
    return "\n".join(lines)


BUILT = gobuild.BUILT


def _wheel(folder: str, files: dict[str, bytes], target: gobuild.Target) -> str:
    command = gobuild.command(target.folder, target)
    version = gobuild.version(command if target.here else gobuild.command(BUILT))
    tag = re.sub(r"[-.]", "_", target.platform)
    wheel = wheelfile.Wheel(pathlib.Path(folder), "tarry", version, tag)
    for name, data in sorted(files.items()):
        wheel.add(name, data)
    wheel.add(f"{wheel.scripts}/{command.name}", command.read_bytes(), 0o755)
    licences = gobuild.licences(target)
    for name, data in sorted(licences.items()):
        wheel.add(f"{wheel.info}/licenses/{name}", data)
    made = wheel.close(_metadata(version, sorted(licences)))
    gobuild.say(f"{made}: {(pathlib.Path(folder) / made).stat().st_size / 1e6:.1f} MB, {len(licences)} licence files")
    return made


def build_wheel(wheel_directory: str, config_settings: Any = None, metadata_directory: Any = None) -> str:
    """The package with its library, and the command; the setting arch=arm64 builds for another processor."""
    target = gobuild.target((config_settings or {}).get("arch"))
    gobuild.library(target.folder, target)
    files = {f"tarry/{f.name}": f.read_bytes() for f in [*PACKAGE.glob("*.py"), PACKAGE / "py.typed"]}
    for name in (gobuild.LIBRARY, "envs.json", "questions.json"):
        files[f"tarry/{name}"] = (target.folder / name).read_bytes()
    return _wheel(wheel_directory, files, target)


def build_editable(wheel_directory: str, config_settings: Any = None, metadata_directory: Any = None) -> str:
    """The package from where it lies, with the library beside its sources."""
    gobuild.library(PACKAGE)
    return _wheel(wheel_directory, {"tarry.pth": f"{PACKAGE.parent}\n".encode()}, gobuild.Target())


def build_sdist(sdist_directory: str, config_settings: Any = None) -> str:
    """There is none."""
    raise SystemExit("tarry: no source distribution: the build needs the Go module, expected pip install ./python in a clone, or a wheel")
