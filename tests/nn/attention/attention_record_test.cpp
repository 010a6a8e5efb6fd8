// What a recording keeps of each attention call, its tokens, and when it starts and ends.
#include "nn/heed.h"
#include "tests/catch.h"
#include "tests/message_of.h"
#include "tests/nn/attention/attention_models.h"

#include <memory>
#include <thread>

using namespace heed;
using namespace models;
TEST_CASE("what a record keeps of a call", "[nn][record]") {
    Random random(6);
    MultiHeadAttention layer(6, 2, random, {.d_head = 4, .d_v = 5, .dropout = 0.5});
    const Variable x = input();
    const Mask mask = Mask::causal(4) & Mask::padding({4, 2}, 4);
    RecordAttention recording(layer);
    const Attention attention = layer.with_weights(x, mask);
    const AttentionRecord record = recording.at("MultiHeadAttention");
    CHECK(record.Q.shape() == Shape{2, 2, 4, 4});
    CHECK(record.V.shape() == Shape{2, 2, 4, 5});
    CHECK(record.scale == 0.5);
    CHECK(record.temperature == 1);
    REQUIRE(record.mask);
    CHECK(*record.mask == mask);
    CHECK(record.query_tokens.empty());
    CHECK(record.key_tokens.empty());
    CHECK(tensor::same_bits(record.weights, attention.weights.value()));
    // Scores are scaled but not masked; with the mask they give the weights.
    const Tensor products = tensor::matmul(record.Q, tensor::transpose(record.K));
    CHECK(tensor::all_close(record.scores, products * record.scale, 1e-5, 1e-6));
    CHECK(tensor::is_finite(record.scores).all());
    const Tensor masked = tensor::masked_fill(record.scores, mask.blocked(), -infinity);
    CHECK(tensor::same_bits(tensor::softmax(masked, -1), record.weights));
    const Tensor K = layer.W_K(x).value();  // [2, 4, 8]
    CHECK(tensor::same_bits(tensor::select(record.K, 1, 1), tensor::slice(K, -1, 4)));
    // Later changes to the layer do not reach the record.
    Tensor numbers = layer.W_K.weight.value();
    tensor::overwrite(numbers, tensor::zeros({1}));
    CHECK(tensor::same_bits(tensor::select(record.K, 1, 1), tensor::slice(K, -1, 4)));
    CHECK_FALSE(record.weights.shares_storage_with(attention.weights.value()));
}

TEST_CASE("what is recorded is a copy", "[nn][record]") {
    RecordAttention of_function;
    const Variable Q(drawn({3, 4}, 9)), K(drawn({5, 4}, 10)), V(drawn({5, 2}, 11));
    scaled_dot_product_attention(Q, K, V);
    const AttentionRecord& one = of_function.records().front();
    CHECK(tensor::same_bits(one.Q, Q.value()));
    CHECK(tensor::same_bits(one.V, V.value()));
    CHECK_FALSE(one.Q.shares_storage_with(Q.value()));
    CHECK_FALSE(one.K.shares_storage_with(K.value()));
    CHECK_FALSE(one.V.shares_storage_with(V.value()));
}

TEST_CASE("a head's record is its part of the record of the whole layer", "[nn][record]") {
    Random random(7);
    const MultiHeadAttention one(6, 2, random);
    Heads list(random);
    for (std::int64_t n = 0; n < 2; ++n) {
        AttentionHead& head = list.heads[static_cast<std::size_t>(n)];
        const std::pair<Linear*, const Linear*> projections[] = {
            {&head.W_Q, &one.W_Q}, {&head.W_K, &one.W_K}, {&head.W_V, &one.W_V}};
        for (const auto& [part, whole] : projections) {
            Tensor weight = part->weight.value(), bias = part->bias.value();
            tensor::overwrite(weight, tensor::slice(whole->weight.value(), 0, 3 * n, 3 * n + 3));
            tensor::overwrite(bias, tensor::slice(whole->bias.value(), 0, 3 * n, 3 * n + 3));
        }
    }
    const Mask mask = Mask::padding({4, 2}, 4);
    RecordAttention recording;
    one(input(), mask);
    for (const AttentionHead& head : list.heads) head(input(), mask);
    const std::vector<AttentionRecord>& all = recording.records();
    REQUIRE(all.size() == 3);
    const auto part = [](const AttentionRecord& r, int i) {
        const Tensor parts[] = {r.Q, r.K, r.V, r.scores, r.weights};
        return parts[i];
    };
    for (int i = 0; i < 5; ++i) {
        INFO(i);
        const Tensor whole = part(all[0], i);
        CHECK(tensor::same_bits(part(all[1], i), tensor::select(whole, 1, 0)));
        CHECK(tensor::same_bits(part(all[2], i), tensor::select(whole, 1, 1)));
    }
    CHECK(*all[0].mask == mask);
    CHECK(all[1].scale == all[0].scale);
    CHECK(all[1].mask->shape() == Shape{2, 1, 4});
}

