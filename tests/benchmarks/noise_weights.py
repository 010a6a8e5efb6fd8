"""The weights that fill_with_noise() in models.cpp gives a model, drawn in the model's order."""

import math

import numpy as np

import peer


class NoiseWeights:
    def __init__(self):
        self.seed = 0

    def noise(self, shape, scale):
        self.seed += 1
        count = math.prod(shape)
        numbers = np.empty(count, "f4")
        for first in range(0, count, 1 << 20):  # in parts, for less memory
            i = np.arange(first, min(first + (1 << 20), count))
            numbers[i] = peer.noise(i, self.seed, scale)
        return numbers.reshape(shape)

    def matrix(self, rows, columns):
        return self.noise((rows, columns), 1 / math.sqrt(columns))

    def bias(self, n):
        return self.noise((n,), 0.1)

    def factor(self, n):
        return self.noise((n,), 0.1) + np.float32(1)
