// A Gpt that reads texts of different lengths in one batch: real tokens' logits, caches, generated
// texts, and what it refuses.
#include "nn/heed.h"

#include "tests/catch.h"
#include "tests/message_of.h"

#include <algorithm>

using namespace heed;

namespace {
const PositionKind all_kinds[] = {PositionKind::none,       PositionKind::learned,
                                  PositionKind::sinusoidal, PositionKind::rotary,
                                  PositionKind::relative,   PositionKind::alibi};

// With weights large enough that every part of the model matters.
Gpt drawn_model(PositionKind positions) {
    Random random(1);
    Gpt model({.vocab_size = 11,
               .limit = 40,
               .d_model = 16,
               .num_layers = 2,
               .num_heads = 4,
               .num_kv_heads = 2,
               .positions = positions},
              random);
    for (const ParameterMember& member : parameter_members(member_tree(model))) {
        init::normal(*member.parameter, random, 0, 0.4);
    }
    return model;
}

std::vector<IndexTensor> drawn_texts(const std::vector<std::int64_t>& lengths) {
    Random random(2);
    std::vector<IndexTensor> texts;
    for (const std::int64_t length : lengths) {
        std::vector<std::int64_t> ids;
        for (std::int64_t t = 0; t < length; ++t) ids.push_back(random.below(11));
        texts.emplace_back(ids);
    }
    return texts;
}

// The logits of the last `length` tokens of sequence b, [length, vocab_size].
Tensor of_sequence(const Tensor& logits, std::int64_t b, std::int64_t length) {
    const std::int64_t T = logits.dim(1);
    return tensor::slice(tensor::select(logits, 0, b), 0, T - length, T);
}

constexpr double tolerance = sizeof(Scalar) == 8 ? 1e-12 : 2e-5;

}  // namespace

TEST_CASE("texts of different lengths in one batch have the logits that each has alone",
          "[nn][gpt][left_padding]") {
    const NoGrad no_grad;
    const std::vector<std::int64_t> lengths = {3, 20, 1, 4};
    const std::vector<IndexTensor> texts = drawn_texts(lengths);
    const TokenBatch batch = pad_sequences(texts, 7, PaddingSide::left);
    CHECK(batch.ids.shape() == Shape({4, 20}));
    for (const PositionKind kind : all_kinds) {
        CAPTURE(name_of(kind));
        const Gpt model = drawn_model(kind);
        const Tensor logits = model(batch.ids, batch.mask()).value();
        CHECK(tensor::is_finite(logits).all());
        for (std::size_t b = 0; b < texts.size(); ++b) {
            CAPTURE(b);
            const Tensor alone = model(texts[b]).value();
            const Tensor mine = of_sequence(logits, static_cast<std::int64_t>(b), lengths[b]);
            CHECK(tensor::max_difference(mine, alone) < tolerance);
            // The longest is not padded, and 16 columns of padding leave each sum its order.
            const bool is_exact = lengths[b] == 20 || lengths[b] == 4;
            if (is_exact && kind != PositionKind::rotary) CHECK(tensor::same_bits(mine, alone));
        }
        // Without positions that count from a text's first token they would be far off.
        const Tensor unmasked = of_sequence(model(batch.ids).value(), 0, 3);
        CHECK(tensor::max_difference(unmasked, model(texts[0]).value()) > 1e-3);
    }
}

TEST_CASE("no id of the padding changes a bit of a token's logits", "[nn][gpt][left_padding]") {
    const NoGrad no_grad;
    const std::vector<std::int64_t> lengths = {3, 9, 5};
    const std::vector<IndexTensor> texts = drawn_texts(lengths);
    for (const PositionKind kind : all_kinds) {
        CAPTURE(name_of(kind));
        const Gpt model = drawn_model(kind);
        const TokenBatch batch = pad_sequences(texts, 0, PaddingSide::left);
        const TokenBatch other = pad_sequences(texts, 10, PaddingSide::left);
        const Tensor a = model(batch.ids, batch.mask()).value();
        const Tensor b = model(other.ids, other.mask()).value();
        for (std::int64_t i = 0; i < 3; ++i) {
            const std::int64_t length = lengths[static_cast<std::size_t>(i)];
            CHECK(tensor::same_bits(of_sequence(a, i, length), of_sequence(b, i, length)));
        }
    }
}

