// Lesson 18 on sentences of the reader's own (18.7).
#include "tutorials/18_translation/parts.h"

#include "nn/heed.h"
#include "tutorials/13_alignment/pairs_file.h"
#include "tutorials/support/lesson.h"

using namespace heed;
using tutorial::say;
using tutorial::section;

const int steps = 600;

void translate_own_pairs(const std::string& path, Random& random) {
    const OwnPairs pairs = read_own_pairs(path);
    const Languages languages = languages_of(pairs.learned);
    say("Lesson 18: translation without recurrence, of sentences of your own.");
    section("18.7 Sentences of your own");
    say(described(pairs, languages) + " The transformer with a bias everywhere, trained on " +
        std::to_string(steps) + " batches:");
    const Figure1 model =
        trained_translator(Order::bias_everywhere, Corpus(pairs.learned, languages), steps, random);

    show_held_out(
        pairs, languages,
        {[&](const TokenBatch& text) { return translate(model, text, most_words); },
         [&](const Pairs& asked) { return model(asked.source, said_so_far(asked)).value(); },
         [&](const Pairs& one) {
             const Tensor heads = tensor::select(cross_weights(model, one), 0, 0);  // [h, T, S]
             return tensor::mean(heads, 0);
         }},
        ", the mean of its heads");
    say("The same pairs to lesson 13's translator: 13_alignment --data FILE.");
}
