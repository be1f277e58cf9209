"""Schedulers of Python among the policies of a run: their names, and where each run gets its own object from."""

from __future__ import annotations

import copy
import difflib
import hashlib
import importlib
import inspect
import pathlib
import pickle
import pkgutil
import uuid
from collections.abc import Callable, Mapping
from typing import Any

from tarry import _options
from tarry._checked import shown
from tarry.errors import OptionError
from tarry.policy import Policy

PREFIX = "python:"


class Own:
    """A scheduler, its name in tables, and what makes the object of a run."""

    def __init__(self, name: str, make: Callable[[], Policy], first: Policy, second: Policy | None = None) -> None:
        self.name = name
        self.make = make
        self.first = first
        self.knows = _knows(first)
        found = _source(first, second)
        self.stable = found is not None  # each process finds the same
        self.source = found or uuid.uuid4().hex

    def keys(self) -> list[str]:
        """The keyword arguments of its class."""
        return [key for key, one in _takes(type(self.first)).parameters.items() if one.kind in (one.POSITIONAL_OR_KEYWORD, one.KEYWORD_ONLY)]

    def request(self) -> dict[str, Any]:
        """The same for the library."""
        return {"name": self.name, "knows": list(self.knows), "source": self.source}


def _takes(thing: Any) -> inspect.Signature:
    """The arguments of a class."""
    return inspect.Signature() if getattr(thing, "__init__", None) is object.__init__ else inspect.signature(thing)


def is_own(value: Any) -> bool:
    """Whether a value is a scheduler of Python: an object, its class, or python:MODULE:CLASS."""
    return isinstance(value, Policy) or isinstance(value, type) and issubclass(value, Policy) or isinstance(value, str) and value.startswith(PREFIX)


def take(value: Any, to: list[Own]) -> Any:
    """The policies of a setting with names in place of schedulers of Python, which are added to a list."""
    if isinstance(value, (list, tuple)):
        out: list[Any] = []
        for one in value:
            found = take(one, to)
            out += found if isinstance(found, list) else [found]
        return out
    if isinstance(value, Mapping) and any(is_own(one) for one in value.values()):
        return [_add(one, key, to) if is_own(one) else {key: one} for key, one in value.items()]
    return _add(value, "", to) if is_own(value) else value


def _add(value: Any, name: str, to: list[Own]) -> str:
    one = own(value, name)
    to.append(one)
    return one.name


def own(value: Any, name: str = "") -> Own:
    """A scheduler of Python from its object, its class or python:MODULE:CLASS,key=value."""
    if isinstance(value, str):
        cls, arguments = load(value)
        return Own(name or value, lambda: _made(cls, arguments, value), _made(cls, arguments, value), _made(cls, arguments, value))
    if isinstance(value, type):
        cls = value
        return Own(_named(name or cls.name or cls.__name__), lambda: _made(cls, {}, cls.__name__), _made(cls, {}, cls.__name__))
    first: Policy = value
    return Own(_named(name or _spelled(first)), lambda: copy.deepcopy(first), first)


def _made(cls: type[Policy], arguments: dict[str, Any], text: str) -> Policy:
    made = cls(**arguments)
    if not isinstance(made, Policy):
        raise OptionError(f"policy {text} gives {shown(made)}, expected a tarry.Policy")
    return made


def _named(name: str) -> str:
    head = name.split(":")[0]
    if not head or any(c in head for c in ' ,="\n'):
        raise OptionError(f"policy name {shown(name)}, expected a name without spaces, commas and equals signs")
    return name


def _spelled(policy: Policy) -> str:
    """NAME:key=value,... of the arguments of the constructor."""
    cls = type(policy)
    if policy.name:
        return policy.name
    args, kwargs = policy._arguments
    if not args and not kwargs:
        return cls.__name__
    bound = inspect.signature(cls.__init__).bind(policy, *args, **kwargs)
    settings: dict[str, Any] = {}
    for key, value in list(bound.arguments.items())[1:]:
        kind = bound.signature.parameters[key].kind
        if kind is inspect.Parameter.VAR_KEYWORD:
            settings.update(value)
        else:
            settings[key] = value
    try:
        return f"{cls.__name__}:{_options.write(settings)}"
    except OptionError as err:
        raise OptionError(f"policy {cls.__name__}: {err}; or a name of its own: the attribute name, or {{NAME: policy}}") from err


