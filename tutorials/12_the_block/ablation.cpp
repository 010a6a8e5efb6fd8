// Lesson 12: one task, and a block from which one part after the other is left out (12.8).
#include "tutorials/12_the_block/parts.h"

#include "autograd/ops.h"
#include "nn/embedding.h"
#include "nn/losses.h"
#include "nn/optim/optimizers.h"
#include "nn/optim/schedules.h"
#include "nn/positions/learned_positions.h"
#include "tensor/ops.h"
#include "tensor/print.h"
#include "tensor/runtime/fast_kernels.h"
#include "tutorials/support/lesson.h"
#include "tutorials/support/predict.h"
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
using tutorial::Several;

namespace {

const std::int64_t V = 6;  // digits
const std::int64_t T = 12;
const std::int64_t d = 32;
const int steps = 400;

struct Model : Module {
    Embedding digits;
    LearnedPositions places;
    Block block;
    LayerNorm norm;
    Linear to_logits;
    bool has_places, has_norm;

    Model(const Parts& parts, bool with_places, Random& random)
        : digits(V, d, random), places(T, d, random), block(d, parts, random), norm(d),
          to_logits(d, V, random), has_places(with_places), has_norm(parts.layer_norm) {}
    Variable operator()(const IndexTensor& ids) const {
        Variable x = digits(ids);  // [B, T, d]
        if (has_places) x = places.added_to(x);
        x = block(x, Mask::causal(T));
        return to_logits(has_norm ? norm(x) : x);  // [B, T, V]
    }
    void members(MemberVisitor& visit) override {
        visit("digits", digits);
        visit("places", places);
        visit("block", block);
        visit("norm", norm);
        visit("to_logits", to_logits);
    }
};

struct Examples {
    IndexTensor ids;      // [B, T]
    IndexTensor targets;  // [B, T - 3]: a·(1 + b) + c modulo V, with the digits a at t, b at t - 1
                          // and c at t - 3
};

Examples random_examples(std::int64_t B, Random& random) {
    std::vector<std::int64_t> ids, targets;
    for (std::int64_t b = 0; b < B; ++b) {
        std::vector<std::int64_t> digits;
        for (std::int64_t t = 0; t < T; ++t) digits.push_back(random.below(V));
        for (std::size_t t = 3; t < digits.size(); ++t) {
            targets.push_back((digits[t] * (1 + digits[t - 1]) + digits[t - 3]) % V);
        }
        ids.insert(ids.end(), digits.begin(), digits.end());
    }
    return {IndexTensor(ids, {B, T}), IndexTensor(targets, {B, T - 3})};
}

Variable logits_of(const Model& model, const Examples& examples) {
    return slice(model(examples.ids), 1, 3);  // [B, T - 3, V]
}

double accuracy_of(const Model& model, const Examples& examples) {
    const NoGrad no_grad;
    const IndexTensor predicted = tensor::argmax(logits_of(model, examples).value(), -1);
    const BoolTensor right = predicted == examples.targets;
    return static_cast<double>(right.count()) / static_cast<double>(right.numel());
}

double trained_accuracy(const std::string& name, const Parts& parts, bool with_places,
                        std::uint64_t seed) {
    const FastKernels fast;  // also in a Debug build, where this would take minutes
    Random random(seed);
    Model model(parts, with_places, random);
    Adam optimizer(parameters(model), {.lr = 1e-2});
    const WarmupLinear schedule{.lr = 1e-2, .floor = 0, .warmup = 0, .steps = steps};
    for (tutorial::TrainingRun run(name, steps, model, optimizer, random); run.next();) {
        const Examples examples = random_examples(16, random);
        const Variable loss = cross_entropy(logits_of(model, examples), examples.targets);
        optimizer.zero_grad();
        loss.backward();
        optimizer.set_lr(schedule(run.step()));
        optimizer.step();
        run.show(loss);
    }
    return accuracy_of(model, random_examples(200, random));
}

struct Row {
    const char* name;
    Parts parts;
    bool places = true;
};

}  // namespace

void one_part_less(const Seeds& seeds) {
    section("12.8 One part less");
    say("A harder task for one block: at each place predict $a·(1 + b) + c$ mod 6, where a is this "
        "digit, b the one before and c the one three before. It takes attention, to fetch b and c "
        "from their places, and something that multiplies. Two heads, a last norm, 400 steps, the "
        "learning rate falling from 0.01 to 0. The accuracy on new rows of digits, again the "
        "median of three runs and their range, where guessing gives 0.17:");
    const Row rows[] = {{"all, norm before", {.num_heads = 2}},
                        {"all, norm after", {.norm = NormPlace::after, .num_heads = 2}},
                        {"- residual", {.residual = false, .num_heads = 2}},
                        {"- layer norms", {.layer_norm = false, .num_heads = 2}},
                        {"- feed-forward", {.feed_forward = false, .num_heads = 2}},
                        {"- positions", {.num_heads = 2}, false},
                        {"- 1/√d_k", {.root_of_d_k = false, .num_heads = 2}},
                        {"one head", {.num_heads = 1}}};
    tutorial::predict_choice("Which of these does most harm, if it is left out?",
                             {"residual", "feed-forward", "positions"}, "positions",
                             "Without them nobody knows which digit is the one before.");
    std::vector<Several> found;
    print_row(std::cout, "", {"accuracy"}, 18, 18);
    for (const Row& one : rows) {
        std::vector<double> runs;
        for (const std::uint64_t seed : seeds) {
            runs.push_back(trained_accuracy(one.name, one.parts, one.places, seed));
        }
        found.push_back(tutorial::several(runs));
        print_row(std::cout, one.name, {tutorial::median_and_range(found.back(), 2)}, 18, 18);
    }
    std::cout << "\n";
    std::vector<double> medians;
    for (const Several& one : found) medians.push_back(one.median);
    const Tensor accuracy = tensor::of({medians[0], medians[1], medians[2], medians[3], medians[4],
                                        medians[5], medians[6], medians[7]});
    stop("12.8 one part less", {{"accuracy", accuracy}});
    const double whole = std::min(medians[0], medians[1]);
    check(whole > 0.8, "the whole block learns it, wherever the norm is");
    check(medians[4] < whole - 0.1,
          "without feed-forward it learns less: attention alone fetches and averages");
    check(found[5].most < 0.45 && medians[5] < medians[4] - 0.05,
          "without positions it learns least: it cannot tell b from c");
    check(medians[2] < whole - 0.1,
          "without the residual connection it learns less, in a single block, too");
    check(medians[3] > 0.8, "a single block does without norms");
    const double best = std::max(medians[0], medians[1]);
    check(std::max(medians[6], medians[7]) < best + 0.05,
          "without $1/√d_k$, or with one head, it learns no better");
}
