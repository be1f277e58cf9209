"""The bytes of a checkpoint: named sections, and the moments of observations among them. docs/howto/python-weights.md has the layout."""

from __future__ import annotations

import functools
import hashlib
import json
import struct
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tarry.errors import OptionError

Sections = dict[str, bytes]
Array = NDArray[np.float64]

MAGIC = b"tarry state\x01"
MOMENTS = b"tarry/moments/1"
OUTER = "tarry/train/1"  # the file of a training run, whose section learner is the agent's own state


def decode(data: bytes, name: str) -> Sections:
    """The sections of a state, in their order."""
    if not data.startswith(MAGIC):
        raise OptionError(f"{name}: does not begin as a checkpoint of tarry does")
    body, want = data[:-32], data[-32:]
    if len(data) < len(MAGIC) + 40 or hashlib.sha256(body).digest() != want:
        raise OptionError(f"{name}: truncated or damaged: its checksum does not match")
    at, out = len(MAGIC) + 8, {}
    for _ in range(struct.unpack_from("<Q", body, len(MAGIC))[0]):
        parts = []
        for _ in range(2):
            (n,) = struct.unpack_from("<Q", body, at)
            parts.append(body[at + 8 : at + 8 + n])
            at += 8 + n
        out[parts[0].decode()] = parts[1]
    return out


def encode(sections: Sections) -> bytes:
    """The bytes that decode reads."""
    out = [MAGIC, struct.pack("<Q", len(sections))]
    for name, data in sections.items():
        key = name.encode()
        out += [struct.pack("<Q", len(key)), key, struct.pack("<Q", len(data)), data]
    body = b"".join(out)
    return body + hashlib.sha256(body).digest()


def header(sections: Sections) -> dict[str, Any]:
    """The header of a state."""
    return dict(json.loads(sections["header"]))


def floats(data: bytes) -> Array:
    """A section of numbers."""
    return np.frombuffer(data, "<f8").astype(np.float64)


def bytes_of(array: Array) -> bytes:
    """The section of an array, row by row."""
    return np.ascontiguousarray(array, "<f8").tobytes()


@functools.cache
def _remainders() -> list[int]:
    out = []
    for c in range(256):
        for _ in range(8):
            c = c >> 1 ^ (0x82F63B78 if c & 1 else 0)
        out.append(c)
    return out


def _crc32c(data: bytes) -> int:
    c, table = 0xFFFFFFFF, _remainders()
    for b in data:
        c = c >> 8 ^ table[(c ^ b) & 255]
    return c ^ 0xFFFFFFFF


def moments(data: bytes) -> tuple[Array, Array, Array]:
    """How many observations there were, their means, and the sums of squares about these."""
    at = 8 + len(MOMENTS) + 8
    (n,) = struct.unpack_from("<Q", data, at)
    count = np.frombuffer(data, "<f8", 1, at - 8).astype(np.float64).reshape(())
    mean = np.frombuffer(data, "<f8", n, at + 8).astype(np.float64)
    return count, mean, np.frombuffer(data, "<f8", n, at + 16 + 8 * n).astype(np.float64)


def moments_bytes(count: Array, mean: Array, m2: Array) -> bytes:
    """The section that moments reads."""
    body = struct.pack("<Q", len(MOMENTS)) + MOMENTS + struct.pack("<d", float(count))
    for part in (mean, m2):
        body += struct.pack("<Q", part.size) + bytes_of(part)
    return body + struct.pack("<I", _crc32c(body))
