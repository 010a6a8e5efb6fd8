"""The PyTorch twins of heed_models.cpp: the notes' classifiers and an encoder with a decoder from
torch.nn's transformer layers, and generation with keys and values kept."""

import math

import torch
import torch.nn as nn
import torch.nn.functional as F

import torch_gpt
from peer_torch import causal, noise, noise_ids

# vocabulary, T, B, layers, heads, d_model, classes
SIZES = {"tiny": (65, 16, 4, 2, 2, 32, 3),
         "lesson_16": (100, 16, 32, 2, 2, 32, 14), "lesson_18": (100, 16, 32, 1, 4, 64, 3),
         "base": (5000, 64, 32, 4, 4, 256, 3)}


def padding(B, T):
    """True where a text has ended: every other is half as long."""
    lengths = torch.tensor([T if b % 2 == 0 else T // 2 for b in range(B)])
    return torch.arange(T)[None, :] >= lengths[:, None]


def linear_parts(*layers):
    for layer in layers:
        yield layer.weight, False
        yield layer.bias, False


def norm_parts(*norms):
    for norm in norms:
        yield norm.weight, True
        yield norm.bias, False


def attention_parts(layer):
    """Queries', keys' and values' projections share a matrix here."""
    weights, biases = layer.in_proj_weight.data, layer.in_proj_bias.data
    for weight, bias in zip(weights.chunk(3), biases.chunk(3)):
        yield weight, False
        yield bias, False
    yield from linear_parts(layer.out_proj)


def layer_parts(layer):
    yield from attention_parts(layer.self_attn)
    if hasattr(layer, "multihead_attn"):
        yield from attention_parts(layer.multihead_attn)
    yield from linear_parts(layer.linear1, layer.linear2)
    yield from norm_parts(layer.norm1, layer.norm2)
    if hasattr(layer, "norm3"):
        yield from norm_parts(layer.norm3)


def stack_parts(stack):
    for layer in stack.layers:
        yield from layer_parts(layer)
    if stack.norm is not None:
        yield from norm_parts(stack.norm)


def encoder(layers, heads, d_model, activation, norm_first):
    layer = nn.TransformerEncoderLayer(d_model, heads, 4 * d_model, dropout=0.0, batch_first=True,
                                       activation=activation, norm_first=norm_first)
    norm = nn.LayerNorm(d_model) if norm_first else None
    return nn.TransformerEncoder(layer, layers, norm)


class Note002(nn.Module):
    def __init__(self, vocabulary, T, layers, heads, d_model, classes):
        super().__init__()
        self.tokens = nn.Embedding(vocabulary, d_model)
        self.positions = nn.Embedding(T, d_model)
        self.norm = nn.LayerNorm(d_model, eps=1e-12)
        self.layers = encoder(layers, heads, d_model, "gelu", True)
        self.to_classes = nn.Linear(d_model, classes)
        self.register_buffer("places", torch.arange(T))

    def parts(self):
        yield self.tokens.weight, False
        yield self.positions.weight, False
        yield from norm_parts(self.norm)
        yield from stack_parts(self.layers)
        yield from linear_parts(self.to_classes)

    def forward(self, ids, blocked):
        x = self.norm(self.tokens(ids) + self.positions(self.places))
        return self.to_classes(self.layers(x, src_key_padding_mask=blocked)[:, 0])


class Note004(nn.Module):
    def __init__(self, vocabulary, T, layers, heads, d_model, classes):
        super().__init__()
        self.tokens = nn.Embedding(vocabulary, d_model)
        self.positions = nn.Embedding(T, d_model)
        self.layers = encoder(layers, heads, d_model, "relu", False)
        self.to_classes = nn.Linear(d_model, classes)
        self.register_buffer("places", torch.arange(T))

    def parts(self):
        yield self.tokens.weight, False
        yield self.positions.weight, False
        yield from stack_parts(self.layers)
        yield from linear_parts(self.to_classes)

    def forward(self, ids, blocked):
        x = self.tokens(ids) + self.positions(self.places)
        x = self.layers(x, src_key_padding_mask=blocked)
        real = (~blocked).float()[:, :, None]
        mean = (x * real).sum(1) / real.sum(1)
        return F.log_softmax(self.to_classes(mean), -1)


def training_step(model, parts, loss_of, gradients):
    """Also returns gradients(), those of the first and the last parameter."""
    torch_gpt.fill(parts)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)

    def run():
        optimizer.zero_grad(set_to_none=True)
        loss = loss_of()
        loss.backward()
        optimizer.step()
        return [loss.detach()] + gradients()

    return run


def classifier_step(kind, name):
    vocabulary, T, B, layers, heads, d_model, classes = SIZES[name]
    model = kind(vocabulary, T, layers, heads, d_model, classes)
    ids, labels = noise_ids((B, T), 1, vocabulary), noise_ids((B,), 2, classes)
    blocked = padding(B, T)
    return training_step(model, model.parts(), lambda: F.cross_entropy(model(ids, blocked), labels),
                         lambda: [model.tokens.weight.grad, model.to_classes.bias.grad])


def transformer_step(name):
    _, T, B, layers, heads, d_model, _ = SIZES[name]
    model = nn.Transformer(d_model, heads, layers, layers, 4 * d_model, dropout=0.0,
                           batch_first=True)
    X, Y, target = [noise((B, T, d_model), seed) for seed in (1001, 1002, 1003)]
    masks = dict(tgt_mask=causal(T), src_key_padding_mask=padding(B, T),
                 memory_key_padding_mask=padding(B, T))

    def parts():
        yield from stack_parts(model.encoder)
        yield from stack_parts(model.decoder)

    first, last = model.encoder.layers[0].self_attn.in_proj_weight, model.decoder.norm.bias
    return training_step(model, parts(), lambda: F.mse_loss(model(X, Y, **masks), target),
                         lambda: [first.grad[:d_model], last.grad])


class Kept:
    """The keys and values of a block so far, each in a buffer with room for all."""

    def __init__(self, heads, T, d_head):
        self.K, self.V = torch.empty(1, heads, T, d_head), torch.empty(1, heads, T, d_head)
        self.length = 0

    def append(self, K, V):
        end = self.length + K.size(2)
        self.K[:, :, self.length : end] = K
        self.V[:, :, self.length : end] = V
        self.length = end
        return self.K[:, :, :end], self.V[:, :, :end]


def attend_from(block, x, kept):
    B, T, d_model = x.shape
    split = lambda y: y.view(B, T, block.heads, d_model // block.heads).transpose(1, 2)
    Q, K, V = [split(y) for y in block.in_proj(x).split(d_model, dim=2)]
    blocked = causal(T) if T > 1 else None  # tokens of the prompt, which come first
    K, V = kept.append(K, V)
    scores = Q @ K.transpose(-2, -1) * (1 / math.sqrt(K.size(-1)))
    if blocked is not None:
        scores = scores.masked_fill(blocked, -math.inf)
    y = F.softmax(scores, dim=-1) @ V
    return block.out_proj(y.transpose(1, 2).reshape(B, T, d_model))


def read(model, ids, kept):
    first = kept[0].length
    x = model.tokens(ids) + model.positions(model.places[first : first + ids.size(1)])
    for block, its_kept in zip(model.blocks, kept):
        x = x + attend_from(block, block.norm_1(x), its_kept)
        x = x + block.down(F.gelu(block.up(block.norm_2(x))))
    return F.linear(model.norm(x[:, -1]), model.tokens.weight)


def generation(name, new_tokens):
    vocabulary, T, _, _, heads, d_model = torch_gpt.SIZES[name]
    model = torch_gpt.filled(name)
    prompt = noise_ids((1, 8), 1, vocabulary)

    def run():
        with torch.inference_mode():
            kept = [Kept(heads, T, d_model // heads) for _ in model.blocks]
            said, ids = [], prompt
            for _ in range(new_tokens):
                ids = read(model, ids, kept).argmax(-1, keepdim=True)
                said.append(ids.item())
            return [torch.tensor(said).float()]

    return run
