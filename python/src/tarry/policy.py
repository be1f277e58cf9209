"""Schedulers in Python."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tarry.view import View


class Policy:
    """A scheduler. decide is called at each instant at which something happened, and decides through the view.

    An attribute (knows) declares what it reads of jobs beyond what everyone sees: some of done, estimate, work, history, speed, progress, profile and series. Tables
    mark a policy that declares work, the true run times. name is how tables call it, by default the class with the arguments of the constructor.
    Each run has an object of its own: the class is called, or the object that was given is copied. Arguments of the constructor are the settings of
    python:MODULE:CLASS,key=value in the command.

    Raises: NotImplementedError where decide is not defined.

    Example:
        import tarry

        class Fifo(tarry.Policy):
            def decide(self, view):
                view.fill(view.waiting.job, stop=True)

        print(tarry.compare(trace="synth:demo", cluster="4x4x8", policies=[Fifo, "fifo", "dally"]))
    """

    knows: Sequence[str] = ()
    name: str = ""
    _arguments: tuple[tuple[Any, ...], dict[str, Any]] = ((), {})

    def __new__(cls, *args: Any, **kwargs: Any) -> Policy:
        """Remembers the arguments, which are the settings in tables."""
        if (args or kwargs) and cls.__init__ is object.__init__:
            raise TypeError(f"{cls.__name__} takes no arguments: it has no __init__")
        made = super().__new__(cls)
        made._arguments = (args, kwargs)
        return made

    def decide(self, view: View) -> None:
        """Decides what happens at this instant."""
        raise NotImplementedError(f"{type(self).__name__} has no decide(self, view), expected one")
