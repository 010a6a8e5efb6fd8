// tensor::fused_attention: hand-worked results, broadcasting, masks, strides, threads and errors.
// attention_kernels_test.cpp compares the bits of its kernels.
#include "nn/heed.h"

#include "tests/catch.h"
#include "tests/message_of.h"

#include <cmath>

using namespace heed;

namespace {
Tensor drawn(const Shape& shape, std::uint64_t seed) {
    Random random(seed);
    return tensor::normal(shape, random);
}

bool close(const Tensor& a, const Tensor& b) {
    return a.shape() == b.shape() && tensor::all_close(a, b, 1e-5, 1e-6);
}

bool is_zero(const Tensor& x) { return (x == tensor::zeros({1})).all(); }

Tensor written_out(const Tensor& Q, const Tensor& K, const Tensor& V,
                   const std::optional<Mask>& mask) {
    const double root = std::sqrt(static_cast<double>(Q.dim(-1)));
    Tensor scores = tensor::matmul(Q, tensor::transpose(K)) / root;
    if (mask) scores = tensor::masked_fill(scores, mask->blocked(), -infinity);
    return tensor::matmul(tensor::softmax(scores, -1), V);
}

struct All {
    tensor::FusedAttention forward;
    tensor::AttentionGradients gradients;
};

All all_of(const Tensor& Q, const Tensor& K, const Tensor& V, const std::optional<Mask>& mask,
           const Tensor& G) {
    const tensor::FusedAttention forward = tensor::fused_attention(Q, K, V, mask);
    return {forward, tensor::fused_attention_gradients(Q, K, V, mask, forward, G)};
}

bool same(const All& a, const All& b) {
    return tensor::same_bits(a.forward.output, b.forward.output) &&
           tensor::same_bits(a.forward.row_max, b.forward.row_max) &&
           tensor::same_bits(a.forward.row_sum, b.forward.row_sum) &&
           tensor::same_bits(a.gradients.Q, b.gradients.Q) &&
           tensor::same_bits(a.gradients.K, b.gradients.K) &&
           tensor::same_bits(a.gradients.V, b.gradients.V);
}

class Threads {
  public:
    explicit Threads(int count) : before_(thread_count()) { set_thread_count(count); }
    ~Threads() { set_thread_count(before_); }

  private:
    int before_;
};

}  // namespace

TEST_CASE("fused attention worked out by hand", "[tensor][attention]") {
    const double ln2 = std::log(2.0);
    // Divided by √4, the scores are ln 2·(1, 0, 1) and ln 4·(0, 1, 1): weights (2, 1, 2)/5 and
    // (1, 4, 4)/9.
    const Tensor Q = tensor::of({{2 * ln2, 0, 0, 0}, {0, 4 * ln2, 0, 0}});
    const Tensor K = tensor::of({{1, 0, 7, 5}, {0, 1, 3, 2}, {1, 1, 4, 8}});
    const Tensor V = tensor::of({{10, 0}, {20, 5}, {40, -5}});
    const Tensor G = tensor::of({{1, 0}, {0, 0}});
    const All all = all_of(Q, K, V, std::nullopt, G);
    CHECK(close(all.forward.output, tensor::of({{24, -1}, {250.0 / 9, 0}})));
    CHECK(close(all.forward.row_max, tensor::of({ln2, 2 * ln2})));
    CHECK(close(all.forward.row_sum, tensor::of({2.5, 2.25})));
    CHECK(close(all.gradients.V, tensor::of({{0.4, 0}, {0.2, 0}, {0.4, 0}})));
    // W ⊙ (G·Vᵀ - 24)/2 = (0.4·-14, 0.2·-4, 0.4·16)/2 = (-2.8, -0.4, 3.2)
    const double q = 2 * ln2;
    CHECK(close(all.gradients.K,
                tensor::of({{-2.8 * q, 0, 0, 0}, {-0.4 * q, 0, 0, 0}, {3.2 * q, 0, 0, 0}})));
    CHECK(close(all.gradients.Q, tensor::of({{0.4, 2.8, -8, 10.8}, {0, 0, 0, 0}})));

    const tensor::FusedAttention masked = tensor::fused_attention(Q, K, V, Mask::causal(2, 3));
    CHECK(close(masked.output, tensor::of({{40.0 / 3, 5.0 / 3}, {250.0 / 9, 0}})));
}

