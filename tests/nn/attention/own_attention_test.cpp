// OwnAttention: which calls use a user-supplied function, which do not, and what it may return.
#include "nn/heed.h"
#include "tests/catch.h"
#include "tests/message_of.h"

#include <memory>
#include <thread>

using namespace heed;

namespace {
Variable drawn(const Shape& shape, std::uint64_t seed) {
    Random random(seed);
    return Variable(tensor::normal(shape, random), requires_grad);
}

// Attention with the scale folded into Q. Counts its calls and keeps the mask of the last one.
struct Folded {
    int calls = 0;
    std::optional<Mask> mask;

    Attention operator()(const Variable& Q, const Variable& K, const Variable& V,
                         const std::optional<Mask>& given) {
        ++calls;
        mask = given;
        const double root = __builtin_sqrt(static_cast<double>(Q.dim(-1)));
        const Variable scores = apply_mask(matmul(Q / root, transpose(K)), given);
        const Variable weights = softmax(scores, -1);
        return {matmul(weights, V), weights};
    }
};

Attention doubled(const Variable& Q, const Variable& K, const Variable& V,
                  const std::optional<Mask>& mask) {
    const Attention right = scaled_dot_product_attention(Q, K, V, mask);
    return {right.output * 2, right.weights};
}

bool close(const Variable& a, const Variable& b) {
    return tensor::all_close(a.value(), b.value(), 1e-4, 1e-5);
}

}  // namespace

TEST_CASE("OwnAttention replaces nn's attention, only during its lifetime", "[nn][own][threads]") {
    const Variable Q = drawn({2, 3, 4}, 1), K = drawn({2, 5, 4}, 2), V = drawn({2, 5, 6}, 3);
    const Mask mask = Mask::causal(3, 5);
    const Attention before = scaled_dot_product_attention(Q, K, V, mask);
    const Attention unscaled = dot_product_attention(Q, K, V, mask);
    CHECK(OwnAttention::in_use() == nullptr);
    {
        const OwnAttention own(doubled);
        CHECK(OwnAttention::in_use() == &own);
        CHECK(close(scaled_dot_product_attention(Q, K, V, mask).output, before.output * 2));
        CHECK(close(attend(ScaledDotScore(), Q, K, V, {.mask = mask}).output, before.output * 2));
        CHECK(close(dot_product_attention(Q, K, V, mask).output, unscaled.output * 2));
        CHECK(close(dot_product_attention(Q, K, V, mask).weights, unscaled.weights));
        std::thread([&] { CHECK(OwnAttention::in_use() == nullptr); }).join();
    }
    CHECK(OwnAttention::in_use() == nullptr);
    const Attention after = scaled_dot_product_attention(Q, K, V, mask);
    CHECK(tensor::same_bits(after.output.value(), before.output.value()));
}

TEST_CASE("OwnAttention gets the call's mask, and its gradients are the call's", "[nn][own]") {
    const Variable Q = drawn({3, 4}, 1), K = drawn({3, 4}, 2), V = drawn({3, 2}, 3);
    const Variable G = drawn({3, 2}, 4);
    const Mask mask = Mask::causal(3);
    const std::vector<Variable> expected =
        grad(scaled_dot_product_attention(Q, K, V, mask).output, {Q, K, V}, {.upstream = G});
    Folded folded;
    const OwnAttention own(std::ref(folded));
    const Attention found = scaled_dot_product_attention(Q, K, V, mask, no_weights);
    CHECK(folded.calls == 1);
    CHECK(folded.mask == mask);
    CHECK(found.weights.numel() == Variable().numel());
    const std::vector<Variable> gradients = grad(found.output, {Q, K, V}, {.upstream = G});
    for (std::size_t i = 0; i < 3; ++i) CHECK(close(gradients[i], expected[i]));
    scaled_dot_product_attention(Q, K, V);
    CHECK_FALSE(folded.mask.has_value());
}

