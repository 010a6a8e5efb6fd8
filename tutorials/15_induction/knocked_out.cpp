// Lesson 15: which head does the work? One after the other is knocked out (15.5).
#include "tutorials/15_induction/parts.h"

#include "tutorials/support/lesson.h"
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

struct Left {
    Several accuracy, induction;
};

// What is left of the models, and prints it.
Left print_left(const char* what, const std::vector<Trained>& models, const Examples& tests,
                const std::optional<KnockedOut>& without) {
    std::vector<double> accuracies, inductions;
    for (const Trained& model : models) {
        const Measured found = measured(model.model, tests, without);
        accuracies.push_back(found.accuracy);
        inductions.push_back(found.induction);
    }
    const Left left = {tutorial::several(accuracies), tutorial::several(inductions)};
    print_row(std::cout, what,
              {median_and_range(left.accuracy, 2), median_and_range(left.induction, 2)}, 34, 17);
    return left;
}

}  // namespace

void knocked_out(const std::vector<Trained>& models, Random& random) {
    section("15.5 Knock a head out");
    say("A stripe in a picture is a correlation. Does layer 1 look where it does because of layer "
        "0? Replace the output of a head by 0 and see what is left; nothing is trained anew. If "
        "15.1 is right, the keys of the first half need the head for the token before, and the "
        "queries of the second half do not.");
    tutorial::predict_choice(
        "The head for the token before is knocked out in one half only. Which half matters?",
        {"first", "second"}, "first", "The keys that layer 1 looks for stand there.");
    const Examples tests = random_examples(200, Repeat::from_any, random);
    print_row(std::cout, "the five models of 15.3, without", {"accuracy", "induction"}, 34, 17);
    const Left all = print_left("nothing", models, tests, std::nullopt);
    const Left before =
        print_left("layer 0: the token before", models, tests, KnockedOut{KnockedOut::layer_0});
    const Left first = print_left("- at the first half only", models, tests,
                                  KnockedOut{KnockedOut::layer_0, 0, n});
    const Left second = print_left("- at the second half only", models, tests,
                                   KnockedOut{KnockedOut::layer_0, n, T});
    const Left words = print_left("layer 0: the head without places", models, tests,
                                  KnockedOut{KnockedOut::layer_0_words});
    const Left induction =
        print_left("layer 1: induction", models, tests, KnockedOut{KnockedOut::layer_1});
    std::cout << "\n";
    const Tensor left =
        tensor::of({all.induction.median, before.induction.median, words.induction.median});
    stop("15.5 knocked out", {{"left", left}});
    check(before.accuracy.most < 0.35 && before.induction.most < 0.3,
          "without the head for the token before, induction falls, and the models guess");
    check(first.induction.most < 0.3 && second.induction.least > 0.7,
          "it falls just as far without it in the first half, and stays without it in the second");
    check(words.accuracy.least > 0.85 && words.induction.least > 0.85,
          "without the other head of layer 0 it stays");
    check(induction.accuracy.most < 0.4 && induction.induction.least > 0.9,
          "without the output of layer 1 its weights are still right, and the answers are not");
    say("So layer 1 finds its place by what layer 0 wrote at the keys. Elhage et al. (2021) call "
        "this composition: the output of one head becomes part of another's keys (K-composition), "
        "and what the two do together, a b ... a -> b, neither does alone. The last row is a "
        "warning to those who look at weights only.");
}
