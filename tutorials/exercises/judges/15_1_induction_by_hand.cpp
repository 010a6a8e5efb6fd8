#include "tutorials/exercises/judges/15_1_induction_by_hand.h"

#include "tutorials/exercises/judges/common_holes.h"
#include "tutorials/exercises/judges/common_steps.h"

#include "nn/positions/sinusoidal_positions.h"
#include "tensor/index_tensor.h"
#include "tensor/ops.h"
#include "tensor/random.h"

#include <algorithm>

using namespace heed;

namespace exercise {

namespace {

using Ids = Places;

std::int64_t size(const Ids& ids) { return static_cast<std::int64_t>(ids.size()); }
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
    for (std::int64_t i = 0; i < size(ids); ++i) {
        rows.push_back(shared_by(looks_at(ids, i, slip), size(ids)));
    }
    return tensor::stack(rows);
}

// The kind of token with the most weight after each place; the lowest of several.
Tensor next_tokens(const Tensor& weights, const Tensor& tokens) {
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

Case of_first(std::int64_t T, const InductionByHand& answer) {
    const auto stages = [](const Tensor& weights) {
        return Stages{{"the matrix of weights of the first layer", weights}};
    };
    return {std::to_string(T) + (T == 1 ? " token" : " tokens"),
            [=](const Slips& slip) { return stages(first_weights(T, slip)); },
            [=] { return stages(weights_by_hand(answer.first_layer(T), Sees::no_future)); }};
}

// The next token comes first, since it can be right where the weights are not.
Stages of_second_weights(const Tensor& weights, const Tensor& tokens) {
    return {{"the list of next tokens", next_tokens(weights, tokens)},
            {"the matrix of weights of the second layer", weights}};
}

Tensor one_hot_rows(const Ids& ids, std::int64_t V) { return tensor::one_hot(IndexTensor(ids), V); }

Tensor the_ones_before(const Tensor& tokens) {
    const std::int64_t T = tokens.dim(0);
    return tensor::concatenate({tensor::slice(tokens, 0, 0, 1), tensor::slice(tokens, 0, 0, T - 1)},
                               0);
}

Case of_second(const std::string& name, const Ids& ids, std::int64_t V,
               const InductionByHand& answer) {
    const Tensor tokens = one_hot_rows(ids, V), previous = the_ones_before(tokens);
    return {name,
            [=](const Slips& slip) { return of_second_weights(second_weights(ids, slip), tokens); },
            [=] {
                const QueriesKeys head = answer.second_layer(tokens, previous);
                return of_second_weights(weights_by_hand(head, Sees::no_future), tokens);
            },
            {{"tokens", tokens}, {"previous", previous}}};
}

// "s", and then random letters of a few.
Ids random_text(std::int64_t T, std::int64_t kinds, std::uint64_t seed) {
    Random random(seed);
    Ids ids = {kinds};
    while (size(ids) < T) ids.push_back(random.below(kinds));
    return ids;
}

// "s", each other kind once, and then the second token again.
Ids found_far_back(std::int64_t T) {
    Ids ids = up_to(T - 2);
    ids.push_back(1);
    return ids;
}

std::vector<Case> second_cases(const InductionByHand& answer) {
    return {
        of_second("the text s a b c d a b c", {4, 0, 1, 2, 3, 0, 1, 2}, 5, answer),
        of_second("the text s a b a c a d b a", {0, 1, 2, 1, 3, 1, 4, 2, 1}, 5, answer),
        of_second("the text s a a b b b a a", {2, 0, 0, 1, 1, 1, 0, 0}, 3, answer),
        of_second("the text s a b c d e f, which repeats nothing", {3, 6, 2, 0, 5, 1, 4}, 7,
                  answer),
        of_second("the text s a a a a", {1, 0, 0, 0, 0}, 2, answer),
        of_second("the beginning alone", {0}, 1, answer),
        of_second("4 tokens of 50 kinds", {17, 49, 3, 49}, 50, answer),
        of_second("8 tokens of 50 kinds", {17, 49, 3, 49, 8, 49, 3, 49}, 50, answer),
        of_second("60 tokens of 5 kinds", random_text(60, 4, 1), 5, answer),
        of_second("200 tokens, only the last one again", found_far_back(200), 200, answer),
        of_second("200 tokens of 90 kinds", random_text(200, 89, 2), 90, answer),
        of_second("the text s b a d a b c a", {4, 1, 0, 3, 0, 1, 2, 0}, 5, answer),
    };
}

std::vector<Hole> holes() {
    return {{"first_layer",
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
              "is 0)}; for instance late = 40, rest = 40·T, match = 80·T"}}};
}

}  // namespace

