"""Policies of any kind as one: a function of observation and mask. Neither PyTorch nor Stable-Baselines3 is imported unless the policy is theirs."""

from __future__ import annotations

import contextlib
import hashlib
import inspect
import sys
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from tarry._checked import shown
from tarry.errors import InvalidAction, OptionError

Mask = NDArray[np.int8] | None
Ask = Callable[[Any, Mask], Any]


def is_model(policy: Any) -> bool:
    """Whether it has predict(observation, deterministic=...), as the models of Stable-Baselines3."""
    predict = getattr(policy, "predict", None)
    return callable(predict) and "deterministic" in _parameters(predict)


def is_module(policy: Any) -> bool:
    """Whether it is a torch.nn.Module."""
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(policy, torch.nn.Module)


def asker(policy: Any, space: spaces.Space[Any]) -> Ask:
    """What asks a policy for an action of a space."""
    if is_model(policy):
        return _model(policy)
    if is_module(policy):
        return _module(policy, space)
    if callable(policy):
        return _function(policy)
    raise OptionError(f"policy is {shown(policy)}, expected policy(obs) or policy(obs, action_mask), a model of Stable-Baselines3, or a torch.nn.Module")


def _parameters(function: Any) -> dict[str, inspect.Parameter]:
    try:
        return dict(inspect.signature(function).parameters)
    except (TypeError, ValueError):  # of C, without a signature
        return {}


def _function(policy: Any) -> Ask:
    """The mask is passed to a parameter named action_mask, or to the second one that is required."""
    parameters = _parameters(policy)
    if "action_mask" in parameters:
        if parameters["action_mask"].kind is inspect.Parameter.POSITIONAL_ONLY:
            return lambda obs, mask: policy(obs, mask)
        return lambda obs, mask: policy(obs, action_mask=mask)
    positional = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    required = [p for p in parameters.values() if p.kind in positional and p.default is inspect.Parameter.empty]
    if len(required) > 1:
        return lambda obs, mask: policy(obs, mask)
    return lambda obs, mask: policy(obs)


def _model(model: Any) -> Ask:
    if hasattr(getattr(model, "policy", None), "lstm_actor"):
        raise OptionError(f"{type(model).__name__} remembers what it saw, expected a policy whose action depends on one observation alone")
    normalizer = getattr(model, "get_vec_normalize_env", lambda: None)()
    masked = "action_masks" in _parameters(model.predict)

    def ask(obs: Any, mask: Mask) -> Any:
        if normalizer is not None:
            obs = normalizer.normalize_obs(obs)
        if masked and mask is not None:
            return model.predict(obs, deterministic=True, action_masks=mask.astype(np.bool_))[0]
        return model.predict(obs, deterministic=True)[0]

    return ask


def _flat(obs: Any) -> NDArray[Any]:
    """One array; parts are laid one behind the other in their order."""
    if isinstance(obs, dict):
        obs = tuple(obs.values())
    if isinstance(obs, tuple):
        return np.concatenate([np.ravel(_flat(part)) for part in obs])
    return np.asarray(obs)


def _module(module: Any, space: spaces.Space[Any]) -> Ask:
    torch = sys.modules["torch"]
    like = next((p for p in module.parameters() if p.is_floating_point()), torch.zeros(0))

    def ask(obs: Any, mask: Mask) -> Any:
        with torch.inference_mode():
            said = module(torch.as_tensor(_flat(obs), dtype=like.dtype, device=like.device)[None])
        if not isinstance(said, torch.Tensor):
            raise InvalidAction(f"{type(module).__name__} gave {type(said).__name__}, expected a tensor of logits or of an action")
        return chosen(said.detach().cpu().double().numpy().ravel() if said.is_floating_point() else said.cpu().numpy().ravel(), mask, space)

    return ask


def chosen(said: NDArray[Any], mask: Mask, space: spaces.Space[Any]) -> Any:
    """The action that a network means: logits give the most likely one that the mask allows, numbers of a Box are clipped to it."""
    if isinstance(space, spaces.Box) and said.size == int(np.prod(space.shape)):
        return np.clip(said.reshape(space.shape), space.low, space.high)
    whole = said.dtype.kind in "iu"
    if isinstance(space, spaces.Discrete):
        if whole and said.size == 1:
            return int(said[0])
        if not whole and said.size == int(space.n):
            return int(space.start) + _best(said, mask)
    if isinstance(space, spaces.MultiDiscrete):
        if whole and said.size == space.nvec.size:
            return said.reshape(space.shape)
        if not whole and said.size == int(space.nvec.sum()):
            ends = np.cumsum(space.nvec)[:-1]
            masks: list[Any] = [None] * space.nvec.size if mask is None else np.split(mask, ends)
            return np.array([_best(part, m) for part, m in zip(np.split(said, ends), masks, strict=True)]).reshape(space.shape)
    raise InvalidAction(f"a network gave {said.size} {'whole ' if whole else ''}numbers, expected logits or an action of {space}")


def _best(logits: NDArray[Any], mask: Any) -> int:
    if mask is not None and len(mask) == len(logits):
        if not np.any(mask):
            raise InvalidAction("the mask allows no action")
        logits = np.where(np.asarray(mask, np.bool_), logits, -np.inf)
        if np.all(np.isneginf(logits)):
            return int(np.argmax(mask))
    return int(np.argmax(logits))


@contextlib.contextmanager
def frozen(policy: Any) -> Iterator[None]:
    """A module is in the mode of evaluation while this lasts."""
    if not is_module(policy):
        yield
        return
    modes = [(m, m.training) for m in policy.modules()]
    policy.eval()
    try:
        yield
    finally:
        for m, training in modes:
            m.training = training


def name_of(policy: Any) -> str:
    """What a policy is called in tables: MODULE:FUNCTION, or the name of its class."""
    if inspect.isroutine(policy) or inspect.isclass(policy):
        return f"{policy.__module__}:{policy.__qualname__}"
    return type(policy).__name__


def sha256_of(policy: Any) -> str:
    """The SHA-256 of the weights of a model or module; "" for other policies, unless they have an attribute sha256."""
    weights = getattr(policy, "policy", policy) if is_model(policy) else policy
    if not is_module(weights):
        given = getattr(policy, "sha256", "")
        return given if isinstance(given, str) else ""
    torch, digest = sys.modules["torch"], hashlib.sha256()
    for name, value in sorted(weights.state_dict().items()):
        if isinstance(value, torch.Tensor):
            digest.update(f"{name} {value.dtype} {list(value.shape)}\n".encode())
            digest.update(value.detach().cpu().contiguous().reshape(-1).view(torch.uint8).numpy().tobytes())
    return digest.hexdigest()
