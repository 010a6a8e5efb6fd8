// Lesson 10: one head learns to copy the token three places back, in texts of 16, and is asked to
// do it in longer ones (10.7).
#include "tutorials/10_order/parts.h"

#include "autograd/ops.h"
#include "nn/attention/attention_head.h"
#include "nn/embedding.h"
#include "nn/losses.h"
#include "nn/optim/optimizers.h"
#include "nn/positions/learned_positions.h"
#include "nn/positions/relative_bias.h"
#include "nn/positions/rotary_positions.h"
#include "nn/positions/sinusoidal_positions.h"
#include "tensor/ops.h"
#include "tensor/print.h"
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
using tutorial::in_the_notes;
using tutorial::median_and_range;
using tutorial::say;
using tutorial::section;
using tutorial::Several;
using tutorial::several;

namespace {

const std::int64_t back = 3;      // places
const std::int64_t V = 8;         // tokens
const std::int64_t d = 32;        // features of a vector, a query, a key and a value
const std::int64_t longest = 64;  // text
const std::int64_t trained_T = 16;

struct Copier : Module {
    Embedding tokens;
    AttentionHead head;
    Linear to_logits;

    Copier(const AnyPositions& positions, Random& random)
        : tokens(V, d, random), head(d, d, random, {.positions = positions}),
          to_logits(d, V, random) {}
    Variable operator()(const IndexTensor& ids) const {
        const Variable X = tokens(ids);                        // [B, T, d]
        const Variable y = head(X, Mask::causal(ids.dim(1)));  // [B, T, d]
        const Variable logits = to_logits(y);                  // [B, T, V]
        return logits;
    }
    void members(MemberVisitor& visit) override {
        visit("tokens", tokens);
        visit("head", head);
        visit("to_logits", to_logits);
    }
};

IndexTensor random_texts(std::int64_t B, std::int64_t T, Random& random) {
    std::vector<std::int64_t> ids;
    for (std::int64_t i = 0; i < B * T; ++i) ids.push_back(random.below(V));
    return IndexTensor(ids, {B, T});
}

// The logits at positions that have a token `back` places before them, and those tokens.
struct Asked {
    Variable logits;      // [B, T - back, V]
    IndexTensor targets;  // [B, T - back]
};

Asked asked_of(const Copier& model, const IndexTensor& ids) {
    return {slice(model(ids), 1, back), tensor::slice(ids, 1, 0, -back)};
}

double accuracy(const Copier& model, std::int64_t T, Random& random) {
    const NoGrad no_grad;
    const Asked asked = asked_of(model, random_texts(50, T, random));
    const IndexTensor said = tensor::argmax(asked.logits.value(), -1);
    const BoolTensor right = said == asked.targets;
    return static_cast<double>(right.count()) / static_cast<double>(right.numel());
}

Copier trained(const std::string& name, const AnyPositions& positions, Random& random) {
    const FastKernels fast;  // also in a Debug build, where this would take minutes
    Copier model(positions, random);
    Adam optimizer(parameters(model), {.lr = 1e-2});
    for (tutorial::TrainingRun run(name, 400, model, optimizer, random); run.next();) {
        const Asked asked = asked_of(model, random_texts(32, trained_T, random));
        const Variable loss = cross_entropy(asked.logits, asked.targets);
        optimizer.zero_grad();
        loss.backward();
        optimizer.step();
        run.show(loss);
    }
    return model;
}

// The mean weight on the key at each distance, over texts and over the queries that have a
// key at every distance: [distances].
Tensor weight_by_distance(const Copier& model, std::int64_t T, std::int64_t distances,
                          Random& random) {
    const NoGrad no_grad;
    const IndexTensor ids = random_texts(50, T, random);
    const Variable X = model.tokens(ids);  // [B, T, d]
    const Tensor weights =
        model.head.with_weights(X, Mask::causal(T)).weights.value();  // [B, T, T]
    std::vector<Scalar> means;
    for (std::int64_t distance = 0; distance < distances; ++distance) {
        Scalar sum = 0;
        for (std::int64_t t = distances - 1; t < T; ++t) {
            const Tensor of_key = tensor::select(tensor::select(weights, 1, t), 1, t - distance);
            sum += tensor::mean(of_key).item();
        }
        means.push_back(sum / static_cast<Scalar>(T - distances + 1));
    }
    return tensor::from_vector(means, {distances});
}

struct Kind {
    const char* name;
    AnyPositions positions;
};

const int models = 3;  // of each kind

struct Result {
    Several at_16, at_32, at_64;
    Tensor weights_at_16, weights_at_64;  // by distance, the mean over the models, [6]
};

Result result_of(const Kind& kind, Random& random) {
    std::vector<double> at_16, at_32, at_64;
    std::vector<Tensor> weights_at_16, weights_at_64;
    for (int i = 0; i < models; ++i) {
        const Copier model = trained(kind.name, kind.positions, random);
        at_16.push_back(accuracy(model, 16, random));
        at_32.push_back(accuracy(model, 32, random));
        at_64.push_back(accuracy(model, 64, random));
        weights_at_16.push_back(weight_by_distance(model, 16, 6, random));
        weights_at_64.push_back(weight_by_distance(model, 64, 6, random));
    }
    return {several(at_16), several(at_32), several(at_64),
            tensor::mean(tensor::stack(weights_at_16), 0),
            tensor::mean(tensor::stack(weights_at_64), 0)};
}

void print_accuracies(const std::vector<Kind>& kinds, const std::vector<Result>& results) {
    tutorial::print_row(std::cout, "accuracy", {"T = 16", "T = 32", "T = 64"}, 14, 16);
    for (std::size_t i = 0; i < kinds.size(); ++i) {
        const Result& found = results[i];
        tutorial::print_row(std::cout, kinds[i].name,
                            {median_and_range(found.at_16, 2), median_and_range(found.at_32, 2),
                             median_and_range(found.at_64, 2)},
                            14, 16);
    }
    std::cout << "\n";
    if (!tutorial::page_is_written()) return;
    tutorial::Plot plot{.title = "Three places back, in texts longer than those of training (16)",
                        .x = {.label = "tokens of the text", .ticks = {16, 32, 64}},
                        .y = {.label = "accuracy, median and range of three", .covers = {0, 1}},
                        .references = {{"guessing", 0.125}}};
    for (std::size_t i = 0; i < kinds.size(); ++i) {
        const Result& found = results[i];
        plot.series.push_back(tutorial::series_of(kinds[i].name, {16, 32, 64},
                                                  {found.at_16, found.at_32, found.at_64}));
    }
    tutorial::draw(tutorial::plot_svg(plot));
}

void print_weights(const std::vector<Kind>& kinds, const std::vector<Result>& results) {
    tutorial::Table table{.corner = "places back",
                          .what_columns = "places",
                          .rows = {},
                          .columns = {"0", "1", "2", "3", "4", "5"},
                          .cells = {}};
    for (std::size_t i = 0; i < kinds.size(); ++i) {
        for (const std::int64_t T : {16, 64}) {
            table.rows.push_back(std::string(kinds[i].name) + ", " + std::to_string(T));
            const Tensor& weights = T == 16 ? results[i].weights_at_16 : results[i].weights_at_64;
            for (const Scalar weight : weights.to_vector()) {
                table.cells.push_back({fixed(weight, 2), static_cast<double>(weight)});
            }
        }
    }
    tutorial::print_table(std::cout, table);
}

}  // namespace

