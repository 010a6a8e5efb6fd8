// beam_search(): against all sequences there are, against greedy generation, by hand.
#include "nn/heed.h"

#include "tests/catch.h"
#include "tests/message_of.h"
#include "tests/nn/generation/tables.h"
#include "tests/nn/generation/translator.h"

#include <algorithm>
#include <cmath>

using namespace heed;

namespace {
using Ids = std::vector<std::int64_t>;

Gpt drawn_gpt(std::int64_t vocab_size) {
    Random random(1);
    Gpt model({.vocab_size = vocab_size, .limit = 16, .d_model = 8, .num_heads = 2}, random);
    for (const ParameterMember& member : parameter_members(member_tree(model))) {
        init::normal(*member.parameter, random, 0, 0.5);
    }
    return model;
}

// The log-probability of these tokens after the prompt, computed anew.
double log_probability(const Gpt& model, const Ids& prompt, const Ids& tokens) {
    Ids ids = prompt;
    double sum = 0;
    for (const std::int64_t token : tokens) {
        const Tensor logits = model(IndexTensor(ids)).value();
        const Tensor log_p = tensor::log_softmax(logits, -1);
        sum += static_cast<double>(log_p(std::ssize(ids) - 1, token));
        ids.push_back(token);
    }
    return sum;
}

// All sequences of so many tokens, or that end before.
void all_sequences(std::int64_t V, std::size_t length, std::int64_t end, const Ids& begun,
                   std::vector<Ids>& found) {
    if (begun.size() == length || (!begun.empty() && begun.back() == end)) {
        found.push_back(begun);
        return;
    }
    for (std::int64_t token = 0; token < V; ++token) {
        Ids longer = begun;
        longer.push_back(token);
        all_sequences(V, length, end, longer, found);
    }
}

}  // namespace

TEST_CASE("with a beam for every sequence, beam search finds the best of all",
          "[nn][beam_search]") {
    const Gpt model = drawn_gpt(3);
    const Ids prompt{1, 2};
    std::vector<Ids> sequences;
    all_sequences(3, 4, 0, {}, sequences);
    CHECK(sequences.size() == 1 + 2 + 4 + 8 * 3);
    for (const double penalty : {0.0, 0.65, 2.0}) {
        GptSteps steps(model);
        const std::vector<Beam> beams = beam_search(
            steps, IndexTensor(prompt),
            {.num_beams = 31, .max_new_tokens = 4, .end_token = 0, .length_penalty = penalty});
        REQUIRE(beams.size() == sequences.size());
        double best = -infinity;
        Ids best_tokens;
        for (const Ids& tokens : sequences) {
            const double score = log_probability(model, prompt, tokens) /
                                 std::pow((5 + static_cast<double>(tokens.size())) / 6, penalty);
            if (score > best) best_tokens = tokens;
            best = std::max(best, score);
        }
        CHECK(beams[0].tokens == best_tokens);
        CHECK(std::abs(beams[0].score - best) < 1e-5);
        double total = 0;
        for (const Beam& beam : beams) {
            const double log_p = log_probability(model, prompt, beam.tokens);
            CHECK(std::abs(beam.log_probability - log_p) < 1e-5);
            CHECK(beam.ended == (beam.tokens.back() == 0));
            total += std::exp(beam.log_probability);
        }
        CHECK(std::abs(total - 1) < 1e-5);  // each sequence is there once
        CHECK(std::is_sorted(beams.begin(), beams.end(),
                             [](const Beam& a, const Beam& b) { return a.score > b.score; }));
    }
}

TEST_CASE("one beam is greedy generation", "[nn][beam_search]") {
    const Gpt model = drawn_gpt(9);
    Random random(1);
    for (std::int64_t first = 0; first < 9; ++first) {
        for (const std::int64_t end : {0, 4, 7}) {
            GptSteps a(model), b(model);
            const std::vector<Beam> beams = beam_search(
                a, IndexTensor({first}), {.num_beams = 1, .end_token = end, .length_penalty = 1});
            REQUIRE(beams.size() == 1);
            CHECK(beams[0].tokens ==
                  generate(b, IndexTensor({first}), random,
                           {.sampling = {.temperature = 0}, .end_token = end})[0]);
        }
    }
}

