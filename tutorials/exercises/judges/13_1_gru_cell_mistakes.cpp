#include "tutorials/exercises/judges/13_1_gru_cell_mistakes.h"

#include "autograd/ops.h"
#include "tensor/factories.h"

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

}  // namespace

GruStep gru_walk(const GruWeights& given, const Variable& x, const Variable& state,
                 const Slips& slip) {
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

namespace {

std::vector<Mistake> mistakes_of_gates() {
    const std::string blocks = "Which rows of weight_ih belong to r, which to z, which to n?";
    const std::string print = "Print r and z on the first input, and compare them with the worst "
                              "entry above.";
    return {
        {"gru.z-first",
         "the blocks stood in the order z, r, n, as in some other libraries",
         {blocks, "The order of your blocks."}},
        {"gru.n-first",
         "the blocks stood in the order n, r, z",
         {blocks, "The order of your blocks."}},
        {"gru.every-third",
         "r, z and n took turns in the rows, and did not stand one below the other",
         {blocks, "How you cut the products in three."}},
        {"gru.gates-of-x", "the gates depended on x alone", {"What opens a gate?", print}},
        {"gru.gates-tanh",
         "the gates had gone through tanh",
         {"Between which numbers may a gate be?", print}},
        {"gru.no-bias_ih", "bias_ih was not used", {"How many biases has a cell?", print}},
        {"gru.no-bias_hh", "bias_hh was not used", {"How many biases has a cell?", print}},
        {"gru.bias-twice",
         "bias_ih was added twice, and bias_hh not at all",
         {"How many biases has a cell?", print}},
    };
}

std::vector<Mistake> mistakes_of_the_state() {
    const std::string last = "The line that computes h'. Try z = 1 and z = 0.";
    const std::string reset = "The line that computes n. Try h = 0, where only b_hn is left.";
    return {
        {"gru.reset-before",
         "r multiplied h before W_hn did, as in the paper",
         {"Which comes first here, the product with W_hn or the one with r?", reset}},
        {"gru.reset-without-bias",
         "r multiplied W_hn·h, and b_hn was added afterwards",
         {"What stands in the brackets behind r?", reset}},
        {"gru.no-reset", "n did not use r", {"What is the reset gate for?", reset}},
        {"gru.reset-on-x",
         "r multiplied what comes from x, and not what comes from h",
         {"What does a reset forget, the word or the state?", reset}},
        {"gru.reset-on-both",
         "r multiplied what comes from x, too",
         {"What does a reset forget, the word or the state?", reset}},
        {"gru.z-resets",
         "n used z where it should use r",
         {"Which of the two gates belongs to n?", reset}},
        {"gru.n-sigmoid",
         "n had gone through σ and not through tanh",
         {"May an entry of n be negative?", "The line that computes n."}},
        {"gru.n-linear",
         "n was not sent through tanh",
         {"Between which numbers is n?", "The line that computes n."}},
        {"gru.z-flipped",
         "z said how much is new, and 1 - z how much of h is kept",
         {"What is h' if z is 1?", last}},
        {"gru.nothing-kept", "nothing of the last h was kept", {"What is h' if z is 1?", last}},
        {"gru.all-kept", "all of h was kept, whatever z", {"What is h' if z is 0?", last}},
        {"gru.all-new", "all of n was added, whatever z", {"What is h' if z is 1?", last}},
    };
}

std::vector<Mistake> mistakes_of_gradients() {
    const std::string look = "Look for value(), detach() or a new Variable.";
    return {
        {"gru.weights-constant",
         "the weights entered as constants, so that nothing could be learned",
         {"Does the graph know the weights?", look}},
        {"gru.gates-constant",
         "the gates were taken for constants",
         {"Do r and z depend on what is learned?", look}},
        {"gru.h-constant",
         "the last h was taken for a constant, so that no word before could be learned from",
         {"By how many ways does h reach h'?", look}},
        {"gru.kept-constant",
         "what is kept of h was taken for a constant",
         {"By how many ways does h reach h'?", look}},
    };
}

}  // namespace

std::vector<Mistake> gru_mistakes() {
    std::vector<Mistake> all;
    for (const std::vector<Mistake>& some :
         {mistakes_of_gates(), mistakes_of_the_state(), mistakes_of_gradients()}) {
        all.insert(all.end(), some.begin(), some.end());
    }
    return all;
}

}  // namespace exercise
