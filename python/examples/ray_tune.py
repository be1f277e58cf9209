"""Ray Tune chooses Dally's delay timers, several trials at a time in processes of their own; other jobs measure them.

  PYTHONPATH=python/src build/learners/bin/python python/examples/ray_tune.py --trials 40 --workers 2
"""

from __future__ import annotations

import argparse
import pathlib
import tempfile

import ray
from dally_timers import cost, report
from ray import tune


def objective(config: dict[str, float]) -> dict[str, float]:
    """Mean completion time, s."""
    return {"jct_mean_s": cost(config["t_rack"], config["wait_more"])}


def main() -> None:
    """Tunes, and compares on test jobs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--trials", type=int, default=40)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=pathlib.Path, help="folder of Ray's records; without it they are thrown away")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as thrown:
        ray.init(num_cpus=arguments.workers, include_dashboard=False, log_to_driver=False, logging_level="error")
        space = {"t_rack": tune.quniform(0.0, 48.0, 0.5), "wait_more": tune.quniform(0.0, 96.0, 0.5)}
        tuner = tune.Tuner(
            tune.with_resources(objective, {"cpu": 1}),
            param_space=space,
            # A search by a generator with a seed asks for the same settings with any number of workers.
            tune_config=tune.TuneConfig(metric="jct_mean_s", mode="min", num_samples=arguments.trials, search_alg=tune.search.BasicVariantGenerator(random_state=arguments.seed)),
            run_config=tune.RunConfig(name="dally", storage_path=str((arguments.out or pathlib.Path(thrown)).resolve()), verbose=0),
        )
        found = tuner.fit()
        best = found.get_best_result()
        ray.shutdown()
    assert best.config is not None and best.metrics is not None
    report(len(found), best.config["t_rack"], best.config["wait_more"], best.metrics["jct_mean_s"])


if __name__ == "__main__":
    main()