TEST_CASE("scale and temperature of the functions", "[nn][record]") {
    RecordAttention recording;
    const Variable x(drawn({3, 4}, 8));
    dot_product_attention(x, x, x);
    scaled_dot_product_attention(x, x, x);
    attend(DotScore(), x, x, x, {.temperature = 0.25});
    attend(ScaledDotScore(), x, x, x, {.temperature = 0});
    const std::vector<AttentionRecord>& all = recording.records();
    REQUIRE(all.size() == 4);
    CHECK(all[0].scale == 1);
    CHECK(all[1].scale == 0.5);
    CHECK(all[2].scale == 1);
    CHECK(all[3].scale == 0.5);
    CHECK(all[1].temperature == 1);
    CHECK(all[2].temperature == 0.25);
    CHECK(all[3].temperature == 0);
    CHECK(tensor::same_bits(all[0].scores, all[2].scores));
    CHECK_FALSE(all[0].mask);

    const Mask mask = Mask::causal(3);
    dot_product_attention(x, x, x, mask);
    scaled_dot_product_attention(x, x, x, mask);
    attend(DotScore(), x, x, x, {.mask = mask});
    for (std::size_t i = 4; i < 7; ++i) {
        INFO(i);
        REQUIRE(all[i].mask);
        CHECK(*all[i].mask == mask);
        CHECK(all[i].weights(0, 2) == 0);
        CHECK(all[i].scores(0, 2) == (i == 5 ? all[1] : all[0]).scores(0, 2));
    }
}

TEST_CASE("a recording changes no output here, and ends with its scope", "[nn][record]") {
    const Model model(2);
    const Tensor before = model(input()).value();
    CHECK_FALSE(RecordAttention::is_open());
    {
        RecordAttention outer;
        CHECK(tensor::same_bits(model(input()).value(), before));
        {
            RecordAttention inner(model, "list");
            model(input());
            CHECK(inner.records().size() == 2);
        }
        CHECK(RecordAttention::is_open());
        model(input());
        CHECK(outer.records().size() == 12);
    }
    CHECK_FALSE(RecordAttention::is_open());
}

TEST_CASE("recordings on the heap may end in any order", "[nn][record]") {
    const Model model(2);
    auto first = std::make_unique<RecordAttention>();
    auto second = std::make_unique<RecordAttention>();
    auto third = std::make_unique<RecordAttention>();
    second.reset();
    model(input());
    CHECK(first->records().size() == third->records().size());
    first.reset();
    CHECK(RecordAttention::is_open());
    const std::size_t before = third->records().size();
    model(input());
    CHECK(third->records().size() == 2 * before);
    third.reset();
    CHECK_FALSE(RecordAttention::is_open());
}

TEST_CASE("an error leaves no recording and no layer open", "[nn][record]") {
    const Model model(1);
    const Variable wrong(drawn({2, 4, 5}, 9));
    try {
        RecordAttention recording(model);
        model(wrong);
        CHECK(false);
    } catch (const ShapeError&) {
        CHECK_FALSE(RecordAttention::is_open());
    }
    CHECK_THROWS_AS(RecordAttention(model, "nothing"), std::invalid_argument);
    CHECK_FALSE(RecordAttention::is_open());
    CHECK(LayerScope::running().empty());
    // Within one recording: the failed call is not in it, the next one has its own name.
    RecordAttention recording(model);
    CHECK_THROWS_AS(model(wrong), ShapeError);
    const Variable x = input();
    CHECK_THROWS_AS(model.blocks[0].attention(x, Mask::causal(5)), ShapeError);
    scaled_dot_product_attention(x, x, x);
    CHECK(names(recording) == "scaled_dot_product_attention ");
}

TEST_CASE("calls of other threads are not recorded", "[nn][record][threads]") {
    const Model model(1);
    RecordAttention recording(model);
    bool open = true;
    std::string seen;
    std::thread other([&] {
        open = RecordAttention::is_open();
        model(input());
        RecordAttention own(model);
        model(input());
        seen = names(own);
    });
    other.join();
    CHECK_FALSE(open);
    CHECK(recording.records().empty());
    CHECK(seen == "blocks.0.attention list.heads.0 list.heads.1 ");
}

