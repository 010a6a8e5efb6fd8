// The parts that answers to the passport are put together from, each right by itself, and what an
// answer is. Standard library only.
#pragma once

#include "tutorials/exercises/passport/attention_adapter.h"

#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

namespace passport_answers {

using namespace passport;

struct Answer {
    std::string what;  // "the maximum starts at 0"
    Adapter adapter;
};

inline constexpr double infinity = std::numeric_limits<double>::infinity();

// Q·Kᵀ·scale
inline Array scores_of(const Array& Q, const Array& K, double scale) {
    Array S(Q.batch, Q.length, K.length);
    for (int b = 0; b < S.batch; ++b)
        for (int i = 0; i < S.length; ++i)
            for (int j = 0; j < S.width; ++j)
                for (int c = 0; c < Q.width; ++c) S(b, i, j) += Q(b, i, c) * K(b, j, c) * scale;
    return S;
}
inline Array scores_of(const Array& Q, const Array& K) {
    return scores_of(Q, K, 1 / std::sqrt(Q.width));
}

inline Array shut(Array S, const Array& mask, double fill = -infinity) {
    for (std::size_t n = 0; n < mask.numbers.size(); ++n) {
        if (mask.numbers[n] == 0) S.numbers[n] = fill;
    }
    return S;
}

using Row = std::vector<double>;
// A function of each row by itself.
inline Array by_rows(const Array& S, const std::function<Row(const Row&)>& function) {
    Array P(S.batch, S.length, S.width);
    for (int n = 0; n < S.batch * S.length; ++n) {
        const auto start = S.numbers.begin() + n * S.width;
        const Row row = function(Row(start, start + S.width));
        std::copy(row.begin(), row.end(), P.numbers.begin() + n * S.width);
    }
    return P;
}

// exp(s - shift) / (sum + extra)
inline Row exponentials(Row s, double shift, double extra = 0) {
    double total = extra;
    for (double& x : s) total += x = std::exp(x - shift);
    for (double& x : s) x /= total;
    return s;
}
inline Row softmax_of_row(const Row& s) {
    const double most = *std::max_element(s.begin(), s.end());
    return most == -infinity ? Row(s.size()) : exponentials(s, most);
}
inline Array softmax(const Array& S) { return by_rows(S, softmax_of_row); }

// P·V
inline Array mixed(const Array& P, const Array& V) {
    Array Y(P.batch, P.length, V.width);
    for (int b = 0; b < Y.batch; ++b)
        for (int i = 0; i < Y.length; ++i)
            for (int j = 0; j < V.length; ++j)
                for (int c = 0; c < V.width; ++c) Y(b, i, c) += P(b, i, j) * V(b, j, c);
    return Y;
}

using Weights =
    std::function<Array(const Array& Q, const Array& K, const Array& V, const Array& mask)>;

inline Array right_weights(const Array& Q, const Array& K, const Array&, const Array& mask) {
    return softmax(shut(scores_of(Q, K), mask));
}
inline Array right_output(const Array& Q, const Array& K, const Array& V, const Array& mask) {
    return mixed(right_weights(Q, K, V, mask), V);
}

// With output and weights from this.
inline Adapter of_weights(const Weights& weights) {
    Adapter adapter;
    adapter.weights = weights;
    adapter.output = [weights](const Array& Q, const Array& K, const Array& V, const Array& mask) {
        return mixed(weights(Q, K, V, mask), V);
    };
    return adapter;
}
// With an output only.
inline Adapter of_output(const decltype(Adapter::output)& output) {
    Adapter adapter;
    adapter.output = output;
    return adapter;
}
// Right weights and output, and these gradients.
inline Adapter of_gradients(const decltype(Adapter::gradients)& gradients) {
    Adapter adapter = of_weights(right_weights);
    adapter.gradients = gradients;
    return adapter;
}

// Aᵀ·B of each text, or its other way round
inline Array transposed(const Array& A) {
    Array T(A.batch, A.width, A.length);
    for (int b = 0; b < A.batch; ++b)
        for (int i = 0; i < A.length; ++i)
            for (int j = 0; j < A.width; ++j) T(b, j, i) = A(b, i, j);
    return T;
}
inline Array times(Array A, double factor) {
    for (double& x : A.numbers) x *= factor;
    return A;
}
// Row by row: dS of the weights and their gradient.
using SoftmaxBackward = std::function<Row(const Row& P, const Row& dP)>;
inline Row softmax_backward(const Row& P, const Row& dP) {
    double sum = 0;
    for (std::size_t j = 0; j < P.size(); ++j) sum += P[j] * dP[j];
    Row dS(P.size());
    for (std::size_t j = 0; j < P.size(); ++j) dS[j] = P[j] * (dP[j] - sum);
    return dS;
}

inline Gradients backward(const Array& Q, const Array& K, const Array& V, const Array& mask,
                          const Array& G, const SoftmaxBackward& row_backward = softmax_backward) {
    const Array P = right_weights(Q, K, V, mask);
    const Array dP = mixed(G, transposed(V));
    Array dS(P.batch, P.length, P.width);
    for (int n = 0; n < P.batch * P.length; ++n) {
        const auto p = P.numbers.begin() + n * P.width, d = dP.numbers.begin() + n * P.width;
        const Row row = row_backward(Row(p, p + P.width), Row(d, d + P.width));
        std::copy(row.begin(), row.end(), dS.numbers.begin() + n * P.width);
    }
    dS = times(dS, 1 / std::sqrt(Q.width));
    return {mixed(dS, K), mixed(transposed(dS), Q), mixed(transposed(P), G)};
}

}  // namespace passport_answers
