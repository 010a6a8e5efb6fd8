// Lesson 16: five ways to tell which sense is meant (16.4).
#include "tutorials/16_which_bar/parts.h"

#include "nn/heed.h"
#include "tutorials/support/lesson.h"
#include "tutorials/support/page.h"
#include "tutorials/support/plot.h"
#include "tutorials/support/predict.h"
#include "tutorials/support/several.h"
#include "tutorials/support/stop.h"
#include "tutorials/support/terminal.h"

#include <algorithm>
#include <iostream>

using namespace heed;
using tutorial::check;
using tutorial::print_row;
using tutorial::say;
using tutorial::section;
using tutorial::Several;

namespace {

const std::size_t to_learn = 10'000;  // sentences

// What none of them has learned.
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

// Sentences drawn freely, as one would.
std::vector<Meant> any_sentences(std::size_t n, Random& random) {
    std::vector<Meant> sentences;
    while (sentences.size() < n) sentences.push_back(random_meant(random));
    return sentences;
}

template <class Model>
Several accuracies(const std::vector<Model>& models, const MeantBatch& batch) {
    std::vector<double> found;
    for (const Model& model : models) found.push_back(accuracy(model, batch));
    return tutorial::several(found);
}

// Every kind of model, each trained several times.
struct Readers {
    std::vector<WordAlone> alone;
    std::vector<BagOfWords> bag;
    std::vector<ByFirst> by_first;
    std::vector<ByMean> by_mean;
    std::vector<ByWord> by_word;
};

struct Accuracies {
    Several alone, bag, first, mean, word;
};

void print_accuracy(const char* what, const Several& found) {
    print_row(std::cout, what,
              {fixed(found.median, 2), fixed(found.least, 2), fixed(found.most, 2)}, 29, 7);
}

Accuracies print_accuracies(const Readers& readers, const MeantBatch& batch) {
    const Accuracies found = {accuracies(readers.alone, batch), accuracies(readers.bag, batch),
                              accuracies(readers.by_first, batch),
                              accuracies(readers.by_mean, batch),
                              accuracies(readers.by_word, batch)};
    print_row(std::cout, "accuracy, of 3 trainings", {"median", "least", "most"}, 29, 7);
    print_accuracy("the word alone", found.alone);
    print_accuracy("bag of words", found.bag);
    print_accuracy("two layers, at [CLS]", found.first);
    print_accuracy("two layers, at the mean", found.mean);
    print_accuracy("one head, at the word", found.word);
    std::cout << "\n";
    return found;
}

void draw_accuracies(const std::vector<Accuracies>& tests) {
    if (!tutorial::page_is_written()) return;
    const std::vector<double> places{0, 1, 2};
    tutorial::Plot plot{.title = "Who can tell",
                        .x = {.label = "sentences",
                              .covers = {-0.3, 2.3},
                              .ticks = places,
                              .names = {"clear", "torn", "unknown noun"}},
                        .y = {.label = "accuracy, median and range of three", .covers = {0, 1}}};
    const auto add = [&](const char* name, Several Accuracies::*who) {
        std::vector<Several> found;
        for (const Accuracies& on : tests) found.push_back(on.*who);
        plot.series.push_back(tutorial::series_of(name, places, found));
        plot.series.back().line = false;
    };
    add("the word alone", &Accuracies::alone);
    add("bag of words", &Accuracies::bag);
    add("at [CLS]", &Accuracies::first);
    add("at the mean", &Accuracies::mean);
    add("at the word", &Accuracies::word);
    tutorial::draw(tutorial::plot_svg(plot));
}

Readers trained_readers(const std::vector<Meant>& learned, Random& random) {
    Readers readers;
    readers.alone = trained_models<WordAlone>("alone", learned, random);
    readers.bag = trained_models<BagOfWords>("bag", learned, random);
    readers.by_first = trained_models<ByFirst>("by_first", learned, random);
    readers.by_mean = trained_models<ByMean>("by_mean", learned, random);
    readers.by_word = trained_models<ByWord>("by_word", learned, random);
    return readers;
}

double least_of_encoders(const Accuracies& on) {
    return std::min({on.first.least, on.mean.least, on.word.least});
}

void first_lesson(const Accuracies& on_clear) {
    check(on_clear.alone.most < 0.6, "the word alone can only guess among its senses");
    check(on_clear.bag.median > 0.9, "a bag of words is enough where no decoy contradicts");
    check(least_of_encoders(on_clear) > 0.75, "so is each of the three encoders, each time");
}

void second_lesson(const Accuracies& on_torn) {
    check(on_torn.bag.most <= 0.5, "the bag is right on at most one of each pair");
    check(least_of_encoders(on_torn) > 0.75,
          "each encoder, in each training, is right on more than three in four: it uses the order");
}

void third_lesson(const Accuracies& with_noun) {
    check(std::min({with_noun.first.median, with_noun.mean.median, with_noun.word.median}) > 0.75,
          "each encoder is right on more than three in four, with a word it knows nothing of");
}

}  // namespace

