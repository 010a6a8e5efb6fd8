"""Writes recurrent.safetensors: GRU and LSTM and their gradients as PyTorch computes them.

Texts of different lengths are packed, as PyTorch has it.
"""
import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from reference import drawn, fill, save, write, write_with_gradients

torch.manual_seed(2014)
torch.set_default_dtype(torch.float64)


def write_cell(name, cell, state_names):
    """One step on x [2, 3] with states [2, 4]."""
    fill(name, cell)
    inputs = {"x": drawn(2, 3), **{part: drawn(2, 4) for part in state_names}}
    x, *states = [tensor.requires_grad_() for tensor in inputs.values()]
    result = cell(x, states[0] if len(states) == 1 else tuple(states))
    write_results(name, cell, inputs, result if isinstance(result, tuple) else (result,), state_names)


def write_layer(name, layer, state_names, lengths=None, begin=False):
    """X [3, 5, 3]; states only if it begins with some."""
    fill(name, layer)
    inputs = {"X": drawn(3, 5, 3)}
    if begin:
        count = layer.num_layers * (2 if layer.bidirectional else 1)
        inputs.update({part: drawn(count, 3, 4) for part in state_names})
    X, *states = [tensor.requires_grad_() for tensor in inputs.values()]
    first = None if not states else states[0] if len(states) == 1 else tuple(states)
    if lengths:
        packed = pack_padded_sequence(X, lengths, batch_first=True, enforce_sorted=False)
        output, last = layer(packed, first)
        output = pad_packed_sequence(output, batch_first=True, total_length=5)[0]
    else:
        output, last = layer(X, first)
    results = (output,) + (last if isinstance(last, tuple) else (last,))
    write_results(name, layer, inputs, results, ("output",) + state_names)


def write_results(name, module, inputs, results, result_names):
    upstreams = [drawn(*result.shape) for result in results]
    torch.autograd.backward(results, upstreams)
    write_with_gradients(name, inputs)
    for part, result, upstream in zip(result_names, results, upstreams):
        write(name + ": upstream of " + part, upstream)
        write(name + ": new " + part, result)
    for part, parameter in module.named_parameters():
        write(name + ": grad state " + part, parameter.grad)


H, HC = ("h",), ("h", "c")
write_cell("GRU cell", nn.GRUCell(3, 4), H)
write_cell("GRU cell without bias", nn.GRUCell(3, 4, bias=False), H)
write_cell("LSTM cell", nn.LSTMCell(3, 4), HC)
write_cell("LSTM cell without bias", nn.LSTMCell(3, 4, bias=False), HC)
for kind, layer, states in (("GRU", nn.GRU, H), ("LSTM", nn.LSTM, HC)):
    write_layer(kind, layer(3, 4, batch_first=True), states)
    write_layer(kind + ", two layers, begun", layer(3, 4, num_layers=2, batch_first=True), states,
                begin=True)
    write_layer(kind + ", both ways, lengths",
                layer(3, 4, num_layers=2, bidirectional=True, batch_first=True), states,
                lengths=[2, 5, 3], begin=True)
    write_layer(kind + ", without bias", layer(3, 4, bias=False, batch_first=True), states,
                lengths=[5, 1, 4])

save("recurrent")
