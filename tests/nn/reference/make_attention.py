"""Writes attention.safetensors: attention and all its gradients as PyTorch computes them.

Inputs and parameters are multiples of 1/64: exact in float too, and short to write. Upstream
gradients are random. A boolean mask of nn.MultiheadAttention is true where a query may NOT attend;
in the names below "lengths 4, 2" means that the keys after the first four, or two, are padding.
"""
import math

import torch

from reference import drawn, save, write

torch.manual_seed(2017)
torch.set_default_dtype(torch.float64)


def leaf(tensor):
    return tensor.clone().requires_grad_()


def causal_blocked(T_q, T_k):
    """True where query i may not attend: j > i + (T_k - T_q)."""
    return torch.ones(T_q, T_k, dtype=torch.bool).triu(1 + T_k - T_q)


def padding_blocked(lengths, T):
    """True at the keys after each sequence's length, [B, T]."""
    return torch.arange(T)[None, :] >= torch.tensor(lengths)[:, None]


def scaled_dot_product(name, leading, T_q, T_k, d_k, d_v, blocked=None):
    """Equation 1 in PyTorch's operations."""
    Q = leaf(drawn(*leading, T_q, d_k))
    K = leaf(drawn(*leading, T_k, d_k))
    V = leaf(drawn(*leading, T_k, d_v))
    scores = Q @ K.transpose(-2, -1) / math.sqrt(d_k)
    if blocked is not None:
        scores = scores.masked_fill(blocked, -math.inf)
    weights = torch.softmax(scores, -1)
    output = weights @ V
    G = drawn(*output.shape)
    output.backward(G)
    for part, tensor in [("Q", Q), ("K", K), ("V", V), ("upstream", G), ("output", output),
                         ("weights", weights), ("grad Q", Q.grad), ("grad K", K.grad),
                         ("grad V", V.grad)]:
        write(name + ": " + part, tensor)


def make_layer(d_model, heads, **options):
    layer = torch.nn.MultiheadAttention(d_model, heads, dropout=0.0, batch_first=True, **options)
    for parameter in layer.parameters():
        parameter.data = drawn(*parameter.shape, width=0.5)
    return layer


def write_layer(name, layer):
    for part, tensor in layer.state_dict().items():
        write(name + ": " + part, tensor)


def multi_head(name, layer, query, key, value, upstream, attn_mask=None, key_padding_mask=None,
               inputs=False):
    """One call. `key` and `value` None: self-attention, whose three gradients are summed."""
    layer.zero_grad()
    query = leaf(query)
    key = query if key is None else leaf(key)
    value = key if value is None else leaf(value)
    output, weights = layer(query, key, value, attn_mask=attn_mask, need_weights=True,
                            key_padding_mask=key_padding_mask, average_attn_weights=False)
    output.backward(upstream)
    sources = [("query", query)]
    if key is not query:
        sources.append(("key", key))
    if value is not key:
        sources.append(("value", value))
    if inputs:
        for part, tensor in sources:
            write(name + ": " + part, tensor)
        write(name + ": upstream", upstream)
    write(name + ": output", output)
    write(name + ": weights", weights)
    for part, tensor in sources:
        write(name + ": grad " + part, tensor.grad)
    for part, parameter in layer.named_parameters():
        write(name + ": grad " + part, parameter.grad)


scaled_dot_product("unmasked", [], 4, 4, 3, 3)
scaled_dot_product("causal", [], 5, 5, 3, 2, causal_blocked(5, 5))
scaled_dot_product("causal, 3 queries and 5 keys", [], 3, 5, 4, 2, causal_blocked(3, 5))
scaled_dot_product("padding, lengths 4, 2", [2, 1], 3, 5, 2, 3,
                   padding_blocked([4, 2], 5)[:, None, None, :])
scaled_dot_product("more queries than keys", [], 5, 3, 2, 4)
scaled_dot_product("two leading axes", [2, 3], 3, 4, 2, 3)

B, T, d_model, heads = 2, 5, 6, 3
layer = make_layer(d_model, heads)
X, G = drawn(B, T, d_model), drawn(B, T, d_model)
write_layer("self", layer)
write("self: query", X)
write("self: upstream", G)
multi_head("self", layer, X, None, None, G)
multi_head("self, causal", layer, X, None, None, G, attn_mask=causal_blocked(T, T))
multi_head("self, lengths 5, 3", layer, X, None, None, G,
           key_padding_mask=padding_blocked([5, 3], T))
multi_head("self, causal and lengths 5, 3", layer, X, None, None, G,
           attn_mask=causal_blocked(T, T), key_padding_mask=padding_blocked([5, 3], T))
# One sequence, without a batch axis.
multi_head("self, unbatched", layer, drawn(4, d_model), None, None, drawn(4, d_model), inputs=True)

layer = make_layer(d_model, 2)
write_layer("cross", layer)
multi_head("cross", layer, drawn(B, 3, d_model), drawn(B, 4, d_model), drawn(B, 4, d_model),
           drawn(B, 3, d_model), inputs=True)

layer = make_layer(4, 2, kdim=3, vdim=5)
write_layer("other sizes", layer)
multi_head("other sizes", layer, drawn(B, 3, 4), drawn(B, 5, 3), drawn(B, 5, 5), drawn(B, 3, 4),
           key_padding_mask=padding_blocked([3, 5], 5), inputs=True)

layer = make_layer(4, 2, bias=False)
write_layer("no bias", layer)
multi_head("no bias", layer, drawn(B, 4, 4), None, None, drawn(B, 4, 4),
           attn_mask=causal_blocked(4, 4), inputs=True)

save("attention")
