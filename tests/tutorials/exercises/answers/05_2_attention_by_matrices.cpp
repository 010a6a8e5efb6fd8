// Answers to 05.2.
#include "tests/tutorials/exercises/answers/answers.h"
#include "tutorials/exercises/judges/lesson_05.h"

#include "nn/heed.h"

#include <algorithm>
#include <cmath>
#include <vector>

using namespace heed;
using namespace exercise;

namespace {
Tensor products(const Tensor& Q, const Tensor& K) {
    return tensor::matmul(Q, tensor::transpose(K));
}

// The rest, with weights that `weigh` makes of the right scores.
template <class Weigh>
DotAttention weighed(const Tensor& Q, const Tensor& K, const Tensor& V, const Weigh& weigh) {
    const Tensor scores = products(Q, K);
    const Tensor weights = weigh(scores);
    return {scores, weights, tensor::matmul(weights, V)};
}

DotAttention right(const Tensor& Q, const Tensor& K, const Tensor& V) {
    return weighed(Q, K, V, [](const Tensor& s) { return tensor::softmax(s, -1); });
}

DotAttention weights_scaled(const Tensor& Q, const Tensor& K, const Tensor& V) {
    const double root = std::sqrt(static_cast<double>(Q.dim(1)));
    return weighed(Q, K, V, [=](const Tensor& s) { return tensor::softmax(s / root, -1); });
}

DotAttention weights_per_key(const Tensor& Q, const Tensor& K, const Tensor& V) {
    return weighed(Q, K, V, [](const Tensor& s) { return tensor::softmax(s, 0); });
}

DotAttention not_shifted(const Tensor& Q, const Tensor& K, const Tensor& V) {
    return weighed(Q, K, V, [](const Tensor& s) {
        return tensor::exp(s) / tensor::sum(tensor::exp(s), -1, keepdim);
    });
}

DotAttention shifted_by_the_largest_of_all(const Tensor& Q, const Tensor& K, const Tensor& V) {
    return weighed(Q, K, V, [](const Tensor& s) {
        const Tensor powers = tensor::exp(s - tensor::max(s));
        return powers / tensor::sum(powers, -1, keepdim);
    });
}

DotAttention shifted_by_the_first_64(const Tensor& Q, const Tensor& K, const Tensor& V) {
    return weighed(Q, K, V, [](const Tensor& s) {
        const Tensor c = tensor::max(tensor::slice(s, -1, 0, 64), -1, keepdim);
        const Tensor powers = tensor::exp(s - c);
        return powers / tensor::sum(powers, -1, keepdim);
    });
}

DotAttention scores_bounded(const Tensor& Q, const Tensor& K, const Tensor& V) {
    return weighed(Q, K, V, [](const Tensor& s) {
        return tensor::softmax(tensor::clamp(s, {-100, 100}), -1);
    });
}

DotAttention hard_when_large(const Tensor& Q, const Tensor& K, const Tensor& V) {
    return weighed(Q, K, V, [](const Tensor& s) {
        const Tensor hard = tensor::index_select(tensor::eye(s.dim(1)), 0, tensor::argmax(s, -1));
        const Tensor largest = tensor::max(s, -1, keepdim);
        return tensor::where(largest > 700.0, hard, tensor::softmax(s, -1));
    });
}

DotAttention zero_is_blocked(const Tensor& Q, const Tensor& K, const Tensor& V) {
    return weighed(Q, K, V, [](const Tensor& s) {
        return tensor::softmax(tensor::masked_fill(s, s == 0.0, -infinity), -1);
    });
}

DotAttention scores_in_float(const Tensor& Q, const Tensor& K, const Tensor& V) {
    Tensor scores = tensor::contiguous(products(Q, K) + 0.0);
    Scalar* s = scores.writable_data();
    for (std::int64_t n = 0; n < scores.numel(); ++n) s[n] = static_cast<float>(s[n]);
    const Tensor weights = tensor::softmax(scores, -1);
    return {scores, weights, tensor::matmul(weights, V)};
}

DotAttention scores_shifted(const Tensor& Q, const Tensor& K, const Tensor& V) {
    DotAttention result = right(Q, K, V);
    result.scores = result.scores - tensor::max(result.scores, -1, keepdim);
    return result;
}

DotAttention output_scaled(const Tensor& Q, const Tensor& K, const Tensor& V) {
    DotAttention result = right(Q, K, V);
    result.output = weights_scaled(Q, K, V).output;
    return result;
}

DotAttention output_normalised_again(const Tensor& Q, const Tensor& K, const Tensor& V) {
    DotAttention result = right(Q, K, V);
    result.output = tensor::matmul(tensor::softmax(result.weights, -1), V);
    return result;
}

DotAttention keys_against_queries(const Tensor& Q, const Tensor& K, const Tensor& V) {
    const Tensor scores = products(K, Q);
    const Tensor weights = tensor::softmax(scores, -1);
    return {scores, weights, tensor::matmul(weights, V)};
}

DotAttention weights_the_wrong_way(const Tensor& Q, const Tensor& K, const Tensor& V) {
    DotAttention result = right(Q, K, V);
    result.output = tensor::matmul(tensor::transpose(result.weights), V);
    return result;
}

DotAttention reshaped_not_transposed(const Tensor& Q, const Tensor& K, const Tensor& V) {
    const Tensor scores = tensor::matmul(Q, tensor::reshape(K, {K.dim(1), K.dim(0)}));
    const Tensor weights = tensor::softmax(scores, -1);
    return {scores, weights, tensor::matmul(weights, V)};
}

DotAttention keys_as_values(const Tensor& Q, const Tensor& K, const Tensor& V) {
    DotAttention result = right(Q, K, V);
    if (K.shape() == V.shape()) result.output = tensor::matmul(result.weights, K);
    return result;
}

DotAttention as_many_keys_as_queries(const Tensor& Q, const Tensor& K, const Tensor& V) {
    const Tensor scores = products(Q, K);
    const Tensor weights = tensor::softmax(scores, -1);
    const std::int64_t T = std::min(Q.dim(0), K.dim(0));
    return {scores, weights,
            tensor::matmul(tensor::slice(weights, 1, 0, T), tensor::slice(V, 0, 0, T))};
}

DotAttention one_query_loses_its_axis(const Tensor& Q, const Tensor& K, const Tensor& V) {
    DotAttention result = right(Q, K, V);
    result.output = tensor::squeeze(result.output);
    return result;
}

DotAttention output_in_the_place_of_values(const Tensor& Q, const Tensor& K, const Tensor& V) {
    DotAttention result = right(Q, K, V);
    if (result.output.shape() != V.shape()) return result;
    Tensor y = V;
    tensor::overwrite(y, result.output);
    return result;
}

DotAttention keys_of_the_first_call(const Tensor& Q, const Tensor& K, const Tensor& V) {
    static Tensor kept = K;
    if (kept.shape() != K.shape()) kept = K;
    return right(Q, kept, V);
}

DotAttention output_of_64_keys(const Tensor& Q, const Tensor& K, const Tensor& V) {
    DotAttention result = right(Q, K, V);
    result.output =
        tensor::matmul(tensor::slice(result.weights, 1, 0, 64), tensor::slice(V, 0, 0, 64));
    return result;
}

DotAttention underflow_is_uniform(const Tensor& Q, const Tensor& K, const Tensor& V) {
    return weighed(Q, K, V, [](const Tensor& s) {
        const Tensor powers = tensor::exp(s - tensor::maximum(tensor::max(s), 0.0)) + 1e-300;
        return powers / tensor::sum(powers, -1, keepdim);
    });
}

DotAttention no_weight_below_1e_3(const Tensor& Q, const Tensor& K, const Tensor& V) {
    DotAttention result = right(Q, K, V);
    const Tensor kept = tensor::masked_fill(result.weights, result.weights < 1e-3, 0);
    result.output = tensor::matmul(kept, V);
    return result;
}

DotAttention diagonal_left_out(const Tensor& Q, const Tensor& K, const Tensor& V) {
    if (Q.dim(0) != K.dim(0) || Q.dim(0) == 1) return right(Q, K, V);
    return weighed(Q, K, V, [](const Tensor& s) {
        return tensor::softmax(s + tensor::eye(s.dim(0)) * -1e9, -1);
    });
}

DotAttention own_key_left_out(const Tensor& Q, const Tensor& K, const Tensor& V) {
    return weighed(Q, K, V, [&](const Tensor& s) {
        if (!Q.shares_storage_with(K) || s.dim(0) == 1) return tensor::softmax(s, -1);
        return tensor::softmax(tensor::where(tensor::eye(s.dim(0)) == 1.0, -infinity, s), -1);
    });
}

DotAttention output_four_by_four(const Tensor& Q, const Tensor& K, const Tensor& V) {
    const DotAttention all = right(Q, K, V);
    const std::int64_t T = K.dim(0), whole = T < 4 ? T : T - T % 4;
    return {all.scores, all.weights,
            tensor::matmul(tensor::slice(all.weights, 1, 0, whole), tensor::slice(V, 0, 0, whole))};
}

DotAttention scores_to_two_decimals(const Tensor& Q, const Tensor& K, const Tensor& V) {
    return weighed(Q, K, V, [](const Tensor& s) {
        std::vector<Scalar> rounded = s.to_vector();
        for (Scalar& one : rounded) one = std::round(one * 100) / 100;
        return tensor::softmax(tensor::from_vector(rounded, s.shape()), -1);
    });
}

// Key by key: what was added up so far shrinks whenever a larger score comes.
DotAttention in_one_pass(const Tensor& Q, const Tensor& K, const Tensor& V) {
    const Tensor scores = products(Q, K);
    Tensor largest = tensor::full({Q.dim(0), 1}, -infinity);
    Tensor total = tensor::zeros({Q.dim(0), 1}), sum = tensor::zeros({Q.dim(0), V.dim(1)});
    for (std::int64_t j = 0; j < K.dim(0); ++j) {
        const Tensor score = tensor::slice(scores, 1, j, j + 1);  // [T_q, 1]
        const Tensor now = tensor::maximum(largest, score);
        const Tensor shrink = tensor::exp(largest - now), power = tensor::exp(score - now);
        total = total * shrink + power;
        sum = sum * shrink + power * tensor::select(V, 0, j);
        largest = now;
    }
    return {scores, tensor::exp(scores - largest) / total, sum / total};
}

DotAttention products_of_64_numbers(const Tensor& Q, const Tensor& K, const Tensor& V) {
    return right(tensor::slice(Q, 1, 0, 64), tensor::slice(K, 1, 0, 64), V);
}

DotAttention queries_normalised(const Tensor& Q, const Tensor& K, const Tensor& V) {
    const Tensor norms = tensor::sqrt(tensor::sum(Q * Q, -1, keepdim));
    return right(Q / tensor::masked_fill(norms, norms == 0.0, 1), K, V);
}

DotAttention query_by_query(const Tensor& Q, const Tensor& K, const Tensor& V) {
    std::vector<Tensor> scores, weights, outputs;
    for (const Tensor& q : tensor::unbind(Q)) {
        scores.push_back(tensor::sum(q * K, -1));
        weights.push_back(tensor::softmax(scores.back(), 0));
        outputs.push_back(tensor::sum(tensor::unsqueeze(weights.back(), -1) * V, 0));
    }
    return {tensor::stack(scores), tensor::stack(weights), tensor::stack(outputs)};
}

// All three stages with queries along the second axis.
DotAttention on_its_side(const Tensor& Q, const Tensor& K, const Tensor& V) {
    const Tensor scores = products(K, Q);  // [T_k, T_q]
    const Tensor weights = tensor::softmax(scores, 0);
    const Tensor output = tensor::matmul(tensor::transpose(V), weights);  // [d_v, T_q]
    return {tensor::transpose(scores), tensor::transpose(weights), tensor::transpose(output)};
}

// Where Q, K and V are parts of one tensor, they share its storage.
DotAttention same_storage_same_tensor(const Tensor& Q, const Tensor& K, const Tensor& V) {
    return right(Q, K.shares_storage_with(Q) && K.shape() == Q.shape() ? Q : K, V);
}

DotAttention values_of_the_same_storage(const Tensor& Q, const Tensor& K, const Tensor& V) {
    return right(Q, K, V.shares_storage_with(K) && V.shape() == K.shape() ? K : V);
}

DotAttention no_weight_below_1e_8(const Tensor& Q, const Tensor& K, const Tensor& V) {
    return weighed(Q, K, V, [](const Tensor& s) {
        const Tensor weights = tensor::softmax(s, -1);
        return tensor::where(weights < 1e-8, 0, weights);
    });
}

DotAttention by_loops(const Tensor& Q, const Tensor& K, const Tensor& V) {
    const std::int64_t T_q = Q.dim(0), T_k = K.dim(0), d = K.dim(1), d_v = V.dim(1);
    Tensor scores = tensor::zeros({T_q, T_k}), weights = tensor::zeros({T_q, T_k});
    Tensor output = tensor::zeros({T_q, d_v});
    Scalar* s = scores.writable_data();
    Scalar* a = weights.writable_data();
    Scalar* y = output.writable_data();
    for (std::int64_t i = 0; i < T_q; ++i) {
        Scalar largest = static_cast<Scalar>(-infinity), total = 0;
        for (std::int64_t j = 0; j < T_k; ++j) {
            for (std::int64_t k = 0; k < d; ++k) s[i * T_k + j] += Q(i, k) * K(j, k);
            if (s[i * T_k + j] > largest) largest = s[i * T_k + j];
        }
        for (std::int64_t j = 0; j < T_k; ++j) {
            a[i * T_k + j] = tensor::exp(tensor::of(s[i * T_k + j] - largest)).item();
            total += a[i * T_k + j];
        }
        for (std::int64_t j = 0; j < T_k; ++j) {
            a[i * T_k + j] /= total;
            for (std::int64_t k = 0; k < d_v; ++k) y[i * d_v + k] += a[i * T_k + j] * V(j, k);
        }
    }
    return {scores, weights, output};
}

DotAttention keys_as_rows(const Tensor& Q, const Tensor& K, const Tensor& V) {
    const Tensor S_T = tensor::matmul(K, tensor::transpose(Q));  // [T_k, T_q]
    const Tensor A_T = tensor::softmax(S_T, 0);                  // [T_k, T_q]
    const Tensor Y_T = tensor::matmul(tensor::transpose(V), A_T);
    return {tensor::transpose(S_T), tensor::transpose(A_T), tensor::transpose(Y_T)};
}

Answer as(const std::string& what,
          DotAttention (*attend)(const Tensor&, const Tensor&, const Tensor&),
          const std::vector<std::string>& names = {}) {
    return {what, [attend] { return judge_05_2(attend); }, names};
}

}  // namespace

