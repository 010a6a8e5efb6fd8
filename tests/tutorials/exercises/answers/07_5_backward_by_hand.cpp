// Answers to 07.5, in the form learners and careless engineers write them.
#include "tests/tutorials/exercises/answers/answers.h"
#include "tutorials/exercises/judges/lesson_07.h"

#include "nn/heed.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

using namespace heed;
using namespace exercise;

namespace {
struct Given {
    Tensor Q, K, V, weights, G;
};

double root_of_d_k(const Given& in) { return std::sqrt(static_cast<double>(in.K.dim(-1))); }

Tensor of_weights(const Given& in) { return tensor::matmul(in.G, tensor::transpose(in.V)); }

Tensor of_scores(const Given& in) {
    const Tensor s = tensor::sum(in.weights * of_weights(in), -1, keepdim);
    return in.weights * (of_weights(in) - s);
}

// The right answer for this ∂L/∂scores.
GradientsByHand from_scores(const Given& in, const Tensor& scores) {
    const Tensor products = scores / root_of_d_k(in);
    return {tensor::matmul(tensor::transpose(in.weights), in.G), of_weights(in), scores,
            tensor::matmul(products, in.K), tensor::matmul(tensor::transpose(products), in.Q)};
}

GradientsByHand right(const Given& in) { return from_scores(in, of_scores(in)); }

using Way = GradientsByHand (*)(const Given&);
std::function<Exercise()> by(Way way) {
    return [way] {
        return judge_07_5([way](const Tensor& Q, const Tensor& K, const Tensor& V,
                                const Tensor& weights, const Tensor& G) {
            return way({Q, K, V, weights, G});
        });
    };
}

GradientsByHand weights_of_the_first_text(const Given& in) {
    GradientsByHand found = right(in);
    Tensor weights = in.weights;
    while (weights.rank() > 2) weights = tensor::select(weights, 0, 0);
    found.V = tensor::matmul(tensor::transpose(weights), in.G);
    return found;
}

GradientsByHand first_axis(const Given& in) {
    GradientsByHand found = right(in);
    found.V = tensor::matmul(in.weights.rank() > 2 ? tensor::transpose(in.weights, 1, 2)
                                                   : tensor::transpose(in.weights, 0, 1),
                             in.G);
    return found;
}

GradientsByHand scaled_in_scores_only(const Given& in) {
    GradientsByHand found = right(in);
    found.scores = found.scores / root_of_d_k(in);
    return found;
}

GradientsByHand zeros_are_masked(const Given& in) {
    GradientsByHand found = right(in);
    found.weights = tensor::masked_fill(found.weights, in.weights == 0, 0);
    return found;
}

GradientsByHand of_the_logarithm(const Given& in) {
    const Tensor log_weights = tensor::log(in.weights);
    const Tensor s = tensor::sum(tensor::exp(log_weights) * of_weights(in), -1, keepdim);
    return from_scores(in, tensor::exp(log_weights + tensor::log(of_weights(in) - s)));
}

GradientsByHand norm_of_the_keys(const Given& in) {
    GradientsByHand found = right(in);
    const double whole = static_cast<double>(static_cast<std::int64_t>(root_of_d_k(in)));
    found.Q = found.Q * root_of_d_k(in) / whole;
    found.K = found.K * root_of_d_k(in) / whole;
    return found;
}

GradientsByHand writes_to_the_weights(const Given& in) {
    const GradientsByHand found = right(in);
    Tensor weights = in.weights;
    tensor::overwrite(weights, found.scores);
    return found;
}

GradientsByHand writes_to_G(const Given& in) {
    const GradientsByHand found = right(in);
    Tensor G = in.G;
    tensor::overwrite(G, tensor::zeros_like(G));
    return found;
}

GradientsByHand remembers_the_factor(const Given& in) {
    static const double factor = 1 / root_of_d_k(in);
    GradientsByHand found = right(in);
    found.Q = found.Q * root_of_d_k(in) * factor;
    found.K = found.K * root_of_d_k(in) * factor;
    return found;
}

GradientsByHand key_gradient_summed_over_texts(const Given& in) {
    GradientsByHand found = right(in);
    if (found.K.rank() < 3) return found;
    found.K = tensor::sum(found.K, 0, keepdim) + tensor::zeros_like(found.K);
    return found;
}

GradientsByHand weights_without_upstream_of_last_value(const Given& in) {
    const std::int64_t d = std::min(in.G.dim(-1), in.K.dim(-1));
    GradientsByHand found = right(in);
    found.weights = tensor::matmul(tensor::slice(in.G, -1, 0, d),
                                   tensor::transpose(tensor::slice(in.V, -1, 0, d)));
    return found;
}

GradientsByHand scores_as_they_are(const Given& in) {
    return from_scores(in, in.weights * of_weights(in));
}

GradientsByHand the_root_of_T_q(const Given& in) {
    GradientsByHand found = right(in);
    const double wrong = std::sqrt(static_cast<double>(in.Q.dim(-2)));
    found.Q = found.Q * root_of_d_k(in) / wrong;
    found.K = found.K * root_of_d_k(in) / wrong;
    return found;
}

GradientsByHand through_both_sides(const Given& in) {
    const Tensor s = tensor::sum(in.weights * of_weights(in), -1, keepdim);
    return from_scores(in, in.weights * (1 - in.weights) * (of_weights(in) - s));
}

// The numbers of a transposed shape in the order they had.
GradientsByHand of_the_data(const Given& in) {
    const Tensor turned = tensor::transpose(in.weights);
    GradientsByHand found = right(in);
    found.V = tensor::matmul(tensor::from_vector(in.weights.to_vector(), turned.shape()), in.G);
    return found;
}

GradientsByHand keys_by_the_weights(const Given& in) {
    GradientsByHand found = right(in);
    found.K = tensor::matmul(tensor::transpose(in.weights), in.Q) / root_of_d_k(in);
    return found;
}

// softmax's gradient with this in place of the sum over the keys.
GradientsByHand with_sum(const Given& in, const Tensor& sum) {
    return from_scores(in, in.weights * (of_weights(in) - sum));
}

GradientsByHand sum_cut_at_10(const Given& in) {
    const Tensor s = tensor::sum(in.weights * of_weights(in), -1, keepdim);
    return with_sum(in, tensor::clamp(s, {-10, 10}));
}

GradientsByHand sum_of_each_text(const Given& in) {
    return with_sum(in, tensor::sum(in.weights * of_weights(in), {-2, -1}, keepdim));
}

GradientsByHand mean_of_the_gradients(const Given& in) {
    return with_sum(in, tensor::mean(of_weights(in), -1, keepdim));
}

GradientsByHand one_query_passes_G_on(const Given& in) {
    GradientsByHand found = right(in);
    if (in.Q.dim(-2) == 1) found.V = tensor::zeros_like(found.V) + in.G;
    return found;
}

GradientsByHand one_key_passes_all_on(const Given& in) {
    return in.K.dim(-2) == 1 ? from_scores(in, of_weights(in)) : right(in);
}

GradientsByHand with_other_weights(const Given& in, const Tensor& weights) {
    return right({in.Q, in.K, in.V, weights, in.G});
}

GradientsByHand small_weights_dropped(const Given& in) {
    return with_other_weights(in, tensor::where(in.weights < 1e-4, 0, in.weights));
}

GradientsByHand weights_of_a_millionth_at_least(const Given& in) {
    return with_other_weights(in, tensor::maximum(in.weights, 1e-6));
}

GradientsByHand small_gradients_dropped(const Given& in) {
    const Tensor G = tensor::where(tensor::abs(in.G) < 1e-12, 0, in.G);
    return right({in.Q, in.K, in.V, in.weights, G});
}

GradientsByHand strides_of_G_ignored(const Given& in) {
    const Scalar* first = in.G.data();
    const Tensor G = tensor::from_vector({first, first + in.G.numel()}, in.G.shape());
    return right({in.Q, in.K, in.V, in.weights, G});
}

GradientsByHand axes_of_length_1_dropped(const Given& in) {
    GradientsByHand found = right(in);
    found.Q = tensor::squeeze(found.Q);
    return found;
}

GradientsByHand first_call_of_a_shape(const Given& in) {
    static std::vector<std::pair<Given, GradientsByHand>> seen;
    for (const auto& [given, found] : seen) {
        if (given.Q.shape() == in.Q.shape() && given.K.shape() == in.K.shape() &&
            given.V.shape() == in.V.shape()) {
            return found;
        }
    }
    seen.emplace_back(in, right(in));
    return seen.back().second;
}

GradientsByHand weights_get_that_of_the_scores(const Given& in) {
    GradientsByHand found = right(in);
    found.weights = found.scores;
    return found;
}

GradientsByHand K_past_softmax(const Given& in) {
    GradientsByHand found = right(in);
    found.K = tensor::matmul(tensor::transpose(found.weights), in.Q) / root_of_d_k(in);
    return found;
}

GradientsByHand one_text_at_a_time(const Given& in) {
    if (in.Q.rank() == 2) return right(in);
    std::vector<Tensor> V, weights, scores, Q, K;
    for (std::int64_t b = 0; b < in.Q.dim(0); ++b) {
        const auto of = [b](const Tensor& x) { return tensor::select(x, 0, b); };
        const GradientsByHand one =
            one_text_at_a_time({of(in.Q), of(in.K), of(in.V), of(in.weights), of(in.G)});
        V.push_back(one.V);
        weights.push_back(one.weights);
        scores.push_back(one.scores);
        Q.push_back(one.Q);
        K.push_back(one.K);
    }
    return {tensor::stack(V, 0), tensor::stack(weights, 0), tensor::stack(scores, 0),
            tensor::stack(Q, 0), tensor::stack(K, 0)};
}

GradientsByHand by_the_jacobian(const Given& in) {
    const Tensor column = tensor::unsqueeze(in.weights, -1);  // [..., T_q, T_k, 1]
    const Tensor slopes =
        column * (tensor::eye(in.weights.dim(-1)) - tensor::unsqueeze(in.weights, -2));
    const Tensor G = tensor::unsqueeze(of_weights(in), -2);  // [..., T_q, 1, T_k]
    return from_scores(in, tensor::squeeze(tensor::matmul(G, slopes), -2));
}

GradientsByHand forward_again(const Given& in) {
    const Tensor S = tensor::matmul(in.Q / root_of_d_k(in), tensor::transpose(in.K));
    const Tensor weights = tensor::softmax(S, -1);
    return from_scores(in, tensor::softmax_gradient(weights, of_weights(in), -1));
}

// Dao et al. 2022: the sum is a product of G and the output.
GradientsByHand by_the_output(const Given& in) {
    const Tensor output = tensor::matmul(in.weights, in.V);
    return with_sum(in, tensor::sum(in.G * output, -1, keepdim));
}

GradientsByHand weights_divided_by_their_sum(const Given& in) {
    return with_other_weights(in, in.weights / tensor::sum(in.weights, -1, keepdim));
}

// NaN where ∂L/∂weights is 0.
GradientsByHand share_of_the_sum(const Given& in) {
    const Tensor terms = in.weights * of_weights(in);
    return from_scores(in, terms - tensor::sum(terms, -1, keepdim) * terms / of_weights(in));
}

GradientsByHand weights_of_a_billionth_at_least(const Given& in) {
    return with_other_weights(in, tensor::maximum(in.weights, 1e-9));
}

// As if Q and K were one leaf, whose gradients add up.
GradientsByHand shared_storage_shared_gradient(const Given& in) {
    GradientsByHand all = right(in);
    if (in.Q.shares_storage_with(in.K)) all.Q = all.K = all.Q + all.K;
    return all;
}

GradientsByHand one_key_has_no_gradient(const Given& in) {
    GradientsByHand all = right(in);
    if (in.K.dim(-2) == 1) all.weights = tensor::zeros_like(all.weights);
    return all;
}

GradientsByHand by_the_library(const Given& in) {
    const Variable q(in.Q, requires_grad), k(in.K, requires_grad), v(in.V, requires_grad);
    const Variable scores = matmul(q, transpose(k)) / root_of_d_k(in);
    const Variable weights = softmax(scores, -1);
    const std::vector<Variable> found =
        grad(matmul(weights, v), {v, weights, scores, q, k}, {.upstream = in.G});
    return {found[0].value(), found[1].value(), found[2].value(), found[3].value(),
            found[4].value()};
}

// Σ_j weights_ij·∂L/∂weights_ij is the product of G_i and the output: no need of [T_q, T_k] for it.
GradientsByHand by_the_output_transposed(const Given& in) {
    const Tensor output = tensor::matmul(in.weights, in.V);
    const Tensor s = tensor::sum(in.G * output, -1, keepdim);
    const Tensor scores = in.weights * of_weights(in) - in.weights * s;
    const Tensor of_K_turned = tensor::matmul(tensor::transpose(in.Q), scores);  // [..., d_k, T_k]
    return {tensor::transpose(tensor::matmul(tensor::transpose(in.G), in.weights)), of_weights(in),
            scores, tensor::matmul(scores, in.K / root_of_d_k(in)),
            tensor::transpose(of_K_turned) / root_of_d_k(in)};
}

}  // namespace

