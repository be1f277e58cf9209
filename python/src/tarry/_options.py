"""Keyword arguments as the text that the command takes: key=value,..."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

import numpy as np

from tarry.errors import OptionError


def _value(key: str, value: Any) -> str:
    if isinstance(value, (bool, np.bool_)):
        text = "true" if value else "false"
    elif isinstance(value, (int, np.integer)):
        text = str(int(value))
    elif isinstance(value, (float, np.floating)):
        text = repr(float(value))
    elif isinstance(value, (list, tuple)):
        return "+".join(_value(key, one) for one in value)
    elif isinstance(value, (str, os.PathLike)):
        text = os.fspath(value)
    else:
        raise OptionError(f"option {key} is {value!r}, expected a text, a number, True, False, a list of these, or a dict")
    if any(ord(c) < 32 for c in text) or '"' in text:
        raise OptionError(f"option {key} is {text!r}, expected no double quotes and no control characters")
    return text


def write(options: Mapping[str, Any]) -> str:
    """The options as one text. None is left out; {"costs": {"start_s": 1}} is costs.start_s=1; lists are joined by +."""
    out = []
    for key, value in options.items():
        if not isinstance(key, str) or not key or any(c in key for c in '=,"\n'):
            raise OptionError(f"option {key!r}, expected a name")
        if value is None:
            continue
        if isinstance(value, Mapping):
            inner = write({f"{key}.{k}": v for k, v in value.items()})
            out += [inner] if inner else []
            continue
        text = _value(key, value)
        out.append(f'{key}="{text}"' if "," in text else f"{key}={text}")
    return ",".join(out)
