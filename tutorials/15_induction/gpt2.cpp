// Lesson 15: what GPT-2's heads do with a word that occurs twice, and what one sentence can show of
// induction (15.6).
#include "tutorials/15_induction/parts.h"

#include "nn/pages/heat_map.h"
#include "tutorials/support/gpt2_attention.h"
#include "tutorials/support/lesson.h"
#include "tutorials/support/page.h"
#include "tutorials/support/predict.h"
#include "tutorials/support/stop.h"
#include "tutorials/support/terminal.h"

#include <algorithm>
#include <iostream>

using namespace heed;
using tutorial::check;
using tutorial::Gpt2Attention;
using tutorial::print_row;
using tutorial::say;
using tutorial::section;

namespace {

// Positions in "As the spaceship was approaching the".
const std::int64_t spaceship = 2, was = 3, approaching = 4, second_the = 5;

struct Found {
    std::int64_t layer, head;
    Scalar induction;  // the weight of the second "the" on "spaceship", which followed the first
    Scalar others;     // the larger of those of "was" and "approaching" on it
    Scalar rest;       // the weight of the second "the" on the first token
};

Found found_in(const Gpt2Attention& gpt2, std::int64_t layer, std::int64_t head) {
    const Tensor weights = gpt2.head(layer, head);
    return {layer, head, weights(second_the, spaceship),
            std::max(weights(was, spaceship), weights(approaching, spaceship)),
            weights(second_the, 0)};
}

// All heads, those with the most induction first.
std::vector<Found> by_induction(const Gpt2Attention& gpt2) {
    std::vector<Found> all;
    for (std::int64_t layer = 0; layer < 12; ++layer) {
        for (std::int64_t head = 0; head < 12; ++head) all.push_back(found_in(gpt2, layer, head));
    }
    std::stable_sort(all.begin(), all.end(),
                     [](const Found& a, const Found& b) { return a.induction > b.induction; });
    return all;
}

void print_found(const Found& head) {
    print_row(std::cout, std::to_string(head.layer) + "." + std::to_string(head.head),
              {fixed(head.induction, 2), fixed(head.others, 2), fixed(head.rest, 2)}, 6, 10);
}

}  // namespace

void in_gpt2() {
    section("15.6 The real thing: GPT-2");
    say("11.7 found the head for the word before in GPT-2: 4.11, in layer 4 of 12. Is there one in "
        "a later layer that uses it? In \"As the spaceship was approaching the\" the second "
        "\"the\" should look at \"spaceship\", which followed the first. The seven of 144 heads in "
        "which it does so most, and a control: with $a_ij$ the head's weight of word i on word j,");
    tutorial::formula(
        "induction  $a_(5, 2)$: the second \"the\" on \"spaceship\"\n"
        "others     the larger of $a_(3, 2)$, $a_(4, 2)$: \"was\" and \"approaching\" on it\n"
        "rest       $a_(5, 0)$: the second \"the\" on the first word");
    const Gpt2Attention& gpt2 = tutorial::recorded_gpt2_attention();
    const std::vector<Found> heads = by_induction(gpt2);
    const Tensor most = gpt2.head(heads[0].layer, heads[0].head);  // [T, T]
    stop("15.6 in gpt-2", {{"most", most}});
    print_row(std::cout, "head", {"induction", "others", "rest"}, 6, 10);
    for (std::size_t i = 0; i < 7; ++i) print_found(heads[i]);
    std::cout << "\n";
    tutorial::predict_choice("One of the seven cannot be an induction head, whatever its weights. "
                             "Which?",
                             {"9.8", "0.6", "8.8", "4.3"}, "0.6",
                             "In layer 0 no key knows yet what stood before it.");
    const auto named = [&](std::int64_t layer, std::int64_t head) {
        return found_in(gpt2, layer, head);
    };
    check(heads[1].layer == 0 && heads[1].head == 6,
          "the second highest is in layer 0, where no key can know what stood before it");
    check(named(4, 3).others > 0.9 && named(8, 8).others > named(8, 8).induction,
          "in 4.3 and 8.8 a word that did not occur before looks at \"spaceship\" as much or more");
    say("Those two look at the noun, whoever asks. Four are left, 9.8, 6.4, 7.3 and 10.4, in which "
        "the repeated word looks there more than any other does. It is what an induction head "
        "would do. Is it proof? No: 15.4. Here are the heads that Wang et al. (2022) name as "
        "GPT-2's induction heads, found with many sentences and by changing what one head passes "
        "to another:");
    const std::vector<Found> published = {named(5, 5), named(5, 8), named(5, 9), named(6, 9)};
    print_row(std::cout, "head", {"induction", "others", "rest"}, 6, 10);
    bool at_rest = true;
    for (const Found& head : published) {
        print_found(head);
        at_rest = at_rest && head.rest > 0.6 && head.induction < 0.2;
    }
    std::cout << "\n";
    check(at_rest, "in this sentence these four put most of their weight on the first word");
    tutorial::show_attention("All heads to explore: in 9.8 the second \"the\" looks at "
                             "\"spaceship\", which followed the "
                             "first one.",
                             gpt2.records());
    say("They rest (11.7), perhaps because what followed one \"the\" is a poor guess for what "
        "follows the next. So a list of high weights in one sentence finds heads that look at a "
        "noun, and misses the ones that do induction elsewhere. What shows them is "
        "the test of 15.3, random tokens repeated, and the knocking out of 15.5. Take both to a "
        "model of your own, or load GPT-2 itself (lesson 20).");
}
