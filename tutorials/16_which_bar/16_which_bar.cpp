// 16 Which "bar"?: what an encoder knows that a table does not. Padding, the classifiers of notes
// 002 and 004, and how an encoder tells which meaning is meant.
#include "nn/heed.h"
#include "tutorials/16_which_bar/parts.h"
#include "tutorials/support/compare.h"
#include "tutorials/support/lesson.h"
#include "tutorials/support/predict.h"
#include "tutorials/support/stop.h"

#include <algorithm>
#include <cmath>
#include <iostream>

using namespace heed;
using tutorial::check;
using tutorial::in_the_notes;
using tutorial::row;
using tutorial::rows_that_differ;
using tutorial::same;
using tutorial::say;
using tutorial::section;

namespace {

void by_hand(Random& random) {
    section("16.1 One row for four meanings");
    say("A table of embeddings has one row for the word bar, whatever it means: a place for "
        "drinks, a rod, what lawyers pass, a measure of music. Four sentences, each "
        "\"the CUE bar was near the door\":");
    const MeantBatch four = batch_of({meant_by("the beer bar was near the door", "bar", "beer"),
                                      meant_by("the iron bar was near the door", "bar", "iron"),
                                      meant_by("the judges bar was near the door", "bar", "judges"),
                                      meant_by("the piano bar was near the door", "bar", "piano")});
    const double d = 4;
    const Embedding E(static_cast<std::int64_t>(meant_vocabulary().size()), 4, random);
    const Variable X = E(four.text.ids);                                     // [4, T, 4]
    const Variable scores = matmul(X, transpose(X, -1, -2)) / std::sqrt(d);  // [4, T, T]
    const Variable weights = softmax(scores, -1);                            // [4, T, T]
    const Variable output = matmul(weights, X);                              // [4, T, 4]
    const Variable bar = at_word(X, four), context = at_word(output, four);  // [4, 4]
    stop("16.1 bar", {{"bar", bar}, {"context", context}});
    std::cout << "the row of bar in X =\n" << bar.value() << "\n\n";
    check(rows_that_differ(bar.value(),
                           tensor::expand(tensor::slice(bar.value(), 0, 0, 1), {4, 4})) == 0,
          "the same bits in all four, so nothing that reads this row can tell the meaning");
    say("One self-attention, with $Q = K = V = X$: $output = softmax(X·Xᵀ/√d)·X$. Each row becomes "
        "a weighted sum of all rows of its sentence, so the cue comes in:");
    const std::int64_t differ = rows_that_differ(
        context.value(), tensor::expand(tensor::slice(context.value(), 0, 0, 1), {4, 4}));
    tutorial::predict_number("How many of the four differ from the first one now?",
                             static_cast<double>(differ), 0,
                             "The cue's row is in each of the sums.");
    std::cout << "the row of bar in the output =\n" << context.value() << "\n\n";
    check(differ == 3, "four sentences, four vectors of bar");
    say("That they differ is not yet that they say which meaning. This takes training (16.4).");
}

void padding(Random& random) {
    section("16.2 Sentences of different lengths in one batch");
    say("A batch is one tensor [B, T], so shorter sentences are filled up with [PAD]. The encoder "
        "is made of the blocks of lesson 12. No query may attend to padding. Three "
        "sentences:");
    const Meant shortest = meant_by("we like an apple pie", "apple", "pie");
    const MeantBatch batch = batch_of(
        {shortest, meant_by("the beer bar was near the piano", "bar", "beer"),
         meant_by("the animal didn't cross the street because it was too wide", "it", "wide")});
    const MeantBatch alone = batch_of({shortest});
    const std::int64_t V = static_cast<std::int64_t>(meant_vocabulary().size());
    const TextClassifier model({.vocab_size = V, .limit = 16, .d_model = 16, .num_heads = 2}, 14,
                               random);
    const IndexTensor ids = batch.text.ids;  // [3, 12]
    const Mask mask = batch.padding();       // [3, 1, 1, 12]
    std::vector<std::int64_t> numbers(ids.data(), ids.data() + ids.numel());
    std::replace(numbers.begin(), numbers.end(), 0, 7);  // another word in the padding
    const IndexTensor nonsense(numbers, ids.shape());
    const Variable together = model(ids, mask);            // [3, 14]
    const Variable by_itself = model(alone.text.ids);      // [1, 14]
    const Variable with_nonsense = model(nonsense, mask);  // [3, 14]
    const Variable without_mask = model(ids);              // [3, 14]
    stop("16.2 padding", {{"ids", ids}, {"mask", mask}});
    std::cout << "ids =\n" << ids << "\nmask " << mask.shape() << "\n\n";
    check(same(row(together.value(), 0), row(by_itself.value(), 0)),
          "alone or in a batch: the same logits, bit for bit");
    check(same(with_nonsense, together), "with another word in the padding: the same bits");
    check(rows_that_differ(without_mask.value(), together.value()) == 2,
          "without a mask the two shorter sentences get other logits, the longest the same");
    const MeanClassifier mean(
        {.vocab_size = V, .limit = 16, .d_model = 16, .num_heads = 2, .num_classes = 14}, random);
    check(same(row(mean(ids, mask).value(), 0), row(mean(alone.text.ids).value(), 0)),
          "an encoder read at the mean, over real tokens only: the same bits, too");
    in_the_notes("002's encoder has no mask, so that padding is read like words (002-6).");
}

void logits_for_a_sentence(Random& random) {
    section("16.3 Logits for a sentence");
    say("\"time flies like an arrow\", by the ids of bert-base-uncased's tokenizer without special "
        "tokens, and a classifier with three labels. BERT's sizes, 30522 words, 512 positions, 12 "
        "layers and 12 heads, but a $d_model$ of 24 for its 768; the output's shape does not "
        "depend on it.");
    const IndexTensor input_ids({2051, 10029, 2066, 2019, 8612}, {1, 5});
    const TextClassifier encoder_classifier(
        {.vocab_size = 30522, .limit = 512, .d_model = 24, .num_layers = 12, .num_heads = 12}, 3,
        random);
    const NoGrad no_grad;
    const Variable logits = encoder_classifier(input_ids);  // [1, 3]
    tutorial::predict_shape("The shape of the classifier's output?", logits.shape(),
                            "One text, three labels: the five tokens are gone.");
    std::cout << "logits =\n" << logits.value() << "\n\n";
    check(logits.shape() == Shape({1, 3}), "a text gives three numbers");
    const Variable hidden = encoder_classifier.encoder(input_ids);  // [1, 5, 24]
    const Variable first = select(hidden, -2, 0);                   // [1, 24]
    const Linear& classifier = encoder_classifier.classifier;
    const Variable ours = matmul(first, transpose(classifier.weight)) + classifier.bias;  // [1, 3]
    check(tensor::all_close(ours.value(), logits.value(), 1e-5, 1e-6),
          "by hand: row 0 of the encoder's output, times W, plus b");
    say("The classifier reads row 0, which is meant for the token [CLS]. Here the tokenizer was "
        "not asked to put it there, so row 0 is that of time. And the three numbers are no "
        "probabilities: they are logits, whose softmax is.");
    const IndexTensor with_cls({101, 2051, 10029, 2066, 2019, 8612}, {1, 6});
    const Variable probabilities = softmax(logits, -1);  // [1, 3]
    stop("16.3 logits", {{"logits", logits}, {"probabilities", probabilities}});
    const double of_softmax = tensor::sum(probabilities.value()).item();
    const double sum = tensor::sum(logits.value()).item();
    std::cout << "softmax(logits) =\n" << probabilities.value() << "\n\n";
    check(std::fabs(sum - 1) > 0.1 && std::fabs(of_softmax - 1) < 1e-5,
          "the logits do not add up to 1, their softmax does");
    check(!same(encoder_classifier(with_cls), logits), "with [CLS] in front, other logits");

    in_the_notes(
        "002 reads [:, 0, :], which it takes for [CLS] (002-5), and calls the three numbers "
        "probabilities (002-13). It prints the size (1, 3), too.");
    say("Another way is to take the mean of all tokens, and to give log-probabilities, as 004's "
        "Transformer(k, heads, depth, seq_length, num_tokens, num_classes) does:");
    const MeanClassifier transformer({.vocab_size = 30522,
                                      .limit = 512,
                                      .d_model = 24,
                                      .num_layers = 6,
                                      .num_heads = 4,
                                      .num_classes = 3},
                                     random);
    const Variable log_p = transformer(input_ids);                             // [1, 3]
    const Variable x = transformer.blocks(transformer.embeddings(input_ids));  // [1, 5, 24]
    const Variable of_mean = log_softmax(transformer.to_classes(mean(x, 1)), -1);
    std::cout << "log-probabilities =\n" << log_p.value() << "\n\n";
    check(log_p.shape() == Shape({1, 3}) &&
              std::fabs(tensor::sum(tensor::exp(log_p.value())).item() - 1) < 1e-5,
          "(1, 3) again, and exp of them adds up to 1");
    check(tensor::all_close(of_mean.value(), log_p.value(), 1e-5, 1e-6),
          "by hand: the mean of the rows, a linear layer, log-softmax");
}

}  // namespace

void lesson(const tutorial::Options& options) {
    Random random(options.seed());
    if (options.has("--data")) return on_own_sentences(options.value("--data"), random);
    say("Lesson 16: which bar? What does an encoder know that a table does not?");
    by_hand(random);                               // 16.1
    padding(random);                               // 16.2
    logits_for_a_sentence(random);                 // 16.3
    const Trained trained = who_can_tell(random);  // 16.4, meaning.cpp
    weight_on_cue(trained, random);                // 16.5, cue.cpp
    vectors_of_the_word(trained, random);          // 16.6, vectors.cpp
}

int main(int argc, char** argv) {
    return tutorial::run(
        {.name = "16_which_bar",
         .subject = "Which \"bar\"? What an encoder knows that a table does not.",
         .options = {{"--data", "FILE", "learn these lines (label, tab, sentence) instead"}},
         .trains = true},
        argc, argv, lesson);
}
