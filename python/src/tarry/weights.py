"""Weights of tarry's agents in Python and back: load, edit or act, save.

load reads the folder of a training run, a checkpoint, or a file of `tarry export weights`; save writes it back, and tarry eval, tarry train --resume
and start= take it. Policy acts as the frozen agent does in Go. docs/howto/python-weights.md has the layout of files.

**`mlp`**: `actor/0`, `actor/1`, ... with tanh (or relu, `activation`) between
them; `critic/...` the same, as are lists. `critic_only` numbers at the start of an observation are
the critic's alone. The outputs are
logits, one per choice, or means. Logits of forbidden choices are lowered by 1e9. `actor/log_std`
has the logarithms of the deviations.

**Lists** (`candidates`, `classes`, `ranking`): the observation is `global` numbers and then slots
of `features`. With `legal` the slots that take part (by the mask; in a ranking the slots whose
first feature is not 0):

    e    = tanh(slot @ embed)                                  each legal slot
    mean = average of e over legal slots
    c    = tanh(tanh([global, share of legal] @ global) @ context + mean @ pool)
    out  = tanh(e @ score + c) @ out                           each legal slot, 0 elsewhere

`candidates` put the `extra` choices, `c @ extra`, before the slots. The critic's value is
`c @ out`.

**Actions.** The choice with the largest logit, in each component. Box: the mean is bounded to
-1..1, by tanh with `squash`, else clipped, and scaled to the bounds. A ranking's scores are only
clipped. With `norm_obs` an observation is `(x - mean) / sqrt(m2 / count + 1e-8)` first, clipped
at 10.

**`vector`** of `tarry/Order-v0`: a weight for each of `features`, in the order of the options; for
each hidden unit its bias, a weight for each plain input and the pressure, and its output; with
`globals` the four numbers at the end of the action.
docs/reference/scores.md has the terms. `start` adds the scores of such a
vector to the network's.
"""

from __future__ import annotations

import copy
import os
import pathlib
import tempfile
from typing import Any

import numpy as np

from tarry import _actor, _checked, _checkpoint, _nets, _score
from tarry._checkpoint import Array
from tarry.errors import OptionError

Path = str | os.PathLike[str]
MOMENTS = ("count", "mean", "m2")


class Weights(dict[str, Array]):
    """Arrays by name, such as "actor/0/weight" (inputs x outputs), and what they belong to.

    agent is ppo, ...; config its settings and spec its environment. Assign to an entry or change it in place; names and shapes stay.
    """

    def __init__(self, arrays: dict[str, Array], agent: str, config: dict[str, Any], spec: dict[str, Any], source: Any) -> None:
        super().__init__(arrays)
        self.agent, self.config, self.spec, self._source = agent, config, spec, source
        self._shapes = {name: array.shape for name, array in arrays.items()}

    def __deepcopy__(self, memo: Any) -> Weights:
        return Weights({k: v.copy() for k, v in self.items()}, self.agent, self.config, self.spec, self._source)

    def check(self) -> None:
        """Raises with all entries that are missing, not known, of another shape or not finite."""
        faults = [f"{name} is missing" for name in self._shapes if name not in self]
        faults += [f"{name} is unknown, expected some of {', '.join(self._shapes)}" for name in self if name not in self._shapes]
        for name, shape in self._shapes.items():
            if name in self:
                array = np.asarray(self[name], np.float64)
                if array.shape != shape:
                    faults.append(f"{name} has shape {array.shape}, expected {shape}")
                elif not np.isfinite(array).all():
                    faults.append(f"{name} has a number that is not finite")
        if faults:
            raise OptionError("weights: " + "; ".join(faults))

    def policy(self) -> Policy:
        """The agent that acts with these weights."""
        return Policy(self)


def _file(path: Path, which: str) -> pathlib.Path:
    if not isinstance(which, str) or which not in ("best", "last"):
        raise OptionError(f"which is {_checked.shown(which)}, expected 'best' or 'last'")
    at = pathlib.Path(_checked.path("path", path))
    return at / "checkpoints" / f"{which}.ckpt" if at.is_dir() else at


def load(path: Path, which: str = "best") -> Weights:
    """The weights in the folder of a training run (which: its best or last checkpoint), in a checkpoint, or in a file of tarry export weights."""
    at = _file(path, which)
    try:
        data = at.read_bytes()
    except OSError as err:
        raise OptionError(f"weights: {err}") from err
    if not data.startswith(_checkpoint.MAGIC):
        return _from_text(at)
    sections = _checkpoint.decode(data, str(at))
    if _checkpoint.header(sections)["format"] == _checkpoint.OUTER:
        sections = _checkpoint.decode(sections["learner"], str(at))
    head = _checkpoint.header(sections)
    agent = head["format"].split("/")[2]
    arrays = {name.removeprefix("weights/"): _checkpoint.floats(part) for name, part in sections.items() if name.startswith("weights/")}
    arrays = {name: _shaped(arrays, name) for name in arrays}
    if "moments/obs" in sections:
        for name, array in zip(MOMENTS, _checkpoint.moments(sections["moments/obs"]), strict=True):
            arrays["moments/" + name] = array
    return Weights(arrays, agent, head["config"], head["spec"], data)


def _shaped(arrays: dict[str, Array], name: str) -> Array:
    """Weights as inputs x outputs, pools as squares, everything else as a row."""
    stem, _, what = name.rpartition("/")
    if what == "weight":
        return arrays[name].reshape(-1, arrays[stem + "/bias"].size)
    if what == "pool":
        return arrays[name].reshape(-1, round(arrays[name].size**0.5))
    return arrays[name]


