#include "tutorials/exercises/judges/13_1_gru_cell.h"

#include "tutorials/exercises/judges/13_1_gru_cell_mistakes.h"
#include "tutorials/exercises/judging/compare.h"
#include "tutorials/exercises/judging/gradients.h"
#include "tutorials/exercises/judging/inputs.h"

#include "autograd/ops.h"
#include "tensor/copy.h"
#include "tensor/factories.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/ops/functions.h"
#include "tensor/views.h"

using namespace heed;

namespace exercise {

namespace {

// Texts of so many words, with the weights of a cell.
struct Input {
    std::string name;
    GruWeights W;
    std::vector<Variable> words;  // each [..., in]
    Variable h;                   // [..., hidden], before the first

    std::vector<Leaf> leaves() const {
        std::vector<Leaf> all = {{"h", h},
                                 {"weight_ih", W.weight_ih},
                                 {"weight_hh", W.weight_hh},
                                 {"bias_ih", W.bias_ih},
                                 {"bias_hh", W.bias_hh}};
        for (std::size_t t = 0; t < words.size(); ++t) {
            all.push_back({words.size() == 1 ? "x" : "x " + std::to_string(t + 1), words[t]});
        }
        return all;
    }
};

struct Sizes {
    Dims leading;
    std::int64_t in, hidden;
    int words = 1;
};

Variable leaf(const Tensor& x) { return Variable(x, requires_grad); }

GruWeights random_weights(const Sizes& of, std::uint64_t seed, double deviation) {
    const std::int64_t rows = 3 * of.hidden;
    return {leaf(random({rows, of.in}, seed, deviation)),
            leaf(random({rows, of.hidden}, seed + 1, deviation)),
            leaf(random({rows}, seed + 2, deviation)), leaf(random({rows}, seed + 3, deviation))};
}

Input random_input(const std::string& name, const Sizes& of, std::uint64_t seed,
                   double deviation = 0.6) {
    const Shape leading(of.leading);
    Input in{name, random_weights(of, seed, deviation), {}, {}};
    in.h = leaf(random(leading.followed_by(of.hidden), seed + 4, deviation));
    for (int t = 0; t < of.words; ++t) {
        const std::uint64_t its_seed = seed + 5 + static_cast<std::uint64_t>(t);
        in.words.push_back(leaf(random(leading.followed_by(of.in), its_seed, deviation)));
    }
    return in;
}

Input at_the_first_word() {
    Input in = random_input("the first word, where h is 0", {{2}, 4, 3}, 41);
    in.h = leaf(tensor::zeros({2, 3}));
    return in;
}

// A bias of ±1000 makes every entry of z exactly 1 or 0, and one of ±8 almost.
Input with_z(const std::string& name, double bias_of_z, std::uint64_t seed) {
    Input in = random_input(name, {{3}, 2, 4}, seed);
    Tensor bias = tensor::clone(in.W.bias_hh.value());
    for (int entry = 4; entry < 8; ++entry) bias.writable_data()[entry] = bias_of_z;
    in.W.bias_hh = leaf(bias);
    return in;
}

Input of_views() {
    const auto turned = [](const Shape& shape, std::uint64_t seed) {
        return leaf(tensor::transpose(random({shape[1], shape[0]}, seed)));
    };
    Input in = random_input("transposed views", {{5}, 3, 2}, 51);
    in.W.weight_ih = turned({6, 3}, 52);
    in.W.weight_hh = turned({6, 2}, 53);
    in.words = {turned({5, 3}, 54)};
    in.h = turned({5, 2}, 55);
    return in;
}

std::vector<Input> inputs() {
    return {
        random_input("2 texts, words of 3 numbers, states of 5", {{2}, 3, 5}, 1),
        random_input("2 texts, other numbers of the same sizes", {{2}, 3, 5}, 11),
        random_input("one word without a batch", {{}, 4, 3}, 21),
        random_input("2 by 3 texts", {{2, 3}, 5, 4}, 31),
        at_the_first_word(),
        of_views(),
        random_input("words and states of 4 numbers, 4 texts", {{4}, 4, 4}, 61),
        random_input("a state of one number, one text", {{1}, 2, 1}, 71),
        random_input("60 texts", {{60}, 2, 3}, 81),
        random_input("large numbers, gates of 0 and 1", {{3}, 4, 5}, 91, 30),
        with_z("z of 1, so that all is kept", 1000, 121),
        with_z("z of 0, so that nothing is kept", -1000, 131),
        with_z("z near 1, so that almost all is kept", 8, 141),
        with_z("z near 0, so that hardly anything is kept", -8, 151),
        random_input("3 words, one after the other", {{2}, 3, 4, 3}, 101),
    };
}

void append(Stages& stages, const GruStep& step, const std::string& of) {
    stages.push_back({"r" + of, step.r.value()});
    stages.push_back({"z" + of, step.z.value()});
    stages.push_back({"n" + of, step.n.value()});
    stages.push_back({"h'" + of, step.h.value()});
}

Stages read(const Input& in, const GatedStep& step) {
    Stages stages;
    Variable h = in.h;
    for (std::size_t t = 0; t < in.words.size(); ++t) {
        const GruStep next = step(in.W, in.words[t], h);
        append(stages, next, in.words.size() == 1 ? "" : " of word " + std::to_string(t + 1));
        if (!(next.h.shape() == in.h.shape())) return stages;
        h = next.h;
    }
    return with_gradients(stages, h, in.leaves());
}

Case on(const Input& in, const GatedStep& step) {
    return {in.name,
            [=](const Slips& slip) {
                return read(in, [&](const GruWeights& W, const Variable& x, const Variable& h) {
                    return gru_walk(W, x, h, slip);
                });
            },
            [=] { return read(in, step); }, values_of(in.leaves())};
}

// With weights of 0 and these biases, h' for a random h is h or n, and nothing between.
std::string state_with_z(const GatedStep& step, double bias_of_z, bool is_kept) {
    const Tensor gates = tensor::of({0, 0, bias_of_z, bias_of_z, 0.5, -0.5});  // r, z, n
    const GruWeights W{Variable(tensor::zeros({6, 3})), Variable(tensor::zeros({6, 2})),
                       Variable(gates), Variable(tensor::zeros({6}))};
    const Tensor h = random({4, 2}, 111);
    const Tensor n = tensor::expand(tensor::tanh(tensor::of({0.5, -0.5})), {4, 2});
    const Tensor expected = is_kept ? tensor::clone(h) : n;
    const Tensor yours = step(W, Variable(random({4, 3}, 112)), Variable(h)).h.value();
    if (first_change(expected, yours).empty()) return "";
    if (!(yours.shape() == expected.shape())) return "h' has shape " + yours.shape().text() + ".";
    return "h' differs from that, worst " + worst_entry(yours, expected) + ".";
}

}  // namespace

Exercise gru_cell(const GatedStep& step) {
    Exercise exercise;
    exercise.number = "13.1";
    exercise.title = "A GRU cell";
    for (const Input& in : inputs()) exercise.cases.push_back(on(in, step));
    exercise.laws = {
        {"where z is 1, the state stays as it was", [=] { return state_with_z(step, 1000, true); }},
        {"where z is 0, the state becomes n", [=] { return state_with_z(step, -1000, false); }}};
    exercise.mistakes = gru_mistakes();
    exercise.cause_of_nan = "the e^x of a large x: ∞/∞, or 0·∞ in a gradient";
    exercise.hints = {
        "Which products do r, z and n need of x, and which of h?",
        "autograd/ops/matmul.h has linear, which makes the products for all three at once; "
        "autograd/ops/join.h has chunk. Take hidden = 1 and work out r, z, n and h' on paper",
        "With a = weight_ih·x + bias_ih and c = weight_hh·h + bias_hh, each cut in three: r = "
        "σ(a_r + c_r), z = σ(a_z + c_z), n = tanh(a_n + r ⊙ c_n)",
        "chunk(linear(x, W.weight_ih, W.bias_ih), 3, -1) has the parts of x for r, z and n, in "
        "this order; the same of h. The next h is (1 - z) * n + z * h"};
    return exercise;
}

namespace {

// Six matrices and six biases, each cut out by itself.
GruStep gate_by_gate(const GruWeights& W, const Variable& x, const Variable& h) {
    const std::int64_t hidden = h.dim(-1);
    const auto of = [&](const Variable& input, const Variable& weight, const Variable& bias,
                        std::int64_t block) {
        const std::int64_t first = block * hidden;
        return matmul(input, transpose(slice(weight, 0, first, first + hidden))) +
               slice(bias, 0, first, first + hidden);
    };
    const auto of_x = [&](std::int64_t block) { return of(x, W.weight_ih, W.bias_ih, block); };
    const auto of_h = [&](std::int64_t block) { return of(h, W.weight_hh, W.bias_hh, block); };
    const Variable r = 1 / (1 + exp(-clamp(of_x(0) + of_h(0), {-500, 500})));
    const Variable z = sigmoid(of_x(1) + of_h(1));
    const Variable n = 2 * sigmoid(2 * (of_x(2) + r * of_h(2))) - 1;
    return {r, z, n, n + z * (h - n)};
}

// Both gates from one product, of x and h side by side.
GruStep side_by_side(const GruWeights& W, const Variable& x, const Variable& h) {
    const std::int64_t hidden = h.dim(-1);
    const auto gates = [&](const Variable& all) { return slice(all, 0, 0, 2 * hidden); };
    const auto rest = [&](const Variable& all) { return slice(all, 0, 2 * hidden, 3 * hidden); };
    const Variable both = sigmoid(linear(concatenate({x, h}, -1),
                                         concatenate({gates(W.weight_ih), gates(W.weight_hh)}, 1),
                                         gates(W.bias_ih) + gates(W.bias_hh)));
    const Variable r = slice(both, -1, 0, hidden), z = slice(both, -1, hidden, 2 * hidden);
    const Variable n = tanh(linear(x, rest(W.weight_ih), rest(W.bias_ih)) +
                            linear(h, rest(W.weight_hh), rest(W.bias_hh)) * r);
    return {r, z, n, z * h + n - z * n};
}

}  // namespace

Trials gru_cell_trials() {
    Trials trials;
    trials.slipping = [](const Slips& slip) {
        return gru_cell([=](const GruWeights& W, const Variable& x, const Variable& h) {
            return gru_walk(W, x, h, slip);
        });
    };
    trials.right["gate by gate"] = [] { return gru_cell(gate_by_gate); };
    trials.right["both gates from one product"] = [] { return gru_cell(side_by_side); };
    return trials;
}

}  // namespace exercise
