// Attention layers by loops in double over single numbers: the reference for our layers.
#pragma once

#include "nn/heed.h"

#include <cmath>
#include <optional>
#include <vector>

namespace loops {

using namespace heed;

using Matrix = std::vector<std::vector<double>>;

struct Result {
    Matrix output;   // [T_q, d_out]
    Matrix weights;  // [h·T_q, T_k], head below head
};

inline Matrix of(const Tensor& x) {
    Matrix rows;
    for (std::int64_t i = 0; i < x.dim(0); ++i) {
        const std::vector<Scalar> row = tensor::select(x, 0, i).to_vector();
        rows.emplace_back(row.begin(), row.end());
    }
    return rows;
}

// x·Wᵀ + b, with rows first to last of W only.
inline Matrix project(const Matrix& x, const Linear& linear, std::int64_t first,
                      std::int64_t last) {
    const Matrix W = of(linear.weight.value());
    Matrix result;
    for (const std::vector<double>& row : x) {
        result.emplace_back();
        for (std::int64_t n = first; n < last; ++n) {
            double y = linear.bias.is_set() ? static_cast<double>(linear.bias(n)) : 0;
            for (std::size_t c = 0; c < row.size(); ++c) {
                y += row[c] * W[static_cast<std::size_t>(n)][c];
            }
            result.back().push_back(y);
        }
    }
    return result;
}

// One row of weights; allowed(j) says whether key j may be seen.
template <class Allowed>
std::vector<double> weights_of(const std::vector<double>& q, const Matrix& K, Allowed allowed) {
    std::vector<double> weights;
    double total = 0;
    for (std::size_t j = 0; j < K.size(); ++j) {
        double score = 0;
        for (std::size_t c = 0; c < q.size(); ++c) score += q[c] * K[j][c];
        const double e = std::exp(score / std::sqrt(static_cast<double>(q.size())));
        weights.push_back(allowed(static_cast<std::int64_t>(j)) ? e : 0);
        total += weights.back();
    }
    for (double& w : weights) w = total > 0 ? w / total : 0;
    return weights;
}

// Appends the head's output to the right of result.output, and its weights below result.weights.
template <class Allowed>
void add_head(Result& result, const Matrix& Q, const Matrix& K, const Matrix& V, Allowed allowed) {
    result.output.resize(Q.size());
    for (std::size_t i = 0; i < Q.size(); ++i) {
        const std::vector<double> weights = weights_of(
            Q[i], K, [&](std::int64_t j) { return allowed(static_cast<std::int64_t>(i), j); });
        const std::size_t d_v = V.empty() ? 0 : V[0].size();
        for (std::size_t c = 0; c < d_v; ++c) {
            double sum = 0;
            for (std::size_t j = 0; j < V.size(); ++j) sum += weights[j] * V[j][c];
            result.output[i].push_back(sum);
        }
        result.weights.push_back(weights);
    }
}

// For one sequence: query [T_q, d_model], key [T_k, kdim], value [T_k, vdim];
// allowed(head, i, j) is the mask.
template <class Allowed>
Result multi_head(const MultiHeadAttention& layer, const Tensor& query, const Tensor& key,
                  const Tensor& value, Allowed allowed) {
    const std::int64_t d_head = layer.W_Q.weight.dim(0) / layer.num_heads;
    const std::int64_t d_v = layer.W_V.weight.dim(0) / layer.num_heads;
    Result result;
    for (std::int64_t n = 0; n < layer.num_heads; ++n) {
        const Matrix Q = project(of(query), layer.W_Q, n * d_head, (n + 1) * d_head);
        const Matrix K = project(of(key), layer.W_K, n * d_head, (n + 1) * d_head);
        const Matrix V = project(of(value), layer.W_V, n * d_v, (n + 1) * d_v);
        add_head(result, Q, K, V, [&](std::int64_t i, std::int64_t j) { return allowed(n, i, j); });
    }
    result.output = project(result.output, layer.W_O, 0, layer.W_O.weight.dim(0));
    return result;
}

template <class Allowed>
Result head(const AttentionHead& layer, const Tensor& query, const Tensor& key, const Tensor& value,
            Allowed allowed) {
    const std::int64_t d_k = layer.W_Q.weight.dim(0);
    Result result;
    add_head(result, project(of(query), layer.W_Q, 0, d_k), project(of(key), layer.W_K, 0, d_k),
             project(of(value), layer.W_V, 0, layer.W_V.weight.dim(0)), allowed);
    return result;
}

// May query i of head n in sequence b attend to key j? The mask has two axes or four.
inline bool sees(const std::optional<Mask>& mask, std::int64_t b, std::int64_t n, std::int64_t i,
                 std::int64_t j) {
    if (!mask) return true;
    const Shape& shape = mask->shape();
    if (shape.rank() == 2) return mask->allows(i % shape[0], j % shape[1]);
    return mask->allows(Dims{b % shape[0], n % shape[1], i % shape[2], j % shape[3]});
}

// The largest |x - rows|, where `rows` are the rows of x in order; infinite if the counts differ.
inline double distance(const Tensor& x, const Matrix& rows) {
    const std::vector<Scalar> numbers = x.to_vector();
    std::vector<double> expected;
    for (const std::vector<double>& row : rows) {
        expected.insert(expected.end(), row.begin(), row.end());
    }
    if (expected.size() != numbers.size()) return infinity;
    double worst = 0;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        const double apart = std::fabs(static_cast<double>(numbers[i]) - expected[i]);
        if (!(apart <= worst)) worst = apart >= 0 ? apart : infinity;
    }
    return worst;
}

}  // namespace loops
