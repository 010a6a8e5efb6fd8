#include "tutorials/exercises/judges/lesson_12.h"
#include "tutorials/exercises/judging/kit.h"
#include "tutorials/exercises/judging/leaves.h"

#include <map>

using namespace heed;

namespace exercise {
namespace {
using Part = BlockParts::Part;

// One sublayer with its norm. What a mistake's id says it does in both halves, or in this one.
struct Half {
    BlockParts::Part sublayer, norm;
    std::string name;
    Slips slips;

    bool slip(const std::string& id) const { return slips(id) || slips(id + "@" + name); }
    Variable stream(const Variable& x) const {
        return slip("block.residual-detached") ? x.detach() : x;
    }

    Variable pre_norm(const Variable& x, const Variable& added) const {
        if (slip("block.norm-found")) return stream(added) + norm(sublayer(x));
        const Variable normed = slip("block.no-norm") ? x : norm(x);
        const Variable found = sublayer(normed);
        if (slip("block.no-residual")) return found;
        return stream(slip("block.residual-normed") ? normed : added) + found;
    }
    Variable post_norm(const Variable& x, const Variable& added) const {
        const Variable found = sublayer(x);
        if (slip("block.norm-found")) return stream(added) + norm(found);
        if (slip("block.norm-apart")) return norm(stream(added)) + found;
        const Variable sum = slip("block.no-residual") ? found : stream(added) + found;
        return slip("block.no-norm") ? sum : norm(sum);
    }
};

Variable walk(BlockParts parts, const Variable& x, bool before, const Slips& slip) {
    if (slip("ln.pre-post")) before = !before;
    const bool exchanged = slip("block.halves-swapped");
    if (exchanged || slip("block.sublayers-swapped")) {
        std::swap(parts.attention, parts.feed_forward);
    }
    if (exchanged != slip("block.norms-swapped")) std::swap(parts.norm1, parts.norm2);
    if (slip("block.one-norm")) parts.norm2 = parts.norm1;
    if (slip("block.parallel")) {
        const Variable found = parts.attention(parts.norm1(x));
        return x + found + parts.feed_forward(parts.norm2(x));
    }
    const Half first{parts.attention, parts.norm1, "attention", slip};
    const Half second{parts.feed_forward, parts.norm2, "feed_forward", slip};
    const auto through = [&](const Half& half, const Variable& in, const Variable& added) {
        return before ? half.pre_norm(in, added) : half.post_norm(in, added);
    };
    const Variable middle = through(first, x, x);
    return through(second, middle, slip("block.residual-of-x") ? x : middle);
}

const char* const draw_it = "Draw the stream as a line from x to y, and the parts beside it.";

std::vector<Mistake> of_order() {
    return {
        {"block.halves-swapped", "feed-forward with its norm came before attention with its norm",
         "Which sublayer does the input meet first?", "Look at the order of your lines."},
        {"block.sublayers-swapped",
         "attention and feed-forward had changed places, and the norms had not",
         "Which sublayer does the input meet first, and which norm is its own?",
         "Look at the order of your lines."},
        {"block.norms-swapped", "norm1 and norm2 had changed places",
         "Which norm belongs to which sublayer?", "Look at the numbers of your norms."},
        {"block.one-norm", "norm1 was used for both sublayers, and norm2 for neither",
         "How often is each norm called?", "Look at the numbers of your norms."},
        {"block.residual-of-x",
         "the x at the very beginning was added a second time, in place of what attention's half "
         "gave",
         "What came in for the second sublayer?", draw_it},
    };
}

// In both halves.
std::vector<Mistake> of_halves() {
    return {
        {"block.no-residual", "the residual connection was missing",
         "What is y if a sublayer finds nothing, that is zeros?", draw_it},
        {"block.residual-detached", "no gradient passed through the residual connection",
         "By how many ways does a gradient go from y to x?",
         "Look for value() and detach() in your code."},
        {"block.no-norm", "the norm was left out", "How often is each norm called?",
         "Look for norm1 and norm2."},
        {"block.norm-found", "only what the sublayer found was normalized: x + norm(sublayer(x))",
         "What is the norm given?", draw_it},
    };
}

std::vector<Mistake> each_half(const std::vector<Mistake>& mistakes) {
    std::vector<Mistake> all;
    for (const Mistake& both : mistakes) {
        all.push_back(both);
        all.push_back({both.id + "@attention", both.says + ", in attention's half", both.hints});
        all.push_back(
            {both.id + "@feed_forward", both.says + ", in feed-forward's half", both.hints});
    }
    return all;
}

std::vector<Mistake> of_pre_norm() {
    const std::vector<Mistake> own = {
        {"ln.pre-post", "the norms stood where post-norm has them",
         "Is the sum normalized, or what the sublayer is given?", draw_it},
        {"block.parallel", "both sublayers were given x, and what they found was added at once",
         "Does feed-forward know what attention found?", draw_it},
    };
    const std::vector<Mistake> normed = {
        {"block.residual-normed",
         "the normalized x was added and not x itself: norm(x) + sublayer(norm(x))",
         "What runs on beside the sublayer: x, or norm(x)?", draw_it}};
    return joined(own, of_order(), each_half(joined(normed, of_halves())));
}

std::vector<Mistake> of_post_norm() {
    const std::vector<Mistake> own = {{"ln.pre-post", "the norms stood where pre-norm has them",
                                       "Is the sum normalized, or what the sublayer is given?",
                                       draw_it}};
    const std::vector<Mistake> apart = {
        {"block.norm-apart",
         "x was normalized by itself, and the sublayer's part was added after that: norm(x) + "
         "sublayer(x)",
         "What is the norm given?", draw_it}};
    return joined(own, of_order(), each_half(joined(apart, of_halves())));
}

struct Input {
    Variable x;
    BlockParts parts;
    std::vector<Leaf> leaves;
};
Stages given(const Input& in) { return values_of(in.leaves); }

// What each part was given last, and how often it was called.
struct Calls {
    std::map<std::string, Tensor> given;
    std::map<std::string, int> count;
};

// Leading axes may be laid out as one likes: all parts take any number of them.
Tensor with_axes_of(const Tensor& x, const Tensor& given) {
    const bool same_texts = given.numel() == x.numel() && given.rank() >= 2 &&
                            given.dim(-1) == x.dim(-1) && given.dim(-2) == x.dim(-2);
    return same_texts ? tensor::reshape(given, x.shape()) : given;
}

Part recorded(const std::string& name, const Part& part, const Tensor& of, Calls& calls) {
    return [=, &calls](const Variable& x) {
        calls.given[name] = with_axes_of(of, tensor::clone(x.value()));
        ++calls.count[name];
        return part(x);
    };
}

// One of the two holes.
struct Asking {
    std::string function;
    BlockFunction Blocks::*block;
    std::vector<std::string> order;  // of the parts

