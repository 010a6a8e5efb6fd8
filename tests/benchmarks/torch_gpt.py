"""The PyTorch twin of nn's Gpt: the same model with the same numbers. As usual in PyTorch, queries,
keys and values come from one matrix, which stacks W_Q, W_K and W_V."""

import math

import torch
import torch.nn as nn
import torch.nn.functional as F

from gpt_sizes import SIZES
from peer_torch import causal, noise, noise_ids, written_out_attention


class Block(nn.Module):
    def __init__(self, heads, d_model):
        super().__init__()
        self.heads = heads
        self.norm_1 = nn.LayerNorm(d_model)
        self.in_proj = nn.Linear(d_model, 3 * d_model)
        self.out_proj = nn.Linear(d_model, d_model)
        self.norm_2 = nn.LayerNorm(d_model)
        self.up = nn.Linear(d_model, 4 * d_model)
        self.down = nn.Linear(4 * d_model, d_model)

    def attention(self, x, blocked):
        B, T, d_model = x.shape
        split = lambda y: y.view(B, T, self.heads, d_model // self.heads).transpose(1, 2)
        Q, K, V = [split(y) for y in self.in_proj(x).split(d_model, dim=2)]
        y = written_out_attention(Q, K, V, blocked)
        return self.out_proj(y.transpose(1, 2).reshape(B, T, d_model))

    def forward(self, x, blocked):
        x = x + self.attention(self.norm_1(x), blocked)
        return x + self.down(F.gelu(self.up(self.norm_2(x))))


class Gpt(nn.Module):
    def __init__(self, name):
        super().__init__()
        vocabulary, T, _, layers, heads, d_model = SIZES[name]
        self.tokens = nn.Embedding(vocabulary, d_model)
        self.positions = nn.Embedding(T, d_model)
        self.blocks = nn.ModuleList([Block(heads, d_model) for _ in range(layers)])
        self.norm = nn.LayerNorm(d_model)
        self.register_buffer("blocked", causal(T))
        self.register_buffer("places", torch.arange(T))

    def forward(self, ids):
        x = self.tokens(ids) + self.positions(self.places)
        for block in self.blocks:
            x = block(x, self.blocked)
        return F.linear(self.norm(x), self.tokens.weight)


def parts(block):
    """The parameters of GptBlock, in its order; three share a matrix here."""
    yield block.norm_1.weight, True
    yield block.norm_1.bias, False
    for weight, bias in zip(block.in_proj.weight.chunk(3), block.in_proj.bias.chunk(3)):
        yield weight, False
        yield bias, False
    yield block.out_proj.weight, False
    yield block.out_proj.bias, False
    yield block.norm_2.weight, True
    yield block.norm_2.bias, False
    for layer in (block.up, block.down):
        yield layer.weight, False
        yield layer.bias, False


def all_parts(model):
    yield model.tokens.weight, False
    yield model.positions.weight, False
    for block in model.blocks:
        yield from parts(block)
    yield model.norm.weight, True
    yield model.norm.bias, False


def fill(parts):
    """As fill_with_noise() in models.cpp. Each part comes with whether it is a factor, around 1."""
    with torch.no_grad():
        for seed, (numbers, is_factor) in enumerate(parts, 1):
            scale = 1 / math.sqrt(numbers.size(1)) if numbers.dim() == 2 else 0.1
            numbers.copy_(noise(tuple(numbers.shape), seed, scale))
            if is_factor:
                numbers.add_(1)


def filled(name):
    model = Gpt(name)
    fill(all_parts(model))
    return model


def step(name):
    vocabulary, T, B = SIZES[name][:3]
    model = filled(name)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    ids, targets = noise_ids((B, T), 1, vocabulary), noise_ids((B, T), 2, vocabulary)

    def run():
        optimizer.zero_grad(set_to_none=True)
        logits = model(ids)
        loss = F.cross_entropy(logits.view(-1, vocabulary), targets.view(-1))
        loss.backward()
        optimizer.step()
        weights = (model.tokens.weight, model.positions.weight, model.norm.weight)
        return [loss.detach()] + [weight.grad for weight in weights]

    return run


def forward(name):
    vocabulary, T, B = SIZES[name][:3]
    model = filled(name)
    ids = noise_ids((B, T), 1, vocabulary)

    def run():
        with torch.inference_mode():
            return [model(ids)]

    return run


def adamw_step(name):
    model = filled(name)
    with torch.no_grad():
        for seed, (numbers, _) in enumerate(all_parts(model), 1001):
            owner = numbers if numbers.is_leaf else numbers._base
            if owner.grad is None:
                owner.grad = torch.empty_like(owner)
            start = (numbers.storage_offset() - owner.storage_offset()) // max(owner[0].numel(), 1)
            owner.grad[start : start + numbers.size(0)].copy_(noise(tuple(numbers.shape), seed))
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)

    def run():
        optimizer.step()
        return [model.tokens.weight.detach(), model.norm.weight.detach()]

    return run
