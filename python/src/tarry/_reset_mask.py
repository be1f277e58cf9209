"""Which environments of a vector a reset is for."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tarry._checked import shown
from tarry.errors import OptionError


def take_reset_mask(options: dict[str, Any], n: int) -> NDArray[np.bool_]:
    """Takes reset_mask out of the options: yes or no for each of n environments; all of them where there is none."""
    mask = options.pop("reset_mask", None)
    if mask is None:
        return np.ones(n, np.bool_)
    if not isinstance(mask, np.ndarray) or mask.dtype != np.bool_ or mask.shape != (n,):
        said = f"{mask.dtype} of shape {mask.shape}" if isinstance(mask, np.ndarray) else shown(mask)
        raise OptionError(f"options['reset_mask'] is {said}, expected a numpy array of {n} bools")
    if not mask.any():
        raise OptionError("options['reset_mask'] is False everywhere, expected one True at least")
    return mask
