"""States of the playground for tests, at random, and attention by plain loops to compare with."""
import math
import random
import struct

HEADS = (1, 2, 4)


def as_float(number):
    return struct.unpack("f", struct.pack("f", number))[0]


class State:
    """Matrices as lists of rows, and the text that the page's link would have."""

    def __init__(self, rng, T_q, T_k, d_k, d_v, heads):
        self.heads, self.scale = heads, rng.random() < 0.7
        self.temperature = rng.choice([1, 1, 0.5, 2.25, 10])
        written = {}
        for name, rows, columns in (("Q", T_q, d_k), ("K", T_k, d_k), ("V", T_k, d_v),
                                    ("G", T_q, d_v)):
            size = rng.choice([0.5, 2])
            texts = [[rng.choice(["%.3f", "%.2e", "%.0f"]) % rng.uniform(-size, size)
                      for _ in range(columns)] for _ in range(rows)]
            setattr(self, name, [[as_float(float(text)) for text in row] for row in texts])
            written[name] = ";".join(",".join(row) for row in texts)
        self.allowed = [[rng.random() < 0.7 for _ in range(T_k)] for _ in range(T_q)]
        parts = [f"{name}={written[name]}" for name in "QKV"]
        if rng.random() < 0.5:
            self.allowed = [[True] * T_k for _ in range(T_q)]
        else:
            parts.append("mask=" + ";".join("".join("01"[a] for a in row) for row in self.allowed))
        if rng.random() < 0.5:
            self.G = [[1.0] * d_v for _ in range(T_q)]
        else:
            parts.append(f"G={written['G']}")
        parts += ["scale=0"] * (not self.scale)
        parts += [f"temperature={self.temperature}"] * (self.temperature != 1)
        parts += [f"heads={heads}"] * (heads != 1)
        self.text = "&".join(parts)


def random_states(count=200, seed=32):
    """All sizes from 1 x 1 to 8 x 8, and 1, 2 and 4 heads where the columns can be split."""
    rng = random.Random(seed)
    states = []
    for n in range(count):
        heads = HEADS[n % 3]
        of_heads = [d for d in range(1, 9) if d % heads == 0]
        T_q, T_k = (1 + n % 8, 1 + n % 8) if n < 24 else (rng.randint(1, 8), rng.randint(1, 8))
        states.append(State(rng, T_q, T_k, rng.choice(of_heads), rng.choice(of_heads), heads))
    return states


def attention_by_loops(state):
    """The tables of the page, each as one list, from loops over numbers."""
    Q, K, V, G, heads = state.Q, state.K, state.V, state.G, state.heads
    T_q, T_k = len(Q), len(K)
    d, d_v = len(Q[0]) // heads, len(V[0]) // heads
    root = math.sqrt(d) if state.scale else 1
    scores, weights = [], []
    output = [[0.0] * len(V[0]) for _ in Q]
    dQ = [[0.0] * len(row) for row in Q]
    dK = [[0.0] * len(row) for row in K]
    dV = [[0.0] * len(row) for row in V]
    for h in range(heads):
        of_key = range(h * d, (h + 1) * d)
        of_value = range(h * d_v, (h + 1) * d_v)
        for i in range(T_q):
            s = [sum(Q[i][c] * K[j][c] for c in of_key) / root for j in range(T_k)]
            open_keys = [j for j in range(T_k) if state.allowed[i][j]]
            a = [0.0] * T_k
            if open_keys:
                most = max(s[j] for j in open_keys)
                for j in open_keys:
                    a[j] = math.exp((s[j] - most) / state.temperature)
                total = sum(a)
                a = [one / total for one in a]
            scores += s
            weights += a
            # dL/da_j = G_i·v_j, and softmax: dL/ds_j = a_j (dL/da_j - sum of a_k dL/da_k)
            da = [sum(G[i][c] * V[j][c] for c in of_value) for j in range(T_k)]
            mean = sum(a[j] * da[j] for j in range(T_k))
            for j in range(T_k):
                ds = a[j] * (da[j] - mean) / state.temperature / root
                for c in of_value:
                    output[i][c] += a[j] * V[j][c]
                    dV[j][c] += a[j] * G[i][c]
                for c in of_key:
                    dQ[i][c] += ds * K[j][c]
                    dK[j][c] += ds * Q[i][c]
    flat = {name: [number for row in rows for number in row]
            for name, rows in (("output", output), ("∂L/∂Q", dQ), ("∂L/∂K", dK), ("∂L/∂V", dV))}
    return {"scores": scores, "weights": weights, **flat}
