#include "tutorials/exercises/judges/09_5_relative_position_bias.h"

#include "tutorials/exercises/judging/inputs.h"

#include "heed/autograd/gradcheck/gradcheck.h"
#include "heed/autograd/ops.h"
#include "heed/tensor/ops.h"
#include "heed/tensor/ops/compare.h"

#include <algorithm>

using namespace heed;

namespace exercise {

namespace {

// B = h, so that confusing the two is not a shape error but shows in the numbers.
constexpr std::int64_t B = 2, h = 2, largest = 3, columns = 2 * largest + 1, T = 4;

Variable added_to(const Variable& bias, const Variable& scores, const Slips& slip) {
    if (slip("rel.absent")) return scores;
    const std::int64_t last = bias.dim(1) - 1, middle = last / 2, words = scores.dim(-1);
    std::vector<std::int64_t> which;
    std::vector<bool> too_far;
    for (std::int64_t i = 0; i < words; ++i) {
        for (std::int64_t j = 0; j < words; ++j) {
            std::int64_t distance = slip("rel.i-minus-j") ? i - j : j - i;
            if (slip("rel.absolute")) distance = j;
            if (slip("rel.absdist")) distance = std::abs(distance);
            too_far.push_back(std::abs(distance) > middle);
            if (slip("rel.offset")) ++distance;
            if (!slip("rel.no-clip")) distance = std::clamp(distance, -middle, middle);
            which.push_back(distance + middle);
        }
    }
    const Variable numbers = slip("rel.detached") ? bias.detach() : bias;
    const Variable entries = index_select(numbers, 1, IndexTensor(which));
    Variable added = view(entries, {bias.dim(0), words, words});  // [h, T, T]
    if (slip("rel.drop")) added = masked_fill(added, BoolTensor(too_far, {words, words}), 0);
    if (slip("rel.one-head")) added = slice(added, 0, 0, 1);
    if (slip("rel.per-text")) added = unsqueeze(added, 1);
    if (slip("rel.subtract")) return scores - added;
    return slip("rel.multiply") ? scores * added : scores + added;
}

// What the layer adds to random scores of that many words: [B, h, words, words]
Tensor what_is_added(const BiasLayer& layer, const Tensor& bias, std::int64_t words) {
    const Tensor scores = random({B, h, words, words}, 55);
    return layer.add(Variable(bias), Variable(scores)).value() - scores;
}

Tensor some_bias() { return random({h, columns}, 56); }

// 1 in one column, for every head.
Tensor one_column(std::int64_t column) {
    Tensor bias = tensor::zeros({h, columns});
    for (std::int64_t n = 0; n < h; ++n) bias.writable_data()[n * columns + column] = 1;
    return bias;
}

bool near(double a, double b) { return std::abs(a - b) < 1e-9; }

std::string zeros_change(const BiasLayer& layer) {
    const bool kept = (what_is_added(layer, tensor::zeros({h, columns}), T) == 0).all();
    return kept ? "" : "A bias of zeros changes the scores.";
}

std::string nothing_is_added(const BiasLayer& layer) {
    const bool kept = (what_is_added(layer, some_bias(), T) == 0).all();
    return kept ? "A random bias changes nothing." : "";
}

std::string another_number_is_added(const BiasLayer& layer) {
    const Tensor added = what_is_added(layer, tensor::full({h, columns}, 0.75), T);
    if (tensor::all_close(added, tensor::full(added.shape(), 0.75), 0, 1e-9)) return "";
    return "A bias that is 0.75 everywhere changes a score by " +
           std::to_string(added(0, 0, 0, 0)) + ".";
}

std::string shifting_matters(const BiasLayer& layer) {
    const Tensor added = what_is_added(layer, some_bias(), T);
    for (std::int64_t i = 0; i + 1 < T; ++i) {
        for (std::int64_t j = 0; j + 1 < T; ++j) {
            if (near(added(0, 0, i, j), added(0, 0, i + 1, j + 1))) continue;
            return "What is added at [" + std::to_string(i) + ", " + std::to_string(j) +
                   "] is another number one word further on.";
        }
    }
    return "";
}

std::string before_is_after(const BiasLayer& layer) {
    const Tensor added = what_is_added(layer, some_bias(), T);
    const bool same = near(added(0, 0, 0, 1), added(0, 0, 1, 0));
    return same ? "The word before and the word after get the same." : "";
}

std::string another_diagonal(const BiasLayer& layer, std::int64_t ahead) {
    const Tensor added = what_is_added(layer, one_column(largest + ahead), T);
    for (std::int64_t i = 0; i < T; ++i) {
        for (std::int64_t j = 0; j < T; ++j) {
            if (near(added(0, 0, i, j), j - i == ahead ? 1 : 0)) continue;
            return "With 1 in column " + std::to_string(largest + ahead) + " alone (largest is " +
                   std::to_string(largest) + "), entry [" + std::to_string(i) + ", " +
                   std::to_string(j) + "] gets " + std::to_string(added(0, 0, i, j)) + ".";
        }
    }
    return "";
}

// Is the same added to both texts (axis 0), or to both heads (axis 1)?
bool same_along(const BiasLayer& layer, int axis) {
    const Tensor added = what_is_added(layer, some_bias(), T);
    const Tensor second = tensor::slice(added, axis, 1, 2);
    return tensor::all_close(tensor::slice(added, axis, 0, 1), second, 0, 1e-9);
}

std::string texts_differ(const BiasLayer& layer) {
    return same_along(layer, 0) ? "" : "Text 1 gets another bias than text 0.";
}

std::string heads_do_not_differ(const BiasLayer& layer) {
    return same_along(layer, 1) ? "Head 1 gets the bias of head 0." : "";
}

std::string long_texts_fail(const BiasLayer& layer) {
    try {
        what_is_added(layer, some_bias(), largest + 4);
    } catch (const std::exception& error) {
        return std::string("A text of 7 words ends in an error: ") + error.what();
    }
    return "";
}

std::string far_is_not_far(const BiasLayer& layer) {
    const Tensor bias = some_bias();
    const Tensor added = what_is_added(layer, bias, largest + 4);
    for (std::int64_t j = largest; j < largest + 4; ++j) {
        const bool ahead = near(added(0, 0, 0, j), bias(0, 2 * largest));
        if (ahead && near(added(0, 1, j, 0), bias(1, 0))) continue;
        return "Words " + std::to_string(j) + " apart do not get the bias of distance 3.";
    }
    return "";
}

std::string wrong_gradient(const BiasLayer& layer) {
    const GradcheckResult result =
        gradcheck([&](const std::vector<Variable>& in) { return layer.add(in[0], in[1]); },
                  {random({3, 5}, 57), random({2, 3, 4, 4}, 58)}, {.names = {"bias", "scores"}});
    return result.ok() ? "" : result.text();
}

std::vector<Law> laws(const BiasLayer& layer) {
    return {
        {"a bias of zeros changes nothing",
         [=] { return zeros_change(layer); },
         {{"rel.multiply",
           "the scores had been multiplied with the bias",
           {"What should a bias of 0 do?", "How bias and scores come together."}}}},
        {"a bias changes the scores",
         [=] { return nothing_is_added(layer); },
         {{"rel.absent",
           "the scores had been given back as they were",
           {"What is it that you return?", "The last line."}}}},
        {"what stands in the bias is added",
         [=] { return another_number_is_added(layer); },
         {{"rel.subtract",
           "the bias had been subtracted",
           {"With which sign does the bias come in?", "The last line."}}}},
        {"every text gets the same",
         [=] { return texts_differ(layer); },
         {{"rel.per-text",
           "the heads' axis of the bias had met the texts' axis of the scores",
           {"Which axis of the scores is the heads'?", "The shape of what you add."}}}},
        {"only the distance counts, not the place",
         [=] { return shifting_matters(layer); },
         {{"rel.absolute",
           "the place j of the key had been used, and not its distance j - i",
           {"What is the same for i = 0, j = 1 and for i = 4, j = 5?", "What you index with."}}}},
        {"before and after are told apart",
         [=] { return before_is_after(layer); },
         {{"rel.absdist",
           "the distance had lost its sign, |j - i|",
           {"Is the word before the same as the word after?", "What you index with."}}}},
        {"the middle column is for the word itself",
         [=] { return another_diagonal(layer, 0); },
         {{"rel.offset",
           "the column had been one too far",
           {"Which column belongs to the distance 0?", "Print your columns for T = 2."}}}},
        {"the column after it is for the next word",
         [=] { return another_diagonal(layer, 1); },
         {{"rel.i-minus-j",
           "the distance had been counted from the key, i - j",
           {"Is the next word at distance 1 or -1?", "Print your columns for T = 2."}}}},
        {"each head has numbers of its own",
         [=] { return heads_do_not_differ(layer); },
         {{"rel.one-head",
           "all heads had used row 0 of the bias",
           {"Which row of the bias is head 1's?", "The shape of what you add."}}}},
        {"texts may be longer than the largest distance",
         [=] { return long_texts_fail(layer); },
         {{"rel.no-clip",
           "distances had not been clipped",
           {"Which column is for a word 5 away, if the largest distance is 3?",
            "The smallest and the largest of your columns."}}}},
        {"further than the largest distance is as far as that",
         [=] { return far_is_not_far(layer); },
         {{"rel.drop",
           "words further away than the largest distance had got no bias",
           {"Which column is for a word 5 away, if the largest distance is 3?",
            "The corners of what you add for a long text."}}}},
        {"the gradient of bias and scores is right",
         [=] { return wrong_gradient(layer); },
         {{"rel.detached",
           "the bias had been read as numbers, through .value() or .detach()",
           {"Does the graph know the bias?", "How the entries are taken out of the bias."}}}},
    };
}

}  // namespace

Exercise relative_position_bias(const BiasLayer& layer) {
    Exercise exercise;
    exercise.number = "09.5";
    exercise.title = "Relative position bias";
    exercise.cases.push_back({"a new layer of 3 heads, largest distance 4",
                              [](const Slips& slip) {
                                  Shape shape{3, slip("rel.no-middle") ? 8 : 9};
                                  if (slip("rel.no-heads")) shape = {9};
                                  return Stages{{"the bias", tensor::zeros(shape)}};
                              },
                              [=] {
                                  return Stages{{"the bias", layer.construct(3, 4)}};
                              }});
    // The laws check its numbers; here it only has to run and keep the shape.
    exercise.cases.push_back({"scores of 2 texts, 2 heads, 4 words",
                              [](const Slips&) {
                                  return Stages{{"the result", tensor::zeros({B, h, T, T})}};
                              },
                              [=] {
                                  const Variable scores(random({B, h, T, T}, 59));
                                  const Variable sum = layer.add(Variable(some_bias()), scores);
                                  return Stages{{"the result", tensor::zeros(sum.shape())}};
                              }});
    exercise.laws = laws(layer);
    exercise.mistakes = {
        {"rel.no-middle",
         "the bias had no column for the word itself",
         {"How many whole numbers are there from -4 to 4?", "The shape of the bias."}},
        {"rel.no-heads",
         "there had been one bias for all heads",
         {"How many heads learn which distance they like?", "The shape of the bias."}},
    };
    exercise.hints = {
        "Which distances can j - i be, and which column is for each of them?",
        "std::clamp, and index_select (autograd/ops/gather.h), which lesson 04 uses for "
        "embeddings",
        "scores[b, n, i, j] + bias[n, clip(j - i, -largest, largest) + largest]",
        "columns.push_back(std::clamp(j - i, -largest, largest) + largest) for each "
        "i and j, then view(index_select(bias, 1, columns), {h, T, T})"};
    return exercise;
}

Trials relative_position_bias_trials() {
    Trials trials;
    const auto construct = [](const Slips& slip) {
        return [=](std::int64_t heads, std::int64_t far) {
            const Exercise own = relative_position_bias(BiasLayer{});
            const bool as_asked = heads == 3 && far == 4;
            return as_asked ? own.cases[0].walk(slip)[0].value
                            : tensor::zeros({heads, 2 * far + 1});
        };
    };
    trials.slipping = [=](const Slips& slip) {
        return relative_position_bias(
            {construct(slip), [=](const Variable& bias, const Variable& scores) {
                 return added_to(bias, scores, slip);
             }});
    };
    for (const Law& law : laws({})) trials.more_ids.push_back(law.mistake.front().id);
    trials.right["diagonal by diagonal"] = [=] {
        return relative_position_bias(
            {construct({}), [](const Variable& bias, const Variable& x) {
                 const std::int64_t words = x.dim(-1), far = (bias.dim(1) - 1) / 2;
                 Variable sum = x;
                 for (std::int64_t distance = -words; distance <= words; ++distance) {
                     const Tensor ones = tensor::ones({words, words});
                     const Tensor diagonal =
                         tensor::triu(ones, distance) - tensor::triu(ones, distance + 1);
                     const std::int64_t column = std::clamp(distance, -far, far) + far;
                     const Variable its = view(select(bias, 1, column), {bias.dim(0), 1, 1});
                     sum = sum + its * Variable(diagonal);
                 }
                 return sum;
             }});
    };
    return trials;
}

}  // namespace exercise
