#include "tutorials/exercises/judges/06_1_additive_score_walk.h"

#include "tutorials/exercises/judges/common_qkv.h"
#include "tutorials/exercises/judging/compare.h"
#include "tutorials/exercises/judging/inputs.h"

#include "tensor/factories.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/ops/functions.h"
#include "tensor/ops/join.h"
#include "tensor/ops/reduce.h"
#include "tensor/views.h"

#include <cmath>

using namespace heed;

namespace exercise {

ScoreLayer made_layer(const MakeScoreLayer& make, const ScoreSizes& sizes, std::uint64_t seed) {
    Random random(seed);
    return make(sizes, random);
}

std::vector<std::pair<std::string, Shape>> additive_shapes(const ScoreSizes& sizes) {
    return {{"W", {sizes.d_hidden, sizes.d_q}},
            {"U", {sizes.d_hidden, sizes.d_k}},
            {"v", {1, sizes.d_hidden}}};
}

const Parameter* member_named(const std::vector<ParameterMember>& members,
                              const std::string& name) {
    for (const ParameterMember& member : members) {
        if (member.name == name) return member.parameter;
    }
    return nullptr;
}

namespace {

std::string wrong_members(const MakeScoreLayer& make) {
    const ScoreLayer layer = made_layer(make, {3, 5, 4});
    const std::vector<ParameterMember> members = parameter_members(member_tree(*layer.module));
    for (const auto& [name, shape] : additive_shapes({3, 5, 4})) {
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
    for (const auto& [name, shape] : additive_shapes(sizes)) {
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
        return "Linear draws the numbers of " + name + " from ±" + std::to_string(bound) +
               "; your largest is " + std::to_string(largest) + ".";
    }
    const bool alike = identical(member_of(first, "W"), member_of(first, "U"));
    return alike ? "With d_q = d_k, W and U have the same numbers." : "";
}

Law second_call(const MakeScoreLayer& make) {
    const auto scores_of = [](const ScoreLayer& layer, std::uint64_t seed) {
        const Variable scores =
            layer.score(Variable(random({4, 3}, seed)), Variable(random({6, 5}, seed + 1)));
        return Stages{{"scores", scores.value()}};
    };
    const ScoreSizes sizes = {3, 5, 4};
    return earlier_results_stay([=] { return scores_of(made_layer(make, sizes), 61); },
                                [=] { return scores_of(made_layer(make, sizes), 63); });
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

}  // namespace

std::vector<Law> additive_laws(const MakeScoreLayer& make) {
    return {
        {"members() visits W, U and v, and these are all there is to learn",
         [=] { return wrong_members(make); }},
        {"the weights are drawn from `random`", [=] { return wrongly_drawn(make); }},
        {"a call changes no weight", [=] { return changed_by_a_call(make); }},
        second_call(make),
        {"a score depends only on its own query and key", [=] { return each_pair_alone(make); }},
        {"no score exceeds Σ|v|, however long the queries", [=] { return bounded(make); }},
        {"if queries and keys change their signs, so do the scores", [=] { return odd(make); }}};
}

}  // namespace exercise
