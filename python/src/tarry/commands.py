"""tarry.train, tarry.tune, tarry.sweep and tarry.figures: the commands of these names, with keyword arguments in place of flags.

They run the program that the package brings, as a process of its own; the flags are the command's.
"""

from __future__ import annotations

import json
import os
import pathlib
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from tarry import _checked, _options, _program, _settings
from tarry._bar import Bar
from tarry.errors import OptionError, RunError
from tarry.drawn import Figures
from tarry.reading import Folder, Path, read

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from tarry._commands import FiguresFlags, SweepFlags, TrainSettings, TuneFlags

LISTS = ("only", "format", "seeds")  # flags that take a list joined by commas


def train(env: Any = None, agent: Any = None, *, out: Path, resume: bool = False, workers: int | None = None, progress: bool | None = None, **settings: Unpack[TrainSettings]) -> Folder:
    """Trains an agent, as `tarry train` does.

    env is an id with options ("tarry/Order-v0:load=0.9"), a dict ({"tarry/Order-v0": {"load": 0.9}}) or an environment. Keyword arguments
    are the flags of the command and the settings of the agent; set={...} is a setting that a flag has the name of. seeds=range(1, 6) trains side by side, in
    folders below out. Ctrl-C lets the update under way end and writes a checkpoint: the same call with resume=True continues, to the same bytes.
    progress=False shows no bar.

    Raises: OptionError for a wrong setting; RunError where the training fails; KeyboardInterrupt with a text that states how to resume.

    Example:
        import tarry

        run = tarry.train("tarry/Offer-v1:cluster=2x2x4,warm=2,horizon=12", "ppo", steps=1024, out="runs/agent", resume=True)
        print(run.to_pandas("curves")[["env_steps", "validation_return"]])
    """
    flags = {"env": _environment(env), "agent": _one("agent", agent), "jobs": workers, "resume": resume}
    return _folder("train", out, flags, dict(settings), progress, f"tarry.train(out={str(out)!r}, resume=True) continues it")


def tune(policy: Any = None, params: Mapping[str, Any] | Sequence[str] | None = None, env: Any = None, *, out: Path, resume: bool = False, workers: int | None = None, progress: bool | None = None, **flags: Unpack[TuneFlags]) -> Folder:
    """Searches parameters of a scheduler, as `tarry tune` does.

    params has a range for each parameter: {"t_rack": (0.05, 50, "log"), "order": ["network", "fifo"]}, or texts as of --param. settings of
    the result's best are in best; tarry.evaluate(..., tuned=[run.path]) measures it on windows of test. Ctrl-C keeps every point.

    Raises: OptionError for a wrong argument; RunError where the search fails; KeyboardInterrupt with a text that states how to resume.

    Example:
        import tarry

        env = {"tarry/DelayTimer-v1": {"cluster": "2x2x4", "horizon": 12}}
        run = tarry.tune("dally-manual", {"t_rack": (0.1, 100, "log")}, env, budget=3, windows=2, validation=2, out="runs/tuned", resume=True)
        print(run.best["policy"], run.to_pandas("tune")[["stage", "params", "diff_frac"]])
    """
    given = {"policy": _one("policy", policy), "param": _params(params), "env": _environment(env), "jobs": workers, "resume": resume}
    return _folder("tune", out, given, dict(flags), progress, f"tarry.tune(out={str(out)!r}, resume=True) continues it")


def sweep(file: Path | Mapping[str, Any] | None = None, *, out: Path, workers: int | None = None, progress: bool | None = None, **flags: Unpack[SweepFlags]) -> Folder:
    """Runs the cells of a sweep, as `tarry sweep` does.

    file is a YAML file, or what stands in it as a dict; question="load", scale="tiny" is a shipped question. The same call continues
    after Ctrl-C or any other end, and does nothing where every cell is done.

    Raises: OptionError for a wrong sweep; RunError where cells fail or are left; KeyboardInterrupt with a text that states how to resume.

    Example:
        import tarry

        few = {"name": "few", "kind": "simulate", "base": {"trace": "synth:demo,jobs=20", "cluster": "2x2x4"},
               "axes": [{"name": "policy", "values": ["dally", "fifo"]}], "seeds": 2}
        run = tarry.sweep(few, out="runs/few")
        print(run.to_pandas("trials").groupby("axis_policy").jct_mean_s.mean())
    """
    with tempfile.TemporaryDirectory() as folder:
        at = pathlib.Path(folder) / "sweep.yaml"
        words = []
        if isinstance(file, Mapping):
            at.write_text(json.dumps(_tree("sweep", file)), encoding="utf-8")
            words = ["--", str(at)]
        elif file is not None:
            words = ["--", _checked.path("file", file)]
        try:
            return _folder("sweep", out, {"jobs": workers}, dict(flags), progress, "the same call continues it", words)
        except (OptionError, RunError) as err:
            raise type(err)(str(err).replace(f"{at}: ", "").replace(str(at), "the sweep")) from None


