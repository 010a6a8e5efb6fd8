// Lesson 15: training finds the two heads (15.3), and a task can be learned without them, so a
// right answer proves nothing (15.4).
#include "tutorials/15_induction/parts.h"

#include "nn/heed.h"
#include "tensor/runtime/fast_kernels.h"
#include "tutorials/support/heat_map.h"
#include "tutorials/support/lesson.h"
#include "tutorials/support/predict.h"
#include "tutorials/support/stop.h"
#include "tutorials/support/table.h"
#include "tutorials/support/training_run.h"

#include <iostream>

using namespace heed;
using tutorial::check;
using tutorial::print_row;
using tutorial::say;
using tutorial::section;

namespace {

const std::int64_t V = 16;         // kinds of tokens
const std::int64_t n = 8;          // distinct tokens, then the same again
const std::int64_t T = 2 * n - 1;  // the last one is only predicted
const std::int64_t d = 32;

// A residual stream with layers of one head: no feed-forward, no norms.
struct Model : Module {
    Embedding tokens;
    LearnedPositions positions;
    std::vector<MultiHeadAttention> layers;
    Linear to_logits;

    Model(int num_layers, Random& random)
        : tokens(V, d, random), positions(T, d, random), to_logits(d, V, random) {
        for (int i = 0; i < num_layers; ++i) layers.emplace_back(d, 1, random);
    }
    // The logits [B, T, V]; `weights` are those of each layer, [B, T, T].
    Variable operator()(const IndexTensor& ids, std::vector<Tensor>* weights = nullptr) const {
        Variable x = positions.added_to(tokens(ids));  // [B, T, d]
        for (const MultiHeadAttention& layer : layers) {
            const Attention attended = layer.with_weights(x, Mask::causal(T));
            if (weights) weights->push_back(tensor::squeeze(attended.weights.value(), 1));
            x = x + attended.output;
        }
        return to_logits(x);
    }
    void members(MemberVisitor& visit) override {
        visit("tokens", tokens);
        visit("positions", positions);
        visit("layers", layers);
        visit("to_logits", to_logits);
    }
};

// How the second half repeats the first: from any place on, round and round, or from the first.
enum class Repeat { from_any, from_first };

struct Examples {
    IndexTensor ids;                   // [B, T]
    IndexTensor targets;               // [B, T - n]: what follows the tokens of the second half
    std::vector<std::int64_t> begins;  // [B]: where in the first half the second begins
};

Examples random_examples(std::int64_t B, Repeat repeat, Random& random) {
    std::vector<std::int64_t> ids, targets, begins;
    for (std::int64_t b = 0; b < B; ++b) {
        std::vector<std::int64_t> text = random.permutation(V);
        text.resize(static_cast<std::size_t>(n));
        begins.push_back(repeat == Repeat::from_any ? random.below(n) : 0);
        for (std::int64_t i = 0; i < n; ++i) {
            text.push_back(text[static_cast<std::size_t>((begins.back() + i) % n)]);
        }
        ids.insert(ids.end(), text.begin(), text.begin() + T);
        targets.insert(targets.end(), text.begin() + n + 1, text.end());
    }
    return {IndexTensor(ids, {B, T}), IndexTensor(targets, {B, T - n}), begins};
}

Model trained(const std::string& name, int num_layers, Repeat repeat, Random& random) {
    const FastKernels fast;  // also in a Debug build, where this would take minutes
    Model model(num_layers, random);
    Adam optimizer(parameters(model), {.lr = 1e-2});
    for (tutorial::TrainingRun run(name, 600, model, optimizer, random); run.next();) {
        const Examples examples = random_examples(64, repeat, random);
        const Variable logits = slice(model(examples.ids), 1, n);  // [64, T - n, V]
        const Variable loss = cross_entropy(logits, examples.targets);
        optimizer.zero_grad();
        loss.backward();
        optimizer.step();
    }
    return model;
}

struct Measured {
    double accuracy;
    double previous;   // layer 0: mean weight of tokens 1 to n on the one before
    double induction;  // layer 1: mean weight on what followed the token in the first half
};

Measured measured(const Model& model, const Examples& examples) {
    const NoGrad no_grad;
    std::vector<Tensor> weights;
    const Variable logits = slice(model(examples.ids, &weights), 1, n);
    const BoolTensor right = tensor::argmax(logits.value(), -1) == examples.targets;
    const std::int64_t B = examples.ids.dim(0);
    Measured found = {static_cast<double>(right.count()) / static_cast<double>(right.numel()), 0,
                      0};
    std::int64_t asked = 0;  // tokens of the second half that something followed in the first
    for (std::int64_t b = 0; b < B; ++b) {
        for (std::int64_t t = 1; t < n; ++t) found.previous += weights[0](b, t, t - 1);
        for (std::int64_t t = n; weights.size() > 1 && t < T; ++t) {
            const std::int64_t occurred = (examples.begins[static_cast<std::size_t>(b)] + t) % n;
            if (occurred == n - 1) continue;
            found.induction += weights[1](b, t, occurred + 1);
            ++asked;
        }
    }
    found.previous /= static_cast<double>(B * (n - 1));
    if (asked > 0) found.induction /= static_cast<double>(asked);
    return found;
}

void print_measured(const char* what, const Measured& found) {
    print_row(std::cout, what,
              {fixed(found.accuracy, 2), fixed(found.previous, 2), fixed(found.induction, 2)}, 22,
              10);
}

// Layer 0 where the first half reads itself, layer 1 where the second half reads the first.
void print_stripes(const Model& model, const Examples& examples) {
    const NoGrad no_grad;
    std::vector<Tensor> weights;
    model(examples.ids, &weights);
    std::vector<std::string> letters;
    for (std::int64_t t = 0; t < T; ++t) {
        letters.push_back(std::string(1, static_cast<char>('a' + examples.ids(0, t))));
    }
    const std::vector<std::string> first_half(letters.begin(), letters.begin() + n);
    const std::vector<std::string> second_half(letters.begin() + n, letters.end());
    const Tensor layer_0 = tensor::select(weights[0], 0, 0);  // [T, T]
    const Tensor layer_1 = tensor::select(weights[1], 0, 0);  // [T, T]
    std::cout << "layer 0, the first half\n\n";
    tutorial::print_heat_map(std::cout, first_half, first_half,
                             tensor::slice(tensor::slice(layer_0, 0, 0, n), 1, 0, n),
                             Mask::causal(n));
    std::cout << "layer 1, the second half looking at the first\n\n";
    tutorial::print_heat_map(std::cout, second_half, first_half,
                             tensor::slice(tensor::slice(layer_1, 0, n, T), 1, 0, n));
}

}  // namespace

