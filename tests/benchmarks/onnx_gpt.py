"""Writes the forward pass of a GPT of models.cpp as an ONNX graph, with the same weights:

    onnx_gpt.py S plain FILE    in standard operators
    onnx_gpt.py S fused FILE    with ONNX Runtime's own: Attention, BiasGelu, SkipLayerNormalization
"""

import math
import sys

import numpy as np

from gpt_sizes import SIZES
from noise_weights import NoiseWeights
from onnx_file import FLOAT, INT64, Graph

OWN = "com.microsoft"


class Block:
    """Weights in GptBlock's order. MatMul takes them transposed, and W_Q, W_K, W_V as one."""

    def __init__(self, graph, weights, d_model):
        self.norm_1 = norm(graph, weights, d_model)
        each = [(weights.matrix(d_model, d_model), weights.bias(d_model)) for _ in range(3)]
        self.in_proj = (graph.constant(np.concatenate([W.T for W, _ in each], 1)),
                        graph.constant(np.concatenate([b for _, b in each])))
        self.out_proj = linear(graph, weights, d_model, d_model)
        self.norm_2 = norm(graph, weights, d_model)
        self.up = linear(graph, weights, d_model, 4 * d_model)
        self.down = linear(graph, weights, 4 * d_model, d_model)


def norm(graph, weights, n):
    return graph.constant(weights.factor(n)), graph.constant(weights.bias(n))


def linear(graph, weights, n_in, n_out):
    W, b = weights.matrix(n_out, n_in), weights.bias(n_out)
    return graph.constant(np.ascontiguousarray(W.T)), graph.constant(b)


def normalized(graph, x, parameters):
    return graph.node("LayerNormalization", x, *parameters, axis=-1, epsilon=1e-5)


def multiplied(graph, x, parameters):
    return graph.node("Add", graph.node("MatMul", x, parameters[0]), parameters[1])


class Plain:
    def __init__(self, graph, T, heads, d_model):
        d_k = d_model // heads
        self.graph, self.d_model = graph, d_model
        self.split = graph.constant(np.array([0, 0, heads, d_k]))
        self.joined = graph.constant(np.array([0, 0, d_model]))
        self.blocked = graph.constant(np.triu(np.full((T, T), -1e30, "f4"), 1)[None, None])
        self.root_d_k = graph.constant(np.float32(math.sqrt(d_k)))
        self.root_2 = graph.constant(np.float32(math.sqrt(2)))
        self.one, self.half = graph.constant(np.float32(1)), graph.constant(np.float32(0.5))

    def heads_of(self, x):
        return self.graph.node("Transpose", self.graph.node("Reshape", x, self.split),
                               perm=[0, 2, 1, 3])

    def attention(self, x, block):
        node = self.graph.node
        QKV = node("Split", multiplied(self.graph, x, block.in_proj), axis=2, outputs=3)
        Q, K, V = [self.heads_of(each) for each in QKV]
        scores = node("Div", node("MatMul", Q, node("Transpose", K, perm=[0, 1, 3, 2])),
                      self.root_d_k)
        weights = node("Softmax", node("Add", scores, self.blocked), axis=-1)
        y = node("Transpose", node("MatMul", weights, V), perm=[0, 2, 1, 3])
        return multiplied(self.graph, node("Reshape", y, self.joined), block.out_proj)

    def gelu(self, x):
        node = self.graph.node
        erf = node("Erf", node("Div", x, self.root_2))
        return node("Mul", node("Mul", x, node("Add", erf, self.one)), self.half)

    def output(self, x, blocks, last_norm):
        graph = self.graph
        for block in blocks:
            y = self.attention(normalized(graph, x, block.norm_1), block)
            x = graph.node("Add", x, y)
            hidden = self.gelu(multiplied(graph, normalized(graph, x, block.norm_2), block.up))
            x = graph.node("Add", x, multiplied(graph, hidden, block.down))
        return normalized(graph, x, last_norm)


class Fused:
    def __init__(self, graph, T, heads, d_model):
        self.graph, self.heads = graph, heads

    def added_and_normalized(self, y, bias, x, parameters):
        """x + y + bias, normalized and as it is."""
        outputs = self.graph.node("SkipLayerNormalization", y, x, *parameters, bias, domain=OWN,
                                  outputs=4, epsilon=1e-5)
        return outputs[0], outputs[3]

    def output(self, x, blocks, last_norm):
        node = self.graph.node
        norms = [block.norm_1 for block in blocks[1:]] + [last_norm]
        y = normalized(self.graph, x, blocks[0].norm_1)
        for block, next_norm in zip(blocks, norms):
            a = node("Attention", y, *block.in_proj, domain=OWN, num_heads=self.heads,
                     unidirectional=1)
            W, b = block.out_proj
            y, x = self.added_and_normalized(node("MatMul", a, W), b, x, block.norm_2)
            hidden = node("BiasGelu", node("MatMul", y, block.up[0]), block.up[1], domain=OWN)
            W, b = block.down
            y, x = self.added_and_normalized(node("MatMul", hidden, W), b, x, next_norm)
        return y


def write(name, style, file):
    vocabulary, T, B, layers, heads, d_model = SIZES[name]
    graph, weights = Graph(), NoiseWeights()
    ids = graph.input("ids", INT64, (B, T))
    table = graph.constant(weights.matrix(vocabulary, d_model))
    positions = graph.constant(weights.matrix(T, d_model)[None])
    blocks = [Block(graph, weights, d_model) for _ in range(layers)]
    last_norm = norm(graph, weights, d_model)
    x = graph.node("Add", graph.node("Gather", table, ids), positions)
    model = {"plain": Plain, "fused": Fused}[style](graph, T, heads, d_model)
    y = model.output(x, blocks, last_norm)
    logits = graph.node("MatMul", y, graph.node("Transpose", table, perm=[1, 0]))
    graph.output(logits, FLOAT, (B, T, vocabulary))
    graph.write(file)


if __name__ == "__main__":
    write(*sys.argv[1:])
