// KeyValueCache as a value: what it gave stays, copies are apart, a call that fails changes
// nothing, and what is computed from it has the bits of the whole.
#include "nn/heed.h"
#include "tests/autograd/gradients.h"
#include "tests/catch.h"
#include "tests/message_of.h"

#include <optional>
#include <stdexcept>
#include <vector>

using namespace heed;

namespace {
Variable tokens(const Variable& x, std::int64_t begin, std::int64_t end) {
    return slice(x, -2, begin, end);
}

bool same(const Variable& a, const Tensor& b) { return tensor::same_bits(a.value(), b); }

// Something a cache gave, and what it was then.
struct Given {
    KeysAndValues given;
    Tensor K, V;

    explicit Given(const KeysAndValues& all)
        : given(all), K(tensor::clone(all.K.value())), V(tensor::clone(all.V.value())) {}
    bool stays() const { return same(given.K, K) && same(given.V, V); }
};

// A cache, and the tokens [B, t, d] whose keys and values it should have.
struct Branch {
    KeyValueCache cache;
    Variable tokens;
};

IndexTensor some_sequences(std::int64_t B, Random& random) {
    std::vector<std::int64_t> chosen;
    for (std::int64_t i = 0; i <= random.below(3); ++i) chosen.push_back(random.below(B));
    return IndexTensor(chosen);
}

// 40 random calls on caches that branch from one another. Each output must have the bits of the
// layer called with all tokens, and nothing that any of them ever gave may change.
void check_calls(const MultiHeadAttention& layer, Random& random) {
    std::vector<Branch> branches{{KeyValueCache(), Variable(tensor::zeros({2, 0, 16}))}};
    std::vector<Given> given;
    for (int call = 0; call < 40; ++call) {
        const auto at = static_cast<std::size_t>(random.below(std::ssize(branches)));
        const std::int64_t t = branches[at].tokens.dim(1);
        const std::int64_t kind = random.below(8);
        if (kind == 0) branches.push_back(branches[at]);
        Branch& branch = branches[at];
        if (kind == 1) {
            const std::int64_t shorter = random.below(t + 1);
            branch.cache.truncate(shorter);
            branch.tokens = tokens(branch.tokens, 0, shorter);
        } else if (kind == 2 && t > 0) {
            const IndexTensor chosen = some_sequences(branch.tokens.dim(0), random);
            branch.cache.keep_sequences(chosen);
            branch.tokens = index_select(branch.tokens, 0, chosen);
        } else if (kind == 3) {
            branch.cache = KeyValueCache(branches[0].cache);
            branch.tokens = branches[0].tokens;
        } else if (kind > 3) {
            const std::int64_t T = 1 + random.below(kind == 7 ? 150 : 3);
            const Variable X(tensor::normal({branch.tokens.dim(0), T, 16}, random));
            branch.tokens = concatenate({branch.tokens, X}, 1);
            const Mask mask = Mask::causal(T, t + T);
            const Variable y = layer.with_past(X, branch.cache, mask);
            const Variable whole = layer(branch.tokens, Mask::causal(t + T));
            REQUIRE(same(y, tokens(whole, t, t + T).value()));
        }
        REQUIRE(branch.cache.length() == branch.tokens.dim(1));
        given.emplace_back(branch.cache.all());
        for (const Given& before : given) REQUIRE(before.stays());
    }
}

}  // namespace

TEST_CASE(
    "any calls on caches and their copies give the bits of the whole, and what they gave stays",
    "[nn][cache]") {
    const NoGrad no_grad;
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
        INFO("seed " << seed);
        Random random(seed);
        const AnyPositions kinds[] = {AnyPositions(), RotaryPositions(4), Alibi(4),
                                      SinusoidalPositions(16), RelativeBias(4, 5)};
        const MultiHeadAttention layer(
            16, 4, random, {.num_kv_heads = seed % 2 ? 4 : 2, .positions = kinds[seed % 5]});
        check_calls(layer, random);
    }
}