def _knows(policy: Policy) -> tuple[str, ...]:
    given = policy.knows
    named = (given,) if isinstance(given, str) else tuple(given)
    if not all(isinstance(one, str) for one in named):
        raise OptionError(f"policy {type(policy).__name__}: knows is {shown(given)}, expected names, such as (\"work\",)")
    return named


def _source(policy: Policy, second: Policy | None) -> str | None:
    """The hash of the file of the class and of what the object holds; None where these cannot be read: its results are not taken again.

    With a second object, made of the same class and arguments, what both hold alike counts: a clock or random numbers do not.
    """
    try:
        file = inspect.getsourcefile(type(policy))
        text = pathlib.Path(file).read_bytes() if file and pathlib.Path(file).exists() else inspect.getsource(type(policy)).encode()
        try:
            holds = pickle.dumps(vars(policy))
        except Exception:  # of what cannot be pickled: the arguments are in the name of one that was made twice
            return None if second is None else hashlib.sha256(text).hexdigest()
        alike = second is None or pickle.dumps(vars(second)) == holds
        return hashlib.sha256(text + (holds if alike else b"")).hexdigest()
    except Exception:  # of a class without source
        return None


def load(text: str) -> tuple[type[Policy], dict[str, Any]]:
    """The class of python:MODULE:CLASS,key=value and its arguments."""
    spec, *parts = _split(text[len(PREFIX) :])
    module, _, name = spec.partition(":")
    if not module or not name:
        raise OptionError(f"policy {shown(text)}, expected python:MODULE:CLASS or python:MODULE:CLASS,key=value")
    try:
        thing: Any = importlib.import_module(module)
    except ModuleNotFoundError as err:
        if err.name != module.split(".")[0] and err.name != module:
            raise
        near = _near(module, [found.name for found in pkgutil.iter_modules()])
        raise OptionError(f"policy {shown(text)}: no module {module} on the path of Python, expected it in the present folder or on PYTHONPATH{near}") from err
    for part in name.split("."):
        if not hasattr(thing, part):
            has = [n for n, v in vars(thing).items() if is_own(v)]
            raise OptionError(f"policy {shown(text)}: {module} has no {name}, expected one of {', '.join(has) or 'its classes'}{_near(part, has)}")
        thing = getattr(thing, part)
    if not callable(thing):
        raise OptionError(f"policy {shown(text)}: {name} is {shown(thing)}, expected a class of tarry.Policy")
    arguments = {}
    for part in parts:
        key, equals, value = part.partition("=")
        if not equals or not key.isidentifier():
            raise OptionError(f"policy {shown(text)}: {shown(part)}, expected key=value")
        arguments[key] = _value(value.strip('"'))
    takes = _takes(thing)
    try:
        takes.bind(**arguments)
    except TypeError as err:
        wrong = next((key for key in arguments if key not in takes.parameters), "")
        raise OptionError(f"policy {shown(text)}: {err}; expected the arguments {takes}{_near(wrong, list(takes.parameters))}") from err
    return thing, arguments


def _near(name: str, names: list[str]) -> str:
    """The name nearest to one that is unknown, as the command states it."""
    found = difflib.get_close_matches(name, names, 1)
    return f'; did you mean "{found[0]}"?' if found else ""


def _split(text: str) -> list[str]:
    """Parts between commas, but for those between double quotes."""
    out, quoted = [""], False
    for c in text:
        quoted ^= c == '"'
        if c == "," and not quoted:
            out.append("")
        else:
            out[-1] += c
    return out


def _value(text: str) -> Any:
    """A setting as the argument that it means: true, false, none, a number, numbers joined by +, or text."""
    words = {"true": True, "false": False, "none": None}
    if text in words:
        return words[text]
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    try:
        return tuple(float(part) for part in text.split("+")) if "+" in text else text
    except ValueError:
        return text