def _from_text(path: pathlib.Path) -> Weights:
    try:
        f, vector, other = _score.read(path)
    except UnicodeDecodeError as err:
        raise OptionError(f"{path}: neither a checkpoint nor a file of tarry export weights") from err
    arrays = {"vector": vector}
    return Weights(arrays, "ranked", {"terms": list(f.terms), "hidden": f.hidden, **other}, {"id": "tarry/Order-v0"}, (f, other))


def save(path: Path, weights: Weights, which: str = "best") -> None:
    """Writes weights back as what they were loaded from: to a file, or into the folder of a run, whose other sections stay as in the source."""
    weights.check()
    at = _file(path, which)
    if isinstance(weights._source, bytes):
        data = _rewritten(weights)
    else:
        data = _score.text(weights._source[0], np.asarray(weights["vector"]), weights._source[1]).encode()
    fd, temporary = tempfile.mkstemp(dir=at.parent, prefix=f".{at.name}.tmp-")
    try:
        with os.fdopen(fd, "wb") as file:
            file.write(data)
        os.chmod(temporary, 0o644)
        os.replace(temporary, at)
    except BaseException:
        os.unlink(temporary)
        raise


def _rewritten(weights: Weights) -> bytes:
    sections = _checkpoint.decode(weights._source, "source")
    outer = _checkpoint.header(sections)["format"] == _checkpoint.OUTER
    inner = _checkpoint.decode(sections["learner"], "source") if outer else sections
    for name, array in weights.items():
        if not name.startswith("moments/"):
            inner["weights/" + name] = _checkpoint.bytes_of(np.asarray(array, np.float64))
    if "moments/obs" in inner:
        inner["moments/obs"] = _checkpoint.moments_bytes(*(np.asarray(weights["moments/" + n], np.float64) for n in MOMENTS))
    if not outer:
        return _checkpoint.encode(inner)
    sections["learner"] = _checkpoint.encode(inner)
    return _checkpoint.encode(sections)


class Policy:
    """The frozen agent: its most likely action for an observation, or its mean. It makes no random choice.

    policy = Policy("run"); action = policy.act(obs, info.get("action_mask")). env, an environment of tarry, is needed for a file of tarry export
    weights, which has no spaces.
    """

    def __init__(self, weights: Weights | Path, env: Any = None) -> None:
        self.weights = weights if isinstance(weights, Weights) else load(weights)
        self.weights.check()
        w, of = self.weights, None
        spec = w.spec if env is None else env.unwrapped.go_spec
        if "action" not in spec:
            raise OptionError("the weights are of a text file, which says nothing of spaces: expected Policy(weights, env) with tarry/Order-v0")
        if not isinstance(w._source, bytes):
            of = w._source[0]
        self.actor = _actor.Actor(w.agent, w.config, spec, list(w), of)
        self._vector = None if of is None else self._with_globals(spec)

    def _with_globals(self, spec: dict[str, Any]) -> Array:
        """The vector with the globals of the file, where the environment's action has them."""
        jobs = _spaces_jobs(spec)
        actions = len(spec["action"]["low"])
        if actions == jobs:
            return np.asarray(self.weights["vector"])
        said = self.weights.config

        def ln(key: str, default: float) -> float:
            text = said.get(key, default)
            if text == "auto":
                raise OptionError(f"{key} is auto, expected a number with globals")
            v = float(text)
            return float(np.clip(np.log(v) if v > 0 else -GLOBAL_LN, -GLOBAL_LN, GLOBAL_LN))

        return np.concatenate([self.weights["vector"], [min(16.0, float(said["margin"])), ln("min_run", 0.25), ln("t_rack", 6.0), ln("t_net", 12.0)]])

    def _arrays(self) -> dict[str, Array]:
        return self.weights if self._vector is None else {"vector": self._vector}

    def _row(self, obs: Any, mask: Any) -> tuple[Array, Any]:
        x = self.actor.flat(obs)[None]
        if self.actor.masked:
            if mask is None:
                raise OptionError("the environment has masks, expected act(obs, info['action_mask'])")
            mask = np.asarray(mask).reshape(1, -1)
        return x, mask

    def outputs(self, obs: Any, action_mask: Any = None) -> Array:
        """Logits (of forbidden choices lowered by 1e9), means of a Gaussian, or scores."""
        x, mask = self._row(obs, action_mask)
        return np.asarray(self.actor.outputs(_nets.Numpy, self._arrays(), x, mask)[0])

    def act(self, obs: Any, action_mask: Any = None) -> Any:
        """The action, as the environment takes it. obs is the environment's, or flat; action_mask is info's where there is one."""
        out = self.outputs(obs, action_mask)
        return self.actor.to_env(out, None if action_mask is None else np.asarray(action_mask).reshape(-1))

    def __call__(self, obs: Any, action_mask: Any = None) -> Any:
        """The same: tarry.evaluate(policy, env) measures it."""
        return self.act(obs, action_mask)

    def value(self, obs: Any, action_mask: Any = None) -> float:
        """The critic's value, in units of the (scaled) reward."""
        x, mask = self._row(obs, action_mask)
        return float(self.actor.values(_nets.Numpy, self.weights, x, mask)[0])

    def to_torch(self) -> Any:
        """A torch.nn.Module of float64 with the same weights and names: module(x, mask) gives outputs for a batch of flat observations."""
        from tarry._torch import TorchPolicy

        return TorchPolicy(self.actor, copy.deepcopy(self.weights), self._vector)


GLOBAL_LN = 8.0  # bound of the logarithms among the globals


def _spaces_jobs(spec: dict[str, Any]) -> int:
    return int(next(p["shape"][0] for p in spec["observation"]["parts"] if p["name"] == "jobs"))


def from_torch(module: Any) -> Weights:
    """The weights of a module of Policy.to_torch, as trained since; save writes them back."""
    weights: Weights = module.to_weights()
    weights.check()
    return weights
