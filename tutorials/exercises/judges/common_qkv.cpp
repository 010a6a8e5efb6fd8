#include "tutorials/exercises/judges/common_qkv.h"

#include "tutorials/exercises/judging/kit.h"

using namespace heed;

namespace exercise {

AttentionSteps attention_walk(const QueriesKeysValues& given, Scaling scaling, const Slips& slip) {
    const auto unless = [&](const char* id, const Variable& x) {
        return slip(id) ? x.detach() : x;
    };
    const QueriesKeysValues in = {unless("att.detached-Q", given.Q),
                                  unless("att.detached-K", given.K),
                                  unless("att.detached-V", given.V)};
    const Attended s = attention(in, {.scaled = scaling == Scaling::root_of_d_k}, slip);
    return {s.scores, s.weights, slip("train.detached") ? s.output.detach() : s.output};
}

std::vector<Mistake> attention_mistakes(Scaling scaling) {
    std::vector<Mistake> all = {
        {"att.kq", "scores were K·Qᵀ and not Q·Kᵀ, so that each key had a row",
         "Who has a row in the scores, a query or a key?",
         "Look at the shape of scores where there are 3 queries and 5 keys."},
        {"att.no-transpose", "Q was multiplied by K, and not by K transposed",
         "Which rows of K meet which columns of Q?", "Print the shapes of both factors."},
        {"att.keys-from-queries", "queries were compared with queries, and the keys were not used",
         "What is a query compared with?", "Are the scores equal to their own transpose?"},
        {"att.q-from-keys", "keys were compared with keys, and the queries were not used",
         "What is compared with the keys?", "Are the scores equal to their own transpose?"},
        {"att.keys-from-values", "queries were compared with values, and the keys were not used",
         "What is a query compared with?", "Look at the two factors of your first product."},
        {"att.values-from-keys", "the keys were weighted and added up, and not the values",
         "What does a query get, the keys or what they stand for?",
         "Look at the two factors of your last product."},
        {"att.weights-T", "the weights were transposed before they were multiplied by the values",
         "Whose weights are in row 0?", "Look at the two factors of your last product."},
        {"sm.cols", "softmax ran down the columns, over the queries, and not along the rows",
         "Which sums must be 1, those of rows or of columns?",
         "tensor weights: add up row 0, then column 0."},
        {"sm.all", "each exponential was divided by the sum of all, and not by that of its own row",
         "Has each query a distribution of its own?", "tensor weights: add up row 0."},
        {"sm.exp-only", "the exponentials were not divided by their sum",
         "What must the weights of a query sum to?", "tensor weights: add up row 0."},
        {"sm.sum-norm", "the scores were divided by their sum, without exp",
         "Can a weight be negative?", "Look for a negative entry in weights."},
        {"sm.twice", "softmax was applied twice", "Why are the weights so nearly equal?",
         "Count the calls of softmax on the way."},
        {"sm.no-max",
         "exp was applied to the scores as they are, and overflows where they are large",
         "What is exp(1000)?", "Look at weights in the case with large numbers."},
    };
    if (scaling == Scaling::none) {
        all.push_back({"att.scaled", "the scores were divided by √d, which comes only in lesson 07",
                       "What does the contract say a score is?", "Look at scores[0, 0]."});
        return all;
    }
    const std::vector<Mistake> of_the_scale = {
        {"att.no-scale", "the scores were not divided by √d_k",
         "What is the variance of a sum of d_k products?", "Look at scores[0, 0]."},
        {"att.scale-dk", "the scores were divided by d_k and not by its root",
         "Is the spread of a sum its variance, or the root of it?", "Look at scores[0, 0]."},
        {"att.scale-mul", "the scores were multiplied by √d_k",
         "Should the scores become smaller or larger?", "Look at scores[0, 0]."},
        {"att.scale-T", "the scores were divided by the root of the number of keys",
         "Over which axis does a score sum?", "Which number is under your root?"},
        {"att.scale-axis-0", "the scores were divided by the root of the size of the first axis",
         "Over which axis does a score sum, counted from the end?",
         "Which number is under your root where there are 2 texts?"},
        {"att.scale-dv", "the scores were divided by the root of the dimension of a value",
         "Over which axis does a score sum?", "Which number is under your root?"},
        {"att.scale-after", "the weights were divided by √d_k, and not the scores",
         "What must the weights of a query sum to?", "tensor weights: add up row 0."},
        {"att.int-root", "√d_k was cut to a whole number", "What is √6?",
         "What is the type of the variable that holds the root?"},
        {"att.int-div", "1 was divided by √d_k in whole numbers, which gives 0 from d_k = 4 on",
         "What is 1 / 3 in C++?", "What is the type of the variable that holds the factor?"},
    };
    return joined(all, of_the_scale);
}

Stages stages_of(const AttentionSteps& steps) {
    return {{"scores", steps.scores.value()},
            {"weights", steps.weights.value()},
            {"output", steps.output.value()}};
}

namespace {
QueriesKeysValues leaves_of(const Tensor& Q, const Tensor& K, const Tensor& V) {
    return {leaf(Q), leaf(K), leaf(V)};
}

}  // namespace

QueriesKeysValues without_gradients(const QueriesKeysValues& in) {
    return {in.Q.detach(), in.K.detach(), in.V.detach()};
}

std::vector<Leaf> leaves_of(const QueriesKeysValues& in) {
    return {{"Q", in.Q}, {"K", in.K}, {"V", in.V}};
}

Shape AttentionSizes::shape(std::int64_t rows, std::int64_t columns) const {
    std::vector<std::int64_t> dims = leading;
    dims.push_back(rows);
    dims.push_back(columns);
    return Shape(Dims(dims));
}

QueriesKeysValues random_attention_input(const AttentionSizes& sizes, std::uint64_t seed,
                                         double deviation) {
    return leaves_of(random(sizes.shape(sizes.T_q, sizes.d_k), seed, deviation),
                     random(sizes.shape(sizes.T_k, sizes.d_k), seed + 1, deviation),
                     random(sizes.shape(sizes.T_k, sizes.d_v), seed + 2));
}

QueriesKeysValues attention_input_of_views(std::uint64_t seed) {
    return leaves_of(tensor::transpose(random({4, 3}, seed)),
                     tensor::slice(random({5, 8}, seed + 1), 1, 0, tensor::to_the_end, 2),
                     tensor::transpose(random({2, 5}, seed + 2)));
}

QueriesKeysValues attention_input_far_apart(std::uint64_t seed) {
    const Tensor far = tensor::of({{3000}, {-3000}, {0}});
    return leaves_of(tensor::concatenate({far, random({3, 3}, seed)}, 1),
                     tensor::concatenate({tensor::ones({5, 1}), random({5, 3}, seed + 1)}, 1),
                     random({5, 2}, seed + 2));
}

QueriesKeysValues attention_input_with_zeros(std::uint64_t seed) {
    const Tensor Q = tensor::of({{1, 0, 0, 0}, {0, 0, 0, 0}, {0, 2, 0, -1}});
    const Tensor K =
        tensor::of({{0, 1, 3, 2}, {2, 0, 1, 0}, {-1, 0.5, 0, 0.5}, {0, 0, 0, 0}, {0, 0.3, 1, 0.4}});
    const Tensor V = random({5, 2}, seed) * tensor::of({{1}, {1}, {0}, {1}, {1}});
    return leaves_of(Q, K, V);
}

QueriesKeysValues attention_input_side_by_side(std::uint64_t seed) {
    const Tensor all = random({5, 12}, seed);
    return leaves_of(tensor::slice(all, 1, 0, 4), tensor::slice(all, 1, 4, 8),
                     tensor::slice(all, 1, 8));
}

QueriesKeysValues attention_input_of_large_value() {
    return leaves_of(tensor::of({{11, 11}}), tensor::of({{2, 1}, {0, 0.5}, {1, 2}}),
                     tensor::of({{1, -2}, {3e12, 4e12}, {-1, 3}}));
}

Law earlier_results_stay(const std::function<Stages()>& first,
                         const std::function<Stages()>& next) {
    return {"a second call leaves the result of the first as it was",
            [=] { return earlier_results_change(first, next); }};
}

}  // namespace exercise
