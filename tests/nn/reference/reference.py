"""Shared by the make_TOPIC.py beside it: short random numbers, and a writer of safetensors.

Each make_TOPIC.py writes TOPIC.safetensors beside itself, if it is run without arguments:

    /usr/bin/python3 make_losses.py          # Debian's python3-torch, PyTorch 1.13

The files are frozen and kept in the repository; nothing at build or test time needs Python or
PyTorch. On another processor PyTorch may round sums differently: results of recurrent and
transformer layers then differ from the files by up to 5e-15. Git cannot show such a difference;
read() of tests/nn/files/safetensors_files.py returns the numbers of a file.
"""
import json
import os

import torch

TYPES = {"F64": torch.float64, "F32": torch.float32, "F16": torch.float16, "BF16": torch.bfloat16}
tensors = {}  # of the topic, by name


def drawn(*shape, width=1.0):
    return torch.round(torch.randn(*shape) * width * 64) / 64


def write(name, tensor):
    assert name not in tensors, name
    tensors[name] = tensor.detach().double().clone()  # gradients are overwritten later


def write_with_gradients(name, inputs):
    for part, tensor in inputs.items():
        write(name + ": " + part, tensor)
        write(name + ": grad " + part, tensor.grad)


def fill(name, module):
    """Gives the module random parameters, and writes its state."""
    for parameter in module.parameters():
        parameter.data = drawn(*parameter.shape, width=0.5)
    for part, tensor in module.state_dict().items():
        write(name + ": state " + part, tensor)


def save(topic, **metadata):
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), topic + ".safetensors")
    write_safetensors(path, tensors, "F64", torch=torch.__version__, **metadata)


def write_safetensors(path, tensors, dtype, **metadata):
    """Integers are written as I64, all others as `dtype`."""
    header, data = {"__metadata__": metadata} if metadata else {}, b""
    for name, tensor in tensors.items():
        is_integer = tensor.dtype == torch.int64
        stored = (tensor if is_integer else tensor.to(TYPES[dtype])).contiguous()
        raw = stored.view(torch.int16) if stored.dtype == torch.bfloat16 else stored
        numbers = raw.numpy().tobytes()
        header[name] = {"dtype": "I64" if is_integer else dtype, "shape": list(tensor.shape),
                        "data_offsets": [len(data), len(data) + len(numbers)]}
        data += numbers
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as out:
        out.write(len(text).to_bytes(8, "little") + text + data)