void copy_task(Random& random) {
    section("10.7 Copy the token three places back");
    say("One head, 8 kinds of tokens, texts of 16: at each position, predict the token that stood "
        "three places before. Then the same in texts of 32 and 64, longer than any it was trained "
        "on. Guessing is right 1 time in 8. The learned bias is the b of 10.4, trained, from "
        "zeros; beyond 8 places all distances share one. Three models of each kind, median and "
        "range:");
    const std::vector<Kind> kinds = {{"none", AnyPositions()},
                                     {"table", LearnedPositions(longest, d, random)},
                                     {"sinusoids", SinusoidalPositions(d)},
                                     {"learned bias", RelativeBias(1, 8)},
                                     {"rotary", RotaryPositions(d)}};
    tutorial::predict_choice("Which of them fails in longer texts, though it knows the short ones?",
                             {"table", "learned bias", "rotary"}, "table",
                             "Its rows from 16 on were never trained.");
    std::vector<Result> results;
    for (const Kind& kind : kinds) results.push_back(result_of(kind, random));
    print_accuracies(kinds, results);
    const Result &none = results[0], &table = results[1], &waves = results[2];
    const Result &bias = results[3], &rotary = results[4];
    check(none.at_16.most < 0.6, "without positions the head does not find the place");
    check(std::min({table.at_16.least, waves.at_16.least, bias.at_16.least, rotary.at_16.least}) >
              0.95,
          "with any positions it does, in texts as long as those it learned from");
    check(table.at_64.most < 0.6,
          "in texts of 64 the table fails: most of its rows were never trained");
    check(waves.at_64.most < 0.8,
          "sinusoids have a row for every length, which does not help where nothing was learned: "
          "they are poor at 64");
    check(bias.at_64.median > 0.8 && rotary.at_64.median > 0.8 &&
              std::min(bias.at_64.least, rotary.at_64.least) > table.at_64.most,
          "where only the distance counts, the place is found in longer texts, too, and every such "
          "model does better than any table");

    say("So a longer text needs more than a longer table, or a table without end. Where does the "
        "head look? The mean weight on the key so many places back, in texts of 16 and of 64:");
    const Tensor weights = rotary.weights_at_64;  // [6]
    stop("10.7 weight by distance", {{"weights", weights}});
    print_weights(kinds, results);
    check(bias.weights_at_64(3) > 3 * bias.weights_at_64(2) &&
              rotary.weights_at_64(3) > 3 * rotary.weights_at_64(2),
          "bias and rotary look three places back in the long texts, too");
    check(table.weights_at_64(3) < table.weights_at_16(3) / 2,
          "in the long texts the table looks there less than half as much");
    in_the_notes("004 praises sinusoids for having no last position, so that the length never "
                 "becomes an issue (004-6).");
}
