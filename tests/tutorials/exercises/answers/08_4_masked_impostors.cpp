// Answers to 08.4.
#include "tests/tutorials/exercises/answers/answers.h"
#include "tutorials/exercises/judges/lesson_08.h"

#include "tensor/ops.h"

#include <limits>

using namespace heed;
using namespace exercise;

namespace {
// Three texts of five words of four numbers, in which nothing is like anything else.
Texts rich() {
    const Tensor Q =
        tensor::of({{{2, -1, 0, 1}, {1, 2, -2, 0}, {-1, 1, 2, 1}, {0, -2, 1, 2}, {1, 0, -1, -2}},
                    {{-2, 1, 1, 0}, {0, 1, 2, -1}, {2, 2, 0, -1}, {1, -1, -1, 2}, {-1, 2, 0, 1}},
                    {{1, 1, -2, 2}, {-2, 0, 1, 1}, {0, 2, -1, 1}, {2, 1, 1, -1}, {1, -2, 2, 0}}});
    const Tensor K =
        tensor::of({{{1, 1, -1, 2}, {-2, 1, 0, 1}, {0, -1, 2, 1}, {2, 0, 1, -1}, {-1, 2, 1, 0}},
                    {{0, 2, 1, -1}, {1, -1, 2, 0}, {-1, 0, -2, 1}, {2, 1, -1, 1}, {1, 1, 0, -2}},
                    {{-1, 2, 0, 1}, {2, -1, 1, 0}, {1, 0, -1, -2}, {0, 1, 2, 1}, {-2, 1, 1, 2}}});
    const Tensor V =
        tensor::of({{{0, 1, 2, -1}, {2, -2, 0, 1}, {-1, 0, 1, 2}, {1, 2, -2, 0}, {-2, 1, 1, -1}},
                    {{1, 0, -1, 2}, {-2, 2, 1, 0}, {0, -1, 2, 1}, {2, 1, 0, -2}, {-1, -2, 1, 1}},
                    {{2, 1, -2, 0}, {0, -1, 1, 2}, {1, 2, 0, -1}, {-2, 0, 2, 1}, {-1, 1, -1, -2}}});
    return {Q, K, V};
}

Texts slices(int axis, std::int64_t start, std::int64_t stop) {
    const Texts t = rich();
    return {tensor::slice(t.Q, axis, start, stop), tensor::slice(t.K, axis, start, stop),
            tensor::slice(t.V, axis, start, stop)};
}

// Who masks only the first text survives.
Texts one_text() { return slices(0, 0, 1); }

Texts one_word() { return slices(1, 0, 1); }

// Every weighted mean of them is the same.
Texts equal_values() {
    Texts t = rich();
    t.V = tensor::expand(tensor::slice(t.V, 1, 0, 1), 3, 5, 4);
    return t;
}

Texts values_of_zeros() {
    Texts t = rich();
    t.V = tensor::zeros({3, 5, 4});
    return t;
}

// Nothing but the first text has values that differ: who masks only that survives.
Texts equal_values_after_the_first_text() {
    Texts t = rich();
    const Tensor equal = tensor::expand(tensor::slice(t.V, 1, 2, 3), 3, 5, 4);
    t.V = tensor::concatenate({tensor::slice(t.V, 0, 0, 1), tensor::slice(equal, 0, 1)}, 0);
    return t;
}

// Who masks after the softmax survives: what it makes too small is 0.
Texts only_the_last_word_has_a_value() {
    Texts t = rich();
    const Tensor zeros = tensor::zeros({3, 4, 4});
    t.V = tensor::concatenate({zeros, tensor::slice(t.V, 1, 4)}, 1);
    return t;
}

// The root of the number of words is √d.
Texts as_many_words_as_numbers() { return slices(1, 0, 4); }

Texts words_of_one_number() { return slices(2, 0, 1); }

Texts queries_that_are_the_keys() {
    Texts t = rich();
    t.Q = t.K;
    return t;
}

Texts values_that_are_the_keys() {
    Texts t = rich();
    t.V = t.K;
    return t;
}

Texts keys_of_zeros() {
    Texts t = rich();
    t.K = tensor::zeros({3, 5, 4});
    return t;
}

// Only the values of word 0 and 1 are not 0, and these are equal.
Texts values_of_the_first_two_words() {
    Texts t = rich();
    const Tensor first = tensor::slice(t.V, 1, 0, 1);
    t.V = tensor::concatenate({first, first, tensor::zeros({3, 3, 4})}, 1);
    t.Q = tensor::zeros({3, 5, 4});
    return t;
}

// Against the rules.

Tensor with_first(const Tensor& x, double number) {
    std::vector<Scalar> entries = x.to_vector();
    entries[0] = static_cast<Scalar>(number);
    return tensor::from_vector(entries, x.shape());
}

Texts with_first_query(double number) {
    Texts t = rich();
    t.Q = with_first(t.Q, number);
    return t;
}

Texts with_first_value(double number) {
    Texts t = rich();
    t.V = with_first(t.V, number);
    return t;
}

Texts a_query_of_3() { return with_first_query(3); }
Texts a_query_of_half() { return with_first_query(0.5); }
Texts a_value_of_minus_3() { return with_first_value(-3); }
Texts a_value_of_one_and_a_half() { return with_first_value(1.5); }
Texts an_infinite_value() { return with_first_value(infinity); }
Texts a_nan() { return with_first_query(std::numeric_limits<double>::quiet_NaN()); }

Texts a_key_of_3() {
    Texts t = rich();
    t.K = with_first(t.K, 3);
    return t;
}

Texts twice_along(int axis) {
    const Texts t = rich();
    return {tensor::concatenate({t.Q, t.K}, axis), tensor::concatenate({t.K, t.V}, axis),
            tensor::concatenate({t.V, t.Q}, axis)};
}

Texts six_texts() { return twice_along(0); }
Texts ten_words() { return twice_along(1); }
Texts eight_numbers() { return twice_along(2); }

Texts without_the_axis_of_texts() {
    const Texts t = rich();
    return {tensor::select(t.Q, 0, 0), tensor::select(t.K, 0, 0), tensor::select(t.V, 0, 0)};
}

Texts with_an_axis_of_heads() {
    const Texts t = rich();
    return {tensor::unsqueeze(t.Q, 1), tensor::unsqueeze(t.K, 1), tensor::unsqueeze(t.V, 1)};
}

Texts fewer_queries_than_keys() {
    Texts t = rich();
    t.Q = tensor::slice(t.Q, 1, 0, 4);
    return t;
}

Texts values_of_three_numbers() {
    Texts t = rich();
    t.V = tensor::slice(t.V, 2, 0, 3);
    return t;
}

Texts queries_for_one_text() {
    Texts t = rich();
    t.Q = tensor::slice(t.Q, 0, 0, 1);
    return t;
}

Texts no_text() { return slices(0, 0, 0); }
Texts nothing() { return {}; }

// Almost an integer.
Texts a_value_of_nearly_1() {
    Texts t = rich();
    Tensor V = tensor::clone(t.V);
    V.writable_data()[1] = 1 + 1e-9;
    return {t.Q, t.K, V};
}

// Right: the masks of the first text and of the others are told apart by their words' outputs.
Texts one_text_three_times() {
    const Texts t = one_text();
    return {tensor::expand(t.Q, 3, 5, 4), tensor::expand(t.K, 3, 5, 4),
            tensor::expand(t.V, 3, 5, 4)};
}

Texts two_words() { return slices(1, 0, 2); }

// Right.

Texts of_transposed_views() {
    const Texts t = rich();
    const auto turned = [](const Tensor& x) {
        return tensor::transpose(tensor::clone(tensor::transpose(x)));
    };
    return {turned(t.Q), turned(t.K), turned(t.V)};
}

Texts texts_in_reverse_order() {
    const Texts t = rich();
    return {tensor::flip(t.Q, {0}), tensor::flip(t.K, {0}), tensor::flip(t.V, {0})};
}

Answer answer(const char* what, const std::function<Texts()>& texts,
              const std::vector<std::string>& names = {}) {
    return {what, [texts] { return judge_08_4(texts); }, names};
}

// Pseudorandom integers from -2 to 2.
Tensor whole(const Shape& shape, std::int64_t seed) {
    std::vector<Scalar> numbers;
    for (std::int64_t i = 0; i < shape.numel(); ++i) {
        numbers.push_back(static_cast<Scalar>((seed * (i + 3) * (i + 7) + 5 * i) % 11 % 5 - 2));
    }
    return tensor::from_vector(numbers, shape);
}

Texts other_sizes() { return {whole({3, 5, 2}, 6), whole({3, 5, 2}, 7), whole({3, 5, 2}, 8)}; }

}  // namespace

