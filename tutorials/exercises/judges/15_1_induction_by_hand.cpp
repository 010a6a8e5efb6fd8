#include "tutorials/exercises/judges/lesson_15.h"
#include "tutorials/exercises/judging/kit.h"

#include "tensor/random.h"
#include "tensor/runtime/fast_kernels.h"

using namespace heed;

namespace exercise {
namespace {
using Ids = Places;

std::int64_t at(const Ids& ids, std::int64_t i) { return ids[static_cast<std::size_t>(i)]; }

// Where token i looks in the first layer.
Ids before(std::int64_t i, const Slips& slip) {
    if (slip("ind.first-itself")) return {i};
    if (slip("ind.first-to-0")) return {0};
    if (slip("ind.first-next")) return up_to(i);
    const std::int64_t back = slip("ind.first-two-back") ? 2 : 1;
    if (i < back) return up_to(i);
    return {i - back};
}

Tensor first_weights(std::int64_t T, const Slips& slip) {
    std::vector<Tensor> rows;
    for (std::int64_t i = 0; i < T; ++i) rows.push_back(shared_by(before(i, slip), T));
    const Tensor right = tensor::stack(rows);
    if (!slip("ind.first-soft")) return right;
    const Tensor asked =
        tensor::concatenate({tensor::zeros({1, T}), tensor::slice(tensor::eye(T), 0, 0, T - 1)}, 0);
    return weights_by_hand({asked, tensor::eye(T)}, Sees::no_future);
}

// The places up to i before which stood a token like that of i.
Ids matches(const Ids& ids, std::int64_t i, const Slips& slip) {
    Ids found;
    const std::int64_t back = slip("ind.two-after") ? 2 : 1;
    for (std::int64_t j = back; j <= i; ++j) {
        const bool own = slip("ind.strictly-before") && j == i;
        if (at(ids, j - back) == at(ids, i) && !own) found.push_back(j);
    }
    return found;
}

// Where token i looks if nothing matches.
Ids at_rest(std::int64_t i, const Slips& slip) {
    if (slip("ind.no-rest")) return up_to(i);
    if (slip("ind.rests-on-itself")) return {i};
    if (slip("ind.rests-on-1")) return {std::min<std::int64_t>(i, 1)};
    return {0};
}

Ids looks_at(const Ids& ids, std::int64_t i, const Slips& slip) {
    if (slip("ind.itself")) return {i};
    if (slip("ind.roles-swapped")) {
        std::int64_t j = i;
        const std::int64_t wanted = at(ids, std::max<std::int64_t>(i - 1, 0));
        while (at(ids, j) != wanted) --j;
        return {j};
    }
    const Ids found = matches(ids, i, slip);
    if (found.empty()) return at_rest(i, slip);
    if (slip("ind.always-rests")) return {0};
    if (slip("ind.all-alike")) return found;
    const std::int64_t j = slip("ind.oldest") ? found.front() : found.back();
    if (slip("ind.copied")) return {j - 1};
    return {j};
}

Tensor second_weights(const Ids& ids, const Slips& slip) {
    std::vector<Tensor> rows;
    for (std::int64_t i = 0; i < std::ssize(ids); ++i) {
        rows.push_back(shared_by(looks_at(ids, i, slip), std::ssize(ids)));
    }
    return tensor::stack(rows);
}

// The kind of token with the most weight after each place; the lowest of several.
Tensor next_tokens(const Tensor& weights, const Tensor& tokens) {
    const FastKernels fast;
    if (weights.rank() != 2 || weights.dim(1) != tokens.dim(0)) return tensor::zeros({1});
    const Tensor copied = tensor::matmul(weights, tokens);  // [T, V]
    Ids next;
    for (std::int64_t i = 0; i < copied.dim(0); ++i) {
        const std::vector<Scalar> row = tensor::select(copied, 0, i).to_vector();
        const Scalar most = *std::max_element(row.begin(), row.end());
        const auto is_most = [=](Scalar share) { return share > most - Scalar(1e-6); };
        next.push_back(std::find_if(row.begin(), row.end(), is_most) - row.begin());
    }
    return numbers(next);
}

Ids ids_of(const Tensor& tokens) {
    Ids ids;
    for (std::int64_t i = 0; i < tokens.dim(0); ++i) {
        const std::vector<Scalar> row = tensor::select(tokens, 0, i).to_vector();
        ids.push_back(std::max_element(row.begin(), row.end()) - row.begin());
    }
    return ids;
}

std::vector<Mistake> mistakes() {
    const std::string print = "Print Q·Kᵀ for T = 4: row i should be large in column i - 1.";
    const std::string text = "Print Q·Kᵀ for the text \"s a b a c a\".";
    return {
        {"ind.first-itself", "each token looked at itself in the first layer",
         "Which place does row 2 of Q ask for?", print},
        {"ind.first-two-back", "each token looked two places back in the first layer",
         "Which place does row 2 of Q ask for?", print},
        {"ind.first-to-0", "each token looked at token 0 in the first layer",
         "Are the rows of your Q different?", print},
        {"ind.first-next",
         "all scores that a token may see were equal, as when it asks for the one after it",
         "Which places does the causal mask leave to token 2?", print},
        {"ind.first-soft",
         "the scores were right, and only 1 and 0: too close for softmax to choose",
         "What does softmax make of the scores 1, 0, 0, 0?", print},
        {"ind.itself", "each token looked at itself in the second layer",
         "What does a token ask for, and what does a key say about its place?",
         "Is K made of `previous`? And does a match count for more than a late place? " + text},
        {"ind.copied",
         "the weight went to the last token of the same kind before, and not to what followed it",
         "\"a b ... a\": on which of the two does the last a put its weight?", text},
        {"ind.two-after",
         "the weight went to the second place after a token like it, and not to the first",
         "\"a b c ... a\": on which place does the last a put its weight?", text},
        {"ind.oldest", "the first of several such places counted, not the last",
         "What followed a in \"s a b a c a\", the last time?", text},
        {"ind.all-alike", "all such places shared the weight",
         "What followed a in \"s a b a c a\", the last time?", text},
        {"ind.strictly-before",
         "what followed had to stand before the token itself: \"a a\" found nothing",
         "Which place followed the first a in \"s a a\"?", "Is j = i possible in the contract?"},
        {"ind.no-rest", "a token that had not occurred before spread its weight evenly",
         "Where does a token rest that finds nothing?", text},
        {"ind.rests-on-itself", "a token that had not occurred before looked at itself",
         "Which score wins if nothing matches, and which should?", text},
        {"ind.rests-on-1", "a token that had not occurred before rested on token 1",
         "Where does a token rest that finds nothing?", text},
        {"ind.always-rests", "token 0 won against every match",
         "Which is larger for \"s a b a\": the score of a match, or that of resting?", text},
        {"ind.roles-swapped", "a token asked for the last place that holds the token before it",
         "Which of tokens and previous is the query, and which the key?", text},
    };
}

Stages of_first(const InductionByHand& answer, const std::int64_t& T) {
    return {{"the matrix of weights of the first layer",
             weights_by_hand(answer.first_layer(T), Sees::no_future)}};
}

Inputs<std::int64_t> lengths() {
    return {{"5 tokens", 5},   {"1 token", 1},      {"2 tokens", 2},
            {"24 tokens", 24}, {"200 tokens", 200}, {"7 tokens", 7}};
}

struct Text {
    Tensor tokens, previous;
};

Stages given(const Text& in) { return {{"tokens", in.tokens}, {"previous", in.previous}}; }

Text text(const Ids& ids, std::int64_t V) {
    const Tensor tokens = tensor::one_hot(IndexTensor(ids), V);
    const Tensor first = tensor::slice(tokens, 0, 0, 1);
    return {tokens, tensor::concatenate({first, tensor::slice(tokens, 0, 0, -1)}, 0)};
}

// The next token comes first, since it can be right where the weights are not.
Stages of_second(const InductionByHand& answer, const Text& in) {
    const QueriesKeys head = answer.second_layer(in.tokens, in.previous);
    const Tensor weights = weights_by_hand(head, Sees::no_future);
    return {{"the list of next tokens", next_tokens(weights, in.tokens)},
            {"the matrix of weights of the second layer", weights}};
}

// "s", and then random letters of a few.
Ids random_text(std::int64_t T, std::int64_t kinds, std::uint64_t seed) {
    Random random(seed);
    Ids ids = {kinds};
    while (std::ssize(ids) < T) ids.push_back(random.below(kinds));
    return ids;
}

// "s", each other kind once, and then the second token again.
Ids found_far_back(std::int64_t T) {
    Ids ids = up_to(T - 2);
    ids.push_back(1);
    return ids;
}

Inputs<Text> inputs() {
    return {
        {"the text s a b c d a b c", text({4, 0, 1, 2, 3, 0, 1, 2}, 5)},
        {"the text s a b a c a d b a", text({0, 1, 2, 1, 3, 1, 4, 2, 1}, 5)},
        {"the text s a a b b b a a", text({2, 0, 0, 1, 1, 1, 0, 0}, 3)},
        {"the text s a b c d e f, which repeats nothing", text({3, 6, 2, 0, 5, 1, 4}, 7)},
        {"the text s a a a a", text({1, 0, 0, 0, 0}, 2)},
        {"the beginning alone", text({0}, 1)},
        {"4 tokens of 50 kinds", text({17, 49, 3, 49}, 50)},
        {"8 tokens of 50 kinds", text({17, 49, 3, 49, 8, 49, 3, 49}, 50)},
        {"60 tokens of 5 kinds", text(random_text(60, 4, 1), 5)},
        {"200 tokens, only the last one again", text(found_far_back(200), 200)},
        {"200 tokens of 90 kinds", text(random_text(200, 89, 2), 90)},
        {"the text s b a d a b c a", text({4, 1, 0, 3, 0, 1, 2, 0}, 5)},
    };
}

Rules<InductionByHand> rules() {
    return {
        .number = "15.1",
        .title = "Induction by hand",
        .reference = [](const Slips& slip) -> InductionByHand {
            return {[=](std::int64_t T) { return head_with(first_weights(T, slip)); },
                    [=](const Tensor& tokens, const Tensor&) {
                        return head_with(second_weights(ids_of(tokens), slip));
                    }};
        },
        .cases = joined(on_each(of_first, lengths()), on_each(of_second, inputs())),
        .mistakes = mistakes(),
        .hints = {"What must a token know about its place before another can find it?",
                  "Print the scores Q·Kᵀ of a text of four tokens, and softmax of a row",
                  "A row of weights depends on differences between its scores: 20 of difference "
                  "leave e^-20 to the others",
                  "Set each layer by itself: first a text of 3 tokens for first_layer"},
        .holes =
            {{"first_layer",
              {"the matrix of weights of the first layer"},
              {"If the key of place j is the one-hot row of j: which row must the query of place i "
               "be?",
               "Lesson 15.1, layer 0; tensor/ops/join.h has concatenate",
               "Q·Kᵀ is large at [i, i - 1] and 0 elsewhere; row 0 of Q may be zeros",
               "K is tensor::eye(T), and Q is 40 times the same rows, moved down by one"}},
             {"second_layer",
              {"the list of next tokens", "the matrix of weights of the second layer"},
              {"Which three things decide between two places j, and which of them counts the most?",
               "Columns side by side in Q and K add up in the score: tensor::concatenate along "
               "axis 1",
               "score(i, j) = match·(previous_j is token_i) + late·j + rest·(j is 0); match wins "
               "against rest, and rest against late·(T - 1)",
               "Q is {match·tokens, a column of ones} and K {previous, the column late·j + rest·(j "
               "is 0)}; for instance late = 40, rest = 40·T, match = 80·T"}}},
        .cause_of_nan = "0·∞ in Q·Kᵀ, or ∞ - ∞ in softmax: a large number is enough",
    };
}

}  // namespace

const Judge<InductionByHand> judge_15_1(rules);

}  // namespace exercise
