"""Many environments that Go steps in one call."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import gymnasium
import numpy as np
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from tarry import _checked, _library, _options, _seeds, _slots, _spaces
from tarry._autoreset import AutoresetMode
from tarry._group import Group
from tarry._infos import Infos
from tarry._looking import Lookers
from tarry._reset_mask import take_reset_mask
from tarry.env import RENDER_MODES, check_render_mode
from tarry.errors import ForkedError, OptionError
from tarry.view import View

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from tarry._keywords import EnvOptions

Flags = NDArray[np.bool_]


class VectorEnv(gymnasium.vector.VectorEnv[Any, Any, NDArray[Any]]):
    """N copies of an environment in one process and one call, over one buffer.

    It gives what gymnasium.vector.SyncVectorEnv over N of tarry.Env gives, for the same seeds and actions. With copy=False, what it
    returns are views of the buffer, which the next call writes over.

    Raises: as tarry.Env; a refused action names its environment, and then none has been stepped.

    Example:
        import tarry

        envs = tarry.VectorEnv("classic/CartPole-v1", 8)
        obs, info = envs.reset(seed=1)
        obs, rewards, terminated, truncated, info = envs.step(envs.action_space.sample())
    """

    def __init__(
        self,
        env_id: str,
        num_envs: int = 1,
        *,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        render_mode: str | None = None,
        copy: bool = True,
        max_episode_steps: int | None = None,
        **options: Unpack[EnvOptions],
    ) -> None:
        check_render_mode(render_mode)
        mode = _mode(autoreset_mode)
        arguments: dict[str, Any] = {"autoreset_mode": mode.value, "render_mode": render_mode, "copy": copy, "max_episode_steps": max_episode_steps}
        self._arguments = (env_id, num_envs, {**arguments, **options})
        self.num_envs, self.render_mode, self._copy, self._mode = num_envs, render_mode, copy, mode
        self.metadata = {"render_modes": list(RENDER_MODES), "render_fps": 10, "autoreset_mode": mode}
        group = self._group = Group(env_id, _options.write(options), num_envs, mode.value, max_episode_steps)
        self.go_spec: dict[str, Any] = group.spec
        self.notes: list[str] = group.notes
        self.layout: dict[str, Any] = group.layout
        self.single_observation_space = _spaces.space(group.spec["observation"])
        self.single_action_space = _spaces.space(group.spec["action"])
        num_envs = self.num_envs = group.count
        try:
            self.observation_space = batch_space(self.single_observation_space, num_envs)
            self.action_space = batch_space(self.single_action_space, num_envs)
        except MemoryError as err:
            group.close()
            raise OptionError(f"{env_id}: the spaces of {num_envs} environments need more than the memory that is free") from err
        self._write = _spaces.writer(self.single_action_space, (num_envs,), group.columns["action"])
        self._reader()
        self._infos = Infos(group, copy)
        self._seeded = np.zeros(num_envs, np.bool_)
        self._lookers = Lookers(group)
        self._step, self._handle = group.lib.tarry_step, group.handle

    def _reader(self) -> None:
        """The views of the buffer that calls return or copy."""
        columns = self._group.columns
        lead = (self.num_envs,)
        shown = _spaces.observer(self.single_observation_space, lead, columns["obs"], self._copy)
        self._turn = _slots.turner(self.single_observation_space, lead, columns, self._copy, shown, _spaces.whole)
        one = _spaces.reader(self.single_observation_space, ())
        self._final: Callable[[int], Any] = lambda i: _spaces.detached(one(columns["obs_final"][i]))
        self._reward: NDArray[np.float64] = columns["reward"][:, 0]
        self._terminated: Flags = columns["terminated"][:, 0].view(np.bool_)
        self._truncated: Flags = columns["truncated"][:, 0].view(np.bool_)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickles the options: what comes back needs a reset."""
        return _again, self._arguments

    def reset(self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Starts an episode in each environment, or in the environments of options["reset_mask"]. A seed S is S, S+1, ... for them."""
        group = self._group
        group.alive()
        options = _checked.settings("options", options)
        chosen = take_reset_mask(options, self.num_envs)
        self._put_seeds(seed, chosen)
        group.columns["chosen"][:, 0] = chosen
        observations = self._turn()
        group.reset(_options.write(options))
        self._seeded |= chosen
        return observations(), self._infos.of_reset(chosen)

    def _put_seeds(self, seed: int | Sequence[int | None] | None, chosen: Flags) -> None:
        n = self.num_envs
        if seed is None:
            seeds: Sequence[int | None] = [None] * n
        elif isinstance(seed, (int, np.integer)) and not isinstance(seed, bool):
            _seeds.check(seed)
            gymnasium.vector.VectorEnv.reset(self, seed=int(seed))
            seeds = [int(seed) + i for i in range(n)]
        elif isinstance(seed, (list, tuple, np.ndarray)) and len(seed) == n:
            seeds = list(seed)
        else:
            raise OptionError(f"seed is {_checked.shown(seed)}, expected None, a whole number, or a list of {n}")
        columns = self._group.columns
        for i, one in enumerate(seeds):
            _seeds.check(one)
            if one is None and chosen[i] and not self._seeded[i]:
                one = _seeds.draw(self.np_random)
            columns["seeded"][i] = one is not None
            columns["seed"][i] = one or 0

    def step(self, actions: Any) -> tuple[Any, NDArray[np.float64], Flags, Flags, dict[str, Any]]:
        """Takes an action in each environment. An error names which one refused; then none has been stepped."""
        if _library.forked():
            raise ForkedError()
        self._write(actions)
        observations = self._turn()
        status = self._step(self._handle)
        if status:
            raise self._group.fault(status)
        terminated, truncated = self._terminated, self._truncated
        infos = self._infos.of_step()
        if self._mode is AutoresetMode.SAME_STEP:
            done = terminated | truncated
            if done.any():
                self._infos.add_final(infos, done, self._final)
        if self._copy:
            return observations(), self._reward.copy(), terminated.copy(), truncated.copy(), infos
        return observations(), self._reward, terminated, truncated, infos

    def action_masks(self) -> Flags:
        """Which actions are legal now, a row for each environment; all are where there is no mask."""
        if self._group.mask:
            return self._group.columns["mask"].astype(np.bool_)
        return np.ones((self.num_envs, _spaces.choices(self.single_action_space)), np.bool_)

    def view(self, i: int, knows: Sequence[str] = ()) -> View:
        """The run of environment i as a scheduler of Python sees it, to look at until the next call; permissions (knows) are as in tarry.Policy."""
        return self._lookers.view(i, knows)

    def render(self) -> tuple[Any, ...] | None:
        """A text or a picture for each environment; None without a render_mode."""
        if self.render_mode is None:
            return None
        return tuple(self.render_one(i) for i in range(self.num_envs))

    def render_one(self, i: int) -> Any:
        """The text or the picture of environment i; None without a render_mode."""
        if self.render_mode is None:
            return None
        if isinstance(i, bool) or not isinstance(i, (int, np.integer)) or not 0 <= i < self.num_envs:
            raise OptionError(f"environment {_checked.shown(i)}, expected a whole number from 0 to {self.num_envs - 1}")
        return self._group.text(i) if self.render_mode == "ansi" else self._group.picture(i)

    def close_extras(self, **kwargs: Any) -> None:
        """Closes the environments."""
        group = getattr(self, "_group", None)
        if group is not None:
            group.close()


def _mode(mode: AutoresetMode | str) -> AutoresetMode:
    try:
        return AutoresetMode(mode)
    except (TypeError, ValueError) as err:
        raise OptionError(f"autoreset_mode is {_checked.shown(mode)}, expected one of {[m.value for m in AutoresetMode]}") from err


def _again(env_id: str, num_envs: int, arguments: dict[str, Any]) -> VectorEnv:
    return VectorEnv(env_id, num_envs, **arguments)
