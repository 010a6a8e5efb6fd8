// generate(): greedy and drawn, with a GPT and with a decoder beside an encoder; ends and limits.
#include "nn/heed.h"

#include "tests/catch.h"
#include "tests/message_of.h"
#include "tests/nn/generation/tables.h"
#include "tests/nn/generation/translator.h"

#include <cmath>
#include <type_traits>
#include <utility>

using namespace heed;

namespace {
using Sequences = std::vector<std::vector<std::int64_t>>;

const GenerateOptions greedily{.max_new_tokens = 12, .sampling = {.temperature = 0}};

Gpt drawn_gpt(const GptConfig& config) {
    Random random(1);
    Gpt model(config, random);
    for (const ParameterMember& member : parameter_members(member_tree(model))) {
        init::normal(*member.parameter, random, 0, 0.5);
    }
    return model;
}

// Token i is followed by i + 1, and the last by the first.
Tensor counting(std::int64_t V) {
    Tensor logits = tensor::zeros({V, V});
    for (std::int64_t i = 0; i < V; ++i) {
        Tensor row = tensor::slice(tensor::select(logits, 0, i), 0, (i + 1) % V, (i + 1) % V + 1);
        tensor::overwrite(row, tensor::of(5));
    }
    return logits;
}

IndexTensor appended(const IndexTensor& ids, const IndexTensor& tokens) {
    return tensor::concatenate({ids, tokens.reshape({-1, 1})}, 1);
}

}  // namespace

TEST_CASE("generating with a cache is generating with everything computed anew", "[nn][generate]") {
    const Gpt model = drawn_gpt({.vocab_size = 9,
                                 .limit = 20,
                                 .d_model = 8,
                                 .num_heads = 2,
                                 .positions = PositionKind::rotary});
    const IndexTensor prompt({{1, 2, 3}, {4, 0, 8}});
    // Greedily.
    IndexTensor ids = prompt;
    for (int t = 0; t < 12; ++t) {
        const Variable logits = model(ids);  // [2, T, 9]
        ids = appended(ids, tensor::argmax(tensor::select(logits.value(), 1, ids.dim(1) - 1), -1));
    }
    GptSteps steps(model);
    Random unused(1);
    const Sequences greedy = generate(steps, prompt, unused, greedily);
    REQUIRE(greedy.size() == 2);
    for (std::int64_t b = 0; b < 2; ++b) {
        CHECK(tensor::same_entries(IndexTensor(greedy[static_cast<std::size_t>(b)]),
                                   tensor::slice(ids.select(b), 0, 3)));
    }
    // Drawn, one number for each sequence and step.
    const SamplingOptions sampling{.temperature = 1.5, .top_k = 6, .top_p = 0.9};
    ids = prompt;
    Random by_hand(7);
    for (int t = 0; t < 12; ++t) {
        const Tensor last = tensor::select(model(ids).value(), 1, ids.dim(1) - 1);
        const Tensor p = sampling_probabilities(last, sampling);
        ids = appended(ids, tensor::multinomial(p, 1, by_hand));
    }
    GptSteps fresh(model);
    Random random(7);
    const Sequences drawn =
        generate(fresh, prompt, random, {.max_new_tokens = 12, .sampling = sampling});
    for (std::int64_t b = 0; b < 2; ++b) {
        CHECK(tensor::same_entries(IndexTensor(drawn[static_cast<std::size_t>(b)]),
                                   tensor::slice(ids.select(b), 0, 3)));
    }
    CHECK(random.next() == by_hand.next());  // and no number more
    CHECK(fresh.cache.length() == 3 + 11);   // the last token is not read
}

TEST_CASE("the seed decides what is drawn, and greedy ways of drawing agree", "[nn][generate]") {
    const Gpt model = drawn_gpt({.vocab_size = 9, .limit = 40, .d_model = 8, .num_heads = 2});
    const IndexTensor prompt({1, 2});
    const auto with = [&](std::uint64_t seed, const SamplingOptions& sampling) {
        GptSteps steps(model);
        Random random(seed);
        return generate(steps, prompt, random, {.max_new_tokens = 30, .sampling = sampling});
    };
    CHECK(with(1, {.temperature = 3}) == with(1, {.temperature = 3}));
    CHECK(with(1, {.temperature = 3}) != with(2, {.temperature = 3}));
    CHECK(with(1, {.temperature = 0}) == with(2, {.temperature = 0}));
    CHECK(with(1, {.top_k = 1}) == with(2, {.temperature = 0}));
    CHECK(with(1, {.top_p = 1e-6}) == with(2, {.temperature = 0}));
    CHECK(with(5, {.top_k = 9, .top_p = 1}) == with(5, {}));
}