TEST_CASE("a padded batch with a cache gives the bits of the whole", "[nn][gpt][left_padding]") {
    const NoGrad no_grad;
    const std::vector<std::int64_t> lengths = {3, 9, 5};
    const TokenBatch batch = pad_sequences(drawn_texts(lengths), 0, PaddingSide::left);
    const IndexTensor more = pad_sequences(drawn_texts({6, 6, 6}), 0).ids;  // [3, 6]
    const IndexTensor ids = tensor::concatenate({batch.ids, more}, 1);
    const Mask mask = Mask::left_padding({9, 15, 11}, 15);
    for (const PositionKind kind : all_kinds) {
        CAPTURE(name_of(kind));
        const Gpt model = drawn_model(kind);
        const Tensor all = model(ids, mask).value();
        GptCache cache;
        const Tensor first = model.with_past(batch.ids, cache, batch.mask()).value();
        CHECK(tensor::same_bits(first, tensor::slice(all, 1, 0, 9)));
        CHECK(cache.padding == std::vector<std::int64_t>({6, 0, 4}));
        GptCache prompt;
        const Tensor next = model.next_logits(batch.ids, prompt, batch.mask()).value();
        CHECK(tensor::same_bits(next, tensor::select(all, 1, 8)));
        GptCache chosen = cache;
        for (std::int64_t t = 0; t < 6; t += 2) {
            const Tensor some = model.with_past(tensor::slice(more, 1, t, t + 2), cache).value();
            CHECK(tensor::same_bits(some, tensor::slice(all, 1, 9 + t, 11 + t)));
        }
        // Other sequences, each with its padding; and a cache that forgets the last tokens.
        const IndexTensor order({2, 0});
        chosen.keep_sequences(order);
        CHECK(chosen.padding == std::vector<std::int64_t>({4, 6}));
        const IndexTensor theirs_next =
            tensor::concatenate({tensor::slice(more, 0, 2, 3), tensor::slice(more, 0, 0, 1)}, 0);
        const Tensor theirs = model.with_past(theirs_next, chosen).value();
        CHECK(tensor::same_bits(theirs,
                                tensor::index_select(tensor::slice(all, 1, 9, 15), 0, order)));
        cache.truncate(9);
        const Tensor again = model.with_past(more, cache).value();
        CHECK(tensor::same_bits(again, tensor::slice(all, 1, 9, 15)));
        cache.truncate(0);
        CHECK(cache.padding.empty());
    }
}

TEST_CASE("a mask without padding changes no bit", "[nn][gpt][left_padding]") {
    const NoGrad no_grad;
    const IndexTensor ids({{3, 1, 4}, {1, 5, 9}});
    for (const PositionKind kind : all_kinds) {
        const Gpt model = drawn_model(kind);
        CHECK(tensor::same_bits(model(ids, Mask::left_padding({3, 3}, 3)).value(),
                                model(ids).value()));
    }
}

TEST_CASE("padding gets no gradient", "[nn][gpt][left_padding]") {
    for (const PositionKind kind : all_kinds) {
        CAPTURE(name_of(kind));
        const Gpt model = drawn_model(kind);
        // 10 is the padding alone, and the loss is of the tokens alone. Its row of the tied table
        // is a class, too, so the head gets a table of its own.
        const TokenBatch batch =
            pad_sequences({IndexTensor({3, 1}), IndexTensor({4, 1, 5, 9})}, 10, PaddingSide::left);
        Gpt own = model;
        untie(own.head.weight);
        const Variable logits = own(batch.ids, batch.mask());  // [2, 4, 11]
        const Variable loss = sum(slice(select(logits, 0, 0), 0, 2, 4)) +
                              sum(select(logits, 0, 1) * select(logits, 0, 1));
        loss.backward();
        const Tensor row = tensor::select(own.tokens.weight.grad(), 0, 10);
        CHECK(tensor::same_bits(row, tensor::zeros({16})));
        CHECK(tensor::is_finite(own.tokens.weight.grad()).all());
    }
}

