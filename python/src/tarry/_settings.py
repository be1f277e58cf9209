"""Keyword arguments as the settings of a run's file: texts, lists and mappings of texts."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

import numpy as np

from tarry import _checked, _options
from tarry.errors import OptionError

NAMED = ("policy", "policies", "trace", "speed", "predict")  # of the form NAME:key=value,...; {"NAME": {"key": value}} in Python


def tree(settings: Mapping[str, Any]) -> dict[str, Any]:
    """The settings as the library takes them; None is left out."""
    return {key: _named(key, value) if key in NAMED else _node(key, value) for key, value in settings.items() if value is not None}


def _named(key: str, value: Any) -> Any:
    if isinstance(value, (list, tuple)):
        return [_named(key, one) for one in value]
    if not isinstance(value, Mapping):
        return _node(key, value)
    specs = [_spec(name, options or {}) for name, options in value.items()]
    return specs if len(specs) > 1 else "".join(specs)


def _spec(name: str, options: Any) -> str:
    if not isinstance(options, Mapping):
        raise OptionError(f"{name}: {_checked.shown(options)}, expected a dict of its options, such as {{{name!r}: {{'key': value}}}}")
    text = _options.write(options)
    return f"{name}{',' if ':' in name else ':'}{text}" if text else name


def _node(key: str, value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(k): _node(f"{key}.{k}", v) for k, v in value.items() if v is not None}
    if isinstance(value, (list, tuple)):
        return [_node(key, one) for one in value]
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, (int, np.integer)):
        return _checked.number(int(value))
    if isinstance(value, (float, np.floating)):
        return repr(float(value))
    if isinstance(value, (str, os.PathLike)):
        return _checked.text(key, os.fsdecode(value))
    raise OptionError(f"{key} is {_checked.shown(value)}, expected a text, a number, True, False, or a list or dict of these")