TEST_CASE("fused attention has the bits of matmul, softmax, matmul up to 384 keys",
          "[tensor][attention]") {
    for (const std::int64_t T_k : {1, 40, 384}) {
        const Tensor Q = drawn({2, 1, 50, 6}, 1), K = drawn({3, T_k, 6}, 2);
        const Tensor V = drawn({2, 3, T_k, 5}, 3);
        const Mask causal = Mask::causal(50, T_k);
        const Mask holes = Mask::allowing(drawn({3, 50, T_k}, 4) > -0.5);
        const Mask one_row = Mask::allowing(drawn({2, 1, 1, T_k}, 5) > 0);
        const Mask one_column = Mask::allowing(drawn({2, 3, 50, 1}, 6) > 0);
        for (const std::optional<Mask>& mask :
             {std::optional<Mask>(), {causal}, {holes}, {one_row}, {one_column}}) {
            const Tensor output = tensor::fused_attention(Q, K, V, mask).output;
            CHECK(output.shape() == Shape{2, 3, 50, 5});
            CHECK(tensor::same_bits(output, written_out(Q, K, V, mask)));
        }
    }
    const Tensor Q = drawn({7, 500, 8}, 7), K = drawn({7, 500, 8}, 8), V = drawn({7, 500, 4}, 9);
    const Tensor above = tensor::fused_attention(Q, K, V, Mask::causal(500)).output;
    CHECK(close(above, written_out(Q, K, V, Mask::causal(500))));
}

TEST_CASE("a mask of one row serves any number of queries", "[tensor][attention]") {
    const Tensor Q = drawn({2, 2, 900, 4}, 90), K = drawn({2, 2, 40, 4}, 91);
    const Tensor V = drawn({2, 2, 40, 3}, 92);
    for (const Mask& mask : {Mask::padding({23, 31}, 40),  // [2, 1, 1, 40]
                             Mask::allowing(drawn({2, 2, 1, 40}, 93) > 0)}) {
        CHECK(tensor::same_bits(tensor::fused_attention(Q, K, V, mask).output,
                                written_out(Q, K, V, mask)));
    }
}

TEST_CASE("each of many queries gets its own bias", "[tensor][attention]") {
    const Tensor Q = drawn({400, 3}, 70), K = drawn({4, 3}, 71), V = drawn({4, 2}, 72);
    const Tensor bias = drawn({400, 4}, 73);
    const Tensor output = tensor::fused_attention(Q, K, V, {}, {.bias = bias}).output;
    for (const std::int64_t begin : {0, 100, 380, 396}) {
        const auto rows = [begin](const Tensor& x) {
            return tensor::slice(x, 0, begin, begin + 4);
        };
        const tensor::ScoreOptions its{.bias = rows(bias)};
        CHECK(close(tensor::fused_attention(rows(Q), K, V, {}, its).output, rows(output)));
    }
}

TEST_CASE("keys far behind the first that a mask blocks are seen", "[tensor][attention]") {
    const Tensor Q = drawn({5, 6}, 94), K = drawn({700, 6}, 95), V = drawn({700, 3}, 96);
    const Tensor place = tensor::arange(700);
    const Mask ends = Mask::allowing(((place < 10) | (place > 650)).reshape({1, 700}));
    CHECK(close(tensor::fused_attention(Q, K, V, ends).output, written_out(Q, K, V, ends)));
}

