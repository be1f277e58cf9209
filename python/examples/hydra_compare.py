"""Hydra holds the settings of tarry.compare in YAML, and runs it over values of any of them, each in a folder of its own.

  PYTHONPATH=python/src build/learners/bin/python python/examples/hydra_compare.py load=0.8
  PYTHONPATH=python/src build/learners/bin/python python/examples/hydra_compare.py --multirun load=0.6,0.9 cluster=2x4x8,ethernet:2x4x8
  tarry runs runs/hydra
"""

from __future__ import annotations

import pathlib

import hydra
import tarry
from hydra.core.hydra_config import HydraConfig
from omegaconf import DictConfig, OmegaConf


@hydra.main(version_base=None, config_path=".", config_name="hydra_compare")
def main(config: DictConfig) -> None:
    """One comparison; its tables are in the folder of the job."""
    settings = OmegaConf.to_container(config, resolve=True)
    assert isinstance(settings, dict)
    load = settings.pop("load")
    out = pathlib.Path(HydraConfig.get().runtime.output_dir) / "tarry"
    run = tarry.compare(**settings, out=out)
    first, second = run.rows
    print(f"load {load}, cluster {settings['cluster']}: {second['policy']} - {first['policy']} {second['jct_mean_diff_s']:+.0f} s [{second['jct_mean_diff_lo_s']:+.0f}, {second['jct_mean_diff_hi_s']:+.0f}]; {out}")


if __name__ == "__main__":
    main()
