"""The PyTorch twins of heed_recurrent.cpp and of loading in heed_files.cpp."""

import os
import tempfile

import torch
import torch.nn as nn
import torch.nn.functional as F

import torch_gpt
from peer_torch import noise


def step(kind, B, T, d):
    layer = kind(d, d, batch_first=True)
    torch_gpt.fill((p.data, False) for p in layer.parameters())
    optimizer = torch.optim.AdamW(layer.parameters(), lr=1e-3)
    X, target = noise((B, T, d), 1001), noise((B, T, d), 1002)
    first, *_, last = layer.parameters()

    def run():
        optimizer.zero_grad(set_to_none=True)
        loss = F.mse_loss(layer(X)[0], target)
        loss.backward()
        optimizer.step()
        return [loss.detach(), first.grad, last.grad]

    return run


def lstm(B, T, d):
    return step(nn.LSTM, B, T, d)


def gru(B, T, d):
    return step(nn.GRU, B, T, d)


class ScratchFile:
    def __init__(self):
        handle, self.path = tempfile.mkstemp(prefix="heed-benchmark-")
        os.close(handle)

    def __del__(self):
        os.remove(self.path)


def loading(name):
    model, file = torch_gpt.filled(name), ScratchFile()
    torch.save(model.state_dict(), file.path)

    def run():
        model.load_state_dict(torch.load(file.path))
        return [model.norm.bias.detach()]

    return run
