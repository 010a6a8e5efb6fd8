// Answers to 09.6.
#include "tests/tutorials/exercises/answers/answers.h"
#include "tutorials/exercises/judges/lesson_09.h"

#include "nn/heed.h"

#include <algorithm>
#include <cmath>

using namespace heed;
using namespace exercise;

namespace {
double root(std::int64_t n) { return std::sqrt(static_cast<double>(n)); }

// The members of the file's layer.
struct Layer : Module {
    Layer(std::int64_t d_model, std::int64_t num_heads, std::int64_t num_kv_heads, Random& random)
        : Layer(d_model, num_heads, num_kv_heads, random, d_model / num_heads * num_kv_heads) {}

    Layer(std::int64_t d_model, std::int64_t num_heads, std::int64_t num_kv_heads, Random& random,
          std::int64_t size_of_keys)
        : h(num_heads), h_kv(num_kv_heads), W_Q(d_model, d_model, random),
          W_K(d_model, size_of_keys, random), W_V(d_model, size_of_keys, random),
          W_O(d_model, d_model, random) {}

    void members(MemberVisitor& visit) override {
        visit("W_Q", W_Q);
        visit("W_K", W_K);
        visit("W_V", W_V);
        visit("W_O", W_O);
    }

    std::int64_t h, h_kv;
    Linear W_Q, W_K, W_V, W_O;
};

// ----- the head of keys and values for a query head

using Chosen = std::int64_t (*)(std::int64_t n, std::int64_t h, std::int64_t h_kv);

std::int64_t right(std::int64_t n, std::int64_t h, std::int64_t h_kv) { return n / (h / h_kv); }
std::int64_t in_turns(std::int64_t n, std::int64_t, std::int64_t h_kv) { return n % h_kv; }
std::int64_t always_0(std::int64_t, std::int64_t, std::int64_t) { return 0; }
std::int64_t in_pairs(std::int64_t n, std::int64_t, std::int64_t h_kv) {
    return std::min(n / 2, h_kv - 1);
}
std::int64_t groups_of_h_kv(std::int64_t n, std::int64_t, std::int64_t h_kv) {
    return std::min(n / h_kv, h_kv - 1);
}
std::int64_t from_the_last(std::int64_t n, std::int64_t h, std::int64_t h_kv) {
    return h_kv - 1 - right(n, h, h_kv);
}
std::int64_t rounded(std::int64_t n, std::int64_t h, std::int64_t h_kv) {
    return std::min((2 * n * h_kv + h) / (2 * h), h_kv - 1);
}

// [B, h_kv, T, d] -> [B, h, T, d]
Variable repeated(const Variable& x, std::int64_t h, Chosen chosen) {
    std::vector<std::int64_t> heads;
    for (std::int64_t n = 0; n < h; ++n) heads.push_back(chosen(n, h, x.dim(1)));
    return index_select(x, 1, IndexTensor(heads));
}

// ----- layers that are right but for one part

struct Heads {
    Variable Q, K, V;  // [B, h, T, d_head]
};

Heads heads_of(const Layer& layer, const Variable& X, Chosen of_keys = right,
               Chosen of_values = right) {
    return {split_heads(layer.W_Q(X), layer.h),
            repeated(split_heads(layer.W_K(X), layer.h_kv), layer.h, of_keys),
            repeated(split_heads(layer.W_V(X), layer.h_kv), layer.h, of_values)};
}

Variable scores_of(const Heads& all) {
    return matmul(all.Q, transpose(all.K)) / root(all.Q.dim(-1));
}

Variable attended(const Heads& all) {
    return merge_heads(matmul(softmax(scores_of(all), -1), all.V));
}

template <Chosen of_keys, Chosen of_values = of_keys>
struct ByHeads : Layer {
    using Layer::Layer;
    Variable operator()(const Variable& X) const {
        return W_O(attended(heads_of(*this, X, of_keys, of_values)));
    }
};

template <void (*change)(Heads&, const Layer&)>
struct Changed : Layer {
    using Layer::Layer;
    Variable operator()(const Variable& X) const {
        Heads all = heads_of(*this, X);
        change(all, *this);
        return W_O(attended(all));
    }
};

template <Variable (*weights)(const Variable& scores)>
struct ByWeights : Layer {
    using Layer::Layer;
    Variable operator()(const Variable& X) const {
        const Heads all = heads_of(*this, X);
        return W_O(merge_heads(matmul(weights(scores_of(all)), all.V)));
    }
};

template <Variable (*output)(const Layer&, const Variable& X)>
struct ByOutput : Layer {
    using Layer::Layer;
    Variable operator()(const Variable& X) const { return output(*this, X); }
};

// ----- changes of queries, keys and values

// As if the scores were divided by the root of `n`.
void scale_by(Heads& all, std::int64_t n) { all.Q = all.Q * (root(all.Q.dim(-1)) / root(n)); }

void root_of_d_model(Heads& all, const Layer& layer) { scale_by(all, layer.h * all.Q.dim(-1)); }
void root_of_keys(Heads& all, const Layer& layer) { scale_by(all, layer.h_kv * all.Q.dim(-1)); }
void root_of_the_group(Heads& all, const Layer& layer) {
    scale_by(all, layer.h / layer.h_kv * all.Q.dim(-1));
}
void keys_off_the_graph(Heads& all, const Layer&) { all.K = all.K.detach(); }
void values_off_the_graph(Heads& all, const Layer&) { all.V = all.V.detach(); }
void keys_of_first_text(Heads& all, const Layer&) { all.K = slice(all.K, 0, 0, 1); }

// The first of each group gets the gradient, the others copies of the numbers.
void one_of_a_group_learns(Heads& all, const Layer& layer) {
    std::vector<Variable> heads = unbind(all.V, 1);
    const std::size_t group = static_cast<std::size_t>(layer.h / layer.h_kv);
    for (std::size_t n = 0; n < heads.size(); ++n) {
        if (n % group > 0) heads[n] = heads[n].detach();
    }
    all.V = stack(heads, 1);
}

void mean_query_of_the_group(Heads& all, const Layer& layer) {
    const std::int64_t group = layer.h / layer.h_kv;
    const Variable& Q = all.Q;
    const Variable grouped = reshape(Q, {Q.dim(0), layer.h_kv, group, Q.dim(2), Q.dim(3)});
    all.Q = repeated(mean(grouped, 2), layer.h, right);
}

void multi_query_has_no_values(Heads& all, const Layer& layer) {
    if (layer.h_kv == 1) all.V = all.K;
}

// As if they were those of the words so far.
void keys_of_an_earlier_call(Heads& all, const Layer&) {
    static Tensor kept = all.K.value();
    if (kept.shape() == all.K.shape()) all.K = all.K + (kept - all.K.value());
}

// ----- weights

Variable causal(const Variable& scores) {
    const Mask mask = Mask::causal(scores.dim(-1));
    return softmax(masked_fill(scores, mask.blocked(), -infinity), -1);
}

Variable over_queries(const Variable& scores) { return softmax(scores, -2); }

Variable without_maximum(const Variable& scores) {
    const Variable powers = exp(scores);
    return powers / sum(powers, -1, keepdim);
}

Variable maximum_from_0(const Variable& scores) {
    const Variable powers = exp(scores - maximum(max(scores, -1, keepdim), 0.0).detach());
    return powers / sum(powers, -1, keepdim);
}

Variable weights_off_the_graph(const Variable& scores) { return softmax(scores.detach(), -1); }

// ----- outputs

Variable no_bias(const Layer& layer, const Variable& X) {
    return matmul(attended(heads_of(layer, X)), transpose(layer.W_O.weight));
}

Variable not_mixed(const Layer& layer, const Variable& X) { return attended(heads_of(layer, X)); }

Variable merged_by_view_alone(const Layer& layer, const Variable& X) {
    const Heads all = heads_of(layer, X);
    return layer.W_O(reshape(matmul(softmax(scores_of(all), -1), all.V), X.shape()));
}

Variable added_to_X(const Layer& layer, const Variable& X) {
    return X + layer.W_O(attended(heads_of(layer, X)));
}

Variable X_off_the_graph(const Layer& layer, const Variable& X) {
    return layer.W_O(attended(heads_of(layer, X.detach())));
}

Variable queries_unbiased_for_the_graph(const Layer& layer, const Variable& X) {
    Heads all = heads_of(layer, X);
    const Variable q = linear(X, layer.W_Q.weight, layer.W_Q.bias.detach());
    all.Q = split_heads(q, layer.h);
    return layer.W_O(attended(all));
}

Variable W_K_changed(const Layer& layer, const Variable& X) {
    const Variable output = layer.W_O(attended(heads_of(layer, X)));
    Tensor W = layer.W_K.weight.value();
    W.writable_data()[0] += 1;
    return output;
}

void unscaled_multi_query(Heads& all, const Layer& layer) {
    if (layer.h_kv == 1) all.Q = all.Q * root(all.Q.dim(-1));
}

Variable sum_off_the_graph(const Variable& scores) {
    const Variable exponentials = exp(scores - max(scores, -1, keepdim).detach());
    return exponentials / sum(exponentials, -1, keepdim).detach();
}

// Everything lies far below the largest of all but a few rows.
Variable maximum_of_all(const Variable& scores) {
    const Variable exponentials = exp(scores - tensor::max(scores.value()));
    return exponentials / sum(exponentials, -1, keepdim);
}

Variable over_queries_if_h_is_T(const Variable& scores) {
    return softmax(scores, scores.dim(1) == scores.dim(2) ? -2 : -1);
}

Variable fifty_words(const Variable& scores) {
    if (scores.dim(-1) <= 50) return softmax(scores, -1);
    const Variable seen = softmax(slice(scores, -1, 0, 50), -1);
    return concatenate({seen, slice(scores, -1, 50) * 0}, -1);
}

// ----- sizes

// Right where h = h_kv², and refused elsewhere.
struct KeysOfAGroup : ByHeads<right> {
    KeysOfAGroup(std::int64_t d_model, std::int64_t num_heads, std::int64_t num_kv_heads,
                 Random& random)
        : ByHeads(d_model, num_heads, num_kv_heads, random, d_model / num_kv_heads) {}
};

// All heads have keys of their own, and the first of each group are used.
struct KeysOfAllHeads : Layer {
    KeysOfAllHeads(std::int64_t d_model, std::int64_t num_heads, std::int64_t num_kv_heads,
                   Random& random)
        : Layer(d_model, num_heads, num_kv_heads, random, d_model) {}
    Variable operator()(const Variable& X) const {
        const std::int64_t group = h / h_kv;
        const Variable K = slice(split_heads(W_K(X), h), 1, 0, h, group);
        const Variable V = slice(split_heads(W_V(X), h), 1, 0, h, group);
        const Variable Q = split_heads(W_Q(X), h);
        return W_O(attended({Q, repeated(K, h, right), repeated(V, h, right)}));
    }
};

struct WithoutBiasOfW_O : ByHeads<right> {
    WithoutBiasOfW_O(std::int64_t d_model, std::int64_t num_heads, std::int64_t num_kv_heads,
                     Random& random)
        : ByHeads(d_model, num_heads, num_kv_heads, random) {
        W_O = Linear(d_model, d_model, random, Bias::no);
    }
};

// A number for each head, which is not asked for.
struct WithAGate : ByHeads<right> {
    WithAGate(std::int64_t d_model, std::int64_t num_heads, std::int64_t num_kv_heads,
              Random& random)
        : ByHeads(d_model, num_heads, num_kv_heads, random), gate(tensor::ones({num_heads})) {}
    void members(MemberVisitor& visit) override {
        ByHeads::members(visit);
        visit("gate", gate);
    }

