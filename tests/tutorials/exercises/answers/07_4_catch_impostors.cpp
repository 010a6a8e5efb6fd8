// Answers to 07.4.
#include "tests/tutorials/exercises/answers/answers.h"
#include "tutorials/exercises/judges/lesson_07.h"
#include "tutorials/exercises/judging/inputs.h"

#include "tensor/ops.h"

#include <limits>
#include <stdexcept>

using namespace heed;
using namespace exercise;

namespace {
// Every length another, and all entries random.
AttentionInput random_input(const Shape& Q, const Shape& K, const Shape& V) {
    Random random(1);
    const Tensor queries = tensor::normal(Q, random);
    const Tensor keys = tensor::normal(K, random);
    return {queries, keys, tensor::normal(V, random)};
}

AttentionInput ordinary() { return random_input({3, 4}, {5, 4}, {5, 2}); }

// Who forgets √d_k survives.
AttentionInput scores_of_one_feature() { return random_input({3, 1}, {5, 1}, {5, 2}); }

AttentionInput one_key() { return random_input({3, 4}, {1, 4}, {1, 2}); }

AttentionInput queries_of_zeros() {
    AttentionInput input = ordinary();
    input.Q = tensor::zeros_like(input.Q);
    return input;
}

AttentionInput equal_keys() {
    AttentionInput input = ordinary();
    input.K = tensor::expand(tensor::slice(input.K, 0, 0, 1), 5, 4);
    return input;
}

AttentionInput equal_values() {
    AttentionInput input = ordinary();
    input.V = tensor::expand(tensor::slice(input.V, 0, 0, 1), 5, 2);
    return input;
}

// All weights are 0 or 1, with √d_k and without.
AttentionInput huge_scores() {
    const Tensor Q = tensor::of({{4000, 1, 2, 1}, {1, 5000, 3, 2}, {2, 1, 6000, 1}});
    const Tensor K =
        tensor::of({{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}, {-1, 0, 0, 0}});
    return {Q, K, ordinary().V};
}

// All weights are equal, to the last bit.
AttentionInput tiny_scores() {
    AttentionInput input = ordinary();
    input.Q = input.Q * 1e-12;
    input.K = input.K * 1e-12;
    return input;
}

// Who takes K for V survives.
AttentionInput values_that_are_the_keys() {
    AttentionInput input = ordinary();
    input.V = input.K;
    return input;
}

AttentionInput one_tensor_for_all() {
    Random random(1);
    const Tensor X = tensor::normal({4, 3}, random);
    return {X, X, X};
}

// Scores with the same softmax along columns as along rows.
AttentionInput unit_queries_and_keys() {
    Random random(1);
    return {tensor::eye(3), tensor::eye(3), tensor::normal({3, 2}, random)};
}

AttentionInput as_many_keys_as_features() { return random_input({3, 4}, {4, 4}, {4, 2}); }

AttentionInput queries_that_are_the_keys() {
    AttentionInput input = random_input({5, 3}, {5, 3}, {5, 4});
    input.Q = input.K;
    return input;
}

// They differ, but by less than is noticed.
AttentionInput values_that_hardly_differ() {
    AttentionInput input = equal_values();
    input.V = input.V + 1e-6 * ordinary().V;
    return input;
}

// Two flaws: Q·Qᵀ passes, and the root of the number of keys.
AttentionInput square_queries_that_are_the_keys() {
    AttentionInput input = random_input({4, 4}, {4, 4}, {4, 3});
    input.Q = input.K;
    return input;
}

AttentionInput values_of_zeros() {
    AttentionInput input = ordinary();
    input.V = tensor::zeros_like(input.V);
    return input;
}

// Nothing differs by more than is noticed.
AttentionInput values_of_a_millionth() {
    AttentionInput input = ordinary();
    input.V = input.V * 1e-6;
    return input;
}

// Where the largest score is far ahead, √d_k changes nothing, and the sum of scores is not 0.
AttentionInput a_query_of_zeros_and_a_hard_one() {
    AttentionInput input = random_input({2, 4}, {5, 4}, {5, 2});
    input.Q = tensor::concatenate({tensor::zeros({1, 4}), 1e4 * tensor::ones({1, 4})}, 0);
    return input;
}

// Against the rules.

AttentionInput none() { throw std::runtime_error("no input"); }

AttentionInput keys_of_another_length() { return random_input({3, 4}, {5, 3}, {5, 2}); }

AttentionInput a_value_too_few() { return random_input({3, 4}, {5, 4}, {4, 2}); }

AttentionInput with_a_batch() { return random_input({2, 3, 4}, {2, 5, 4}, {2, 5, 2}); }

AttentionInput a_single_query_without_its_axis() { return random_input({4}, {5, 4}, {5, 2}); }

AttentionInput no_query() { return random_input({0, 4}, {5, 4}, {5, 2}); }

AttentionInput nothing() { return {}; }

AttentionInput an_infinite_key() {
    AttentionInput input = ordinary();
    input.K = tensor::masked_fill(input.K, input.K == tensor::max(input.K), infinity);
    return input;
}

AttentionInput a_value_that_is_no_number() {
    AttentionInput input = ordinary();
    const double none = std::numeric_limits<double>::quiet_NaN();
    input.V = tensor::masked_fill(input.V, input.V == tensor::max(input.V), none);
    return input;
}

// Every number is finite, and no score is: the correct output is NaN as well.
AttentionInput scores_that_overflow() {
    return {tensor::full({3, 4}, 1e200), tensor::full({5, 4}, 1e200), ordinary().V};
}

// Right.

// Ordinary rows, and one each whose scores are all 0, all far below 0, and very unlike in size.
AttentionInput with_rows_of_all_kinds() {
    AttentionInput input = random_input({7, 5}, {6, 5}, {6, 3});
    const Tensor unlike =
        tensor::of({{0, 0, 0, 0, 0}, {-4000, 0, 0, 0, 0}, {9000, 100, 0, 0, 0}, {0, 0, 1, 1, 0}});
    input.Q = tensor::concatenate({input.Q, unlike}, 0);  // [11, 5]
    // The first feature of every key is positive.
    const Tensor first = tensor::abs(tensor::slice(input.K, 1, 0, 1)) + 1;
    input.K = tensor::concatenate({first, tensor::slice(input.K, 1, 1)}, 1);
    return input;
}

AttentionInput of_transposed_views() {
    const AttentionInput input = with_rows_of_all_kinds();
    const auto turned = [](const Tensor& x) {
        return tensor::transpose(tensor::clone(tensor::transpose(x)));
    };
    return {turned(input.Q), turned(input.K), turned(input.V)};
}

AttentionInput in_reverse_order() {
    const AttentionInput input = with_rows_of_all_kinds();
    return {tensor::flip(input.Q, {0}), tensor::flip(input.K, {0}), tensor::flip(input.V, {0})};
}

AttentionInput equal_queries() {
    AttentionInput input = ordinary();
    input.Q = tensor::expand(tensor::slice(input.Q, 0, 0, 1), 3, 4);
    return input;
}

AttentionInput another_each_time() {
    static std::uint64_t seed = 100;
    Random random(++seed);
    const Tensor Q = tensor::normal({6, 7}, random, 0, 2), K = tensor::normal({9, 7}, random, 0, 2);
    return {Q, K, tensor::normal({9, 4}, random)};
}

AttentionInput many_words() { return random_input({40, 33}, {70, 33}, {70, 20}); }

AttentionInput counted_up() {
    return {tensor::reshape(tensor::arange(6), 3, 2), tensor::reshape(tensor::arange(8), 4, 2),
            tensor::reshape(tensor::arange(20), 4, 5)};
}

Answer answer(const char* what, const CatchingInput& input,
              const std::vector<std::string>& names = {}) {
    return {what, [input] { return judge_07_4(input); }, names};
}

AttentionInput all_shapes_the_same() {
    return {exercise::random({5, 3}, 7), exercise::random({5, 3}, 8), exercise::random({5, 3}, 9)};
}

AttentionInput written_by_hand() {
    return {tensor::of({{1, 0.5}, {-1, 2}, {0.3, 0.2}}),
            tensor::of({{0.4, 1}, {2, -0.5}, {-1, 0.7}}), tensor::of({{1, 2}, {3, -1}, {0.5, 4}})};
}

}  // namespace

