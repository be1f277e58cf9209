"""Policies of Python measured like any scheduler: in pairs with others, on windows of jobs that training did not see."""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
from collections.abc import Mapping, Sequence
from typing import Any

import gymnasium

from tarry import _asking, _checked, _library, _options, _own, _policies
from tarry._player import Player
from tarry._tables import Tables, need_pyarrow
from tarry._unwrap import unwrap
from tarry.env import Env
from tarry.errors import OptionError
from tarry.evaluation import Evaluation
from tarry.vector import VectorEnv


class _Buffers(ctypes.Structure):
    _fields_ = [("obs", ctypes.c_void_p), ("mask", ctypes.c_void_p), ("action", ctypes.c_void_p)]


_ASK = ctypes.CFUNCTYPE(None, ctypes.c_int)


def evaluate(
    policy: Any,
    env: str | gymnasium.Env[Any, Any] | VectorEnv,
    options: Mapping[str, Any] | None = None,
    *,
    windows: str = "test",
    count: int = 10,
    baselines: Sequence[Any] = ("dally",),
    bounds: bool = False,
    untrained: bool = True,
    trained_on: Any = None,
    chosen_on_validation: bool = False,
    name: str | None = None,
    sha256: str | None = None,
    checkpoints: Sequence[str | os.PathLike[str]] = (),
    which: str = "best",
    tuned: Sequence[str | os.PathLike[str]] = (),
    trace: str | None = None,
    set: Mapping[str, Any] | None = None,  # noqa: A002 - the name of the command's flag
    tables: Sequence[str] = ("evals", "trials", "jobs"),
    workers: int = 1,
    out: str | os.PathLike[str] | None = None,
    force: bool = False,
) -> Evaluation:
    """Measures a policy in pairs with schedulers, on windows of jobs, as `tarry eval` measures an agent.

    policy is policy(obs) or policy(obs, action_mask), a model of Stable-Baselines3, a torch.nn.Module, a list of these trained with
    several seeds, or a dict of several by name. env is the environment
    that it acts in: an id with options, or the environment that it was trained in, with its wrappers. Windows that training saw are refused:
    the windows of part train of trained_on, which is env where it is not given, and () where the policy was not trained. docs/howto/python-measure.md has more.

    Raises: OptionError for a wrong argument, or windows that training saw; RunError where a run fails; what the policy itself raises.

    Example:
        import tarry

        always = lambda obs: 1  # take each place that is offered
        found = tarry.evaluate(always, "tarry/Offer-v1", {"cluster": "2x2x4", "warm": 2, "horizon": 12}, trained_on=(), count=2)
        print(found)  # the table of tarry eval
    """
    need_pyarrow()
    _check({"windows": (windows, str), "count": (count, int), "workers": (workers, int), "which": (which, str), "trace": ("" if trace is None else trace, str), "bounds": (bounds, bool), "untrained": (untrained, bool), "force": (force, bool)})
    base, outer = _environment(env, _checked.settings("options", options))
    seen = [{"env": text, "validation": chosen_on_validation} for text in _trained_on(trained_on, base)]
    acts = _changed(base, outer, _checked.settings("set", set))
    players = [(n, Player(p, acts)) for n, p in _named(policy, name)]
    own: list[_own.Own] = []
    named = _own.take(list(baselines) if isinstance(baselines, (list, tuple)) else baselines, own)
    request = {
        "actors": [_actor(n, player, base, seen, sha256) for n, player in players],
        "checkpoints": _paths("checkpoints", checkpoints), "which": which, "tuned": _paths("tuned", tuned),
        "baselines": _checked.texts("baselines", named), "own": [one.request() for one in own], "bounds": bool(bounds), "untrained": bool(untrained),
        "part": windows, "count": count, "options": _settings(set or {}), "trace": "" if trace is None else _checked.text("trace", trace),
        "tables": _checked.texts("tables", tables),
        "workers": workers, "out": "".join(_paths("out", () if out is None else (out,))), "force": bool(force),
    }  # fmt: skip
    with contextlib.ExitStack() as loans:
        loans.enter_context(players[0][1].lent())  # they share the environment
        for _, player in players[1:]:
            loans.enter_context(player.frozen())
        return _Call(request, [player for _, player in players], own).run()


_KINDS: dict[type, str] = {int: "a whole number", str: "a text", bool: "True or False"}


def _check(given: dict[str, tuple[Any, type]]) -> None:
    wrong = [f"{key} is {_checked.shown(value)}, expected {_KINDS[kind]}" for key, (value, kind) in given.items() if not isinstance(value, kind) or kind is not bool and isinstance(value, bool)]
    if wrong:
        raise OptionError("; ".join(wrong))


def _environment(env: Any, options: dict[str, Any]) -> tuple[Env, gymnasium.Env[Any, Any]]:
    """The environment inside, and with its wrappers."""
    if isinstance(env, str):
        env = Env(env, **options)
    elif options:
        raise OptionError(f"{', '.join(options)}: options belong to an id, expected set={{...}} to measure in another environment than the one that is given")
    env = _of_sb3(env)
    if isinstance(env, VectorEnv):
        env = single(env)
    return unwrap(env).base, env


