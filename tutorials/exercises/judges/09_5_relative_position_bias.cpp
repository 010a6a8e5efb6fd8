#include "tutorials/exercises/judges/lesson_09.h"
#include "tutorials/exercises/judging/kit.h"

#include "tensor/mask.h"

using namespace heed;

namespace exercise {
namespace {
// The number j - i in column 0 to 2·largest, for query i and key j.
std::int64_t column_of(std::int64_t i, std::int64_t j, std::int64_t largest, const Slips& slip) {
    std::int64_t distance = slip("rel.i-minus-j") ? i - j : j - i;
    if (slip("rel.absolute")) distance = j;
    if (slip("rel.absdist")) distance = std::abs(distance);
    if (slip("rel.offset")) ++distance;
    if (slip("rel.no-clip-before")) return std::min(distance, largest) + largest;
    if (slip("rel.no-clip-after")) return std::max(distance, -largest) + largest;
    return std::clamp(distance, -largest, largest) + largest;
}

BoolTensor further_than(std::int64_t largest, std::int64_t T) {
    std::vector<bool> far;
    for (std::int64_t i = 0; i < T; ++i) {
        for (std::int64_t j = 0; j < T; ++j) far.push_back(std::abs(j - i) > largest);
    }
    return BoolTensor(far, {T, T});
}

Variable added_to(const Variable& bias, const Variable& given_scores, const Slips& slip) {
    const Variable scores = slip("rel.scores-detached") ? given_scores.detach() : given_scores;
    if (slip("rel.absent")) return scores;
    const std::int64_t h = bias.dim(0), largest = (bias.dim(1) - 1) / 2, T = scores.dim(-1);
    std::vector<std::int64_t> columns;
    for (std::int64_t i = 0; i < T; ++i) {
        for (std::int64_t j = 0; j < T; ++j) columns.push_back(column_of(i, j, largest, slip));
    }
    const Variable numbers = slip("rel.detached") ? bias.detach() : bias;
    Variable added = view(index_select(numbers, 1, IndexTensor(columns)), {h, T, T});
    if (slip("rel.drop")) added = masked_fill(added, further_than(largest, T), 0);
    if (slip("rel.only-before")) added = tril(added);
    if (slip("rel.one-head")) added = slice(added, 0, 0, 1);
    if (slip("rel.per-text")) added = unsqueeze(added, 1);
    if (slip("rel.subtract")) return scores - added;
    return slip("rel.multiply") ? scores * added : scores + added;
}

Variable new_bias(std::int64_t h, std::int64_t largest, const Slips& slip) {
    if (slip("rel.no-middle")) return Variable(tensor::zeros({h, 2 * largest}), requires_grad);
    if (slip("rel.no-heads")) return Variable(tensor::zeros({2 * largest + 1}), requires_grad);
    const Tensor zeros = tensor::zeros({h, 2 * largest + 1});
    return slip("rel.frozen") ? Variable(zeros) : Variable(zeros, requires_grad);
}

struct Given {
    Variable bias, scores;
};

Stages given(const Given& in) {
    return {{"the bias", in.bias.value()}, {"the scores", in.scores.value()}};
}

// An earlier mask may have been there, and the bias may still be that of a new layer.
enum class With { random_numbers, masked_scores, bias_of_zeros };

struct Sizes {
    std::int64_t B, h, T, largest;
    With with = With::random_numbers;
};

Given random_input(const Sizes& its, std::uint64_t seed) {
    const Shape shape = {its.h, 2 * its.largest + 1};
    const bool zeros = its.with == With::bias_of_zeros;
    const Variable bias(zeros ? tensor::zeros(shape) : random(shape, seed), requires_grad);
    Tensor numbers = random({its.B, its.h, its.T, its.T}, seed + 1);
    numbers.writable_data()[0] = 0;  // a score like any other
    if (its.with == With::masked_scores) {
        numbers = tensor::masked_fill(numbers, Mask::causal(its.T).blocked(), -infinity);
    }
    return {bias, Variable(numbers, requires_grad)};
}

Inputs<Given> inputs() {
    return {
        {"2 texts, 2 heads, 4 words, largest distance 3", random_input({2, 2, 4, 3}, 1)},
        {"3 texts, 2 heads, 4 words, largest distance 1", random_input({3, 2, 4, 1}, 3)},
        {"2 texts, 3 heads, 7 words, largest distance 2", random_input({2, 3, 7, 2}, 5)},
        {"3 words, largest distance 5", random_input({1, 2, 3, 5}, 7)},
        {"2 texts, 3 heads, 4 words, largest distance 0", random_input({2, 3, 4, 0}, 9)},
        {"a single word", random_input({2, 1, 1, 2}, 11)},
        {"2 texts, 4 heads, 4 words, largest distance 2", random_input({2, 4, 4, 2}, 15)},
        {"scores of which some are -∞ already",
         random_input({2, 2, 4, 2, With::masked_scores}, 17)},
        {"a bias of zeros, as a new layer has it",
         random_input({2, 2, 3, 1, With::bias_of_zeros}, 19)},
        {"70 words, largest distance 4", random_input({1, 1, 70, 4}, 13)},
    };
}

// What the layer gives, and the gradients. Its bias is that of a new layer if that has the right
// shape, but with other numbers.
Stages stages(const BiasLayer& layer, const Given& in) {
    const Variable &bias = in.bias, &scores = in.scores;
    const Variable fresh = layer.construct(bias.dim(0), (bias.dim(1) - 1) / 2);
    const Stages of_new = with_gradients({{"the bias of a new layer", fresh.value()}}, fresh,
                                         {{"the bias of a new layer", fresh}});
    if (!(fresh.shape() == bias.shape())) return {of_new.front()};
    const Variable result = layer.add(bias, scores);
    return joined(of_new, with_gradients({{"the result", result.value()}}, result,
                                         {{"bias", bias}, {"scores", scores}}));
}

// What the layer adds to random scores of that many words: [2, 2, words, words]
Tensor what_is_added(const BiasLayer& layer, const Tensor& bias, std::int64_t words) {
    const Tensor scores = random({2, 2, words, words}, 55);
    return layer.add(Variable(bias), Variable(tensor::clone(scores))).value() - scores;
}

constexpr std::int64_t far = 3;  // the largest distance in the laws

Tensor some_bias() { return random({2, 2 * far + 1}, 56); }

bool near(double a, double b) { return std::abs(a - b) < 1e-9; }

std::string at(std::int64_t i, std::int64_t j) {
    return "[" + std::to_string(i) + ", " + std::to_string(j) + "]";
}

std::string zeros_change(const BiasLayer& layer) {
    const Tensor added = what_is_added(layer, tensor::zeros({2, 2 * far + 1}), 4);
    const Tensor zeros = tensor::zeros(added.shape());
    return same(added, zeros) ? "" : "What you add " + difference(added, zeros) + ".";
}

std::string shifting_matters(const BiasLayer& layer) {
    const Tensor added = what_is_added(layer, some_bias(), 4);
    for (std::int64_t i = 0; i + 1 < 4; ++i) {
        for (std::int64_t j = 0; j + 1 < 4; ++j) {
            const double here = added(0, 0, i, j), there = added(0, 0, i + 1, j + 1);
            if (near(here, there)) continue;
            return "You add " + fixed(here, 6) + " at " + at(i, j) + ", but " + fixed(there, 6) +
                   " at " + at(i + 1, j + 1) + ".";
        }
    }
    return "";
}

std::string before_is_after(const BiasLayer& layer) {
    const Tensor added = what_is_added(layer, some_bias(), 4);
    if (!near(added(0, 0, 0, 1), added(0, 0, 1, 0))) return "";
    return "You add " + fixed(added(0, 0, 0, 1), 6) + " at both [0, 1] and [1, 0].";
}

std::string texts_differ(const BiasLayer& layer) {
    const Tensor added = what_is_added(layer, some_bias(), 4);
    const Tensor first = tensor::select(added, 0, 0), second = tensor::select(added, 0, 1);
    if (same(second, first)) return "";
    return "What you add to text 1, beside text 0, " + difference(second, first) + ".";
}

std::string far_is_not_far(const BiasLayer& layer) {
    const Tensor bias = some_bias(), added = what_is_added(layer, bias, far + 4);
    for (std::int64_t j = far; j < far + 4; ++j) {
        const double ahead = added(0, 0, 0, j), behind = added(0, 1, j, 0);
        if (!near(ahead, bias(0, 2 * far))) {
            return "Head 0's last column holds " + fixed(bias(0, 2 * far), 6) + ", but you add " +
                   fixed(ahead, 6) + " at " + at(0, j) + ".";
        }
        if (!near(behind, bias(1, 0))) {
            return "Head 1's column 0 holds " + fixed(bias(1, 0), 6) + ", but you add " +
                   fixed(behind, 6) + " at " + at(j, 0) + ".";
        }
    }
    return "";
}

std::vector<Mistake> mistakes() {
    const std::vector<std::string> clipped = {
        "Which column is for a word 5 away, if the largest distance is 3?",
        "The smallest and the largest of your columns."};
    const std::vector<std::string> indexed = {"Which number is the same for i = 0, j = 1 and for "
                                              "i = 4, j = 5?",
                                              "What you index the bias with: print it for T = 2."};
    const std::vector<std::string> sign = {"What should a bias of 0 do, and what one of 1?",
                                           "How bias and scores come together."};
    const std::vector<std::string> axis = {"Which axis of the scores is the heads'?",
                                           "The shape of what you add."};
    const std::vector<std::string> graph = {"Which step is not recorded in the graph?",
                                            "How bias and scores are read."};
    return {
        {"rel.no-middle", "the bias had no column for the word itself",
         "How many whole numbers are there from -4 to 4?", "The shape of the bias."},
        {"rel.no-heads", "there was one bias for all heads",
         "Do all heads prefer the same distances?", "The shape of the bias."},
        {"rel.frozen", "the bias of a new layer was no parameter that learns",
         "Does the bias require a gradient?", "The constructor."},
        {"rel.multiply", "the scores were multiplied by the bias", sign},
        {"rel.absent", "the scores were returned as they were", sign},
        {"rel.subtract", "the bias was subtracted", sign},
        {"rel.per-text", "the head axis of the bias met the text axis of the scores", axis},
        {"rel.one-head", "all heads used row 0 of the bias", axis},
        {"rel.absolute", "the bias was indexed by the position j, and not by the distance j - i",
         indexed},
        {"rel.absdist", "the distance lost its sign, |j - i|", indexed},
        {"rel.offset", "the column was one too far to the right", indexed},
        {"rel.i-minus-j", "the distance was i - j, and not j - i", indexed},
        {"rel.no-clip-before", "distances to words before were not clipped", clipped},
        {"rel.no-clip-after", "distances to words after were not clipped", clipped},
        {"rel.drop", "words further away than the largest distance got no bias", clipped},
        {"rel.only-before", "words after the query got no bias",
         "Is there a mask in this exercise?", "The entries to the right of the diagonal."},
        {"rel.detached", "the bias was used as a constant, through .value() or .detach()", graph},
        {"rel.scores-detached", "the scores were used as a constant, through .value() or .detach()",
         graph},
    };
}

std::vector<Hole> holes() {
    return {
        {"RelativePositionBias",
         {"the bias of a new layer", "the gradient of the bias of a new layer"},
         {"How many distances are there from -largest to largest?",
          "the comment at the member bias says its shape; a Parameter learns",
          "bias is a Parameter of zeros, with a row for each head and a column for each distance",
          "bias = Parameter(tensor::zeros({num_heads, 2 * largest + 1}));"}},
        {"operator()",
         {"the result", "the gradient of bias", "the gradient of scores"},
         {"Which distances can j - i be, and which column is for each of them?",
          "std::clamp, and index_select (autograd/ops/gather.h), which lesson 04 uses for "
          "embeddings",
          "scores[b, n, i, j] + bias[n, clip(j - i, -largest, largest) + largest]",
          "columns.push_back(std::clamp(j - i, -largest, largest) + largest) for each i and j, "
          "then view(index_select(bias, 1, IndexTensor(columns)), {h, T, T})"}}};
}

BiasLayer reference(const Slips& slip) {
    return {
        [=](std::int64_t h, std::int64_t largest) { return new_bias(h, largest, slip); },
        [=](const Variable& bias, const Variable& scores) { return added_to(bias, scores, slip); }};
}

Rules<BiasLayer> rules() {
    return {
        .number = "09.5",
        .title = "Relative position bias",
        .reference = reference,
        .cases = on_each(stages, inputs()),
        .laws = {{"a bias of zeros changes nothing", zeros_change},
                 {"every text gets the same", texts_differ},
                 {"only the distance counts, not the position", shifting_matters},
                 {"before and after are told apart", before_is_after},
                 {"further than the largest distance is as far as that", far_is_not_far}},
        .mistakes = mistakes(),
        .hints = {"What does your layer add to which score?",
                  "Let the bias of one head be 0, 1, 2, ... and print what is added for T = 3",
                  "A row of what is added is a part of the bias's row, and starts one column "
                  "further left in each row below",
                  "Compare with T = 2, largest = 1: the rows are bias[1], bias[2] and bias[0], "
                  "bias[1]"},
        .holes = holes(),
    };
}

}  // namespace

const Judge<BiasLayer> judge_09_5(rules);

}  // namespace exercise
