#include "tutorials/exercises/judges/09_6_grouped_query_attention_walk.h"

#include "tutorials/exercises/judging/inputs.h"

#include "autograd/ops.h"
#include "nn/attention/head_axes.h"

#include <algorithm>
#include <cmath>

using namespace heed;

namespace exercise::grouped_walk {

using Sizes = GroupedSizes;
using Parameters = std::vector<Variable>;

std::int64_t d_head_of(const Sizes& sizes) { return sizes.d_model / sizes.num_heads; }

Parameters random_parameters(const Sizes& sizes, std::uint64_t seed) {
    const std::int64_t d = sizes.d_model, kv = sizes.num_kv_heads * d_head_of(sizes);
    Parameters all;
    for (const std::int64_t out : {d, kv, kv, d}) {
        all.push_back(Variable(random({out, d}, ++seed, 0.6), requires_grad));
        all.push_back(Variable(random({out}, ++seed), requires_grad));
    }
    return all;
}

Parameters of_new_layer(const Sizes& sizes, const Slips& slip) {
    Sizes its = sizes;
    if (slip("gqa.full-kv")) its.num_kv_heads = sizes.num_heads;
    if (slip("gqa.one-head-kv")) its.num_kv_heads = 1;
    return random_parameters(its, 1);
}

namespace {

// Which key and value head query head n uses.
std::int64_t head_for(std::int64_t n, const Sizes& sizes, const Slips& slip) {
    const std::int64_t h_kv = sizes.num_kv_heads, group = sizes.num_heads / h_kv;
    if (slip("mha.shared-kv")) return 0;
    if (slip("gqa.interleaved")) return n % h_kv;
    if (slip("gqa.reversed")) return h_kv - 1 - n / group;
    if (slip("gqa.groups-of-h_kv")) return std::min(n / h_kv, h_kv - 1);
    return n / group;
}

double root_of_scale(const Sizes& sizes, const Slips& slip) {
    const std::int64_t d = d_head_of(sizes);
    if (slip("att.no-scale")) return 1;
    if (slip("att.scale-dk")) return static_cast<double>(d);
    if (slip("att.scale-dmodel")) return std::sqrt(static_cast<double>(sizes.d_model));
    if (slip("gqa.scale-kv")) return std::sqrt(static_cast<double>(d * sizes.num_kv_heads));
    return std::sqrt(static_cast<double>(d));
}

Variable weights_of(const Variable& scores, const Slips& slip) {
    if (slip("sm.no-max")) return exp(scores) / sum(exp(scores), -1, keepdim);
    if (slip("sm.global-max")) {
        const Variable e = exp(scores - max(scores));
        return e / sum(e, -1, keepdim);
    }
    const Variable weights = softmax(scores, slip("sm.cols") ? -2 : -1);
    return slip("train.weights-detached") ? weights.detach() : weights;
}

}  // namespace

Variable attention(const Sizes& sizes, const Parameters& p, const Variable& X, const Slips& slip) {
    const std::int64_t h = sizes.num_heads, h_kv = sizes.num_kv_heads;
    std::vector<std::int64_t> head_of, own;
    for (std::int64_t n = 0; n < h; ++n) {
        head_of.push_back(head_for(n, sizes, slip));
        own.push_back(head_for(n, sizes, {}));
    }
    const IndexTensor repeated(head_of), right(own);
    const Variable Q = split_heads(linear(X, p[weight_Q], p[bias_Q]), h);
    Variable K = split_heads(linear(X, p[weight_K], p[bias_K]), h_kv);
    Variable V = split_heads(linear(X, p[weight_V], p[bias_V]), h_kv);
    if (slip("gqa.keys-detached")) K = K.detach();
    if (slip("gqa.values-detached")) V = V.detach();
    K = index_select(K, 1, slip("gqa.values-of-head-0") ? right : repeated);
    V = index_select(V, 1, slip("gqa.keys-of-head-0") ? right : repeated);
    if (slip("gqa.keys-of-head-0")) K = expand(slice(K, 1, 0, 1), V.shape());
    if (slip("gqa.values-of-head-0")) V = expand(slice(V, 1, 0, 1), K.shape());
    const Variable scores = matmul(Q, transpose(K)) / root_of_scale(sizes, slip);
    const Variable heads = matmul(weights_of(scores, slip), V);
    const Variable concat = slip("mha.merge-no-T") ? reshape(heads, X.shape()) : merge_heads(heads);
    if (slip("mha.no-Wo")) return concat;
    if (slip("mha.no-bO")) return matmul(concat, transpose(p[weight_O]));
    const Variable output = linear(concat, p[weight_O], p[bias_O]);
    return slip("mha.residual-inside") ? output + X : output;
}

std::vector<Mistake> mistakes() {
    const std::vector<std::string> shared = {"Which query heads use key head 0?",
                                             "What for_each_query gives for two different heads."};
    const std::vector<std::string> scaled = {"How many numbers has one key of one head?",
                                             "What you divide the scores by."};
    const std::vector<std::string> size = {"What is saved, and what is not?",
                                           "size_of_keys(12, 6, 3)"};
    const std::vector<std::string> graph = {"Which step is not recorded in the graph?",
                                            "How keys and values are repeated."};
    const std::vector<std::string> softmaxed = {"What do the rows of your weights sum to?",
                                                "The line of the weights."};
    const std::vector<std::string> last = {"What happens to the heads at the end?",
                                           "The last line."};
    return {
        {"gqa.full-kv", "there were as many heads of keys and values as of queries", size},
        {"gqa.one-head-kv", "there was only one head of keys and values", size},
        {"mha.shared-kv", "all query heads used key and value head 0", shared},
        {"gqa.keys-of-head-0", "all query heads used key head 0", shared},
        {"gqa.values-of-head-0", "all query heads used value head 0", shared},
        {"gqa.interleaved",
         "query head n used key and value head n % h_kv, so that the heads were dealt out in turn",
         shared},
        {"gqa.reversed", "the groups used the key and value heads in the opposite order", shared},
        {"gqa.groups-of-h_kv", "groups had h_kv query heads, and not h / h_kv", shared},
        {"att.no-scale", "the scores were not divided by √d_head", scaled},
        {"att.scale-dk", "the scores were divided by d_head, and not by its root", scaled},
        {"att.scale-dmodel", "the scores were divided by √d_model", scaled},
        {"gqa.scale-kv", "the scores were divided by √(h_kv·d_head)", scaled},
        {"sm.cols", "the softmax ran over the queries", softmaxed},
        {"sm.no-max",
         "exp was taken of the scores without subtracting the largest first",
         "What is exp(1000)?", "The case of large numbers: which step is the first with inf?"},
        {"sm.global-max",
         "the largest score of all was subtracted, and not that of the row",
         "What if one row lies 2000 below another?", "The axis of your max."},
        {"mha.merge-no-T", "the heads were merged without moving the head axis back", last},
        {"mha.no-Wo", "the heads were put side by side without W_O", last},
        {"mha.no-bO", "the bias of W_O was not added", last},
        {"mha.residual-inside", "X was added to the output", last},
        {"gqa.keys-detached", "the keys were constants, made through .value() or .detach()", graph},
        {"gqa.values-detached", "the values were constants, made through .value() or .detach()",
         graph},
        {"train.weights-detached",
         "the weights were constants where they meet the values, so that only the values learn",
         graph},
    };
}

}  // namespace exercise::grouped_walk