TEST_CASE("tokens are drawn as often as they are probable", "[nn][generate]") {
    TableSteps steps(tensor::log(tensor::of({{1, 2, 5}, {1, 2, 5}, {1, 2, 5}})));
    Random random(1);
    const Sequences drawn = generate(steps, IndexTensor({0}), random, {.max_new_tokens = 8000});
    std::vector<double> counts(3, 0);
    for (const std::int64_t token : drawn[0]) counts[static_cast<std::size_t>(token)] += 1;
    CHECK(std::abs(counts[0] / 8000 - 0.125) < 0.015);  // four standard deviations
    CHECK(std::abs(counts[1] / 8000 - 0.25) < 0.02);
    CHECK(std::abs(counts[2] / 8000 - 0.625) < 0.022);
}

TEST_CASE("a sequence ends with the end token, and does not change what others draw",
          "[nn][generate]") {
    TableSteps steps(counting(6));
    Random random(1);
    const GenerateOptions to_five{
        .max_new_tokens = 10, .sampling = {.temperature = 0}, .end_token = 5};
    CHECK(generate(steps, IndexTensor({{0}, {3}}), random, to_five) ==
          Sequences({{1, 2, 3, 4, 5}, {4, 5}}));
    CHECK(steps.length == 5);  // it ends when the last sequence does
    TableSteps beyond(counting(6));
    CHECK(generate(beyond, IndexTensor({{1, 5}}), random, to_five) ==
          Sequences({{0, 1, 2, 3, 4, 5}}));

    const Gpt model = drawn_gpt({.vocab_size = 9, .limit = 40, .d_model = 8, .num_heads = 2});
    const IndexTensor prompt({{1, 2}, {3, 4}, {5, 6}});
    GptSteps a(model), b(model);
    Random random_a(3), random_b(3);
    GenerateOptions options{.max_new_tokens = 30, .sampling = {.temperature = 2}};
    const Sequences whole = generate(a, prompt, random_a, options);
    options.end_token = whole[1][4];
    Sequences cut = whole;
    for (std::vector<std::int64_t>& sequence : cut) {
        const auto end = std::find(sequence.begin(), sequence.end(), *options.end_token);
        if (end != sequence.end()) sequence.erase(end + 1, sequence.end());
    }
    CHECK(generate(b, prompt, random_b, options) == cut);
}

TEST_CASE("tokens are shown as they are drawn, and whoever sees them may end it",
          "[nn][generate]") {
    TableSteps steps(counting(6));
    Random random(1);
    std::vector<IndexTensor> seen;
    GenerateOptions options{.max_new_tokens = 10, .sampling = {.temperature = 0}, .end_token = 4};
    options.on_tokens = [&](const IndexTensor& tokens) {
        seen.push_back(tokens);
        return seen.size() < 3;
    };
    CHECK(generate(steps, IndexTensor({{0}, {2}}), random, options) ==
          Sequences({{1, 2, 3}, {3, 4}}));
    REQUIRE(seen.size() == 3);
    CHECK(tensor::same_entries(seen[0], IndexTensor({1, 3})));
    CHECK(tensor::same_entries(seen[2], IndexTensor({3, 4})));  // its end token again
    CHECK(steps.length == 3);
}

TEST_CASE("on_tokens may change its options, throw, and generate with a copy of the model",
          "[nn][generate]") {
    const Gpt model = drawn_gpt({.vocab_size = 9, .limit = 20, .d_model = 8, .num_heads = 2});
    const IndexTensor prompt({1, 2, 3});
    Random unused(1);
    GptSteps plain(model);
    const Sequences expected = generate(plain, prompt, unused, greedily);

    GenerateOptions options = greedily;
    GptSteps steps(model);
    const std::string kept(100, 'k');
    int calls = 0;
    options.on_tokens = [&, kept](const IndexTensor&) {
        options = {};
        GptSteps copy = steps;
        generate(copy, IndexTensor({4}), unused, {.max_new_tokens = 2});
        calls += kept.size() == 100;
        return true;
    };
    CHECK(generate(steps, prompt, unused, options) == expected);
    CHECK(calls == 12);

    GptSteps again(model);
    options = greedily;
    options.on_tokens = [](const IndexTensor&) -> bool { throw std::runtime_error("in between"); };
    CHECK_THROWS_WITH(generate(again, prompt, unused, options), Contains("in between"));
    CHECK(grad_enabled());
    again.cache = GptCache();
    CHECK(generate(again, prompt, unused, greedily) == expected);
}

