#include "tutorials/exercises/judges/18_1_beam_search_models.h"

#include "tutorials/exercises/judging/inputs.h"

#include "tensor/factories.h"
#include "tensor/ops/softmax.h"

#include <limits>

using namespace heed;

namespace exercise {

namespace {

constexpr double never = -std::numeric_limits<double>::infinity();

std::uint64_t hash_of(const Tokens& prefix, std::uint64_t seed) {
    for (const std::int64_t token : prefix)
        seed = seed * 31 + static_cast<std::uint64_t>(token) + 7;
    return seed;
}

// Numbers without rounding, many sums of which are equal.
std::vector<double> with_ties(const Tokens& prefix) {
    const std::vector<std::vector<double>> rows = {
        {-2, -1, -3, -1}, {-1, -2, -1, -4}, {-3, -1, -1, -2}};
    std::size_t row = prefix.size();
    for (const std::int64_t token : prefix) row += static_cast<std::size_t>(token);
    return rows[row % rows.size()];
}

// Sums that differ in the tenth digit only.
std::vector<double> almost_equal(const Tokens& prefix) {
    const double steps[] = {1e-10, 3.7e-10, 13.69e-10, 50.653e-10};
    const double step = steps[prefix.size()];
    const bool turned = !prefix.empty() && prefix.back() == 1;
    return {-1.5, -1.5 + (turned ? -step : step), -1.5 + 2 * step, -9};
}

// Token 2 ends; 0 begins likelier than 1, but 1 and then the end is the likeliest text.
std::vector<double> where_greedy_errs(const Tokens& prefix) {
    if (prefix.empty()) return {-0.7, -0.9, -2.4};
    return prefix.back() == 0 ? std::vector<double>{-1.2, -1.1, -1}
                              : std::vector<double>{-3, -3.1, -0.1};
}

// Token 1 ends, which it hardly ever does; the others go on better than that.
std::vector<double> with_a_poor_end(const Tokens& prefix) {
    if (prefix.empty()) return {-0.1, -3, -5};
    return prefix.back() == 0 ? std::vector<double>{-0.8, -4, -0.6}
                              : std::vector<double>{-0.9, -3.5, -0.65};
}

// Few tokens are possible, and one is certain.
std::vector<double> mostly_impossible(const Tokens& prefix) {
    if (prefix.empty()) return {-1, -0.5, never, never, never};
    if (prefix.back() == 1) return {never, never, -0.25, -1.5, never};
    if (prefix.back() == 0) return {never, 0, never, never, never};
    return {never, never, never, -1, -0.5};
}

// Token 3 ends. Of the likeliest beginnings, [2] comes before [1] and that before [0], and what
// follows makes texts of each equally likely, those that end with others.
std::vector<double> where_beams_tie(const Tokens& prefix) {
    if (prefix.empty()) return {-3, -2, -1, -9};
    const double next = -1.0 - static_cast<double>(prefix.front());
    return {next, next - 1, next, next};
}

// Token 2 ends. Nothing goes on after token 0, and after token 1 nothing but one more.
std::vector<double> with_dead_ends(const Tokens& prefix) {
    if (prefix.empty()) return {-1, -2, -3};
    if (prefix == Tokens{1}) return {never, -0.5, never};
    return {never, never, never};
}

std::vector<double> nothing_possible(const Tokens&) { return {never, never}; }

}  // namespace

std::vector<double> RandomModel::operator()(const Tokens& prefix) const {
    std::vector<Scalar> logits = random({V}, hash_of(prefix, seed), deviation).to_vector();
    logits[static_cast<std::size_t>(end)] += static_cast<Scalar>(favour);
    const Tensor log_p = tensor::log_softmax(tensor::from_vector(logits, {V}), -1);
    const std::vector<Scalar> numbers = log_p.to_vector();
    return {numbers.begin(), numbers.end()};
}

BeamInput random_beam_input(const std::string& name, const RandomModel& model, std::int64_t k,
                            std::int64_t most) {
    return {name, model, k, model.end, most};
}

std::vector<BeamInput> beam_inputs() {
    return {
        {"a model with which greedy errs, k = 2", where_greedy_errs, 2, 2, 2},
        {"the same model, k = 1", where_greedy_errs, 1, 2, 2},
        random_beam_input("4 tokens, k = 3, 4 steps", {4, 0, 1}, 3, 4),
        random_beam_input("4 tokens, k = 3, another model", {4, 0, 2}, 3, 4),
        random_beam_input("6 tokens, the end likely, k = 4", {6, 5, 3, 1.5}, 4, 5),
        random_beam_input("5 tokens, the end in the middle, k = 4", {5, 2, 4, 0.8}, 4, 6),
        random_beam_input("5 tokens, the end unlikely, k = 3", {5, 1, 5, -20}, 3, 5),
        random_beam_input("5 tokens, k = 1", {5, 3, 6, 0.3}, 1, 6),
        random_beam_input("one step, k = 2", {4, 1, 7}, 2, 1),
        random_beam_input("3 tokens, one step, k = 10", {3, 2, 8}, 10, 1),
        random_beam_input("k so large that nothing is lost", {3, 1, 9}, 40, 4),
        {"a model with ties, k = 3", with_ties, 3, 3, 4},
        {"the same ties, k = 5", with_ties, 5, 0, 3},
        {"numbers that differ in the tenth digit", almost_equal, 3, 3, 4},
        {"a poor text ends first, k = 2", with_a_poor_end, 2, 1, 3},
        {"a poor text ends first, k = 3", with_a_poor_end, 3, 1, 4},
        {"few tokens possible, k = 2", mostly_impossible, 2, 4, 4},
        {"few tokens possible, k = 12", mostly_impossible, 12, 4, 4},
        {"texts of several beams that are equally likely, k = 4", where_beams_tie, 4, 3, 2},
        {"texts of several beams that are equally likely, k = 7", where_beams_tie, 7, 3, 3},
        {"beams that nothing can continue, k = 2", with_dead_ends, 2, 2, 3},
        {"beams that nothing can continue, k = 3", with_dead_ends, 3, 2, 4},
        {"no token possible", nothing_possible, 2, 0, 3},
        random_beam_input("log P down to thousands", {4, 0, 10, 0, 1500}, 6, 6),
        random_beam_input("log P down to thousands of millions", {4, 2, 13, 0, 5e9}, 6, 4),
        random_beam_input("70 tokens", {70, 64, 11, 2}, 5, 3),
        random_beam_input("60 steps", {3, 2, 12, -6}, 2, 60),
    };
}

}  // namespace exercise
