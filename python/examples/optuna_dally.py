"""Optuna chooses Dally's delay timers on some jobs, and other jobs measure them: tarry.compare, in pairs with Dally's own tuner.

  PYTHONPATH=python/src build/learners/bin/python python/examples/optuna_dally.py --trials 40
"""

from __future__ import annotations

import argparse

import optuna
from dally_timers import cost, report


def objective(trial: optuna.Trial) -> float:
    """Mean completion time, s."""
    return cost(trial.suggest_float("t_rack", 0.0, 48.0, step=0.5), trial.suggest_float("wait_more", 0.0, 96.0, step=0.5))


def main() -> None:
    """Tunes, and compares on test jobs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--trials", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    study = optuna.create_study(sampler=optuna.samplers.TPESampler(seed=arguments.seed))
    study.optimize(objective, n_trials=arguments.trials)
    report(len(study.trials), study.best_params["t_rack"], study.best_params["wait_more"], study.best_value)


if __name__ == "__main__":
    main()
