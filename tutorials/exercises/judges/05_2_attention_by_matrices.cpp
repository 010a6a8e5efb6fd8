#include "tutorials/exercises/judges/common_qkv.h"
#include "tutorials/exercises/judges/lesson_05.h"
#include "tutorials/exercises/judging/kit.h"

using namespace heed;

namespace exercise {
namespace {
DotAttention walk(const QueriesKeysValues& in, const Slips& slip) {
    const AttentionSteps steps = attention_walk(in, Scaling::none, slip);
    // y_i = Σ_j a_ij x_i, as in notes 000 and 004: the result is the word itself.
    const Variable& output = slip("att.own-value") ? in.Q : steps.output;
    return {steps.scores.value(), steps.weights.value(), output.value()};
}

std::vector<Mistake> mistakes() {
    return joined(
        attention_mistakes(Scaling::none),
        std::vector<Mistake>{
            {"att.own-value",
             "the output was the query itself, as in Σ_j a_ij x_i, where the weights sum to 1",
             "What is added up, the word that asks or the words it looks at?",
             "Compare output[0] with Q[0]."}});
}

Stages stages(const ByMatrices& attend, const QueriesKeysValues& in) {
    const DotAttention yours = attend(in.Q.value(), in.K.value(), in.V.value());
    return {{"scores", yours.scores}, {"weights", yours.weights}, {"output", yours.output}};
}

QueriesKeysValues of_seed(std::uint64_t seed) {
    return random_attention_input({{}, 3, 5, 6, 2}, seed);
}

std::string sums_of_rows(const ByMatrices& attend) {
    return rows_sum_to_1(stages(attend, of_seed(40))[1].value);
}

Inputs<QueriesKeysValues> inputs() {
    const Variable words = random_attention_input({{}, 6, 6, 4, 4}, 191).Q;
    return {
        {"3 queries and 5 keys of 6 numbers", of_seed(1)},
        {"3 other queries and 5 other keys", of_seed(101)},
        {"5 queries and 3 keys", random_attention_input({{}, 5, 3, 4, 7}, 111)},
        {"5 words with keys and values of 4", random_attention_input({{}, 5, 5, 4, 4}, 11)},
        {"4 words of 4 numbers", random_attention_input({{}, 4, 4, 4, 4}, 91)},
        {"6 words that are their own queries, keys and values", {words, words, words}},
        {"keys around ±1000", random_attention_input({{}, 3, 5, 6, 2}, 21, 30)},
        {"queries whose scores lie thousands apart", attention_input_far_apart(121)},
        {"scores of exactly 0", attention_input_with_zeros(131)},
        {"matrices that are views", attention_input_of_views(141)},
        {"queries, keys and values side by side in one tensor", attention_input_side_by_side(211)},
        {"a value of 10^12 whose weight is very small", attention_input_of_large_value()},
        {"one query, one key", random_attention_input({{}, 1, 1, 3, 2}, 31)},
        {"4 queries and one key of one number", random_attention_input({{}, 4, 1, 1, 3}, 151)},
        {"one query and 5 keys, values of one number",
         random_attention_input({{}, 1, 5, 2, 1}, 161)},
        {"3 queries and 4 keys of 130 numbers, values of 70",
         random_attention_input({{}, 3, 4, 130, 70}, 201, 0.2)},
        {"70 queries and 130 keys", random_attention_input({{}, 70, 130, 3, 2}, 171)},
        {"20 queries and 130 keys of large numbers",
         random_attention_input({{}, 20, 130, 3, 2}, 181, 25)},
        {"the first queries and keys again", of_seed(1)},
    };
}

Rules<ByMatrices> rules() {
    return {
        .number = "05.2",
        .title = "Attention by matrices",
        .reference =
            [](const Slips& slip) {
                return [=](const Tensor& Q, const Tensor& K, const Tensor& V) {
                    return walk({Variable(Q), Variable(K), Variable(V)}, slip);
                };
            },
        .cases = on_each(stages, inputs()),
        .laws = {{"the weights of a query sum to 1", sums_of_rows},
                 earlier_results_stay(stages, of_seed(50), of_seed(60))},
        .mistakes = mistakes(),
        .hints =
            {"Which product of two matrices holds all dot products at once?",
             "Lesson 05.3; print the shapes of all you multiply",
             "S = Q·Kᵀ, A = softmax of S along the keys, Y = A·V",
             "matmul(Q, transpose(K)), softmax(scores, -1), matmul(weights, V), all of tensor::"},
        .cause_of_nan = "∞ / ∞ or 0 / 0 in a softmax, where exp overflows or underflows",
    };
}

}  // namespace

const Judge<ByMatrices> judge_05_2(rules);

}  // namespace exercise
