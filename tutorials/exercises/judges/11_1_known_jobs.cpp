#include "tutorials/exercises/judges/lesson_11.h"
#include "tutorials/exercises/judging/kit.h"

#include "tensor/errors.h"
#include "tensor/random.h"

#include <cstdlib>

using namespace heed;

namespace exercise {
namespace {
using LooksAt = std::function<Places(std::int64_t row)>;

Tensor by_rows(std::int64_t rows, std::int64_t T, const LooksAt& looks_at) {
    std::vector<Scalar> all(static_cast<std::size_t>(rows * T), 0);
    for (std::int64_t row = 0; row < rows; ++row) {
        const Places places = looks_at(row);
        for (const std::int64_t j : places) {
            all[static_cast<std::size_t>(row * T + j)] = 1 / static_cast<Scalar>(places.size());
        }
    }
    return tensor::from_vector(all, {rows, T});
}

// What becomes of scores that are 1 where a row should look, and 0 elsewhere.
Tensor not_sharp(const Tensor& weights) {
    return tensor::softmax(tensor::to_tensor(weights == tensor::max(weights, -1, keepdim)), -1);
}

Tensor first_weights(std::int64_t T, const Slips& slip) {
    const Tensor weights = by_rows(T, T, [&](std::int64_t row) -> Places {
        if (slip("job.first-itself")) return {row};
        if (slip("job.first-is-last")) return {T - 1};
        if (slip("job.first-evenly")) return up_to(T - 1);
        return {0};
    });
    return slip("job.first-not-sharp") ? not_sharp(weights) : weights;
}

Tensor previous_weights(std::int64_t T, const Slips& slip) {
    const std::int64_t back = slip("job.next")              ? -1
                              : slip("job.previous-itself") ? 0
                              : slip("job.two-back")        ? 2
                                                            : 1;
    const Tensor weights = by_rows(T, T, [&](std::int64_t row) -> Places {
        const std::int64_t place = row - back;
        if (place >= 0 && place < T) return {place};
        if (slip("job.previous-wraps")) return {T - 1};
        if (slip("job.previous-0-itself")) return {row};
        return up_to(T - 1);
    });
    return slip("job.previous-not-sharp") ? not_sharp(weights) : weights;
}

Tensor same_weights(const IndexTensor& ids, std::int64_t, const Slips& slip) {
    const std::int64_t T = ids.dim(0);
    const std::int64_t* const kinds = ids.data();
    const bool others = slip("job.same-others");
    const Tensor weights = by_rows(T, T, [&](std::int64_t row) -> Places {
        if (slip("job.same-is-itself")) return {row};
        Places found;
        for (std::int64_t j = 0; j < T; ++j) {
            if (kinds[j] == kinds[row] && !(others && j == row)) found.push_back(j);
        }
        if (found.empty()) return {row};
        if (slip("job.same-first")) return {found.front()};
        return found;
    });
    return slip("job.same-not-sharp") ? not_sharp(weights) : weights;
}

std::int64_t misfit(std::int64_t u, std::int64_t v, std::int64_t V, const Slips& slip) {
    const std::int64_t above = u - v;
    if (slip("job.sort-below")) return above <= 0 ? -above : V + above;
    if (slip("job.sort-nearest")) return std::abs(above);
    if (slip("job.sort-largest")) return V - u;
    if (slip("job.sort-exactly")) return above == 0 ? 0 : 1;
    if (slip("job.sort-above") && above == 0) return V;
    if (above >= 0) return above;
    if (slip("job.sort-evenly")) return V;
    if (slip("job.sort-starts-again")) return V + u;
    return V - above;
}

Tensor sorted_weights(const IndexTensor& ids, std::int64_t V, const Slips& slip) {
    const std::int64_t T = ids.dim(0);
    return by_rows(V, T, [&](std::int64_t v) {
        std::vector<std::int64_t> fits;
        for (std::int64_t j = 0; j < T; ++j) fits.push_back(misfit(ids(j), v, V, slip));
        const std::int64_t best = *std::min_element(fits.begin(), fits.end());
        Places found;
        for (std::int64_t j = 0; j < T; ++j) {
            if (fits[static_cast<std::size_t>(j)] == best) found.push_back(j);
        }
        if (slip("job.sort-one-of-equals")) found.resize(1);
        return found;
    });
}

std::vector<Mistake> mistakes_by_place() {
    const std::string scores = "Print Q·Kᵀ for T = 3: which column is the largest in each row?";
    return {
        {"job.first-itself", "each token looked at itself, and not at token 0",
         "What should all rows of Q have in common?", scores},
        {"job.first-is-last", "each token looked at the last one, and not at token 0",
         "Which row of the places does every query ask for?", scores},
        {"job.first-evenly", "each token gave the same weight to all, and not all to token 0",
         "Is there a difference between the scores of a row?", scores},
        {"job.first-not-sharp",
         "the scores for token 0 were 1 and the others 0, too close for softmax to choose",
         "What does softmax make of the scores 1, 0, 0?", scores},
        {"job.next", "each token looked at the one after it, and not at the one before",
         "Which place does row 1 of Q ask for?", scores},
        {"job.previous-itself", "each token looked at itself, and not at the one before",
         "Which place does row 1 of Q ask for?", scores},
        {"job.two-back", "each token looked two places back, and not one",
         "Which place does row 2 of Q ask for?", scores},
        {"job.previous-wraps", "token 0 looked at the last token",
         "Which row of weights should token 0 have?", "Print row 0 of Q·Kᵀ."},
        {"job.previous-0-itself", "token 0 looked at itself, as with a causal mask",
         "Which row of weights should token 0 have?", "Print row 0 of Q·Kᵀ."},
        {"job.previous-not-sharp",
         "the scores for the token before were 1 and the others 0, too close for softmax to choose",
         "What does softmax make of the scores 1, 0, 0?", scores},
    };
}

std::vector<Mistake> mistakes_by_token() {
    const std::string the = "Print the weights for the ids 0, 1, 0.";
    const std::string sort = "Print the scores for the ids 3, 1 and V = 5: row v, one column each.";
    return {
        {"job.same-is-itself", "each token looked at itself alone, and not at all of its kind",
         "On what does the key of a token depend: on its place, or on its kind?", the},
        {"job.same-first", "each token looked at the first of its kind alone",
         "How do tokens of one kind differ in their scores?", the},
        {"job.same-others", "each token left itself out where others are of its kind",
         "How do tokens of one kind differ in their scores?", the},
        {"job.same-not-sharp",
         "the scores were 1 for the same kind and 0 for others, too close for softmax to choose",
         "What does softmax make of the scores 1, 0, 1?", the},
        {"job.sort-above", "row v asked for numbers above v, and not for v itself",
         "Which number does row 3 want if 3 is there?", sort},
        {"job.sort-below", "row v asked for the largest number that is v or less",
         "Which number does row 2 want, of 1 and 3?", sort},
        {"job.sort-nearest", "row v asked for the nearest number, above or below",
         "Which number does row 2 want, of 1 and 4?", sort},
        {"job.sort-largest", "every row asked for the largest number",
         "Which number does row 0 want?", sort},
        {"job.sort-evenly", "a row with no number left shared its weight among all",
         "Do the numbers below v differ in their scores?", sort},
        {"job.sort-starts-again", "a row with no number left looked at the smallest one",
         "Which number below v should score best?", sort},
        {"job.sort-exactly",
         "row v asked for v alone, and shared its weight among all where v is missing",
         "What does row 2 want, if there is no 2?", sort},
        {"job.sort-one-of-equals", "only the first of several equal numbers got weight",
         "Should the place of a number matter?", "Print the weights for the ids 2, 2."},
    };
}

KnownJobs reference(const Slips& slip) {
    return {[=](std::int64_t T) { return head_with(first_weights(T, slip)); },
            [=](std::int64_t T) { return head_with(previous_weights(T, slip)); },
            [=](const IndexTensor& ids, std::int64_t V) {
                return head_with(same_weights(ids, V, slip));
            },
            [=](const IndexTensor& ids, std::int64_t V) {
                return head_with(sorted_weights(ids, V, slip));
            }};
}

// The first two jobs only ask how many ids there are.
struct Text {
    Places ids;
    std::int64_t V = 0;
};

Places random_ids(std::int64_t T, std::int64_t V, std::uint64_t seed) {
    Random random(seed);
    Places ids;
    for (std::int64_t t = 0; t < T; ++t) ids.push_back(random.below(V));
    return ids;
}

// A choice is hardest where one stands against 199.
Places one_among(std::int64_t one, std::int64_t others) {
    Places ids(200, others);
    ids[120] = one;
    return ids;
}

Inputs<Text> texts() {
    return {
        {"the ids 0 1 2 0 3, V = 4", {{0, 1, 2, 0, 3}, 4}},
        {"the ids 6 1 4, V = 7", {{6, 1, 4}, 7}},
        {"the ids 3 0 3 5 0 3, V = 8", {{3, 0, 3, 5, 0, 3}, 8}},
        {"the id 2 alone, V = 5", {{2}, 5}},
        {"the ids 0 0, V = 1", {{0, 0}, 1}},
        {"the ids 4 4 4, V = 5", {{4, 4, 4}, 5}},
        {"40 random ids, V = 7", {random_ids(40, 7, 1), 7}},
        {"the ids 199 0, V = 200", {{199, 0}, 200}},
        {"5 random ids, V = 60", {random_ids(5, 60, 2), 60}},
        {"the ids 3 1 1 2 0, V = 4", {{3, 1, 1, 2, 0}, 4}},
        {"the ids 3 131 199 71 150 22, V = 200", {{3, 131, 199, 71, 150, 22}, 200}},
        {"the id 2 among 199 times 1, V = 4", {one_among(2, 1), 4}},
        {"the id 101 among 199 times 100, V = 200", {one_among(101, 100), 200}},
    };
}

Inputs<Text> lengths() {
    Inputs<Text> inputs;
    for (const std::int64_t T : {5, 1, 2, 4, 50, 200}) {
        const Places ids(static_cast<std::size_t>(T), 0);
        inputs.push_back({T == 1 ? "one token" : text(T, " tokens"), {ids}});
    }
    return inputs;
}

// One of the four holes.
struct Job {
    std::string function;
    Inputs<Text> inputs;
    std::function<Tensor(const Text&, const Slips&)> walk;  // its weights
    std::function<QueriesKeys(const KnownJobs&, const Text&)> head;
    std::vector<std::string> hints;

