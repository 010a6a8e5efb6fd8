#include "tutorials/exercises/judges/lesson_06.h"
#include "tutorials/exercises/judging/kit.h"

#include "nn/linear.h"

using namespace heed;

namespace exercise {
namespace {
Variable activated(const Variable& sums, const Slips& slip) {
    if (slip("add.relu")) return relu(sums);
    if (slip("add.sigmoid")) return sigmoid(sums);
    if (slip("add.tanh-half")) return sigmoid(sums) * 2.0 - 1.0;
    if (slip("add.no-tanh") || slip("add.tanh-outside")) return sums;
    return tanh(sums);
}

// v·tanh(W·q + U·k), with a slip at each error-prone step.
struct SlippingScore : Module {
    SlippingScore(const ScoreSizes& sizes, Random& random, const Slips& slips)
        : W(sizes.d_q, sizes.d_hidden, random, no_bias),
          U(sizes.d_k, sizes.d_hidden, random, no_bias), v(sizes.d_hidden, 1, random, no_bias),
          slip(slips) {}
    void members(MemberVisitor& visit) override {
        visit("W", W);
        visit("U", U);
        visit("v", v);
    }
    // Q [..., T_q, d_q], K [..., T_k, d_k] -> [..., T_q, T_k]
    Variable operator()(const Variable& Q, const Variable& K) const {
        const auto unless = [&](const char* id, const Variable& x) {
            return slip(id) ? x.detach() : x;
        };
        const bool swapped = slip("add.W-U-swapped");
        const Variable& for_Q = swapped ? U.weight : W.weight;
        const Variable& for_K = swapped || slip("add.W-twice") ? W.weight : U.weight;
        const auto product = [&](const Variable& x, const Variable& weight) {
            return matmul(x, slip("add.WT") ? weight : transpose(weight));
        };
        const Variable of_Q =
            unless("add.detached-queries", product(unless("add.detached-Q", Q), for_Q));
        const Variable of_K =
            unless("add.detached-keys", product(unless("add.detached-K", K), for_K));
        const Variable queries = unsqueeze(of_Q, slip("add.keys-as-rows") ? -3 : -2);
        const Variable keys = unsqueeze(of_K, slip("add.keys-as-rows") ? -2 : -3);
        Variable sums = queries + keys;  // [..., T_q, T_k, h]
        if (slip("add.minus")) sums = queries - keys;
        if (slip("add.times")) sums = queries * keys;
        const Variable hidden =
            slip("add.tanh-each") ? tanh(queries) + tanh(keys) : activated(sums, slip);
        const Variable weighted = hidden * unless("add.detached-v", select(v.weight, 0, 0));
        Variable scores = sum(slip("add.no-v") ? hidden : weighted, -1);  // [..., T_q, T_k]
        if (slip("add.scaled")) scores = scores / std::sqrt(static_cast<double>(v.weight.dim(1)));
        if (slip("add.tanh-outside")) scores = tanh(scores);
        return unless("train.detached", scores);
    }

