"""What can go wrong. Each error is also the class that users of Gymnasium expect; the words are as in the command tarry."""

from __future__ import annotations

import gymnasium.error


class TarryError(Exception):
    """Any error of tarry."""


class LibraryError(TarryError, ImportError):
    """The C library is missing, or of another version."""


class ForkedError(TarryError, RuntimeError):
    """A call in a process that was forked after the library was loaded."""

    def __init__(self) -> None:
        super().__init__(
            "this process was forked from one that had used tarry, and Go's runtime does not survive fork: expected "
            "spawn or forkserver, such as AsyncVectorEnv(..., context=\"spawn\"), SubprocVecEnv(..., start_method=\"spawn\") "
            "or multiprocessing.get_context(\"spawn\"); tarry.VectorEnv needs no processes"
        )


class OptionError(TarryError, ValueError):
    """A wrong id, option, seed or argument."""


class UnknownName(TarryError, KeyError):
    """A row that a result does not have."""


class InvalidAction(TarryError, gymnasium.error.InvalidAction, ValueError):
    """An action outside of the action space, or one that the mask forbids; nothing was stepped."""


class ResetNeeded(TarryError, gymnasium.error.ResetNeeded):
    """A step before the first reset, or behind the end of an episode."""


class ClosedError(TarryError, gymnasium.error.ClosedEnvironmentError):
    """A call on an environment that is closed."""


class BusyError(TarryError, RuntimeError):
    """Another thread is in a call on the same environment."""


class FaultError(TarryError, RuntimeError):
    """A fault of tarry itself; the environment needs a reset."""


class RunError(TarryError, RuntimeError):
    """A run failed: a file, a disk, a simulation."""


class DecisionError(RunError, ValueError):
    """A scheduler decided what cannot be, or used its view when no decision was asked for."""


class UndeclaredError(TarryError, AttributeError):
    """A scheduler read what it did not declare (knows)."""


BY_STATUS: dict[int, type[TarryError]] = {
    1: InvalidAction,
    2: ResetNeeded,
    3: ClosedError,
    4: BusyError,
    5: OptionError,
    6: FaultError,
    7: RunError,
    8: RunError,
}
