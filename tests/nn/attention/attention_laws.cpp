#include "tests/nn/attention/attention_laws.h"

#include "nn/heed.h"

#include <cmath>
#include <utility>

using namespace heed;

namespace laws {
namespace {
Variable drawn(const Shape& shape, std::uint64_t seed, double spread = 1) {
    Random random(seed);
    return Variable(tensor::normal(shape, random, 0, spread), requires_grad);
}

bool close(const Tensor& a, const Tensor& b) { return tensor::all_close(a, b, 1e-4, 1e-5); }

bool rows_sum_to_1(const Tensor& weights) {
    const Tensor sums = tensor::sum(weights, -1);
    return close(sums, tensor::ones_like(sums)) && (weights >= 0).all();
}

// Softmax of one row in double, from its definition, over the allowed entries only.
std::vector<double> weights_of(const std::vector<double>& scores,
                               const std::vector<bool>& allowed) {
    double largest = -infinity, total = 0;
    for (std::size_t j = 0; j < scores.size(); ++j) {
        if (allowed[j]) largest = std::fmax(largest, scores[j]);
    }
    std::vector<double> weights(scores.size(), 0.0);
    for (std::size_t j = 0; j < scores.size(); ++j) {
        if (allowed[j]) weights[j] = std::exp(scores[j] - largest);
        total += weights[j];
    }
    for (double& weight : weights) weight = total > 0 ? weight / total : 0;
    return weights;
}

// Equation 1 for matrices by loops; the mask is read at [..., i, j].
Tensor weights_by_loops(const Tensor& Q, const Tensor& K, const std::optional<Mask>& mask) {
    std::vector<Scalar> numbers;
    for (std::int64_t i = 0; i < Q.dim(0); ++i) {
        std::vector<double> scores;
        std::vector<bool> allowed;
        for (std::int64_t j = 0; j < K.dim(0); ++j) {
            double product = 0;
            for (std::int64_t c = 0; c < Q.dim(1); ++c) {
                product += static_cast<double>(Q(i, c)) * static_cast<double>(K(j, c));
            }
            scores.push_back(product / std::sqrt(static_cast<double>(Q.dim(1))));
            allowed.push_back(!mask || mask->allows(i, j));
        }
        for (const double weight : weights_of(scores, allowed)) {
            numbers.push_back(static_cast<Scalar>(weight));
        }
    }
    return tensor::from_vector(numbers, {Q.dim(0), K.dim(0)});
}

Tensor attended_by_loops(const Tensor& Q, const Tensor& K, const Tensor& V,
                         const std::optional<Mask>& mask) {
    return tensor::matmul(weights_by_loops(Q, K, mask), V);
}

Tensor with_last_row_changed(const Tensor& x) {
    Tensor copy = tensor::clone(x);
    Tensor last = tensor::slice(copy, -2, x.dim(-2) - 1);
    tensor::overwrite(last, last + 1.5);
    return copy;
}

Tensor but_the_last_row(const Variable& x) {
    return tensor::slice(x.value(), -2, 0, x.dim(-2) - 1);
}

// The name of a law, and whether it holds.
using Law = std::pair<std::string, std::function<bool()>>;

std::vector<std::string> broken(const std::vector<Law>& all) {
    std::vector<std::string> found;
    for (const Law& law : all) {
        bool holds = false;
        try {
            holds = law.second();
        } catch (const std::exception&) {
            holds = false;
        }
        if (!holds) found.push_back(law.first);
    }
    return found;
}

Tensor softmax_by_loops(const Tensor& x) {
    std::vector<Scalar> numbers;
    for (std::int64_t i = 0; i < x.dim(0); ++i) {
        std::vector<double> row;
        for (std::int64_t j = 0; j < x.dim(1); ++j) row.push_back(x(i, j));
        for (const double weight : weights_of(row, std::vector<bool>(row.size(), true))) {
            numbers.push_back(static_cast<Scalar>(weight));
        }
    }
    return tensor::from_vector(numbers, {x.dim(0), x.dim(1)});
}

}  // namespace

std::vector<std::string> broken_by(const Softmax& softmax) {
    const Tensor x = drawn({3, 5}, 1, 2).value();
    const auto of = [&softmax](const Tensor& scores) { return softmax(Variable(scores)).value(); };
    return broken({
        {"it is its definition", [&] { return close(of(x), softmax_by_loops(x)); }},
        {"each row sums to 1", [&] { return rows_sum_to_1(of(x)); }},
        {"scores of ±1000 are nothing special",
         [&] {
             const Tensor large = x * 1000;
             return close(of(large), softmax_by_loops(large));
         }},
        {"rows that are 2000 apart do not meet",
         [&] {
             const Tensor far = x + tensor::of({{0}, {-2000}, {2000}});
             return close(of(far), softmax_by_loops(far));
         }},
        {"a row of only -∞ is zeros",
         [&] {
             const Tensor none = tensor::full({1, 4}, -infinity);
             return tensor::same_bits(of(none), tensor::zeros({1, 4}));
         }},
        {"entries of a batch are independent",
         [&] {
             const Tensor two = tensor::stack({x, x * 3}, 0);
             return close(tensor::select(of(two), 0, 1), softmax_by_loops(x * 3));
         }},
    });
}

std::vector<std::string> broken_by(const Attend& attend) {
    const Variable Q = drawn({4, 3}, 2), K = drawn({5, 3}, 3), V = drawn({5, 2}, 4);
    const Variable q = drawn({5, 3}, 5), v = drawn({5, 3}, 6);  // T_q = T_k, d_v = d_k
    const Mask causal = Mask::causal(5);
    const Variable Qs = drawn({2, 3, 5, 4}, 7), Ks = drawn({2, 3, 5, 4}, 8);
    const Variable Vs = drawn({2, 3, 5, 6}, 9);
    const Mask padding = Mask::padding({5, 2}, 5);
    return broken({
        {"it is equation 1",
         [&] {
             const Attention a = attend(Q, K, V, {});
             return close(a.weights.value(), weights_by_loops(Q.value(), K.value(), {})) &&
                    close(a.output.value(), attended_by_loops(Q.value(), K.value(), V.value(), {}));
         }},
        {"it is equation 1 where all sizes agree",
         [&] {
             const Attention a = attend(q, K, v, {});
             return close(a.weights.value(), weights_by_loops(q.value(), K.value(), {})) &&
                    close(a.output.value(), attended_by_loops(q.value(), K.value(), v.value(), {}));
         }},
        {"each row of weights sums to 1",
         [&] {
             return rows_sum_to_1(attend(q, K, v, {}).weights.value()) &&
                    rows_sum_to_1(attend(q, K, v, causal).weights.value());
         }},
        {"causal: it is equation 1 up to the diagonal",
         [&] {
             const Attention a = attend(q, K, v, causal);
             return close(a.weights.value(), weights_by_loops(q.value(), K.value(), causal)) &&
                    close(a.output.value(),
                          attended_by_loops(q.value(), K.value(), v.value(), causal));
         }},
        {"causal: the last word changes no earlier output, bit for bit",
         [&] {
             const Variable changed_K(with_last_row_changed(K.value()));
             const Variable changed_v(with_last_row_changed(v.value()));
             return tensor::same_bits(
                 but_the_last_row(attend(q, K, v, causal).output),
                 but_the_last_row(attend(q, changed_K, changed_v, causal).output));
         }},
        {"causal: the gradient to the future is exactly 0",
         [&] {
             const Variable leaf_K(K.value(), requires_grad), leaf_v(v.value(), requires_grad);
             const Tensor G = drawn({1, 3}, 10).value();
             slice(attend(q, leaf_K, leaf_v, causal).output, 0, 1, 2).backward({.upstream = G});
             return (tensor::slice(leaf_K.grad(), 0, 2) == 0).all() &&
                    (tensor::slice(leaf_v.grad(), 0, 2) == 0).all();
         }},
        {"causal: the last query sees every key",
         [&] {
             const Tensor last = tensor::select(attend(q, K, v, causal).weights.value(), 0, 4);
             return (last > 0).all();
         }},
        {"each sequence of a batch and each head meets its own mask",
         [&] {
             const Attention all = attend(Qs, Ks, Vs, padding);
             for (std::int64_t b = 0; b < 2; ++b) {
                 for (std::int64_t n = 0; n < 3; ++n) {
                     const Mask its = b == 0 ? Mask::all_allowed(5, 5)
                                             : Mask::allowing((tensor::arange(5) < 2) |
                                                              BoolTensor::full({5, 5}, false));
                     const auto part = [&](const Variable& x) {
                         return tensor::select(tensor::select(x.value(), 0, b), 0, n);
                     };
                     const Tensor right = attended_by_loops(part(Qs), part(Ks), part(Vs), its);
                     if (!close(part(all.output), right)) return false;
                 }
             }
             return true;
         }},
        {"a query that may attend to nothing gives zeros",
         [&] {
             const Mask none = Mask::padding({3, 0}, 5);
             const Tensor output = attend(Qs, Ks, Vs, none).output.value();
             return (tensor::select(output, 0, 1) == 0).all();
         }},
        {"scores of ±100000 give numbers",
         [&] {
             const Attention a = attend(q * 1e5, K, v, causal);
             return tensor::is_finite(a.output.value()).all() && rows_sum_to_1(a.weights.value());
         }},
        {"a masked call leaves no trace in the next",
         [&] {
             const Tensor given = tensor::clone(q.value());
             attend(q, K, v, causal);
             return tensor::same_bits(q.value(), given) &&
                    close(attend(q, K, v, {}).output.value(),
                          attended_by_loops(q.value(), K.value(), v.value(), {}));
         }},
    });
}

namespace {
// x·Wᵀ + b for head n, whose rows in `layer` begin at n·d, from the matrices of this head alone.
Tensor of_head(const Linear& layer, const Tensor& x, std::int64_t n, std::int64_t d) {
    const Tensor W = tensor::slice(layer.weight.value(), 0, n * d, (n + 1) * d);
    const Tensor b = tensor::slice(layer.bias.value(), 0, n * d, (n + 1) * d);
    return tensor::matmul(x, tensor::transpose(W)) + b;
}

// Σ over heads of head_n·(W^O's columns of n), which is Concat(heads)·W^O, plus b.
Tensor multi_head_by_loops(const MultiHeadAttention& layer, const Tensor& X,
                           const std::optional<Mask>& mask) {
    const std::int64_t d = layer.W_Q.weight.dim(0) / layer.num_heads;
    std::vector<Tensor> batch;
    for (std::int64_t b = 0; b < X.dim(0); ++b) {
        const Tensor x = tensor::select(X, 0, b);
        Tensor y = tensor::zeros({x.dim(0), layer.W_O.weight.dim(0)}) + layer.W_O.bias.value();
        for (std::int64_t n = 0; n < layer.num_heads; ++n) {
            const Tensor head =
                attended_by_loops(of_head(layer.W_Q, x, n, d), of_head(layer.W_K, x, n, d),
                                  of_head(layer.W_V, x, n, d), mask);
            const Tensor columns = tensor::slice(layer.W_O.weight.value(), 1, n * d, (n + 1) * d);
            y = y + tensor::matmul(head, tensor::transpose(columns));
        }
        batch.push_back(y);
    }
    return tensor::stack(batch, 0);
}

}  // namespace

std::vector<std::string> broken_by(const MultiHead& multi_head) {
    Random random(11);
    const MultiHeadAttention layer(6, 3, random);  // square matrices, d_head = 2
    const Variable X = drawn({2, 5, 6}, 12);
    const Mask causal = Mask::causal(5);
    return broken({
        {"each head attends by itself, and W^O joins them",
         [&] {
             return close(multi_head(layer, X, {}).output.value(),
                          multi_head_by_loops(layer, X.value(), {}));
         }},
        {"the same under a causal mask",
         [&] {
             return close(multi_head(layer, X, causal).output.value(),
                          multi_head_by_loops(layer, X.value(), causal));
         }},
        {"each row of each head's weights sums to 1",
         [&] {
             const Tensor weights = multi_head(layer, X, {}).weights.value();
             return weights.shape() == Shape{2, 3, 5, 5} && rows_sum_to_1(weights);
         }},
        {"causal: the last word changes no earlier output, bit for bit",
         [&] {
             const Variable changed(with_last_row_changed(X.value()));
             return tensor::same_bits(but_the_last_row(multi_head(layer, X, causal).output),
                                      but_the_last_row(multi_head(layer, changed, causal).output));
         }},
    });
}

}  // namespace laws
