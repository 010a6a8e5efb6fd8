"""The smallest program with PyTorch, to measure its startup time."""

import sys

import torch

print(torch.tensor([1.0, 2.0]) + torch.tensor([3.0, 4.0]))
if len(sys.argv) > 1:
    from peer import status_bytes

    print(status_bytes("VmHWM"))