TEST_CASE("layers use OwnAttention; other scores, temperatures and dropout do not", "[nn][own]") {
    Random random(5);
    const Variable X = drawn({2, 5, 6}, 6);
    const AttentionHead head(6, 4, random);
    const MultiHeadAttention several(6, 3, random);
    const Variable of_head = head(X), of_several = several(X, Mask::causal(5));
    Folded folded;
    const OwnAttention own(std::ref(folded));
    CHECK(close(head(X), of_head));
    CHECK(folded.calls == 1);
    CHECK(close(several(X, Mask::causal(5)), of_several));
    CHECK(folded.calls == 2);

    const Variable Q = drawn({3, 4}, 1), K = drawn({3, 4}, 2), V = drawn({3, 2}, 3);
    attend(DotScore(), Q, K, V);
    attend(ScaledDotScore(), Q, K, V, {.temperature = 2});
    Dropout dropout(0.5, random);
    attend(ScaledDotScore(), Q, K, V, {.dropout = &dropout});
    CHECK(folded.calls == 2);
    dropout.eval();
    attend(ScaledDotScore(), Q, K, V, {.dropout = &dropout});
    CHECK(folded.calls == 3);
}

TEST_CASE("of several OwnAttentions the innermost is used", "[nn][own]") {
    const Variable Q = drawn({3, 4}, 1), K = drawn({3, 4}, 2), V = drawn({3, 2}, 3);
    Folded outer;
    const OwnAttention first(std::ref(outer));
    {
        Folded inner;
        const OwnAttention second(std::ref(inner));
        scaled_dot_product_attention(Q, K, V);
        CHECK(inner.calls == 1);
        CHECK(outer.calls == 0);
    }
    scaled_dot_product_attention(Q, K, V);
    CHECK(outer.calls == 1);
}

TEST_CASE("OwnAttentions on the heap may end in any order", "[nn][own]") {
    const Variable Q = drawn({3, 4}, 1), K = drawn({3, 4}, 2), V = drawn({3, 2}, 3);
    Folded one, two;
    auto first = std::make_unique<OwnAttention>(std::ref(one));
    auto second = std::make_unique<OwnAttention>(std::ref(two));
    first.reset();
    CHECK(OwnAttention::in_use() == second.get());
    scaled_dot_product_attention(Q, K, V);
    CHECK(two.calls == 1);
    second.reset();
    CHECK(OwnAttention::in_use() == nullptr);
    scaled_dot_product_attention(Q, K, V);
    CHECK(one.calls == 0);
    CHECK(two.calls == 1);
}

TEST_CASE("an OwnAttention that ends, or begins, inside the function of another", "[nn][own]") {
    const Variable Q = drawn({3, 4}, 1), K = drawn({3, 4}, 2), V = drawn({3, 2}, 3);
    Folded outer, opened;
    auto around = std::make_unique<OwnAttention>(std::ref(outer));
    std::unique_ptr<OwnAttention> kept;
    {
        const OwnAttention inner([&](const Variable& q, const Variable& k, const Variable& v,
                                     const std::optional<Mask>& mask) {
            around.reset();
            CHECK(OwnAttention::in_use() == nullptr);
            kept = std::make_unique<OwnAttention>(std::ref(opened));
            CHECK(OwnAttention::in_use() == kept.get());
            return scaled_dot_product_attention(q, k, v, mask);
        });
        scaled_dot_product_attention(Q, K, V);
        CHECK(opened.calls == 1);
        CHECK(OwnAttention::in_use() == kept.get());
        kept.reset();
        CHECK(OwnAttention::in_use() == &inner);
    }
    CHECK(OwnAttention::in_use() == nullptr);
    CHECK(outer.calls == 0);
}

TEST_CASE("a mask that does not fit the scores is refused before an OwnAttention is called",
          "[nn][own]") {
    const Variable Q = drawn({3, 4}, 1), K = drawn({5, 4}, 2), V = drawn({5, 6}, 3);
    Folded folded;
    const OwnAttention own(std::ref(folded));
    const std::string rule = "; the mask must broadcast to the scores";
    const Mask larger = Mask::padding({5, 4}, 5) & Mask::causal(3, 5);  // [2, 1, 3, 5]
    CHECK(message_of<ShapeError>([&] { scaled_dot_product_attention(Q, K, V, larger); }) ==
          "OwnAttention: the mask has shape [2, 1, 3, 5], but the scores [..., T_q, T_k] have [3, "
          "5]" +
              rule);
    CHECK(message_of<ShapeError>([&] { dot_product_attention(Q, K, V, Mask::causal(4, 5)); }) ==
          "OwnAttention: the mask has shape [4, 5], but the scores [..., T_q, T_k] have [3, 5]" +
              rule);
    const Variable one = drawn({1, 4}, 4);  // a mask for three queries does not make it three
    CHECK(message_of<ShapeError>([&] { own(one, K, V, Mask::causal(3, 5)); }) ==
          "OwnAttention: the mask has shape [3, 5], but the scores [..., T_q, T_k] have [1, 5]" +
              rule);
    CHECK(folded.calls == 0);
    scaled_dot_product_attention(Q, K, V, Mask::causal(3, 5));
    CHECK(folded.calls == 1);
}

