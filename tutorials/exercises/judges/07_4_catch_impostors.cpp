#include "tutorials/exercises/judges/07_4_catch_impostors.h"

#include "tutorials/exercises/judges/common_qkv.h"
#include "tutorials/exercises/judging/compare.h"
#include "tutorials/exercises/judging/inputs.h"

#include "heed/tensor/factories.h"
#include "heed/tensor/ops/arithmetic.h"
#include "heed/tensor/ops/compare.h"
#include "heed/tensor/ops/functions.h"
#include "heed/tensor/ops/matmul.h"
#include "heed/tensor/ops/reduce.h"
#include "heed/tensor/ops/softmax.h"
#include "heed/tensor/views.h"

using namespace heed;

namespace exercise {

namespace {

const std::vector<std::string> impostors = {"att.no-scale",
                                            "att.scale-dk",
                                            "att.scale-mul",
                                            "att.scale-T",
                                            "att.scale-after",
                                            "att.keys-from-queries",
                                            "att.q-from-keys",
                                            "att.kq",
                                            "att.keys-from-values",
                                            "att.values-from-keys",
                                            "att.weights-T",
                                            "sm.cols",
                                            "sm.all",
                                            "sm.exp-only",
                                            "sm.sum-norm"};

Tensor output_of(const AttentionInput& in, const Slips& slip) {
    const QueriesKeysValues variables = {Variable(in.Q), Variable(in.K), Variable(in.V)};
    return attention_walk(variables, Scaling::root_of_d_k, slip).output.value();
}

// An impostor is caught if its output differs, or if its shapes do not fit.
bool caught(const AttentionInput& in, const std::string& id) {
    try {
        return !same(output_of(in, {id}), output_of(in, {}));
    } catch (const std::exception&) {
        return true;
    }
}

std::string says(const std::string& id) {
    for (const Mistake& mistake : attention_mistakes(Scaling::root_of_d_k)) {
        if (mistake.id == id) return mistake.says;
    }
    return id;
}

// "You caught 6 of 15; ...", or "" if all were caught.
std::string still_pass(const AttentionInput& in) {
    std::string passing;
    int count = 0;
    for (const std::string& id : impostors) {
        if (caught(in, id)) {
            ++count;
        } else {
            passing += (passing.empty() ? "" : "; ") + says(id);
        }
    }
    if (passing.empty()) return "";
    return "You caught " + std::to_string(count) + " of " + std::to_string(impostors.size()) +
           ". These still pass: " + passing + ".";
}

std::string does_not_fit(const AttentionInput& in) {
    for (const Tensor* x : {&in.Q, &in.K, &in.V}) {
        if (x->rank() != 2 || x->numel() == 0) {
            return "One has shape " + x->shape().text() + ", and needs rows and columns.";
        }
        if (!tensor::is_finite(*x).all()) return "There is an infinity or a NaN in one of them.";
    }
    const std::string shapes = "Q " + in.Q.shape().text() + ", K " + in.K.shape().text() + ", V " +
                               in.V.shape().text() + ": ";
    if (in.Q.dim(1) != in.K.dim(1)) return shapes + "a query must have the dimension of a key.";
    if (in.K.dim(0) != in.V.dim(0)) return shapes + "each key must have a value.";
    return "";
}

bool constant(const Tensor& x) { return tensor::max(x).item() == tensor::min(x).item(); }

bool all_constant(const AttentionInput& in) {
    return constant(in.Q) && constant(in.K) && constant(in.V);
}

bool all_the_same(const AttentionInput& in) { return same(in.Q, in.K) && same(in.K, in.V); }

bool keys_are_queries(const AttentionInput& in) { return same(in.Q, in.K) && !same(in.K, in.V); }

bool values_are_keys(const AttentionInput& in) { return !same(in.Q, in.K) && same(in.K, in.V); }

bool one_key(const AttentionInput& in) { return in.K.dim(0) == 1; }

bool equal_values(const AttentionInput& in) {
    const Tensor first = tensor::slice(in.V, 0, 0, 1);
    return in.V.dim(0) > 1 && (in.V == first).all() && !all_constant(in);
}

bool equal_keys(const AttentionInput& in) {
    const Tensor first = tensor::slice(in.K, 0, 0, 1);
    return in.K.dim(0) > 1 && (in.K == first).all() && !all_constant(in);
}

bool as_many_as_long(const AttentionInput& in) {
    return in.K.dim(0) == in.K.dim(1) && in.K.dim(0) > 1;
}

bool hard(const AttentionInput& in) {
    const Tensor scores = tensor::matmul(in.Q, tensor::transpose(in.K));
    const Tensor weights = tensor::softmax(scores / static_cast<double>(in.K.dim(1)), -1);
    return in.K.dim(0) > 1 && tensor::min(tensor::max(weights, {-1})).item() > 0.9999;
}

bool weak(const AttentionInput& in) {
    const Tensor scores = tensor::matmul(in.Q, tensor::transpose(in.K));
    return tensor::max(tensor::abs(scores)).item() < 1e-3;
}

struct Flaw {
    std::string id;
    bool (*seen)(const AttentionInput&);
    Mistake mistake;
};

std::vector<Flaw> flaws() {
    const std::string question = "Which of the impostors compute the same on it?";
    const auto flaw = [&](const std::string& id, bool (*seen)(const AttentionInput&),
                          const std::string& says, const std::string& site) {
        return Flaw{id, seen, {id, says, {question, site}}};
    };
    return {
        flaw("in.constant", all_constant, "all numbers of Q, of K and of V were alike",
             "With equal numbers all scores of a query are equal. What is softmax of them?"),
        flaw("in.q=k=v", all_the_same, "queries, keys and values were the same numbers",
             "A mistake that takes one for the other is not seen."),
        flaw("in.q=k", keys_are_queries, "queries and keys were the same numbers",
             "A mistake that takes one for the other is not seen."),
        flaw("in.k=v", values_are_keys, "keys and values were the same numbers",
             "A mistake that takes one for the other is not seen."),
        flaw("in.one-key", one_key, "there were but one key, which gets all the weight",
             "What is softmax of a single score?"),
        flaw("in.equal-values", equal_values, "all values were alike, whatever their weights",
             "What is the mean of equal rows?"),
        flaw("in.equal-keys", equal_keys, "all keys were alike, so that all weights are",
             "What is softmax of equal scores?"),
        flaw("in.hard", hard, "scores were so far apart that one key has all the weight",
             "What does a scale change where one weight is 1?"),
        flaw("in.weak", weak, "scores were so small that all weights are alike",
             "What is softmax of numbers near 0?"),
        flaw("in.T=d", as_many_as_long, "there were as many keys as a key has numbers",
             "√T and √d_k are one number then."),
    };
}

}  // namespace

Exercise catch_impostors(const CatchingInput& input) {
    Exercise exercise;
    exercise.number = "07.4";
    exercise.title = "Catch the impostors";
    exercise.laws = {{"queries, keys and values fit together and are finite",
                      [=] { return does_not_fit(input()); }}};
    for (const Flaw& flaw : flaws()) {
        exercise.laws.push_back({"",
                                 [=]() -> std::string {
                                     const AttentionInput in = input();
                                     return flaw.seen(in) ? still_pass(in) : "";
                                 },
                                 {flaw.mistake}});
    }
    exercise.laws.push_back({"", [=] { return still_pass(input()); }});
    exercise.hints = {"What must an input have, so that an exchange of two things is seen?",
                      "Take one of those that still pass, and work out what it does to your input",
                      "random numbers, Q, K and V all different, and T_q, T_k, d_k, d_v too",
                      "normal({3, 6}, random), normal({5, 6}, random), normal({5, 2}, random)"};
    return exercise;
}

namespace {

AttentionInput flawed(const Slips& slip) {
    AttentionInput in = {random({4, 4}, 1), random({4, 4}, 2), random({4, 4}, 3)};
    if (slip("in.constant")) {
        return {tensor::ones({4, 4}), tensor::ones({4, 4}), tensor::ones({4, 4})};
    }
    if (slip("in.q=k=v")) return {in.Q, in.Q, in.Q};
    if (slip("in.q=k")) return {in.Q, in.Q, in.V};
    if (slip("in.k=v")) return {in.Q, in.K, in.K};
    if (slip("in.one-key")) return {random({1, 4}, 1), random({1, 4}, 2), random({1, 4}, 3)};
    if (slip("in.equal-values")) return {in.Q, in.K, tensor::slice(in.V, 0, 0, 1) + in.V * 0};
    if (slip("in.equal-keys")) return {in.Q, tensor::slice(in.K, 0, 0, 1) + in.K * 0, in.V};
    if (slip("in.hard")) return {in.Q * 1000, in.K, in.V};
    if (slip("in.weak")) return {in.Q * 1e-5, in.K, in.V};
    if (slip("in.T=d")) return in;
    return {random({3, 6}, 4), random({5, 6}, 5), random({5, 2}, 6)};
}

}  // namespace

Trials catch_impostors_trials() {
    Trials trials;
    for (const Flaw& flaw : flaws()) trials.more_ids.push_back(flaw.id);
    trials.slipping = [](const Slips& slip) {
        return catch_impostors([=] { return flawed(slip); });
    };
    trials.right["all shapes the same, but as many keys as that"] = [] {
        return catch_impostors([] {
            return AttentionInput{random({5, 3}, 7), random({5, 3}, 8), random({5, 3}, 9)};
        });
    };
    trials.right["written down by hand"] = [] {
        return catch_impostors([] {
            return AttentionInput{tensor::of({{1, 0.5}, {-1, 2}, {0.3, 0.2}}),
                                  tensor::of({{0.4, 1}, {2, -0.5}, {-1, 0.7}}),
                                  tensor::of({{1, 2}, {3, -1}, {0.5, 4}})};
        });
    };
    return trials;
}

}  // namespace exercise
