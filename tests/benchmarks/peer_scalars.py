"""A network of single numbers, each an object that knows its inputs: the design of the smallest
teaching engines. One example through a 2-16-16-1 network, and a step."""

import peer


class Number:
    def __init__(self, data, inputs=()):
        self.data = data
        self.grad = 0.0
        self.inputs = inputs
        self.hand_on = lambda: None  # adds to the inputs' gradients

    def __add__(self, other):
        y = Number(self.data + other.data, (self, other))

        def hand_on():
            self.grad += y.grad
            other.grad += y.grad

        y.hand_on = hand_on
        return y

    def __mul__(self, other):
        y = Number(self.data * other.data, (self, other))

        def hand_on():
            self.grad += other.data * y.grad
            other.grad += self.data * y.grad

        y.hand_on = hand_on
        return y

    def relu(self):
        y = Number(max(self.data, 0.0), (self,))

        def hand_on():
            self.grad += y.grad if y.data > 0 else 0.0

        y.hand_on = hand_on
        return y

    def backward(self):
        order, met = [], set()

        def visit(number):
            if number not in met:
                met.add(number)
                for one in number.inputs:
                    visit(one)
                order.append(number)

        visit(self)
        self.grad = 1.0
        for number in reversed(order):
            number.hand_on()


def parameters(shape, seed):
    rows, columns = shape
    numbers = [Number(peer.noise(i, seed, 0.5)) for i in range(rows * columns)]
    return [numbers[r * columns : (r + 1) * columns] for r in range(rows)]


def neuron(weights, bias, inputs):
    y = bias
    for w, x in zip(weights, inputs):
        y = y + w * x
    return y


def prepare(threads, words):
    if words[0] != "small_network":
        return None
    layers, seed = [], 0
    for n_in, n_out in ((2, 16), (16, 16), (16, 1)):
        layers.append((parameters((n_out, n_in), seed + 1), parameters((1, n_out), seed + 2)[0]))
        seed += 2
    everything = [w for W, b in layers for row in W + [b] for w in row]

    def run():
        for w in everything:
            w.grad = 0.0
        x = [Number(0.5), Number(-0.25)]
        for number, (W, b) in enumerate(layers):
            x = [neuron(row, bias, x) for row, bias in zip(W, b)]
            x = [y.relu() for y in x] if number < 2 else x
        error = x[0] + Number(-1.0)
        loss = error * error
        loss.backward()
        for w in everything:
            w.data -= 1e-4 * w.grad
        return [loss.data]

    return run


if __name__ == "__main__":
    peer.serve(prepare, lambda results: [abs(x) for x in results])
