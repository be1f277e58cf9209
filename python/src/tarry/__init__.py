"""tarry from Python: its environments for Gymnasium. `import tarry` registers them.

env.py is one environment, vector.py many that are stepped in one call, sb3.py the same for Stable-Baselines3, wrappers.py a
wrapper for what knows no masks, errors.py what can go wrong.
"""

from __future__ import annotations

from typing import Any

from tarry import errors
from tarry._names import list_envs, version
from tarry.env import Env
from tarry.registration import register
from tarry.vector import VectorEnv
from tarry.wrappers import FirstLegal

__all__ = ["Env", "FirstLegal", "VectorEnv", "errors", "list_envs"]


def __getattr__(name: str) -> Any:
    if name == "__version__":
        return version()
    if name == "SB3VecEnv":  # imports Stable-Baselines3, and torch with it
        from tarry.sb3 import SB3VecEnv

        return SB3VecEnv
    raise AttributeError(f"module 'tarry' has no attribute {name!r}")


register()
