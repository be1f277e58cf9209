"""What is wrong raises, and never ends the process."""

from __future__ import annotations

import gc
import os
import threading
from typing import Any

import gymnasium
import numpy as np
import pytest
import tarry
from conftest import small

LONG = os.environ.get("TARRY_LONG") == "1"  # the long form of tests, as internal/effort reads it (make nightly)
MISUSES = 100_000 if LONG else 3000
WRONG = [None, "left", 2, -1, 1.5, np.nan, np.inf, [0], [[0]], {}, object(), np.float32(0), np.array([0, 1]), np.array("x"), b"1", 10**30, np.zeros((3, 3)), 1j, (), np.array([None])]


@pytest.mark.parametrize("action", WRONG, ids=repr)
def test_wrong_actions(action: Any) -> None:
    env = tarry.Env("classic/CartPole-v1")
    env.reset(seed=1)
    with pytest.raises(tarry.errors.InvalidAction):
        env.step(action)
    env.step(1)  # as if nothing had been


WAYS = [np.asfortranarray, lambda a: np.ascontiguousarray(a.T).T, lambda a: np.repeat(a, 2, 1)[:, ::2], lambda a: a.astype(np.float32), lambda a: a.astype(">f8"), np.ndarray.tolist]


@pytest.mark.parametrize("way", range(len(WAYS)))
def test_a_box_is_the_same_however_it_lies(way: int) -> None:
    env = tarry.Env("tarry/DelayTimer-v1", **small("tarry/DelayTimer-v1"))
    env.reset(seed=1)
    action, column = np.arange(env.action_space.low.size).reshape(env.action_space.shape) / 16, env._group.columns["action"][0]
    env._write(WAYS[way](action))
    assert column.tobytes() == action.tobytes()
    for wrong in (action.T.copy(), action.ravel(), action[:, :1], action[None], action.astype(np.complex128)):
        with pytest.raises(tarry.errors.InvalidAction):
            env.step(wrong)
        assert column.tobytes() == action.tobytes()


@pytest.mark.parametrize("action", [None, "x", np.nan, [np.nan], [3.0], np.array([0.0, 0.0]), np.array([[0.0]]), 1.0, ["x"], [1j]], ids=repr)
def test_wrong_boxes(action: Any) -> None:
    env = tarry.Env("classic/Pendulum-v1")
    env.reset(seed=1)
    with pytest.raises(tarry.errors.InvalidAction):
        env.step(action)
    env.step(np.array([0.5], np.float32))


def test_wrong_order() -> None:
    env = tarry.Env("classic/CartPole-v1", render_mode="ansi")
    with pytest.raises(gymnasium.error.ResetNeeded, match="classic/CartPole-v1: step: reset needed"):
        env.step(0)
    with pytest.raises(tarry.errors.ResetNeeded):
        env.render()
    env.reset(seed=1)
    while not env.step(0)[2]:
        pass
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(0)
    env.close()
    env.close()
    for call in (env.reset, lambda: env.step(0), env.render):
        with pytest.raises(gymnasium.error.ClosedEnvironmentError, match="environment is closed"):
            call()


@pytest.mark.parametrize(
    ("arguments", "options", "words"),
    [
        (["tarry/Ordr-v0"], {}, "unknown, expected one of"),
        (["tarry/Order-v0"], {"laod": 0.9}, 'unknown key "laod"'),
        (["tarry/Order-v0"], {"load": "much"}, "load"),
        (["tarry/Order-v0"], {"load": object()}, "expected a text, a number"),
        (["tarry/Order-v0"], {"cluster": 'a"b'}, "no double quotes"),
        (["classic/CartPole-v1"], {"render_mode": "human"}, "expected None, 'ansi' or 'rgb_array'"),
        (["classic/CartPole-v1"], {"max_episode_steps": -1}, "max_episode_steps is -1"),
    ],
)
def test_wrong_options(arguments: list[str], options: dict[str, Any], words: str) -> None:
    with pytest.raises(tarry.errors.OptionError, match=words):
        tarry.Env(*arguments, **options)


