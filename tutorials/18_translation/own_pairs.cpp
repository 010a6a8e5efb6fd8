// Lesson 18 on sentences of the reader's own (18.7).
#include "tutorials/18_translation/parts.h"

#include "nn/heed.h"
#include "tensor/runtime/fast_kernels.h"
#include "tutorials/13_alignment/pairs_file.h"
#include "tutorials/support/lesson.h"

#include <algorithm>

using namespace heed;
using tutorial::say;
using tutorial::section;

namespace {

const int steps = 600;

// What it says for a sentence, and where it looks as it says it: the mean of its heads.
void show(const Figure1& model, const Translation& text, const Languages& languages) {
    const Pairs one = pairs_of({text}, languages);
    Translation said = text;
    said.english = words_of_ids(translate(model, one.source, most_words)[0], languages.target);
    const Tensor heads = cross_weights(model, pairs_of({said}, languages));  // [1, h, T, S]
    show_translation(text, said.english, tensor::mean(tensor::select(heads, 0, 0), 0));
}

}  // namespace

void translate_own_pairs(const std::string& path, Random& random) {
    const OwnPairs pairs = read_own_pairs(path);
    const Languages languages = languages_of(pairs.learned);
    say("Lesson 18: translation without recurrence, of sentences of your own.");
    section("18.7 Sentences of your own");
    say(described(pairs, languages) + " The transformer with a bias everywhere, trained on " +
        std::to_string(steps) + " batches:");
    tutorial::ProgressLine progress(steps);
    const Figure1 model = trained_translator(
        Order::bias_everywhere, Corpus(pairs.learned, languages), steps, random, &progress);
    progress.clear();

    const FastKernels fast;
    const NoGrad no_grad;
    const Pairs asked = pairs_of(pairs.held_out, languages);
    print_held_out(right_share(translate(model, asked.source, most_words), asked),
                   next_words_right(model(asked.source, said_so_far(asked)).value(), asked));
    say("Sentences that it has not learned, and where it looked for each word it said, the mean of "
        "its heads:");
    for (std::size_t i = 0; i < std::min<std::size_t>(2, pairs.held_out.size()); ++i) {
        show(model, pairs.held_out[i], languages);
    }
    say("The same pairs to lesson 13's translator: 13_alignment --data FILE.");
}