def _of_sb3(env: Any) -> Any:
    """The environment inside a VecEnv of Stable-Baselines3, which is known by what it has; a model normalizes by itself."""
    while type(env).__name__ in ("VecCheckNan", "VecMonitor", "VecNormalize"):
        env = env.venv
    if type(env).__name__ == "DummyVecEnv":
        return env.envs[0]
    return env.vector if type(env).__name__ == "SB3VecEnv" else env


def single(env: VectorEnv) -> Env:
    """One environment with the options of a vector."""
    env_id, _, arguments = env._arguments
    return Env(env_id, **{k: v for k, v in arguments.items() if k not in ("autoreset_mode", "render_mode", "copy", "max_episode_steps")})


def text_of(env: Env) -> str:
    """An environment as the command has it, ID:key=value,..."""
    env_id, arguments = env._arguments
    options = _options.write({k: v for k, v in arguments.items() if k not in ("render_mode", "copy", "max_episode_steps")})
    return f"{env_id}:{options}" if options else env_id


def _trained_on(given: Any, base: Env) -> list[str]:
    if given is None:
        return [text_of(base)]
    several = given if isinstance(given, (list, tuple)) else [given]
    return [one if isinstance(one, str) else text_of(_environment(one, {})[0]) for one in several]


def _changed(base: Env, outer: gymnasium.Env[Any, Any], changes: dict[str, Any]) -> gymnasium.Env[Any, Any]:
    """The environment whose buffer is lent: another one where options change what is observed."""
    if not changes:
        return outer
    env_id, arguments = base._arguments
    other = Env(env_id, **{**arguments, **changes})
    if other.observation_space == base.observation_space and other.action_space == base.action_space:
        other.close()
        return outer
    if outer is not base:
        raise OptionError(f"set={_checked.shown(changes)} changes the spaces of {env_id}, which the wrappers around it do not know: expected the same spaces, or an environment made anew")
    return other


def _settings(changes: Mapping[str, Any]) -> list[str]:
    """The options of set, one a text; None takes an option away."""
    out = []
    for key, value in changes.items():
        if isinstance(value, Mapping):
            out += [_options.write({f"{key}.{k}": v}) for k, v in value.items()]
        else:
            out.append(f"{key}=" if value is None else _options.write({key: value}))
    return out


def _paths(what: str, given: Any) -> list[str]:
    several = [given] if isinstance(given, (str, os.PathLike)) else given
    if not isinstance(several, (list, tuple)):
        raise OptionError(f"{what} is {_checked.shown(given)}, expected a list of paths")
    return [_checked.path(what, one) for one in several]


def _named(policy: Any, name: str | None) -> list[tuple[str, Any]]:
    """The policies with their names, which policies of several seeds share."""
    if isinstance(policy, Mapping):
        if name is not None or not policy:
            raise OptionError(f"policy is a dict of {len(policy)} and name is {_checked.shown(name)}, expected one policy at least, named by the keys of the dict")
        return [pair for key, one in policy.items() for pair in _named(one, key)]
    seeds = policy if isinstance(policy, (list, tuple)) else [policy]
    if not seeds:
        raise OptionError("policy is an empty list, expected a policy for each seed of its training")
    name = _policies.name_of(seeds[0]) if name is None else name
    return [(name, one) for one in seeds]


def _actor(name: str, player: Player, base: Env, seen: list[dict[str, Any]], sha256: str | None) -> dict[str, Any]:
    digest = _policies.sha256_of(player.policy) if sha256 is None else sha256
    numbers = {"obs": len(player.row), "mask": 0 if player.mask is None else len(player.mask), "action": len(player.action)}
    return {"name": name, "sha256": digest, "env": text_of(base), "seen": seen, **numbers}


class _Call(_asking.Asking):
    """One call of the library, which asks back."""

    def __init__(self, request: dict[str, Any], players: list[Player], own: Sequence[_own.Own]) -> None:
        super().__init__(own)
        self._request = request
        self._players = players
        self._ask = _ASK(self._answer)

    def run(self) -> Evaluation:
        lib, handle, out = _library.library(), ctypes.c_size_t(), ctypes.c_void_p()
        buffers = (_Buffers * len(self._players))(*[self._buffers(p) for p in self._players])
        try:
            text = json.dumps(self._request).encode()
        except (TypeError, ValueError) as err:
            raise OptionError(f"request {_checked.shown(self._request)}: {err}") from err
        with self.escapes():
            status = lib.tarry_measure(text, os.fsencode(_library.path()), buffers, self._ask, self.decide, self.alive, self.said, ctypes.byref(handle), ctypes.byref(out))
        said = _library.take(lib, out)
        self.fail(status, said)
        found = json.loads(said)
        return Evaluation(found, Tables(handle.value, found["tables"]))

    @staticmethod
    def _buffers(p: Player) -> _Buffers:
        return _Buffers(p.row.ctypes.data, None if p.mask is None else p.mask.ctypes.data, p.action.ctypes.data)

    def _answer(self, actor: int) -> None:
        try:
            self._players[actor].play()
        except BaseException as err:
            self.raised = err
        else:
            self.said.value = 1