@pytest.mark.parametrize("seed", [-1, 1.5, "x", 2**64, True, np.nan, [1]])
def test_wrong_seeds(seed: Any) -> None:
    with pytest.raises(tarry.errors.OptionError, match="seed is"):
        tarry.Env("classic/CartPole-v1").reset(seed=seed)


def test_wrong_vectors() -> None:
    for count in (0, -1, 1 << 20):
        with pytest.raises(tarry.errors.OptionError, match="num_envs is"):
            tarry.VectorEnv("classic/CartPole-v1", count)
    with pytest.raises(tarry.errors.OptionError, match="autoreset_mode is"):
        tarry.VectorEnv("classic/CartPole-v1", 2, autoreset_mode="Never")
    env = tarry.VectorEnv("classic/CartPole-v1", 2)
    env.reset(seed=[1, None])
    for actions in (0, [0], [0, 1, 0], [0.5, 0.5], [[0, 1]], None, ["a", "b"], np.array([np.nan, 0])):
        with pytest.raises(tarry.errors.InvalidAction):
            env.step(actions)
    for mask in ([True, False], np.array([1, 0]), np.zeros(2, bool), np.ones(3, bool)):
        with pytest.raises(tarry.errors.OptionError, match="reset_mask"):
            env.reset(options={"reset_mask": mask})
    for seed in ([1], "ab", [1, -1]):
        with pytest.raises(tarry.errors.OptionError, match="seed is"):
            env.reset(seed=seed)


def test_wrong_handles() -> None:
    lib = tarry.Env("classic/CartPole-v1")._group.lib
    for handle in (0, 1 << 40, 12345):
        assert lib.tarry_step(handle) == lib.tarry_reset(handle, b"") == lib.tarry_close(handle) == 3


def test_random_misuse() -> None:
    rng = np.random.default_rng(1)
    env = tarry.Env("classic/CartPole-v1")
    for _ in range(MISUSES):
        try:
            what = rng.integers(8)
            if what < 5:
                env.step(WRONG[rng.integers(len(WRONG))] if what < 3 else int(rng.integers(2)))
            elif what == 5:
                env.reset(seed=[1, -5, "x", None][rng.integers(4)], options=[None, {"a": 1}, {}][rng.integers(3)])
            elif what == 6:
                env.render()
            elif rng.random() < 0.1:
                env.close()
                env = tarry.Env("classic/CartPole-v1")
        except tarry.errors.TarryError:
            pass


def test_two_threads() -> None:
    env = tarry.VectorEnv("classic/CartPole-v1", 64)
    env.reset(seed=1)
    other: list[BaseException] = []

    def run() -> None:
        for k in range(500):
            try:
                env.step(np.full(64, k % 2))
            except (tarry.errors.BusyError, tarry.errors.ClosedError):
                pass
            except BaseException as err:
                other.append(err)
                return

    threads = [threading.Thread(target=run) for _ in range(4)]
    for t in threads:
        t.start()
    env.close()
    for t in threads:
        t.join()
    assert not other


def resident() -> int:
    with open("/proc/self/statm", encoding="ascii") as f:
        return int(f.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="no /proc here")
def test_memory_does_not_grow() -> None:
    steps, made = (1_000_000, 10_000) if LONG else (60_000, 600)

    def use() -> int:
        env = tarry.Env("classic/CartPole-v1")
        env.reset(seed=1)
        for k in range(steps):
            _, _, terminated, truncated, _ = env.step(k & 1)
            if terminated or truncated:
                env.reset()
        for _ in range(made):
            one = tarry.Env("classic/CartPole-v1")
            one.reset(seed=1)
            one.step(0)
        gc.collect()
        return resident()

    use()
    before = use()
    assert use() - before < 8 << 20
