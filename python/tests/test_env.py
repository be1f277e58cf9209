"""One environment keeps Gymnasium's contract."""

from __future__ import annotations

import copy
import pathlib
import pickle
import warnings

import gymnasium
import numpy as np
import pytest
import tarry
from conftest import IDS, small
from gymnasium.utils.env_checker import check_env
from gymnasium.utils.env_checker import data_equivalence as same


def test_check_env(env_id: str) -> None:
    env = gymnasium.make(env_id, **small(env_id))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", message=".*(infinity|symmetric|not scaled|Box action space|different from the unwrapped|out of date).*")
        masked = "action_mask" in env.unwrapped.reset(seed=1)[1]
        check_env(tarry.FirstLegal(env.unwrapped) if masked else env.unwrapped)  # it acts without a look at the mask
    env.close()


def play(env: gymnasium.Env, seed: int, steps: int = 30) -> list:
    out = [env.reset(seed=seed)]
    env.action_space.seed(seed)
    for _ in range(steps):
        mask = out[-1][-1].get("action_mask")
        out.append(env.step(env.action_space.sample(mask)))
        if out[-1][2] or out[-1][3]:
            out.append(env.reset())
    return out


def test_equal_seeds_are_equal_episodes(env_id: str) -> None:
    with tarry.Env(env_id, **small(env_id)) as a, tarry.Env(env_id, **small(env_id)) as b:
        first = play(a, 5)
        assert same(first, play(b, 5))
        assert same(first, play(pickle.loads(pickle.dumps(a)), 5))
        assert same(first, play(copy.deepcopy(b), 5))


def test_without_a_seed_gymnasium_draws_one() -> None:
    first = [tarry.Env("classic/CartPole-v1").reset()[0] for _ in range(2)]
    assert not np.array_equal(*first)
    env = tarry.Env("classic/CartPole-v1")
    env.reset(seed=1)
    later = env.reset()[0]
    env.reset(seed=1)
    assert np.array_equal(later, env.reset()[0])


@pytest.mark.parametrize("env_id", ["tarry/Preempt-v1", "tarry/Preempt-v2"])
def test_masks(env_id: str) -> None:
    env = gymnasium.make(env_id, **small(env_id))
    _, info = env.reset(seed=1)
    assert info["action_mask"].dtype == np.int8
    assert np.array_equal(env.unwrapped.action_masks(), info["action_mask"].astype(bool))
    with pytest.raises(tarry.errors.InvalidAction, match="masked out"):
        env.step(int(np.flatnonzero(info["action_mask"] == 0)[0]))
    assert tarry.Env("probe/Pair-v0").action_masks().all()


def test_a_set_of_victims_grows_and_a_wait_is_only_before_it() -> None:
    with tarry.Env("tarry/Preempt-v2", **small("tarry/Preempt-v2"), candidates=8) as env:
        begun = 0
        _, info = env.reset(seed=1)
        for _ in range(200):
            mask = info["action_mask"]
            assert mask.shape == (17,)  # none, 8 that go now, 8 that go at their checkpoint
            assert mask[0]
            assert not (mask[9:] > mask[1:9]).any()
            named = int(np.flatnonzero(mask[1:9])[0]) + 1
            now = env.step(named)
            _, _, ended, cut, info = now
            if ended or cut:
                _, info = env.reset()
            elif not info["action_mask"][named] and info["action_mask"][1:9].any() and not info["action_mask"][9:].any():
                begun += 1  # the set is not enough yet
        assert begun > 0


def test_what_was_returned_stays() -> None:
    env = tarry.Env("classic/CartPole-v1")
    obs, _ = env.reset(seed=1)
    kept = obs.copy()
    env.step(1)
    assert np.array_equal(obs, kept)
    shared = tarry.Env("classic/CartPole-v1", copy=False)
    obs, _ = shared.reset(seed=1)
    assert shared.step(1)[0] is obs


def test_info_after_a_warm_start() -> None:
    """The info of a reset has the state, as after a step; only what is of a step is 0."""
    env = tarry.Env("tarry/Order-v0", cluster="2x2x4", warm=12, horizon=24, windows=4, load=1.2)
    _, info = env.reset(seed=3)
    assert info["jobs_in_system"] >= info["jobs_waiting"] and info["jobs_in_system"] > 0 and info["now_leases"] >= 12 and info["job_leases"] == 0
    vector = tarry.VectorEnv("tarry/Order-v0", 2, cluster="2x2x4", warm=12, horizon=24, windows=4, load=1.2)
    _, infos = vector.reset(seed=3)
    assert (infos["jobs_in_system"] > 0).all() and (infos["job_leases"] == 0).all()


def test_render() -> None:
    for env_id in ("tarry/Order-v0", "classic/CartPole-v1"):
        text = gymnasium.make(env_id, render_mode="ansi", **small(env_id))
        text.reset(seed=1)
        assert text.render().startswith(f"{env_id}: reward 0")
        picture = gymnasium.make(env_id, render_mode="rgb_array", **small(env_id))
        picture.reset(seed=1)
        image = picture.render()
        assert image.dtype == np.uint8 and image.ndim == 3 and image.shape[2] == 3 and len(np.unique(image)) > 1
    assert len(np.unique(image.reshape(-1, 3), axis=0)) >= 2


def test_options_are_those_of_the_command() -> None:
    env = tarry.Env("tarry/Preempt-v1", cluster="2x2x4", load=0.8, costs={"start_s": 1}, hide=["queue", "demand"], trace=None)
    assert env.go_spec["options"] == "cluster=2x2x4,load=0.8,costs.start_s=1,hide=queue+demand"
    env.reset(seed=1, options={"window": 3})
    with pytest.raises(tarry.errors.OptionError, match="window"):
        env.reset(seed=1, options={"window": -1})


def test_time_limit() -> None:
    env = gymnasium.make("classic/CartPole-v1", max_episode_steps=3)
    env.reset(seed=1)
    assert [env.step(k % 2)[3] for k in range(3)] == [False, False, True]


def test_registered() -> None:
    assert set(IDS) <= set(gymnasium.registry)
    assert {e["id"] for e in tarry.registration.catalogue()} == set(IDS)


def test_the_version_is_that_of_the_command() -> None:
    constant = pathlib.Path(__file__).parents[2] / "internal" / "release" / "release.go"
    assert f'const Version = "{tarry.__version__}"' in constant.read_text(encoding="utf-8")


def test_pairs_of_jobs_and_types_have_scores() -> None:
    env = gymnasium.make("tarry/Order-v1", cluster="v100:1x2x4+k80:1x2x4", warm=2, horizon=12, load=1.2, jobs=16)
    observation, _ = env.reset(seed=1)
    rows = observation["pairs"]
    assert env.action_space.shape == (32,)  # a score for each of 16 jobs on each of two types
    assert rows.shape == (32, 18)
    assert rows[:2, 0].all()  # the first job runs on both
    ended = False
    while not ended:
        rows = observation["pairs"]
        observation, _, over, cut, _ = env.step((rows[:, 1] + rows[:, 3] + rows[:, 14]).astype(env.action_space.dtype))
        ended = over or cut