    Stages operator()(const Blocks& answer, const Input& in) const {
        Calls calls;
        const auto part = [&](const std::string& name, const Part& one) {
            return recorded(name, one, in.x.value(), calls);
        };
        const Variable y = (answer.*block)(
            {part("attention", in.parts.attention), part("feed_forward", in.parts.feed_forward),
             part("norm1", in.parts.norm1), part("norm2", in.parts.norm2)},
            in.x);
        Stages found;
        for (const std::string& name : order) {
            const bool called = calls.count[name] > 0;
            found.push_back({"the number of calls of " + name, tensor::of(calls.count[name])});
            found.push_back(
                {"the input of " + name, called ? calls.given[name] : tensor::zeros(in.x.shape())});
        }
        found.push_back({"y", y.value()});
        found = with_gradients(found, y, learning(in.leaves));
        // Named so that a stage tells its function.
        for (auto& [name, value] : found) name += (name == "y" ? " of " : " in ") + function;
        return found;
    }
};

// Attention moves numbers between positions, feed-forward does not.
Input with_parts(const Variable& x, std::uint64_t seed) {
    const std::int64_t T = x.dim(-2), d = x.dim(-1);
    const auto leaf = [&](const Shape& shape) {
        return Variable(random(shape, ++seed), requires_grad);
    };
    const Variable A = leaf({T, T}), F = leaf({d, d});
    const Variable gamma1 = leaf({d}), beta1 = leaf({d}), gamma2 = leaf({d}), beta2 = leaf({d});
    const BlockParts parts = {
        [=](const Variable& in) { return tanh(matmul(A, in)) * 2; },
        [=](const Variable& in) { return sin(matmul(in, F)); },
        [=](const Variable& in) { return layer_norm(in, gamma1, beta1, 1e-5); },
        [=](const Variable& in) { return layer_norm(in, gamma2, beta2, 1e-5); },
    };
    return {x,
            parts,
            {{"x", x},
             {"attention's parameter", A},
             {"feed-forward's parameter", F},
             {"norm1's γ", gamma1},
             {"norm1's β", beta1},
             {"norm2's γ", gamma2},
             {"norm2's β", beta2}}};
}

Input of_shape(const Shape& shape, std::uint64_t seed) {
    return with_parts(Variable(random(shape, seed + 100), requires_grad), seed);
}

Input with_sublayers(Input in, const Part& sublayer) {
    in.parts.attention = in.parts.feed_forward = sublayer;
    return in;
}

Inputs<Input> inputs() {
    const auto same_again = [](const Variable& x) { return x; };
    const auto nothing = [](const Variable& x) { return x * 0; };
    Input handles = with_sublayers(of_shape({3, 2}, 50), same_again);
    handles.parts.norm1 = handles.parts.norm2 = same_again;
    const Tensor turned = tensor::transpose(random({2, 4, 3}, 61));
    return {
        {"4 words of 3", of_shape({4, 3}, 1)},
        {"4 other words of 3", of_shape({4, 3}, 70)},
        {"2 texts of 5 words of 2", of_shape({2, 5, 2}, 10)},
        {"4 axes", of_shape({2, 1, 2, 3}, 20)},
        {"as many words as features", of_shape({2, 3, 3}, 30)},
        {"a single word", of_shape({1, 4}, 40)},
        {"sublayers that find nothing", with_sublayers(of_shape({3, 4}, 45), nothing)},
        {"parts that give back what they are given", handles},
        {"an x that is a view", with_parts(Variable(turned, requires_grad), 60)},
        {"an x that needs no gradient", with_parts(Variable(random({3, 2}, 65)), 66)},
    };
}

Cases<Blocks> cases_of(const Asking& asking) {
    Inputs<Input> all = inputs();
    for (Named<Input>& one : all) one.name = asking.function + ", " + one.name;
    return on_each<Blocks>(asking, all);
}

Blocks reference(const Slips& slip) {
    return {[=](const BlockParts& parts, const Variable& x) {
                return walk(parts, x, true, slip.in("pre_norm"));
            },
            [=](const BlockParts& parts, const Variable& x) {
                return walk(parts, x, false, slip.in("post_norm"));
            }};
}

Hole hole_of(const Asking& asking, const std::vector<std::string>& hints) {
    std::vector<std::string> stages;
    for (const Stage& stage : asking(reference({}), of_shape({2, 2}, 1))) {
        stages.push_back(stage.name);
    }
    return {asking.function, stages, hints};
}

Rules<Blocks> rules() {
    const Asking pre = {
        "pre_norm", &Blocks::pre_norm, {"norm1", "attention", "norm2", "feed_forward"}};
    const Asking post = {
        "post_norm", &Blocks::post_norm, {"attention", "norm1", "feed_forward", "norm2"}};
    return {
        .number = "12.3",
        .title = "A block",
        .reference = reference,
        .cases = joined(cases_of(pre), cases_of(post)),
        .mistakes =
            joined(made_in("pre_norm", of_pre_norm()), made_in("post_norm", of_post_norm())),
        .hints = {"What is added to what, and what is normalized?",
                  "Stop in the function that is named above, and look at what each part is given",
                  "pre-norm: x + sublayer(norm(x)); post-norm: norm(x + sublayer(x))",
                  "Two lines for each function, one for each sublayer; in the second line the "
                  "result of the first takes the place of x, everywhere"},
        .holes =
            {hole_of(pre,
                     {"What is y if attention and feed-forward find nothing, that is zeros?",
                      "Draw the stream as a line from x to y: each sublayer branches off, and is "
                      "added",
                      "x' = x + attention(norm1(x)), and the same once more with x' and the other "
                      "two parts",
                      "Give x + parts.attention(parts.norm1(x)) a name, and use that in place of x "
                      "for feed-forward and norm2"}),
             hole_of(post,
                     {"What is the mean of a row of y, if norm2 has γ = 1 and β = 0?",
                      "Draw the stream as a line from x to y: both norms stand on it",
                      "x' = norm1(x + attention(x)), and the same once more with x' and the other "
                      "two parts",
                      "Give parts.norm1(x + parts.attention(x)) a name, and use that in place of x "
                      "for feed-forward and norm2"})},
    };
}

}  // namespace

const Judge<Blocks> judge_12_3(rules);

}  // namespace exercise
