// Attention recorded while a text is generated, and the same calls joined into one.
#include "nn/heed.h"
#include "tests/catch.h"
#include "tests/message_of.h"

using namespace heed;

namespace {
Gpt small_gpt(std::uint64_t seed) {
    Random random(seed);
    return Gpt({.vocab_size = 7, .limit = 12, .d_model = 8, .num_layers = 2, .num_heads = 2},
               random);
}

IndexTensor ids_of(const std::vector<std::int64_t>& ids) { return IndexTensor(ids); }

}  // namespace

TEST_CASE("steps of a generation, joined, are the attention of one pass", "[nn][record]") {
    const Gpt gpt = small_gpt(1);
    std::vector<std::int64_t> text = {3, 1, 4};
    RecordAttention in_steps(gpt);
    {
        const NoGrad no_grad;
        Random random(2);
        GptSteps steps(gpt);
        const auto more = generate(steps, ids_of(text), random, {.max_new_tokens = 6});
        text.insert(text.end(), more[0].begin(), more[0].end());
        text.pop_back();  // the last one is never read
    }
    REQUIRE(in_steps.records().size() == 2 * 6);
    CHECK(in_steps.records()[0].full_name() == "blocks.0.attention#1");
    CHECK(in_steps.records()[11].full_name() == "blocks.1.attention#6");
    CHECK(in_steps.at("blocks.0.attention#3").weights.dim(-1) == 5);
    const Tokens words = {"c", "a", "d", "e", "f", "g", "h", "i", "j"};
    in_steps.label_steps(words);
    CHECK(in_steps.at("blocks.0.attention#3").query_tokens == std::vector<Tokens>{{"f"}});
    CHECK(in_steps.at("blocks.0.attention#3").key_tokens ==
          std::vector<Tokens>{{"c", "a", "d", "e", "f"}});

    const std::vector<AttentionRecord> joined = joined_steps(in_steps.records());
    REQUIRE(joined.size() == 2);
    RecordAttention at_once(gpt);
    gpt(IndexTensor(text, {1, 8}));
    for (std::size_t layer = 0; layer < 2; ++layer) {
        INFO(layer);
        const AttentionRecord& whole = at_once.records()[layer];
        const AttentionRecord& ours = joined[layer];
        CHECK(ours.full_name() == whole.name);
        CHECK(tensor::same_bits(ours.Q, whole.Q));
        CHECK(tensor::same_bits(ours.K, whole.K));
        CHECK(tensor::same_bits(ours.V, whole.V));
        CHECK(tensor::same_bits(ours.weights, whole.weights));
        CHECK(ours.query_tokens ==
              std::vector<Tokens>{{words.begin(), words.begin() + ours.weights.dim(-1)}});
        CHECK(ours.key_tokens == ours.query_tokens);
        // There are no scores of a future that was not there.
        const BoolTensor past = Mask::causal(8).allowed();
        CHECK(tensor::same_bits(tensor::where(past, ours.scores, tensor::of(0)),
                                tensor::where(past, whole.scores, tensor::of(0))));
        CHECK(ours.scores(0, 1, 4, 6) == 0);
        for (std::int64_t i = 0; i < 8; ++i) {
            for (std::int64_t j = 0; j < 8; ++j) {
                CHECK(ours.mask->allows({0, 1, i, j}) == (j <= i));
            }
        }
    }
}

TEST_CASE("a batch of texts is joined, too, and its masks are kept", "[nn][record]") {
    Random random(3);
    const MultiHeadAttention layer(6, 2, random);
    const Variable x(tensor::normal({2, 5, 6}, random));
    const Mask padding = Mask::left_padding({5, 4}, 5);
    KeyValueCache cache;
    RecordAttention recording(layer);
    const auto part = [&](std::int64_t from, std::int64_t to) { return slice(x, -2, from, to); };
    layer.with_past(part(0, 3), cache, Mask::causal(3) & Mask::left_padding({3, 2}, 3));
    layer.with_past(part(3, 5), cache, Mask::causal(2, 5) & padding);
    recording.label_steps({{"a", "b", "c", "d", "e"}, {"-", "v", "w", "x", "y"}});
    const std::vector<AttentionRecord> joined = joined_steps(recording.records());
    REQUIRE(joined.size() == 1);
    RecordAttention whole(layer);
    layer(x, Mask::causal(5) & padding);
    CHECK(tensor::same_bits(joined[0].weights, whole.records()[0].weights));
    CHECK(joined[0].query_tokens ==
          std::vector<Tokens>{{"a", "b", "c", "d", "e"}, {"-", "v", "w", "x", "y"}});
    CHECK(joined[0].mask->allows({1, 0, 4, 1}));
    CHECK_FALSE(joined[0].mask->allows({1, 0, 4, 0}));
    CHECK_FALSE(joined[0].mask->allows({0, 1, 2, 3}));
}

TEST_CASE("calls that do not continue each other stay as they are", "[nn][record]") {
    const Gpt gpt = small_gpt(4);
    RecordAttention recording(gpt, "blocks.0");
    gpt(ids_of({1, 2}));
    gpt(ids_of({1, 2, 3}));  // three keys for three queries: it read all of them itself
    GptSteps steps(gpt);
    steps.read({{5, 6}});
    steps.read({{0}});
    GptSteps others(gpt);
    others.read({{4, 6, 2}});
    const std::vector<AttentionRecord> joined = joined_steps(recording.records());
    std::string names;
    for (const AttentionRecord& record : joined) {
        names += record.full_name() + record.weights.shape().text() + " ";
    }
    CHECK(names == "blocks.0.attention#1[2, 2, 2] blocks.0.attention#2[2, 3, 3] "
                   "blocks.0.attention#3[1, 2, 3, 3] blocks.0.attention#4[1, 2, 3, 3] ");

    // As many keys as before and one for each query, but other keys.
    AttentionRecord first = recording.records()[2], next = recording.records()[3];
    CHECK(joined_steps({first, next}).size() == 1);
    AttentionRecord of_another = first;
    of_another.K = first.K + 1;
    CHECK(joined_steps({of_another, next}).size() == 2);
    AttentionRecord scaled = next;
    scaled.scale = 1;
    CHECK(joined_steps({first, scaled}).size() == 2);
}

TEST_CASE("texts that do not fit the steps are refused", "[nn][record]") {
    const Gpt gpt = small_gpt(5);
    RecordAttention recording(gpt);
    gpt(ids_of({1, 2}));
    gpt(ids_of({1, 2, 3}));
    const Tokens two = {"a", "b"};
    CHECK(message_of<std::invalid_argument>([&] { recording.label_steps(two); }) ==
          "RecordAttention: a text of 2 tokens is given, but 'blocks.0.attention#2' attended to 3 "
          "keys");
    CHECK(recording.records()[0].key_tokens.empty());
    CHECK(message_of<std::invalid_argument>([&] {
              recording.label_steps({two, two, two});
          }) == "RecordAttention: 3 texts are given, but the weights [2, 2, 2] of "
                "'blocks.0.attention#1' have 2 sequences");
}
