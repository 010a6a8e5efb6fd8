"""Writes losses.safetensors: losses with their options, and gradients, as PyTorch computes them.

The numbers of a case: its inputs, "loss", and the gradient of each input for the upstream gradient
"upstream". Class ids are written in the test, too, which cannot read them from here.
"""
import torch
from torch.nn import functional as F

from reference import drawn, save, write, write_with_gradients

torch.manual_seed(2019)
torch.set_default_dtype(torch.float64)

IDS = torch.tensor([2, 0, -100, 1, 2])  # the third is ignored
WEIGHTS = torch.tensor([0.5, 2.0, 1.25])


def case(name, function, **inputs):
    inputs = {part: tensor.clone().requires_grad_() for part, tensor in inputs.items()}
    loss = function(**inputs)
    upstream = drawn(max(loss.numel(), 1)).reshape(loss.shape)
    loss.backward(upstream)
    write_with_gradients(name, inputs)
    write(name + ": upstream", upstream)
    write(name + ": loss", loss)


def probabilities(*shape):
    return torch.softmax(drawn(*shape), -1)


for reduction in ("mean", "sum", "none"):
    case("cross entropy, weights, " + reduction,
         lambda x: F.cross_entropy(x, IDS, weight=WEIGHTS, reduction=reduction), x=drawn(5, 3))
    case("cross entropy, weights, smoothing, " + reduction,
         lambda x: F.cross_entropy(x, IDS, weight=WEIGHTS, label_smoothing=0.2,
                                   reduction=reduction), x=drawn(5, 3))
    case("soft targets, " + reduction,
         lambda x, p: F.cross_entropy(x, p, reduction=reduction),
         x=drawn(4, 3), p=probabilities(4, 3))
    case("soft targets, weights, smoothing, " + reduction,
         lambda x, p: F.cross_entropy(x, p, weight=WEIGHTS, label_smoothing=0.2,
                                      reduction=reduction),
         x=drawn(4, 3), p=probabilities(4, 3))
    case("nll, weights, " + reduction,
         lambda x: F.nll_loss(F.log_softmax(x, -1), IDS, weight=WEIGHTS, reduction=reduction),
         x=drawn(5, 3))
    case("binary, " + reduction,
         lambda x, p: F.binary_cross_entropy_with_logits(x, p, reduction=reduction),
         x=drawn(2, 4, width=3.0), p=probabilities(2, 4))
case("soft targets on axis 1",
     lambda x, p: F.cross_entropy(x, p.transpose(1, 2), reduction="none"),
     x=drawn(2, 3, 4), p=probabilities(2, 4, 3))

save("losses")
