"""Prints the errors of long sums in PyTorch, for the table in autograd/README.md, which `heed_tests
"[.accuracy]"` prints for heed: the same sums of the same kinds of numbers, in float."""
import numpy
import torch
import torch.nn.functional as F

exact = numpy.longdouble


def draw(n, kind):
    random = numpy.random.default_rng(7)
    x = random.normal(size=n) if kind == "mixed" else random.random(n)
    if kind == "constant":
        x = numpy.full(n, 0.1)
    if kind == "sorted":
        x = numpy.sort(x)
    if kind == "one huge":
        x[n // 3] = n
    return x.astype(numpy.float32)


def error(terms, result):
    """The error of a result in the size of what was added to it."""
    terms = numpy.asarray(terms, exact)
    return float(abs(exact(float(result)) - terms.sum()) / abs(terms).sum())


def gradient(y, x, upstream):
    return torch.autograd.grad(y, x, upstream)[0]


def zeros(*shape):
    return torch.zeros(*shape, requires_grad=True)


def errors(x):
    """Pairs of a row's name and its error, for the numbers x."""
    n, X, e = len(x), torch.from_numpy(x), x.astype(exact)
    other = torch.from_numpy(numpy.random.default_rng(8).random(n).astype(numpy.float32))
    y = other.numpy().astype(exact)
    column, zero = X[:, None], torch.zeros(n, dtype=torch.long)
    mu = e.mean()
    yield "sum", error(e, X.sum())
    yield "sum of columns", error(e, column.expand(n, 3).sum(0)[1])
    pairs = X.view(n // 2, 1, 2).expand(n // 2, 3, 2)
    yield "sum over two axes", error(e, pairs.sum((0, 2))[1])
    yield "mean", error(e / n, X.mean())
    size = (e * e / n).sum()
    yield "variance", float(abs(exact(X.var(0, unbiased=False).item()) - ((e - mu) ** 2).mean()) / size)
    share = numpy.exp(e - e.max())
    weight = F.softmax(X, 0)[n // 2].item()
    if weight > 1e-38:
        yield "softmax", error([share[n // 2] / share.sum()], weight)
    yield "logsumexp", error([e.max() + numpy.log(share.sum())], X.logsumexp(0))
    logits = torch.stack([X, torch.zeros(n)], 1)
    yield "cross-entropy, mean over rows", error(numpy.log1p(numpy.exp(-e)) / n,
                                                 F.cross_entropy(logits, zero))
    if x.min() < x.max():
        sigma = numpy.sqrt(((e - mu) ** 2).mean() + exact(1e-5))
        normed = F.layer_norm(X, (n,))[-1].item()
        yield "layer norm", float(abs(exact(normed) - (e[-1] - mu) / sigma) / (numpy.sqrt(size) / sigma))
    norm = torch.nn.LayerNorm(2)
    rows = torch.stack([X, -X], 1)
    yield "layer norm, gradient of its weight", error(
        e / numpy.sqrt(e * e + exact(1e-5)), gradient(norm(rows), norm.weight, torch.ones(n, 2))[0])
    weight = zeros(n)
    (weight * X).sum().backward()
    yield "norm of all gradients", error([numpy.sqrt((e * e).sum())],
                                         torch.nn.utils.clip_grad_norm_([weight], 1e30))
    yield "running sum", error(e, X.cumsum(0)[-1])
    bias = zeros(3)
    yield "gradient of a bias", error(e, gradient(zeros(n, 3) + bias, bias, column.expand(n, 3))[2])
    table = zeros(3, 2)
    yield "gradient of an embedding", error(
        e, gradient(F.embedding(zero + 1, table), table, column.expand(n, 2))[1, 1])
    table = zeros(3)
    yield "gradient of gather", error(e, gradient(table.gather(0, zero + 2), table, X)[2])
    yield "dot product", error(e * y, X @ other)
    yield "matrix product", error(e * y, (X.expand(40, n) @ other[:, None].expand(n, 40))[17, 33])
    linear = torch.nn.Linear(2, 3)
    G = other[:, None].expand(n, 3)
    yield "gradient of a weight", error(
        e * y, gradient(linear(column.expand(n, 2)), linear.weight, G)[2, 1])
    scores = zeros(1, 1) @ torch.zeros(n, 1).T
    yield "attention, over keys", error(e / n, F.softmax(scores, -1) @ column)
    V = torch.ones(1, 1, requires_grad=True)
    output = F.softmax(torch.zeros(n, 1) @ torch.zeros(1, 1).T, -1) @ V
    yield "attention, over queries", error(e, gradient(output, V, column))


worst = {}
lengths = (10, 1000, 100000, 1000000, 10000000)
for n in lengths:
    for kind in ("constant", "positive", "mixed", "sorted", "one huge"):
        for name, size in errors(draw(n, kind)):
            worst[name, n] = max(worst.get((name, n), 0), size)
for name in dict.fromkeys(name for name, _ in worst):
    print(f"{name:36}", *(f"{worst[name, n]:8.1e}" for n in lengths))