    Linear W, U, v;
    Slips slip;
};

Mistake constant(const std::string& id, const std::string& what) {
    return {id, what + " was a constant on its way to the score, so that no gradient passed it",
            "Which way do gradients take back from a score?",
            "Look for value() or detach() in your code, and for a member that is frozen."};
}

std::vector<Mistake> mistakes() {
    const std::string hidden = "Look at what is inside tanh and what is outside.";
    const std::string given = "Look at what each of the two layers is given.";
    return {
        {"add.no-tanh", "there was no tanh between the sum and v",
         "Without it, can the query change which of two keys has the larger score?", hidden},
        {"add.relu", "relu was used instead of tanh",
         "Can a number of the hidden layer be negative?", hidden},
        {"add.sigmoid", "the sigmoid was used instead of tanh",
         "What is tanh of 0, and what is yours?", hidden},
        {"add.tanh-half", "2·sigmoid(x) - 1 was used for tanh(x), though it is tanh(x/2)",
         "What is tanh(1), and what is yours?", hidden},
        {"add.tanh-each", "tanh was applied to W·q and to U·k, and then the two were added",
         "Where do query and key meet, before tanh or after it?", hidden},
        {"add.tanh-outside", "tanh was applied to the score and not to the hidden layer",
         "How many numbers go through tanh for a pair, one or d_hidden?", hidden},
        {"add.times", "W·q and U·k were multiplied", "What is the score called?",
         "Look at where query and key meet."},
        {"add.minus", "U·k was subtracted from W·q", "What is the score called?",
         "Look at where query and key meet."},
        {"add.scaled", "the score was divided by √d_hidden", "Does the formula have a scale?",
         "Look at what happens after v."},
        {"add.no-v", "the numbers of the hidden layer were added up without v",
         "What turns d_hidden numbers into one?", "Where is the member v used?"},
        {"add.W-U-swapped", "W was applied to the keys and U to the queries",
         "Which of them is [d_hidden, d_q]?", given},
        {"add.W-twice", "W was applied to both queries and keys, and U to nothing",
         "Which of them is [d_hidden, d_k]?", given},
        {"add.WT", "the matrices were used the other way round, x·W and not x·Wᵀ",
         "Linear keeps its matrix as [out, in]: what does it compute?",
         "Look at what is multiplied by the weights."},
        {"add.keys-as-rows", "each key had a row of the scores and each query a column",
         "Which axis of the sum is that of the queries?",
         "Look at the shape of the scores of 4 queries and 6 keys."},
        constant("train.detached", "all of it"),
        constant("add.detached-Q", "Q"),
        constant("add.detached-K", "K"),
        constant("add.detached-queries", "W·q"),
        constant("add.detached-keys", "U·k"),
        constant("add.detached-v", "v"),
    };
}

std::vector<std::pair<std::string, Shape>> shapes_of(const ScoreSizes& sizes) {
    return {{"W", {sizes.d_hidden, sizes.d_q}},
            {"U", {sizes.d_hidden, sizes.d_k}},
            {"v", {1, sizes.d_hidden}}};
}

// The parameter of this name, or none.
const Parameter* member_named(const std::vector<ParameterMember>& members,
                              const std::string& name) {
    for (const ParameterMember& member : members) {
        if (member.name == name) return member.parameter;
    }
    return nullptr;
}

ScoreLayer made_layer(const MakeScoreLayer& make, const ScoreSizes& sizes, std::uint64_t seed = 3) {
    Random random(seed);
    return make(sizes, random);
}

Leaf leaf_of(const std::string& name, const Tensor& value) {
    return {name, Variable(value, requires_grad)};
}

// Numbers for W, U and v, which replace those of any layer.
std::vector<Leaf> numbers(const ScoreSizes& sizes, std::uint64_t seed) {
    std::vector<Leaf> leaves;
    for (const auto& [name, shape] : shapes_of(sizes)) {
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

enum class Mode { training, evaluation };

struct Words {
    Variable Q, K;
};

struct Input {
    ScoreSizes sizes;
    Words words;
    std::uint64_t seed;  // of the weights
    Mode mode = Mode::training;
};
Stages given(const Input& in) { return values_of({{"Q", in.words.Q}, {"K", in.words.K}}); }

// The scores, and their gradients: those of Q, K, W, U and v.
Stages stages(const MakeScoreLayer& make, const Input& in) {
    const auto& [Q, K] = in.words;
    const ScoreLayer layer = made_layer(make, in.sizes);
    std::vector<Leaf> leaves = written_into(*layer.module, numbers(in.sizes, in.seed));
    if (in.mode == Mode::evaluation) layer.module->eval();
    const Variable scores = layer.score(Q, K);
    if (K.requires_grad()) leaves.insert(leaves.begin(), {"K", K});
    if (Q.requires_grad()) leaves.insert(leaves.begin(), {"Q", Q});
    return with_gradients({{"scores", scores.value()}}, scores, leaves);
}

Words words(const Shape& of_Q, const Shape& of_K, std::uint64_t seed) {
    return {Variable(random(of_Q, seed), requires_grad),
            Variable(random(of_K, seed + 1), requires_grad)};
}

// So long that tanh is ±1, and exp of what goes into it overflows.
Words long_ones(std::uint64_t seed) {
    return {Variable(random({4, 3}, seed, 1e5), requires_grad),
            Variable(random({6, 5}, seed + 1, 1e3), requires_grad)};
}

// 4 queries of 3 numbers, transposed, and 6 keys of 5, every second column of a wider tensor.
Words views(std::uint64_t seed) {
    const Tensor wide = random({6, 10}, seed + 1);
    return {Variable(tensor::transpose(random({3, 4}, seed)), requires_grad),
            Variable(tensor::slice(wide, 1, 0, tensor::to_the_end, 2), requires_grad)};
}

// Words as they come from a text: only the weights need gradients.
Words constants(std::uint64_t seed) {
    return {Variable(random({4, 3}, seed)), Variable(random({6, 5}, seed + 1))};
}

Words own_keys(std::uint64_t seed) {
    const Variable all = leaf_of("words", random({2, 5, 4}, seed)).variable;
    return {all, all};
}

Inputs<Input> inputs() {
    return {
        {"4 queries of 3 numbers, 6 keys of 5", {{3, 5, 2}, words({4, 3}, {6, 5}, 11), 1}},
        {"other queries, keys and weights of these sizes",
         {{3, 5, 2}, words({4, 3}, {6, 5}, 21), 5}},
        {"2 texts", {{3, 5, 4}, words({2, 4, 3}, {2, 6, 5}, 31), 10}},
        {"2 texts, 3 heads, more queries than keys",
         {{4, 2, 3}, words({2, 3, 5, 4}, {2, 3, 2, 2}, 41), 15}},
        {"queries, keys and hidden layer of 4 numbers", {{4, 4, 4}, words({5, 4}, {5, 4}, 51), 20}},
        {"one query, one key, a hidden layer of one number",
         {{3, 2, 1}, words({1, 3}, {1, 2}, 61), 25}},
        {"3 leading axes, one key", {{2, 3, 4}, words({1, 2, 3, 4, 2}, {1, 2, 3, 1, 3}, 71), 30}},
        {"a hidden layer of 130 numbers", {{2, 3, 130}, words({3, 2}, {4, 3}, 81), 35}},
        {"queries and keys that are views", {{3, 5, 4}, views(91), 40}},
        {"queries and keys a thousand times as long and more", {{3, 5, 4}, long_ones(111), 50}},
        {"queries and keys that need no gradient", {{3, 5, 4}, constants(151), 70}},
        {"words that are their own queries and keys", {{4, 4, 3}, own_keys(161), 75}},
        {"a layer in evaluation mode",
         {{3, 5, 4}, words({4, 3}, {6, 5}, 121), 55, Mode::evaluation}},
        {"130 queries of 70 numbers, 2 keys of 66",
         {{70, 66, 2}, words({130, 70}, {2, 66}, 131), 60}},
        {"70 texts", {{2, 3, 2}, words({70, 2, 2}, {70, 3, 3}, 141), 65}},
        {"2 queries and 130 keys", {{2, 3, 4}, words({2, 2}, {130, 3}, 101), 45}},
        {"the first queries and keys again", {{3, 5, 2}, words({4, 3}, {6, 5}, 11), 1}},
    };
}

std::string wrong_members(const MakeScoreLayer& make) {
    const ScoreLayer layer = made_layer(make, {3, 5, 4});
    const std::vector<ParameterMember> members = parameter_members(member_tree(*layer.module));
    for (const auto& [name, shape] : shapes_of({3, 5, 4})) {
        const Parameter* found = member_named(members, name + ".weight");
        if (found == nullptr) return "It visits no " + name + ".weight.";
        if (found->shape() != shape) {
            return "With d_q = 3, d_k = 5 and d_hidden = 4, " + name + ".weight has shape " +
                   found->shape().text() + ", expected " + shape.text() + ".";
        }
        if (!found->requires_grad()) return name + ".weight requires no gradient.";
    }
    for (const ParameterMember& member : members) {
        const std::string& name = member.name;
        if (name == "W.weight" || name == "U.weight" || name == "v.weight") continue;
        return "There is one more: " + name + ", of shape " + member.parameter->shape().text() +
               ".";
    }
    return "";
}

Tensor member_of(const ScoreLayer& layer, const std::string& name) {
    const Parameter* found =
        member_named(parameter_members(member_tree(*layer.module)), name + ".weight");
    return found == nullptr ? Tensor() : tensor::clone(found->value());
}

// What Linear draws: uniform in ±1/√in, from the generator it is given, which goes on.
std::string wrongly_drawn(const MakeScoreLayer& make) {
    const ScoreSizes sizes = {40, 40, 50};
    Random generator(3);
    const ScoreLayer first = make(sizes, generator), next = make(sizes, generator);
    const ScoreLayer again = made_layer(make, sizes, 3);
    for (const auto& [name, shape] : shapes_of(sizes)) {
        const Tensor drawn = member_of(first, name);
        if (!identical(drawn, member_of(again, name))) {
            return "Two generators with one seed gave different numbers of " + name + ".";
        }
        if (identical(drawn, member_of(next, name))) {
            return "Two layers made one after the other, from one generator, have the same " +
                   name + ".";
        }
        const double bound = 1 / std::sqrt(static_cast<double>(shape[1]));
        const double largest = tensor::max(tensor::abs(drawn)).item();
        if (largest <= bound && largest > 0.7 * bound) continue;
        return "Linear draws the numbers of " + name + " from ±" + fixed(bound, 6) +
               "; your largest is " + fixed(largest, 6) + ".";
    }
    const bool alike = identical(member_of(first, "W"), member_of(first, "U"));
    return alike ? "With d_q = d_k, W and U have the same numbers." : "";
}

Stages scores_of_seed(const MakeScoreLayer& make, const std::uint64_t& seed) {
    const ScoreLayer layer = made_layer(make, {3, 5, 4});
    const Variable Q(random({4, 3}, seed)), K(random({6, 5}, seed + 1));
    return {{"scores", layer.score(Q, K).value()}};
}

// Only row 0 of the queries and row 0 of the keys are changed.
std::string each_pair_alone(const MakeScoreLayer& make) {
    const ScoreLayer layer = made_layer(make, {3, 5, 4});
    const auto others = [](const Tensor& x) { return tensor::slice(tensor::slice(x, 0, 1), 1, 1); };
    const auto scores_with = [&](std::uint64_t first_rows) {
        const Tensor Q = tensor::concatenate({random({1, 3}, first_rows), random({3, 3}, 21)}, 0);
        const Tensor K = tensor::concatenate({random({1, 5}, first_rows), random({5, 5}, 22)}, 0);
        return tensor::clone(layer.score(Variable(Q), Variable(K)).value());
    };
    const Tensor before = scores_with(23);
    const std::string change = first_change(others(before), others(scores_with(24)));
    return change.empty()
               ? ""
               : "Query 0 and key 0 were replaced; of the scores of the others, " + change + ".";
}

Tensor scores_of_multiples(const ScoreLayer& layer, double of_Q, double of_K) {
    const Variable Q(random({4, 3}, 31) * of_Q), K(random({6, 5}, 32) * of_K);
    return tensor::clone(layer.score(Q, K).value());
}

std::string bounded(const MakeScoreLayer& make) {
    const ScoreLayer layer = made_layer(make, {3, 5, 4});
    const Tensor before = scores_of_multiples(layer, 1e6, 1);
    const std::string change = first_change(before, scores_of_multiples(layer, 1e9, 1));
    return change.empty() ? "" : "Long queries became 1000 times longer; " + change + ".";
}

std::string odd(const MakeScoreLayer& make) {
    const ScoreLayer layer = made_layer(make, {3, 5, 4});
    const Tensor expected = -scores_of_multiples(layer, 1, 1);
    const Tensor scores = scores_of_multiples(layer, -1, -1);
    if (same(scores, expected)) return "";
    return "With -Q and -K, the score " + worst_entry(scores, expected) +
           ", the negative of the one before.";
}

std::string changed_by_a_call(const MakeScoreLayer& make) {
    const ScoreLayer layer = made_layer(make, {3, 5, 4});
    std::vector<Tensor> before;
    for (const char* name : {"W", "U", "v"}) before.push_back(member_of(layer, name));
    layer.score(Variable(random({4, 3}, 51)), Variable(random({6, 5}, 52)));
    for (std::size_t i = 0; i < 3; ++i) {
        const std::string name(1, "WUv"[i]);
        const Tensor after = member_of(layer, name);
        if (identical(after, before[i])) continue;
        return "A call changed " + name + ".weight: " + first_change(before[i], after) + ".";
    }
    return "";
}

std::vector<Hole> holes() {
    return {{"members",
             {},
             {"How does an optimizer learn what there is to train?",
              "nn/linear.h for the three layers, nn/module.h for members()",
              "W is Linear(d_q, d_hidden, random, no_bias), U and v likewise",
              "Linear W, U, v; initialize them in the constructor, and visit(\"W\", W) and so on"}},
            {"operator()",
             {"scores", "the gradient of Q", "the gradient of K", "the gradient of W",
              "the gradient of U", "the gradient of v"},
             {"How do [T_q, h] and [T_k, h] become one [T_q, T_k, h]?",
              "unsqueeze in autograd/ops/views.h makes an axis to broadcast along",
              "s_ij = v·tanh(W·q_i + U·k_j), [..., T_q, 1, h] + [..., 1, T_k, h]",
              "squeeze(v(tanh(unsqueeze(W(Q), -2) + unsqueeze(U(K), -3))), -1)"}}};
}

Rules<MakeScoreLayer> rules() {
    return {
        .number = "06.1",
        .title = "An additive score",
        .reference =
            [](const Slips& slip) {
                return [=](const ScoreSizes& sizes, Random& random) {
                    const auto layer = std::make_shared<SlippingScore>(sizes, random, slip);
                    return ScoreLayer{layer, [layer](const Variable& Q, const Variable& K) {
                                          return (*layer)(Q, K);
                                      }};
                };
            },
        .cases = on_each(stages, inputs()),
        .laws = {{"members() visits W, U and v, and these are all there is to learn",
                  wrong_members},
                 {"the weights are drawn from `random`", wrongly_drawn},
                 {"a call changes no weight", changed_by_a_call},
                 earlier_results_stay(scores_of_seed, 61, 63),
                 {"a score depends only on its own query and key", each_pair_alone},
                 {"no score exceeds Σ|v|, however long the queries", bounded},
                 {"if queries and keys change their signs, so do the scores", odd}},
        .mistakes = mistakes(),
        .hints = {"Is it the constructor, members() or the call?",
                  "Print your layer: it lists its members and their sizes",
                  "Make a layer with d_hidden = 1, and work out one score by hand",
                  "Key d stops the program in the call: compare the shapes of W(Q), U(K) and their "
                  "sum with the ones you planned"},
        .holes = holes(),
    };
}

}  // namespace

const Judge<MakeScoreLayer> judge_06_1(rules);

}  // namespace exercise
