// 14.4 Predict losses                                        predict · 15 minutes · 10 answers
//
// A loss says little until you know what it would be for a model that knows nothing, and for one
// that knows all there is to know. There is nothing to program here: work out each answer with
// paper and a calculator, and write it down, correct to two decimals (more do no harm). The
// questions come one after the other; no answer is given away. A loss is the mean of -ln p over
// all predictions, p being the probability of the right token; ln is the natural logarithm.
// Perplexity is e^loss. Unless stated otherwise the vocabulary has V = 50 tokens. Lesson 14.
#include "tutorials/exercises/judges/lesson_14.h"

// A new model gives all tokens the same logit. What is its loss?
double new_model() {
    // begin stub, stop in new_model
    //     exercise::not_done("14.4");
    // begin solution
    return 3.91;  // ln 50
    // end
}

// And its perplexity, a whole number?
double new_models_perplexity() {
    // begin stub
    //     exercise::not_done("14.4");
    // begin solution
    return 50;
    // end
}

// A model knows that the next token is "is" or "are", one of which is right, and gives each the
// probability 1/2. What is its loss here?
double uniform_pair() {
    // begin stub
    //     exercise::not_done("14.4");
    // begin solution
    return 0.69;  // ln 2
    // end
}

// A model gives the right token the probability 1/2 in one half of its predictions, and 1/8 in the
// other half. What is its loss?
double half_and_eighth() {
    // begin stub
    //     exercise::not_done("14.4");
    // begin solution
    return 1.39;  // (ln 2 + ln 8) / 2
    // end
}

// And its perplexity, a whole number, too?
double perplexity_of_these() {
    // begin stub
    //     exercise::not_done("14.4");
    // begin solution
    return 4;
    // end
}

// A model gives one token the logit 30, and all others the logit 0. That token is wrong. What is
// the loss of this prediction?
double certain_and_wrong() {
    // begin stub
    //     exercise::not_done("14.4");
    // begin solution
    return 30;
    // end
}

// In a small language four words may follow "the", with the probabilities 1/2, 1/4, 1/8 and 1/8.
// What is the entropy of the word after "the", in nats (with ln)?
double entropy_of_next_word() {
    // begin stub
    //     exercise::not_done("14.4");
    // begin solution
    return 1.21;  // 7/4 · ln 2
    // end
}

// All sentences of another language have three tokens: "the", one of six nouns, all equally likely,
// and ".". They follow one another without a gap. What is the least mean loss a model can reach,
// however well it learns?
double best_loss_on_sentences() {
    // begin stub
    //     exercise::not_done("14.4");
    // begin solution
    return 0.60;  // ln 6 / 3
    // end
}

// A model is certain and right: it gives the right token the probability 1. By mistake its
// probabilities are handed to cross_entropy, which expects logits. What loss does it report?
double softmax_twice() {
    // begin stub
    //     exercise::not_done("14.4");
    // begin solution
    return 2.95;  // ln(e + 49) - 1
    // end
}

// A causal model reads inputs [4, 24]; the targets are [4, 24]. How many predictions does one pass
// train at once?
std::int64_t predictions_at_once() {
    // begin stub
    //     exercise::not_done("14.4");
    // begin solution
    return 4 * 24;
    // end
}

int main(int argc, char** argv) {
    return exercise::run(
        exercise::judge_14_4({new_model, new_models_perplexity, uniform_pair, half_and_eighth,
                              perplexity_of_these, certain_and_wrong, entropy_of_next_word,
                              best_loss_on_sentences, softmax_twice, predictions_at_once}),
        argc, argv);
}
