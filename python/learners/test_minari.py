"""Episodes kept for Minari are the episodes that were played, and come back as they were."""

from __future__ import annotations

import pathlib
from typing import Any

import gymnasium
import numpy as np
import pytest
import tarry
from tarry.errors import OptionError

minari = pytest.importorskip("minari")


def first(obs: Any, action_mask: Any = None) -> Any:
    """The first legal action, or scores that are alike."""
    return np.zeros(128) if action_mask is None else int(np.flatnonzero(action_mask)[0])


@pytest.fixture(autouse=True)
def root(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Datasets are kept apart from the user's."""
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path))


@pytest.mark.parametrize("env_id", ["tarry/Preempt-v2", "tarry/Order-v1"])
def test_round_trip(env_id: str) -> None:
    options = {"cluster": "2x2x4", "load": 0.9, "warm": 1, "horizon": 6}
    tarry.to_minari(first, env_id, "tarry/test/first-v0", options, episodes=3, seed=7, algorithm_name="first legal")
    data = minari.load_dataset("tarry/test/first-v0")
    assert data.total_episodes == 3 and data.storage.metadata["algorithm_name"] == "first legal"
    env = gymnasium.make(env_id, **options)
    for i in range(3):
        episode = data[i]
        obs, info = env.reset(seed=7 + i)
        for k, action in enumerate(episode.actions):
            for key, value in obs.items():
                np.testing.assert_array_equal(np.asarray(episode.observations[key][k]), value)
            if episode.infos:
                np.testing.assert_array_equal(episode.infos["action_mask"][k], info["action_mask"])
            obs, reward, end, cut, info = env.step(action)
            assert (reward, end, cut) == (episode.rewards[k], episode.terminations[k], episode.truncations[k])
        assert end or cut
    again = data.recover_environment()
    np.testing.assert_array_equal(again.reset(seed=9)[0]["cluster"], env.reset(seed=9)[0]["cluster"])


def test_continuous_without_masks() -> None:
    tarry.to_minari(lambda obs: np.zeros((6, 2)), "tarry/DelayTimer-v1", "tarry/test/none-v0", {"cluster": "2x2x4", "warm": 1, "horizon": 4}, episodes=2)
    episode = minari.load_dataset("tarry/test/none-v0")[1]
    assert episode.actions.shape[1:] == (6, 2) and len(episode.actions) == len(episode.rewards)


def test_refused() -> None:
    with pytest.raises(OptionError, match="episodes is 0"):
        tarry.to_minari(first, "tarry/Offer-v1", "tarry/test/x-v0", episodes=0)
    with pytest.raises(OptionError, match="an environment of tarry"):
        tarry.to_minari(first, gymnasium.make("CartPole-v1"), "tarry/test/x-v0")