TEST_CASE("on_tokens that uses the model that is generating is refused", "[nn][generate][errors]") {
    const Gpt model = drawn_gpt({.vocab_size = 9, .limit = 20, .d_model = 8, .num_heads = 2});
    Random unused(1);
    GptSteps steps(model);
    GenerateOptions options = greedily;
    options.on_tokens = [&](const IndexTensor& tokens) {
        steps.read(tokens.reshape({1, 1}));
        return true;
    };
    CHECK(message_of<std::runtime_error>([&] {
              generate(steps, IndexTensor({1, 2}), unused, options);
          }) == "generate: on_tokens used the model that is generating: it had room for 18 tokens "
                "before the call and for 17 after it; use a copy of the model");
    options.on_tokens = [&](const IndexTensor&) {
        steps.cache = GptCache();
        return true;
    };
    steps.cache = GptCache();
    CHECK_THROWS_WITH(generate(steps, IndexTensor({1, 2}), unused, options),
                      Contains("room for 18 tokens before the call and for 20 after it"));
}

TEST_CASE("generating ends where the model has no room, and none is asked of it in vain",
          "[nn][generate]") {
    Random random(1);
    const GenerateOptions greedy{.sampling = {.temperature = 0}};
    TableSteps steps(counting(6), 4);
    CHECK(generate(steps, IndexTensor({0, 1}), random, greedy) == Sequences({{2, 3, 4}}));
    CHECK(steps.room() == 0);
    TableSteps filled(counting(6), 4);  // the last new token needs no room
    CHECK(generate(filled, IndexTensor({0, 1, 2, 3}), random, greedy) == Sequences({{4}}));
    TableSteps exactly(counting(6), 4);
    const GenerateOptions three{.max_new_tokens = 3, .sampling = {.temperature = 0}};
    CHECK(generate(exactly, IndexTensor({0, 1}), random, three) == Sequences({{2, 3, 4}}));
    TableSteps untouched(counting(6), 4);
    CHECK(generate(untouched, IndexTensor({0, 1}), random, {.max_new_tokens = 0}) == Sequences(1));
    CHECK(untouched.length == 0);
    const Gpt model = drawn_gpt({.vocab_size = 9, .limit = 8, .d_model = 8, .num_heads = 2});
    GptSteps all(model);
    CHECK(generate(all, IndexTensor({1, 2}), random)[0].size() == 7);
}

TEST_CASE("a text goes on after what was read before, and a copy by itself", "[nn][generate]") {
    const Gpt model = drawn_gpt({.vocab_size = 9, .limit = 40, .d_model = 8, .num_heads = 2});
    Random random(1);
    GptSteps whole(model), begun(model);
    const NoGrad no_grad;
    begun.read(IndexTensor({{1, 2, 3}}));
    CHECK(begun.room() == 37);
    GptSteps copy = begun;
    const Sequences expected = generate(whole, IndexTensor({1, 2, 3, 4, 5}), random, greedily);
    CHECK(generate(begun, IndexTensor({4, 5}), random, greedily) == expected);
    CHECK(generate(copy, IndexTensor({4, 5}), random, greedily) == expected);
}

TEST_CASE("an encoder and a decoder generate, too", "[nn][generate]") {
    Random random(1);
    const TinyTranslator model(random);
    const Variable memory(tensor::normal({2, 5, 8}, random));
    IndexTensor ids({{0}, {1}});
    for (int t = 0; t < 12; ++t) {
        const Tensor last = tensor::select(model(memory, ids).value(), 1, ids.dim(1) - 1);
        ids = appended(ids, tensor::argmax(last, -1));
    }
    TranslatorSteps steps(model, memory);
    const Sequences greedy = generate(steps, IndexTensor({{0}, {1}}), random, greedily);
    for (std::int64_t b = 0; b < 2; ++b) {
        CHECK(tensor::same_entries(IndexTensor(greedy[static_cast<std::size_t>(b)]),
                                   tensor::slice(ids.select(b), 0, 1)));
    }
}

TEST_CASE("generating records nothing", "[nn][generate]") {
    const Gpt model = drawn_gpt({.vocab_size = 9, .limit = 8, .d_model = 8, .num_heads = 2});
    GptSteps steps(model);
    Random random(1);
    generate(steps, IndexTensor({1, 2}), random);
    CHECK_FALSE(steps.cache.blocks[0].all().K.requires_grad());
    TableSteps table(counting(6), 4);
    generate(table, IndexTensor({0}), random);
    CHECK_FALSE(table.recorded);
    CHECK(grad_enabled());
}

