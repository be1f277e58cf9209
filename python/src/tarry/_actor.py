"""The frozen policy of an agent over numpy or torch: from a flat observation to the outputs of its network, and to an action."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from tarry import _nets, _score, _spaces
from tarry.errors import InvalidAction, OptionError

FORBIDDEN = -1e9  # what a forbidden choice's output is lowered by
LIMIT = 10.0  # of scaled observations
RANKED = "ranking"
KNOWN = ("ppo", "a2c", "reinforce", "pac", "ranked")


def function(options: str) -> _score.Function:
    """The function of tarry/Order-v0 with these options."""
    given = dict(part.split("=", 1) for part in options.split(",") if "=" in part)
    file = given.get("weights", "none")
    if file != "none":
        import pathlib

        return _score.read(pathlib.Path(file))[0]
    terms = given.get("features", "all")
    return _score.Function(_score.TERMS if terms == "all" else tuple(terms.split("+")), int(given.get("hidden", "0")))


class Actor:
    """What an agent's settings and spaces make of its weights."""

    def __init__(self, agent: str, config: Mapping[str, Any], spec: Mapping[str, Any], names: list[str], of: _score.Function | None = None) -> None:
        if agent not in KNOWN and not agent.endswith("-policy"):
            raise OptionError(f"{agent} has no actor that is known here, expected {', '.join(KNOWN)} or a policy search")
        self.action = _spaces.space(dict(spec["action"]))
        self.observation = _spaces.space(dict(spec["observation"]))
        self.masked = bool(spec.get("masked")) and spec["action"]["type"] != "Box"
        self.squash = bool(config.get("squash"))
        self.encoder = config.get("encoder") or ("candidates" if config.get("candidates") else "mlp")
        self.list = self._list(config)
        self.critic_only = int(config.get("critic_only") or 0)
        self.activation = config.get("activation") or "tanh"
        self.start: list[float] | None = config.get("start")
        self.searched = "vector" in names
        self.function = of
        if of is None and (self.searched or self.start):
            if not str(spec["id"]).startswith("tarry/Order-"):
                raise OptionError(f"{agent} in {spec['id']} is a vector of parameters of that environment, expected a network, or tarry/Order-v0")
            self.function = function(spec.get("options", ""))
        self.critic = any(n.startswith("critic/") for n in names)

    def _list(self, config: Mapping[str, Any]) -> _nets.List | None:
        c = config.get("candidates")
        if not c or self.encoder == "mlp":
            return None
        return _nets.List(c["global"], c["features"], c.get("extra", 0), c.get("each", 0), self.encoder == RANKED or bool(c.get("present")), c.get("choices", 0))

    def flat(self, obs: Any) -> np.ndarray[Any, np.dtype[np.float64]]:
        """An observation as one row of numbers; a flat one stays as it is."""
        if isinstance(obs, Mapping):
            names = list(self.observation.spaces)  # type: ignore[attr-defined]
            if set(obs) != set(names):
                raise OptionError(f"observation has the parts {', '.join(map(str, obs))}, expected {', '.join(names)}")
            return np.concatenate([np.asarray(obs[n], np.float64).reshape(-1) for n in names])
        return np.asarray(obs, np.float64).reshape(-1)

    def scaled(self, ops: Any, w: Mapping[str, Any], x: Any) -> Any:
        """Observations as the networks see them."""
        if "moments/mean" not in w:
            return x
        deviation = (w["moments/m2"] / w["moments/count"] + 1e-8) ** 0.5
        return ops.clip((x - w["moments/mean"]) / deviation, -LIMIT, LIMIT)

    def _scores(self, ops: Any, vector: Any, x: Any) -> Any:
        assert self.function is not None
        jobs = int(self.observation.spaces["jobs"].shape[0])  # type: ignore[attr-defined]
        at = x.shape[-1] - jobs * _score.ROW
        return _score.scores(ops, self.function, vector, x[..., at:].reshape(x.shape[0], jobs, _score.ROW), x[..., at - 1 : at])

    def outputs(self, ops: Any, w: Mapping[str, Any], x: Any, mask: Any) -> Any:
        """Logits, forbidden ones lowered, or means, or scores, for a batch of flat observations."""
        mask = mask if self.masked else None
        if self.searched:
            out = self._scores(ops, w["vector"], x)
            rest = w["vector"][len(self.function.names()) :]  # type: ignore[union-attr]
            return ops.cat([out, out[..., :1] * 0.0 + rest]) if len(rest) else out
        x = self.scaled(ops, w, x)
        x = x[..., self.critic_only :]
        if self.list is None:
            out = _nets.mlp(getattr(ops, self.activation), w, "actor", x)
        else:
            of = self.list._replace(whole=self.list.whole - self.critic_only)
            out = _nets.set_net(ops, getattr(ops, self.activation), w, "actor", x, mask, of, False)
        if self.start:
            out = out + self._scores(ops, self.start, x)
        return out if mask is None else out + FORBIDDEN * (mask == 0)

    def values(self, ops: Any, w: Mapping[str, Any], x: Any, mask: Any) -> Any:
        """The critic's values of a batch."""
        if not self.critic:
            raise OptionError("this agent has no critic")
        x = self.scaled(ops, w, x)
        if self.list is None:
            return _nets.mlp(getattr(ops, self.activation), w, "critic", x)[..., 0]
        return _nets.set_net(ops, getattr(ops, self.activation), w, "critic", x, mask if self.masked else None, self.list, True)[..., 0]

    def to_env(self, out: np.ndarray[Any, np.dtype[np.float64]], mask: Any) -> Any:
        """The most likely action of one row of outputs, as the environment takes it."""
        wire = self.action
        kind = type(wire).__name__
        if kind == "Discrete":
            return np.int64(self._choice(out, mask)) + wire.start  # type: ignore[attr-defined]
        if kind == "MultiDiscrete":
            cuts = np.cumsum(wire.nvec)[:-1]  # type: ignore[attr-defined]
            masks = np.split(np.asarray(mask), cuts) if self.masked else [None] * (len(cuts) + 1)
            return np.array([self._choice(part, m) for part, m in zip(np.split(out, cuts), masks, strict=True)], np.int64)
        low, high = (np.resize(b.reshape(-1), out.shape) for b in (wire.low, wire.high))  # type: ignore[attr-defined]
        if not (self.searched or self.encoder == RANKED):
            v = np.clip(np.tanh(out) if self.squash else out, -1.0, 1.0)
            half = (high - low) / 2
            out = low + half + v * half
        out = np.clip(out, low, high)
        return out.reshape(wire.shape) if out.size == np.prod(wire.shape or ()) else out

    def _choice(self, out: Any, mask: Any) -> int:
        if self.masked and not np.any(mask):
            raise InvalidAction("the mask forbids every action, expected one that is legal")
        return int(np.argmax(out))
