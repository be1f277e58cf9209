"""The weights of a trained agent as a torch file: python weights_to_torch.py RUN agent.pt

RUN is the folder of a training run, a checkpoint or a file of `tarry export weights`. agent.pt has the state_dict of Policy.to_torch, whose
names are as in the checkpoint.
"""

from __future__ import annotations

import sys

import torch
from tarry import weights


def main(run: str, file: str) -> None:
    """Reads the run and writes the file."""
    module = weights.Policy(run).to_torch()
    torch.save(module.state_dict(), file)
    print(f"{file}: {sum(p.numel() for p in module.parameters())} weights in {len(list(module.parameters()))} tensors")


if __name__ == "__main__":
    main(*sys.argv[1:3])
