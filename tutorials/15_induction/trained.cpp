// Lesson 15: training finds the two heads (15.3), and a task can be learned without them, so a
// right answer proves nothing (15.4).
#include "tutorials/15_induction/parts.h"

#include "nn/pages/heat_map.h"
#include "tutorials/support/lesson.h"
#include "tutorials/support/page.h"
#include "tutorials/support/plot.h"
#include "tutorials/support/predict.h"
#include "tutorials/support/several.h"
#include "tutorials/support/stop.h"
#include "tutorials/support/terminal.h"

#include <iostream>

using namespace heed;
using tutorial::check;
using tutorial::median_and_range;
using tutorial::print_row;
using tutorial::say;
using tutorial::section;
using tutorial::Several;

namespace {

Several several(const std::vector<Measured>& models, Figure figure) {
    std::vector<double> values;
    for (const Measured& model : models) values.push_back(model.*figure);
    return tutorial::several(values);
}

std::vector<Measured> ends_of(const std::vector<Trained>& models) {
    std::vector<Measured> ends;
    for (const Trained& model : models) ends.push_back(model.curve.back());
    return ends;
}

void print_head(const char* what) {
    print_row(std::cout, what, {"accuracy", "previous", "induction"}, 22, 17);
}

void print_measured(const char* what, const std::vector<Measured>& models) {
    std::vector<std::string> cells;
    for (const Figure figure : {&Measured::accuracy, &Measured::previous, &Measured::induction}) {
        cells.push_back(median_and_range(several(models, figure), 2));
    }
    print_row(std::cout, what, cells, 22, 17);
}

// Layer 0 where the first half reads itself, layer 1 where the second half reads the first.
void print_stripes(const Repeater& model, const Examples& examples) {
    const NoGrad no_grad;
    const std::vector<Tensor> weights = model(examples.ids).weights;
    std::vector<std::string> letters;
    for (std::int64_t t = 0; t < T; ++t) {
        letters.push_back(std::string(1, static_cast<char>('a' + examples.ids(0, t))));
    }
    const std::vector<std::string> first_half(letters.begin(), letters.begin() + n);
    const std::vector<std::string> second_half(letters.begin() + n, letters.end());
    const Tensor layer_0 = tensor::select(weights[0], 0, 0);  // [T, T]
    const Tensor layer_1 = tensor::select(weights[1], 0, 0);  // [T, T]
    std::cout << "layer 0, the first half\n\n";
    print_heat_map(std::cout, first_half, first_half,
                   tensor::slice(tensor::slice(layer_0, 0, 0, n), 1, 0, n), Mask::causal(n));
    std::cout << "layer 1, the second half looking at the first\n\n";
    print_heat_map(std::cout, second_half, first_half,
                   tensor::slice(tensor::slice(layer_1, 0, n, T), 1, 0, n));
}

// Is there no induction while the loss is above 2.4, and is there some of both heads as soon as it
// is below 1?
bool drops_with_the_heads(const Trained& model) {
    bool together = true;
    for (const Measured& then : model.curve) {
        if (then.loss > 2.4) together = together && then.induction < 0.5;
        if (then.loss < 1) together = together && then.induction > 0.5 && then.previous > 0.7;
    }
    return together;
}

void draw_drop(const Trained& model) {
    if (!tutorial::page_is_written()) return;
    const std::vector<double> steps(steps_shown.begin(), steps_shown.end());
    const auto over_steps = [&](Figure figure) {
        std::vector<double> values;
        for (const Measured& then : model.curve) values.push_back(then.*figure);
        return values;
    };
    tutorial::draw(tutorial::plot_svg(
        {.title = "The loss stays, and then drops",
         .x = {.label = "step"},
         .y = {.label = "loss, in nats", .covers = {0}},
         .series = {{"loss", steps, over_steps(&Measured::loss)}},
         .references = {{"ln 16", 2.772588722239781}, {"ln 8", 2.0794415416798357}}}));
    tutorial::draw(tutorial::plot_svg(
        {.title = "The two heads appear as it drops",
         .x = {.label = "step"},
         .y = {.label = "share: right answers, weights on the right token", .covers = {0, 1}},
         .series = {{"accuracy", steps, over_steps(&Measured::accuracy)},
                    {"previous", steps, over_steps(&Measured::previous)},
                    {"induction", steps, over_steps(&Measured::induction)}}}));
}

void the_drop(const std::vector<Trained>& models) {
    say("The loss does not fall evenly. Of the first model, on texts it was not trained on:");
    print_row(std::cout, "step", {"loss", "accuracy", "previous", "induction"}, 8, 9);
    for (std::size_t i = 0; i < steps_shown.size(); ++i) {
        const Measured& then = models[0].curve[i];
        print_row(std::cout, std::to_string(steps_shown[i]),
                  {fixed(then.loss, 2), fixed(then.accuracy, 2), fixed(then.previous, 2),
                   fixed(then.induction, 2)},
                  8, 9);
    }
    std::cout << "\n";
    draw_drop(models[0]);
    bool together = true;
    for (const Trained& model : models) together = together && drops_with_the_heads(model);
    check(together, "in all five, induction is below 0.5 as long as the loss is above 2.4; once it "
                    "is below 1, induction is above 0.5 and previous above 0.7");
    say("A guess among sixteen tokens has a loss of $ln 16 = 2.77$, one among the eight of the "
        "text $ln 8 = 2.08$. The loss stays in their neighbourhood until both heads are there, and "
        "then drops: neither head is of use without the other. Olsson et al. (2022) saw such a "
        "drop early in the training of language models with two layers or more, large ones too, "
        "and found that induction heads form in it.");
}

}  // namespace