void learned_induction(Random& random) {
    section("15.3 Found by training");
    say("Eight different tokens of sixteen, then the same again, but from any of them on, round "
        "and round: the place of the second half says nothing, only what followed in the first "
        "half does. One layer, and two; guessing among the eight is right 1 time in 8.");
    tutorial::predict_choice("Is one layer enough?", {"yes", "no"}, "no",
                             "Its keys do not know what stood before them.");
    const Model one = trained("one_layer", 1, Repeat::from_any, random);
    const Model two = trained("two_layers", 2, Repeat::from_any, random);
    const Examples examples = random_examples(200, Repeat::from_any, random);
    const Measured with_one = measured(one, examples), with_two = measured(two, examples);
    print_row(std::cout, "", {"accuracy", "previous", "induction"}, 22, 10);
    print_measured("one layer", with_one);
    print_measured("two layers", with_two);
    std::cout << "\n";
    const Tensor found = tensor::of({with_two.accuracy, with_two.previous, with_two.induction});
    stop("15.3 two layers", {{"found", found}});
    check(with_one.accuracy < 0.3, "one layer guesses");
    check(with_two.accuracy > 0.9, "two layers copy");
    check(
        with_two.previous > 0.9 && with_two.induction > 0.9,
        "layer 0 looks at the token before, layer 1 at what followed the token's first occurrence");
    say("One text, its weights in both layers: two stripes.");
    print_stripes(two, random_examples(1, Repeat::from_any, random));

    section("15.4 A right answer proves no mechanism");
    say("The same training with a second half that always begins where the first one did. The "
        "accuracy is as good. Has it learned induction?");
    const Model fixed_place = trained("from_first", 2, Repeat::from_first, random);
    const Measured with_fixed =
        measured(fixed_place, random_examples(200, Repeat::from_first, random));
    const Measured moved = measured(fixed_place, examples);
    print_row(std::cout, "", {"accuracy", "previous", "induction"}, 22, 10);
    print_measured("always from the first", with_fixed);
    print_measured("then from any", moved);
    std::cout << "\n";
    check(with_fixed.accuracy > 0.9, "it is right");
    check(with_fixed.previous < 0.8, "but layer 0 has no head for the token before");
    check(moved.accuracy < 0.4, "and where the place moves, it fails: it had counted places");
    say("Layer 1 may look at the right place even so, since that is always the same number of "
        "places back. To know what a model does, it takes a text in which the two differ.");
}
