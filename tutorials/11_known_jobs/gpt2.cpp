// Lesson 11: the heads that were set by hand, looked for in GPT-2 (11.7).
#include "tutorials/11_known_jobs/parts.h"

#include "nn/pages/heat_map.h"
#include "tensor/ops.h"
#include "tensor/print.h"
#include "tutorials/support/gpt2_attention.h"
#include "tutorials/support/lesson.h"
#include "tutorials/support/page.h"
#include "tutorials/support/plot.h"
#include "tutorials/support/predict.h"
#include "tutorials/support/stop.h"
#include "tutorials/support/terminal.h"

#include <algorithm>
#include <iostream>

using namespace heed;
using tutorial::check;
using tutorial::Gpt2Attention;
using tutorial::say;
using tutorial::section;
using tutorial::Words;

namespace {

const std::int64_t layers = 12, heads = 12, T = 6;
const std::int64_t first_the = 1, second_the = 5;  // positions in the sentence

// How a head is measured: a number from its weights [T, T].
using Measure = double (*)(const Tensor& weights);

double on_the_word_before(const Tensor& weights) {
    double sum = 0;
    for (std::int64_t i = 1; i < T; ++i) sum += weights(i, i - 1);
    return sum / (T - 1);
}

double on_the_first_word(const Tensor& weights) {
    double sum = 0;
    for (std::int64_t i = 1; i < T; ++i) sum += weights(i, 0);
    return sum / (T - 1);
}

double on_the_same_word(const Tensor& weights) { return weights(second_the, first_the); }

struct Found {
    std::string name;  // layer.head
    double value;
    Tensor weights;  // [T, T]
};

// All heads, those that are measured highest first.
std::vector<Found> highest(const Gpt2Attention& gpt2, Measure measure) {
    std::vector<Found> found;
    for (std::int64_t layer = 0; layer < layers; ++layer) {
        for (std::int64_t head = 0; head < heads; ++head) {
            const Tensor weights = gpt2.head(layer, head);
            found.push_back(
                {std::to_string(layer) + "." + std::to_string(head), measure(weights), weights});
        }
    }
    std::stable_sort(found.begin(), found.end(),
                     [](const Found& a, const Found& b) { return a.value > b.value; });
    return found;
}

void print_highest(const char* what, const std::vector<Found>& found) {
    Words cells;
    for (std::size_t i = 0; i < 4; ++i) {
        cells.push_back(found[i].name + ": " + fixed(found[i].value, 3));
    }
    tutorial::print_row(std::cout, what, cells, 11, 11);
}

// The number of heads of a layer, or with -1 of all, that have more than `least` on the first word.
std::int64_t sinks(const Gpt2Attention& gpt2, double least, std::int64_t of_layer = -1) {
    std::int64_t count = 0;
    for (std::int64_t layer = 0; layer < layers; ++layer) {
        for (std::int64_t head = 0; head < heads; ++head) {
            const bool counts = of_layer < 0 || layer == of_layer;
            count += counts && on_the_first_word(gpt2.head(layer, head)) > least;
        }
    }
    return count;
}

void print_sinks(const Gpt2Attention& gpt2) {
    Words numbers, over_half, over_nine_tenths;
    tutorial::Series half{.name = "above 0.5", .x = {}, .y = {}};
    tutorial::Series nine_tenths{.name = "above 0.9", .x = {}, .y = {}};
    for (std::int64_t layer = 0; layer < layers; ++layer) {
        const std::int64_t of_half = sinks(gpt2, 0.5, layer);
        const std::int64_t of_nine_tenths = sinks(gpt2, 0.9, layer);
        numbers.push_back(std::to_string(layer));
        over_half.push_back(std::to_string(of_half));
        over_nine_tenths.push_back(std::to_string(of_nine_tenths));
        half.x.push_back(static_cast<double>(layer));
        half.y.push_back(static_cast<double>(of_half));
        nine_tenths.y.push_back(static_cast<double>(of_nine_tenths));
    }
    tutorial::print_row(std::cout, "layer", numbers, 18, 2);
    tutorial::print_row(std::cout, "heads above 0.5", over_half, 18, 2);
    tutorial::print_row(std::cout, "heads above 0.9", over_nine_tenths, 18, 2);
    std::cout << "\n";
    if (!tutorial::page_is_written()) return;
    nine_tenths.x = half.x;
    tutorial::draw(
        tutorial::plot_svg({.title = "Heads that rest on the first word",
                            .x = {.label = "layer of GPT-2", .ticks = half.x},
                            .y = {.label = "heads of 12, by their weight on it", .covers = {0, 12}},
                            .series = {half, nine_tenths}}));
}

}  // namespace

