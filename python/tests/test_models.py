"""Environments outside the simulator, and the youngest ones over it: masks, seeds, and costs as Go gives them."""

from __future__ import annotations

import pathlib
from typing import Any

import gymnasium
import numpy as np
import pytest
import tarry
from tarry.errors import OptionError

pq = pytest.importorskip("pyarrow.parquet")

SHORT: dict[str, Any] = {"cluster": "2x2x4", "windows": 4, "window_jobs": 12, "warm": 0, "horizon": 0}
MODELS: list[tuple[str, dict[str, Any], str]] = [
    ("classic/DeepRM-v0", {}, "sjf"),
    ("classic/ParallelQueues-v0", {}, "sed"),
    ("tarry/Grow-v0", {"protocol": "dl2", "list_jobs": 8, "nodes": 4}, "time4"),
    ("tarry/Limit-v0", {"protocol": "decima"}, "fair"),
    ("tarry/Place-v0", {"protocol": "deepshare"}, "pack"),
    ("tarry/Inspect-v0", {"protocol": "schedinspector"}, "never"),
    ("tarry/Dispatch-v0", {"slots": 20}, "least-delay"),
    ("tarry/Dispatch-v0", {"protocol": "kais", "slots": 20}, "cloud"),
    ("tarry/Replicas-v0", {"hours": 3}, "fixed"),
    ("tarry/Mix-v0", {"protocol": "improper", "slots": 50}, "uniform"),
]
SIMULATED: list[tuple[str, dict[str, Any]]] = [
    ("tarry/Grow-v0", {"cluster": "1x2x4", "windows": 4, "window_jobs": 12, "jobs": 6}),
    ("tarry/Limit-v0", {"cluster": "1x2x4", "windows": 4, "window_jobs": 12, "jobs": 6}),
    ("tarry/Place-v0", SHORT),
    ("tarry/Inspect-v0", SHORT),
    ("tarry/Mix-v0", SHORT),
    ("tarry/Racks-v0", SHORT),
]
YOUNG = [*[(one, options) for one, options, _ in MODELS], *SIMULATED]
UNMASKED = ("classic/ParallelQueues-v0", "tarry/Inspect-v0", "tarry/Mix-v0")


def played(env: tarry.Env, seed: int) -> list[Any]:
    """What an episode of random legal actions gives."""
    drawn, found = np.random.default_rng(3), []

    def flat(obs: Any) -> Any:
        return gymnasium.spaces.flatten(env.observation_space, obs).tolist()

    obs, info = env.reset(seed=seed)
    found.append(flat(obs))
    for _ in range(50_000):
        assert env.observation_space.contains(obs)
        mask = info.get("action_mask")
        legal = np.flatnonzero(mask) if mask is not None else np.arange(env.action_space.n)
        assert len(legal) > 0
        obs, reward, terminated, truncated, info = env.step(int(drawn.choice(legal)))
        found += [reward, flat(obs)]
        if terminated or truncated:
            return found
    raise AssertionError("the episode does not end")


@pytest.mark.parametrize(("env_id", "options"), YOUNG)
def test_an_episode_again(env_id: str, options: dict[str, Any]) -> None:
    one, other = tarry.Env(env_id, **options), tarry.Env(env_id, **options)
    assert played(one, 5) == played(other, 5) == played(one, 5)


@pytest.mark.parametrize(("env_id", "options"), [y for y in YOUNG if y[0] not in UNMASKED])
def test_masks_hold(env_id: str, options: dict[str, Any]) -> None:
    env = tarry.Env(env_id, **options)
    _, info = env.reset(seed=1)
    while np.asarray(info["action_mask"], bool).all():
        *_, terminated, truncated, info = env.step(int(np.flatnonzero(info["action_mask"])[0]))
        assert not terminated and not truncated
    with pytest.raises(Exception, match="action"):
        env.step(int(np.flatnonzero(~np.asarray(info["action_mask"], bool))[0]))


def first(obs: Any, action_mask: Any = None) -> int:
    return 0 if action_mask is None else int(np.argmax(action_mask))


@pytest.mark.parametrize(("env_id", "options", "rule"), MODELS)
def test_costs_stand_beside_rules(env_id: str, options: dict[str, Any], rule: str, tmp_path: pathlib.Path) -> None:
    found = tarry.evaluate(first, env_id, options, baselines=[rule], name="first", count=2, out=tmp_path / "found")
    frame = pq.read_table(tmp_path / "found" / "evals").to_pandas()
    assert frame.equals(found.to_pandas()) and list(found.tables) == ["evals"]
    costs = frame.pivot_table(index="replicate", columns="policy", values="cost")
    assert set(costs.columns) == {"first", rule} and len(costs) == 2 and (costs > 0).all().all()
    name = frame["cost_name"].iloc[0]
    assert name and [row["policy"] for row in found.rows] == ["first", rule]
    for policy in costs.columns:
        assert found[policy][name] == pytest.approx(costs[policy].mean())
    assert found[rule][f"{name}_diff"] == pytest.approx((costs[rule] - costs["first"]).mean())


def test_rows_without_a_folder() -> None:
    found = tarry.evaluate(first, "classic/DeepRM-v0", baselines=["sjf"], name="first", count=2)
    frame = found.to_pandas()
    assert len(frame) == found.evals.num_rows == 4 and frame["cost"].notna().all()
    assert found._repr_html_().startswith("<table>")
    with pytest.raises(OptionError, match="table 'jobs', expected one of evals"):
        found.to_pandas("jobs")
    with pytest.raises(OptionError, match="expected none: tables= named no table"):
        tarry.evaluate(first, "classic/DeepRM-v0", baselines=["sjf"], count=2, tables=("jobs",)).to_pandas()


@pytest.mark.parametrize(("env_id", "options"), SIMULATED)
def test_completion_times_stand_beside_schedulers(env_id: str, options: dict[str, Any]) -> None:
    found = tarry.evaluate(first, env_id, options, baselines=["fifo"], name="first", count=2)
    jobs = found.to_pandas("jobs")
    assert set(jobs["policy"]) == {"first", "fifo"} and len(found.to_pandas()) == 4
    trials = found.to_pandas("trials")
    for policy, own in trials.groupby("policy"):
        assert (own["finished"] == 12).all()
        assert found[str(policy)]["jct_mean_s"] == pytest.approx(own["jct_mean_s"].mean())
        means = jobs[jobs["policy"] == policy].groupby("replicate")["jct_s"].mean()
        assert own.set_index("replicate")["jct_mean_s"].to_numpy() == pytest.approx(means.to_numpy())
