// Lesson 12: twelve blocks, trained: with and without residual connections and norms (12.6), and
// with the norm before and after at several learning rates (12.7).
#include "tutorials/12_the_block/parts.h"

#include "autograd/ops.h"
#include "nn/embedding.h"
#include "nn/losses.h"
#include "nn/optim/optimizers.h"
#include "nn/optim/schedules.h"
#include "nn/positions/learned_positions.h"
#include "tensor/ops.h"
#include "tensor/runtime/fast_kernels.h"
#include "tutorials/support/lesson.h"
#include "tutorials/support/page.h"
#include "tutorials/support/plot.h"
#include "tutorials/support/predict.h"
#include "tutorials/support/several.h"
#include "tutorials/support/stop.h"
#include "tutorials/support/terminal.h"
#include "tutorials/support/training_run.h"

#include <algorithm>
#include <iostream>

using namespace heed;
using tutorial::check;
using tutorial::print_row;
using tutorial::say;
using tutorial::section;
using tutorial::series_of;
using tutorial::Several;

namespace {

const std::int64_t V = 6;  // digits
const std::int64_t T = 9;
const std::int64_t d = 16;
const std::int64_t depth = 12;
const int steps = 120;

struct Stack : Module {
    Embedding digits;
    LearnedPositions places;
    std::vector<Block> blocks;
    LayerNorm norm;
    Linear to_logits;
    bool has_last_norm;

    Stack(const Parts& parts, Random& random)
        : digits(V, d, random), places(T, d, random), norm(d), to_logits(d, V, random),
          has_last_norm(parts.layer_norm && parts.norm == NormPlace::before) {
        for (std::int64_t i = 0; i < depth; ++i) blocks.emplace_back(d, parts, random);
    }
    Variable operator()(const IndexTensor& ids) const {
        const Mask causal = Mask::causal(T);
        Variable x = places.added_to(digits(ids));  // [B, T, d]
        for (const Block& block : blocks) x = block(x, causal);
        return to_logits(has_last_norm ? norm(x) : x);  // [B, T, V]
    }
    void members(MemberVisitor& visit) override {
        visit("digits", digits);
        visit("places", places);
        visit("blocks", blocks);
        visit("norm", norm);
        visit("to_logits", to_logits);
    }
};

IndexTensor random_digits(std::int64_t B, Random& random) {
    std::vector<std::int64_t> ids;
    for (std::int64_t i = 0; i < B * T; ++i) ids.push_back(random.below(V));
    return IndexTensor(ids, {B, T});
}

// At each place but the first two, the digit two places before.
Variable logits_of(const Stack& stack, const IndexTensor& ids) { return slice(stack(ids), 1, 2); }
IndexTensor targets_of(const IndexTensor& ids) { return tensor::slice(ids, 1, 0, T - 2); }

double accuracy_of(const Stack& stack, Random& random) {
    const NoGrad no_grad;
    const IndexTensor ids = random_digits(200, random);
    const IndexTensor predicted = tensor::argmax(logits_of(stack, ids).value(), -1);
    const BoolTensor right = predicted == targets_of(ids);
    return static_cast<double>(right.count()) / static_cast<double>(right.numel());
}

struct Way {
    const char* name;
    Parts parts;
    double lr = 1e-3;
    int warmup = 0;  // steps
};

double trained_accuracy(const Way& way, std::uint64_t seed) {
    const FastKernels fast;  // also in a Debug build, where this would take minutes
    Random random(seed);
    Stack stack(way.parts, random);
    Adam optimizer(parameters(stack), {.lr = way.lr});
    const WarmupConstant schedule{.lr = way.lr, .warmup = way.warmup};
    for (tutorial::TrainingRun run(way.name, steps, stack, optimizer, random); run.next();) {
        const IndexTensor ids = random_digits(16, random);
        const Variable loss =
            cross_entropy(logits_of(stack, ids), targets_of(ids), {.class_axis = -1});
        optimizer.zero_grad();
        loss.backward();
        optimizer.set_lr(schedule(run.step()));
        optimizer.step();
        run.show(loss);
    }
    return accuracy_of(stack, random);
}

Several accuracies(const Way& way, const Seeds& seeds) {
    std::vector<double> found;
    for (const std::uint64_t seed : seeds) found.push_back(trained_accuracy(way, seed));
    return tutorial::several(found);
}

std::string shown(const Several& accuracy) { return tutorial::median_and_range(accuracy, 2); }

const Parts norm_after = {.norm = NormPlace::after, .num_heads = 2};
const Parts norm_before = {.num_heads = 2};

}  // namespace

