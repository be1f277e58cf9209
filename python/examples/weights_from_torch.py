"""The way back: python weights_from_torch.py agent.pt RUN

Writes the state_dict that weights_to_torch.py wrote, and that was trained or edited since, into the best and the last checkpoint of the run.
`tarry eval --checkpoint RUN` then measures it, `tarry train --resume` continues with it.
"""

from __future__ import annotations

import sys

import torch
from tarry import weights


def main(file: str, run: str) -> None:
    """Reads the file and writes both checkpoints."""
    for which in ("best", "last"):
        module = weights.load(run, which).policy().to_torch()
        module.load_state_dict(torch.load(file))
        weights.save(run, weights.from_torch(module), which)
    print(f"{run}: the weights are those of {file}")


if __name__ == "__main__":
    main(*sys.argv[1:3])