    std::string weights() const { return "the matrix of weights of " + function; }
    std::string errors() const { return "the largest error of each row in " + weights(); }
};

Job by_place(const std::string& function, Tensor (*walk)(std::int64_t, const Slips&),
             KnownJobs::OfLength KnownJobs::*head, const std::vector<std::string>& hints) {
    return {
        function, lengths(),
        [=](const Text& of, const Slips& slip) { return walk(std::ssize(of.ids), slip); },
        [=](const KnownJobs& answer, const Text& of) { return (answer.*head)(std::ssize(of.ids)); },
        hints};
}

Job by_token(const std::string& function,
             Tensor (*walk)(const IndexTensor&, std::int64_t, const Slips&),
             KnownJobs::OfTokens KnownJobs::*head, const std::vector<std::string>& hints) {
    return {
        function, texts(),
        [=](const Text& of, const Slips& slip) { return walk(IndexTensor(of.ids), of.V, slip); },
        [=](const KnownJobs& answer, const Text& of) {
            return (answer.*head)(IndexTensor(of.ids), of.V);
        },
        hints};
}

std::vector<Job> jobs() {
    const std::string made_of = "tensor::eye(T) has a one-hot row for each place; tensor::one_hot "
                                "(tensor/ops/scatter.h) makes one for each id";
    return {
        by_place("first_token", first_weights, &KnownJobs::first_token,
                 {"What do all tokens ask for?", made_of,
                  "Every row of Q is the key of place 0, many times over",
                  "Q is 40 times tensor::slice(places, 0, 0, 1), expanded to [T, T]; K is places, "
                  "tensor::eye(T)"}),
        by_place("previous_token", previous_weights, &KnownJobs::previous_token,
                 {"If the key of place j is the one-hot row of j: which row must query i be?",
                  made_of, "Row i of Q is the key of place i - 1, many times over; row 0 is zeros",
                  "Q is 40 times the concatenation of zeros [1, T] and places without its last "
                  "row"}),
        by_token("same_token", same_weights, &KnownJobs::same_token,
                 {"When should two tokens fit each other?", made_of,
                  "Query and key of a token are both the one-hot row of its id; one of them many "
                  "times over",
                  "Q is 40 times tensor::one_hot(ids, V), K is tensor::one_hot(ids, V)"}),
        by_token("in_order", sorted_weights, &KnownJobs::in_order,
                 {"Which score should the number u get in row v: if u is v, above v, below v?",
                  "With one-hot keys, Q [V, V] is the table of all scores: row v, column u",
                  "score(v, u) = -c·(u - v) from v on; and below v less than all of these, but "
                  "more the nearer u is: -c·(V + v - u)",
                  "above = u - v as a [V, V] table; Q = -40 * tensor::where(above >= 0, above, V - "
                  "above)"}),
    };
}

// The weights of a walk are known without a softmax, which would be slow for 200 tokens.
void add_cases(Exercise& exercise, const KnownJobs& answer) {
    for (const Job& job : jobs()) {
        for (std::size_t i = 0; i < job.inputs.size(); ++i) {
            const auto& [name, of] = job.inputs[i];
            // The last two are the hardest ones. There, large weights are compared more loosely
            // than the 0.0001 asked for, errors are not.
            const bool hardest = i + 2 >= job.inputs.size();
            const Tensor right = job.walk(of, {});
            const auto stages = [=](const Tensor& weights) -> Stages {
                if (!hardest) return {{job.weights(), weights}};
                if (!(weights.shape() == right.shape())) return {{job.errors(), weights}};
                return {{job.errors(), tensor::max(tensor::abs(weights - right), -1)}};
            };
            exercise.cases.push_back(
                {name + (hardest ? ", to 0.0001" : ""),
                 [=, of = of](const Slips& slip) { return stages(job.walk(of, slip)); },
                 [=, of = of] {
                     return stages(weights_by_hand(job.head(answer, of), Sees::everything));
                 }});
        }
    }
}

Rules<KnownJobs> rules() {
    std::vector<Hole> holes;
    for (const Job& job : jobs()) {
        holes.push_back({job.function, {job.weights(), job.errors()}, job.hints});
    }
    return {
        .number = "11.1",
        .title = "Heads with a known job",
        .reference = reference,
        .mistakes = joined(mistakes_by_place(), mistakes_by_token()),
        .hints =
            {"Which keys should the query of row i fit, and how much better than the others?",
             "Print Q·Kᵀ for three tokens; lesson 11 has the same heads",
             "softmax of the scores c, 0, 0, ... gives e^c to the first for each 1 of the others",
             "Try one head by itself on three tokens, and compare its scores with what is asked "
             "of it"},
        .holes = holes,
        .cause_of_nan = "0·∞ in Q·Kᵀ: a large number is enough",
        .more = add_cases,
    };
}

}  // namespace

const Judge<KnownJobs> judge_11_1(rules);

}  // namespace exercise