TEST_CASE("gradients of fused attention are not summed over broadcast axes",
          "[tensor][attention]") {
    const Tensor Q = drawn({2, 1, 5, 3}, 10), K = drawn({3, 6, 3}, 11), V = drawn({6, 4}, 12);
    const Tensor G = drawn({2, 3, 5, 4}, 13);
    const All broadcast = all_of(Q, K, V, Mask::causal(5, 6), G);
    const Tensor each_K = tensor::expand(K, {2, 3, 6, 3});
    const All expanded =
        all_of(tensor::contiguous(tensor::expand(Q, {2, 3, 5, 3})), tensor::contiguous(each_K),
               tensor::contiguous(tensor::expand(V, {2, 3, 6, 4})), Mask::causal(5, 6), G);
    CHECK(broadcast.gradients.V.shape() == Shape{2, 3, 6, 4});
    CHECK(same(broadcast, expanded));
    const tensor::AttentionGradients one = tensor::fused_attention_gradients(
        Q, K, V, Mask::causal(5, 6), broadcast.forward, G, {.Q = false, .K = true, .V = false});
    CHECK(tensor::same_bits(one.K, expanded.gradients.K));
    CHECK(one.Q.numel() == 0);
    CHECK(one.V.numel() == 0);
}

TEST_CASE("strides change no bit, and results have the operands' layout", "[tensor][attention]") {
    // As a layer splits heads: [B, T, h, d] with two axes exchanged.
    const auto heads = [](std::uint64_t seed, std::int64_t T, std::int64_t d) {
        return tensor::transpose(drawn({2, T, 3, d}, seed), 1, 2);
    };
    const Tensor Q = heads(14, 50, 8), K = heads(15, 60, 8), V = heads(16, 60, 5);
    const Tensor G = heads(17, 50, 5);
    const Mask mask = Mask::causal(50, 60);
    const All strided = all_of(Q, K, V, mask, G);
    const All packed = all_of(tensor::contiguous(Q), tensor::contiguous(K), tensor::contiguous(V),
                              mask, tensor::contiguous(G));
    CHECK(same(strided, packed));
    // So merging the heads again copies nothing.
    CHECK(tensor::transpose(strided.forward.output, 1, 2).is_contiguous());
    CHECK(tensor::transpose(strided.gradients.Q, 1, 2).is_contiguous());
    CHECK(tensor::transpose(strided.gradients.K, 1, 2).is_contiguous());
    CHECK(tensor::transpose(strided.gradients.V, 1, 2).is_contiguous());
    CHECK(packed.forward.output.is_contiguous());
    const Tensor one_Q = tensor::expand(drawn({50, 8}, 18), {2, 3, 50, 8});  // has no order
    CHECK(tensor::fused_attention(one_Q, K, V).output.is_contiguous());
    // G repeats one number, K repeats one row, and V's columns are far apart.
    const Tensor one_G = tensor::expand(drawn({1, 1, 1, 1}, 18), {2, 3, 50, 5});
    const Tensor one_K = tensor::expand(drawn({1, 3, 1, 8}, 19), {2, 3, 60, 8});
    const Tensor wide_V = tensor::transpose(drawn({2, 3, 5, 60}, 20));
    CHECK(same(all_of(Q, one_K, wide_V, mask, one_G),
               all_of(tensor::contiguous(Q), tensor::contiguous(one_K), tensor::contiguous(wide_V),
                      mask, tensor::contiguous(one_G))));
}

TEST_CASE("any number of threads gives fused attention the same bits",
          "[tensor][attention][threads]") {
    const Tensor Q = drawn({2, 3, 400, 8}, 21), K = drawn({2, 3, 500, 8}, 22);
    const Tensor V = drawn({2, 3, 500, 8}, 23), G = drawn({2, 3, 400, 8}, 24);
    const Mask mask = Mask::padding({500, 211}, 500) & Mask::allowing(drawn({400, 500}, 25) > -2);
    const auto with = [&](int threads) {
        const Threads those(threads);
        return all_of(Q, K, V, mask, G);
    };
    const All one = with(1);
    for (const int threads : {2, 3, 7}) CHECK(same(with(threads), one));
}

