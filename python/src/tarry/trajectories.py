"""Episodes of a policy as a dataset of Minari, for offline learning."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import gymnasium
import numpy as np

from tarry import _checked, _policies
from tarry.env import Env
from tarry.errors import OptionError

if TYPE_CHECKING:
    from minari import MinariDataset


def to_minari(
    policy: Any,
    env: str | gymnasium.Env[Any, Any],
    dataset_id: str,
    options: Mapping[str, Any] | None = None,
    *,
    episodes: int = 10,
    seed: int = 1,
    data_format: str = "arrow",
    **metadata: Any,
) -> MinariDataset:
    """Plays episodes of a policy and keeps them as a Minari dataset, which is named as Minari does, such as "tarry/order/least-v0".

    policy is what tarry.evaluate takes: policy(obs), policy(obs, action_mask), a model of Stable-Baselines3, a torch.nn.Module. env is an id
    with options, or an environment with its wrappers, which the dataset recovers by its spec. Episode i is reset with seed + i. infos hold the
    action masks, one for each observation. metadata goes to minari.create_dataset_from_buffers: algorithm_name, author, description, ...
    Minari keeps it below its own root ($MINARI_DATASETS_PATH).

    Raises: OptionError for a wrong argument; ImportError without minari; what the policy raises.

    Example:
        import tarry

        always = lambda obs: 1  # take each place that is offered
        # data = tarry.to_minari(always, "tarry/Offer-v1", "tarry/offer/always-v0", {"cluster": "2x2x4"}, episodes=5)
        # data[0].observations, data[0].infos["action_mask"]
    """
    try:
        import minari
        from minari.data_collector import EpisodeBuffer
    except ImportError as err:
        raise ImportError("tarry.to_minari needs minari and pyarrow: pip install minari pyarrow") from err
    if isinstance(episodes, bool) or not isinstance(episodes, int) or episodes < 1:
        raise OptionError(f"episodes is {_checked.shown(episodes)}, expected a whole number of at least 1")
    given = env if isinstance(env, gymnasium.Env) else None
    if given is not None and options:
        raise OptionError(f"{', '.join(options)}: options belong to an id")
    acts = given or gymnasium.make(str(env), **_checked.settings("options", options))
    if not isinstance(acts.unwrapped, Env):
        raise OptionError(f"env is {_checked.shown(env)}, expected an environment of tarry, with or without wrappers")
    try:
        ask = _policies.asker(policy, acts.action_space)
        buffers = [EpisodeBuffer(id=i, seed=seed + i, **_episode(acts, ask, seed + i)) for i in range(episodes)]
        return minari.create_dataset_from_buffers(dataset_id, buffers, env=acts, data_format=data_format, **metadata)
    finally:
        if given is None:
            acts.close()


def _episode(env: gymnasium.Env[Any, Any], ask: Any, seed: int) -> dict[str, Any]:
    """The lists of one episode: observations and infos have one entry more than actions."""
    obs, info = env.reset(seed=seed)
    seen, masks = [obs], [info.get("action_mask")]
    actions: list[Any] = []
    rewards: list[float] = []
    ends: list[bool] = []
    cuts: list[bool] = []
    while not (ends and (ends[-1] or cuts[-1])):
        action = ask(obs, info.get("action_mask"))
        obs, reward, end, cut, info = env.step(action)
        seen.append(obs)
        masks.append(info.get("action_mask"))
        actions.append(action)
        rewards.append(float(reward))
        ends.append(bool(end))
        cuts.append(bool(cut))
    infos = None if masks[0] is None else {"action_mask": np.array(masks)}
    return {"observations": _columns(seen), "actions": _columns(actions), "rewards": rewards, "terminations": ends, "truncations": cuts, "infos": infos}


def _columns(rows: list[Any]) -> Any:
    """A list, or for dicts and tuples one of these with a list for each part."""
    if isinstance(rows[0], Mapping):
        return {key: _columns([row[key] for row in rows]) for key in rows[0]}
    if isinstance(rows[0], tuple):
        return tuple(_columns([row[k] for row in rows]) for k in range(len(rows[0])))
    return [np.array(row) for row in rows]
