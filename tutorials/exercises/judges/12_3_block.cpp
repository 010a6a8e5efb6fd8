#include "tutorials/exercises/judges/12_3_block.h"

#include "tutorials/exercises/judges/12_3_block_mistakes.h"
#include "tutorials/exercises/judges/common_holes.h"
#include "tutorials/exercises/judging/gradients.h"
#include "tutorials/exercises/judging/inputs.h"

#include "autograd/ops/arithmetic.h"
#include "autograd/ops/functions.h"
#include "autograd/ops/layer_norm.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/views.h"
#include "tensor/factories.h"
#include "tensor/views.h"

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <utility>

using namespace heed;

namespace exercise {

namespace {

using Part = BlockParts::Part;

struct Input {
    std::string name;
    Variable x;
    BlockParts parts;
    std::vector<Leaf> leaves;  // of the parts

    // x may be a constant, as what a model is given is; the parts learn all the same.
    std::vector<Leaf> differentiated() const {
        std::vector<Leaf> all = leaves;
        if (x.requires_grad()) all.insert(all.begin(), {"x", x});
        return all;
    }
    Stages values() const {
        Stages all = values_of(leaves);
        all.push_back({"x", x.value()});
        return all;
    }
};

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

Stages stages(const Input& in, const BlockFunction& function,
              const std::array<const char*, 4>& names) {
    Calls calls;
    const auto part = [&](const std::string& name, const Part& one) {
        return recorded(name, one, in.x.value(), calls);
    };
    const Variable y = function({part("attention", in.parts.attention),
                                 part("feed_forward", in.parts.feed_forward),
                                 part("norm1", in.parts.norm1), part("norm2", in.parts.norm2)},
                                in.x);
    Stages found;
    for (const std::string name : names) {
        const bool called = calls.count[name] > 0;
        found.push_back({"the number of calls of " + name, tensor::of(calls.count[name])});
        found.push_back(
            {"the input of " + name, called ? calls.given[name] : tensor::zeros(in.x.shape())});
    }
    found.push_back({"y", y.value()});
    return with_gradients(found, y, in.differentiated());
}

// Named so that a stage tells its function.
std::string stage_in(const std::string& function, const std::string& stage) {
    return stage + (stage == "y" ? " of " : " in ") + function;
}

// Attention moves numbers between positions, feed-forward does not.
Input random_input(const std::string& name, const Variable& x, std::uint64_t seed) {
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
    return {name,
            x,
            parts,
            {{"attention's parameter", A},
             {"feed-forward's parameter", F},
             {"norm1's γ", gamma1},
             {"norm1's β", beta1},
             {"norm2's γ", gamma2},
             {"norm2's β", beta2}}};
}

Input random_input(const std::string& name, const Shape& shape, std::uint64_t seed) {
    return random_input(name, Variable(random(shape, seed + 100), requires_grad), seed);
}

Input with_sublayers(Input in, const Part& sublayer) {
    in.parts.attention = in.parts.feed_forward = sublayer;
    return in;
}

std::vector<Input> inputs() {
    const auto same_again = [](const Variable& x) { return x; };
    const auto nothing = [](const Variable& x) { return x * 0; };
    Input handles = with_sublayers(random_input("", {3, 2}, 50), same_again);
    handles.parts.norm1 = handles.parts.norm2 = same_again;
    handles.name = "parts that give back what they are given";
    const Tensor turned = tensor::transpose(random({2, 4, 3}, 61));
    return {
        random_input("4 words of 3", {4, 3}, 1),
        random_input("4 other words of 3", {4, 3}, 70),
        random_input("2 texts of 5 words of 2", {2, 5, 2}, 10),
        random_input("4 axes", {2, 1, 2, 3}, 20),
        random_input("as many words as features", {2, 3, 3}, 30),
        random_input("a single word", {1, 4}, 40),
        with_sublayers(random_input("sublayers that find nothing", {3, 4}, 45), nothing),
        handles,
        random_input("an x that is a view", Variable(turned, requires_grad), 60),
        random_input("an x that needs no gradient", Variable(random({3, 2}, 65)), 66),
    };
}

bool slips_in(const std::string& function, const Slips& slip) {
    static const std::vector<Mistake> all = block_mistakes();
    return std::any_of(all.begin(), all.end(), [&](const Mistake& one) {
        return slip(one.id) && one.id.substr(one.id.find('/') + 1) == function;
    });
}

Case on(const Input& in, const std::string& name, const BlockFunction& function) {
    static const std::array<const char*, 4> pre = {"norm1", "attention", "norm2", "feed_forward"};
    static const std::array<const char*, 4> post = {"attention", "norm1", "feed_forward", "norm2"};
    const auto stages_by = [=](const BlockFunction& one) {
        Stages found = stages(in, one, name == "pre_norm" ? pre : post);
        for (Stage& stage : found) stage.name = stage_in(name, stage.name);
        return found;
    };
    // Hundreds of pairs of mistakes are tried, many of them in the other function.
    const auto right = std::make_shared<Stages>();
    const auto walk_of = [=](const Slips& slip) {
        if (slips_in(name, slip)) return stages_by(block_walked(name, slip));
        if (right->empty()) *right = stages_by(block_walked(name, {}));
        return *right;
    };
    return {name + ", " + in.name, walk_of, [=] { return stages_by(function); }, in.values()};
}

std::vector<Case> cases_of(const std::string& name, const BlockFunction& function) {
    std::vector<Case> cases;
    for (const Input& in : inputs()) cases.push_back(on(in, name, function));
    return cases;
}

std::vector<std::string> stages_in(const std::string& function) {
    std::vector<std::string> all = {stage_in(function, "y")};
    for (const char* part : {"attention", "feed_forward", "norm1", "norm2"}) {
        all.push_back(stage_in(function, std::string("the number of calls of ") + part));
        all.push_back(stage_in(function, std::string("the input of ") + part));
    }
    for (const Leaf& leaf : inputs()[0].differentiated()) {
        all.push_back(stage_in(function, "the gradient of " + leaf.name));
    }
    return all;
}

std::vector<Hole> holes() {
    return {
        {"pre_norm",
         stages_in("pre_norm"),
         {"What is y if attention and feed-forward find nothing, that is zeros?",
          "Draw the stream as a line from x to y: each sublayer branches off, and is added",
          "x' = x + attention(norm1(x)), and the same once more with x' and the other two parts",
          "Give x + parts.attention(parts.norm1(x)) a name, and use that in place of x for "
          "feed-forward and norm2"}},
        {"post_norm",
         stages_in("post_norm"),
         {"What is the mean of a row of y, if norm2 has γ = 1 and β = 0?",
          "Draw the stream as a line from x to y: both norms stand on it",
          "x' = norm1(x + attention(x)), and the same once more with x' and the other two parts",
          "Give parts.norm1(x + parts.attention(x)) a name, and use that in place of x for "
          "feed-forward and norm2"}},
    };
}

}  // namespace

Exercise block(const Blocks& answer) {
    Exercise exercise;
    exercise.number = "12.3";
    exercise.title = "A block";
    exercise.cases = hole_by_hole(
        {cases_of("pre_norm", answer.pre_norm), cases_of("post_norm", answer.post_norm)});
    exercise.mistakes = block_mistakes();
    exercise.holes = holes();
    exercise.hints = {"What is added to what, and what is normalized?",
                      "Stop in the function that is named above, and look at what each part is "
                      "given",
                      "pre-norm: x + sublayer(norm(x)); post-norm: norm(x + sublayer(x))",
                      "Two lines for each function, one for each sublayer; in the second line the "
                      "result of the first takes the place of x, everywhere"};
    return exercise;
}

namespace {

Variable added_before(const BlockParts& parts, const Variable& x) {
    Variable stream = x;
    for (const auto& [norm, sublayer] :
         {std::pair(parts.norm1, parts.attention), std::pair(parts.norm2, parts.feed_forward)}) {
        stream = sublayer(norm(stream + 0)) + stream;
    }
    return stream;
}

Variable by_recursion(const BlockParts& parts, const Variable& x) {
    if (!parts.attention) return parts.norm2(parts.feed_forward(x) + x);
    BlockParts rest = parts;
    rest.attention = nullptr;
    return by_recursion(rest, parts.norm1(parts.attention(x) + x));
}

Variable kept_apart(const BlockParts& parts, const Variable& x) {
    const Variable a = parts.attention(parts.norm1(x));
    const Variable f = parts.feed_forward(parts.norm2(a + x));
    return x + (a + f);
}

}  // namespace

Trials block_trials() {
    Trials trials;
    trials.slipping = [](const Slips& slip) {
        return block({block_walked("pre_norm", slip), block_walked("post_norm", slip)});
    };
    trials.right["in a loop, and by recursion"] = [] {
        return block({added_before, by_recursion});
    };
    trials.right["what was found is added up first"] = [] {
        return block({kept_apart, by_recursion});
    };
    return trials;
}

}  // namespace exercise