TEST_CASE("a query that sees nothing, and empty batches, queries and keys", "[tensor][attention]") {
    const Tensor Q = drawn({2, 3, 4, 5}, 26), K = drawn({2, 3, 6, 5}, 27);
    const Tensor V = drawn({2, 3, 6, 2}, 28), G = drawn({2, 3, 4, 2}, 29);
    const All all = all_of(Q, K, V, Mask::padding({6, 0}, 6), G);
    for (const Tensor& x :
         {all.forward.output, all.gradients.Q, all.gradients.K, all.gradients.V}) {
        CHECK(is_zero(tensor::select(x, 0, 1)));
        CHECK_FALSE((tensor::select(x, 0, 0) == 0).any());
    }
    const All no_keys = all_of(Q, tensor::slice(K, 2, 0, 0), tensor::slice(V, 2, 0, 0), {}, G);
    CHECK(tensor::same_bits(no_keys.forward.output, tensor::zeros({2, 3, 4, 2})));
    CHECK(tensor::same_bits(no_keys.gradients.Q, tensor::zeros({2, 3, 4, 5})));
    CHECK(no_keys.gradients.K.shape() == Shape{2, 3, 0, 5});
    const All no_queries = all_of(tensor::slice(Q, 2, 0, 0), K, V, {}, tensor::slice(G, 2, 0, 0));
    CHECK(no_queries.forward.output.shape() == Shape{2, 3, 0, 2});
    CHECK(tensor::same_bits(no_queries.gradients.K, tensor::zeros({2, 3, 6, 5})));
    CHECK(tensor::same_bits(no_queries.gradients.V, tensor::zeros({2, 3, 6, 2})));
    const auto none = [](const Tensor& x) { return tensor::slice(x, 0, 0, 0); };
    CHECK(all_of(none(Q), none(K), none(V), {}, none(G)).forward.output.shape() ==
          Shape{0, 3, 4, 2});
    const All no_values = all_of(Q, K, tensor::slice(V, 3, 0, 0), {}, tensor::slice(G, 3, 0, 0));
    CHECK(no_values.forward.output.shape() == Shape{2, 3, 4, 0});
    CHECK(is_zero(no_values.gradients.Q));
}

TEST_CASE("keys that no query sees are not read", "[tensor][attention]") {
    for (const std::int64_t T_k : {60, 500}) {
        const std::int64_t seen = T_k - 20;
        const Tensor Q = drawn({1, 1, 50, 5}, 39), G = drawn({1, 1, 50, 4}, 40);
        Tensor K = drawn({1, 1, T_k, 5}, 41), V = drawn({1, 1, T_k, 4}, 42);
        const Mask mask = Mask::padding({seen}, T_k);
        const All before = all_of(Q, K, V, mask, G);
        for (Tensor* x : {&K, &V}) {
            Tensor behind = tensor::slice(*x, 2, seen);
            tensor::overwrite(behind, tensor::full({}, std::nan("")));
        }
        CHECK(same(all_of(Q, K, V, mask, G), before));
    }
}

TEST_CASE("gradients do not write to their operands", "[tensor][attention]") {
    const Tensor Q = drawn({40, 5}, 30), K = drawn({40, 5}, 31), V = drawn({40, 5}, 32);
    const tensor::FusedAttention forward = tensor::fused_attention(Q, K, V);
    const std::uint64_t version = forward.output.version();
    const Tensor before = tensor::clone(forward.output);
    tensor::fused_attention_gradients(Q, K, V, {}, forward, drawn({40, 5}, 33));
    CHECK(forward.output.version() == version);
    CHECK(tensor::same_bits(forward.output, before));
}