TEST_CASE("two beams find what greed misses, worked out by hand", "[nn][beam_search]") {
    // From 0: 1 with .6, 2 with .4. After 1 all three are equal; after 2 comes 0 with .9.
    const Tensor P = tensor::of({{1e-9, 0.6, 0.4}, {1 / 3.0, 1 / 3.0, 1 / 3.0}, {0.9, 0.05, 0.05}});
    TableSteps greedy(tensor::log(P)), steps(tensor::log(P));
    CHECK(beam_search(greedy, IndexTensor({0}), {.num_beams = 1, .max_new_tokens = 2})[0].tokens ==
          Ids({1, 0}));  // .6·.333 = .2; of equals, the lowest id
    const std::vector<Beam> beams =
        beam_search(steps, IndexTensor({0}), {.num_beams = 2, .max_new_tokens = 2});
    REQUIRE(beams.size() == 2);
    CHECK(beams[0].tokens == Ids({2, 0}));  // .4·.9 = .36
    CHECK(std::abs(std::exp(beams[0].log_probability) - 0.36) < 1e-6);
    CHECK(beams[1].tokens == Ids({1, 0}));
    CHECK_FALSE(beams[0].ended);
    CHECK(steps.length == 2);
    CHECK(steps.batch == 2);
}

TEST_CASE("a beam that has ended holds its place, and a length penalty lets long ones win",
          "[nn][beam_search]") {
    // From 0: end (token 2) with .5, 1 with .5; 1 is followed by 1 with .9 or ends with .1.
    const double impossible = -infinity;
    const Tensor logits = tensor::of({{impossible, std::log(0.5), std::log(0.5)},
                                      {impossible, std::log(0.9), std::log(0.1)},
                                      {0, 0, 0}});
    const auto search = [&](double penalty) {
        TableSteps steps(logits);
        return beam_search(
            steps, IndexTensor({0}),
            {.num_beams = 2, .max_new_tokens = 3, .end_token = 2, .length_penalty = penalty});
    };
    const std::vector<Beam> plain = search(0), penalized = search(1);
    REQUIRE(plain.size() == 2);
    CHECK(plain[0].tokens == Ids({2}));  // log .5
    CHECK(plain[0].ended);
    CHECK(plain[0].score == plain[0].log_probability);
    CHECK(plain[1].tokens == Ids({1, 1, 1}));  // log .405
    CHECK(penalized[0].tokens == Ids({1, 1, 1}));
    CHECK(std::abs(penalized[0].score - std::log(0.405) / (8.0 / 6)) < 1e-6);  // -.678
    CHECK(std::abs(penalized[1].score - std::log(0.5)) < 1e-6);                // -.693
    // A search whose beams have all ended reads no further.
    TableSteps steps(tensor::of({{0, 0, 9}, {0, 0, 9}, {0, 0, 9}}));
    CHECK(beam_search(steps, IndexTensor({0}),
                      {.num_beams = 1, .max_new_tokens = 50, .end_token = 2})[0]
              .tokens == Ids({2}));
    CHECK(steps.length == 1);
}

TEST_CASE("impossible tokens are in no beam", "[nn][beam_search]") {
    const double impossible = -infinity;
    TableSteps steps(tensor::of({{impossible, 0}, {0, impossible}}));
    const std::vector<Beam> beams =
        beam_search(steps, IndexTensor({0}), {.num_beams = 5, .max_new_tokens = 3});
    REQUIRE(beams.size() == 1);
    CHECK(beams[0].tokens == Ids({1, 0, 1}));
    CHECK(beams[0].log_probability == 0);
}

