"""Keyword arguments as the text that the command takes: key=value,..."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

import numpy as np

from tarry import _checked
from tarry.errors import OptionError


def _value(key: str, value: Any) -> str:
    if isinstance(value, (bool, np.bool_)):
        text = "true" if value else "false"
    elif isinstance(value, (int, np.integer)):
        text = _checked.number(int(value))
    elif isinstance(value, (float, np.floating)):
        text = repr(float(value))
    elif isinstance(value, (list, tuple)):
        return "+".join(_value(key, one) for one in value)
    elif isinstance(value, (str, os.PathLike)):
        text = os.fsdecode(value)
    else:
        raise OptionError(f"option {key} is {_checked.shown(value)}, expected a text, a number, True, False, a list of these, or a dict")
    _checked.text(f"option {key}", text)
    if any(ord(c) < 32 for c in text) or '"' in text:
        raise OptionError(f"option {key} is {_checked.shown(text)}, expected no double quotes and no control characters")
    return text


def write(options: Mapping[str, Any] | None) -> str:
    """The options as one text. None is left out; {"costs": {"start_s": 1}} is costs.start_s=1; lists are joined by +."""
    out = []
    for key, value in _checked.settings("options", options).items():
        if not isinstance(key, str) or not key or any(c in key for c in '=,"\n'):
            raise OptionError(f"option {_checked.shown(key)}, expected a name")
        _checked.text("the name of an option", key)
        if value is None:
            continue
        if isinstance(value, Mapping):
            inner = write({f"{key}.{k}": v for k, v in value.items()})
            out += [inner] if inner else []
            continue
        text = _value(key, value)
        out.append(f'{key}="{text}"' if "," in text else f"{key}={text}")
    return ",".join(out)