TEST_CASE("what fused attention refuses", "[tensor][attention]") {
    const Tensor Q = drawn({4, 3}, 34), K = drawn({5, 3}, 35), V = drawn({5, 2}, 36);
    const auto said = [](const Tensor& q, const Tensor& k, const Tensor& v,
                         const std::optional<Mask>& mask = std::nullopt) {
        return message_of<ShapeError>([&] { tensor::fused_attention(q, k, v, mask); });
    };
    CHECK(said(Q, K, V) == "nothing was thrown");
    CHECK(said(Q, K, tensor::select(V, 1, 0)) ==
          "fused_attention: V has shape [5]; it must end in two axes, positions and features");
    CHECK(said(Q, V, V) == "fused_attention: Q has shape [4, 3] and K [5, 2]; their last axes must "
                           "both be d_k, which is at least 1");
    CHECK_THAT(said(tensor::zeros({4, 0}), tensor::zeros({5, 0}), V), Contains("at least 1"));
    CHECK(said(Q, K, Q) == "fused_attention: K has shape [5, 3] and V [4, 3]; their second-to-last "
                           "axes must both be T_k, since each key has one value");
    CHECK(said(Q, K, V, Mask::causal(5)) ==
          "fused_attention: the mask has shape [5, 5], but the scores [..., T_q, T_k] have [4, 5]; "
          "the mask must broadcast to the scores");
    CHECK_THAT(said(drawn({2, 4, 3}, 37), drawn({3, 5, 3}, 38), V), Contains("fused_attention"));
    const tensor::FusedAttention forward = tensor::fused_attention(Q, K, V);
    CHECK(message_of<ShapeError>([&] {
              tensor::fused_attention_gradients(Q, K, V, {}, forward, Q);
          }) == "fused_attention_gradients: G has shape [4, 3] and the output [4, 2]; both must be "
                "[..., T_q, d_v], here [4, 2]");
    CHECK(message_of<ShapeError>([&] {
              tensor::fused_attention_gradients(Q, K, V, {}, {Q, forward.row_max, forward.row_sum},
                                                forward.output);
          }) == "fused_attention_gradients: G has shape [4, 2] and the output [4, 3]; both must be "
                "[..., T_q, d_v], here [4, 2]");
    CHECK(message_of<ShapeError>([&] {
              tensor::fused_attention(Q, K, V, {}, {.bias = drawn({4, 4}, 39)});
          }) == "fused_attention: the bias has shape [4, 4], but the scores [..., T_q, T_k] have "
                "[4, 5]; the bias must broadcast to the scores");
    const auto options = [&](const tensor::ScoreOptions& changes) {
        return message_of<std::invalid_argument>(
            [&] { tensor::fused_attention(Q, K, V, std::nullopt, changes); });
    };
    for (const double scale : {1.0 * infinity, -1.0 * infinity}) {
        CHECK(options({.scale = scale}) ==
              text("fused_attention: the scale is ", scale, "; it must be finite"));
    }
    CHECK(options({.scale = -2}) == "nothing was thrown");
    for (const double cap : {0.0, -1.0, 1.0 * infinity}) {
        CHECK(options({.soft_cap = cap}) ==
              text("fused_attention: the soft cap is ", cap, "; it must be positive and finite"));
    }
    const auto with = [&](const Tensor& row_max, const Tensor& row_sum) {
        return message_of<ShapeError>([&] {
            tensor::fused_attention_gradients(Q, K, V, {}, {forward.output, row_max, row_sum},
                                              forward.output);
        });
    };
    CHECK(with(forward.row_max, forward.row_sum) == "nothing was thrown");
    CHECK(with(tensor::of(1), forward.row_sum) ==
          "fused_attention_gradients: row_max has shape [] and row_sum [4]; both must be [..., "
          "T_q], here [4]");
    CHECK(with(forward.row_max, tensor::zeros({3})) ==
          "fused_attention_gradients: row_max has shape [4] and row_sum [3]; both must be [..., "
          "T_q], here [4]");
    CHECK(with(Tensor(), Tensor()) == "fused_attention_gradients: row_max has shape [0] and "
                                      "row_sum [0]; both must be [..., T_q], here [4]");
}

TEST_CASE("what the forward pass gave may come back in any layout", "[tensor][attention]") {
    const auto turned = [](const Tensor& x) {  // the same numbers, the last axis not the inner one
        return tensor::transpose(tensor::contiguous(tensor::transpose(x)));
    };
    for (const std::int64_t T_k : {40, 500}) {
        const Tensor Q = drawn({2, 50, 6}, 60), K = drawn({2, T_k, 6}, 61);
        const Tensor V = drawn({2, T_k, 4}, 62), G = drawn({2, 50, 4}, 63);
        const tensor::FusedAttention found = tensor::fused_attention(Q, K, V);
        const tensor::FusedAttention other = {turned(found.output), turned(found.row_max),
                                              turned(found.row_sum)};
        CHECK(other.output.strides()[-1] != 1);
        const tensor::AttentionGradients expected =
            tensor::fused_attention_gradients(Q, K, V, {}, found, G);
        const tensor::AttentionGradients received =
            tensor::fused_attention_gradients(Q, K, V, {}, other, turned(G));
        CHECK(tensor::same_bits(received.Q, expected.Q));
        CHECK(tensor::same_bits(received.K, expected.K));
        CHECK(tensor::same_bits(received.V, expected.V));
    }
}

