#include "tutorials/exercises/judges/06_1_additive_score.h"

#include "tutorials/exercises/judges/common_qkv.h"
#include "tutorials/exercises/judging/inputs.h"

#include "heed/autograd/gradcheck/gradcheck.h"
#include "heed/autograd/ops/arithmetic.h"
#include "heed/autograd/ops/functions.h"
#include "heed/autograd/ops/matmul.h"
#include "heed/autograd/ops/reduce.h"
#include "heed/autograd/ops/views.h"
#include "heed/nn/attention/scores.h"
#include "heed/nn/linear.h"
#include "heed/tensor/factories.h"
#include "heed/tensor/ops/arithmetic.h"
#include "heed/tensor/ops/compare.h"
#include "heed/tensor/ops/join.h"
#include "heed/tensor/views.h"

using namespace heed;

namespace exercise {

namespace {

struct Weights {
    Variable W;  // [h, d_q]
    Variable U;  // [h, d_k]
    Variable v;  // [1, h]
};

// v·tanh(W·q + U·k)
Variable walk(const Weights& in, const Variable& Q, const Variable& K, const Slips& slip) {
    const Variable& W = slip("add.W-U-swapped") ? in.U : in.W;
    const Variable& U = slip("add.W-U-swapped") || slip("add.W-twice") ? in.W : in.U;
    const Variable of_q = matmul(Q, slip("add.WT") ? W : transpose(W));  // [..., T_q, h]
    const Variable of_k = matmul(K, slip("add.WT") ? U : transpose(U));  // [..., T_k, h]
    const Variable queries = unsqueeze(of_q, slip("add.keys-as-rows") ? -3 : -2);
    const Variable keys = unsqueeze(of_k, slip("add.keys-as-rows") ? -2 : -3);
    Variable hidden = queries + keys;  // [..., T_q, T_k, h]
    if (slip("add.times")) hidden = queries * keys;
    if (slip("add.tanh-each")) hidden = tanh(queries) + tanh(keys);
    const bool inside = !slip("add.no-tanh") && !slip("add.tanh-outside") && !slip("add.tanh-each");
    if (slip("add.relu")) {
        hidden = relu(hidden);
    } else if (slip("add.sigmoid")) {
        hidden = sigmoid(hidden);
    } else if (inside) {
        hidden = tanh(hidden);
    }
    Variable scores = sum(hidden * select(in.v, 0, 0), -1);  // [..., T_q, T_k]
    if (slip("add.no-v")) scores = sum(hidden, -1);
    if (slip("add.tanh-outside")) scores = tanh(scores);
    return scores;
}

// Sets the same numbers in any layer: members with these names are overwritten.
Weights numbers(const ScoreSizes& sizes) {
    return {Variable(random({sizes.d_hidden, sizes.d_q}, 5)),
            Variable(random({sizes.d_hidden, sizes.d_k}, 6)),
            Variable(random({1, sizes.d_hidden}, 7))};
}

void set_numbers(Module& module, const Weights& weights) {
    for (const ParameterMember& member : parameter_members(member_tree(module))) {
        const Variable* number = nullptr;
        if (member.name == "W.weight") number = &weights.W;
        if (member.name == "U.weight") number = &weights.U;
        if (member.name == "v.weight") number = &weights.v;
        if (number == nullptr || member.parameter->shape() != number->shape()) continue;
        *member.parameter = Parameter(number->value());
    }
}

ScoreLayer made(const MakeScoreLayer& make, const ScoreSizes& sizes) {
    Random random(3);
    return make(sizes, random);
}

std::string wrong_members(const MakeScoreLayer& make) {
    const ScoreLayer layer = made(make, {3, 5, 4});
    const std::vector<ParameterMember> found = parameter_members(member_tree(*layer.module));
    for (const auto& [name, shape] : std::vector<std::pair<std::string, Shape>>{
             {"W.weight", {4, 3}}, {"U.weight", {4, 5}}, {"v.weight", {1, 4}}}) {
        bool there = false;
        for (const ParameterMember& member : found) {
            if (member.name != name) continue;
            there = true;
            const Shape& yours = member.parameter->shape();
            if (yours != shape)
                return name + " has shape " + yours.text() + ", not " + shape.text();
        }
        if (!there) return "It visits no " + name + ", so nothing would train it or save it.";
    }
    return "";
}

std::string extra_members(const MakeScoreLayer& make) {
    const ScoreLayer layer = made(make, {3, 5, 4});
    const std::int64_t yours = count_parameters(*layer.module);
    if (yours == 4 * 3 + 4 * 5 + 4) return "";
    return "With d_q = 3, d_k = 5 and h = 4 there are " + std::to_string(yours) +
           " numbers to learn, and 4·3 + 4·5 + 4 = 36 expected.";
}

const Shape of_Q = {4, 3}, of_K = {6, 5};

Tensor scores_of(const ScoreLayer& layer, const Tensor& Q, const Tensor& K) {
    return layer.score(Variable(Q), Variable(K)).value();
}

// Only row 0 of the queries, or row 0 of the keys, is changed.
std::string each_pair_alone(const MakeScoreLayer& make) {
    const ScoreLayer layer = made(make, {3, 5, 4});
    const Tensor Q = random(of_Q, 21), K = random(of_K, 22);
    const Tensor other_q = tensor::concatenate({random({1, 3}, 23), tensor::slice(Q, 0, 1)}, 0);
    const Tensor other_k = tensor::concatenate({random({1, 5}, 24), tensor::slice(K, 0, 1)}, 0);
    const Tensor before = scores_of(layer, Q, K), after = scores_of(layer, other_q, other_k);
    const bool others_stay = tensor::same_bits(tensor::slice(tensor::slice(before, 0, 1), 1, 1),
                                               tensor::slice(tensor::slice(after, 0, 1), 1, 1));
    return others_stay ? "" : "Query 0 and key 0 were changed, and scores of others changed too.";
}

std::string bounded(const MakeScoreLayer& make) {
    const ScoreLayer layer = made(make, {3, 5, 4});
    const Tensor Q = random(of_Q, 31), K = random(of_K, 32);
    return same_or(scores_of(layer, Q * 1e9, K), scores_of(layer, Q * 1e6, K),
                   "They still grow with queries a million times as long.");
}

std::string odd(const MakeScoreLayer& make) {
    const ScoreLayer layer = made(make, {3, 5, 4});
    const Tensor Q = random(of_Q, 41), K = random(of_K, 42);
    return same_or(scores_of(layer, -Q, -K), -scores_of(layer, Q, K),
                   "With -Q and -K the scores are not the negative ones.");
}

std::string gradients(const MakeScoreLayer& make) {
    const ScoreLayer layer = made(make, {2, 3, 2});
    std::vector<Tensor> inputs = {random({2, 2}, 51), random({3, 3}, 52)};
    std::vector<std::string> names = {"Q", "K"};
    for (const NamedParameter& parameter : parameters(*layer.module)) {
        inputs.push_back(tensor::clone(parameter.parameter.value()));
        names.push_back(parameter.name);
    }
    const GradcheckResult result = gradcheck(
        [&](const std::vector<Variable>& in) {
            replace_parameters(*layer.module, {in.begin() + 2, in.end()});
            return layer.score(in[0], in[1]);
        },
        inputs, {.names = names});
    return result.ok() ? "" : result.text();
}

std::vector<Mistake> mistakes() {
    const std::string hidden = "Look at what stands inside and outside of tanh.";
    return {
        {"add.no-tanh",
         "there were no tanh between the sum and v",
         {"Without it, could the key change which query fits best?", hidden}},
        {"add.relu", "relu stood where tanh belongs", {"Can a hidden number be negative?", hidden}},
        {"add.sigmoid",
         "the sigmoid stood where tanh belongs",
         {"What is a hidden number where query and key are zero?", hidden}},
        {"add.tanh-each",
         "tanh were taken of W·q and of U·k, and these added",
         {"Where do query and key meet, before or after tanh?", hidden}},
        {"add.tanh-outside",
         "tanh were taken of the score and not of the hidden layer",
         {"How many numbers go through tanh for a pair, one or h?", hidden}},
        {"add.times",
         "W·q and U·k were multiplied",
         {"What is the score called?", "Look at where query and key meet."}},
        {"add.no-v",
         "the hidden numbers were added up without v",
         {"What makes one number of h, and has it something to learn?",
          "Is the member v used anywhere?"}},
        {"add.W-U-swapped",
         "W met the keys and U the queries",
         {"Which of them is [h, d_q]?", "Look at what each of the two layers is given."}},
        {"add.W-twice",
         "W met both queries and keys, and U nothing",
         {"Which of them is [h, d_k]?", "Look at what each of the two layers is given."}},
        {"add.WT",
         "the matrices were used the other way round, x·W for x·Wᵀ",
         {"Linear keeps its matrix as [out, in]: what does it compute?",
          "Look at what meets the weights."}},
        {"add.keys-as-rows",
         "each key had a row and each query a column",
         {"Which axis of the sum is the queries'?",
          "tensor scores: its shape for 4 queries and 6 keys."}},
    };
}

Mistake of_members(const std::string& id, const std::string& says, const std::string& site) {
    return {id, says, {"How does an optimizer learn what there is to train?", site}};
}

}  // namespace

Exercise additive_score(const MakeScoreLayer& make) {
    Exercise exercise;
    exercise.number = "06.1";
    exercise.title = "An additive score";
    const auto add = [&](const std::string& name, const ScoreSizes& sizes, const Shape& queries,
                         const Shape& keys) {
        const Variable Q(random(queries, 11)), K(random(keys, 12));
        exercise.cases.push_back(
            {name,
             [=](const Slips& slip) {
                 return Stages{{"scores", walk(numbers(sizes), Q, K, slip).value()}};
             },
             [=] {
                 const ScoreLayer layer = made(make, sizes);
                 set_numbers(*layer.module, numbers(sizes));
                 return Stages{{"scores", layer.score(Q, K).value()}};
             }});
    };
    add("4 queries of 3 numbers, 6 keys of 5", {3, 5, 2}, {4, 3}, {6, 5});
    add("2 texts", {3, 5, 4}, {2, 4, 3}, {2, 6, 5});
    add("queries, keys and hidden layer of 4 numbers", {4, 4, 4}, {5, 4}, {5, 4});
    exercise.laws = {
        {"members() names W, U and v",
         [=] { return wrong_members(make); },
         {of_members("add.unvisited", "a member were not visited, or had another name",
                     "Compare members() with the members themselves.")}},
        {"W, U and v are all there is to learn",
         [=] { return extra_members(make); },
         {of_members("add.bias", "a layer had a bias, or there were another member",
                     "nn/linear.h says how a layer is made without a bias.")}},
        {"a score depends on its own query and key alone", [=] { return each_pair_alone(make); }},
        {"scores have a limit, Σ|v|", [=] { return bounded(make); }},
        {"with the signs of query and key the score changes its own", [=] { return odd(make); }},
        {"gradcheck finds the gradients of Q, K and all members right",
         [=] { return gradients(make); },
         {{"train.detached",
           "the numbers were taken out of a variable on the way, so that nothing can be learned",
           {"Through what do gradients find their way back?", "Look for value() or detach()."}}}}};
    exercise.mistakes = mistakes();
    exercise.hints = {"How do [T_q, h] and [T_k, h] become one [T_q, T_k, h]?",
                      "nn/linear.h for the members; unsqueeze makes an axis to broadcast along",
                      "s_ij = v·tanh(W·q_i + U·k_j), [..., T_q, 1, h] + [..., 1, T_k, h]",
                      "squeeze(v(tanh(unsqueeze(W(Q), -2) + unsqueeze(U(K), -3))), -1); "
                      "visit(\"W\", W); visit(\"U\", U); visit(\"v\", v);"};
    return exercise;
}

namespace {

// The walk as a layer, with the additional slips that a layer can make.
struct WalkLayer : Module {
    WalkLayer(const ScoreSizes& sizes, Random& random, const Slips& slips)
        : W(sizes.d_q, sizes.d_hidden, random, bias_if(slips("add.bias"))),
          U(sizes.d_k, sizes.d_hidden, random, no_bias), v(sizes.d_hidden, 1, random, no_bias),
          slip(slips) {}
    void members(MemberVisitor& visit) override {
        visit("W", W);
        if (!slip("add.unvisited")) visit("U", U);
        visit("v", v);
    }
    Variable operator()(const Variable& Q, const Variable& K) const {
        const Variable scores = walk({W.weight, U.weight, v.weight}, Q, K, slip);
        return slip("train.detached") ? scores.detach() + sum(Q) * 0 : scores;
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
    trials.more_ids = {"add.unvisited", "add.bias", "train.detached"};
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
