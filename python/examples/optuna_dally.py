"""Optuna chooses Dally's delay timers on some jobs, and other jobs measure them: tarry.compare, in pairs with Dally's own tuner.

  PYTHONPATH=python/src build/learners/bin/python python/examples/optuna_dally.py --trials 40
"""

from __future__ import annotations

import argparse

import optuna
import tarry

LEASE = "dally:lease=300"
# Seeds of jobs: the seeds of trials begin at 1, the seeds kept for the end at 1001.
VALIDATION, TEST = {"seed": 1, "replicates": 4}, {"seed": 1001, "replicates": 12}


def compare(policies: list[str], jobs: dict[str, int], workers: int = 1) -> list[dict[str, float]]:
    """A row for each policy, on the same jobs: means, and the difference from the first."""
    run = tarry.compare(trace="synth:demo", cluster="4x4x8", speed="tiers", policies=policies, tables=["trials"], workers=workers, **jobs)
    return run.rows


def timers(params: dict[str, float]) -> str:
    """The policy with these timers, in leases."""
    return f"{LEASE},t_rack={params['t_rack']},t_net={params['t_net']}"


def objective(trial: optuna.Trial) -> float:
    """Mean completion time, s."""
    rack = trial.suggest_float("t_rack", 0.0, 48.0, step=0.5)
    net = rack + trial.suggest_float("wait_more", 0.0, 96.0, step=0.5)
    trial.set_user_attr("t_net", net)
    return compare([timers({"t_rack": rack, "t_net": net})], VALIDATION)[0]["jct_mean_s"]


def main() -> None:
    """Tunes, and compares on test jobs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--trials", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    study = optuna.create_study(sampler=optuna.samplers.TPESampler(seed=arguments.seed))
    study.optimize(objective, n_trials=arguments.trials)
    best = {"t_rack": study.best_params["t_rack"], "t_net": study.best_trial.user_attrs["t_net"]}
    print(f"{len(study.trials)} trials; best on validation: t_rack {best['t_rack']:g}, t_net {best['t_net']:g} leases, {study.best_value:.0f} s")
    own, tuned, none = compare([LEASE, timers(best), "dally-nowait:lease=300"], TEST)
    print(f"on test jobs: Dally's own tuner {own['jct_mean_s']:.0f} s")
    for name, row in (("tuned", tuned), ("no timers", none)):
        print(f"  {name} {row['jct_mean_diff_s']:+.0f} s [{row['jct_mean_diff_lo_s']:+.0f}, {row['jct_mean_diff_hi_s']:+.0f}]")


if __name__ == "__main__":
    main()
