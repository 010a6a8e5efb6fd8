// Lesson 16: the vector of a word before its context came in, and after (16.6).
#include "tutorials/16_which_bar/parts.h"

#include "nn/heed.h"
#include "tutorials/support/compare.h"
#include "tutorials/support/lesson.h"
#include "tutorials/support/stop.h"
#include "tutorials/support/terminal.h"

#include <iostream>

using namespace heed;
using tutorial::check;
using tutorial::cosines_of;
using tutorial::print_row;
using tutorial::say;
using tutorial::section;

namespace {

// The vectors of the ambiguous words, [B, d]: what the first layer is given, and what the last one
// gives.
struct Vectors {
    Tensor before, after;
};

Vectors vectors_by(const TextEncoder& encoder, const MeantBatch& batch) {
    const NoGrad no_grad;
    const FastKernels fast;
    const Variable x = encoder.layer_norm(encoder.embeddings(batch.text.ids));  // [B, T, d]
    const Variable y = encoder(batch.text.ids, batch.padding());                // [B, T, d]
    return {at_word(x, batch).value(), at_word(y, batch).value()};
}

// Of the sentences with this word, or with any ("all"): the share whose nearest neighbour, among
// those with the same word, has the same sense.
double same_sense(const std::string& word, const Tensor& cosine, const MeantBatch& batch) {
    const std::size_t N = batch.sentences.size();
    double asked = 0, same = 0;
    for (std::size_t i = 0; i < N; ++i) {
        const Meant& here = batch.sentences[i];
        const std::string& its_word = here.words[static_cast<std::size_t>(here.word)];
        if (word != "all" && word != its_word) continue;
        double best = -2;
        std::int64_t sense = -1;
        for (std::size_t j = 0; j < N; ++j) {
            const Meant& there = batch.sentences[j];
            if (i == j || there.words[static_cast<std::size_t>(there.word)] != its_word) continue;
            const double c = cosine(static_cast<std::int64_t>(i), static_cast<std::int64_t>(j));
            if (c > best) sense = there.sense;
            if (c > best) best = c;
        }
        ++asked;
        if (sense == here.sense) ++same;
    }
    return same / asked;
}

void print_shares(const char* what, const Tensor& vectors, const MeantBatch& batch) {
    const Tensor cosine = cosines_of(vectors);
    std::vector<std::string> cells;
    for (const char* word : {"bar", "flies", "apple", "it", "sobre", "all"}) {
        cells.push_back(fixed(same_sense(word, cosine, batch), 2));
    }
    print_row(std::cout, what, cells, 28, 5);
}

}  // namespace

void vectors_of_the_word(const Trained& trained, Random& random) {
    section("16.6 The word's vector, before and after");
    say("Before the encoder, flies has the same vector in \"time flies like an arrow\" "
        "and in \"fruit flies like a banana\"; after it, each has its own. Before: its row of the "
        "table plus that of its position, normed, as layer 0 is given it. After: as the last layer "
        "gives it. The cosine of flies near time with flies in two other sentences:");
    const MeantBatch three = batch_of(printed_flies());
    const Vectors flies = vectors_by(trained.by_word[0].classifier.encoder, three);
    const Tensor before = cosines_of(flies.before), after = cosines_of(flies.after);  // [3, 3]
    stop("16.6 flies", {{"before", before}, {"after", after}});
    print_row(std::cout, "cosine", {"before", "after"}, 28, 6);
    print_row(std::cout, "plane flies like a banana",
              {fixed(before(0, 1), 2), fixed(after(0, 1), 2)}, 28, 6);
    print_row(std::cout, "fruit flies like a banana",
              {fixed(before(0, 2), 2), fixed(after(0, 2), 2)}, 28, 6);
    std::cout << "\n";
    check(tensor::same_bits(tensor::select(flies.before, 0, 0), tensor::select(flies.before, 0, 2)),
          "before, flies has the same bits near time and near fruit");
    check(after(0, 1) > after(0, 2) + 0.2, "after, flies near time is with flies near plane");

    say("400 new sentences. For each, the nearest other one with the same word, by the cosine of "
        "the word's vectors. The share of neighbours with the same sense:");
    const MeantBatch batch = batch_of(random_sentences(400, Kind::any, random));
    const Vectors by_word = vectors_by(trained.by_word[0].classifier.encoder, batch);
    const Vectors by_first = vectors_by(trained.by_first[0].classifier.encoder, batch);
    print_row(std::cout, "same sense", {"bar", "flies", "apple", "it", "sobre", "all"}, 28, 5);
    print_shares("read at the word: before", by_word.before, batch);
    print_shares("read at the word: after", by_word.after, batch);
    print_shares("read at [CLS]: before", by_first.before, batch);
    print_shares("read at [CLS]: after", by_first.after, batch);
    std::cout << "\n";
    const double of_before = same_sense("all", cosines_of(by_word.before), batch);
    const double of_after = same_sense("all", cosines_of(by_word.after), batch);
    check(of_before < 0.6,
          "before, the neighbour's sense is a guess: only the place makes a difference");
    check(of_after > 0.95, "after, where the class is read at the word, its sense is the same");
    say("Where the class is read at [CLS], nothing asks the word's own vector to say its sense; "
        "with other seeds fewer of its neighbours agree, of bar as few as 0.72 (seed 3).");
}
