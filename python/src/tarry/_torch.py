"""An agent as a torch module. Importing this imports torch."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import torch

from tarry._actor import Actor


class _Ops:
    """The operations that the networks need, of torch."""

    tanh = staticmethod(torch.tanh)
    relu = staticmethod(torch.relu)
    clip = staticmethod(torch.clamp)

    @staticmethod
    def cat(parts: list[Any]) -> Any:
        """Joins along the last axis."""
        return torch.cat(parts, -1)


class TorchPolicy(torch.nn.Module):  # type: ignore[misc]
    """The actor and critic of an agent, float64. Parameters have the names and layouts of the checkpoint, moments are buffers."""

    def __init__(self, actor: Actor, weights: Any, vector: Any = None) -> None:
        super().__init__()
        self.actor, self._weights = actor, weights
        for name, array in (weights if vector is None else {"vector": vector}).items():
            value = torch.tensor(np.asarray(array), dtype=torch.float64)
            if name.startswith("moments/"):
                self.register_buffer(name, value)
            else:
                self.register_parameter(name, torch.nn.Parameter(value))

    def _named(self) -> dict[str, Any]:
        return {**self._parameters, **self._buffers}

    def forward(self, x: Any, mask: Any = None) -> Any:
        """Logits (of forbidden choices lowered by 1e9), means or scores, for a batch x numbers; mask is batch x choices."""
        return self.actor.outputs(_Ops, self._named(), x, mask)

    def value(self, x: Any, mask: Any = None) -> Any:
        """The critic's values of a batch."""
        return self.actor.values(_Ops, self._named(), x, mask)

    def act(self, obs: Any, action_mask: Any = None) -> Any:
        """The most likely action for one observation, as Policy.act gives it."""
        mask = None if action_mask is None else np.asarray(action_mask).reshape(1, -1)
        with torch.no_grad():
            x = torch.from_numpy(self.actor.flat(obs))[None]
            out = self(x, None if mask is None else torch.from_numpy(mask))[0].numpy()
        return self.actor.to_env(out, None if mask is None else mask[0])

    def to_weights(self) -> Any:
        """The weights as they are now."""
        out = copy.deepcopy(self._weights)
        for name, value in self._named().items():
            array = value.detach().cpu().numpy().astype(np.float64)
            out[name] = array[: out[name].size].copy() if name == "vector" else array.copy()
        return out
