#include "tutorials/exercises/judges/lesson_13.h"
#include "tutorials/exercises/judging/kit.h"

using namespace heed;

namespace exercise {
namespace {
// What a product gives for each of the three.
struct Blocks {
    Variable r, z, n;
};

Blocks blocks_of(const Variable& all, const Slips& slip) {
    if (slip("gru.every-third")) {
        const std::int64_t hidden = all.dim(-1) / 3;
        const Shape turns = all.shape().without_last(1).followed_by(hidden).followed_by(3);
        const Variable taken = reshape(all, turns);  // [..., hidden, 3]
        return {select(taken, -1, 0), select(taken, -1, 1), select(taken, -1, 2)};
    }
    const std::vector<Variable> parts = chunk(all, 3, -1);
    if (slip("gru.z-first")) return {parts[1], parts[0], parts[2]};
    if (slip("gru.n-first")) return {parts[1], parts[2], parts[0]};
    return {parts[0], parts[1], parts[2]};
}

// The weights as this answer sees them.
GruWeights weights_of(const GruWeights& W, const Slips& slip) {
    GruWeights its = W;
    if (slip("gru.weights-constant")) {
        its = {W.weight_ih.detach(), W.weight_hh.detach(), W.bias_ih.detach(), W.bias_hh.detach()};
    }
    if (slip("gru.no-bias_ih")) its.bias_ih = Variable(tensor::zeros(W.bias_ih.shape()));
    if (slip("gru.no-bias_hh")) its.bias_hh = Variable(tensor::zeros(W.bias_hh.shape()));
    if (slip("gru.bias-twice")) its.bias_hh = its.bias_ih;
    return its;
}

Variable gate(const Variable& of_x, const Variable& of_h, const Slips& slip) {
    if (slip("gru.gates-of-x")) return sigmoid(of_x);
    if (slip("gru.gates-tanh")) return tanh(of_x + of_h);
    const Variable opened = sigmoid(of_x + of_h);
    return slip("gru.gates-constant") ? opened.detach() : opened;
}

// What n gets of h.
Variable looked_at(const GruWeights& W, const Variable& h, const Blocks& of_h, const Variable& r,
                   const Slips& slip) {
    const std::int64_t hidden = h.dim(-1);
    const Variable W_hn = slice(W.weight_hh, 0, 2 * hidden, 3 * hidden);
    const Variable b_hn = slice(W.bias_hh, 0, 2 * hidden, 3 * hidden);
    if (slip("gru.reset-before")) return linear(r * h, W_hn, b_hn);
    if (slip("gru.reset-without-bias")) return r * (of_h.n - b_hn) + b_hn;
    if (slip("gru.no-reset") || slip("gru.reset-on-x")) return of_h.n;
    return r * of_h.n;
}

Variable new_state(const Blocks& of_x, const Variable& from_h, const Variable& r,
                   const Slips& slip) {
    const bool on_x = slip("gru.reset-on-x") || slip("gru.reset-on-both");
    const Variable sum = (on_x ? r * of_x.n : of_x.n) + from_h;
    if (slip("gru.n-sigmoid")) return sigmoid(sum);
    if (slip("gru.n-linear")) return sum;
    return tanh(sum);
}

Variable next_state(const Variable& z, const Variable& n, const Variable& h, const Slips& slip) {
    if (slip("gru.z-flipped")) return z * n + (1 - z) * h;
    if (slip("gru.nothing-kept")) return (1 - z) * n;
    if (slip("gru.all-kept")) return (1 - z) * n + h;
    if (slip("gru.all-new")) return n + z * h;
    return (1 - z) * n + z * (slip("gru.kept-constant") ? h.detach() : h);
}

GruStep walk(const GruWeights& given, const Variable& x, const Variable& state, const Slips& slip) {
    const GruWeights W = weights_of(given, slip);
    const Variable h = slip("gru.h-constant") ? state.detach() : state;
    const Blocks of_x = blocks_of(linear(x, W.weight_ih, W.bias_ih), slip);
    const Blocks of_h = blocks_of(linear(h, W.weight_hh, W.bias_hh), slip);
    const Variable r = gate(of_x.r, of_h.r, slip);
    const Variable z = gate(of_x.z, of_h.z, slip);
    const Variable reset = slip("gru.z-resets") ? z : r;
    const Variable n = new_state(of_x, looked_at(W, h, of_h, reset, slip), reset, slip);
    return {r, z, n, next_state(z, n, h, slip)};
}

std::vector<Mistake> mistakes() {
    const std::string blocks = "Which rows of weight_ih belong to r, which to z, which to n?";
    const std::string print =
        "Print r and z on the first input, and compare them with the worst entry above.";
    const std::string last = "The line that computes h'. Try z = 1 and z = 0.";
    const std::string reset = "The line that computes n. Try h = 0, where only b_hn is left.";
    const std::string look = "Look for value(), detach() or a new Variable.";
    return {
        {"gru.z-first", "the blocks stood in the order z, r, n, as in some other libraries", blocks,
         "The order of your blocks."},
        {"gru.n-first", "the blocks stood in the order n, r, z", blocks,
         "The order of your blocks."},
        {"gru.every-third",
         "r, z and n took turns in the rows, and did not stand one below the other", blocks,
         "How you cut the products in three."},
        {"gru.gates-of-x", "the gates depended on x alone", "What opens a gate?", print},
        {"gru.gates-tanh", "the gates had gone through tanh",
         "Between which numbers may a gate be?", print},
        {"gru.no-bias_ih", "bias_ih was not used", "How many biases has a cell?", print},
        {"gru.no-bias_hh", "bias_hh was not used", "How many biases has a cell?", print},
        {"gru.bias-twice", "bias_ih was added twice, and bias_hh not at all",
         "How many biases has a cell?", print},
        {"gru.reset-before", "r multiplied h before W_hn did, as in the paper",
         "Which comes first here, the product with W_hn or the one with r?", reset},
        {"gru.reset-without-bias", "r multiplied W_hn·h, and b_hn was added afterwards",
         "What stands in the brackets behind r?", reset},
        {"gru.no-reset", "n did not use r", "What is the reset gate for?", reset},
        {"gru.reset-on-x", "r multiplied what comes from x, and not what comes from h",
         "What does a reset forget, the word or the state?", reset},
        {"gru.reset-on-both", "r multiplied what comes from x, too",
         "What does a reset forget, the word or the state?", reset},
        {"gru.z-resets", "n used z where it should use r", "Which of the two gates belongs to n?",
         reset},
        {"gru.n-sigmoid", "n had gone through σ and not through tanh",
         "May an entry of n be negative?", "The line that computes n."},
        {"gru.n-linear", "n was not sent through tanh", "Between which numbers is n?",
         "The line that computes n."},
        {"gru.z-flipped", "z said how much is new, and 1 - z how much of h is kept",
         "What is h' if z is 1?", last},
        {"gru.nothing-kept", "nothing of the last h was kept", "What is h' if z is 1?", last},
        {"gru.all-kept", "all of h was kept, whatever z", "What is h' if z is 0?", last},
        {"gru.all-new", "all of n was added, whatever z", "What is h' if z is 1?", last},
        {"gru.weights-constant",
         "the weights entered as constants, so that nothing could be learned",
         "Does the graph know the weights?", look},
        {"gru.gates-constant", "the gates were taken for constants",
         "Do r and z depend on what is learned?", look},
        {"gru.h-constant",
         "the last h was taken for a constant, so that no word before could be learned from",
         "By how many ways does h reach h'?", look},
        {"gru.kept-constant", "what is kept of h was taken for a constant",
         "By how many ways does h reach h'?", look},
    };
}

// Texts of so many words, with the weights of a cell.
struct Input {
    GruWeights W;
    std::vector<Variable> words;  // each [..., in]
    Variable h;                   // [..., hidden], before the first
};

std::vector<Leaf> leaves(const Input& in) {
    std::vector<Leaf> all = {{"h", in.h},
                             {"weight_ih", in.W.weight_ih},
                             {"weight_hh", in.W.weight_hh},
                             {"bias_ih", in.W.bias_ih},
                             {"bias_hh", in.W.bias_hh}};
    for (std::size_t t = 0; t < in.words.size(); ++t) {
        all.push_back({in.words.size() == 1 ? "x" : "x " + std::to_string(t + 1), in.words[t]});
    }
    return all;
}

Stages given(const Input& in) { return values_of(leaves(in)); }

struct Sizes {
    Dims leading;
    std::int64_t in, hidden;
    int words = 1;
};

Variable leaf(const Tensor& x) { return Variable(x, requires_grad); }

Input random_input(const Sizes& of, std::uint64_t seed, double deviation = 0.6) {
    const Shape leading(of.leading);
    const std::int64_t rows = 3 * of.hidden;
    const auto next = [&](const Shape& shape) { return leaf(random(shape, seed++, deviation)); };
    Input in;
    in.W.weight_ih = next({rows, of.in});
    in.W.weight_hh = next({rows, of.hidden});
    in.W.bias_ih = next({rows});
    in.W.bias_hh = next({rows});
    in.h = next(leading.followed_by(of.hidden));
    for (int t = 0; t < of.words; ++t) in.words.push_back(next(leading.followed_by(of.in)));
    return in;
}

Input at_the_first_word() {
    Input in = random_input({{2}, 4, 3}, 41);
    in.h = leaf(tensor::zeros({2, 3}));
    return in;
}

// A bias of ±1000 makes every entry of z exactly 1 or 0, and one of ±8 almost.
Input with_z(double bias_of_z, std::uint64_t seed) {
    Input in = random_input({{3}, 2, 4}, seed);
    Tensor bias = tensor::clone(in.W.bias_hh.value());
    for (int entry = 4; entry < 8; ++entry) bias.writable_data()[entry] = bias_of_z;
    in.W.bias_hh = leaf(bias);
    return in;
}

Input of_views() {
    const auto turned = [](const Shape& shape, std::uint64_t seed) {
        return leaf(tensor::transpose(random({shape[1], shape[0]}, seed)));
    };
    Input in = random_input({{5}, 3, 2}, 51);
    in.W.weight_ih = turned({6, 3}, 52);
    in.W.weight_hh = turned({6, 2}, 53);
    in.words = {turned({5, 3}, 54)};
    in.h = turned({5, 2}, 55);
    return in;
}

Inputs<Input> inputs() {
    return {
        {"2 texts, words of 3 numbers, states of 5", random_input({{2}, 3, 5}, 1)},
        {"2 texts, other numbers of the same sizes", random_input({{2}, 3, 5}, 11)},
        {"one word without a batch", random_input({{}, 4, 3}, 21)},
        {"2 by 3 texts", random_input({{2, 3}, 5, 4}, 31)},
        {"the first word, where h is 0", at_the_first_word()},
        {"transposed views", of_views()},
        {"words and states of 4 numbers, 4 texts", random_input({{4}, 4, 4}, 61)},
        {"a state of one number, one text", random_input({{1}, 2, 1}, 71)},
        {"60 texts", random_input({{60}, 2, 3}, 81)},
        {"large numbers, gates of 0 and 1", random_input({{3}, 4, 5}, 91, 30)},
        {"z of 1, so that all is kept", with_z(1000, 121)},
        {"z of 0, so that nothing is kept", with_z(-1000, 131)},
        {"z near 1, so that almost all is kept", with_z(8, 141)},
        {"z near 0, so that hardly anything is kept", with_z(-8, 151)},
        {"3 words, one after the other", random_input({{2}, 3, 4, 3}, 101)},
    };
}

Stages stages(const GatedStep& step, const Input& in) {
    Stages stages;
    Variable h = in.h;
    for (std::size_t t = 0; t < in.words.size(); ++t) {
        const GruStep next = step(in.W, in.words[t], h);
        const std::string of = in.words.size() == 1 ? "" : " of word " + std::to_string(t + 1);
        stages.push_back({"r" + of, next.r.value()});
        stages.push_back({"z" + of, next.z.value()});
        stages.push_back({"n" + of, next.n.value()});
        stages.push_back({"h'" + of, next.h.value()});
        if (!(next.h.shape() == in.h.shape())) return stages;
        h = next.h;
    }
    return with_gradients(stages, h, leaves(in));
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

Rules<GatedStep> rules() {
    return {
        .number = "13.1",
        .title = "A GRU cell",
        .reference =
            [](const Slips& slip) {
                return [=](const GruWeights& W, const Variable& x, const Variable& h) {
                    return walk(W, x, h, slip);
                };
            },
        .cases = on_each(stages, inputs()),
        .laws = {{"where z is 1, the state stays as it was",
                  [](const GatedStep& step) { return state_with_z(step, 1000, true); }},
                 {"where z is 0, the state becomes n",
                  [](const GatedStep& step) { return state_with_z(step, -1000, false); }}},
        .mistakes = mistakes(),
        .hints =
            {"Which products do r, z and n need of x, and which of h?",
             "autograd/ops/matmul.h has linear, which makes the products for all three at once; "
             "autograd/ops/join.h has chunk. Take hidden = 1 and work out r, z, n and h' on paper",
             "With a = weight_ih·x + bias_ih and c = weight_hh·h + bias_hh, each cut in three: r = "
             "σ(a_r + c_r), z = σ(a_z + c_z), n = tanh(a_n + r ⊙ c_n)",
             "chunk(linear(x, W.weight_ih, W.bias_ih), 3, -1) has the parts of x for r, z and n, "
             "in this order; the same of h. The next h is (1 - z) * n + z * h"},
        .cause_of_nan = "the e^x of a large x: ∞/∞, or 0·∞ in a gradient",
    };
}

}  // namespace

const Judge<GatedStep> judge_13_1(rules);

}  // namespace exercise