void in_gpt2() {
    section("11.7 The same heads in GPT-2");
    say("Does training find such heads? GPT-2 (Radford et al. 2019; 124 million parameters) has 12 "
        "layers of 12 heads, and its weights on one sentence are compiled in here, \"As the "
        "spaceship was approaching the\", as recorded by the Transformer Explainer. Head 4.11 is "
        "head 11 of layer 4, both counted from 0. Each of the 144 heads is measured in three ways, "
        "with $a_ij$ its weight of query i on key j; word 0 sees only itself and is left out:");
    tutorial::formula("before  the mean over words $i = 1$ to 5 of $a_(i, i-1)$\n"
                      "first   the mean over words $i = 1$ to 5 of $a_(i, 0)$\n"
                      "same    $a_(5, 1)$: the second \"the\" on the first");
    const Gpt2Attention& gpt2 = tutorial::recorded_gpt2_attention();
    tutorial::predict_choice("Which of the three do most heads have high?",
                             {"before", "first", "same"}, "first",
                             "A head rests where its job is not asked for.");
    const std::vector<Found> before = highest(gpt2, on_the_word_before);
    const std::vector<Found> first = highest(gpt2, on_the_first_word);
    const std::vector<Found> same = highest(gpt2, on_the_same_word);
    const Tensor word_before = before[0].weights, same_word = same[0].weights;  // [T, T]
    stop("11.7 in gpt-2", {{"word_before", word_before}, {"same_word", same_word}});
    std::cout << "the four highest of 144\n";
    print_highest("before", before);
    print_highest("first", first);
    print_highest("same", same);
    tutorial::show_attention(
        "All 144 heads to explore. Head 4.11 is a diagonal one step below the first; from layer 5 "
        "on most heads put nearly everything on the first word; 0.1 and 0.5 find the same word.",
        gpt2.records());
    std::cout << "\nhead " << before[0].name << ": the word before\n\n";
    print_heat_map(std::cout, gpt2.words, gpt2.words, word_before, Mask::causal(T));
    check(before[0].name == "4.11" && before[0].value > 0.9998,
          "head 4.11 is the head of 11.1: it has more than 0.9998 on the word before, on average");
    check(before[1].value < 0.65, "no other head has more than 0.65 there");
    std::cout << "head " << same[0].name << ": the same word\n\n";
    print_heat_map(std::cout, gpt2.words, gpt2.words, same_word, Mask::causal(T));
    check(same[0].name == "0.1" && same_word(second_the, first_the) > 0.4 &&
              same_word(second_the, second_the) > 0.4 && same_word(2, 2) > 0.9,
          "head 0.1 is the head of 11.2: each \"the\" it can see has about half, a word that "
          "stands alone looks at itself");
    say("Wang et al. (2022), who took GPT-2 apart by other means, name 2.2 and 4.11 as its heads "
        "for the word before, and 0.1 among those for a word that occurred. And the first word? "
        "How many heads of each layer have more than a half, or nine tenths, on it:");
    print_sinks(gpt2);
    check(sinks(gpt2, 0.9) == 35 && sinks(gpt2, 0.5) == 122,
          "35 of 144 heads have more than 0.9 on the first word, 122 more than 0.5");
    check(sinks(gpt2, 0.9, 0) == 0, "in layer 0 no head has more than 0.9 there");
    say("\"As\" says little about the words that follow. It serves as the zero key of 11.6: each "
        "row must sum to 1, also where a head finds nothing, and the first word is the one that "
        "every query can see (Xiao et al. 2023 call it an attention sink). So do not read meaning "
        "into a high weight on the first word. And this is one sentence: what these heads do in "
        "others, it does not show.");
}
