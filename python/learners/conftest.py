"""The tests with Stable-Baselines3 share the small options of python/tests."""

from __future__ import annotations

import importlib.util
import pathlib
import sys

import torch

FILE = pathlib.Path(__file__).parents[1] / "tests" / "conftest.py"
_spec = importlib.util.spec_from_file_location("small_options", FILE)
small_options = sys.modules["small_options"] = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(small_options)
env_id = small_options.env_id

torch.set_num_threads(1)