TEST_CASE("what a cache gave can be differentiated through after it went on", "[nn][cache]") {
    const Variable Q = leaf(Shape{2, 3, 4}, 1);
    KeyValueCache cache;
    cache.append({Variable(random({2, 5, 4}, 2)), Variable(random({2, 5, 3}, 3))});
    const KeysAndValues given =
        cache.append({Variable(random({2, 1, 4}, 4)), Variable(random({2, 1, 3}, 5))});
    const Variable y = scaled_dot_product_attention(Q, given.K, given.V).output;
    KeyValueCache copy = cache;
    for (KeyValueCache* each : {&cache, &copy}) {
        each->append({Variable(random({2, 1, 4}, 6)), Variable(random({2, 1, 3}, 7))});
        each->truncate(2);
        each->append({Variable(random({2, 4, 4}, 8)), Variable(random({2, 4, 3}, 9))});
    }
    const Tensor G = random({2, 3, 3}, 10);
    const Variable K(tensor::clone(given.K.value())), V(tensor::clone(given.V.value()));
    const Variable expected = scaled_dot_product_attention(Q, K, V).output;
    CHECK(tensor::same_bits(gradient(y, Q, G), gradient(expected, Q, G)));
}

TEST_CASE("the numbers in a cache are its own", "[nn][cache]") {
    for (const bool is_recorded : {false, true}) {
        Tensor numbers = random({2, 3, 4}, 1);
        const Tensor before = tensor::clone(numbers);
        const Variable K = is_recorded ? Variable(numbers, requires_grad) : Variable(numbers);
        KeyValueCache cache;
        cache.append({K, K});
        tensor::overwrite(numbers, tensor::zeros({2, 3, 4}));
        CHECK(same(cache.all().K, before));
        CHECK(same(cache.all().V, before));
    }
}

TEST_CASE("tokens that are recorded may follow constant ones, and the other way round",
          "[nn][cache]") {
    for (int recorded = 0; recorded < 8; ++recorded) {
        std::vector<Variable> K, V;
        KeyValueCache cache;
        for (int i = 0; i < 3; ++i) {
            const Tensor its_K = random({2, i + 1, 4}, 2 * i),
                         its_V = random({2, i + 1, 3}, 2 * i + 1);
            const bool is_recorded = (recorded >> i & 1) != 0;
            K.push_back(is_recorded ? Variable(its_K, requires_grad) : Variable(its_K));
            V.push_back(is_recorded ? Variable(its_V, requires_grad) : Variable(its_V));
            cache.append({K.back(), V.back()});
        }
        const KeysAndValues all = cache.all();
        CHECK(all.K.requires_grad() == (recorded != 0));
        CHECK(same(all.K, concatenate(K, 1).value()));
        CHECK(same(all.V, concatenate(V, 1).value()));
        if (recorded == 0) continue;
        cache.truncate(3);  // all of the first two, none of the third
        const Variable product = sum(cache.all().K * 2) + sum(cache.all().V * 3);
        product.backward();
        for (int i = 0; i < 3; ++i) {
            const auto at = static_cast<std::size_t>(i);
            if ((recorded >> i & 1) == 0) continue;
            const bool is_kept = i < 2;
            const Tensor of_K = tensor::full(K[at].shape(), is_kept ? 2 : 0);
            const Tensor of_V = tensor::full(V[at].shape(), is_kept ? 3 : 0);
            if (is_kept || K[at].has_grad()) {
                CHECK(tensor::same_bits(K[at].grad(), of_K));
                CHECK(tensor::same_bits(V[at].grad(), of_V));
            }
        }
    }
}

TEST_CASE("a cache that was moved from is empty, and can be filled again", "[nn][cache]") {
    KeyValueCache cache;
    cache.append({Variable(random({2, 3, 4}, 1)), Variable(random({2, 3, 4}, 2))});
    const KeyValueCache other = std::move(cache);
    CHECK(other.length() == 3);
    CHECK(cache.length() == 0);
    cache.append({Variable(random({1, 2, 5}, 1)), Variable(random({1, 2, 5}, 2))});
    CHECK(cache.length() == 2);
    cache.truncate(0);
    CHECK(cache.all().K.numel() == 0);
    cache.append({Variable(random({4, 2, 6}, 1)), Variable(random({4, 2, 6}, 2))});
    CHECK(cache.length() == 2);
}