// With the list as it were, a loop over [0] would read freed memory.
TEST_CASE("a part of results that nobody keeps lives on its own", "[nn][generate]") {
    Random random(1);
    std::vector<std::int64_t> ids;
    TableSteps model(counting(5));
    const IndexTensor prompt({0});
    const GenerateOptions three{.max_new_tokens = 3, .sampling = {.temperature = 0}};
    for (const std::int64_t id : generate(model, prompt, random, three)[0]) ids.push_back(id);
    for (const std::int64_t id : generate(model, prompt, random, three).at(0)) ids.push_back(id);
    for (const std::int64_t id : generate(model, prompt, random, three).front()) ids.push_back(id);
    for (const std::int64_t id : generate(model, prompt, random, three).back()) ids.push_back(id);
    for (const std::int64_t id : beam_search(model, prompt, {.max_new_tokens = 3})[0].tokens) {
        ids.push_back(id);
    }
    CHECK(ids == std::vector<std::int64_t>{1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3});
    using Found = decltype(generate(model, prompt, random));
    static_assert(!std::is_reference_v<decltype(std::declval<Found>()[0])>);
    static_assert(std::is_reference_v<decltype(std::declval<Found&>()[0])>);
    Results<std::vector<std::int64_t>> kept = generate(model, prompt, random, three);
    kept[0][0] = 7;
    CHECK(kept.at(0) == Sequences{{7, 2, 3}}[0]);
    const Sequences as_a_list = kept;
    CHECK(as_a_list == kept);
}

TEST_CASE("generating says what is wrong", "[nn][generate]") {
    Random random(1);
    TableSteps steps(counting(6), 4);
    const auto refused = [&](const IndexTensor& prompt, const GenerateOptions& options) {
        return message_of<std::invalid_argument>([&] { generate(steps, prompt, random, options); });
    };
    CHECK(
        refused({0, 1}, {.max_new_tokens = 4}) ==
        "generate: the length of the prompt is 2 and max_new_tokens is 4; the model has room for 4 "
        "tokens, so for 3 new ones, the last of which it need not read");
    CHECK(refused({0, 1}, {.max_new_tokens = -1}) ==
          "generate: max_new_tokens is -1; it cannot be negative");
    CHECK(refused({0, 1, 2, 3, 4}, {}) ==
          "generate: the length of the prompt is 5; the model has room for 4 tokens");
    CHECK(steps.length == 0);  // nothing was read yet
    CHECK(refused({0}, {.sampling = {.top_p = 2}}).starts_with("generate: top_p is 2;"));
    TableSteps endless(counting(6));
    CHECK(message_of<std::invalid_argument>([&] { generate(endless, IndexTensor({0}), random); }) ==
          "generate: the model has no limit; give max_new_tokens");
    TableSteps other(counting(6), 4);
    CHECK(message_of<std::out_of_range>([&] {
              generate(other, IndexTensor({0}), random, {.end_token = 6});
          }) == "generate: end_token is 6; the model's tokens are 0 to 5");
    const std::string prompt_rule =
        "; it must be [T] or [B, T], with at least one token, such as one that begins a text";
    CHECK(message_of<ShapeError>([&] { generate(other, IndexTensor(), random); }) ==
          "generate: the prompt has shape [0]" + prompt_rule);
    CHECK(message_of<ShapeError>([&] {
              generate(other, IndexTensor({1, 2}, Shape({1, 1, 2})), random);
          }) == "generate: the prompt has shape [1, 1, 2]" + prompt_rule);
    TableSteps unlike(tensor::zeros({6, 2, 2}), 4);
    CHECK(message_of<ShapeError>([&] {
              generate(unlike, IndexTensor({{0}, {1}}), random);
          }) == "generate: the model's read() returned logits of shape [2, 2, 2] for 2 sequences; "
                "they must be [B, vocab_size], for the last token of each");
    struct OfTheFirst : TableSteps {
        using TableSteps::TableSteps;
        Tensor read(const IndexTensor& ids, CallSite site) override {
            return tensor::slice(TableSteps::read(ids, site), 0, 0, 1);
        }
    };
    OfTheFirst fewer(counting(6), 4);
    CHECK(message_of<ShapeError>([&] {
              generate(fewer, IndexTensor({{0}, {1}}), random);
          }).starts_with("generate: the model's read() returned logits of shape [1, 6] for 2 seq"));
    TableSteps broken(tensor::full({6, 6}, std::nan("")), 4);
    CHECK(message_of<std::invalid_argument>([&] {
              generate(broken, IndexTensor({0}), random);
          }).starts_with("generate: the largest logit in row 0 is nan; it must be finite"));

    Gpt model({.vocab_size = 9, .limit = 8, .d_model = 8, .num_heads = 2, .dropout = 0.1}, random);
    GptSteps training(model);
    CHECK(message_of<std::runtime_error>([&] { generate(training, IndexTensor({0}), random); }) ==
          "generate: the network is in training mode, and its dropout is active (dropout); write "
          "`EvalMode eval(network);` before, or network.eval()");
    const EvalMode eval(model);
    CHECK(generate(training, IndexTensor({0}), random)[0].size() == 8);
    CHECK(message_of<std::out_of_range>([&] {
              GptSteps anew(model);
              generate(anew, IndexTensor({9}), random);
          }).starts_with("Gpt: id 9 at [0, 0] is out of range"));
}