    Parameter gate;
};

// ----- right

// The weight of a single word is 1.
Variable values_alone_for_one_word(const Layer& layer, const Variable& X) {
    const Heads all = heads_of(layer, X);
    return layer.W_O(X.dim(1) == 1 ? merge_heads(all.V) : attended(all));
}

// The queries of a group, under one another, are the queries of one head.
Variable groups_as_more_queries(const Layer& layer, const Variable& X) {
    const Variable Q = split_heads(layer.W_Q(X), layer.h);  // [B, h, T, d]
    const std::int64_t B = Q.dim(0), T = Q.dim(2), d = Q.dim(3), group = layer.h / layer.h_kv;
    const Heads all{reshape(Q, {B, layer.h_kv, group * T, d}),
                    split_heads(layer.W_K(X), layer.h_kv), split_heads(layer.W_V(X), layer.h_kv)};
    const Variable heads = matmul(softmax(scores_of(all), -1), all.V);
    return layer.W_O(merge_heads(reshape(heads, {B, layer.h, T, d})));
}

Variable head_by_head(const Layer& layer, const Variable& X) {
    const std::vector<Variable> Q = unbind(split_heads(layer.W_Q(X), layer.h), 1);
    const std::vector<Variable> K = unbind(split_heads(layer.W_K(X), layer.h_kv), 1);
    const std::vector<Variable> V = unbind(split_heads(layer.W_V(X), layer.h_kv), 1);
    const std::size_t group = Q.size() / K.size();
    std::vector<Variable> heads;
    for (std::size_t n = 0; n < Q.size(); ++n) {
        const Variable scores = scores_of({Q[n], K[n / group], V[n / group]});
        heads.push_back(matmul(exp(log_softmax(scores, -1)), V[n / group]));
    }
    return layer.W_O(concatenate(heads, -1));
}

void by_nn(Heads& all, const Layer& layer) {
    const Variable first = slice(all.K, 1, 0, layer.h, layer.h / layer.h_kv);
    all.K = repeat_heads(first, layer.h / layer.h_kv);
}

// ----- the lists

template <class L>
Answer answer(const std::string& what, const std::vector<std::string>& names = {}) {
    return {what, [] { return judge_09_6(grouped_query_layer<L>()); }, names};
}

std::vector<Answer> wrong_groups() {
    return {
        answer<ByHeads<in_turns>>("query head n uses head n mod h_kv", {"gqa.interleaved"}),
        answer<ByHeads<right, in_turns>>("only the values' heads in turns"),
        answer<ByHeads<always_0>>("all use head 0", {"mha.shared-kv"}),
        answer<ByHeads<in_pairs>>("groups are always of two"),
        answer<ByHeads<groups_of_h_kv>>("groups of h_kv", {"gqa.groups-of-h_kv"}),
        answer<ByHeads<from_the_last>>("the last head for the first group", {"gqa.reversed"}),
        answer<ByHeads<rounded>>("n·h_kv / h is rounded to the nearest"),
        answer<KeysOfAGroup>("keys have d_model / h_kv features"),
        answer<KeysOfAllHeads>("keys and values for all heads, most of them unused",
                               {"gqa.full-kv"}),
        answer<Changed<mean_query_of_the_group>>("a group has one query, the mean"),
        answer<Changed<one_of_a_group_learns>>("values learn from the first head of each group"),
        answer<Changed<multi_query_has_no_values>>("one head of keys is the values too"),
    };
}

std::vector<Answer> wrong_attention() {
    return {
        answer<Changed<root_of_d_model>>("the root of d_model", {"att.scale-dmodel"}),
        answer<Changed<root_of_keys>>("the root of h_kv·d_head", {"gqa.scale-kv"}),
        answer<Changed<root_of_the_group>>("the root of d_model / h_kv"),
        answer<Changed<keys_off_the_graph>>("keys are cut off the graph", {"gqa.keys-detached"}),
        answer<Changed<values_off_the_graph>>("values are cut off the graph",
                                              {"gqa.values-detached"}),
        answer<Changed<keys_of_first_text>>("every text has the keys of the first"),
        answer<Changed<keys_of_an_earlier_call>>("the first keys of a shape are kept"),
        answer<ByWeights<causal>>("causal"),
        answer<ByWeights<over_queries>>("softmax over the queries", {"sm.cols"}),
        answer<ByWeights<without_maximum>>("softmax without a maximum", {"sm.no-max"}),
        answer<ByWeights<maximum_from_0>>("the maximum begins at 0"),
        answer<ByWeights<weights_off_the_graph>>("weights are cut off the graph",
                                                 {"train.weights-detached"}),
        answer<ByOutput<no_bias>>("W_O without its bias", {"mha.no-bO"}),
        answer<ByOutput<not_mixed>>("W_O is forgotten", {"mha.no-Wo"}),
        answer<ByOutput<merged_by_view_alone>>("the heads are merged by a view alone",
                                               {"mha.merge-no-T"}),
        answer<ByOutput<X_off_the_graph>>("X is cut off the graph"),
        answer<ByOutput<queries_unbiased_for_the_graph>>("the bias of W_Q learns nothing"),
        answer<ByOutput<W_K_changed>>("W_K is changed"),
        answer<Changed<unscaled_multi_query>>("one head of keys: no scale"),
        answer<ByWeights<sum_off_the_graph>>("the sum is cut off the graph"),
        answer<ByWeights<fifty_words>>("only 50 words are seen"),
        answer<ByWeights<maximum_of_all>>("one maximum for all rows", {"sm.global-max"}),
        answer<ByWeights<over_queries_if_h_is_T>>("softmax over the queries if h = T"),
        answer<WithoutBiasOfW_O>("W_O has no bias"),
        answer<WithAGate>("a parameter more than asked for"),
        answer<ByOutput<added_to_X>>("X is added", {"mha.residual-inside"}),
    };
}

// [B, h_kv, h / h_kv, T, T]: nothing is repeated.
Variable group_as_an_axis(const Layer& layer, const Variable& X) {
    const std::int64_t B = X.dim(0), T = X.dim(1), d = X.dim(2) / layer.h;
    const Variable q = view(layer.W_Q(X), {B, T, layer.h_kv, layer.h / layer.h_kv, d});
    const Variable Q = permute(q, {0, 2, 3, 1, 4}) / root(d);
    const Variable K = split_heads(layer.W_K(X), layer.h_kv);
    const Variable V = split_heads(layer.W_V(X), layer.h_kv);
    const Variable weights = softmax(matmul(Q, transpose(unsqueeze(K, 2))), -1);
    const Variable heads = matmul(weights, unsqueeze(V, 2));
    return layer.W_O(reshape(permute(heads, {0, 3, 1, 2, 4}), {B, T, X.dim(2)}));
}

}  // namespace

Answers answers_09_6() {
    Answers answers;
    answers.number = "09.6";
    answers.slipping = slipping(judge_09_6);
    for (const std::vector<Answer>& some : {wrong_groups(), wrong_attention()}) {
        answers.wrong.insert(answers.wrong.end(), some.begin(), some.end());
    }
    answers.right = {
        answer<ByOutput<groups_as_more_queries>>("a group's queries under one another"),
        answer<ByOutput<head_by_head>>("head by head"),
        answer<Changed<by_nn>>("by nn's repeat_heads"),
        answer<ByOutput<values_alone_for_one_word>>("a single word gets its own value"),
        answer<ByOutput<group_as_an_axis>>(
            "with the group as an axis of its own, nothing repeated"),
    };
    return answers;
}
