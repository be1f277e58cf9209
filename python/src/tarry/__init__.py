"""tarry from Python: its environments for Gymnasium, which `import tarry` registers, and its simulator with tables.

env.py is one environment, vector.py many that are stepped in one call, sb3.py the same for Stable-Baselines3, wrappers.py a
wrapper for learners without masks; commands.py trains, tunes, sweeps and draws by the command, drawn.py is what it drew; measure.py measures policies, evaluation.py is what it finds; running.py simulates, result.py is what it gives, lists.py lists what there is by name; reading.py reads the
folders that commands write; trajectories.py keeps episodes for Minari;
errors.py has what can go wrong.
"""

from __future__ import annotations

from typing import Any

from tarry import errors, lists, weights
from tarry._names import list_envs, version
from tarry.commands import figures, sweep, train, tune
from tarry.drawn import Figures
from tarry.env import Env
from tarry.evaluation import Evaluation
from tarry.jobs import Jobs
from tarry.lists import *  # noqa: F403
from tarry.measure import evaluate
from tarry.own_env import OwnObservation, OwnReward, VectorOwnObservation, VectorOwnReward
from tarry.policy import Policy
from tarry.reading import Folder, read, runs
from tarry.registration import register
from tarry.result import Result
from tarry.running import compare, simulate
from tarry.trajectories import to_minari
from tarry.vector import VectorEnv
from tarry.view import View
from tarry.wrappers import FirstLegal

__all__ = [
    "Env",
    "Evaluation",
    "Figures",
    "FirstLegal",
    "Folder",
    "Jobs",
    "OwnObservation",
    "OwnReward",
    "Policy",
    "Result",
    "VectorEnv",
    "VectorOwnObservation",
    "VectorOwnReward",
    "View",
    "compare",
    "errors",
    "evaluate",
    "figures",
    "list_envs",
    "read",
    "runs",
    "simulate",
    "sweep",
    "train",
    "tune",
    "to_minari",
    "weights",
]
__all__ += lists.__all__


def __getattr__(name: str) -> Any:
    if name == "__version__":
        return version()
    if name == "SB3VecEnv":  # imports Stable-Baselines3, and torch with it
        from tarry.sb3 import SB3VecEnv

        return SB3VecEnv
    raise AttributeError(f"module 'tarry' has no attribute {name!r}")


register()
