// Lesson 14: how low a loss can go, of sentences whose probabilities are known (14.2).
#include "tutorials/14_language_model/parts.h"

#include "nn/heed.h"
#include "tensor/print.h"
#include "tutorials/support/lesson.h"
#include "tutorials/support/predict.h"
#include "tutorials/support/terminal.h"

#include <cmath>
#include <iostream>

using namespace heed;
using tutorial::check;
using tutorial::print_row;
using tutorial::say;
using tutorial::section;

namespace {

struct Step {
    const char* word;
    const char* shown;   // its probability
    double probability;  // by the grammar, given all words before
};

double surprise_of(double P) { return -tensor::log(tensor::of({P})).item(); }

// Prints the words' surprises and returns their sum.
double print_surprises(const std::vector<Step>& sentence) {
    double sum = 0;
    print_row(std::cout, "next word", {"P", "-ln P"}, 10, 6);
    for (const Step& step : sentence) {
        const double surprise = surprise_of(step.probability);
        print_row(std::cout, step.word, {step.shown, fixed(surprise, 3)}, 10, 6);
        sum += surprise;
    }
    print_row(std::cout, "sum", {"", fixed(sum, 3)}, 10, 6);
    std::cout << "\n";
    return sum;
}

}  // namespace

Texts least_loss(Random& random) {
    section("14.2 The least loss: what nobody can know");
    say("The loss is the mean of -ln P(next token), the surprise, in nats: 0 for a token that was "
        "certain, ln V for one of V equally likely ones. Its exponential is the perplexity: how "
        "many equally likely tokens would surprise as much. These sentences come from a grammar: "
        "6 subjects; half of the time \"to the\" and one of 4 nouns; the verb that agrees with the "
        "subject; one of 3 places. So the probability of each next word is known. A sentence of 10 "
        "tokens, from \"the\" to the next one's \"the\", by hand:");
    const double longer = print_surprises({{"keys", "1/6", 1.0 / 6},
                                           {"to", "1/2", 1.0 / 2},
                                           {"the", "1", 1},
                                           {"cabinet", "1/4", 1.0 / 4},
                                           {"are", "1", 1},
                                           {"on", "1", 1},
                                           {"the", "1", 1},
                                           {"table", "1/3", 1.0 / 3},
                                           {".", "1", 1},
                                           {"the", "1", 1}});
    const double shorter = longer - surprise_of(1.0 / 4);
    const double entropy = (longer + shorter) / 17;
    say("\"the keys are on the table .\" has 7 tokens and lacks the choice among 4: " +
        fixed(shorter, 3) + ". Both kinds are equally frequent, so a token has (" +
        fixed(longer, 3) + " + " + fixed(shorter, 3) + ")/17 = " + fixed(entropy, 3) +
        " nats, in the mean over ever longer texts. That is the source's entropy: no model can do "
        "better in the long run. On a few texts even a model that knows the grammar has another "
        "loss, the surprise of just these texts. The texts here have 24 tokens and all begin with "
        "a sentence, which is where most is open:");
    const double in_long = random_texts(40, 1000, random).entropy;
    const Texts fresh = random_texts(200, T, random), others = random_texts(200, T, random);
    tutorial::predict_number("V is 19. What is the loss of a model that knows nothing?", ln_19,
                             0.05, "ln V: all tokens are equally likely.");
    const auto print = [](const char* what, double nats) {
        print_row(std::cout, what, {fixed(nats, 3), fixed(perplexity(nats), 2)}, 36, 10);
    };
    print_row(std::cout, "", {"nats", "perplexity"}, 36, 10);
    print("19 words, equally likely", ln_19);
    print("the source's entropy", entropy);
    print("surprise of 40 texts of 1000 tokens", in_long);
    print("surprise of 200 texts of 24", fresh.entropy);
    print("surprise of 200 others", others.entropy);
    std::cout << "\n";
    check(std::fabs(in_long - entropy) < 0.01, "long texts come close to the entropy");
    check(std::fabs(fresh.entropy - others.entropy) < 0.03 && fresh.entropy > entropy,
          "short ones are above it, and differ a little from each other");
    return fresh;
}
