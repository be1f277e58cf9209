"""tarry from Python: its environments for Gymnasium. `import tarry` registers them.

env.py is one environment, vector.py many that are stepped in one call, wrappers.py a wrapper for what knows no masks, errors.py what can go wrong.
"""

from __future__ import annotations

from tarry import errors
from tarry._names import list_envs, version
from tarry.env import Env
from tarry.registration import register
from tarry.vector import VectorEnv
from tarry.wrappers import FirstLegal

__all__ = ["Env", "FirstLegal", "VectorEnv", "errors", "list_envs"]


def __getattr__(name: str) -> str:
    if name == "__version__":
        return version()
    raise AttributeError(f"module 'tarry' has no attribute {name!r}")


register()
