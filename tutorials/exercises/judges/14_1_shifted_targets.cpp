#include "tutorials/exercises/judges/lesson_14.h"
#include "tutorials/exercises/judging/kit.h"

using namespace heed;

namespace exercise {
namespace {
using Ids = std::vector<std::int64_t>;

// Of all windows, one after the other.
struct Rows {
    Ids inputs, targets;
};

std::int64_t step_between(std::int64_t T, const Slips& slip) {
    if (slip("win.gap")) return T + 1;
    if (slip("win.overlap")) return std::max<std::int64_t>(T - 1, 1);
    if (slip("win.every-start")) return 1;
    return T;
}

// Adds the window of this text that begins at `first`, of which so many pairs are left.
void add_window(Rows& rows, const IndexTensor& text, std::int64_t first, std::int64_t left,
                std::int64_t T, const Slips& slip) {
    const std::int64_t ahead = slip("lm.not-shifted") ? 0 : slip("lm.shifted-twice") ? 2 : 1;
    const std::int64_t filled = std::min(T, left);
    const std::int64_t room_in_front = slip("win.pad-front") ? T - filled : 0;
    for (std::int64_t t = -room_in_front; t < T - room_in_front; ++t) {
        std::int64_t input = slip("win.pad-input") ? no_target : 0;
        std::int64_t target = slip("win.pad-target-0") ? 0 : no_target;
        if (t >= 0 && t < filled) {
            const std::int64_t next = first + t + ahead;
            input = text(first + t);
            target = next < text.numel() ? text(next) : no_target;
        }
        if (slip("lm.backwards")) std::swap(input, target);
        rows.inputs.push_back(input);
        rows.targets.push_back(target);
    }
}

void add_windows(Rows& rows, const IndexTensor& text, std::int64_t T, const Slips& slip) {
    const std::int64_t n = text.numel(), pairs = slip("win.last-as-input") ? n : n - 1;
    if (slip("win.short-dropped") && n < T + 1) return;
    if (slip("win.lonely") && n == 1) add_window(rows, text, 0, 0, T, slip);
    for (std::int64_t first = 0; first < pairs; first += step_between(T, slip)) {
        if (slip("win.rest-dropped") && pairs - first < T) return;
        add_window(rows, text, first, pairs - first, T, slip);
        if (slip("win.first-only")) return;
    }
}

Windows windows_with(const std::vector<IndexTensor>& texts, std::int64_t T, const Slips& slip) {
    Rows rows;
    if (slip("win.joined")) {
        add_windows(rows, tensor::concatenate(texts, 0), T, slip);
    } else {
        for (const IndexTensor& text : texts) add_windows(rows, text, T, slip);
    }
    const Shape shape{std::ssize(rows.inputs) / T, T};
    return {IndexTensor(rows.inputs, shape), IndexTensor(rows.targets, shape)};
}

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

Variable loss_with(const Variable& logits, const IndexTensor& targets, const Slips& slip);

// The mean of each window first, then the mean of these.
Variable window_by_window(const Variable& logits, const IndexTensor& targets) {
    std::vector<Variable> means;
    for (std::int64_t b = 0; b < targets.dim(0); ++b) {
        const IndexTensor own = tensor::slice(targets, 0, b, b + 1);
        if (counted(own, {}).empty()) continue;
        means.push_back(loss_with(slice(logits, 0, b, b + 1), own, {}));
    }
    return mean(stack(means));
}

Variable loss_with(const Variable& logits, const IndexTensor& targets, const Slips& slip) {
    if (slip("ce.window-by-window")) return window_by_window(logits, targets);
    const std::int64_t V = logits.dim(-1);
    const Ids positions = counted(targets, slip);
    Ids column;
    for (const std::int64_t i : positions) {
        column.push_back(std::max<std::int64_t>(targets.data()[i], 0));
    }
    const Variable all = reshape(logarithms(logits, slip), {-1, V});
    const IndexTensor tokens(column, {std::ssize(column), 1});
    const Variable chosen = gather(index_select(all, 0, IndexTensor(positions)), 1, tokens);
    Variable loss = -sum(chosen) / divisor(targets, positions.size(), slip);
    if (slip("ce.no-minus")) loss = -loss;
    if (slip("ce.log2")) loss = loss / 0.6931471805599453;
    return slip("train.detached") ? loss.detach() : loss;
}

std::vector<Mistake> mistakes() {
    const std::string print = "Print inputs above targets for the text 5 6 7 8 9 and T = 3.";
    const std::string count = "Print the number you divide by, for targets of which one counts.";
    return {
        {"lm.not-shifted", "the target at each position was the token that is there already",
         "What is the model to say at a position: what it sees, or what comes next?", print},
        {"lm.shifted-twice", "the targets were shifted by two", "How far ahead is the target?",
         print},
        {"lm.backwards",
         "inputs and targets were exchanged, so that the token before was to be guessed",
         "Which of the two is one token later?", print},
        {"win.gap", "each window used up T + 1 tokens, so that a pair was lost between two windows",
         "With which token does window 1 begin?", print},
        {"win.overlap", "each window began T - 1 tokens after the one before it",
         "How often does each pair occur?", print},
        {"win.every-start", "a window began at each token", "How often does each pair occur?",
         print},
        {"win.last-as-input",
         "the last token of a text was an input, although nothing comes after it",
         "What is the target of a text's last token?", print},
        {"win.rest-dropped", "windows that are not full were left out",
         "What becomes of the end of a text?", print},
        {"win.short-dropped", "texts with fewer than T + 1 tokens were left out",
         "How many pairs are there in a text of 2 tokens?", "Cut the text 5 6 with T = 3."},
        {"win.first-only", "only the first window of each text was taken",
         "What becomes of the rest of a long text?", print},
        {"win.lonely", "a text of one token gave a window without any target",
         "What can be learned from a text of one token?", "Cut the text 5 with T = 3."},
        {"win.joined", "all texts were joined before they were cut",
         "Does the first token of a text follow from the text before it?",
         "Cut the texts 5 6 and 7 8 with T = 3."},
        {"win.pad-front", "windows were filled up at the front",
         "At which end of a window is the room that is left?", "Cut the text 5 6 with T = 3."},
        {"win.pad-target-0",
         "the targets of the room that is left were 0, which is a token like others",
         "How is the loss to know that there is no target?", "Cut the text 5 6 with T = 3."},
        {"win.pad-input",
         "the inputs of the room that is left were no_target, which is not the id of a token",
         "Which row of an embedding has the number -100?", "Cut the text 5 6 with T = 3."},
        {"ce.padding-counted", "the sum was divided by B·T, padding included",
         "Over how many positions is the mean taken?", count},
        {"ce.windows-counted", "the sum was divided by the number of windows",
         "Over what is the mean taken, windows or positions?", count},
        {"ce.sum", "the losses were added up, without a mean", "A sum, or a mean?", count},
        {"ce.padding-as-0", "positions without a target counted as if their target were 0",
         "What does a position without a target contribute?", count},
        {"ce.zero-skipped", "positions with the target 0 were left out too",
         "Is 0 the id of a token?", count},
        {"ce.window-by-window",
         "the mean of each window was taken first, and then the mean of these",
         "Has each position the same weight, if one window has 1 target and another 4?", count},
        {"ce.no-minus", "the minus sign was missing", "Is the logarithm of a probability positive?",
         "The last line."},
        {"ce.log2", "the logarithm was the one to base 2",
         "Which logarithm has the loss of lesson 03.4?", "The logarithm in your code."},
        {"ce.no-log", "the probability itself was taken, and not its logarithm",
         "What is -log 1, and what is -log 0.01?", "What you gather from."},
        {"ce.no-softmax", "the logits themselves were taken, without a softmax",
         "Do the logits of a position sum to 1?", "What you gather from."},
        {"ce.double-softmax", "the softmax was taken twice",
         "Does log_softmax expect logits or probabilities?", "What goes into log_softmax."},
        {"ce.positions-softmax", "the softmax ran over the positions, and not over the tokens",
         "Which probabilities sum to 1?", "The axis of the softmax."},
        {"ce.no-max",
         "exp was taken of the logits as they are, which overflows where they are large",
         "What is exp(1000)?", "The case with logits around ±1000."},
        {"train.detached",
         "the loss was right but not connected to the logits, so that nothing could be learned",
         "What finds the way back from the loss to the logits?",
         "Look for value() or detach() in loss_of."},
    };
}

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

// What is cut into windows of T.
struct Cut {
    std::vector<IndexTensor> texts;
    std::int64_t T;
};

Stages windows(const ShiftedTargets& answer, const Cut& in) {
    const Windows windows = answer.windows_of(in.texts, in.T);
    return {{"inputs", tensor::to_tensor(windows.inputs)},
            {"targets", tensor::to_tensor(windows.targets)}};
}

Inputs<Cut> texts() {
    const auto of = [](const Ids& lengths, std::int64_t T, std::int64_t V = 9) -> Cut {
        return {texts_of(lengths, V, 100 + lengths.size() + lengths[0]), T};
    };
    return {
        {"a text of 7 tokens, T = 3", of({7}, 3)},
        {"texts of 9, 4, 2, 6 and 5 tokens, T = 3", of({9, 4, 2, 6, 5}, 3)},
        {"texts of 1, 0, 3 and 1 tokens, T = 4", of({1, 0, 3, 1}, 4)},
        {"texts of 5, 2 and 3 tokens, T = 1", of({5, 2, 3}, 1)},
        {"texts of 70 and 33 tokens, T = 8", of({70, 33}, 8, 50257)},
        {"texts of 3, 4 and 2 tokens, T = 5", of({3, 4, 2}, 5)},
        {"texts of 1 and 0 tokens, T = 2", of({1, 0}, 2)},
        {"texts of 7 and 3 tokens, T = 2", of({7, 3}, 2)},
        {"texts of 6 and 3 tokens, ids up to 10¹⁰, T = 4", of({6, 3}, 4, 10'000'000'000)},
    };
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

struct Measured {
    Variable logits;
    IndexTensor targets;
};

Stages given(const Measured& in) { return {{"logits", in.logits.value()}}; }

Stages losses(const ShiftedTargets& answer, const Measured& in) {
    const Variable loss = answer.loss_of(in.logits, in.targets);
    return with_gradients({{"loss", loss.value()}}, loss, {{"logits", in.logits}});
}

Inputs<Measured> logits() {
    const std::int64_t no = no_target;
    const auto of = [](const Tensor& logits, const IndexTensor& targets) -> Measured {
        return {Variable(logits, requires_grad), targets};
    };
    return {
        {"3 windows of 4 positions, V = 7", of(random({3, 4, 7}, 1), padded_anywhere())},
        {"2 windows of 5 positions, V = 5",
         of(random({2, 5, 5}, 2), IndexTensor({4, 1, 0, no, no, 2, 2, 3, 0, no}, {2, 5}))},
        {"no padding, V = 3",
         of(random({2, 4, 3}, 3), IndexTensor({0, 1, 2, 1, 0, 0, 2, 2}, {2, 4}))},
        {"logits around ±1000", of(random({3, 4, 7}, 4, 1000), padded_anywhere())},
        {"logits around -2000",
         of(random({2, 4, 3}, 10) - 2000, IndexTensor({2, 1, no, 0, no, 0, 2, 1}, {2, 4}))},
        {"a window without a target",
         of(random({3, 2, 4}, 6), IndexTensor({no, no, 3, 0, 1, no}, {3, 2}))},
        {"one position, V = 2", of(random({1, 1, 2}, 7), IndexTensor({0}, {1, 1}))},
        {"6 windows of 70 positions, V = 9", of(random({6, 70, 9}, 8), many_targets(6, 70, 9))},
        {"logits that are a view", of(turned(3, 4, 7, 9), padded_anywhere())},
    };
}

Rules<ShiftedTargets> rules() {
    return {
        .number = "14.1",
        .title = "Shifted targets",
        .reference = [](const Slips& slip) -> ShiftedTargets {
            return {[=](const std::vector<IndexTensor>& texts, std::int64_t T) {
                        return windows_with(texts, T, slip);
                    },
                    [=](const Variable& logits, const IndexTensor& targets) {
                        return loss_with(logits, targets, slip);
                    }};
        },
        .cases = joined(on_each(windows, texts()), on_each(losses, logits())),
        .mistakes = mistakes(),
        .hints =
            {"How many pairs of a token and the next one does a text of 7 tokens have?",
             "Lesson 14.1 prints inputs and targets one above the other",
             "Write down the windows of the text 5 6 7 8 9, for T = 3, before you look at yours",
             "windows_of is judged as soon as it is written, while loss_of is still open: begin "
             "with it"},
        .holes =
            {
                {"windows_of",
                 {"inputs", "targets"},
                 {"Which token of a text is never an input, and which one never a target?",
                  "A window may be cut in two steps: where does it begin, and which pairs are left "
                  "for it?",
                  "Position t of the window that begins at first: input text[first + t], target "
                  "text[first + t + 1], while there is such a token; else 0 and no_target",
                  "for (first = 0; first < n - 1; first += T), and within it t from first to first "
                  "+ T, with t < n - 1 as the condition for a real pair"}},
                {"loss_of",
                 {"loss", "the gradient of logits"},
                 {"Over how many positions is the mean taken?",
                  "autograd/ops/gather.h: index_select takes rows, gather takes an entry of each "
                  "row",
                  "The sum of -log softmax(logits)[target] over the positions with a target, "
                  "divided by their number",
                  "Collect the positions whose target is not no_target, take these rows of the "
                  "logits as [n, V], then log_softmax along the last axis and gather"}},
            },
    };
}

}  // namespace

const Judge<ShiftedTargets> judge_14_1(rules);

}  // namespace exercise