def figures(folder: Path | Folder | Sequence[Path], *, out: Path | None = None, **flags: Unpack[FiguresFlags]) -> Figures:
    """Draws the figures of a folder of results, or of several, as `tarry figures` does.

    The files are in out, by default in figures/ of the first folder. In Jupyter a figure shows itself.

    Raises: OptionError for a wrong argument or a folder without results; RunError where a figure cannot be drawn.

    Example:
        import tarry

        tarry.compare(trace="synth:demo", cluster="2x2x4", policies=["dally", "fifo"], out="runs/two", force=True)
        drawn = tarry.figures("runs/two", format="svg")
        print(list(drawn), drawn["jct_cdf"].caption)
    """
    if isinstance(folder, Folder):
        folder = folder.paths
    several = [folder] if isinstance(folder, (str, os.PathLike)) else folder
    if not isinstance(several, Sequence) or not several:
        raise OptionError(f"folder is {_checked.shown(folder)}, expected the path of a folder, or a list of paths")
    words = [*_words("figures", {"out": out}, dict(flags)), "--", *(_checked.path("folder", one) for one in several)]
    return Figures(_program.run(["figures", *words]).out)


def _folder(command: str, out: Any, own: dict[str, Any], flags: dict[str, Any], progress: bool | None, resume: str, behind: Sequence[str] = ()) -> Folder:
    """Runs a command that fills a folder, and reads it."""
    for what in ("resume",):
        if not isinstance(own.get(what, False), (bool, np.bool_)):
            raise OptionError(f"{what} is {_checked.shown(own[what])}, expected True or False")
    where = _checked.path("out", out)
    with tempfile.TemporaryDirectory() as folder:
        if isinstance(flags.get("config"), Mapping):
            at = pathlib.Path(folder) / "config.yaml"
            at.write_text(json.dumps(_tree("config", flags["config"])), encoding="utf-8")
            flags["config"] = at
        words = [command, *_words(command, {**own, "out": where}, flags), "--progress=json", *behind]
        with Bar(command, progress) as bar:
            said = _program.run(words, bar, resume)
    if flags.get("dry_run") or not pathlib.Path(where).exists():
        raise OptionError(f"{command}: nothing ran: {said.out}")
    return read(where).with_words(said)


def _words(command: str, own: Mapping[str, Any], flags: Mapping[str, Any]) -> list[str]:
    """Keyword arguments as flags; what is no flag of train is a setting of the agent."""
    from tarry import _commands  # thousands of lines of types, which import tarry would read

    known = {"train": _commands.TrainFlags, "tune": _commands.TuneFlags, "sweep": _commands.SweepFlags, "figures": _commands.FiguresFlags}[command]
    out: list[str] = []
    for key, value in {**own, **flags}.items():
        _checked.text("the name of an argument", key)
        if value is None:
            continue
        name = "--" + key.replace("_", "-")
        if key in flags and key not in known.__annotations__:
            if command != "train":
                raise OptionError(f"{key} is no argument of tarry.{command}, expected some of {', '.join([*own, *known.__annotations__])}")
            out.append(f"--set={key}={_text(key, value)}")
        elif key == "param" or key in _commands.REPEATED[command]:
            out += [f"{name}={one}" for one in _pairs(key, value)]
        elif isinstance(value, (bool, np.bool_)):
            out.append(f"{name}={'true' if value else 'false'}")
        elif key in LISTS and not isinstance(value, (str, os.PathLike)) and isinstance(value, Iterable):
            out.append(f"{name}={','.join(_text(key, one) for one in value)}")
        else:
            out.append(f"{name}={_text(key, value)}")
    return out


