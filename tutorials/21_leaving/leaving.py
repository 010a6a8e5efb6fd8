#!/usr/bin/env python3
"""Lesson 21 on the other side: the model that 21_leaving saved, in PyTorch.

    python3 leaving.py loss DIR        the loss of DIR/model.safetensors on the texts of DIR
    python3 leaving.py train DIR N     ten steps of N processes, with DistributedDataParallel
    python3 leaving.py onnx DIR        DIR/model.onnx, for other engines

Each reads DIR/model.safetensors and DIR/texts.safetensors, and writes what it found to
DIR/pytorch.safetensors. It needs PyTorch and NumPy (Debian: python3-torch, python3-numpy).
"""
import json
import os
import struct
import sys

try:
    import numpy
    import torch
    from torch import nn
except ImportError as error:
    sys.exit(f"leaving.py: {error}; Debian's packages are python3-torch and python3-numpy")


def read_safetensors(path):
    """8 bytes with the header's length, the header as JSON, then the numbers."""
    with open(path, "rb") as file:
        header = json.loads(file.read(struct.unpack("<Q", file.read(8))[0]))
        numbers = file.read()
    types = {"F32": "<f4", "F64": "<f8"}
    tensors = {}
    for name, entry in header.items():
        if name == "__metadata__":
            continue
        begin, end = entry["data_offsets"]
        array = numpy.frombuffer(numbers[begin:end], types[entry["dtype"]])
        tensors[name] = torch.tensor(array.reshape(entry["shape"]))
    return tensors


def write_safetensors(path, tensors):
    header, numbers = {}, b""
    for name, tensor in tensors.items():
        data = tensor.detach().to(torch.float32).contiguous().numpy().tobytes()
        header[name] = {"dtype": "F32", "shape": list(tensor.shape),
                        "data_offsets": [len(numbers), len(numbers) + len(data)]}
        numbers += data
    head = json.dumps(header).encode()
    head += b" " * (-len(head) % 8)
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(head)) + head + numbers)


class Attention(nn.Module):
    def __init__(self, d, heads):
        super().__init__()
        self.heads = heads
        self.W_Q, self.W_K, self.W_V, self.W_O = (nn.Linear(d, d) for _ in range(4))

    def forward(self, x):  # [B, T, d]
        B, T, d = x.shape
        Q, K, V = (W(x).view(B, T, self.heads, d // self.heads).transpose(1, 2)
                   for W in (self.W_Q, self.W_K, self.W_V))
        scores = Q @ K.transpose(-2, -1) / (d // self.heads) ** 0.5
        later = torch.ones(T, T, dtype=torch.bool).triu(1)
        weights = scores.masked_fill(later, float("-inf")).softmax(-1)
        return self.W_O((weights @ V).transpose(1, 2).reshape(B, T, d))


class FeedForward(nn.Module):
    def __init__(self, d, hidden):
        super().__init__()
        self.W_1, self.W_2 = nn.Linear(d, hidden), nn.Linear(hidden, d)

    def forward(self, x):
        return self.W_2(nn.functional.gelu(self.W_1(x), approximate="tanh"))


class Block(nn.Module):
    def __init__(self, d, heads, hidden):
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(d), nn.LayerNorm(d)
        self.attention, self.feed_forward = Attention(d, heads), FeedForward(d, hidden)

    def forward(self, x):
        x = x + self.attention(self.norm1(x))
        return x + self.feed_forward(self.norm2(x))


class Gpt(nn.Module):
    """heed's Gpt (nn/models/gpt.h), with its names; the head is the token table."""

    def __init__(self, weights, heads):
        super().__init__()
        (V, d), limit = weights["tokens.weight"].shape, weights["positions.weight"].shape[0]
        hidden = weights["blocks.0.feed_forward.W_1.weight"].shape[0]
        layers = sum(name.endswith("norm1.weight") for name in weights)
        self.tokens, self.positions = nn.Embedding(V, d), nn.Embedding(limit, d)
        self.blocks = nn.ModuleList(Block(d, heads, hidden) for _ in range(layers))
        self.norm = nn.LayerNorm(d)
        self.load_state_dict(weights)  # names or shapes that differ are an error

    def forward(self, ids):  # [B, T] -> logits [B, T, V]
        x = self.tokens(ids) + self.positions(torch.arange(ids.shape[1]))
        for block in self.blocks:
            x = block(x)
        return self.norm(x) @ self.tokens.weight.T


def loss_of(model, inputs, targets):
    return nn.functional.cross_entropy(model(inputs).flatten(0, 1), targets.flatten())


def read(folder):
    weights = read_safetensors(os.path.join(folder, "model.safetensors"))
    texts = read_safetensors(os.path.join(folder, "texts.safetensors"))
    texts = {name: ids.long() for name, ids in texts.items()}
    return Gpt(weights, int(texts["num_heads"])), texts


def loss(folder):
    model, texts = read(folder)
    with torch.no_grad():
        found = loss_of(model, texts["held_out_inputs"], texts["held_out_targets"])
    write_safetensors(os.path.join(folder, "pytorch.safetensors"), {"loss": found})


def train_part(rank, processes, folder):
    """One process: its part of each batch. DistributedDataParallel takes the mean of gradients."""
    os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT=os.environ.get("MASTER_PORT", "29521"))
    torch.distributed.init_process_group("gloo", rank=rank, world_size=processes)
    torch.set_num_threads(1)
    model, texts = read(folder)
    parallel = nn.parallel.DistributedDataParallel(model)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    losses = []
    for inputs, targets in zip(texts["inputs"], texts["targets"]):
        part = loss_of(parallel, inputs.chunk(processes)[rank], targets.chunk(processes)[rank])
        optimizer.zero_grad()
        part.backward()
        optimizer.step()
        mean = part.detach() / processes
        torch.distributed.all_reduce(mean)
        losses.append(mean)
    if rank == 0:
        trained = {"trained." + name: tensor for name, tensor in model.state_dict().items()}
        write_safetensors(os.path.join(folder, "pytorch.safetensors"),
                          {"losses": torch.stack(losses), **trained})
    torch.distributed.destroy_process_group()


def train(folder, processes):
    torch.multiprocessing.spawn(train_part, (processes, folder), processes)


def onnx(folder):
    model, texts = read(folder)
    ids = texts["held_out_inputs"][:1]
    axes = {"ids": {0: "batch"}, "logits": {0: "batch"}}
    torch.onnx.export(model, ids, os.path.join(folder, "model.onnx"), input_names=["ids"],
                      output_names=["logits"], dynamic_axes=axes, opset_version=14)
    write_safetensors(os.path.join(folder, "pytorch.safetensors"), {"logits": model(ids)})


if __name__ == "__main__":
    arguments = sys.argv[1:]
    if len(arguments) == 2 and arguments[0] == "loss":
        loss(arguments[1])
    elif len(arguments) == 3 and arguments[0] == "train" and arguments[2].isdigit():
        train(arguments[1], int(arguments[2]))
    elif len(arguments) == 2 and arguments[0] == "onnx":
        onnx(arguments[1])
    else:
        sys.exit(__doc__)