TEST_CASE("heads are not sequences", "[nn][cache][errors]") {
    const NoGrad no_grad;
    Random random(1);
    const MultiHeadAttention layer(8, 2, random);
    KeyValueCache past;
    layer.with_past(Variable(tensor::normal({3, 8}, random)), past, Mask::causal(3));
    const KeyValueCache source = layer.keys_and_values(Variable(tensor::normal({3, 8}, random)));
    for (KeyValueCache cache : {past, source}) {
        const Given before(cache.all());
        CHECK(message_of<ShapeError>([&] {
                  cache.keep_sequences(IndexTensor({1, 0}));
              }) == "KeyValueCache: the keys have shape [2, 3, 4]; there is no batch axis before "
                    "[h, T, d]");
        CHECK(same(cache.all().K, before.K));
    }
    KeyValueCache flat;
    CHECK(message_of<ShapeError>([&] {
              flat.append_heads({Variable(tensor::zeros({3, 4})), Variable(tensor::zeros({3, 4}))});
          }) == "KeyValueCache: the keys have shape [3, 4] and the values [3, 4]; for several "
                "heads both must be [..., h, T, d]");
    flat.keep_sequences(IndexTensor({5}));  // nothing yet, so nothing to keep
    CHECK(flat.length() == 0);
}

TEST_CASE("a call that fails changes nothing in a cache", "[nn][cache][errors]") {
    KeyValueCache cache;
    cache.append({Variable(random({2, 3, 4}, 1)), Variable(random({2, 3, 5}, 2))});
    const Given before(cache.all());
    const auto unchanged = [&] {
        const KeysAndValues now = cache.all();
        return cache.length() == 3 && same(now.K, before.K) && same(now.V, before.V);
    };
    for (const std::int64_t length : {std::int64_t{-1}, INT64_MIN, std::int64_t{4}, INT64_MAX}) {
        CHECK(message_of<std::out_of_range>([&] { cache.truncate(length); }) ==
              text("KeyValueCache: cannot keep the first ", length, " tokens; there are 3"));
    }
    CHECK_THROWS_AS(cache.keep_sequences(IndexTensor({0, 2})), std::out_of_range);
    CHECK_THROWS_AS(cache.keep_sequences(IndexTensor({-3})), std::out_of_range);
    CHECK_THROWS_AS(cache.append({Variable(random({2, 1, 4}, 1)), Variable(random({2, 1, 4}, 2))}),
                    ShapeError);
    CHECK_THROWS_AS(cache.append({Variable(random({2, 1, 4}, 1)), Variable()}), ShapeError);
    CHECK(unchanged());
}

TEST_CASE("a layer that fails leaves the cache as it was, wherever it fails",
          "[nn][cache][errors]") {
    const NoGrad no_grad;
    Random random(2);
    MultiHeadAttention layer(16, 4, random);
    const Variable X(tensor::normal({2, 3, 16}, random));
    KeyValueCache past;
    layer.with_past(X, past, Mask::causal(3));
    const Given before(past.all());
    layer.positions = Alibi(3);
    CHECK_THROWS_AS(layer.with_past(X, past, Mask::causal(3, 6)), ShapeError);
    layer.positions = {};
    CHECK_THROWS_AS(layer.with_past(Variable(tensor::normal({1, 3, 16}, random)), past),
                    ShapeError);
    {
        const ForwardHook hook(layer, [](const LayerCall& call) {
            if (call.name == "W_O") throw std::runtime_error("stopped");
        });
        CHECK_THROWS_AS(layer.with_past(X, past, Mask::causal(3, 6)), std::runtime_error);
    }
    CHECK(past.length() == 3);
    CHECK(same(past.all().K, before.K));
    const Variable again = layer.with_past(X, past, Mask::causal(3, 6));
    const Variable whole = layer(concatenate({X, X}, 1), Mask::causal(6));
    CHECK(same(again, tokens(whole, 3, 6).value()));
}