Answers answers_07_5() {
    Answers answers;
    answers.number = "07.5";
    answers.slipping = slipping(judge_07_5);
    answers.wrong = {
        {"∂L/∂V by the first text's weights", by(weights_of_the_first_text)},
        {"transposes axes 1 and 2 where there are heads", by(first_axis)},
        {"∂L/∂scores divided by √d_k, the rest right",
         by(scaled_in_scores_only),
         {"attb.scores-scaled"}},
        {"∂L/∂weights set to 0 where a weight is 0", by(zeros_are_masked)},
        {"softmax's gradient by logarithms, NaN where they are negative", by(of_the_logarithm)},
        {"√d_k as a whole number", by(norm_of_the_keys), {"attb.int-root"}},
        {"writes ∂L/∂scores over the weights", by(writes_to_the_weights)},
        {"clears G afterwards", by(writes_to_G)},
        {"a static √d_k, that of the first call", by(remembers_the_factor)},
        {"∂L/∂K summed over the texts", by(key_gradient_summed_over_texts)},
        {"assumes d_v is at most d_k", by(weights_without_upstream_of_last_value)},
        {"softmax without its sum", by(scores_as_they_are), {"smb.p-dy"}},
        {"the root of T_q", by(the_root_of_T_q), {"attb.scale-T_q"}},
        {"1 - weights a second time", by(through_both_sides)},
        {"reshapes the weights where it should transpose", by(of_the_data)},
        {"∂L/∂K from the weights themselves", by(keys_by_the_weights)},
        {"the sum is cut at ±10", by(sum_cut_at_10)},
        {"one sum for all queries of a text", by(sum_of_each_text)},
        {"the mean of ∂L/∂weights subtracted", by(mean_of_the_gradients)},
        {"one query: G is passed on to all values", by(one_query_passes_G_on)},
        {"one key: softmax passes all on", by(one_key_passes_all_on)},
        {"weights below 10^-4 are dropped", by(small_weights_dropped)},
        {"weights of at least 10^-6", by(weights_of_a_millionth_at_least)},
        {"gradients below 10^-12 are dropped", by(small_gradients_dropped)},
        {"the strides of G are ignored", by(strides_of_G_ignored)},
        {"axes of length 1 are dropped from ∂L/∂Q", by(axes_of_length_1_dropped)},
        {"the first call of a shape", by(first_call_of_a_shape)},
        {"∂L/∂weights is that of the scores", by(weights_get_that_of_the_scores)},
        {"∂L/∂K past softmax", by(K_past_softmax)},
        {"divided by ∂L/∂weights", by(share_of_the_sum)},
        {"weights of at least 10^-9", by(weights_of_a_billionth_at_least)},
        {"Q and K get the sum of both where they share a storage",
         by(shared_storage_shared_gradient)},
        {"one key: no gradient for its weight", by(one_key_has_no_gradient)},
    };
    answers.right = {
        {"one text and head at a time", by(one_text_at_a_time)},
        {"by softmax's whole matrix of slopes", by(by_the_jacobian)},
        {"the sum by the output", by(by_the_output)},
        {"weights divided by their sum", by(weights_divided_by_their_sum)},
        {"the forward pass again, with the scale in Q", by(forward_again)},
        {"by the library's backward", by(by_the_library)},
        {"by the output, and transposed", by(by_the_output_transposed)},
    };
    return answers;
}