Several four_ways(const Seeds& seeds) {
    section("12.6 Twelve layers, trained");
    say("Now the task is as easy as can be: at each place, predict the digit two places before. "
        "One head could do it (lesson 10). Twelve blocks of two heads are to learn it, in 120 "
        "steps of Adam at a learning rate of 0.001. The accuracy on new rows of digits, where "
        "guessing is right 1 time in 6, 0.17; the median of three runs from three seeds, and their "
        "range:");
    const Way ways[] = {
        {"neither", {.residual = false, .layer_norm = false, .num_heads = 2}},
        {"norms only", {.norm = NormPlace::after, .residual = false, .num_heads = 2}},
        {"residual only", {.layer_norm = false, .num_heads = 2}},
        {"both, norm before", norm_before}};
    tutorial::predict_choice(
        "Which of these learns it without the other?", {"residual", "norms", "neither"}, "residual",
        "It keeps the positions apart, and brings the gradient to each layer.");
    std::vector<Several> found;
    for (const Way& way : ways) found.push_back(accuracies(way, seeds));
    print_row(std::cout, "", {"accuracy"}, 20, 18);
    for (std::size_t i = 0; i < found.size(); ++i) {
        print_row(std::cout, ways[i].name, {shown(found[i])}, 20, 18);
    }
    std::cout << "\n";
    const Several &neither = found[0], &norms = found[1], &residual = found[2], &both = found[3];
    const Tensor medians = tensor::of({neither.median, norms.median, residual.median, both.median});
    stop("12.6 trained", {{"medians", medians}});
    check(neither.most < 0.3, "with neither, no run does better than guessing");
    check(norms.most < 0.3, "nor does any with norms only: small numbers were not what was wrong");
    check(residual.median > 0.75, "with residual connections alone it is learned");
    check(both.median > 0.75, "with both it is learned, too");
    check(std::max(neither.most, norms.most) < std::min(residual.least, both.least) - 0.1,
          "the worst run with a residual connection is far above the best without");
    return both;
}

void before_and_after(const Several& before_at_1e3, const Seeds& seeds) {
    section("12.7 Norm before or after: how fast may it learn?");
    say("Then what are norms for, and why have most models since 2019 the norm before? Raise the "
        "learning rate. Warmup means that it rises slowly: here in 80 steps from 0 to its full "
        "height, where it stays for the other 40. The same task, with the same three seeds:");
    tutorial::predict_choice("Which of them fails at 0.01?", {"before", "after"}, "after",
                             "Its stream goes through 24 norms.");
    print_row(std::cout, "learning rate", {"0.001", "0.003", "0.01"}, 20, 17);
    const Several after_slow = accuracies({"after, 1e-3", norm_after, 1e-3}, seeds);
    const Several after_fast = accuracies({"after, 3e-3", norm_after, 3e-3}, seeds);
    const Several after_faster = accuracies({"after, 1e-2", norm_after, 1e-2}, seeds);
    print_row(std::cout, "norm after", {shown(after_slow), shown(after_fast), shown(after_faster)},
              20, 17);
    const Several warmed_up = accuracies({"after, 1e-2, warmup", norm_after, 1e-2, 80}, seeds);
    print_row(std::cout, "norm after, warmup", {"", "", shown(warmed_up)}, 20, 17);
    const Several before_fast = accuracies({"before, 3e-3", norm_before, 3e-3}, seeds);
    const Several before_faster = accuracies({"before, 1e-2", norm_before, 1e-2}, seeds);
    print_row(std::cout, "norm before",
              {shown(before_at_1e3), shown(before_fast), shown(before_faster)}, 20, 17);
    std::cout << "\n";
    if (tutorial::page_is_written()) {
        const std::vector<double> rates{0.001, 0.003, 0.01};
        tutorial::draw(tutorial::plot_svg(
            {.title = "Norm before or after, at three learning rates",
             .x = {.label = "learning rate", .logarithmic = true, .ticks = rates},
             .y = {.label = "accuracy, median and range of three", .covers = {0, 1}},
             .series = {series_of("after", rates, {after_slow, after_fast, after_faster}),
                        series_of("after, warmup", {0.01}, {warmed_up}),
                        series_of("before", rates, {before_at_1e3, before_fast, before_faster})},
             .references = {{"guessing", 1.0 / 6}}}));
    }
    const Tensor at_1e2 = tensor::of({after_faster.median, warmed_up.median, before_faster.median});
    stop("12.7 at a hundredth", {{"at_1e2", at_1e2}});
    check(after_slow.median > 0.75 && after_fast.median > 0.9,
          "the norm after learns it at 0.001 and at 0.003");
    check(after_faster.median < 0.5, "at 0.01 it learns next to nothing");
    check(warmed_up.median > 0.6, "with warmup it learns most of it");
    check(before_fast.median > 0.9 && before_faster.median > 0.9,
          "the norm before learns it at all three, without warmup");
    say("In x + f(norm(x)) the stream runs from the first layer to the last without a norm on it. "
        "In norm(x + f(x)) it goes through 24 norms, each of which rescales all that came before, "
        "and long first steps do damage from which these runs do not recover (Xiong et al. 2020 "
        "say why). Warmup makes the first steps short; the transformer of 2017 was trained with "
        "4,000 steps of it. Where the edge lies depends on width, depth and task.");
}