std::vector<Trained> found_by_training(Random& random) {
    section("15.3 Found by training");
    say("Eight different tokens of sixteen, then the same again, but from any of them on, round "
        "and round. So the place in the second half says nothing; what followed in the first half "
        "says all. Guessing among the eight is right 1 time in 8. Whoever keeps account of which "
        "of them have come again, but not of their order, has 7 to choose from at first, and 1 at "
        "last: right in $(1/7 + 1/6 + ... + 1) / 7 = 0.37$. The model: token and position vectors, "
        "a head in layer 0, a head in layer 1, each added to the residual stream. Beside layer 0 a "
        "second head reads the tokens without positions; 15.5 needs it. With $a_ij$ a layer's "
        "weight of position i on position j, averaged over 200 new texts, a column says");
    tutorial::formula(
        "previous   layer 0: the mean of $a_(i, i-1)$ over the first half, from $i = 1$\n"
        "induction  layer 1: the mean of $a_(i, j+1)$ over the second half, where the\n"
        "           token of i stood at j in the first half");
    tutorial::predict_choice("Is one layer enough?", {"yes", "no"}, "no",
                             "Its keys do not know what stood before them.");
    const Examples tests = random_examples(200, Repeat::from_any, random);
    std::vector<Trained> one, two;
    for (int i = 0; i < 3; ++i) {
        one.push_back(trained("one_layer", 1, Repeat::from_any, tests, random));
    }
    for (int i = 0; i < 5; ++i) {
        two.push_back(trained("two_layers", 2, Repeat::from_any, tests, random));
    }
    say("Three models with one layer, five with two, after 400 steps, median and range:");
    const std::vector<Measured> with_one = ends_of(one), with_two = ends_of(two);
    print_head("");
    print_measured("one layer", with_one);
    print_measured("two layers", with_two);
    std::cout << "\n";
    const Several accuracy = several(with_two, &Measured::accuracy);
    const Several previous = several(with_two, &Measured::previous);
    const Several induction = several(with_two, &Measured::induction);
    const Tensor found = tensor::of({accuracy.median, previous.median, induction.median});
    stop("15.3 two layers", {{"found", found}});
    check(several(with_one, &Measured::accuracy).most < 0.4,
          "one layer guesses: it does no better than 0.37, to 0.03");
    check(accuracy.least > 0.9, "two layers copy");
    check(previous.least > 0.9 && induction.least > 0.9,
          "layer 0 looks at the token before, layer 1 at what followed the token's first "
          "occurrence");
    the_drop(two);
    say("One text, and the first model's weights in both layers: two stripes.");
    print_stripes(two[0].model, random_examples(1, Repeat::from_any, random));
    return two;
}

void right_without(const std::vector<Trained>& models, Random& random) {
    section("15.4 A right answer proves no mechanism");
    say("The same training with a second half that always begins where the first one did. The "
        "accuracy is as good. Did it learn induction? Three models:");
    const Examples same_place = random_examples(200, Repeat::from_first, random);
    const Examples any_place = random_examples(200, Repeat::from_any, random);
    std::vector<Measured> at_home, moved;
    for (int i = 0; i < 3; ++i) {
        const Repeater model =
            trained("from_first", 2, Repeat::from_first, same_place, random).model;
        at_home.push_back(measured(model, same_place));
        moved.push_back(measured(model, any_place));
    }
    print_head("texts");
    print_measured("always from the first", at_home);
    print_measured("from any", moved);
    std::cout << "\n";
    check(several(at_home, &Measured::accuracy).median > 0.9,
          "they are right where the second half begins with the first token");
    check(several(at_home, &Measured::previous).most < 0.8,
          "but layer 0 has no head for the token before");
    check(several(moved, &Measured::accuracy).most < 0.4,
          "where the second half begins elsewhere, they fail: they had counted places");
    std::vector<Measured> others;
    for (const Trained& model : models) others.push_back(measured(model.model, same_place));
    check(several(others, &Measured::accuracy).least > 0.9,
          "the five of 15.3 are right on both kinds of text");
    say("In the first row \"induction\" can still be 1, since what followed is always seven places "
        "back there. A weight in the right place does not show by what route it came there. It "
        "takes a text in which the two routes differ, or a part that is knocked out.");
}
