"""The works in PyTorch, eager and in the usual style, with attention weights written out."""

import math

import peer

import torch
import torch.nn.functional as F


def noise(shape, seed, scale=1.0, requires_grad=False):
    i = torch.arange(math.prod(shape), dtype=torch.int64)
    x = peer.noise(i, seed, scale).float().reshape(shape)
    return x.requires_grad_(requires_grad)


def noise_ids(shape, seed, below):
    i = torch.arange(math.prod(shape), dtype=torch.int64)
    return (peer.mixed(i, seed) % below).reshape(shape)


def product(form, batch, m, n, k):
    a_shape, b_shape = (m, k), (k, n)
    A = noise(batch + (a_shape if form[0] == "n" else a_shape[::-1]), 1)
    B = noise(batch + (b_shape if form[1] == "n" else b_shape[::-1]), 2)
    A = A if form[0] == "n" else A.transpose(-1, -2)
    B = B if form[1] == "n" else B.transpose(-1, -2)
    multiply = torch.bmm if batch else torch.matmul
    return lambda: [multiply(A, B)]


def forward_and_backward(f, inputs, upstream):
    """f is called with inputs[0]; all inputs get gradients."""

    def run():
        for x in inputs:
            x.grad = None
        y = f(inputs[0])
        y.backward(upstream)
        return [y.detach()] + [x.grad for x in inputs]

    return run


def written_out_attention(Q, K, V, blocked):
    scores = Q @ K.transpose(-2, -1) * (1 / math.sqrt(K.size(-1)))
    weights = F.softmax(scores.masked_fill(blocked, -math.inf), dim=-1)
    return weights @ V


def causal(T):
    return torch.ones(T, T, dtype=torch.bool).triu(1)


def attention(B, h, T, d):
    Q, K, V = [noise((B, h, T, d), seed, requires_grad=True) for seed in (1, 2, 3)]
    blocked = causal(T)
    f = lambda q: written_out_attention(q, K, V, blocked)
    return forward_and_backward(f, [Q, K, V], noise((B, h, T, d), 4))


def layer_norm(rows, n):
    weight = torch.ones(n, requires_grad=True)
    bias = torch.zeros(n, requires_grad=True)
    f = lambda x: F.layer_norm(x, (n,), weight, bias)
    inputs = [noise((rows, n), 1, requires_grad=True), weight, bias]
    return forward_and_backward(f, inputs, noise((rows, n), 2))


def linear(rows, n_in, n_out):
    weight = noise((n_out, n_in), 3, 0.05, requires_grad=True)
    bias = noise((n_out,), 4, requires_grad=True)
    f = lambda x: F.linear(x, weight, bias)
    inputs = [noise((rows, n_in), 1, requires_grad=True), weight, bias]
    return forward_and_backward(f, inputs, noise((rows, n_out), 2))


def entrywise(f, scale=1.0):
    def prepare(rows, n):
        x = noise((rows, n), 1, scale, requires_grad=True)
        return forward_and_backward(f, [x], noise((rows, n), 2))

    return prepare


def cross_entropy(rows, classes):
    targets = noise_ids((rows,), 2, classes)
    x = noise((rows, classes), 1, 4.0, requires_grad=True)
    return forward_and_backward(lambda x: F.cross_entropy(x, targets), [x], torch.tensor(1.0))


def chain(length):
    factor = noise((4,), 2, 0.01) + 1
    summand = noise((4,), 3, 0.01)

    def f(y):
        for _ in range(0, length, 2):
            y = y * factor + summand
        return y

    return forward_and_backward(f, [noise((4,), 1, requires_grad=True)], noise((4,), 4))


def small_network():
    layers = [torch.nn.Linear(2, 16), torch.nn.Linear(16, 16), torch.nn.Linear(16, 1)]
    network = torch.nn.Sequential(layers[0], torch.nn.ReLU(), layers[1], torch.nn.ReLU(), layers[2])
    with torch.no_grad():
        for seed, p in enumerate(network.parameters(), 1):
            p.copy_(noise(tuple(p.shape), seed, 0.5))
    optimizer = torch.optim.SGD(network.parameters(), lr=1e-4)
    x = torch.tensor([0.5, -0.25])

    def run():
        optimizer.zero_grad(set_to_none=True)
        error = network(x).squeeze() - 1
        loss = error * error
        loss.backward()
        optimizer.step()
        return [loss.detach()]

    return run


def of_recurrent(name):
    def prepare(*words):
        import torch_recurrent

        return getattr(torch_recurrent, name)(*words)

    return prepare


def of_models(function):
    def prepare(*words):
        import torch_models

        return function(torch_models, *words)

    return prepare


WORKS = {
    "product": lambda form, m, n, k: product(form, (), m, n, k),
    "batch": lambda form, count, m, n, k: product(form, (count,), m, n, k),
    "attention": attention,
    "layer_norm": layer_norm,
    "linear": linear,
    "softmax": entrywise(lambda x: F.softmax(x, dim=-1)),
    "gelu": entrywise(F.gelu, 3.0),
    "cross_entropy": cross_entropy,
    "chain": chain,
    "small_network": small_network,
    "gpt": of_models(lambda models, name: models.torch_gpt.step(name)),
    "forward": of_models(lambda models, name: models.torch_gpt.forward(name)),
    "adamw": of_models(lambda models, name: models.torch_gpt.adamw_step(name)),
    "note_002": of_models(lambda models, name: models.classifier_step(models.Note002, name)),
    "note_004": of_models(lambda models, name: models.classifier_step(models.Note004, name)),
    "transformer": of_models(lambda models, name: models.transformer_step(name)),
    "lstm": of_recurrent("lstm"),
    "gru": of_recurrent("gru"),
    "load": of_recurrent("loading"),
    "generate": of_models(lambda models, name, count: models.generation(name, count)),
}


def prepare(threads, words):
    torch.set_num_threads(threads)
    numbers = [int(word) if word.isdigit() else word for word in words[1:]]
    return WORKS[words[0]](*numbers)


def check_setting():
    """Refuses an OpenBLAS with its own threads beside OpenMP's: it is several times slower, and a
    comparison with it would be worthless."""
    with open("/proc/self/maps") as maps:
        if "openblas-pthread" in maps.read():
            raise RuntimeError("it uses the pthread OpenBLAS: apt-get install libopenblas0-openmp")


def prepare_fairly(threads, words):
    run = prepare(threads, words)
    torch.ones(8, 8) @ torch.ones(8, 8)
    check_setting()
    return run


if __name__ == "__main__":
    peer.serve(prepare_fairly, lambda results: [float(x.double().norm()) for x in results])
