// Attention whose weights are not requested: when it runs in tiles, that this changes no bit up to
// 384 keys and little beyond, and the laws of attention at sizes that use tiles.
#include "nn/heed.h"
#include "tensor/kernels/kernels.h"
#include "tests/catch.h"
#include "tests/message_of.h"
#include "tests/nn/attention/attention_laws.h"

using namespace heed;

namespace {
using Masked = std::optional<Mask>;

Variable drawn(const Shape& shape, std::uint64_t seed) {
    Random random(seed);
    return Variable(tensor::normal(shape, random), requires_grad);
}

bool is_zero(const Tensor& x) { return (x == tensor::zeros({1})).all(); }

bool is_fused(const Variable& output) {
    const std::string graph = graph_text(output, {.open_scopes = 9});
    return graph.find("fused_attention [") != std::string::npos;
}

bool same(const std::vector<Variable>& a, const std::vector<Variable>& b) {
    bool equal = a.size() == b.size();
    for (std::size_t i = 0; i < a.size() && equal; ++i) {
        equal = tensor::same_bits(a[i].value(), b[i].value());
    }
    return equal;
}

double apart(const std::vector<Variable>& a, const std::vector<Variable>& b) {
    double most = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        const double difference = tensor::max_difference(a[i].value(), b[i].value());
        most = difference > most ? difference : most;
    }
    return most;
}

// The output, and the gradients of the inputs for an upstream gradient G.
std::vector<Variable> with_gradients(const Variable& output, const std::vector<Variable>& inputs,
                                     std::uint64_t seed) {
    const Variable G = drawn(output.shape(), seed).detach();
    std::vector<Variable> all = grad(output, inputs, {.upstream = G});
    all.push_back(output);
    return all;
}

// One layer with and without its weights: output, and gradients of X and all parameters.
struct Both {
    std::vector<Variable> written_out, fused;
};

Both both(AttentionLayer& layer, const Variable& X, const Masked& mask) {
    std::vector<Variable> inputs = {X};
    for (const NamedParameter& each : parameters(layer)) inputs.push_back(each.parameter);
    const Variable slow = layer.with_weights(X, mask).output;
    const Variable fast = layer(X, mask);
    CHECK_FALSE(is_fused(slow));
    CHECK(is_fused(fast));
    return {with_gradients(slow, inputs, 1), with_gradients(fast, inputs, 1)};
}

}  // namespace

TEST_CASE("a layer that is not asked for weights gives the same bits up to 384 keys",
          "[nn][attention][fused]") {
    Random random(2);
    MultiHeadAttention one(12, 3, random, {.d_v = 5});
    AttentionHead head(12, 4, random, {.d_v = 7});
    for (AttentionLayer* layer :
         {static_cast<AttentionLayer*>(&one), static_cast<AttentionLayer*>(&head)}) {
        INFO(type_name(*layer));
        for (const std::int64_t T : {33, 50, 384}) {
            const Variable X = drawn({2, T, 12}, 3);
            for (const Masked& mask : {Masked(), Masked(Mask::causal(T)),
                                       Masked(Mask::causal(T) & Mask::padding({T, T - 20}, T))}) {
                const Both results = both(*layer, X, mask);
                CHECK(same(results.fused, results.written_out));
            }
        }
    }
}

TEST_CASE("above 384 keys not asking for weights changes last bits only",
          "[nn][attention][fused]") {
    Random random(4);
    MultiHeadAttention layer(8, 2, random);
    const Variable X = drawn({2, 400, 8}, 5);
    const Both results = both(layer, X, Mask::causal(400));
    CHECK_FALSE(same(results.fused, results.written_out));
    CHECK(apart({results.fused.back()}, {results.written_out.back()}) < 1e-6);
    CHECK(apart(results.fused, results.written_out) < 2e-4);  // gradients add up 800 rows
}

