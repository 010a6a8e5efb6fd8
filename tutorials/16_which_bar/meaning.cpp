// Lesson 16: five ways to tell which sense is meant (16.4), and where the one with a single head
// looks (16.5).
#include "tutorials/16_which_bar/parts.h"

#include "nn/heed.h"
#include "tutorials/support/heat_map.h"
#include "tutorials/support/lesson.h"
#include "tutorials/support/predict.h"
#include "tutorials/support/stop.h"
#include "tutorials/support/table.h"

#include <iostream>

using namespace heed;
using tutorial::check;
using tutorial::print_row;
using tutorial::say;
using tutorial::section;

namespace {

struct Tests {
    MeantBatch clear, torn, unseen_noun;
};

Tests random_tests(Random& random) {
    const std::vector<Meant> clear = random_sentences(200, Kind::clear, random);
    std::vector<Meant> pairs;
    for (const Meant& torn : random_sentences(100, Kind::torn, random)) {
        pairs.push_back(torn);
        pairs.push_back(swapped(torn));
    }
    const std::vector<Meant> unseen = random_sentences(200, Kind::unseen_noun, random);
    return {batch_of(clear), batch_of(pairs), batch_of(unseen)};
}

struct Accuracy {
    double clear, torn, unseen_noun;
};

template <class Model>
Accuracy print_accuracy(const char* what, const Model& model, const Tests& tests) {
    const Accuracy found = {accuracy(model, tests.clear), accuracy(model, tests.torn),
                            accuracy(model, tests.unseen_noun)};
    print_row(std::cout, what,
              {fixed(found.clear, 2), fixed(found.torn, 2), fixed(found.unseen_noun, 2)}, 29, 11);
    return found;
}

// The row of weights of one token of each sentence, the word or [CLS], in one head: [B, T].
enum class Of { word, first };

Tensor row_of(Of token, const Tensor& weights, std::int64_t head, const MeantBatch& batch) {
    const Variable of_head(tensor::select(weights, 1, head));  // [B, T, T]
    if (token == Of::first) return tensor::select(of_head.value(), 1, 0);
    return at_word(of_head, batch).value();
}

// The mean weight on the cue in rows [B, T].
double on_cue(const Tensor& rows, const MeantBatch& batch) {
    double sum = 0;
    for (std::int64_t b = 0; b < rows.dim(0); ++b) {
        sum += rows(b, batch.sentences[static_cast<std::size_t>(b)].cue);
    }
    return sum / static_cast<double>(rows.dim(0));
}

// Of all layers, [B, heads, T, T] each.
template <class Model>
std::vector<Tensor> weights_of(const Model& model, const MeantBatch& batch) {
    const NoGrad no_grad;
    const FastKernels fast;
    const RecordAttention recording(model);
    model(batch);
    std::vector<Tensor> weights;
    for (const AttentionRecord& record : recording.records()) weights.push_back(record.weights);
    return weights;
}

const std::vector<Meant>& shown() {
    static const std::vector<Meant> sentences = {
        meant_by("the beer bar was near the piano", "bar", "beer"),
        meant_by("the piano bar was near the beer", "bar", "piano"),
        meant_by("time flies like an arrow", "flies", "time"),
        meant_by("fruit flies like a banana", "flies", "fruit"),
        meant_by("the animal didn't cross the street because it was too tired", "it", "tired"),
        meant_by("the animal didn't cross the street because it was too wide", "it", "wide")};
    return sentences;
}

}  // namespace

