#include "tutorials/exercises/judges/14_1_shifted_targets.h"

#include "tutorials/exercises/judges/14_1_shifted_targets_mistakes.h"
#include "tutorials/exercises/judges/common_steps.h"
#include "tutorials/exercises/judging/gradients.h"
#include "tutorials/exercises/judging/inputs.h"

#include "autograd/ops.h"
#include "nn/losses.h"
#include "tensor/ops.h"

#include <algorithm>

using namespace heed;

namespace exercise {

namespace {

using Ids = std::vector<std::int64_t>;

// Texts of these lengths, of tokens 0 ... V - 1 in any order.
std::vector<IndexTensor> texts_of(const Ids& lengths, std::int64_t V, std::uint64_t seed) {
    Random random(seed);
    std::vector<IndexTensor> texts;
    for (const std::int64_t length : lengths) {
        Ids ids;
        for (std::int64_t i = 0; i < length; ++i) ids.push_back(random.below(V));
        texts.push_back(IndexTensor(ids));
    }
    return texts;
}

Case cutting(const std::string& name, const Ids& lengths, std::int64_t T,
             const ShiftedTargets& answer, std::int64_t V = 9) {
    const std::vector<IndexTensor> texts = texts_of(lengths, V, 100 + lengths.size() + lengths[0]);
    const auto stages = [](const Windows& windows) {
        return Stages{{"inputs", tensor::to_tensor(windows.inputs)},
                      {"targets", tensor::to_tensor(windows.targets)}};
    };
    return {name, [=](const Slips& slip) { return stages(windows_walk(texts, T, slip)); },
            [=] { return stages(answer.windows_of(texts, T)); }};
}

Case measuring(const std::string& name, const Tensor& logits, const IndexTensor& targets,
               const ShiftedTargets& answer) {
    const std::vector<Leaf> leaves = {{"logits", Variable(logits, requires_grad)}};
    const auto stages = [=](const Variable& loss) {
        return with_gradients({{"loss", loss.value()}}, loss, leaves);
    };
    const Variable of = leaves[0].variable;
    return {name, [=](const Slips& slip) { return stages(loss_walk(of, targets, slip)); },
            [=] { return stages(answer.loss_of(of, targets)); }, values_of(leaves)};
}

// 3 windows of 4 positions.
IndexTensor padded_anywhere() {
    const std::int64_t no = no_target;
    return IndexTensor({3, 0, no, 6, no, no, 0, 2, 5, 4, 1, no}, {3, 4});
}

IndexTensor many_targets(std::int64_t B, std::int64_t T, std::int64_t V) {
    Random random(5);
    Ids ids;
    for (std::int64_t i = 0; i < B * T; ++i) {
        ids.push_back(random.below(4) == 0 ? no_target : random.below(V));
    }
    return IndexTensor(ids, {B, T});
}

// Logits that lie in memory in another order.
Tensor turned(std::int64_t B, std::int64_t T, std::int64_t V, std::uint64_t seed) {
    return tensor::permute(random({V, B, T}, seed), {1, 2, 0});
}

std::vector<Case> cases(const ShiftedTargets& answer) {
    const std::int64_t no = no_target;
    return {
        cutting("a text of 7 tokens, T = 3", {7}, 3, answer),
        cutting("texts of 9, 4, 2, 6 and 5 tokens, T = 3", {9, 4, 2, 6, 5}, 3, answer),
        cutting("texts of 1, 0, 3 and 1 tokens, T = 4", {1, 0, 3, 1}, 4, answer),
        cutting("texts of 5, 2 and 3 tokens, T = 1", {5, 2, 3}, 1, answer),
        cutting("texts of 70 and 33 tokens, T = 8", {70, 33}, 8, answer, 50257),
        cutting("texts of 3, 4 and 2 tokens, T = 5", {3, 4, 2}, 5, answer),
        cutting("texts of 1 and 0 tokens, T = 2", {1, 0}, 2, answer),
        cutting("texts of 7 and 3 tokens, T = 2", {7, 3}, 2, answer),
        cutting("texts of 6 and 3 tokens, ids up to 10¹⁰, T = 4", {6, 3}, 4, answer,
                10'000'000'000),
        measuring("3 windows of 4 positions, V = 7", random({3, 4, 7}, 1), padded_anywhere(),
                  answer),
        measuring("2 windows of 5 positions, V = 5", random({2, 5, 5}, 2),
                  IndexTensor({4, 1, 0, no, no, 2, 2, 3, 0, no}, {2, 5}), answer),
        measuring("no padding, V = 3", random({2, 4, 3}, 3),
                  IndexTensor({0, 1, 2, 1, 0, 0, 2, 2}, {2, 4}), answer),
        measuring("logits around ±1000", random({3, 4, 7}, 4, 1000), padded_anywhere(), answer),
        measuring("logits around -2000", random({2, 4, 3}, 10) - 2000,
                  IndexTensor({2, 1, no, 0, no, 0, 2, 1}, {2, 4}), answer),
        measuring("a window without a target", random({3, 2, 4}, 6),
                  IndexTensor({no, no, 3, 0, 1, no}, {3, 2}), answer),
        measuring("one position, V = 2", random({1, 1, 2}, 7), IndexTensor({0}, {1, 1}), answer),
        measuring("6 windows of 70 positions, V = 9", random({6, 70, 9}, 8), many_targets(6, 70, 9),
                  answer),
        measuring("logits that are a view", turned(3, 4, 7, 9), padded_anywhere(), answer),
    };
}

}  // namespace

Exercise shifted_targets(const ShiftedTargets& answer) {
    Exercise exercise;
    exercise.number = "14.1";
    exercise.title = "Shifted targets";
    exercise.cases = cases(answer);
    exercise.mistakes = shifted_targets_mistakes();
    exercise.hints = {
        "How many pairs of a token and the next one does a text of 7 tokens have?",
        "Lesson 14.1 prints inputs and targets one above the other",
        "Write down the windows of the text 5 6 7 8 9, for T = 3, before you look at yours",
        "windows_of is judged as soon as it is written, while loss_of is still open: begin with "
        "it"};
    exercise.holes = {
        {"windows_of",
         {"inputs", "targets"},
         {"Which token of a text is never an input, and which one never a target?",
          "A window may be cut in two steps: where does it begin, and which pairs are left for it?",
          "Position t of the window that begins at first: input text[first + t], target "
          "text[first + t + 1], while there is such a token; else 0 and no_target",
          "for (first = 0; first < n - 1; first += T), and within it t from first to first + T, "
          "with t < n - 1 as the condition for a real pair"}},
        {"loss_of",
         {"loss", "the gradient of logits"},
         {"Over how many positions is the mean taken?",
          "autograd/ops/gather.h: index_select takes rows, gather takes an entry of each row",
          "The sum of -log softmax(logits)[target] over the positions with a target, divided by "
          "their number",
          "Collect the positions whose target is not no_target, take these rows of the logits as "
          "[n, V], then log_softmax along the last axis and gather"}},
    };
    return exercise;
}

namespace {

// All pairs first, dealt out to windows afterwards.
Windows by_pairs(const std::vector<IndexTensor>& texts, std::int64_t T) {
    Ids inputs, targets;
    for (const IndexTensor& text : texts) {
        if (text.numel() < 2) continue;
        const std::int64_t last = text.numel() - 1, room = (last + T - 1) / T * T;
        inputs.insert(inputs.end(), text.data(), text.data() + last);
        targets.insert(targets.end(), text.data() + 1, text.data() + last + 1);
        inputs.resize(inputs.size() + static_cast<std::size_t>(room - last), 0);
        targets.resize(inputs.size(), no_target);
    }
    const std::int64_t B = static_cast<std::int64_t>(inputs.size()) / T;
    return {IndexTensor(inputs, {B, T}), IndexTensor(targets, {B, T})};
}

Variable by_weights(const Variable& logits, const IndexTensor& targets) {
    std::vector<Scalar> chosen;  // 1 at each target
    double count = 0;
    const std::int64_t V = logits.dim(-1);
    for (std::int64_t i = 0; i < targets.numel(); ++i) {
        const std::int64_t target = targets.data()[i];
        count += target != no_target;
        for (std::int64_t v = 0; v < V; ++v) chosen.push_back(v == target ? 1 : 0);
    }
    const Variable weights(tensor::from_vector(chosen, logits.shape()));
    return sum(log_softmax(logits, -1) * weights) / -count;
}

}  // namespace

Trials shifted_targets_trials() {
    Trials trials;
    trials.slipping = [](const Slips& slip) {
        return shifted_targets({[=](const std::vector<IndexTensor>& texts, std::int64_t T) {
                                    return windows_walk(texts, T, slip);
                                },
                                [=](const Variable& logits, const IndexTensor& targets) {
                                    return loss_walk(logits, targets, slip);
                                }});
    };
    trials.right["all pairs first, and a sum with weights"] = [] {
        return shifted_targets({by_pairs, by_weights});
    };
    trials.right["with the library's loss"] = [] {
        return shifted_targets({by_pairs, [](const Variable& logits, const IndexTensor& targets) {
                                    return cross_entropy(logits, targets, {.class_axis = -1});
                                }});
    };
    return trials;
}

}  // namespace exercise