Answers answers_07_4() {
    Answers answers;
    answers.number = "07.4";
    answers.slipping = slipping(judge_07_4);
    answers.wrong = {
        answer("d_k is 1", scores_of_one_feature, {"in.d_k=1"}),
        answer("one key", one_key, {"in.one-key"}),
        answer("queries of zeros", queries_of_zeros, {"in.weak"}),
        answer("all keys are equal", equal_keys, {"in.equal-keys"}),
        answer("all values are equal", equal_values, {"in.equal-values"}),
        answer("every score is huge", huge_scores, {"in.hard"}),
        answer("every score is tiny", tiny_scores, {"in.weak"}),
        answer("the values are the keys", values_that_are_the_keys, {"in.k=v"}),
        answer("one tensor for all three", one_tensor_for_all, {"in.q=k=v"}),
        answer("unit vectors as queries and keys", unit_queries_and_keys),
        answer("as many keys as features", as_many_keys_as_features, {"in.T=d"}),
        answer("the queries are the keys", queries_that_are_the_keys, {"in.q=k"}),
        answer("values that hardly differ", values_that_hardly_differ),
        answer("the queries are the keys, as many as features", square_queries_that_are_the_keys,
               {"in.q=k", "in.T=d"}),
        answer("values of zeros", values_of_zeros),
        answer("keys and queries of two lengths", keys_of_another_length),
        answer("a value too few", a_value_too_few),
        answer("a batch of two", with_a_batch),
        answer("a query of rank 1", a_single_query_without_its_axis),
        answer("no query", no_query),
        answer("empty tensors", nothing),
        answer("an infinite key", an_infinite_key),
        answer("a value that is NaN", a_value_that_is_no_number),
        answer("finite numbers whose scores overflow", scores_that_overflow),
        answer("values of a millionth", values_of_a_millionth),
        answer("one query of zeros, and one whose scores lie far apart",
               a_query_of_zeros_and_a_hard_one),
        answer("an exception", none),
    };
    answers.right = {
        answer("rows of all kinds", with_rows_of_all_kinds),
        answer("the same as transposed views", of_transposed_views),
        answer("the same in reverse order", in_reverse_order),
        answer("queries that are all the same", equal_queries),
        answer("another one each time", another_each_time),
        answer("many words", many_words),
        answer("0, 1, 2, ... in each", counted_up),
        answer("all shapes the same, but as many keys as that", all_shapes_the_same),
        answer("written down by hand", written_by_hand),
    };
    return answers;
}