Trained who_can_tell(Random& random) {
    section("16.4 Who can tell");
    say("Sentences from templates: bar, flies, apple, it, sobre, with 14 senses together. A cue "
        "stands somewhere: beer, time, pie, tired, abre. In half of the templates stands a second "
        "cue, of any sense, in a place where it tells nothing: \"the beer bar was near the "
        "piano\". Of any sense: if it always told a wrong one, then a word with two senses could "
        "be told by elimination, and a head would look there.");
    say("Two controls: the word's own row of a table, and a bag of words, which counts them. Three "
        "encoders: pre-LN, two layers, read at [CLS]; post-LN, two layers, read at the mean of all "
        "tokens; and pre-LN with one layer of one head, read at the ambiguous word itself. Each "
        "trains on 600 batches of 64. Three tests: sentences whose cues agree "
        "(clear); 100 pairs with the same words, the two cues in each other's place (torn); "
        "sentences with nouns that no training sentence has.");
    tutorial::predict_choice("A bag of words, on the torn pairs, is right",
                             {"at most 1/2", "about 3/4", "nearly always"}, "at most 1/2",
                             "Both sentences of a pair are the same bag.");
    WordAlone alone(random);
    BagOfWords bag(random);
    ByFirst by_first(random);
    ByMean by_mean(random);
    ByWord by_word(random);
    train("alone", alone, random);
    train("bag", bag, random);
    train("by_first", by_first, random);
    train("by_mean", by_mean, random);
    train("by_word", by_word, random);
    const Tests tests = random_tests(random);
    print_row(std::cout, "accuracy", {"clear", "torn", "unseen noun"}, 29, 11);
    const Accuracy of_alone = print_accuracy("the word alone", alone, tests);
    const Accuracy of_bag = print_accuracy("bag of words", bag, tests);
    const Accuracy first = print_accuracy("two layers, at [CLS]", by_first, tests);
    const Accuracy mean = print_accuracy("two layers, at the mean", by_mean, tests);
    const Accuracy word = print_accuracy("one head, at the word", by_word, tests);
    const Tensor on_clear = tensor::of({of_alone.clear, of_bag.clear, first.clear, mean.clear});
    const Tensor on_torn = tensor::of({of_alone.torn, of_bag.torn, first.torn, mean.torn});
    stop("16.4 accuracy", {{"on_clear", on_clear}, {"on_torn", on_torn}});
    std::cout << "\n";
    check(of_alone.clear < 0.55, "the word alone is a guess among its senses");
    check(of_bag.clear > 0.95, "where the cues agree, a bag of words is enough");
    check(of_bag.torn <= 0.5, "where order decides, it gets at most one of each pair right");
    check(first.clear > 0.9 && first.torn > 0.9, "[CLS] tells both");
    check(mean.clear > 0.9 && mean.torn > 0.9, "so does the mean");
    check(word.clear > 0.9 && word.torn > 0.9, "and a single head, read at the word");
    check(mean.unseen_noun > 0.8 && word.unseen_noun > 0.8,
          "a new noun rarely misleads the mean and the single head");
    say("The new noun's row was never trained, so it may look like anything. The bag adds it up, "
        "and [CLS] may look at it: with other seeds they are right as rarely as 0.79 and 0.73.");
    return {by_first, by_word};
}

void weight_on_cue(const Trained& trained, Random& random) {
    section("16.5 The weight on the cue");
    say("With one layer of one head, read at the word, there is one way from the cue to the "
        "answer: the word's row of weights. In the two layers that end at [CLS] there are several: "
        "layer 0 may bring the cue to any token, layer 1 that token to [CLS]. The mean weight on "
        "the cue, in new sentences:");
    const MeantBatch clear = batch_of(random_sentences(200, Kind::clear, random));
    const MeantBatch torn = batch_of(random_sentences(200, Kind::torn, random));
    print_row(std::cout, "weight on the cue", {"clear", "torn"}, 30, 6);
    const std::vector<Tensor> first_clear = weights_of(trained.by_first, clear);
    const std::vector<Tensor> first_torn = weights_of(trained.by_first, torn);
    for (std::size_t layer = 0; layer < 2; ++layer) {
        for (std::int64_t head = 0; head < 2; ++head) {
            print_row(std::cout,
                      "[CLS], layer " + std::to_string(layer) + ", head " + std::to_string(head),
                      {fixed(on_cue(row_of(Of::first, first_clear[layer], head, clear), clear), 2),
                       fixed(on_cue(row_of(Of::first, first_torn[layer], head, torn), torn), 2)},
                      30, 6);
        }
    }
    const double at_clear =
        on_cue(row_of(Of::word, weights_of(trained.by_word, clear)[0], 0, clear), clear);
    const double at_torn =
        on_cue(row_of(Of::word, weights_of(trained.by_word, torn)[0], 0, torn), torn);
    print_row(std::cout, "the word, its only head", {fixed(at_clear, 2), fixed(at_torn, 2)}, 30, 6);
    std::cout << "\n";
    check(at_clear > 0.8 && at_torn > 0.8,
          "more than 0.8 of the word's weight is on its cue, also where another one stands");

    say("At [CLS] the answers are as good, and no single row of weights shows why: a weight says "
        "where a head looks, not by which way the answer came (lesson 15). Six sentences, each "
        "with the row of its word and the sense that was told:");
    const MeantBatch batch = batch_of(shown());
    const Tensor weights = row_of(Of::word, weights_of(trained.by_word, batch)[0], 0, batch);
    const NoGrad no_grad;
    const IndexTensor found = tensor::argmax(trained.by_word(batch).value(), -1);
    const Meant& bar = batch.sentences[0];
    const Tensor of_bar =
        tensor::slice(tensor::select(weights, 0, 0), 0, 0, batch.text.lengths[0]);  // [T]
    tutorial::predict_largest("the beer bar was near the piano: where does bar look?", bar.words,
                              of_bar, "The word before bar is its cue here.");
    stop("16.5 weights", {{"of_bar", of_bar}, {"found", found}});
    for (std::int64_t b = 0; b < weights.dim(0); ++b) {
        const Meant& meant = batch.sentences[static_cast<std::size_t>(b)];
        const std::int64_t length = static_cast<std::int64_t>(meant.words.size());
        tutorial::print_heat_map(std::cout, {meant.words[static_cast<std::size_t>(meant.word)]},
                                 meant.words,
                                 tensor::slice(tensor::slice(weights, 0, b, b + 1), 1, 0, length));
        std::cout << "  " << all_senses()[static_cast<std::size_t>(found(b))] << "\n\n";
    }
    check((found == batch.senses).count() == found.numel(), "all six are told apart");
}
