"""PPO in one file of torch over tarry.VectorEnv, in the manner of CleanRL, with what a simulator adds: masks, and time that passes unevenly.

  PYTHONPATH=python/src build/learners/bin/python python/examples/torch_ppo.py --steps 40000
"""

from __future__ import annotations

import argparse

import numpy as np
import tarry
import torch
from torch import nn

ENVS, ROLLOUT, EPOCHS, MINIBATCHES = 8, 64, 4, 4
RATE, GAMMA, LAMBDA, CLIP = 1e-3, 0.99, 0.95, 0.2  # GAMMA is per lease (an hour) in a cluster, not per step
CLUSTER = {"cluster": "2x2x8", "load": 0.9, "warm": 6, "horizon": 24}


def flat(obs: np.ndarray | dict[str, np.ndarray]) -> torch.Tensor:
    """A row of numbers for each environment."""
    parts = list(obs.values()) if isinstance(obs, dict) else [obs]
    return torch.as_tensor(np.concatenate([part.reshape(len(part), -1) for part in parts], axis=1), dtype=torch.float32)


def network(inputs: int, outputs: int, gain: float) -> nn.Sequential:
    """Two hidden layers, orthogonal at the start."""
    layers = [nn.Linear(inputs, 64), nn.Tanh(), nn.Linear(64, 64), nn.Tanh(), nn.Linear(64, outputs)]
    for layer, scale in zip(layers[::2], (2**0.5, 2**0.5, gain), strict=True):
        nn.init.orthogonal_(layer.weight, scale)
        nn.init.zeros_(layer.bias)
    return nn.Sequential(*layers)


class Agent(nn.Module):
    """Actor and critic."""

    def __init__(self, inputs: int, actions: int) -> None:
        super().__init__()
        self.actor, self.critic = network(inputs, actions, 0.01), network(inputs, 1, 1.0)

    def policy(self, obs: torch.Tensor, mask: torch.Tensor) -> torch.distributions.Categorical:
        """The distribution of actions; illegal ones have no probability."""
        return torch.distributions.Categorical(logits=self.actor(obs).masked_fill(~mask, -1e8))

    def value(self, obs: torch.Tensor) -> torch.Tensor:
        """What the critic expects."""
        return self.critic(obs).squeeze(-1)


def advantages(reward: torch.Tensor, value: torch.Tensor, following: torch.Tensor, discount: torch.Tensor, done: torch.Tensor) -> torch.Tensor:
    """Generalised advantage estimation; following is the value of what each step led to, 0 where the episode terminated."""
    out, later = torch.zeros_like(reward), torch.zeros(reward.shape[1])
    for t in reversed(range(len(reward))):
        later = reward[t] + discount[t] * following[t] - value[t] + discount[t] * LAMBDA * later * (1 - done[t])
        out[t] = later
    return out


def train(env_id: str, steps: int, seed: int) -> list[float]:
    """The returns of all episodes, in the order of their ends."""
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    env = tarry.VectorEnv(env_id, ENVS, autoreset_mode="SameStep", **(CLUSTER if env_id.startswith("tarry/") else {}))
    obs, _ = env.reset(seed=1_000_003 * seed)
    agent = Agent(flat(obs).shape[1], int(env.single_action_space.n))
    adam = torch.optim.Adam(agent.parameters(), lr=RATE, eps=1e-5)
    updates = steps // (ENVS * ROLLOUT)
    running, episodes = np.zeros(ENVS), []
    for update in range(updates):
        adam.param_groups[0]["lr"] = RATE * (1 - update / updates)
        rows: list[tuple[torch.Tensor, ...]] = []
        for _ in range(ROLLOUT):
            x, mask = flat(obs), torch.as_tensor(env.action_masks())
            with torch.no_grad():
                policy = agent.policy(x, mask)
                action = policy.sample()
                obs, reward, terminated, truncated, infos = env.step(action.numpy())
                done, took, following = terminated | truncated, infos["elapsed"], agent.value(flat(obs))
                running += reward
                if done.any():  # the next episode has begun already: final_obs and final_info belong to the ended episode
                    took = np.where(done, infos["final_info"]["elapsed"], took)
                    for i in np.flatnonzero(done):
                        last = infos["final_obs"][i]
                        last = {name: part[None] for name, part in last.items()} if isinstance(last, dict) else last[None]
                        following[i] = 0.0 if terminated[i] else agent.value(flat(last))[0]
                        episodes.append(float(running[i]))
                        running[i] = 0
                numbers = [torch.as_tensor(v, dtype=torch.float32) for v in (reward, GAMMA**took, done)]
                rows.append((x, mask, action, policy.log_prob(action), agent.value(x), following, *numbers))
        x, mask, action, before, value, following, reward, discount, ended = (torch.stack(column) for column in zip(*rows, strict=True))
        gain = advantages(reward, value, following, discount, ended)
        learn(agent, adam, [part.flatten(0, 1) for part in (x, mask, action, before, gain, gain + value)])
    env.close()
    return episodes


def learn(agent: Agent, adam: torch.optim.Optimizer, batch: list[torch.Tensor]) -> None:
    """Some passes over a rollout."""
    for _ in range(EPOCHS):
        for part in torch.randperm(len(batch[0])).chunk(MINIBATCHES):
            x, mask, action, before, gain, target = (column[part] for column in batch)
            policy = agent.policy(x, mask)
            ratio = (policy.log_prob(action) - before).exp()
            gain = (gain - gain.mean()) / (gain.std() + 1e-8)
            loss = -torch.min(gain * ratio, gain * ratio.clamp(1 - CLIP, 1 + CLIP)).mean() + 0.25 * (agent.value(x) - target).square().mean()
            adam.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(agent.parameters(), 0.5)
            adam.step()


def main() -> None:
    """Trains, and prints what the first and the last episodes returned."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--env", default="tarry/Preempt-v1", help="any with one choice as its action")
    parser.add_argument("--steps", type=int, default=40000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    episodes = train(arguments.env, arguments.steps, arguments.seed)
    part = max(1, len(episodes) // 5)
    print(f"{len(episodes)} episodes; mean return of the first {part} {np.mean(episodes[:part]):.3f}, of the last {part} {np.mean(episodes[-part:]):.3f}")


if __name__ == "__main__":
    main()
