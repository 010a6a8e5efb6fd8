// Lesson 13 on sentences of the reader's own (13.7).
#include "tutorials/13_alignment/parts.h"

#include "nn/heed.h"
#include "tensor/runtime/fast_kernels.h"
#include "tutorials/13_alignment/pairs_file.h"
#include "tutorials/13_alignment/translator.h"
#include "tutorials/support/lesson.h"

#include <algorithm>

using namespace heed;
using tutorial::say;
using tutorial::section;

namespace {

const int steps = 600;

// What it says for a sentence, and where it looks as it says it.
void show(const Translator& model, const Translation& text, const Languages& languages) {
    const NoGrad no_grad;
    const Pairs one = pairs_of({text}, languages);
    Translation said = text;
    said.english = words_of_ids(translate(model, one.source, most_words)[0], languages.target);
    const Followed followed = follow(model, pairs_of({said}, languages));
    show_translation(text, said.english, tensor::select(followed.weights.value(), 0, 0));
}

}  // namespace

void on_own_pairs(const std::string& path, Random& random) {
    const OwnPairs pairs = read_own_pairs(path);
    const Languages languages = languages_of(pairs.learned);
    say("Lesson 13: alignment, on sentences of your own.");
    section("13.7 Sentences of your own");
    say(described(pairs, languages) +
        " The translator that remembers where it looked, trained on " + std::to_string(steps) +
        " batches:");
    tutorial::ProgressLine progress(steps);
    const Translator model = trained_translator(
        Sees::states_and_place, Corpus(pairs.learned, languages), steps, random, &progress);
    progress.clear();

    const FastKernels fast;
    const NoGrad no_grad;
    const Pairs asked = pairs_of(pairs.held_out, languages);
    print_held_out(right_share(translate(model, asked.source, most_words), asked),
                   next_words_right(follow(model, asked).logits.value(), asked));
    say("Sentences that it has not learned, and where it looked for each word it said:");
    for (std::size_t i = 0; i < std::min<std::size_t>(2, pairs.held_out.size()); ++i) {
        show(model, pairs.held_out[i], languages);
    }
    say("A few hundred pairs teach a vocabulary, not a language; thousands of short ones are a "
        "beginning. A word that no learned pair has is <unk>.");
}
