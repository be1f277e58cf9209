"""Stable-Baselines3's VecEnv over tarry.VectorEnv: N environments in one process, stepped in one call of Go."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

from tarry._autoreset import AutoresetMode
from tarry.errors import OptionError
from tarry.vector import VectorEnv

try:
    from stable_baselines3.common.vec_env.base_vec_env import VecEnv
except ImportError as err:
    raise ImportError("tarry.SB3VecEnv needs Stable-Baselines3: pip install stable-baselines3") from err


class One:
    """Environment i of a vector, for get_attr, set_attr and env_method: what is set here hides what all have."""

    def __init__(self, vector: VectorEnv, i: int) -> None:
        self._vector, self._i = vector, i
        self.observation_space, self.action_space = vector.single_observation_space, vector.single_action_space
        self.render_mode, self.metadata, self.go_spec = vector.render_mode, vector.metadata, vector.go_spec

    @property
    def unwrapped(self) -> One:
        """Itself."""
        return self

    def action_masks(self) -> NDArray[np.bool_]:
        """Which actions are legal now."""
        mask: NDArray[np.bool_] = self._vector.action_masks()[self._i]
        return mask

    def render(self) -> Any:
        """The text or the picture that render_mode asked for; None without one."""
        return self._vector.render_one(self._i)


class SB3VecEnv(VecEnv):
    """N copies of an environment for Stable-Baselines3 and sb3-contrib: what DummyVecEnv over N of tarry.Env gives, faster.

    Arguments are as of tarry.VectorEnv. An episode that ends is followed by the first observation of the next in the same step;
    infos[i] then has terminal_observation. Wrap it in SB3's VecMonitor for episode statistics.

    Raises: OptionError for a wrong argument; ImportError without Stable-Baselines3.

    Example:
        import tarry

        envs = tarry.SB3VecEnv("tarry/Offer-v1", 4, cluster="2x2x4", warm=2, horizon=12)
        obs = envs.reset()
    """

    def __init__(self, env_id: str, num_envs: int = 1, **arguments: Any) -> None:
        if arguments.keys() & {"autoreset_mode", "copy"}:
            raise OptionError("autoreset_mode and copy are given by Stable-Baselines3, expected other arguments of tarry.VectorEnv")
        vector = self.vector = VectorEnv(env_id, num_envs, autoreset_mode=AutoresetMode.SAME_STEP, **arguments)
        self.ones = [One(vector, i) for i in range(num_envs)]
        super().__init__(num_envs, vector.single_observation_space, vector.single_action_space)
        self.actions: NDArray[Any] = np.zeros(0)

    def reset(self) -> Any:
        """Starts an episode in each environment, with what seed() and set_options() were given for it."""
        groups: dict[str, tuple[dict[str, Any], NDArray[np.bool_]]] = {}
        for i, options in enumerate(self._options):  # one call for all environments with the same options
            groups.setdefault(repr(options), (options, np.zeros(self.num_envs, np.bool_)))[1][i] = True
        obs: Any = None
        for options, chosen in groups.values():
            obs, infos = self.vector.reset(seed=self._seeds, options={**options, "reset_mask": chosen})
            for k in np.flatnonzero(chosen).tolist():
                self.reset_infos[k] = _row(infos, k)
        self._reset_seeds()
        self._reset_options()
        return obs

    def step_async(self, actions: NDArray[Any]) -> None:
        """Keeps the actions for step_wait, which takes them."""
        self.actions = actions

    def step_wait(self) -> tuple[Any, NDArray[np.float32], NDArray[np.bool_], list[dict[str, Any]]]:
        """Takes an action in each environment."""
        obs, rewards, terminated, truncated, infos = self.vector.step(self.actions)
        done = terminated | truncated
        rows = [_row(infos, i) for i in range(self.num_envs)]
        for i in np.flatnonzero(done):
            self.reset_infos[i] = rows[i]
            rows[i] = _row(infos["final_info"], int(i))
            rows[i]["terminal_observation"] = infos["final_obs"][i]
        for row, end, limit in zip(rows, terminated, truncated, strict=True):
            row["TimeLimit.truncated"] = bool(limit and not end)
        return obs, rewards.astype(np.float32), done, rows

    def close(self) -> None:
        """Closes the environments; a second call does nothing."""
        self.vector.close()

    def get_images(self) -> list[Any]:
        """A picture of each environment, with render_mode="rgb_array"."""
        return list(self.vector.render() or ()) if self.render_mode == "rgb_array" else [None] * self.num_envs

    def get_attr(self, attr_name: str, indices: int | Iterable[int] | None = None) -> list[Any]:
        """An attribute of each environment."""
        return [getattr(one, attr_name) for one in self._chosen(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: int | Iterable[int] | None = None) -> None:
        """Sets an attribute for get_attr to find; Go does not see it."""
        for one in self._chosen(indices):
            setattr(one, attr_name, value)

    def env_method(self, method_name: str, *method_args: Any, indices: int | Iterable[int] | None = None, **method_kwargs: Any) -> list[Any]:
        """Calls a method of each environment: action_masks or render; the vector steps and resets all together."""
        return [getattr(one, method_name)(*method_args, **method_kwargs) for one in self._chosen(indices)]

    def env_is_wrapped(self, wrapper_class: type[gymnasium.Wrapper[Any, Any, Any, Any]], indices: int | Iterable[int] | None = None) -> list[bool]:
        """No environment in here is wrapped."""
        return [False for _ in self._chosen(indices)]

    def _chosen(self, indices: int | Iterable[int] | None) -> list[One]:
        return [self.ones[i] for i in self._get_indices(indices)]


def _row(infos: dict[str, Any], i: int) -> dict[str, Any]:
    """The part of a vector's info that is of environment i, in the types of a single environment."""
    row = {}
    for key, values in infos.items():
        if not key.startswith(("_", "final_")):
            one = values[i]
            row[key] = one.copy() if isinstance(one, np.ndarray) else one.item()
    return row