TEST_CASE("attention runs in tiles if the weights are not needed, and only then",
          "[nn][attention][fused]") {
    Random random(6);
    const Variable Q = drawn({2, 40, 4}, 7), K = drawn({2, 50, 4}, 8), V = drawn({2, 50, 3}, 9);
    CHECK_FALSE(is_fused(scaled_dot_product_attention(Q, K, V).output));
    const Attention fused = scaled_dot_product_attention(Q, K, V, std::nullopt, no_weights);
    CHECK(is_fused(fused.output));
    CHECK(fused.weights.numel() == 0);
    const auto attended = [&](const AttendOptions& options) {
        const Attention attention = attend(ScaledDotScore(), Q, K, V, options);
        CHECK((attention.weights.numel() == 0) == (options.need_weights == NeedWeights::no));
        return is_fused(attention.output);
    };
    CHECK(attended({.need_weights = no_weights}));
    CHECK(attended({.mask = Mask::causal(40, 50), .need_weights = no_weights}));
    CHECK_FALSE(attended({}));
    CHECK_FALSE(attended({.temperature = 0.5, .need_weights = no_weights}));
    Dropout dropout(0.5, random), none(0, random);
    CHECK_FALSE(attended({.dropout = &dropout, .need_weights = no_weights}));
    CHECK(attended({.dropout = &none, .need_weights = no_weights}));
    dropout.eval();
    CHECK(attended({.dropout = &dropout, .need_weights = no_weights}));
    CHECK_FALSE(is_fused(attend(DotScore(), Q, K, V, {.need_weights = no_weights}).output));

    // A recording sees scores and weights, and up to 384 keys the output has the same bits.
    {
        const RecordAttention recording;
        const Attention seen = scaled_dot_product_attention(Q, K, V, std::nullopt, no_weights);
        CHECK_FALSE(is_fused(seen.output));
        CHECK(recording.records().back().weights.shape() == Shape{2, 40, 50});
        CHECK(same({seen.output}, {fused.output}));
    }
    CHECK(is_fused(scaled_dot_product_attention(Q, K, V, std::nullopt, no_weights).output));

    // 32·32 scores are too few; one key or value for a whole batch is summed in another order.
    const Variable few = drawn({32, 4}, 10), more = drawn({33, 4}, 11);
    CHECK_FALSE(is_fused(scaled_dot_product_attention(few, few, few, {}, no_weights).output));
    CHECK(is_fused(scaled_dot_product_attention(few, more, more, {}, no_weights).output));
    const Variable one_K = select(K, 0, 0), one_V = select(V, 0, 0);
    CHECK_FALSE(is_fused(scaled_dot_product_attention(Q, one_K, V, {}, no_weights).output));
    CHECK_FALSE(is_fused(scaled_dot_product_attention(Q, K, one_V, {}, no_weights).output));
}

TEST_CASE("broadcast heads give the same bits in tiles", "[nn][attention][fused]") {
    const Variable Q = drawn({2, 3, 40, 4}, 12), K = drawn({2, 1, 50, 4}, 13);
    const Variable V = drawn({1, 3, 50, 5}, 14);
    const Mask mask = Mask::allowing(drawn({1, 3, 1, 50}, 15).value() > -1);
    const Variable slow = scaled_dot_product_attention(Q, K, V, mask).output;
    const Variable fast = scaled_dot_product_attention(Q, K, V, mask, no_weights).output;
    CHECK(is_fused(fast));
    CHECK(same(with_gradients(fast, {Q, K, V}, 16), with_gradients(slow, {Q, K, V}, 16)));
    // Values have a batch that queries and keys do not have.
    const Variable batch_V = drawn({2, 3, 50, 5}, 17);
    const Variable one_Q = slice(Q, 0, 0, 1), one_K = slice(K, 0, 0, 1);
    CHECK_FALSE(
        is_fused(scaled_dot_product_attention(one_Q, one_K, batch_V, {}, no_weights).output));
}

TEST_CASE("attention in tiles obeys every law", "[nn][attention][laws][fused]") {
    const auto attend_in_tiles = [](const Variable& Q, const Variable& K, const Variable& V,
                                    const Masked& mask) {
        // With the identity for values, the output is the weights.
        const Variable one_for_all(tensor::eye(K.dim(-2)));
        return Attention{fused_attention(Q, K, V, mask), fused_attention(Q, K, one_for_all, mask)};
    };
    CHECK(laws::broken_by(laws::Attend(attend_in_tiles)) == std::vector<std::string>{});
}