Trained who_can_tell(Random& random) {
    section("16.4 Who can tell");
    say("Sentences from templates: bar, flies, apple, it, sobre, with 14 senses together. A cue "
        "stands somewhere and determines the sense: beer, time, pie, tired, abre. Half the "
        "templates also hold a decoy, a cue placed where it says nothing: \"the beer bar was near "
        "the piano\" is about drinks, whatever stands after \"near\". The decoy's sense is drawn "
        "at random, and may be the right one. If the decoy always pointed to a wrong sense, a "
        "two-sense word could be solved by elimination, and a head would look at the decoy.");
    const std::vector<Meant> learned = sentences_to_learn(to_learn, random);
    const Tests tests = random_tests(random);
    const std::vector<Meant> any = any_sentences(to_learn, random);
    const std::int64_t would_be = count_learned(any_sentences(200, random), any);
    say("There are only some thousands of such sentences: of 200 drawn after 10,000 to learn "
        "from, " +
        std::to_string(would_be) +
        " have been learned. So one bag of words in seven is held out before, and no sentence with "
        "these words, in whatever order, is learned; all tests below are sentences held out.");
    check(count_learned(tests.clear.sentences, learned) == 0 &&
              count_learned(tests.torn.sentences, learned) == 0 &&
              count_learned(tests.unseen_noun.sentences, learned) == 0 &&
              count_learned(printed_rows(), learned) == 0,
          "no test sentence, and none printed below, is among those learned");
    check(would_be > 150, "drawn freely, most would be");
    check(fewest_cues(any, learned) >= 2,
          "where only the cue varies, each sense is learned with two of its three cues, or all");
    say("Two controls: the word's own row of a table, and a bag of words, which counts them. Three "
        "encoders: pre-LN, two layers, read at [CLS]; post-LN, two layers, read at the mean of all "
        "tokens; and pre-LN with one layer of one head, read at the ambiguous word itself. Each "
        "is trained three times, from different random numbers, on 400 batches of 64.");
    const Readers readers = trained_readers(learned, random);

    say("First: is the word enough, or are its neighbours? 200 sentences without a decoy, or whose "
        "decoy agrees with the cue (clear):");
    const Accuracies on_clear = print_accuracies(readers, tests.clear);
    first_lesson(on_clear);

    say("Second: does the order matter? 100 pairs whose cue and decoy disagree, the second "
        "sentence with the two in each other's place (torn): \"the beer bar was near the piano\", "
        "\"the piano bar was near the beer\".");
    tutorial::predict_choice("A bag of words, on the torn pairs, is right",
                             {"at most 1/2", "about 3/4", "nearly always"}, "at most 1/2",
                             "Both sentences of a pair are the same bag.");
    const Accuracies on_torn = print_accuracies(readers, tests.torn);
    const Tensor clear = tensor::of(
        {on_clear.alone.median, on_clear.bag.median, on_clear.first.median, on_clear.mean.median});
    const Tensor torn = tensor::of(
        {on_torn.alone.median, on_torn.bag.median, on_torn.first.median, on_torn.mean.median});
    stop("16.4 accuracy", {{"clear", clear}, {"torn", torn}});
    second_lesson(on_torn);

    say("Third: what does an unknown noun do? 200 sentences with a noun that no sentence to learn "
        "from has, with and without decoys. Its row of the table is as random as it began:");
    const Accuracies with_noun = print_accuracies(readers, tests.unseen_noun);
    draw_accuracies({on_clear, on_torn, with_noun});
    third_lesson(with_noun);
    return {readers.by_first, readers.by_word};
}