TEST_CASE("a score of +inf makes its row NaN, and no other", "[tensor][attention]") {
    const Tensor Q = tensor::of({{1}, {-1}}), K = tensor::of({{infinity}, {1}});
    const Tensor output = tensor::fused_attention(Q, K, tensor::of({{3}, {2}})).output;
    CHECK(std::isnan(output(0, 0)));
    CHECK(output(1, 0) == 2);  // the scores are -inf and -1
}

TEST_CASE("attention to no keys at all, with a mask", "[tensor][attention]") {
    for (const Mask& mask : {Mask::all_allowed(3, 0), Mask::causal(3, 0),
                             Mask::allowing(BoolTensor::full({1, 0}, true))}) {
        const All found = all_of(drawn({2, 3, 4}, 70), tensor::zeros({2, 0, 4}),
                                 tensor::zeros({2, 0, 5}), mask, drawn({2, 3, 5}, 71));
        CHECK(is_zero(found.forward.output));
        CHECK(is_zero(found.gradients.Q));
        CHECK(found.gradients.K.shape() == Shape{2, 0, 4});
    }
}

TEST_CASE("holes in a mask are holes behind key 384, too", "[tensor][attention]") {
    for (const std::int64_t T_k : {385, 400, 1100}) {
        const Tensor Q = drawn({2, 50, 6}, 80), K = drawn({2, T_k, 6}, 81);
        const Tensor V = drawn({2, T_k, 5}, 82), G = drawn({2, 50, 5}, 83);
        const Tensor odd_values = tensor::where(drawn({2, 1, T_k}, 84) > 0, 0, -infinity);
        for (const Mask& mask :
             {Mask::allowing(drawn({2, 50, T_k}, 85) > 0.3),
              Mask::allowing(drawn({50, T_k}, 86) > 1.5), Mask::allowing(odd_values > -1),
              Mask::causal(50, T_k) & Mask::allowing(drawn({50, T_k}, 87) > 0)}) {
            const All found = all_of(Q, K, V, mask, G);
            CHECK(close(found.forward.output, written_out(Q, K, V, mask)));
            // What a hole hides may be anything: no gradient reaches a key that nobody sees.
            const Tensor weights = tensor::softmax(
                tensor::masked_fill(tensor::matmul(Q, tensor::transpose(K)) / std::sqrt(6.0),
                                    mask.blocked(), -infinity),
                -1);
            CHECK(close(found.gradients.V, tensor::matmul(tensor::transpose(weights), G)));
            const Tensor dW = tensor::matmul(G, tensor::transpose(V));
            const Tensor dS =
                weights * (dW - tensor::sum(weights * dW, -1, keepdim)) / std::sqrt(6.0);
            CHECK(close(found.gradients.Q, tensor::matmul(dS, K)));
            CHECK(close(found.gradients.K, tensor::matmul(tensor::transpose(dS), Q)));
        }
    }
}

TEST_CASE("a row whose scores are -inf of themselves weighs nothing", "[tensor][attention]") {
    for (const std::int64_t T_k : {3, 500}) {
        const Tensor Q = tensor::of({{1}, {0.5}, {-1}});
        const Tensor K = tensor::full({T_k, 1}, -infinity), V = drawn({T_k, 2}, 90);
        const tensor::FusedAttention found = tensor::fused_attention(Q, K, V);
        CHECK(is_zero(tensor::slice(found.output, 0, 0, 2)));
        CHECK(is_zero(tensor::slice(found.row_sum, 0, 0, 2)));
        CHECK(found.row_max(0) == -infinity);
        CHECK(std::isnan(found.output(2, 0)));  // several scores of +inf
        CHECK(tensor::same_bits(found.output, written_out(Q, K, V, std::nullopt)));
        const Mask one_hole =
            Mask::allowing(tensor::unsqueeze(tensor::arange(static_cast<double>(T_k)), 0) != 1);
        CHECK(is_zero(tensor::fused_attention(tensor::of({{1}}), K, V, one_hole).output));
    }
}
