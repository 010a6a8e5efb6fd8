#include "tutorials/exercises/judges/06_1_additive_score.h"

#include "tutorials/exercises/judges/06_1_additive_score_walk.h"
#include "tutorials/exercises/judging/gradients.h"
#include "tutorials/exercises/judging/inputs.h"

#include "nn/attention/scores.h"
#include "nn/linear.h"
#include "tensor/factories.h"
#include "tensor/views.h"

using namespace heed;

namespace exercise {

namespace {

Leaf leaf_of(const std::string& name, const Tensor& value) {
    return {name, Variable(value, requires_grad)};
}

// Numbers for W, U and v, which replace those of any layer.
std::vector<Leaf> numbers(const ScoreSizes& sizes, std::uint64_t seed) {
    std::vector<Leaf> leaves;
    for (const auto& [name, shape] : additive_shapes(sizes)) {
        leaves.push_back(leaf_of(name, random(shape, seed++)));
    }
    return leaves;
}

// Writes these numbers into the members of that name. Returns these members, as leaves; for one
// that is missing or frozen something else, which no gradient reaches.
std::vector<Leaf> written_into(Module& layer, const std::vector<Leaf>& numbers) {
    const std::vector<ParameterMember> members = parameter_members(member_tree(layer));
    std::vector<Leaf> leaves;
    for (const Leaf& number : numbers) {
        const Parameter* found = member_named(members, number.name + ".weight");
        const bool fits = found != nullptr && found->shape() == number.variable.shape();
        if (fits) {
            Tensor written = found->value();
            tensor::overwrite(written, number.variable.value());
        }
        leaves.push_back(fits && found->requires_grad()
                             ? Leaf{number.name, *found}
                             : leaf_of(number.name, tensor::clone(number.variable.value())));
    }
    return leaves;
}

struct Inputs {
    Variable Q, K;
};

// The scores, and their gradients: those of Q, K, W, U and v.
Stages stages(const Variable& scores, const Inputs& in, std::vector<Leaf> members) {
    if (in.K.requires_grad()) members.insert(members.begin(), {"K", in.K});
    if (in.Q.requires_grad()) members.insert(members.begin(), {"Q", in.Q});
    return with_gradients({{"scores", scores.value()}}, scores, members);
}

enum class Mode { training, evaluation };

Case case_of(const MakeScoreLayer& make, const std::string& name, const ScoreSizes& sizes,
             const Inputs& in, std::uint64_t seed, Mode mode = Mode::training) {
    const std::vector<Leaf> set = numbers(sizes, seed);
    return {name,
            [=](const Slips& slip) {
                const AdditiveWeights weights = {set[0].variable, set[1].variable, set[2].variable};
                return stages(additive_walk(weights, in.Q, in.K, slip), in, set);
            },
            [=] {
                const ScoreLayer layer = made_layer(make, sizes);
                const std::vector<Leaf> members = written_into(*layer.module, set);
                if (mode == Mode::evaluation) layer.module->eval();
                return stages(layer.score(in.Q, in.K), in, members);
            },
            values_of({{"Q", in.Q}, {"K", in.K}})};
}

Inputs inputs(const Shape& of_Q, const Shape& of_K, std::uint64_t seed) {
    return {Variable(random(of_Q, seed), requires_grad),
            Variable(random(of_K, seed + 1), requires_grad)};
}

// So long that tanh is ±1, and exp of what goes into it overflows.
Inputs long_ones(std::uint64_t seed) {
    return {Variable(random({4, 3}, seed, 1e5), requires_grad),
            Variable(random({6, 5}, seed + 1, 1e3), requires_grad)};
}

// 4 queries of 3 numbers, transposed, and 6 keys of 5, every second column of a wider tensor.
Inputs views(std::uint64_t seed) {
    const Tensor wide = random({6, 10}, seed + 1);
    return {Variable(tensor::transpose(random({3, 4}, seed)), requires_grad),
            Variable(tensor::slice(wide, 1, 0, tensor::to_the_end, 2), requires_grad)};
}

// Words as they come from a text: only the weights need gradients.
Inputs constants(std::uint64_t seed) {
    return {Variable(random({4, 3}, seed)), Variable(random({6, 5}, seed + 1))};
}

Inputs own_keys(std::uint64_t seed) {
    const Variable words = leaf_of("words", random({2, 5, 4}, seed)).variable;
    return {words, words};
}

std::vector<Case> cases(const MakeScoreLayer& make) {
    return {
        case_of(make, "4 queries of 3 numbers, 6 keys of 5", {3, 5, 2}, inputs({4, 3}, {6, 5}, 11),
                1),
        case_of(make, "other queries, keys and weights of these sizes", {3, 5, 2},
                inputs({4, 3}, {6, 5}, 21), 5),
        case_of(make, "2 texts", {3, 5, 4}, inputs({2, 4, 3}, {2, 6, 5}, 31), 10),
        case_of(make, "2 texts, 3 heads, more queries than keys", {4, 2, 3},
                inputs({2, 3, 5, 4}, {2, 3, 2, 2}, 41), 15),
        case_of(make, "queries, keys and hidden layer of 4 numbers", {4, 4, 4},
                inputs({5, 4}, {5, 4}, 51), 20),
        case_of(make, "one query, one key, a hidden layer of one number", {3, 2, 1},
                inputs({1, 3}, {1, 2}, 61), 25),
        case_of(make, "3 leading axes, one key", {2, 3, 4},
                inputs({1, 2, 3, 4, 2}, {1, 2, 3, 1, 3}, 71), 30),
        case_of(make, "a hidden layer of 130 numbers", {2, 3, 130}, inputs({3, 2}, {4, 3}, 81), 35),
        case_of(make, "queries and keys that are views", {3, 5, 4}, views(91), 40),
        case_of(make, "queries and keys a thousand times as long and more", {3, 5, 4},
                long_ones(111), 50),
        case_of(make, "queries and keys that need no gradient", {3, 5, 4}, constants(151), 70),
        case_of(make, "words that are their own queries and keys", {4, 4, 3}, own_keys(161), 75),
        case_of(make, "a layer in evaluation mode", {3, 5, 4}, inputs({4, 3}, {6, 5}, 121), 55,
                Mode::evaluation),
        case_of(make, "130 queries of 70 numbers, 2 keys of 66", {70, 66, 2},
                inputs({130, 70}, {2, 66}, 131), 60),
        case_of(make, "70 texts", {2, 3, 2}, inputs({70, 2, 2}, {70, 3, 3}, 141), 65),
        case_of(make, "2 queries and 130 keys", {2, 3, 4}, inputs({2, 2}, {130, 3}, 101), 45),
        case_of(make, "the first queries and keys again", {3, 5, 2}, inputs({4, 3}, {6, 5}, 11), 1),
    };
}

}  // namespace

Exercise additive_score(const MakeScoreLayer& make) {
    Exercise exercise;
    exercise.number = "06.1";
    exercise.title = "An additive score";
    exercise.cases = cases(make);
    exercise.laws = additive_laws(make);
    exercise.mistakes = additive_mistakes();
    exercise.hints = {"Is it the constructor, members() or the call?",
                      "Print your layer: it lists its members and their sizes",
                      "Make a layer with d_hidden = 1, and work out one score by hand",
                      "Key d stops the program in the call: compare the shapes of W(Q), U(K) and "
                      "their sum with the ones you planned"};
    exercise.holes = additive_holes();
    return exercise;
}

namespace {

// The walk as a layer.
struct WalkLayer : Module {
    WalkLayer(const ScoreSizes& sizes, Random& random, const Slips& slips)
        : W(sizes.d_q, sizes.d_hidden, random, no_bias),
          U(sizes.d_k, sizes.d_hidden, random, no_bias), v(sizes.d_hidden, 1, random, no_bias),
          slip(slips) {}
    void members(MemberVisitor& visit) override {
        visit("W", W);
        visit("U", U);
        visit("v", v);
    }
    Variable operator()(const Variable& Q, const Variable& K) const {
        return additive_walk({W.weight, U.weight, v.weight}, Q, K, slip);
    }

    Linear W, U, v;
    Slips slip;
};

struct AsInNn : Module {
    AsInNn(std::int64_t d_q, std::int64_t d_k, std::int64_t d_hidden, Random& random)
        : score(d_q, d_k, d_hidden, random) {}
    void members(MemberVisitor& visit) override {
        visit("W", score.W_q);
        visit("U", score.W_k);
        visit("v", score.v);
    }
    Variable operator()(const Variable& Q, const Variable& K) const { return score(Q, K); }

    AdditiveScore score;
};

}  // namespace

Trials additive_score_trials() {
    Trials trials;
    trials.slipping = [](const Slips& slip) {
        return additive_score([=](const ScoreSizes& sizes, Random& random) {
            const std::shared_ptr<WalkLayer> layer =
                std::make_shared<WalkLayer>(sizes, random, slip);
            return ScoreLayer{
                layer, [layer](const Variable& Q, const Variable& K) { return (*layer)(Q, K); }};
        });
    };
    trials.right["by nn"] = [] { return additive_score(score_layer<AsInNn>()); };
    return trials;
}

}  // namespace exercise