TEST_CASE("laws of a layer that runs in several tiles", "[nn][attention][fused]") {
    Random random(18);
    const MultiHeadAttention layer(6, 2, random);
    const std::int64_t T = 560, past = 270;
    const Mask mask = Mask::causal(T) & Mask::padding({T, 530}, T);
    const Variable X = drawn({2, T, 6}, 19);
    const auto of_past = [&](const Variable& x) { return tensor::slice(x.value(), 1, 0, past); };
    const Variable all = layer(X, mask);
    REQUIRE(is_fused(all));

    // The future changes no bit of the past, and gets no gradient from it.
    Tensor changed = tensor::clone(X.value());
    Tensor future = tensor::slice(changed, 1, past);
    tensor::overwrite(future, drawn(future.shape(), 20).value());
    const Variable other = layer(Variable(changed), mask);
    CHECK(tensor::same_bits(of_past(other), of_past(all)));
    CHECK(tensor::max_difference(other.value(), all.value()) > 1e-3);
    const Variable early = slice(all, 1, 0, past);
    const Variable dX = grad(early, X, {.upstream = drawn(early.shape(), 21).detach()});
    CHECK(is_zero(tensor::slice(dX.value(), 1, past)));
    CHECK_FALSE((tensor::slice(dX.value(), 1, 0, past) == 0).any());

    // Elements of a batch are independent, and a padded sequence gives the same as alone.
    const Variable alone = layer(slice(X, 0, 1, 2), Mask::causal(T) & Mask::padding({530}, T));
    CHECK(tensor::same_bits(tensor::slice(all.value(), 0, 1, 2), alone.value()));
    const Variable cut = layer(slice(slice(X, 0, 1, 2), 1, 0, 530), Mask::causal(530));
    CHECK(tensor::same_bits(tensor::slice(alone.value(), 1, 0, 530), cut.value()));

    // Queries in another order give outputs in another order.
    const IndexTensor reversed([&] {
        std::vector<std::int64_t> order;
        for (std::int64_t t = T - 1; t >= 0; --t) order.push_back(t);
        return order;
    }());
    const Variable turned = layer(index_select(X, 1, reversed), X);
    CHECK(
        tensor::same_bits(turned.value(), tensor::index_select(layer(X, X).value(), 1, reversed)));
}

TEST_CASE("attention in tiles needs memory for rows, not for scores", "[nn][attention][fused]") {
    const std::int64_t T = 2048;
    const Variable Q = drawn({T, 2}, 29), K = drawn({T, 2}, 30), V = drawn({T, 2}, 31);
    const Tensor G = drawn({T, 2}, 32).value();
    const Mask mask = Mask::causal(T);
    const auto needed = [&](NeedWeights need_weights) {
        reset_memory_peak();
        const std::int64_t before = memory_use().in_use;
        scaled_dot_product_attention(Q, K, V, mask, need_weights).output.backward({.upstream = G});
        return memory_use().peak - before;
    };
    const auto needed_forward = [&] {
        reset_memory_peak();
        const std::int64_t before = memory_use().in_use;
        scaled_dot_product_attention(Q, K, V, mask, no_weights);
        return memory_use().peak - before;
    };
    const std::int64_t written_out = needed(NeedWeights::yes), forward = needed_forward();
    if (memory_use().in_use == 0) return;  // a sanitizer's memory is not counted
    const std::int64_t scores = T * T * static_cast<std::int64_t>(sizeof(Scalar));
    CHECK(written_out > 3 * scores);
    CHECK(forward < scores / 8);
    // The plain kernels compute the derivative from its formula, with all weights.
    if (kernels::are_fast()) CHECK(needed(no_weights) < scores / 8);
}

TEST_CASE("without weights, errors and messages are the same", "[nn][attention][fused]") {
    const Variable Q = drawn({40, 3}, 22), K = drawn({50, 3}, 23), V = drawn({50, 2}, 24);
    const auto refused = [](const Variable& q, const Variable& k, const Variable& v,
                            const Masked& mask, NeedWeights need_weights) {
        return message_of<ShapeError>(
            [&] { scaled_dot_product_attention(q, k, v, mask, need_weights); });
    };
    const auto attended = [](const Variable& q, const Variable& k, const Variable& v,
                             const Masked& mask, NeedWeights need_weights) {
        return message_of<ShapeError>([&] {
            attend(ScaledDotScore(), q, k, v, {.mask = mask, .need_weights = need_weights});
        });
    };
    const Variable none_Q = drawn({40, 0}, 25), none_K = drawn({50, 0}, 26);
    const Variable batch = drawn({3, 50, 3}, 27), other = drawn({2, 40, 3}, 28);
    for (const NeedWeights need_weights : {NeedWeights::yes, no_weights}) {
        CHECK(refused(Q, K, V, Mask::causal(50), need_weights) ==
              "apply_mask: the mask has shape [50, 50], but the scores [..., T_q, T_k] have [40, "
              "50]; the mask must broadcast to the scores");
        CHECK(attended(Q, K, V, Mask::causal(50), need_weights) ==
              refused(Q, K, V, Mask::causal(50), NeedWeights::yes));
        CHECK_THAT(refused(Q, V, V, {}, need_weights), Contains("must both be d_k"));
        CHECK_THAT(attended(Q, V, V, {}, need_weights), Contains("ScaledDotScore: Q has shape"));
        CHECK_THAT(refused(none_Q, none_K, V, {}, need_weights), Contains("at least 1"));
        CHECK_THAT(attended(none_Q, none_K, V, {}, need_weights), Contains("at least 1"));
        CHECK_THAT(refused(Q, K, Q, {}, need_weights), Contains("must both be T_k"));
        CHECK_THAT(refused(other, batch, batch, {}, need_weights),
                   Contains("scaled_dot_product_attention: "));
    }
}
