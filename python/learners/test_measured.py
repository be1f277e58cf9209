"""Models of Stable-Baselines3 and modules of PyTorch, measured."""

from __future__ import annotations

import hashlib
from typing import Any

import gymnasium
import numpy as np
import pytest
import tarry
import torch
from small_options import same
from sb3_contrib import MaskablePPO, RecurrentPPO
from sb3_contrib.common.wrappers import ActionMasker
from stable_baselines3 import PPO, SAC
from stable_baselines3.common.monitor import Monitor
from stable_baselines3.common.vec_env import DummyVecEnv, VecNormalize

ON = {"cluster": "2x2x4", "warm": 12, "horizon": 12, "load": 1.2}
SHORT: dict[str, Any] = {"n_steps": 32, "batch_size": 32, "n_epochs": 1, "seed": 1, "device": "cpu"}


def preempt(**more: Any) -> tarry.Env:
    return tarry.Env("tarry/Preempt-v0", **ON, **more)


def measure(policy: Any, env: Any, **more: Any) -> tarry.Evaluation:
    return tarry.evaluate(policy, env, count=3, **more)


def test_maskable_ppo() -> None:
    env = Monitor(ActionMasker(preempt(), lambda e: e.get_wrapper_attr("action_masks")()))
    model = MaskablePPO("MultiInputPolicy", env, **SHORT)
    model.learn(64)
    found = measure(model, env)
    assert found.rows[0]["policy"] == "MaskablePPO" and len(found.rows[0]["checkpoint_sha256"]) == 64
    assert found.rows[0]["agent"].endswith(found.rows[0]["checkpoint_sha256"])
    by_hand = measure(lambda obs, action_mask: model.predict(obs, deterministic=True, action_masks=action_mask == 1)[0], env, name="MaskablePPO", sha256=found.rows[0]["checkpoint_sha256"])
    assert same(found.evals, by_hand.evals)
    assert same(measure(model, model.get_env()).evals, found.evals)
    before = found.rows[0]["checkpoint_sha256"]
    model.learn(64)
    assert measure(model, env).rows[0]["checkpoint_sha256"] != before


def test_ppo_without_masks_needs_first_legal() -> None:
    env = gymnasium.wrappers.FlattenObservation(tarry.FirstLegal(preempt()))
    model = PPO("MlpPolicy", env, **SHORT)
    found = measure(model, env, workers=2)
    assert found.latency["PPO"]["decisions"] > 30
    assert same(measure(model, env).evals, found.evals)


def test_vec_normalize_is_applied_and_stays() -> None:
    venv = VecNormalize(DummyVecEnv([lambda: gymnasium.wrappers.FlattenObservation(tarry.FirstLegal(preempt()))]))
    model = PPO("MlpPolicy", venv, **SHORT)
    model.learn(64)
    mean, count = venv.obs_rms.mean.copy(), venv.obs_rms.count
    found = measure(model, venv)
    assert np.array_equal(mean, venv.obs_rms.mean) and count == venv.obs_rms.count
    by_hand = measure(lambda obs: model.predict(venv.normalize_obs(obs), deterministic=True)[0], venv.venv.envs[0], name="PPO", sha256=found.rows[0]["checkpoint_sha256"])
    assert same(found.evals, by_hand.evals)


def test_numbers_of_a_box() -> None:
    vector = tarry.SB3VecEnv("tarry/DelayTimer-v0", 2, **ON)
    model = SAC("MlpPolicy" if isinstance(vector.observation_space, gymnasium.spaces.Box) else "MultiInputPolicy", vector, buffer_size=100, seed=1, device="cpu")
    assert measure(model, vector, baselines=["dally", "fifo"]).latency["SAC"]["decisions"] > 0


def test_recurrent_models_are_refused() -> None:
    model = RecurrentPPO("MultiInputLstmPolicy", tarry.FirstLegal(preempt()), **SHORT)
    with pytest.raises(tarry.errors.OptionError, match="RecurrentPPO remembers what it saw"):
        measure(model, model.get_env())


class Logits(torch.nn.Module):
    def __init__(self, inputs: int, outputs: int) -> None:
        super().__init__()
        torch.manual_seed(1)
        self.net = torch.nn.Sequential(torch.nn.Linear(inputs, 16), torch.nn.Tanh(), torch.nn.Dropout(0.5), torch.nn.Linear(16, outputs))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        assert x.dtype == torch.float32 and x.ndim == 2 and len(x) == 1 and not self.training
        out: torch.Tensor = self.net(x)
        return out


def test_a_module_of_logits() -> None:
    env = preempt()
    inputs = int(gymnasium.spaces.flatdim(env.observation_space))
    module = Logits(inputs, int(env.action_space.n))  # type: ignore[attr-defined]
    found = measure(module, env)
    assert module.training and module.net[2].training  # as it was

    def by_hand(obs: Any, action_mask: Any) -> int:
        row = np.concatenate([np.ravel(part) for part in obs.values()])
        module.eval()
        with torch.no_grad():
            logits = module(torch.tensor(row, dtype=torch.float32)[None])[0].numpy()
        return int(np.argmax(np.where(action_mask == 1, logits, -np.inf)))

    again = measure(by_hand, env, name="Logits", sha256=found.rows[0]["checkpoint_sha256"])
    assert same(found.evals, again.evals)
    digest = hashlib.sha256()
    for name, value in sorted(module.state_dict().items()):
        digest.update(f"{name} {value.dtype} {list(value.shape)}\n".encode() + value.numpy().tobytes())
    assert found.rows[0]["checkpoint_sha256"] == digest.hexdigest()


def test_a_module_with_the_wrong_outputs() -> None:
    env = preempt()
    inputs = int(gymnasium.spaces.flatdim(env.observation_space))
    with pytest.raises(tarry.errors.InvalidAction, match="a network gave 5 numbers, expected logits or an action of Discrete"):
        measure(Logits(inputs, 5), env)


def test_a_module_with_numbers_for_a_box() -> None:
    env = tarry.Env("tarry/DelayTimer-v0", **ON)
    inputs, outputs = (int(gymnasium.spaces.flatdim(s)) for s in (env.observation_space, env.action_space))
    assert measure(Logits(inputs, outputs), env).rows[0]["policy"] == "Logits"
