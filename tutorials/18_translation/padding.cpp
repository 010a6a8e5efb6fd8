// Lesson 18: a sentence in a batch has the logits it has alone, if two attentions have the padding
// mask (18.2).
#include "tutorials/18_translation/parts.h"

#include "nn/heed.h"
#include "tutorials/support/compare.h"
#include "tutorials/support/lesson.h"
#include "tutorials/support/predict.h"
#include "tutorials/support/stop.h"
#include "tutorials/support/terminal.h"

#include <iostream>
#include <string>
#include <vector>

using namespace heed;
using tutorial::check;
using tutorial::print_row;
using tutorial::rows_that_differ;
using tutorial::say;
using tutorial::section;

namespace {

// The logits [B, T, V] with the padding mask in the encoder, in cross-attention, in both or
// neither.
Tensor logits_with(const Figure1& model, const Pairs& pairs, bool in_encoder, bool in_cross) {
    const Mask padding_mask = Mask::padding(pairs.source.lengths, pairs.source.ids.dim(1));
    const Mask everything = Mask::all_allowed(1, pairs.source.ids.dim(1));
    const IndexTensor words = said_so_far(pairs);
    const Variable X = model.positions.added_to(model.source(pairs.source.ids));  // [B, S, d]
    const Variable memory = model.encoder(X, in_encoder ? padding_mask : everything);
    const Variable Y = model.positions.added_to(model.target(words));  // [B, T, d]
    const Variable y =
        model.decoder(Y, memory, Mask::causal(words.dim(1)), in_cross ? padding_mask : everything);
    return model.to_logits(y).value();  // [B, T, V]
}

// For each text, the rows of its logits that are not those it has when it is translated alone.
std::vector<std::int64_t> rows_changed(const Figure1& model, const Pairs& batch, bool in_encoder,
                                       bool in_cross) {
    const Tensor together = logits_with(model, batch, in_encoder, in_cross);  // [B, T, V]
    std::vector<std::int64_t> changed;
    for (std::size_t b = 0; b < batch.texts.size(); ++b) {
        const Pairs one = pairs_of({batch.texts[b]}, languages_of_grammar());
        const Tensor alone =
            tensor::select(model(one.source, said_so_far(one)).value(), 0, 0);  // [T_b, V]
        const Tensor row = tensor::select(together, 0, static_cast<std::int64_t>(b));
        changed.push_back(rows_that_differ(tensor::slice(row, 0, 0, alone.dim(0)), alone));
    }
    return changed;
}

}  // namespace

void padded(Random& random) {
    section("18.2 Padded = unpadded");
    say("In a batch the shorter sentences are padded. Two attentions need the padding mask of "
        "lesson 08: the encoder's, and the one to the memory. The English side needs none: its "
        "padding comes after the last word, where the causal mask hides it. Sentences of 3, 7 and "
        "12 words, each alone, and then all three in a batch: how many rows of logits change?");
    const Figure1 model(Order::sinusoids, languages_of_grammar(), small, random);
    std::vector<Translation> texts;
    for (const std::int64_t words : {3, 7, 12}) {
        texts.push_back(translations(1, words, words, random)[0]);
    }
    const Pairs batch = pairs_of(texts, languages_of_grammar());
    const std::vector<std::int64_t> masked = rows_changed(model, batch, true, true);
    const std::vector<std::int64_t> not_in_encoder = rows_changed(model, batch, false, true);
    const std::vector<std::int64_t> not_in_cross = rows_changed(model, batch, true, false);
    const std::int64_t T = batch.target.lengths[0] - 1;  // of the shortest
    tutorial::predict_number("Only the encoder has no mask. Of the " + std::to_string(T) +
                                 " rows of the shortest sentence, how many change?",
                             static_cast<double>(not_in_encoder[0]), 0,
                             "Its words have looked at padding, and every row looks at its words.");
    const Tensor with_mask = logits_with(model, batch, true, true);
    const Tensor without = logits_with(model, batch, false, false);
    stop("18.2 logits", {{"with_mask", with_mask}, {"without", without}});
    std::cout << "logits " << with_mask.shape() << "\n\n";
    print_row(std::cout, "rows that change",
              {"rows", "both masks", "not in encoder", "not to memory"}, 18, 14);
    for (std::size_t b = 0; b < 3; ++b) {
        print_row(std::cout, std::to_string(texts[b].spanish.size()) + " words",
                  {std::to_string(batch.target.lengths[b] - 1), std::to_string(masked[b]),
                   std::to_string(not_in_encoder[b]), std::to_string(not_in_cross[b])},
                  18, 14);
    }
    std::cout << "\n";
    check(masked[0] == 0 && masked[1] == 0 && masked[2] == 0,
          "with both masks no bit depends on the other sentences of the batch");
    check(not_in_encoder[0] == T && not_in_cross[0] == T,
          "without one of them every row of the shortest sentence changes");
    check(not_in_encoder[2] == 0 && not_in_cross[2] == 0,
          "and none of the longest, which has no padding");
}
