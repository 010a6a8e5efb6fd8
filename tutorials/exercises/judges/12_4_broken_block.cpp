#include "tutorials/exercises/judges/lesson_12.h"
#include "tutorials/exercises/judging/kit.h"
#include "tutorials/exercises/judging/leaves.h"

#include "tensor/mask.h"

using namespace heed;

namespace exercise {
namespace {
// Is this one of the program's four faults still there?
bool left(const std::string& fault, const std::string& mended_alone, const Slips& slip) {
    if (slip(fault) || slip("hunt.as-it-was")) return true;
    for (const char* only :
         {"hunt.only-norm", "hunt.only-residual", "hunt.only-shared", "hunt.only-dropout"}) {
        if (only != mended_alone && slip(only)) return true;
    }
    return false;
}

Variable norm_walk(const Variable& x, const Variable& gamma, const Variable& beta,
                   const Slips& slip) {
    const auto mean_of = [&](const Variable& numbers, const std::string& own_axis) {
        if (slip("ln.whole")) return mean(numbers);
        const bool positions = left("ln.batch-axis", "hunt.only-norm", slip) || slip(own_axis);
        return mean(numbers, positions ? 1 : -1, keepdim);
    };
    const Variable centred = x - mean_of(x, "ln.mean-axis");
    Variable variance = mean_of(centred * centred, "ln.variance-axis");
    const double d = static_cast<double>(x.dim(-1));
    if (slip("ln.unbiased")) variance = variance * (d / (d - 1));
    return gamma * centred / sqrt(variance + 1e-5) + beta;
}

Variable dropout_walk(const Variable& x, const Tensor& kept, const Dropping& dropping,
                      const Slips& slip) {
    if (slip("train.no-dropout")) return x;
    const bool always = left("train.eval-dropout", "hunt.only-dropout", slip);
    const bool at_work = dropping.training != slip("train.dropout-inverted");
    if (!always && !at_work) {
        if (slip("train.eval-rescale")) return x * (1 - dropping.p);
        return slip("train.eval-divides") ? x / (1 - dropping.p) : x;
    }
    return slip("train.no-rescale") ? x * kept : x * kept / (1 - dropping.p);
}

void attention_walk(const BlockParameters& w, BlockStages& s, const Slips& slip) {
    const Variable Q = matmul(s.normed1, w.W_Q), K = matmul(s.normed1, w.W_K);
    Variable scores = matmul(Q, transpose(K)) / std::sqrt(static_cast<double>(K.dim(-1)));
    if (!slip("mask.absent")) {
        scores = masked_fill(scores, Mask::causal(K.dim(1)).blocked(), -infinity);
    }
    s.weights = softmax(scores, -1);
    s.attended = matmul(matmul(s.weights, matmul(s.normed1, w.W_V)), w.W_O);
}

Variable stream_walk(const Variable& x, const Variable& normed, const Variable& found,
                     const Slips& slip) {
    if (slip("block.no-residual")) return found;
    if (slip("block.residual-detached")) return x.detach() + found;
    return (left("block.residual-normed", "hunt.only-residual", slip) ? normed : x) + found;
}

BlockStages broken_block_walk(const BlockParameters& w, const Variable& x, const Dropping& dropping,
                              const Slips& slip) {
    const bool swapped = slip("block.norms-swapped");
    const bool shared = left("block.norm-shared", "hunt.only-shared", slip) || swapped;
    const Variable gamma2 = shared || slip("block.gamma-shared") ? w.gamma1 : w.gamma2;
    const Variable beta2 = shared || slip("block.beta-shared") ? w.beta1 : w.beta2;
    const auto second_norm = [&](const Variable& in) { return norm_walk(in, gamma2, beta2, slip); };
    BlockStages s;
    s.normed1 = norm_walk(x, swapped ? w.gamma2 : w.gamma1, swapped ? w.beta2 : w.beta1, slip);
    attention_walk(w, s, slip);
    s.after_attention =
        stream_walk(x, s.normed1, dropout_walk(s.attended, dropping.kept1, dropping, slip), slip);
    const bool after = slip("ln.pre-post");
    s.normed2 = after ? s.after_attention : second_norm(s.after_attention);
    s.hidden = gelu(matmul(s.normed2, w.W_1) + w.b_1);
    s.found = matmul(s.hidden, w.W_2) + w.b_2;
    const Variable found = slip("train.dropout-once")
                               ? s.found
                               : dropout_walk(s.found, dropping.kept2, dropping, slip);
    s.y = (slip("block.residual-of-x") ? x : s.after_attention) + found;
    if (after) s.y = second_norm(s.y);
    return s;
}

using Hints = std::vector<std::string>;

// Each fault has its own four hints, so that none tells of another.
const Hints norm_hints = {
    "Of which numbers should the mean of a row be taken?",
    "Begin by stopping at layer_norm_of (the key d starts the debugger): the shape of the mean.",
    "Each position has a mean of its own, of its d entries: for x [B, T, d] the mean is [B, T, 1]",
    "In layer_norm_of the axis of both means is -1, in place of 1"};
const Hints stream_hints = {
    "What is added to what attention found?", "The line of after_attention.",
    "The residual stream is never normalized itself: x + dropout(attention(norm(x)))",
    "after_attention begins with x, in place of s.normed1"};
const Hints shared_hints = {
    "Which parameters are not used?", "The line of normed2.",
    "Each of the two norms has a γ and a β of its own",
    "normed2 is made with w.gamma2 and w.beta2, in place of w.gamma1 and w.beta1"};
const Hints dropout_hints = {"What may be random when a trained model answers?",
                             "dropout_of: what is it told, and what "
                             "does it use?",
                             "Outside training dropout changes nothing",
                             "The first line of dropout_of: if (!dropping.training) return x;"};

// While several are left, the hints are for the first of them.
std::vector<Mistake> faults_left() {
    return {
        {"hunt.as-it-was", "all four faults were still there", norm_hints},
        {"hunt.only-norm",
         "the axis of the norm was mended, and the three other faults were still there",
         stream_hints},
        {"hunt.only-residual",
         "the residual stream was mended, and the three other faults were still there", norm_hints},
        {"hunt.only-shared",
         "the second norm was mended, and the three other faults were still there", norm_hints},
        {"hunt.only-dropout", "dropout was mended, and the three other faults were still there",
         norm_hints},
        {"ln.batch-axis", "mean and variance were still taken over the positions", norm_hints},
        {"block.residual-normed", "the normalized x still ran on as the residual stream",
         stream_hints},
        {"block.norm-shared", "the second norm still had the γ and β of the first", shared_hints},
        {"train.eval-dropout", "dropout was still at work outside training", dropout_hints},
    };
}

std::vector<Mistake> norms() {
    const std::string norm = "layer_norm_of: print mean and variance, with their shapes.";
    return {
        {"ln.variance-axis",
         "the mean was taken over the features and the variance over the positions",
         "Of which numbers is the variance taken?", norm},
        {"ln.mean-axis", "the mean was taken over the positions and the variance over the features",
         "Of which numbers is the mean taken?", norm},
        {"ln.whole", "there was one mean and one variance for the whole tensor",
         "How many means have three words?", norm},
        {"ln.unbiased", "the variance was divided by d - 1",
         "By which number does layer norm divide?", norm},
        {"block.gamma-shared", "the second norm had its own β, but the γ of the first",
         "Which parameters are not used?", "The line of normed2."},
        {"block.beta-shared", "the second norm had its own γ, but the β of the first",
         "Which parameters are not used?", "The line of normed2."},
        {"block.norms-swapped", "the two norms had changed their γ and β",
         "Which γ belongs to attention's half?", "The lines of normed1 and normed2."},
        {"ln.pre-post",
         "feed-forward had been made post-norm: it was given the stream, and the sum was "
         "normalized",
         "Where does the norm stand in this block?", "The lines of normed2 and y."},
    };
}

std::vector<Mistake> streams() {
    return {
        {"block.no-residual", "what attention found ran on alone",
         "What runs on if attention finds nothing?", "The line of after_attention."},
        {"block.residual-of-x",
         "x was added to what feed-forward found, and not the stream as it came in there",
         "What came in for feed-forward?", "The line of y."},
        {"block.residual-detached", "no gradient passed through attention's residual connection",
         "By how many ways does a gradient go from y to x?", "The line of after_attention."},
        {"mask.absent", "every word saw its future", "Was the mask wrong before you came?",
         "The line of weights."},
    };
}

std::vector<Mistake> dropouts() {
    const std::string look = "dropout_of: what does it return in each of its two cases?";
    return {
        {"train.no-dropout", "dropout never did anything, not even in training",
         "What is dropout for?", look},
        {"train.dropout-inverted", "dropout was at work outside training only",
         "When is dropout at work?", look},
        {"train.no-rescale", "what dropout kept was no longer divided by 1 - p",
         "What is the mean of x·kept, if p = 0.5?", look},
        {"train.eval-rescale", "dropout multiplied by 1 - p outside training",
         "What is left to do outside training, if training divides by 1 - p?", look},
        {"train.eval-divides", "dropout divided by 1 - p outside training, too",
         "What is left to do outside training, if training divides by 1 - p?", look},
        {"train.dropout-once", "only what attention found went through dropout",
         "Where is dropout in each half?", "The lines of after_attention and y."},
    };
}

struct Input {
    BlockParameters w;
    Variable x;
    Dropping dropping;
};
std::vector<Leaf> leaves(const Input& in) {
    const BlockParameters& w = in.w;
    return {{"x", in.x},    {"γ1", w.gamma1}, {"β1", w.beta1},  {"W_Q", w.W_Q},  {"W_K", w.W_K},
            {"W_V", w.W_V}, {"W_O", w.W_O},   {"γ2", w.gamma2}, {"β2", w.beta2}, {"W_1", w.W_1},
            {"b_1", w.b_1}, {"W_2", w.W_2},   {"b_2", w.b_2}};
}

Stages given(const Input& in) {
    const Stages drawn = {{"kept1", in.dropping.kept1}, {"kept2", in.dropping.kept2}};
    return joined(values_of(leaves(in)), drawn);
}

Stages stages(const WholeBlock& block, const Input& in) {
    const BlockStages s = block(in.w, in.x, in.dropping);
    return with_gradients({{"normed1", s.normed1.value()},
                           {"weights", s.weights.value()},
                           {"attended", s.attended.value()},
                           {"after_attention", s.after_attention.value()},
                           {"normed2", s.normed2.value()},
                           {"hidden", s.hidden.value()},
                           {"found", s.found.value()},
                           {"y", s.y.value()}},
                          s.y, learning(leaves(in)));
}

struct Sizes {
    std::int64_t B, T, d, d_k, d_ff;
};

Tensor drawn(const Shape& shape, std::uint64_t seed) {
    const Tensor zeros = tensor::zeros(shape);
    return tensor::where(random(shape, seed) > -0.5, zeros + 1, zeros);
}

BlockParameters random_parameters(const Sizes& n, std::uint64_t seed) {
    const auto leaf = [&](const Shape& shape) {
        return Variable(random(shape, ++seed, 0.8), requires_grad);
    };
    BlockParameters w;
    for (Variable* one : {&w.gamma1, &w.beta1, &w.gamma2, &w.beta2, &w.b_2}) *one = leaf({n.d});
    for (Variable* one : {&w.W_Q, &w.W_K, &w.W_V}) *one = leaf({n.d, n.d_k});
    w.W_O = leaf({n.d_k, n.d});
    w.W_1 = leaf({n.d, n.d_ff});
    w.b_1 = leaf({n.d_ff});
    w.W_2 = leaf({n.d_ff, n.d});
    return w;
}

enum class Mode { training, evaluation };

Input random_input(const Sizes& n, Mode mode, double p, std::uint64_t seed) {
    const Shape shape{n.B, n.T, n.d};
    const Dropping dropping{mode == Mode::training, p, drawn(shape, seed + 50),
                            drawn(shape, seed + 51)};
    return {random_parameters(n, seed), Variable(random(shape, seed + 52), requires_grad),
            dropping};
}

// So small that eps matters.
Input small_numbers() {
    Input in = random_input({1, 2, 4, 3, 2}, Mode::evaluation, 0.3, 650);
    in.x = Variable(in.x.value() * 0.004, requires_grad);
    return in;
}

Input of_a_constant() {
    Input in = random_input({1, 3, 2, 2, 3}, Mode::training, 0.5, 950);
    in.x = in.x.detach();
    return in;
}

// Keys that point away from their own queries: a word's score with itself is far below 0, and with
// it all that the first word may see.
Input low_scores() {
    Input in = random_input({1, 3, 4, 3, 2}, Mode::evaluation, 0.3, 1050);
    in.w.W_K = Variable(in.w.W_Q.value() * -1e6, requires_grad);
    return in;
}

Inputs<Input> inputs() {
    using enum Mode;
    return {
        {"2 texts of 4 words of 3, not in training",
         random_input({2, 4, 3, 2, 5}, evaluation, 0.4, 100)},
        {"2 other texts of 4 words of 3, in training",
         random_input({2, 4, 3, 2, 5}, training, 0.4, 200)},
        {"3 texts of 2 words of 5, in training", random_input({3, 2, 5, 3, 4}, training, 0.2, 300)},
        {"as many words as features, not in training",
         random_input({2, 3, 3, 3, 3}, evaluation, 0.5, 400)},
        {"a single word, not in training", random_input({1, 1, 4, 2, 3}, evaluation, 0.1, 500)},
        {"2 words of small numbers, not in training", small_numbers()},
        {"an x that needs no gradient, in training", of_a_constant()},
        {"3 words whose scores are far below 0, not in training", low_scores()},
    };
}

std::string sees_its_future(const WholeBlock& block) {
    const Input in = random_input({1, 4, 3, 2, 5}, Mode::evaluation, 0.4, 600);
    const Tensor before = tensor::slice(block(in.w, in.x, in.dropping).y.value(), 1, 0, 3);
    const Tensor other =
        tensor::concatenate({tensor::slice(in.x.value(), 1, 0, 3), random({1, 1, 3}, 700)}, 1);
    const Tensor after =
        tensor::slice(block(in.w, Variable(other), in.dropping).y.value(), 1, 0, 3);
    if (same(after, before)) return "";
    return "Another last word changed y for words before it, " + worst_entry(after, before) + ".";
}

std::string is_random(const WholeBlock& block) {
    Input in = random_input({2, 4, 3, 2, 5}, Mode::evaluation, 0.4, 800);
    const Tensor before = block(in.w, in.x, in.dropping).y.value();
    in.dropping.kept1 = drawn(in.x.shape(), 900);
    in.dropping.kept2 = drawn(in.x.shape(), 901);
    const Tensor after = block(in.w, in.x, in.dropping).y.value();
    if (same(after, before)) return "";
    return "y changed when dropout drew other entries, " + worst_entry(after, before) + ".";
}

Rules<WholeBlock> rules() {
    return {
        .number = "12.4",
        .title = "Four faults in a block",
        .reference =
            [](const Slips& slip) {
                return [=](const BlockParameters& w, const Variable& x, const Dropping& dropping) {
                    return broken_block_walk(w, x, dropping, slip);
                };
            },
        .cases = on_each(stages, inputs()),
        .laws = {{"no word sees its future", sees_its_future},
                 {"outside training nothing is random", is_random}},
        .mistakes = joined(faults_left(), norms(), streams(), dropouts()),
        .hints =
            {"What must hold of each stage: its mean along a row, whose numbers are in it, which "
             "parameters made it?",
             "Begin by stopping at block (the key d starts the debugger) and step through "
             "layer_norm_of: what shape has the mean? Then block, line by line, beside 12.3's "
             "formula",
             "Each half is x + dropout(sublayer(norm(x))): the x that comes in, and a norm of its "
             "own over the last axis; dropout only in training",
             "Put the formula of the first wrong stage beside the lines that make it, and mend "
             "those alone before you go on"},
    };
}

}  // namespace

const Judge<WholeBlock> judge_12_4(rules);

}  // namespace exercise