TEST_CASE("one call generates for prompts of different lengths what one for each does",
          "[nn][generation][left_padding]") {
    const std::vector<IndexTensor> prompts = drawn_texts({3, 9, 1});
    for (const PositionKind kind : all_kinds) {
        CAPTURE(name_of(kind));
        Gpt model = drawn_model(kind);
        model.eval();
        const GenerateOptions greedy = {.max_new_tokens = 8, .sampling = {.temperature = 0}};
        Random random(1);
        GptSteps steps(model);
        const auto together =
            generate(steps, pad_sequences(prompts, 0, PaddingSide::left), random, greedy);
        REQUIRE(together.size() == 3);
        for (std::size_t b = 0; b < 3; ++b) {
            GptSteps alone(model);
            CHECK(generate(alone, prompts[b], random, greedy).at(0) == together[b]);
        }
        // What was read is the prompts and all new tokens but the last.
        CHECK(steps.cache.length() == 9 + 7);
    }
}

TEST_CASE("prompts of equal lengths need no padding, on whatever side",
          "[nn][generation][left_padding]") {
    Gpt model = drawn_model(PositionKind::learned);
    model.eval();
    const std::vector<IndexTensor> prompts = drawn_texts({4, 4});
    const GenerateOptions options = {.max_new_tokens = 5};
    Random a(1), b(1);
    GptSteps first(model), second(model);
    CHECK(generate(first, pad_sequences(prompts, 0), a, options) ==
          generate(second, pad_sequences(prompts, 0).ids, b, options));
}

TEST_CASE("padding to the left is where the texts are not", "[nn][text][left_padding]") {
    const std::vector<IndexTensor> texts = {IndexTensor({1, 2}), IndexTensor({3, 4, 5})};
    const TokenBatch left = pad_sequences(texts, 9, PaddingSide::left);
    CHECK(tensor::same_entries(left.ids, IndexTensor({{9, 1, 2}, {3, 4, 5}})));
    CHECK(left.lengths == std::vector<std::int64_t>({2, 3}));
    CHECK(left.mask() == Mask::left_padding({2, 3}, 3));
    const TokenBatch right = pad_sequences(texts, 9);
    CHECK(tensor::same_entries(right.ids, IndexTensor({{1, 2, 9}, {3, 4, 5}})));
    CHECK(right.mask() == Mask::padding({2, 3}, 3));
    CHECK(left.mask() ==
          Mask::allowing_keys(BoolTensor::from_bytes({0, 1, 1, 1, 1, 1}, Shape({2, 3}))));
    const WordTokenizer tokenizer({"a b c"});
    CHECK(tensor::same_entries(tokenizer.encode_batch({"b", "c a"}, 3, PaddingSide::left).ids,
                               IndexTensor({{3, 1}, {2, 0}})));
    CHECK(message_of<std::invalid_argument>([&] {
              pad_sequences(texts, 9, static_cast<PaddingSide>(7));
          }).starts_with("pad_sequences: side is 7"));
    CHECK(message_of<std::invalid_argument>([] { Mask::left_padding({4}, 3); }) ==
          "Mask::left_padding: the length of sequence 0 is 4; it must be between 0 and T = 3");
}