Exercise induction_by_hand(const InductionByHand& answer) {
    Exercise exercise;
    exercise.number = "15.1";
    exercise.title = "Induction by hand";
    for (const std::int64_t T : {5, 1, 2, 24, 200, 7}) {
        exercise.cases.push_back(of_first(T, answer));
    }
    exercise.cases = hole_by_hole({exercise.cases, second_cases(answer)});
    exercise.mistakes = induction_mistakes();
    exercise.hints = {
        "What must a token know about its place before another can find it?",
        "Print the scores Q·Kᵀ of a text of four tokens, and softmax of a row",
        "A row of weights depends on differences between its scores: 20 of difference leave "
        "e^-20 to the others",
        "Set each layer by itself: first a text of 3 tokens for first_layer"};
    exercise.holes = holes();
    exercise.cause_of_nan = "0·∞ in Q·Kᵀ, or ∞ - ∞ in softmax: a large number is enough";
    return exercise;
}

namespace {

// Scores -40·(i - 1 - j)², written as a product of two numbers each.
QueriesKeys by_squares(std::int64_t T) {
    const Tensor i = tensor::unsqueeze(tensor::arange(static_cast<double>(T)), 1);  // [T, 1]
    const Tensor Q = tensor::concatenate({80 * (i - 1), tensor::full({T, 1}, -40)}, 1);
    return {Q, tensor::concatenate({i, i * i}, 1)};
}

// Queries at position i, keys as if each stood one later.
QueriesKeys by_sinusoids(std::int64_t T) {
    const SinusoidalPositions waves(64);
    return {1000 * waves.table(T), waves.table(T, 1)};
}

// Whatever matches is not punished; late places and token 0 are preferred a little.
QueriesKeys by_punishment(const Tensor& tokens, const Tensor& previous) {
    const std::int64_t T = tokens.dim(0);
    const double n = static_cast<double>(T);
    std::vector<Scalar> preferred;
    for (std::int64_t j = 0; j < T; ++j) preferred.push_back(static_cast<Scalar>(25 * j));
    preferred[0] = static_cast<Scalar>(25 * n);
    const Tensor column = tensor::from_vector(preferred, {T, 1});
    return {tensor::concatenate({(tokens - 1) * (100 * n), tensor::ones({T, 1})}, 1),
            tensor::concatenate({previous, column}, 1)};
}

// Each row asks for the place that was found for it by a search.
QueriesKeys by_search(const Tensor& tokens, const Tensor& previous) {
    const std::int64_t T = tokens.dim(0);
    const Tensor same = tensor::matmul(tokens, tensor::transpose(previous));  // [T, T]
    Tensor Q = tensor::zeros({T, T});
    for (std::int64_t i = 0; i < T; ++i) {
        std::int64_t j = i;
        while (j > 0 && same(i, j) == 0) --j;
        Q.writable_data()[i * T + j] = 1e5;
    }
    return {Q, tensor::eye(T)};
}

Ids ids_of(const Tensor& tokens) {
    Ids ids;
    for (std::int64_t i = 0; i < tokens.dim(0); ++i) {
        const std::vector<Scalar> row = tensor::select(tokens, 0, i).to_vector();
        ids.push_back(std::max_element(row.begin(), row.end()) - row.begin());
    }
    return ids;
}

}  // namespace

Trials induction_by_hand_trials() {
    Trials trials;
    trials.slipping = [](const Slips& slip) {
        return induction_by_hand({[=](std::int64_t T) { return head_with(first_weights(T, slip)); },
                                  [=](const Tensor& tokens, const Tensor&) {
                                      return head_with(second_weights(ids_of(tokens), slip));
                                  }});
    };
    trials.right["squares of distances, and a punishment for what does not match"] = [] {
        return induction_by_hand({by_squares, by_punishment});
    };
    trials.right["sinusoids, and a search"] = [] {
        return induction_by_hand({by_sinusoids, by_search});
    };
    return trials;
}

}  // namespace exercise
