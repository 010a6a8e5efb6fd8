#include "tutorials/exercises/judges/14_1_shifted_targets_mistakes.h"

#include "autograd/ops.h"
#include "tensor/ops/index.h"

#include <algorithm>
#include <cmath>

using namespace heed;

namespace exercise {

namespace {

using Ids = std::vector<std::int64_t>;

// One window's inputs and targets.
struct Row {
    Ids inputs, targets;
};

std::int64_t step_between(std::int64_t T, const Slips& slip) {
    if (slip("win.gap")) return T + 1;
    if (slip("win.overlap")) return std::max<std::int64_t>(T - 1, 1);
    if (slip("win.every-start")) return 1;
    return T;
}

// The window of this text that begins at `first`.
Row row_of(const IndexTensor& text, std::int64_t first, std::int64_t T, const Slips& slip) {
    const std::int64_t n = text.numel(), pairs = slip("win.last-as-input") ? n : n - 1;
    const std::int64_t filled = std::min(T, pairs - first);
    const std::int64_t ahead = slip("lm.not-shifted") ? 0 : slip("lm.shifted-twice") ? 2 : 1;
    Row row;
    for (std::int64_t t = first; t < first + filled; ++t) {
        row.inputs.push_back(text(t));
        row.targets.push_back(t + ahead < n ? text(t + ahead) : no_target);
    }
    const auto place = [&](const Ids& ids) {
        return slip("win.pad-front") ? ids.begin() : ids.end();
    };
    const std::size_t left = static_cast<std::size_t>(T - filled);
    const std::int64_t filler = slip("win.pad-input") ? no_target : 0;
    row.inputs.insert(place(row.inputs), left, filler);
    row.targets.insert(place(row.targets), left, slip("win.pad-target-0") ? 0 : no_target);
    if (slip("lm.backwards")) std::swap(row.inputs, row.targets);
    return row;
}

void add_windows(const IndexTensor& text, std::int64_t T, const Slips& slip,
                 std::vector<Row>& rows) {
    const std::int64_t n = text.numel(), pairs = slip("win.last-as-input") ? n : n - 1;
    if (slip("win.short-dropped") && n < T + 1) return;
    if (slip("win.lonely") && n == 1)
        rows.push_back(
            {Ids(static_cast<std::size_t>(T), 0), Ids(static_cast<std::size_t>(T), no_target)});
    for (std::int64_t first = 0; first < pairs; first += step_between(T, slip)) {
        if (slip("win.rest-dropped") && pairs - first < T) return;
        rows.push_back(row_of(text, first, T, slip));
        if (slip("win.first-only")) return;
    }
}

}  // namespace

Windows windows_walk(const std::vector<IndexTensor>& texts, std::int64_t T, const Slips& slip) {
    std::vector<Row> rows;
    if (slip("win.joined")) {
        add_windows(tensor::concatenate(texts, 0), T, slip, rows);
    } else {
        for (const IndexTensor& text : texts) add_windows(text, T, slip, rows);
    }
    Ids inputs, targets;
    for (const Row& row : rows) {
        inputs.insert(inputs.end(), row.inputs.begin(), row.inputs.end());
        targets.insert(targets.end(), row.targets.begin(), row.targets.end());
    }
    const Shape shape{static_cast<std::int64_t>(rows.size()), T};
    return {IndexTensor(inputs, shape), IndexTensor(targets, shape)};
}

namespace {

// The positions of row-major targets that count.
Ids counted(const IndexTensor& targets, const Slips& slip) {
    Ids positions;
    for (std::int64_t i = 0; i < targets.numel(); ++i) {
        const std::int64_t target = targets.data()[i];
        if (target == no_target && !slip("ce.padding-as-0")) continue;
        if (target == 0 && slip("ce.zero-skipped")) continue;
        positions.push_back(i);
    }
    return positions;
}

Variable logarithms(const Variable& logits, const Slips& slip) {
    if (slip("ce.no-softmax")) return logits;
    if (slip("ce.positions-softmax")) return log_softmax(logits, 1);
    if (slip("ce.double-softmax")) return log_softmax(softmax(logits, -1), -1);
    if (slip("ce.no-log")) return softmax(logits, -1);
    if (slip("ce.no-max")) return log(exp(logits) / sum(exp(logits), -1, keepdim));
    return log_softmax(logits, -1);
}

double divisor(const IndexTensor& targets, std::size_t count, const Slips& slip) {
    if (slip("ce.sum")) return 1;
    if (slip("ce.padding-counted")) return static_cast<double>(targets.numel());
    if (slip("ce.windows-counted")) return static_cast<double>(targets.dim(0));
    return static_cast<double>(count);
}

// The mean of each window first, then the mean of these.
Variable window_by_window(const Variable& logits, const IndexTensor& targets) {
    std::vector<Variable> means;
    for (std::int64_t b = 0; b < targets.dim(0); ++b) {
        const IndexTensor own = tensor::slice(targets, 0, b, b + 1);
        if (counted(own, {}).empty()) continue;
        means.push_back(loss_walk(slice(logits, 0, b, b + 1), own, {}));
    }
    return mean(stack(means));
}

}  // namespace

Variable loss_walk(const Variable& logits, const IndexTensor& targets, const Slips& slip) {
    if (slip("ce.window-by-window")) return window_by_window(logits, targets);
    const std::int64_t V = logits.dim(-1);
    const Ids positions = counted(targets, slip);
    Ids column;
    for (const std::int64_t i : positions) {
        column.push_back(std::max<std::int64_t>(targets.data()[i], 0));
    }
    const Variable all = reshape(logarithms(logits, slip), {-1, V});
    const IndexTensor tokens = IndexTensor(column, {static_cast<std::int64_t>(column.size()), 1});
    const Variable chosen = gather(index_select(all, 0, IndexTensor(positions)), 1, tokens);
    Variable loss = -sum(chosen) / divisor(targets, positions.size(), slip);
    if (slip("ce.no-minus")) loss = -loss;
    if (slip("ce.log2")) loss = loss / 0.6931471805599453;
    return slip("train.detached") ? loss.detach() : loss;
}

namespace {

std::vector<Mistake> mistakes_of_windows() {
    const std::string print = "Print inputs above targets for the text 5 6 7 8 9 and T = 3.";
    return {
        {"lm.not-shifted",
         "the target at each position was the token that is there already",
         {"What is the model to say at a position: what it sees, or what comes next?", print}},
        {"lm.shifted-twice",
         "the targets were shifted by two",
         {"How far ahead is the target?", print}},
        {"lm.backwards",
         "inputs and targets were exchanged, so that the token before was to be guessed",
         {"Which of the two is one token later?", print}},
        {"win.gap",
         "each window used up T + 1 tokens, so that a pair was lost between two windows",
         {"With which token does window 1 begin?", print}},
        {"win.overlap",
         "each window began T - 1 tokens after the one before it",
         {"How often does each pair occur?", print}},
        {"win.every-start",
         "a window began at each token",
         {"How often does each pair occur?", print}},
        {"win.last-as-input",
         "the last token of a text was an input, although nothing comes after it",
         {"What is the target of a text's last token?", print}},
        {"win.rest-dropped",
         "windows that are not full were left out",
         {"What becomes of the end of a text?", print}},
        {"win.short-dropped",
         "texts with fewer than T + 1 tokens were left out",
         {"How many pairs are there in a text of 2 tokens?", "Cut the text 5 6 with T = 3."}},
        {"win.first-only",
         "only the first window of each text was taken",
         {"What becomes of the rest of a long text?", print}},
        {"win.lonely",
         "a text of one token gave a window without any target",
         {"What can be learned from a text of one token?", "Cut the text 5 with T = 3."}},
        {"win.joined",
         "all texts were joined before they were cut",
         {"Does the first token of a text follow from the text before it?",
          "Cut the texts 5 6 and 7 8 with T = 3."}},
        {"win.pad-front",
         "windows were filled up at the front",
         {"At which end of a window is the room that is left?", "Cut the text 5 6 with T = 3."}},
        {"win.pad-target-0",
         "the targets of the room that is left were 0, which is a token like others",
         {"How is the loss to know that there is no target?", "Cut the text 5 6 with T = 3."}},
        {"win.pad-input",
         "the inputs of the room that is left were no_target, which is not the id of a token",
         {"Which row of an embedding has the number -100?", "Cut the text 5 6 with T = 3."}},
    };
}

std::vector<Mistake> mistakes_of_loss() {
    const std::string count = "Print the number you divide by, for targets of which one counts.";
    return {
        {"ce.padding-counted",
         "the sum was divided by B·T, padding included",
         {"Over how many positions is the mean taken?", count}},
        {"ce.windows-counted",
         "the sum was divided by the number of windows",
         {"Over what is the mean taken, windows or positions?", count}},
        {"ce.sum", "the losses were added up, without a mean", {"A sum, or a mean?", count}},
        {"ce.padding-as-0",
         "positions without a target counted as if their target were 0",
         {"What does a position without a target contribute?", count}},
        {"ce.zero-skipped",
         "positions with the target 0 were left out too",
         {"Is 0 the id of a token?", count}},
        {"ce.window-by-window",
         "the mean of each window was taken first, and then the mean of these",
         {"Has each position the same weight, if one window has 1 target and another 4?", count}},
        {"ce.no-minus",
         "the minus sign was missing",
         {"Is the logarithm of a probability positive?", "The last line."}},
        {"ce.log2",
         "the logarithm was the one to base 2",
         {"Which logarithm has the loss of lesson 03.4?", "The logarithm in your code."}},
        {"ce.no-log",
         "the probability itself was taken, and not its logarithm",
         {"What is -log 1, and what is -log 0.01?", "What you gather from."}},
        {"ce.no-softmax",
         "the logits themselves were taken, without a softmax",
         {"Do the logits of a position sum to 1?", "What you gather from."}},
        {"ce.double-softmax",
         "the softmax was taken twice",
         {"Does log_softmax expect logits or probabilities?", "What goes into log_softmax."}},
        {"ce.positions-softmax",
         "the softmax ran over the positions, and not over the tokens",
         {"Which probabilities sum to 1?", "The axis of the softmax."}},
        {"ce.no-max",
         "exp was taken of the logits as they are, which overflows where they are large",
         {"What is exp(1000)?", "The case with logits around ±1000."}},
        {"train.detached",
         "the loss was right but not connected to the logits, so that nothing could be learned",
         {"What finds the way back from the loss to the logits?",
          "Look for value() or detach() in loss_of."}},
    };
}

}  // namespace

std::vector<Mistake> shifted_targets_mistakes() {
    std::vector<Mistake> all = mistakes_of_windows();
    for (const Mistake& mistake : mistakes_of_loss()) all.push_back(mistake);
    return all;
}

}  // namespace exercise
