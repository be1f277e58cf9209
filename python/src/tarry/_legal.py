"""The choices of an environment with a mask: a sample of them is legal."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray


class LegalDiscrete(spaces.Discrete):
    """Discrete, but sample() without arguments draws among what the environment's mask allows now.

    Checkers and random agents know nothing of masks. It equals the plain Discrete, and is one when copied or pickled.
    """

    def __init__(self, like: spaces.Discrete, mask: NDArray[np.int8]) -> None:
        super().__init__(int(like.n), start=int(like.start))
        self._now = mask

    def sample(self, mask: Any = None, probability: Any = None) -> Any:
        """A random choice; a legal one where nothing is given."""
        if mask is None and probability is None and self._now.any():
            mask = self._now
        return super().sample(mask) if probability is None else super().sample(mask, probability)  # Gymnasium 1.0 has no probability

    def __reduce__(self) -> tuple[Any, ...]:
        return spaces.Discrete, (int(self.n), None, int(self.start))