def _text(key: str, value: Any) -> str:
    """A value as the command takes it."""
    said = _settings.tree({key: value})[key]
    if isinstance(said, list):
        said = "+".join(str(one) for one in said)
    if not isinstance(said, str):
        raise OptionError(f"{key} is {_checked.shown(value)}, expected a text, a number, True or False")
    if "\0" in said:
        raise OptionError(f"{key} is {_checked.shown(value)}, expected no zero character")
    return said


def _pairs(key: str, value: Any) -> list[str]:
    """The values of a flag that is repeated: a dict is key=value each, with a list for alternatives of --where."""
    if isinstance(value, Mapping):
        pairs = []
        for name, one in value.items():
            several = one if key == "where" and isinstance(one, (list, tuple)) else [one]
            if isinstance(one, Mapping):
                pairs += _pairs(key, {f"{name}.{inner}": v for inner, v in one.items()})
            else:
                pairs += [f"{name}={_text(str(name), v)}" for v in several]
        return pairs
    return [_text(key, one) for one in ([value] if isinstance(value, (str, os.PathLike)) else value)]


def _one(key: str, value: Any) -> str | None:
    """A name with its options: text, or {"NAME": {"key": value}}."""
    if value is None:
        return None
    said = _settings._named(key, value)
    if not isinstance(said, str):
        raise OptionError(f"{key} is {_checked.shown(value)}, expected one name, or a dict of one")
    return said


def _environment(env: Any) -> str | None:
    """An environment as the command takes it."""
    if env is None or isinstance(env, (str, Mapping)):
        return _one("env", env)
    from tarry.measure import _environment as inside, text_of

    return text_of(inside(env, {})[0])


def _params(params: Any) -> list[str] | None:
    """Ranges of parameters as --param has them."""
    if params is None or not isinstance(params, Mapping):
        return None if params is None else _checked.texts("params", params)
    return [f"{name}={_range(name, values)}" for name, values in params.items()]


def _range(name: str, values: Any) -> str:
    if isinstance(values, str):
        return values
    if not isinstance(values, (list, tuple)) or not values:
        raise OptionError(f"the range of {name} is {_checked.shown(values)}, expected (low, high), (low, high, 'log') or a list of texts")
    numbers = [isinstance(v, (int, float, np.number)) and not isinstance(v, bool) for v in values]
    joint = ":" if all(numbers[:2]) and len(values) > 1 and (len(values) == 2 or len(values) == 3 and not numbers[2]) else "|"
    return joint.join(_options._value(name, v) for v in values)


def _tree(what: str, value: Any) -> Any:
    """A dict of a file as JSON: paths and numbers of numpy as text and numbers, policies of Python by their names."""
    if isinstance(value, Mapping):
        return {str(k): _tree(f"{what}.{k}", v) for k, v in value.items() if v is not None}
    if isinstance(value, (list, tuple, range, np.ndarray)):
        return [_tree(what, one) for one in value]
    if isinstance(value, np.generic):
        return value.item()
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, os.PathLike):
        return os.fsdecode(value)
    if callable(getattr(value, "decide", None)):
        return _policy(what, value)
    raise OptionError(f"{what} is {_checked.shown(value)}, expected texts, numbers, lists and dicts")


def _policy(what: str, value: Any) -> str:
    """A scheduler in Python as the command takes it, python:MODULE:CLASS,key=value: the program runs it in a Python of its own."""
    kind = value if isinstance(value, type) else type(value)
    args, settings = ((), {}) if isinstance(value, type) else getattr(value, "_arguments", ((), {}))
    if kind.__module__ == "__main__" or "." in kind.__qualname__:
        raise OptionError(f"{what} is {_checked.shown(value)} of {kind.__module__}, expected a class of a module that can be imported: a sweep runs in processes of its own")
    if args:
        raise OptionError(f"{what} is {_checked.shown(value)} with arguments without a name, expected keyword arguments, which are its settings")
    text = _options.write(settings)
    return f"python:{kind.__module__}:{kind.__qualname__}" + (f",{text}" if text else "")
