"""What the tests share: small options, so that an episode is short."""

from __future__ import annotations

import signal
from typing import Any

import pytest
import tarry

signal.signal(signal.SIGINT, signal.default_int_handler)  # what starts tests in the background may have SIGINT ignored

IDS = [e["id"] for e in tarry.list_envs()]
SIMULATED = [e["id"] for e in tarry.list_envs() if "\nwarm " in e["options"]]


def small(env_id: str) -> dict[str, Any]:
    """Options with which an environment over the simulator has short episodes."""
    if env_id not in SIMULATED:
        return {}
    if env_id in ("tarry/Pick-v0", "tarry/Inspect-v0"):
        return {"cluster": "2x2x4", "warm": 0, "horizon": 48}
    load = {"load": 1.2} if env_id.startswith("tarry/Offer") else {}
    return {"cluster": "2x2x4", "warm": 2, "horizon": 12, **load}


def same(a: Any, b: Any) -> bool:
    """Equal tables of Arrow, where NaN equals NaN."""
    return bool(a.schema.equals(b.schema) and a.to_pandas().equals(b.to_pandas()))


@pytest.fixture(params=IDS)
def env_id(request: pytest.FixtureRequest) -> str:
    """Each environment in turn."""
    return str(request.param)