TEST_CASE("tokens are recorded with the calls that follow", "[nn][record]") {
    const Variable x(drawn({3, 6}, 10)), source(drawn({2, 6}, 11));
    const Tokens words = {"time", "flies", "like"};
    RecordAttention recording;
    scaled_dot_product_attention(x, x, x);
    recording.set_tokens(words);
    scaled_dot_product_attention(x, x, x);
    recording.set_tokens(words, {"an", "arrow"});
    scaled_dot_product_attention(x, source, source);
    const std::vector<AttentionRecord>& all = recording.records();
    CHECK(all[0].query_tokens.empty());
    CHECK(all[1].query_tokens == std::vector<Tokens>{words});
    CHECK(all[1].key_tokens == std::vector<Tokens>{words});
    CHECK(all[2].query_tokens == std::vector<Tokens>{words});
    CHECK(all[2].key_tokens == std::vector<Tokens>{{"an", "arrow"}});
}

TEST_CASE("a list of tokens for each sequence of a batch, or one for all", "[nn][record]") {
    Random random(12);
    const MultiHeadAttention layer(6, 2, random);
    const Variable x(drawn({3, 2, 6}, 13));
    const std::vector<Tokens> three = {{"a", "b"}, {"c", "<pad>"}, {"", "d"}};
    RecordAttention recording(layer);
    recording.set_batch_tokens(three, three);
    layer(x);
    CHECK(recording.records().back().query_tokens == three);
    CHECK(recording.records().back().key_tokens == three);
    recording.set_tokens({"a", "b"});
    layer(x);
    CHECK(recording.records().back().key_tokens == std::vector<Tokens>{{"a", "b"}});
    // Tokens of one sequence also fit a call without a batch, which has one sequence.
    recording.set_tokens({"a", "b"});
    layer(Variable(drawn({2, 6}, 14)));
    CHECK(recording.records().size() == 3);
}

TEST_CASE("tokens that do not fit are refused with both numbers", "[nn][record]") {
    Random random(15);
    const MultiHeadAttention layer(6, 2, random);
    const Variable x(drawn({3, 4, 6}, 16)), source(drawn({3, 5, 6}, 17));
    const Tokens two = {"a", "b"}, four = {"a", "b", "c", "d"}, five = {"a", "b", "c", "d", "e"};
    RecordAttention recording(layer);
    const auto said = [&](const std::vector<Tokens>& queries, const std::vector<Tokens>& keys) {
        recording.set_batch_tokens(queries, keys);
        return message_of<std::invalid_argument>([&] { layer(x, source); });
    };
    const std::string begin = "RecordAttention: ";
    const std::string weights = " but the weights [3, 2, 4, 5] of 'MultiHeadAttention' have ";
    CHECK(said({two}, {five}) == begin + "2 query tokens are given," + weights + "4 query rows");
    CHECK(said({four}, {four}) == begin + "4 key tokens are given," + weights + "5 key columns");
    CHECK(said({four, four}, {five}) ==
          begin + "2 lists of tokens are given," + weights + "3 sequences");
    CHECK(said({four, two, four}, {five}) ==
          begin + "2 query tokens are given," + weights + "4 query rows");
    CHECK(said({four}, {five, five, five, five}) ==
          begin + "4 lists of tokens are given," + weights + "3 sequences");
    CHECK(recording.records().empty());
    CHECK(said({four, four, four}, {five}) == "nothing was thrown");
    CHECK(recording.records().size() == 1);
}

TEST_CASE("lists of two token literals, for one sequence and for a batch", "[nn][record]") {
    const Variable X(drawn({2, 3}, 21)), batch(drawn({2, 2, 3}, 22));
    RecordAttention recording;
    recording.set_tokens({"a", "b"}, {"c", "d"});
    dot_product_attention(X, X, X);
    recording.set_batch_tokens({{"a", "b"}, {"e", "f"}}, {{"c", "d"}, {"g", "h"}});
    dot_product_attention(batch, batch, batch);
    CHECK(recording.records()[0].query_tokens == std::vector<Tokens>{Tokens{"a", "b"}});
    CHECK(recording.records()[0].key_tokens == std::vector<Tokens>{Tokens{"c", "d"}});
    CHECK(recording.records()[1].query_tokens[1] == Tokens{"e", "f"});
    CHECK(recording.records()[1].key_tokens[1] == Tokens{"g", "h"});
}
