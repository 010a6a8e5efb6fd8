#include "tutorials/18_measured.h"

#include "heed/autograd/grad_mode.h"
#include "heed/nn/attention/attention_record.h"
#include "heed/tensor/ops.h"
#include "heed/tensor/print.h"
#include "tutorials/support/heat_map.h"
#include "tutorials/support/lesson.h"
#include "tutorials/support/predict.h"
#include "tutorials/support/stop.h"
#include "tutorials/support/table.h"

#include <algorithm>
#include <iostream>

using namespace heed;
using tutorial::check;
using tutorial::print_row;
using tutorial::say;
using tutorial::section;
using tutorial::Words;

namespace {

const int steps = 600;
const std::int64_t num_heads = 4;
const std::size_t num_ranges = 7;
const std::int64_t lengths[num_ranges][2] = {{3, 6},   {7, 9},   {10, 12}, {13, 15},
                                             {16, 18}, {19, 21}, {22, 24}};
const std::size_t trained = 3;  // ranges, the first

std::vector<Pairs> random_tests(Random& random) {
    std::vector<Pairs> tests;
    for (const auto& [fewest, most] : lengths) {
        tests.push_back(pairs_of(translations(100, fewest, most, random), languages_of_grammar()));
    }
    return tests;
}

void print_lengths() {
    std::vector<std::string> cells;
    for (const auto& [fewest, most] : lengths) {
        cells.push_back(std::to_string(fewest) + "-" + std::to_string(most));
    }
    print_row(std::cout, "Spanish words", cells, 24, 6);
}

void print_shares(const std::string& what, const std::vector<double>& shares) {
    std::vector<std::string> cells;
    for (const double share : shares) cells.push_back(fixed(share, 2));
    print_row(std::cout, what, cells, 24, 6);
}

// The share of right translations for each range of lengths.
std::vector<double> curve_of(const Figure1& model, const std::vector<Pairs>& tests) {
    std::vector<double> curve;
    for (const Pairs& pairs : tests) {
        curve.push_back(right_share(translate(model, pairs.source, 45), pairs));
    }
    return curve;
}

// Where the decoder looks for each English word, given the right ones before: [B, h, T - 1, S].
Tensor cross_weights(const Figure1& model, const Pairs& pairs) {
    const NoGrad no_grad;
    const RecordAttention recording(model, "decoder.layers.0.multihead_attn");
    model(pairs.source, said_so_far(pairs));
    return recording.at("decoder.layers.0.multihead_attn").weights;
}

Figure1 orders(const std::vector<Pairs>& tests, Random& random) {
    section("18.3 Longer sentences");
    say("One layer on each side, four heads, d = 64, trained as lesson 13's translators: 600 "
        "batches "
        "of 32, from 10,000 sentences of 3 to 12 Spanish words. The share of right translations, "
        "on "
        "100 new sentences each; the columns are those of lesson 13's curve. The order of the "
        "words "
        "is told in three ways: by the paper's sinusoids; by a bias for each distance (lesson 10) "
        "within Spanish and within English; by a bias in cross-attention, too.");
    tutorial::predict_choice("Which will still translate sentences of 22 to 24 words?",
                             {"sinusoids", "bias within", "bias everywhere"}, "bias everywhere",
                             "The others have never seen such places, or nothing says which "
                             "Spanish words are near.");
    const Corpus corpus(translations(10000, 3, 12, random), languages_of_grammar());
    const Figure1 waves = trained_translator(Order::sinusoids, corpus, steps, random);
    const Figure1 apart = trained_translator(Order::bias_within, corpus, steps, random);
    const Figure1 model = trained_translator(Order::bias_everywhere, corpus, steps, random);
    const std::vector<double> by_waves = curve_of(waves, tests), by_apart = curve_of(apart, tests);
    const std::vector<double> by_bias = curve_of(model, tests);
    const Tensor right = tensor::of({by_waves[6], by_apart[6], by_bias[6]});
    const Tensor right_at_12 = tensor::of({by_waves[2], by_apart[2], by_bias[2]});
    stop("18.3 right", {{"right", right}, {"right_at_12", right_at_12}});
    print_lengths();
    print_shares("sinusoids", by_waves);
    print_shares("bias within a language", by_apart);
    print_shares("bias everywhere", by_bias);
    std::cout << "\n";
    check(*std::min_element(by_waves.begin(), by_waves.begin() + trained) > 0.9 &&
              *std::min_element(by_bias.begin(), by_bias.begin() + trained) > 0.9,
          "as long as those they learned from: sinusoids and a bias everywhere translate");
    check(by_apart[2] < by_bias[2] - 0.1,
          "a bias within each language alone is worse already there");
    check(by_waves[6] < 0.05 && by_apart[6] < 0.05,
          "twice as long: neither of these two translates a sentence in twenty");
    check(by_bias[4] > 0.5 && by_bias[6] > 0.2, "a bias everywhere does");
    return model;
}

void where_it_looks(const Figure1& model, const std::vector<Pairs>& tests) {
    section("18.4 Where cross-attention looks");
    say("Nobody told it which Spanish word an English one comes from. The share of English words "
        "whose largest weight is on the right one, for each head and for the mean of their "
        "weights:");
    std::vector<std::vector<double>> shares(num_heads + 1);
    for (const Pairs& pairs : tests) {
        const Tensor weights = cross_weights(model, pairs);  // [B, h, T - 1, S]
        for (std::int64_t h = 0; h < num_heads; ++h) {
            shares[static_cast<std::size_t>(h)].push_back(
                aligned_share(tensor::select(weights, 1, h), pairs));
        }
        shares[num_heads].push_back(aligned_share(tensor::mean(weights, 1), pairs));
    }
    print_lengths();
    for (std::size_t h = 0; h < num_heads; ++h) {
        print_shares("head " + std::to_string(h), shares[h]);
    }
    print_shares("mean of the four", shares[num_heads]);
    std::cout << "\n";
}

}  // namespace

Figure1 measured_translator(Random& random) {
    const std::vector<Pairs> tests = random_tests(random);
    const Figure1 model = orders(tests, random);
    where_it_looks(model, tests);
    return model;
}