TEST_CASE("a network that fails in any of its layers leaves its caches as they were",
          "[nn][cache][errors]") {
    const NoGrad no_grad;
    Random random(3);
    Gpt gpt({.vocab_size = 11, .limit = 8, .d_model = 8, .num_layers = 3, .num_heads = 2}, random);
    const IndexTensor ids({{1, 2, 3}, {4, 5, 6}}), more({{7}, {8}});
    GptCache begun;
    gpt.with_past(ids, begun);
    TransformerDecoder decoder(3, 8, 2, 16, random);
    const Variable memory(tensor::normal({2, 4, 8}, random)), Y(tensor::normal({2, 1, 8}, random));
    std::vector<DecoderCache> kept = decoder.begin(memory);
    decoder.with_past(Y, kept);
    GptCache expected_cache = begun;
    std::vector<DecoderCache> expected_kept = kept;
    const Tensor logits = gpt.with_past(more, expected_cache).value();
    const Tensor output = decoder.with_past(Y, expected_kept).value();

    int stop_at = 0, calls = 0;
    const auto stop = [&](const LayerCall&) {
        if (++calls == stop_at) throw std::runtime_error("stopped");
    };
    const ForwardHook of_gpt(gpt, stop), of_decoder(decoder, stop);
    int failures = 0;
    for (stop_at = 1; stop_at < 200; ++stop_at) {
        calls = 0;
        try {
            gpt.with_past(more, begun);
            break;
        } catch (const std::runtime_error&) {
            ++failures;
        }
        for (const KeyValueCache& block : begun.blocks) REQUIRE(block.length() == 3);
    }
    CHECK(failures > 20);
    failures = 0;
    for (stop_at = 1; stop_at < 200; ++stop_at) {
        calls = 0;
        try {
            decoder.with_past(Y, kept);
            break;
        } catch (const std::runtime_error&) {
            ++failures;
        }
        for (const DecoderCache& cache : kept) REQUIRE(cache.past.length() == 1);
    }
    CHECK(failures > 20);
    stop_at = 0;
    CHECK(begun.length() == 4);
    begun.truncate(3);
    CHECK(same(gpt.with_past(more, begun), logits));
    for (DecoderCache& cache : kept) cache.past.truncate(1);
    CHECK(same(decoder.with_past(Y, kept), output));

    GptCache uneven = begun;
    uneven.blocks[2].truncate(1);
    CHECK_THROWS_AS(uneven.truncate(2), std::out_of_range);
    CHECK_THROWS_AS(begun.keep_sequences(IndexTensor({2})), std::out_of_range);
    CHECK(uneven.length() == 4);
    CHECK(begun.length() == 4);
}

TEST_CASE("a block that fails after its attention leaves its cache as it was",
          "[nn][cache][errors]") {
    const NoGrad no_grad;
    Random random(4);
    GptBlock block(complete(GptConfig{.d_model = 8, .num_heads = 2}), random);
    TransformerDecoderLayer layer(8, 2, 16, random);
    const Variable X(tensor::normal({2, 3, 8}, random));
    const auto stop = [](const LayerCall& call) {
        if (call.name == "feed_forward") throw std::runtime_error("stopped");
    };
    const ForwardHook of_block(block, stop), of_layer(layer, stop);
    KeyValueCache past;
    CHECK_THROWS_AS(block.with_past(X, past, Mask::causal(3)), std::runtime_error);
    CHECK(past.length() == 0);
    DecoderCache cache = layer.begin(X);
    CHECK_THROWS_AS(layer.with_past(X, cache, Mask::causal(3)), std::runtime_error);
    CHECK(cache.past.length() == 0);
    CHECK(cache.memory.length() == 3);
}
