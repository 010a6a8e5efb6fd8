// 14 A language model: from counts of pairs over one head to a small GPT, on sentences whose
// entropy is known. Why every position is trained at once, and what the loss can and cannot become.
#include "nn/heed.h"
#include "tutorials/14_language_model/parts.h"
#include "tutorials/support/lesson.h"
#include "tutorials/support/stop.h"

#include <iostream>

using namespace heed;
using tutorial::check;
using tutorial::in_the_notes;
using tutorial::say;
using tutorial::section;

void every_position(Random& random) {
    section("14.1 Every position at once");
    say("The text is its own teacher: the target at each position is the token at the next. With a "
        "causal mask (lesson 08) a text of T tokens is T tasks in one pass:");
    const Texts one = random_texts(1, 8, random);
    const IndexTensor inputs = one.inputs, targets = one.targets;  // [1, 8]
    stop("14.1 shifted by one", {{"inputs", inputs}, {"targets", targets}});
    std::cout << "inputs " << inputs.shape() << ":  " << words_of(inputs) << "\ntargets "
              << targets.shape() << ": " << words_of(targets) << "\n\n";
    check(tensor::same_entries(tensor::slice(inputs, 1, 1), tensor::slice(targets, 1, 0, -1)),
          "the targets are the inputs, shifted by one");
    in_the_notes("000's first example of a language that asks for context is this one: the keys to "
                 "the cabinet are on the table. The verb agrees with a word that is not beside it. "
                 "003 says why a decoder is masked: all next words are predicted at once.");
}

void lesson(const tutorial::Options& options) {
    Random random(options.seed());
    if (options.has("--text")) return on_own_text(options.value("--text"), random);
    say("Lesson 14: a language model, from counting pairs to a small GPT. What does each part add, "
        "and how low can the loss go?");
    every_position(random);                            // 14.1
    const Texts fresh = least_loss(random);            // 14.2, least_loss.cpp
    const Trained trained = staircase(fresh, random);  // 14.3, staircase.cpp
    while_it_learns(trained);                          // 14.4
    it_speaks(trained, random);                        // 14.5, speaking.cpp
    unshifted(random);                                 // 14.6, mistakes.cpp
    softmax_twice(random);                             // 14.7
}

int main(int argc, char** argv) {
    return tutorial::run(
        {.name = "14_language_model",
         .subject = "From pairs of words to a small GPT.",
         .options = {{"--text", "FILE", "learn this text, letter by letter, instead"}},
         .trains = true},
        argc, argv, lesson);
}
