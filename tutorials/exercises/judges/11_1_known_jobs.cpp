#include "tutorials/exercises/judges/11_1_known_jobs.h"

#include "tutorials/exercises/judges/11_1_known_jobs_walk.h"

#include "tensor/errors.h"
#include "tensor/ops.h"
#include "tensor/random.h"

#include <algorithm>
#include <cstdlib>

using namespace heed;

namespace exercise {

namespace {

const std::string of_first = "the matrix of weights of first_token";
const std::string of_previous = "the matrix of weights of previous_token";
const std::string of_same = "the matrix of weights of same_token";
const std::string of_sorted = "the matrix of weights of in_order";
const std::string largest_errors = "the largest error of each row in ";

Case by_place(const std::string& stage, std::int64_t T,
              const std::function<Tensor(std::int64_t, const Slips&)>& walk,
              const std::function<QueriesKeys(std::int64_t)>& learner) {
    return {T == 1 ? "one token" : text(T, " tokens"),
            [=](const Slips& slip) {
                return Stages{{stage, walk(T, slip)}};
            },
            [=] {
                return Stages{{stage, weights_by_hand(learner(T), Sees::everything)}};
            }};
}

// Large weights are compared more loosely than the 0.0001 asked for, errors are not.
Case to_four_decimals(const Case& of) {
    const auto errors = [right = of.walk({})[0].value](const Stages& stages) {
        const auto& [name, weights] = stages[0];
        if (!(weights.shape() == right.shape())) return Stages{{largest_errors + name, weights}};
        const Tensor error = tensor::abs(weights - right);
        return Stages{{largest_errors + name, tensor::max(error, -1)}};
    };
    return {of.name + ", to 0.0001", [=](const Slips& slip) { return errors(of.walk(slip)); },
            [=] { return errors(of.learner()); }};
}

struct Text {
    std::string name;
    Places ids;
    std::int64_t V;
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

std::vector<Text> texts() {
    return {
        {"the ids 0 1 2 0 3, V = 4", {0, 1, 2, 0, 3}, 4},
        {"the ids 6 1 4, V = 7", {6, 1, 4}, 7},
        {"the ids 3 0 3 5 0 3, V = 8", {3, 0, 3, 5, 0, 3}, 8},
        {"the id 2 alone, V = 5", {2}, 5},
        {"the ids 0 0, V = 1", {0, 0}, 1},
        {"the ids 4 4 4, V = 5", {4, 4, 4}, 5},
        {"40 random ids, V = 7", random_ids(40, 7, 1), 7},
        {"the ids 199 0, V = 200", {199, 0}, 200},
        {"5 random ids, V = 60", random_ids(5, 60, 2), 60},
        {"the ids 3 1 1 2 0, V = 4", {3, 1, 1, 2, 0}, 4},
        {"the ids 3 131 199 71 150 22, V = 200", {3, 131, 199, 71, 150, 22}, 200},
        {"the id 2 among 199 times 1, V = 4", one_among(2, 1), 4},
        {"the id 101 among 199 times 100, V = 200", one_among(101, 100), 200},
    };
}

std::vector<Case> by_token(const Text& of, const KnownJobs& answer) {
    const IndexTensor ids(of.ids);
    const std::int64_t V = of.V;
    const auto learners = [=](const std::string& stage, const auto& job) {
        return [=] { return Stages{{stage, weights_by_hand(job(ids, V), Sees::everything)}}; };
    };
    return {{of.name,
             [=](const Slips& slip) {
                 return Stages{{of_same, same_weights(ids, slip)}};
             },
             learners(of_same, answer.same_token)},
            {of.name,
             [=](const Slips& slip) {
                 return Stages{{of_sorted, sorted_weights(ids, V, slip)}};
             },
             learners(of_sorted, answer.in_order)}};
}

// The last cases of each are the hardest ones.
std::vector<Case> cases(const KnownJobs& answer) {
    std::vector<std::vector<Case>> jobs(4);
    for (const std::int64_t T : {5, 1, 2, 4, 50, 200}) {
        jobs[0].push_back(by_place(of_first, T, first_weights, answer.first_token));
        jobs[1].push_back(by_place(of_previous, T, previous_weights, answer.previous_token));
    }
    for (const Text& one : texts()) {
        const std::vector<Case> both = by_token(one, answer);
        jobs[2].push_back(both[0]);
        jobs[3].push_back(both[1]);
    }
    std::vector<Case> all;
    for (std::vector<Case>& job : jobs) {
        for (std::size_t i = job.size() - 2; i < job.size(); ++i) job[i] = to_four_decimals(job[i]);
        all.insert(all.end(), job.begin(), job.end());
    }
    return all;
}

std::vector<Hole> holes() {
    const std::string made_of = "tensor::eye(T) has a one-hot row for each place; tensor::one_hot "
                                "(tensor/ops/scatter.h) makes one for each id";
    return {{"first_token",
             {of_first, largest_errors + of_first},
             {"What do all tokens ask for?", made_of,
              "Every row of Q is the key of place 0, many times over",
              "Q is 40 times tensor::slice(places, 0, 0, 1), expanded to [T, T]; K is places, "
              "tensor::eye(T)"}},
            {"previous_token",
             {of_previous, largest_errors + of_previous},
             {"If the key of place j is the one-hot row of j: which row must query i be?", made_of,
              "Row i of Q is the key of place i - 1, many times over; row 0 is zeros",
              "Q is 40 times the concatenation of zeros [1, T] and places without its last row"}},
            {"same_token",
             {of_same, largest_errors + of_same},
             {"When should two tokens fit each other?", made_of,
              "Query and key of a token are both the one-hot row of its id; one of them many times "
              "over",
              "Q is 40 times tensor::one_hot(ids, V), K is tensor::one_hot(ids, V)"}},
            {"in_order",
             {of_sorted, largest_errors + of_sorted},
             {"Which score should the number u get in row v: if u is v, above v, below v?",
              "With one-hot keys, Q [V, V] is the table of all scores: row v, column u",
              "score(v, u) = -c·(u - v) from v on; and below v less than all of these, but more "
              "the nearer u is: -c·(V + v - u)",
              "above = u - v as a [V, V] table; Q = -40 * tensor::where(above >= 0, above, V - "
              "above)"}}};
}

}  // namespace

Exercise known_jobs(const KnownJobs& answer) {
    Exercise exercise;
    exercise.number = "11.1";
    exercise.title = "Heads with a known job";
    exercise.cases = cases(answer);
    exercise.mistakes = known_jobs_mistakes();
    exercise.hints = {
        "Which keys should the query of row i fit, and how much better than the others?",
        "Print Q·Kᵀ for three tokens; lesson 11 has the same heads",
        "softmax of the scores c, 0, 0, ... gives e^c to the first for each 1 of the others",
        "Try one head by itself on three tokens, and compare its scores with what is asked of it"};
    exercise.holes = holes();
    exercise.cause_of_nan = "0·∞ in Q·Kᵀ: a large number is enough";
    return exercise;
}

namespace {

// One number for each token: keys and queries of two features, scores -c·(a - b)².
QueriesKeys by_squares(const Tensor& asked, const Tensor& has, double c) {
    const auto column = [](const Tensor& x) { return tensor::unsqueeze(x, 1); };
    const Tensor ones = tensor::ones({asked.dim(0), 1});
    return {tensor::concatenate({2 * c * column(asked), -c * ones}, 1),
            tensor::concatenate({column(has), column(has * has)}, 1)};
}

Tensor as_numbers(const IndexTensor& ids) {
    std::vector<Scalar> all;
    for (std::int64_t j = 0; j < ids.dim(0); ++j) all.push_back(static_cast<Scalar>(ids(j)));
    return tensor::from_vector(all, {ids.dim(0)});
}

QueriesKeys first_by_numbers(std::int64_t T) {
    const Tensor place = tensor::unsqueeze(tensor::arange(static_cast<double>(T)), 1);
    return {tensor::full({T, 1}, -100), place};
}

QueriesKeys previous_by_squares(std::int64_t T) {
    const Tensor place = tensor::arange(static_cast<double>(T));
    QueriesKeys head = by_squares(place - 1, place, 30);
    Tensor Q = tensor::clone(head.Q);
    Q.writable_data()[0] = 0;
    Q.writable_data()[1] = 0;
    return {Q, head.K};
}

QueriesKeys same_by_squares(const IndexTensor& ids, std::int64_t) {
    return by_squares(as_numbers(ids), as_numbers(ids), 30);
}

QueriesKeys sorted_as_known(const IndexTensor& ids, std::int64_t V) {
    return head_with(sorted_weights(ids, V, {}));
}

}  // namespace

Trials known_jobs_trials() {
    Trials trials;
    trials.slipping = [](const Slips& slip) {
        return known_jobs({[=](std::int64_t T) { return head_with(first_weights(T, slip)); },
                           [=](std::int64_t T) { return head_with(previous_weights(T, slip)); },
                           [=](const IndexTensor& ids, std::int64_t) {
                               return head_with(same_weights(ids, slip));
                           },
                           [=](const IndexTensor& ids, std::int64_t V) {
                               return head_with(sorted_weights(ids, V, slip));
                           }});
    };
    trials.right["places and ids as numbers, and squares of differences"] = [] {
        return known_jobs(
            {first_by_numbers, previous_by_squares, same_by_squares, sorted_as_known});
    };
    trials.right["very sharp"] = [] {
        return known_jobs({[](std::int64_t T) { return head_with(first_weights(T, {})); },
                           [](std::int64_t T) { return head_with(previous_weights(T, {})); },
                           [](const IndexTensor& ids, std::int64_t V) {
                               const Tensor tokens = tensor::one_hot(ids, V);
                               return QueriesKeys{1e6 * tokens, tokens};
                           },
                           [](const IndexTensor& ids, std::int64_t V) {
                               Tensor Q = tensor::zeros({V, V});
                               for (std::int64_t v = 0; v < V; ++v) {
                                   for (std::int64_t u = 0; u < V; ++u) {
                                       Q.writable_data()[v * V + u] =
                                           -1e4 * static_cast<double>(misfit(u, v, V, {}));
                                   }
                               }
                               return QueriesKeys{Q, tensor::one_hot(ids, V)};
                           }});
    };
    return trials;
}

}  // namespace exercise
