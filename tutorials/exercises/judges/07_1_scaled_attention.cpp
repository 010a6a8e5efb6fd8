#include "tutorials/exercises/judges/common_qkv.h"
#include "tutorials/exercises/judges/lesson_07.h"
#include "tutorials/exercises/judging/kit.h"

using namespace heed;

namespace exercise {
namespace {
std::vector<Leaf> needing_gradients(const std::vector<Leaf>& inputs) {
    std::vector<Leaf> leaves;
    for (const Leaf& input : inputs) {
        if (input.variable.requires_grad()) leaves.push_back(input);
    }
    return leaves;
}

Stages values(const Attend& attend, const QueriesKeysValues& in) {
    const ScaledAttention yours = attend(in.Q, in.K, in.V);
    return stages_of({yours.scores, yours.weights, yours.output});
}

// Each of the three is differentiated, in a graph of its own.
Stages stages(const Attend& attend, const QueriesKeysValues& in) {
    const auto attended = [&] { return attend(in.Q, in.K, in.V); };
    const ScaledAttention yours = attended();
    Stages found = with_gradients(stages_of({yours.scores, yours.weights, yours.output}),
                                  yours.output, needing_gradients(leaves_of(in)));
    found = with_gradients(
        found, attended().weights,
        needing_gradients({{"Q from weights alone", in.Q}, {"K from weights alone", in.K}}));
    return with_gradients(
        found, attended().scores,
        needing_gradients({{"Q from scores alone", in.Q}, {"K from scores alone", in.K}}));
}

Inputs<QueriesKeysValues> inputs() {
    const QueriesKeysValues some = random_attention_input({{2}, 3, 4, 5, 2}, 251);
    const Variable words = random_attention_input({{}, 6, 6, 5, 5}, 211).Q;
    return {
        {"3 queries and 5 keys of 6 numbers", random_attention_input({{}, 3, 5, 6, 2}, 1)},
        {"3 other queries and 5 other keys", random_attention_input({{}, 3, 5, 6, 2}, 101)},
        {"2 texts, 3 heads", random_attention_input({{2, 3}, 4, 5, 7, 2}, 11)},
        {"2 texts, 5 queries and 3 keys", random_attention_input({{2}, 5, 3, 4, 7}, 111)},
        {"3 leading axes, [2, 1, 3]", random_attention_input({{2, 1, 3}, 2, 4, 5, 3}, 121)},
        {"5 words with keys and values of 7", random_attention_input({{2}, 5, 5, 7, 7}, 21)},
        {"4 words of 4 numbers", random_attention_input({{}, 4, 4, 4, 4}, 91)},
        {"keys around ±1000", random_attention_input({{}, 3, 5, 6, 2}, 31, 30)},
        {"queries whose scores lie thousands apart", attention_input_far_apart(131)},
        {"scores of exactly 0", attention_input_with_zeros(141)},
        {"variables whose tensors are views", attention_input_of_views(151)},
        {"queries, keys and values side by side in one tensor", attention_input_side_by_side(241)},
        {"a value of 10^12 whose weight is very small", attention_input_of_large_value()},
        {"keys and values that need no gradient", {some.Q, some.K.detach(), some.V.detach()}},
        {"queries and keys that need no gradient", {some.Q.detach(), some.K.detach(), some.V}},
        {"one query, one key", random_attention_input({{}, 1, 1, 3, 2}, 61)},
        {"one query and 5 keys of 2 numbers", random_attention_input({{}, 1, 5, 2, 3}, 191)},
        {"2 texts, one query and 4 keys", random_attention_input({{2}, 1, 4, 3, 2}, 201)},
        {"6 words that are their own queries, keys and values", {words, words, words}},
        {"one text, 4 queries and one key of one number",
         random_attention_input({{1}, 4, 1, 1, 3}, 161)},
        {"3 queries and 4 keys of 130 numbers, values of 70",
         random_attention_input({{}, 3, 4, 130, 70}, 221, 0.5)},
        {"70 texts", random_attention_input({{70}, 2, 3, 2, 2}, 231)},
        {"20 queries and 130 keys", random_attention_input({{}, 20, 130, 3, 2}, 171)},
        {"20 queries and 130 keys of large numbers",
         random_attention_input({{}, 20, 130, 3, 2}, 181, 25)},
        {"the first queries and keys again", random_attention_input({{}, 3, 5, 6, 2}, 1)},
    };
}

Mistake constant(const std::string& id, const std::string& what, const std::string& where) {
    return {id,
            what + " was a constant on its way to the output, so that no gradient passed it",
            {"Which way do gradients take back from the output?",
             "Look for value() or detach() " + where + "."}};
}

std::vector<Mistake> detached() {
    return {{"train.detached",
             "the output was a constant, so that nothing could be learned from it",
             "Which way do gradients take back from the output?",
             "Look for value() or detach() where the output is computed."},
            constant("att.detached-Q", "Q", "where Q is used"),
            constant("att.detached-K", "K", "where K is used"),
            constant("att.detached-V", "V", "where V is used"),
            constant("att.detached-weights", "the tensor of weights",
                     "between the softmax and the output"),
            constant("sm.detached-sum", "the sum in the softmax", "in the softmax")};
}

std::string shuffled(const Attend& attend) {
    const QueriesKeysValues in = random_attention_input({{}, 3, 5, 6, 2}, 40);
    const IndexTensor order({3, 0, 4, 2, 1});
    const Variable K(tensor::index_select(in.K.value(), 0, order));
    const Variable V(tensor::index_select(in.V.value(), 0, order));
    const Tensor before = tensor::clone(attend(in.Q, in.K, in.V).output.value());
    const std::string change = first_change(before, attend(in.Q, K, V).output.value());
    return change.empty()
               ? ""
               : "Keys and values were reordered alike, and of the output, " + change + ".";
}

std::string equal_scores(const Attend& attend) {
    const QueriesKeysValues in = random_attention_input({{}, 3, 5, 6, 2}, 50);
    const Tensor mean = tensor::mean(in.V.value(), 0) + tensor::zeros({3, 2});
    const Tensor output = attend(Variable(tensor::zeros({3, 6})), in.K, in.V).output.value();
    if (output.shape() != mean.shape())
        return "The output has shape " + output.shape().text() + ".";
    const std::string off = difference(output, mean);
    return off.empty() ? "" : "For queries of zeros the output " + off + ".";
}

QueriesKeysValues of_seed(std::uint64_t seed) {
    return random_attention_input({{2}, 3, 5, 6, 2}, seed);
}

std::string sums_of_rows(const Attend& attend) {
    return rows_sum_to_1(stage(values(attend, of_seed(70)), "weights"));
}

Attend reference(const Slips& slip) {
    return [=](const Variable& Q, const Variable& K, const Variable& V) {
        const AttentionSteps s = attention_walk({Q, K, V}, Scaling::root_of_d_k, slip);
        return ScaledAttention{s.scores, s.weights, s.output};
    };
}

Rules<Attend> rules() {
    return {
        .number = "07.1",
        .title = "Scaled dot-product attention",
        .reference = reference,
        .cases = on_each(stages, inputs()),
        .laws = {{"the weights of a query sum to 1", sums_of_rows},
                 earlier_results_stay(values, of_seed(80), of_seed(90)),
                 {"the order of the keys, each with its value, does not matter", shuffled},
                 {"equal scores give the mean of the values", equal_scores}},
        .mistakes = joined(attention_mistakes(Scaling::root_of_d_k), detached()),
        .hints =
            {"Which number says how well query i and key j match, and how does it grow with d_k?",
             "Lesson 07.5 has all three stages; in the debugger, tensor scores and tensor weights",
             "softmax(Q·Kᵀ/√d_k)·V, the softmax along the keys, d_k the dimension of a key",
             "matmul(Q, transpose(K)) / sqrt(d_k), then softmax(scores, -1), then "
             "matmul(weights, V)"},
        .factors = {{"√6", 2.449489742783178}, {"1/√6", 0.4082482904638630}},
        .cause_of_nan = "∞ / ∞ or 0 / 0 in a softmax, where exp overflows or underflows",
    };
}

}  // namespace

const Judge<Attend> judge_07_1(rules);

}  // namespace exercise
