#include "tutorials/exercises/judges/common_attention.h"
#include "tutorials/exercises/judges/common_impostors.h"
#include "tutorials/exercises/judges/lesson_08.h"
#include "tutorials/exercises/judging/kit.h"

using namespace heed;
using namespace exercise::impostors;

namespace exercise {
namespace {
std::vector<Impostor> impostors_here() {
    return {
        {"mask.absent", "one without a mask"},
        {"mask.upper", "one that masks the past, and not the future"},
        {"mask.strict", "one in which no word sees itself"},
        {"mask.plus1", "one in which each word sees the next"},
        {"mask.fill0", "one that sets the scores of the future to 0"},
        {"mask.fill-small", "one that sets the scores of the future to -1"},
        {"mask.after", "one that sets the weights of the future to 0 after the softmax"},
        {"mask.one-head", "one that masks only the first text"},
        {"sm.cols", "one whose softmax runs over the queries"},
        {"sm.all", "one whose softmax divides by the sum of all rows"},
        {"att.kq", "one that computes K·Qᵀ for Q·Kᵀ"},
        {"att.keys-from-queries", "one that computes Q·Qᵀ for Q·Kᵀ"},
        {"att.no-scale", "one that does not divide by √d"},
        {"att.scale-T", "one that divides by the root of the number of words"},
        {"att.values-from-keys", "one that adds up weighted keys, and not values"},
        {"att.weights-T", "one that transposes the weights"},
    };
}

Tensor output_of(const Input& texts, const Slips& slip) {
    const QueriesKeysValues in = {Variable(texts.Q), Variable(texts.K), Variable(texts.V)};
    const std::int64_t T = texts.Q.dim(1), d = texts.Q.dim(2);
    return attention(in, {.d_model = d, .blocked = causal_blocked(T, slip)}, slip).output.value();
}

// By more than fifty times the tolerance.
bool differ(const Tensor& a, const Tensor& b) {
    return !tensor::all_close(a, b, 50 * tolerance, 50 * tolerance);
}

// Each word replaced by the first of its text.
Tensor first_word(const Tensor& x) {
    return tensor::contiguous(tensor::expand(tensor::slice(x, 1, 0, 1), x.shape()));
}

std::string unusable(const Input& texts) {
    const Shape& shape = texts.Q.shape();
    if (shape.rank() != 3) return "Q has shape " + shape.text() + ", not [texts, words, d].";
    if (!(texts.K.shape() == shape) || !(texts.V.shape() == shape)) {
        return "Q, K and V have shapes " + shape.text() + ", " + texts.K.shape().text() + ", " +
               texts.V.shape().text() + ", which should be the same.";
    }
    if (texts.Q.numel() == 0) return "Q has shape " + shape.text() + ": an axis is empty.";
    if (shape[0] > 5 || shape[1] > 5 || shape[2] > 4) {
        return "Q has shape " + shape.text() + "; at most 5 texts of 5 words, and d at most 4.";
    }
    for (const Tensor& x : {texts.Q, texts.K, texts.V}) {
        for (const Scalar entry : x.to_vector()) {
            if (std::fabs(entry) <= 2 && entry == std::floor(entry)) continue;
            return "One entry is " + fixed(entry, 6) + ", not an integer from -2 to 2.";
        }
    }
    return "";
}

// The properties of a flawed input.
bool one_word(const Input& x) { return x.Q.dim(1) == 1; }
bool one_text(const Input& x) { return x.Q.dim(0) == 1; }
bool as_many_words_as_numbers(const Input& x) { return x.Q.dim(1) == x.Q.dim(2); }
bool one_number(const Input& x) { return x.Q.dim(2) == 1; }
bool queries_are_keys(const Input& x) { return !differ(x.Q, x.K) && differ(x.K, x.V); }
bool keys_are_values(const Input& x) { return !differ(x.K, x.V) && differ(x.Q, x.K); }
bool all_the_same(const Input& x) { return !differ(x.Q, x.K) && !differ(x.K, x.V); }
bool equal_values(const Input& x) { return !differ(x.V, first_word(x.V)) && differ(x.V, x.V * 0); }
bool no_values(const Input& x) { return !differ(x.V, x.V * 0); }
bool no_queries(const Input& x) { return (x.Q == 0).all(); }
bool no_keys(const Input& x) { return (x.K == 0).all(); }

// An input made flawed.
Input with_equal_values(const Input& x) { return {x.Q, x.K, first_word(x.V)}; }
Input without_values(const Input& x) { return {x.Q, x.K, x.V * 0}; }
Input without_queries(const Input& x) { return {x.Q * 0, x.K, x.V}; }
Input without_keys(const Input& x) { return {x.Q, x.K * 0, x.V}; }

std::vector<Flaw> flaws() {
    return {
        {{"catch.one-word", "the texts had one word each, which has no future",
          "What can a mask do to one word?", "The middle number of Q's shape."},
         one_word,
         as_it_is},
        {{"catch.one-text", "there was only one text", "Who takes no notice of a second text?",
          "The first number of Q's shape."},
         one_text,
         as_it_is},
        {{"catch.T-is-d", "a text had as many words as a word has numbers",
          "Which roots are the same for your sizes?", "The last two numbers of Q's shape."},
         as_many_words_as_numbers,
         as_it_is},
        {{"catch.d-is-1", "each word had a single number, so that √d is 1",
          "What is √d for your words?", "The last number of Q's shape."},
         one_number,
         as_it_is},
        {{"catch.all-the-same", "queries, keys and values were the same numbers",
          "What is Q·Qᵀ for your texts, and what Q·Kᵀ?", "Compare your Q, K and V."},
         all_the_same,
         with_one_for_all},
        {{"catch.q-is-k", "queries and keys were the same numbers",
          "What is Q·Qᵀ for your texts, and what Q·Kᵀ?", "Compare your Q with your K."},
         queries_are_keys,
         with_queries_for_keys},
        {{"catch.k-is-v", "keys and values were the same numbers", "What do the weights meet?",
          "Compare your K with your V."},
         keys_are_values,
         with_keys_for_values},
        {{"catch.equal-values",
          "all words of a text had the same value, which any weighted sum of them gives back",
          "What does a weighted sum of equal values depend on, if the weights sum to 1?",
          "The rows of your V."},
         equal_values,
         with_equal_values},
        {{"catch.no-values", "all values were 0, and so is any weighted sum of them",
          "What does a weighted sum of zeros depend on?", "The rows of your V."},
         no_values,
         without_values},
        {{"catch.no-queries", "all queries were 0, and so all scores, which no scale changes",
          "What are your scores? What are they divided by √d?", "Q·Kᵀ of your texts."},
         no_queries,
         without_queries},
        {{"catch.no-keys", "all keys were 0, and so all scores, which no scale changes",
          "What are your scores? What are they divided by √d?", "Q·Kᵀ of your texts."},
         no_keys,
         without_keys},
    };
}

// Pseudorandom integers from -2 to 2.
Tensor whole(const Shape& shape, std::int64_t seed) {
    std::vector<Scalar> numbers;
    for (std::int64_t i = 0; i < shape.numel(); ++i) {
        numbers.push_back(static_cast<Scalar>((seed * (i + 3) * (i + 7) + 5 * i) % 11 % 5 - 2));
    }
    return tensor::from_vector(numbers, shape);
}

Lineup lineup() { return {impostors_here(), output_of, differ, flaws(), unusable}; }

CatchingTexts reference(const Slips& slip) {
    Shape shape{2, 4, 3};
    if (slip("catch.one-word")) shape = {2, 1, 3};
    if (slip("catch.one-text")) shape = {1, 4, 3};
    if (slip("catch.T-is-d")) shape = {2, 3, 3};
    if (slip("catch.d-is-1")) shape = {3, 5, 1};
    const Input texts = flawed({whole(shape, 2), whole(shape, 3), whole(shape, 4)}, lineup(), slip);
    return [=] { return Texts{texts.Q, texts.K, texts.V}; };
}

Rules<CatchingTexts> rules() {
    return {
        .number = "08.4",
        .title = "Catch the impostors of the mask",
        .reference = reference,
        .hints = {"For which texts does this impostor give the same numbers as the honest one?",
                  "Take the first that still passes, and work out its weights for word 0 and for "
                  "the last",
                  "More than one text, more than one word, d another number; Q, K and V all "
                  "different, and "
                  "no word like another",
                  "Start from the solution's sizes, 2 texts of 3 words of 2 numbers, and avoid "
                  "equal rows"},
        .more =
            [](Exercise& exercise, const CatchingTexts& texts) {
                add_to(exercise, lineup(), [=]() -> Input {
                    const Texts its = texts();
                    return {its.Q, its.K, its.V};
                });
            },
    };
}

}  // namespace

const Judge<CatchingTexts> judge_08_4(rules);

}  // namespace exercise