TEST_CASE("calls of OwnAttention are recorded", "[nn][own]") {
    const Variable Q = drawn({3, 4}, 1), K = drawn({3, 4}, 2), V = drawn({3, 2}, 3);
    const OwnAttention own(
        [](const Variable& q, const Variable&, const Variable& v, const std::optional<Mask>&) {
            const Variable even(tensor::full({q.dim(0), v.dim(0)}, 0.25));
            return Attention{matmul(even, v), even};
        });
    const RecordAttention recording;
    scaled_dot_product_attention(Q, K, V);
    REQUIRE(recording.records().size() == 1);
    const AttentionRecord& record = recording.records()[0];
    CHECK((record.weights == 0.25).all());
    CHECK(record.scale == 0.5);
    const Tensor scores = tensor::matmul(Q.value(), tensor::transpose(K.value())) / 2;
    CHECK(tensor::all_close(record.scores, scores, 1e-5, 1e-6));
}

TEST_CASE("wrong shapes from OwnAttention are named, and its exceptions are passed on",
          "[nn][own]") {
    const Variable Q = drawn({2, 3, 4}, 1), K = drawn({5, 4}, 2), V = drawn({5, 6}, 3);
    {
        const OwnAttention own([](const Variable& q, const Variable& k, const Variable& v,
                                  const std::optional<Mask>&) {
            const Variable weights = softmax(matmul(q, transpose(k)), -1);
            return Attention{matmul(weights, v), transpose(weights)};
        });
        CHECK(message_of<ShapeError>([&] { scaled_dot_product_attention(Q, K, V); }) ==
              "OwnAttention: your attention returned weights of shape [2, 5, 3]; the shape must be "
              "[2, 3, 5]");
    }
    {
        const OwnAttention own(
            [](const Variable& q, const Variable& k, const Variable&, const std::optional<Mask>&) {
                const Variable weights = softmax(matmul(q, transpose(k)), -1);
                return Attention{matmul(weights, k), weights};
            });
        CHECK(message_of<ShapeError>([&] { scaled_dot_product_attention(Q, K, V); }) ==
              "OwnAttention: your attention returned outputs of shape [2, 3, 4]; the shape must be "
              "[2, 3, 6]");
    }
    const OwnAttention own(
        [](const Variable&, const Variable&, const Variable&,
           const std::optional<Mask>&) -> Attention { throw std::logic_error("not yet"); });
    CHECK_THROWS_AS(scaled_dot_product_attention(Q, K, V), std::logic_error);
    CHECK(OwnAttention::in_use() == &own);
}

TEST_CASE("the function of OwnAttention may end it, make another, throw, or attend", "[nn][own]") {
    Random random(1);
    const Variable Q(tensor::normal({2, 3, 4}, random));
    const Tensor expected = scaled_dot_product_attention(Q, Q, Q).output.value();
    std::unique_ptr<OwnAttention> own, another;
    int calls = 0;
    const std::string kept(100, 'k');
    own = std::make_unique<OwnAttention>([&, kept](const Variable& q, const Variable& k,
                                                   const Variable& v,
                                                   const std::optional<Mask>& mask) {
        if (++calls == 1) throw std::runtime_error("in the function");
        own.reset();
        const Attention found = scaled_dot_product_attention(q, k, v, mask);
        another =
            std::make_unique<OwnAttention>([](const Variable&, const Variable&, const Variable&,
                                              const std::optional<Mask>&) { return Attention{}; });
        CHECK(kept.size() == 100);
        return found;
    });
    CHECK_THROWS_WITH(scaled_dot_product_attention(Q, Q, Q), Contains("in the function"));
    CHECK(tensor::same_bits(scaled_dot_product_attention(Q, Q, Q).output.value(), expected));
    CHECK(OwnAttention::in_use() == another.get());
    another.reset();
    CHECK(tensor::same_bits(scaled_dot_product_attention(Q, Q, Q).output.value(), expected));
    CHECK(calls == 2);
}
