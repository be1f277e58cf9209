"""One environment, as Gymnasium has them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from tarry import _checked, _options, _outcome, _seeds, _slots, _spaces
from tarry._group import Group
from tarry._legal import LegalDiscrete
from tarry._library import Process
from tarry._looking import Lookers
from tarry.errors import ForkedError, OptionError
from tarry.view import View

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from tarry._keywords import EnvOptions

RENDER_MODES = ("ansi", "rgb_array")


def check_render_mode(mode: str | None) -> None:
    """Refuses a render mode that there is not."""
    if mode is not None and (not isinstance(mode, str) or mode not in RENDER_MODES):
        raise OptionError(f"render_mode is {_checked.shown(mode)}, expected None, 'ansi' or 'rgb_array'")


class Env(gymnasium.Env[Any, Any]):
    """An environment of `tarry list envs`, stepped in Go.

    Options are as on the command line: Env("tarry/Order-v0", cluster="4x4x8", load=0.9). Observations are copies, and
    info["action_mask"] too; with copy=False they are views that the next call writes over.
    notes are remarks on the options, such as a type of GPU without a speed. layout states what the environment shows, does and
    rewards: observation (a dict per feature: first, step and items state which numbers of the observation have it, then segment,
    name, range, unit, meaning), action (name is which numbers or choices), masked, reward and episode.

    Raises: OptionError for a wrong id, option or seed; InvalidAction, ResetNeeded and ClosedError for calls that are out of order;
    BusyError for two threads at once; ForkedError in a forked process.

    Example:
        import tarry

        env = tarry.Env("tarry/Order-v0", cluster="2x2x4", warm=2, horizon=12)
        obs, info = env.reset(seed=1)
        obs, reward, terminated, truncated, info = env.step(env.action_space.sample())
        print(info["elapsed"], env.layout["observation"][0]["meaning"])  # leases; GPUs in use / GPUs that are up
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": list(RENDER_MODES), "render_fps": 10}  # type: ignore[misc]

    def __init__(self, env_id: str, *, render_mode: str | None = None, copy: bool = True, max_episode_steps: int | None = None, **options: Unpack[EnvOptions]) -> None:
        check_render_mode(render_mode)
        self._arguments = (env_id, {"render_mode": render_mode, "copy": copy, "max_episode_steps": max_episode_steps, **options})
        self.render_mode = render_mode
        self._copy = copy
        group = self._group = Group(env_id, _options.write(options), 1, "Disabled", max_episode_steps)
        self.go_spec: dict[str, Any] = group.spec
        self.notes: list[str] = group.notes
        self.layout: dict[str, Any] = group.layout
        self.observation_space = _spaces.space(group.spec["observation"])
        self.action_space = _spaces.space(group.spec["action"])
        columns = group.columns
        self._write = _spaces.writer(self.action_space, (), columns["action"][0])
        shown = _spaces.observer(self.observation_space, (), columns["obs"][0], copy)
        self._observation = _spaces.whole(shown)
        self._turn = _slots.turner(self.observation_space, (), columns, copy, shown, _outcome.finisher(group, copy))
        self._mask = columns["mask"][0] if group.mask else None
        if self._mask is not None and isinstance(self.action_space, spaces.Discrete):
            self.action_space = LegalDiscrete(self.action_space, self._mask)
        columns["chosen"][0] = 1
        self._step, self._handle = group.lib.tarry_step, group.handle
        self._seeded = False
        self._lookers = Lookers(group)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickles the options: what comes back needs a reset."""
        return _again, self._arguments

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Starts an episode. options are for the environment's reset, such as {"window": 3}."""
        group = self._group
        group.alive()
        _seeds.check(seed)
        super().reset(seed=seed)
        if seed is None and not self._seeded:  # drawn by Gymnasium's generator, from the operating system or a seed given before
            seed = _seeds.draw(self.np_random)
        columns = group.columns
        columns["seeded"][0] = seed is not None
        columns["seed"][0] = seed or 0
        finish = self._turn()
        group.reset(_options.write(options))
        self._seeded = True
        observation, _, _, _, info = finish()
        return observation, info

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Takes one action."""
        if Process.forked:
            raise ForkedError()
        self._write(action)
        finish = self._turn()
        status = self._step(self._handle)
        if status:
            raise self._group.fault(status)
        return finish()

    def action_masks(self) -> NDArray[np.bool_]:
        """Which actions are legal now, as sb3-contrib asks for it; all are where the environment has no mask."""
        if self._mask is not None:
            return np.asarray(self._mask, np.bool_)
        return np.ones(_spaces.choices(self.action_space), np.bool_)

    def view(self, knows: Sequence[str] = ()) -> View:
        """The run as a scheduler of Python sees it, to look at until the next call; permissions (knows) are as in tarry.Policy."""
        return self._lookers.view(0, knows)

    def render(self) -> Any:
        """The text or the picture that render_mode asked for; None without one."""
        if self.render_mode == "ansi":
            return self._group.text(0)
        if self.render_mode == "rgb_array":
            return self._group.picture(0)
        return None

    def close(self) -> None:
        """Closes the environment; a second call does nothing."""
        group = getattr(self, "_group", None)
        if group is not None:
            group.close()


def _again(env_id: str, arguments: dict[str, Any]) -> Env:
    return Env(env_id, **arguments)
