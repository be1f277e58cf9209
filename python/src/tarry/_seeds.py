"""Seeds by Gymnasium's rules, within what Go takes."""

from __future__ import annotations

from typing import Any

import numpy as np

from tarry._checked import shown
from tarry.errors import OptionError

BELOW = 1 << 64


def check(seed: Any) -> None:
    """Refuses what is no seed. None is one: the random streams run on."""
    if seed is None:
        return
    if isinstance(seed, bool) or not isinstance(seed, (int, np.integer)) or not 0 <= int(seed) < BELOW:
        raise OptionError(f"seed is {shown(seed)}, expected None or a whole number from 0 to 2**64 - 1")


def draw(generator: np.random.Generator) -> int:
    """A seed for an environment that was given none."""
    return int(generator.integers(1 << 63))