Answers answers_05_2() {
    Answers answers;
    answers.number = "05.2";
    answers.slipping = slipping(judge_05_2);
    answers.wrong = {
        as("the weights are those of scores divided by √d", weights_scaled),
        as("the weights of a key sum to 1", weights_per_key, {"sm.cols"}),
        as("exp of scores that are not shifted", not_shifted, {"sm.no-max"}),
        as("shifted by the largest score of all queries", shifted_by_the_largest_of_all),
        as("shifted by the largest of the first 64 scores", shifted_by_the_first_64),
        as("scores are bounded by ±100 before softmax", scores_bounded),
        as("above 700 the first largest score takes all", hard_when_large),
        as("a score of 0 counts as masked", zero_is_blocked),
        as("the scores returned are shifted", scores_shifted),
        as("the output is that of other weights, with 1/√d", output_scaled),
        as("softmax once more before the output", output_normalised_again),
        as("the scores are transposed", keys_against_queries, {"att.kq"}),
        as("the output takes the weights transposed", weights_the_wrong_way, {"att.weights-T"}),
        as("K is reshaped, not transposed", reshaped_not_transposed),
        as("the output is of keys where V has K's shape", keys_as_values),
        as("the output takes no more keys than there are queries", as_many_keys_as_queries),
        as("the output loses axes of length 1", one_query_loses_its_axis),
        as("the output is written into V where it fits", output_in_the_place_of_values),
        as("the output is of the first 64 keys", output_of_64_keys),
        as("where all underflows, the weights are equal", underflow_is_uniform),
        as("weights below 0.001 are left out of the output", no_weight_below_1e_3),
        as("where T_q = T_k, no word attends to itself", diagonal_left_out),
        as("where Q is K, no word attends to itself", own_key_left_out),
        as("the output is of whole fours of keys", output_four_by_four),
        as("weights are those of scores to two decimals", scores_to_two_decimals),
        as("dot products of 64 numbers at most", products_of_64_numbers),
        as("queries of norm 1", queries_normalised),
        as("the first keys of a shape are kept", keys_of_the_first_call),
        as("K is Q where they share a storage", same_storage_same_tensor),
        as("V is K where they share a storage", values_of_the_same_storage),
        as("weights below 1e-8 are dropped", no_weight_below_1e_8),
    };
    answers.right = {
        as("scores in float, which is exact enough for thousands", scores_in_float),
        as("query by query, without a matrix product", query_by_query),
        as("everything transposed", on_its_side),
        as("key by key, in one pass", in_one_pass),
        as("by the loops", by_loops),
        as("keys as rows, and all transposed at the end", keys_as_rows),
    };
    return answers;
}
