"""Gymnasium's names for when an environment of a vector resets itself; Gymnasium 1.0 has none yet."""

from __future__ import annotations

import enum

try:
    from gymnasium.vector import AutoresetMode
except ImportError:  # Gymnasium 1.0, which only has what it later called NEXT_STEP

    class AutoresetMode(enum.Enum):  # type: ignore[no-redef]
        """When an environment of a vector resets itself."""

        NEXT_STEP = "NextStep"
        SAME_STEP = "SameStep"
        DISABLED = "Disabled"


__all__ = ["AutoresetMode"]