TEST_CASE("beam search of an encoder and a decoder finds the best of all", "[nn][beam_search]") {
    Random random(1);
    const TinyTranslator model(random);
    const Variable memory(tensor::normal({1, 5, 8}, random));
    TranslatorSteps steps(model, memory);
    const std::vector<Beam> beams =
        beam_search(steps, IndexTensor({0}), {.num_beams = 400, .max_new_tokens = 3});
    REQUIRE(beams.size() == 343);
    double best = -infinity;
    for (const Beam& beam : beams) {
        const Ids& y = beam.tokens;
        const Variable logits = model(memory, IndexTensor({{0, y[0], y[1]}}));
        const Tensor log_p = tensor::log_softmax(logits.value(), -1);
        const double sum = static_cast<double>(log_p(0, 0, y[0]) + log_p(0, 1, y[1])) +
                           static_cast<double>(log_p(0, 2, y[2]));
        CHECK(std::abs(beam.log_probability - sum) < 1e-4);
        best = std::max(best, sum);
    }
    CHECK(std::abs(beams[0].score - best) < 1e-4);
}

TEST_CASE("beam search records nothing, and reads nothing in vain", "[nn][beam_search]") {
    TableSteps steps(tensor::zeros({3, 3}), 4);
    CHECK(beam_search(steps, IndexTensor({0, 1}))[0].tokens.size() == 3);  // the last is not read
    CHECK(steps.length == 4);
    CHECK_FALSE(steps.recorded);
    CHECK(grad_enabled());
    TableSteps untouched(tensor::zeros({3, 3}), 4);
    const std::vector<Beam> nothing =
        beam_search(untouched, IndexTensor({0}), {.max_new_tokens = 0});
    REQUIRE(nothing.size() == 1);
    CHECK(nothing[0].tokens.empty());
    CHECK(untouched.length == 0);
}

TEST_CASE("beam search says what is wrong", "[nn][beam_search]") {
    TableSteps steps(tensor::zeros({3, 3}), 4);
    const auto refused = [&](const BeamOptions& options) {
        return message_of<std::invalid_argument>(
            [&] { beam_search(steps, IndexTensor({0}), options); });
    };
    CHECK(refused({.num_beams = 0}) == "beam_search: num_beams is 0; it must be at least 1");
    CHECK(refused({.length_penalty = -0.5}) ==
          "beam_search: length_penalty is -0.5; it must be finite and not negative; 0 means none");
    CHECK(refused({.length_penalty = std::nan("")})
              .starts_with("beam_search: length_penalty is nan"));
    CHECK(refused({.max_new_tokens = 5}) ==
          "beam_search: the length of the prompt is 1 and max_new_tokens is 5; the model has room "
          "for 4 "
          "tokens, so for 4 new ones, the last of which it need not read");
    const std::string rule = "; it must be [T] or [1, T], with at least one token; search for "
                             "several prompts one at a time";
    CHECK(message_of<ShapeError>([&] {
              beam_search(steps, IndexTensor({{0}, {1}}));
          }) == "beam_search: the prompt has shape [2, 1]" + rule);
    CHECK(message_of<ShapeError>([&] { beam_search(steps, IndexTensor()); }) ==
          "beam_search: the prompt has shape [0]" + rule);
    CHECK(message_of<std::out_of_range>([&] {
              beam_search(steps, IndexTensor({0}), {.end_token = -1});
          }) == "beam_search: end_token is -1; the model's tokens are 0 to 2");
    CHECK(refused({.length_penalty = infinity}).starts_with("beam_search: length_penalty is inf"));
    TableSteps broken(tensor::full({3, 3}, std::nan("")), 4);
    CHECK(message_of<std::invalid_argument>([&] {
              beam_search(broken, IndexTensor({0}));
          }).starts_with("beam_search: the largest logit in row 0 is nan"));
    Random random(1);
    const TinyTranslator model(random, 0.2);
    TranslatorSteps training(model, Variable(tensor::zeros({1, 2, 8})));
    CHECK(message_of<std::runtime_error>([&] { beam_search(training, IndexTensor({0})); })
              .starts_with("beam_search: the network is in training mode, and its dropout is "
                           "active (decoder.layers.0.self_attn.dropout)"));
}