TEST_CASE("a Gpt says what is wrong with a mask", "[nn][gpt][left_padding]") {
    const Gpt model = drawn_model(PositionKind::learned);
    const IndexTensor ids({{3, 1, 4}, {1, 5, 9}});
    const std::string rule =
        "; for texts of different lengths they must be [B, T] and [B, 1, 1, T], such as "
        "Mask::left_padding(lengths, T)";
    CHECK(message_of<ShapeError>([&] { model(ids, Mask::causal(3)); }) ==
          "Gpt: ids have shape [2, 3] and the mask [3, 3]" + rule);
    CHECK(message_of<ShapeError>([&] {
              model(ids, Mask::left_padding({1, 2, 3}, 3));
          }) == "Gpt: ids have shape [2, 3] and the mask [3, 1, 1, 3]" + rule);
    CHECK(message_of<ShapeError>([&] {
              model(ids, Mask::left_padding({1, 2}, 4));
          }) == "Gpt: ids have shape [2, 3] and the mask [2, 1, 1, 4]" + rule);
    CHECK(message_of<ShapeError>([&] { model(ids.select(0), Mask::left_padding({3}, 3)); }) ==
          "Gpt: ids have shape [3] and the mask [1, 1, 1, 3]" + rule);
    CHECK(message_of<std::invalid_argument>([&] {
              model(ids, Mask::left_padding({3, 0}, 3));
          }) == "Gpt: the mask says that sequence 1 is all padding; each must have a token");
    CHECK(message_of<std::invalid_argument>([&] {
              model(ids, Mask::padding({3, 2}, 3));
          }) ==
          "Gpt: the mask says that sequence 1 has padding after a token; it must be before all of "
          "them, since the next token follows the last: Mask::left_padding(lengths, T)");
    GptCache cache;
    model.with_past(ids, cache, Mask::left_padding({3, 2}, 3));
    CHECK(message_of<std::invalid_argument>([&] {
              model.with_past(ids, cache, Mask::left_padding({3, 2}, 3));
          }) ==
          "Gpt: there is a mask, and the cache has 3 tokens; padding can only be before the first "
          "tokens");
    CHECK(message_of<ShapeError>([&] { model.with_past(ids.select(0), cache); }) ==
          "Gpt: ids have shape [3] and the cache has the padding of 2 sequences; for further "
          "tokens they must be [B, T], for the same sequences");
    CHECK(message_of<std::out_of_range>([&] { cache.truncate(1); }) ==
          "GptCache: cannot keep the first 1 tokens; the first 1 of sequence 1 are padding");
    cache.padding.resize(1);
    CHECK(message_of<std::out_of_range>([&] { cache.keep_sequences(IndexTensor({1})); }) ==
          "GptCache: sequence 1 at [0] is out of range: there are 1 sequences, numbered 0 to 0");
    CHECK(cache.length() == 3);

    Gpt evaluated = model;
    evaluated.eval();
    GptSteps steps(evaluated);
    Random random(1);
    CHECK(message_of<std::invalid_argument>([&] {
              generate(steps, pad_sequences({IndexTensor({1}), IndexTensor({2, 3})}, 0), random);
          }) ==
          "generate: the prompts are padded on the right; the tokens that follow must be beside "
          "the last of each: pad with PaddingSide::left");
    struct Other : StepwiseModel {
        const Gpt& gpt;
        explicit Other(const Gpt& its) : gpt(its) {}
        Tensor read(const IndexTensor& ids, CallSite) override {
            return tensor::select(gpt(ids).value(), -2, -1);
        }
        void keep_sequences(const IndexTensor&, CallSite) override {}
        std::optional<std::int64_t> room() const override { return 10; }
        const Module& network() const override { return gpt; }
    } other(evaluated);
    CHECK(message_of<std::invalid_argument>([&] {
              generate(other,
                       pad_sequences({IndexTensor({1}), IndexTensor({2, 3})}, 0, PaddingSide::left),
                       random);
          }) == "StepwiseModel: this model has no read_padded(); give it texts of one length");
}

TEST_CASE("rotary options for other positions are refused", "[nn][gpt]") {
    const auto refused = [](const GptConfig& config) {
        return message_of<std::invalid_argument>([&] { complete(config); });
    };
    const std::string rule = "; only rotary positions have these options: PositionKind::rotary";
    CHECK(refused({.rotary = {.base = 500}}) ==
          "GptConfig: rotary.base is 500 and positions is learned" + rule);
    CHECK(refused({.positions = PositionKind::none, .rotary = {.scaling = {.factor = 2}}}) ==
          "GptConfig: rotary.scaling is {.factor = 2, .original_limit = 0, .few_turns = 1, "
          ".many_turns = 4} and positions is none" +
              rule);
    CHECK(refused({.positions = PositionKind::alibi, .rotary = {.d_rotated = 4}}) ==
          "GptConfig: rotary.d_rotated is 4 and positions is alibi" + rule);
    CHECK(
        refused({.positions = PositionKind::none, .rotary = {.pairs = RotatedPairs::neighbours}}) ==
        "GptConfig: rotary.pairs is not RotatedPairs::halves and positions is none" + rule);
    CHECK(complete({.positions = PositionKind::rotary, .rotary = {.base = 500}}).rotary.base ==
          500);
}