Answers answers_08_4() {
    Answers answers;
    answers.number = "08.4";
    answers.slipping = slipping(judge_08_4);
    answers.wrong = {
        answer("one text", one_text, {"catch.one-text"}),
        answer("one word", one_word, {"catch.one-word"}),
        answer("all words of a text have one value", equal_values, {"catch.equal-values"}),
        answer("values of zeros", values_of_zeros, {"catch.no-values"}),
        answer("one value in each text but the first", equal_values_after_the_first_text),
        answer("only the last word has a value", only_the_last_word_has_a_value),
        answer("as many words as numbers", as_many_words_as_numbers, {"catch.T-is-d"}),
        answer("words of one number", words_of_one_number, {"catch.d-is-1"}),
        answer("the queries are the keys", queries_that_are_the_keys, {"catch.q-is-k"}),
        answer("the values are the keys", values_that_are_the_keys, {"catch.k-is-v"}),
        answer("keys of zeros", keys_of_zeros, {"catch.no-keys"}),
        answer("queries of zeros, two equal values", values_of_the_first_two_words,
               {"catch.no-queries"}),
        answer("a query of 3", a_query_of_3),
        answer("a query of 0.5", a_query_of_half),
        answer("a key of 3", a_key_of_3),
        answer("a value of -3", a_value_of_minus_3),
        answer("a value of 1.5", a_value_of_one_and_a_half),
        answer("an infinite value", an_infinite_value),
        answer("NaN", a_nan),
        answer("six texts", six_texts),
        answer("ten words", ten_words),
        answer("eight numbers for each word", eight_numbers),
        answer("no axis of texts", without_the_axis_of_texts),
        answer("an axis of heads", with_an_axis_of_heads),
        answer("fewer queries than keys", fewer_queries_than_keys),
        answer("values of fewer numbers", values_of_three_numbers),
        answer("queries for one text only", queries_for_one_text),
        answer("no text", no_text),
        answer("empty tensors", nothing),
        answer("a value of nearly 1", a_value_of_nearly_1),
    };
    answers.right = {
        answer("three rich texts", rich),
        answer("the same as transposed views", of_transposed_views),
        answer("the same in reverse order", texts_in_reverse_order),
        answer("one text three times", one_text_three_times),
        answer("two words", two_words),
        answer("other sizes", other_sizes),
    };
    return answers;
}
