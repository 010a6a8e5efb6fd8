// Lesson 11: a lookup whose item may be absent. A row of weights sums to 1, so a head cannot ignore
// everything (11.5); a key with nothing behind it lets it rest (11.6).
#include "tutorials/11_known_jobs/lookup.h"
#include "tutorials/11_known_jobs/parts.h"

#include "nn/pages/heat_map.h"
#include "tensor/ops.h"
#include "tensor/print.h"
#include "tutorials/support/lesson.h"
#include "tutorials/support/predict.h"
#include "tutorials/support/several.h"
#include "tutorials/support/stop.h"
#include "tutorials/support/terminal.h"

#include <cmath>
#include <iostream>

using namespace heed;
using tutorial::check;
using tutorial::median_and_range;
using tutorial::print_row;
using tutorial::say;
using tutorial::section;
using tutorial::Several;

namespace {

const int models = 5;  // trained of each kind

using Figure = double Measured::*;

Several several(const std::vector<Measured>& heads, Figure figure) {
    std::vector<double> values;
    for (const Measured& head : heads) values.push_back(head.*figure);
    return tutorial::several(values);
}

// Is the figure of each head within `tolerance` of what was derived?
bool all_near(const std::vector<Measured>& heads, Figure figure, double derived, double tolerance) {
    const Several found = several(heads, figure);
    return std::fabs(found.least - derived) < tolerance &&
           std::fabs(found.most - derived) < tolerance;
}

void print_losses(const std::vector<Measured>& heads) {
    const Several present = several(heads, &Measured::loss_present);
    const Several absent = several(heads, &Measured::loss_absent);
    const Several both = several(heads, &Measured::loss);
    print_row(std::cout, "loss of five heads", {"present", "absent", "mean"}, 20, 7);
    print_row(std::cout, "derived", {"0.04", "0.16", "0.10"}, 20, 7);
    const auto line = [](const char* name, double a, double b, double c) {
        print_row(std::cout, name, {fixed(a, 3), fixed(b, 3), fixed(c, 3)}, 20, 7);
    };
    line("lowest", present.least, absent.least, both.least);
    line("median", present.median, absent.median, both.median);
    line("highest", present.most, absent.most, both.most);
    std::cout << "\n";
}

void without_rest(const Lists& lists, Random& random) {
    section("11.5 The item may be absent");
    say("A job that a head has to learn: a list of 4 items, each with one of 8 markers and a value "
        "of two random numbers. The query is a marker. The answer is the value of the item that "
        "has it, or 0 if none has, and that is so half of the time. Keys are made of markers, "
        "values of values.");
    say("How low can the loss get? If the item is present, the weight can be 1 on it, and the "
        "output $c·v$ for some factor c: it misses v by $(1 - c)²$ in mean square. If it is "
        "absent, the output should be 0. But the row sums to 1, so it is c times a weighted mean "
        "of four values, whose square is least, $c²/4$, with equal weights. Together $½·(1 - c)² + "
        "½·c²/4$. The derivative, $-(1 - c) + c/4$, is 0 at $c = 4/5$, and there the two cases "
        "have 1/25 and 4/25, the mean of which is 1/10.");
    tutorial::predict_choice("Answering 0 to everything has a loss of 1/2. With 1,000 numbers in "
                             "each query and key, could one head get below 1/10?",
                             {"yes", "no"}, "no",
                             "Nothing in the derivation depends on their size.");
    std::vector<Measured> heads;
    for (int i = 0; i < models; ++i) {
        heads.push_back(measured(trained("without_rest", Rest::no, random), lists));
    }
    say("Five heads, trained for 1500 steps each, on 10,000 new lists:");
    print_losses(heads);
    check(all_near(heads, &Measured::loss, 0.1, 0.01), "every head ends near 1/10, to 0.01");
    check(several(heads, &Measured::loss).least > 0.095,
          "none is below the floor by more than the sample's chance, 0.005");
    check(all_near(heads, &Measured::loss_present, 0.04, 0.015) &&
              all_near(heads, &Measured::loss_absent, 0.16, 0.02),
          "each case has its share of it, to 0.015 and 0.02");
    say("So the head is wrong in both cases: it shrinks every right answer to four fifths to be "
        "less wrong where there is none. \"Attention can ignore everything\" is a mistake: its "
        "row sums to 1, whatever the query.");
}

void print_rests(const Lists& lists, const Tensor& weights) {
    std::vector<std::string> rows;
    for (std::int64_t b = 0; b < 6; ++b) rows.push_back(lists.present(b) ? "present" : "absent");
    print_heat_map(std::cout, rows, {"item 1", "item 2", "item 3", "item 4", "rest"},
                   tensor::slice(weights, 0, 0, 6));
}

void with_rest(const Lists& lists, Random& random) {
    section("11.6 A place to rest");
    say("Add one more key and value to the list, both zero. The score of the zero key is 0 for any "
        "query. If the item that matches scores far above 0 and all others far below, the weight "
        "goes to the item where it is present, and to the zero key where it is not: the output is "
        "$1·0 = 0$, and the floor is 0. The same training:");
    tutorial::predict_choice("Where will the weight be if the item is absent?",
                             {"spread", "zero key"}, "zero key",
                             "Its value is 0, which is the right answer then.");
    std::vector<Measured> heads;
    Tensor weights;  // of the first head, [B, n + 1]
    for (int i = 0; i < models; ++i) {
        const Lookup head = trained("with_rest", Rest::yes, random);
        heads.push_back(measured(head, lists));
        const NoGrad no_grad;
        if (i == 0) weights = tensor::squeeze(head(lists).weights.value(), 1);
    }
    const Tensor resting = tensor::select(weights, 1, n);  // [B]
    const Several solved = several(heads, &Measured::loss);
    const Several absent = several(heads, &Measured::rest_absent);
    const Several present = several(heads, &Measured::rest_present);
    stop("11.6 a place to rest", {{"weights", weights}, {"resting", resting}});
    std::cout << "five heads: median (range)\n"
              << "loss                    " << median_and_range(solved, 6) << "\n"
              << "zero key, if absent     " << median_and_range(absent, 3) << "\n"
              << "zero key, if present    " << median_and_range(present, 3) << "\n\n";
    say("Six lists, as the first head reads them:");
    print_rests(lists, weights);
    check(solved.most < 0.005, "every head falls below 0.005, a twentieth of the floor without "
                               "a place to rest");
    check(absent.least > 0.9 && present.most < 0.1,
          "every head puts more than 0.9 on the zero key if the item is absent, and less than 0.1 "
          "if it is present");
}

}  // namespace

void absent_items(Random& random) {
    const Lists lists = random_lists(10000, random);
    without_rest(lists, random);  // 11.5
    with_rest(lists, random);     // 11.6
}
