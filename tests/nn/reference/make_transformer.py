"""Writes transformer.safetensors: transformer layers and their gradients as PyTorch computes them.

The layers are in training mode with dropout 0, for in evaluation PyTorch takes another path. Of a
module's parameters all gradients are written, under "grad ".
"""
import torch
from torch import nn

from reference import drawn, fill, save, write, write_with_gradients

torch.manual_seed(2018)
torch.set_default_dtype(torch.float64)

SIZES = dict(d_model=6, nhead=2, dim_feedforward=8)


def causal_blocked(T):
    return torch.ones(T, T, dtype=torch.bool).triu(1)


def padding_blocked(lengths, T):
    return torch.arange(T)[None, :] >= torch.tensor(lengths)[:, None]


def write_module(name, module, inputs, **masks):
    fill(name, module)
    inputs = {part: tensor.requires_grad_() for part, tensor in inputs.items()}
    output = module(*inputs.values(), **masks)
    upstream = drawn(*output.shape)
    output.backward(upstream)
    write_with_gradients(name, inputs)
    write(name + ": upstream", upstream)
    write(name + ": output", output)
    for part, parameter in module.named_parameters():
        write(name + ": grad state " + part, parameter.grad)


def encoder_layer(activation, norm_first):
    return nn.TransformerEncoderLayer(**SIZES, dropout=0.0, activation=activation,
                                      batch_first=True, norm_first=norm_first)


def decoder_layer(activation, norm_first):
    return nn.TransformerDecoderLayer(**SIZES, dropout=0.0, activation=activation,
                                      batch_first=True, norm_first=norm_first)


X = lambda: drawn(2, 4, 6)  # noqa: E731
Y = lambda: drawn(2, 3, 6)  # noqa: E731
lengths_X = padding_blocked([4, 2], 4)

write_module("encoder layer, after, relu", encoder_layer("relu", False), {"X": X()})
write_module("encoder layer, before, gelu, padding", encoder_layer("gelu", True), {"X": X()},
             src_key_padding_mask=lengths_X)
write_module("encoder layer, after, gelu, causal and padding", encoder_layer("gelu", False),
             {"X": X()}, src_mask=causal_blocked(4), src_key_padding_mask=lengths_X)
write_module("encoder layer, before, relu", encoder_layer("relu", True), {"X": X()})
write_module("decoder layer, after, relu", decoder_layer("relu", False), {"Y": Y(), "X": X()},
             tgt_mask=causal_blocked(3))
write_module("decoder layer, before, gelu, padding", decoder_layer("gelu", True),
             {"Y": Y(), "X": X()}, tgt_mask=causal_blocked(3), memory_key_padding_mask=lengths_X)
write_module("encoder, after", nn.TransformerEncoder(encoder_layer("relu", False), 2), {"X": X()},
             src_key_padding_mask=lengths_X)
write_module("encoder, before, norm",
             nn.TransformerEncoder(encoder_layer("gelu", True), 2, nn.LayerNorm(6)), {"X": X()})
write_module("decoder, before, norm",
             nn.TransformerDecoder(decoder_layer("relu", True), 2, nn.LayerNorm(6)),
             {"Y": Y(), "X": X()}, tgt_mask=causal_blocked(3), memory_key_padding_mask=lengths_X)
write_module("transformer, after, relu",
             nn.Transformer(d_model=6, nhead=2, num_encoder_layers=2, num_decoder_layers=1,
                            dim_feedforward=8, dropout=0.0, batch_first=True),
             {"X": X(), "Y": Y()}, tgt_mask=causal_blocked(3), src_key_padding_mask=lengths_X,
             memory_key_padding_mask=lengths_X)

save("transformer")
