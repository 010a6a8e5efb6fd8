// Single operations and layers, each forward and backward.
#include "autograd/ops.h"
#include "nn/attention/attention.h"
#include "nn/linear.h"
#include "nn/losses.h"
#include "nn/norms.h"
#include "tensor/mask.h"
#include "tensor/ops.h"
#include "tests/benchmarks/heed_works.h"

#include <memory>

namespace heed { inline namespace HEED_PRECISION { namespace benchmarks {
namespace {
// y = f(x), then backward from dL/dy. If f is a layer, its parameters get gradients too.
template <class F>
Run forward_and_backward(const F& f, const Tensor& input, const Tensor& upstream,
                         std::vector<Variable> parameters = {}) {
    Variable x(input, requires_grad);
    return [=]() mutable {
        for (Variable& parameter : parameters) parameter.zero_grad();
        x.zero_grad();
        const Variable y = f(x);
        y.backward({.upstream = upstream});
        std::vector<Tensor> results{y.value(), x.grad()};
        for (const Variable& parameter : parameters) results.push_back(parameter.grad());
        return results;
    };
}

Run attention(std::int64_t B, std::int64_t h, std::int64_t T, std::int64_t d) {
    const Shape shape{B, h, T, d};
    const Variable K(noise(shape, 2), requires_grad);
    const Variable V(noise(shape, 3), requires_grad);
    const Mask mask = Mask::causal(T);
    const auto f = [=](const Variable& Q) {
        return scaled_dot_product_attention(Q, K, V, mask, no_weights).output;
    };
    return forward_and_backward(f, noise(shape, 1), noise(shape, 4), {K, V});
}

Run layer_norm(std::int64_t rows, std::int64_t n) {
    const std::shared_ptr<LayerNorm> layer = std::make_shared<LayerNorm>(n);
    const auto f = [layer](const Variable& x) { return (*layer)(x); };
    return forward_and_backward(f, noise({rows, n}, 1), noise({rows, n}, 2),
                                {layer->weight, layer->bias});
}

Run linear(std::int64_t rows, std::int64_t in, std::int64_t out) {
    Random random(1);
    const std::shared_ptr<Linear> layer = std::make_shared<Linear>(in, out, random);
    layer->weight = Parameter(noise({out, in}, 3, 0.05));
    layer->bias = Parameter(noise({out}, 4));
    const auto f = [layer](const Variable& x) { return (*layer)(x); };
    return forward_and_backward(f, noise({rows, in}, 1), noise({rows, out}, 2),
                                {layer->weight, layer->bias});
}

Run entropy(std::int64_t rows, std::int64_t classes) {
    const IndexTensor targets = noise_ids({rows}, 2, classes);
    const auto f = [targets](const Variable& x) { return cross_entropy(x, targets); };
    return forward_and_backward(f, noise({rows, classes}, 1, 4), tensor::ones({}));
}

// Alternates a multiplication and an addition, on tensors of four numbers.
Run chain(std::int64_t length) {
    const Variable factor(noise({4}, 2, 0.01) + 1);
    const Variable summand(noise({4}, 3, 0.01));
    const auto f = [=](const Variable& x) {
        Variable y = x;
        for (std::int64_t i = 0; i < length; i += 2) y = y * factor + summand;
        return y;
    };
    return forward_and_backward(f, noise({4}, 1), noise({4}, 4));
}

}  // namespace

Run prepare_layer(const std::string& kind, std::istream& line) {
    std::int64_t a = 0, b = 0, c = 0, d = 0;
    line >> a >> b >> c >> d;
    if (kind == "attention") return attention(a, b, c, d);
    if (kind == "layer_norm") return layer_norm(a, b);
    if (kind == "linear") return linear(a, b, c);
    if (kind == "cross_entropy") return entropy(a, b);
    if (kind == "chain") return chain(a);
    if (kind == "softmax") {
        const auto f = [](const Variable& x) { return softmax(x, -1); };
        return forward_and_backward(f, noise({a, b}, 1), noise({a, b}, 2));
    }
    if (kind == "gelu") {
        const auto f = [](const Variable& x) { return gelu(x); };
        return forward_and_backward(f, noise({a, b}, 1, 3), noise({a, b}, 2));
    }
    return {};
}

}}}  // namespace heed::benchmarks
