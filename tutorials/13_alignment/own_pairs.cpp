// Lesson 13 on sentences of the reader's own (13.7).
#include "tutorials/13_alignment/parts.h"

#include "nn/heed.h"
#include "tutorials/13_alignment/pairs_file.h"
#include "tutorials/13_alignment/translator.h"
#include "tutorials/support/lesson.h"

using namespace heed;
using tutorial::say;
using tutorial::section;

const int steps = 600;

void on_own_pairs(const std::string& path, Random& random) {
    const OwnPairs pairs = read_own_pairs(path);
    const Languages languages = languages_of(pairs.learned);
    say("Lesson 13: alignment, on sentences of your own.");
    section("13.7 Sentences of your own");
    say(described(pairs, languages) +
        " The translator that remembers where it looked, trained on " + std::to_string(steps) +
        " batches:");
    const Translator model =
        trained_translator(Sees::states_and_place, Corpus(pairs.learned, languages), steps, random);

    show_held_out(pairs, languages,
                  {[&](const TokenBatch& text) { return translate(model, text, most_words); },
                   [&](const Pairs& asked) { return follow(model, asked).logits.value(); },
                   [&](const Pairs& one) {
                       return tensor::select(follow(model, one).weights.value(), 0, 0);
                   }});
    say("A few hundred pairs teach a vocabulary, not a language; thousands of short ones are a "
        "beginning. A word that no learned pair has is <unk>.");
}
