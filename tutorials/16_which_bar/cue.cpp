// Lesson 16: where the encoders of 16.4 look (16.5).
#include "tutorials/16_which_bar/parts.h"

#include "nn/heed.h"
#include "nn/pages/heat_map.h"
#include "tutorials/support/lesson.h"
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

namespace {

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

}  // namespace

void weight_on_cue(const Trained& trained, Random& random) {
    section("16.5 The weight on the cue");
    say("With one layer of one head, read at the word, there is one way from the cue to the "
        "answer: the word's row of weights. In the two layers that end at [CLS] there are several: "
        "layer 0 may bring the cue to any token, layer 1 that token to [CLS]. The mean weight on "
        "the cue, in new sentences:");
    const MeantBatch clear = batch_of(random_sentences(200, Kind::clear, random));
    const MeantBatch torn = batch_of(random_sentences(200, Kind::torn, random));
    print_row(std::cout, "weight on the cue", {"clear", "torn"}, 30, 6);
    const std::vector<Tensor> first_clear = weights_of(trained.by_first[0], clear);
    const std::vector<Tensor> first_torn = weights_of(trained.by_first[0], torn);
    for (std::size_t layer = 0; layer < 2; ++layer) {
        for (std::int64_t head = 0; head < 2; ++head) {
            print_row(std::cout,
                      "[CLS], layer " + std::to_string(layer) + ", head " + std::to_string(head),
                      {fixed(on_cue(row_of(Of::first, first_clear[layer], head, clear), clear), 2),
                       fixed(on_cue(row_of(Of::first, first_torn[layer], head, torn), torn), 2)},
                      30, 6);
        }
    }
    std::vector<double> at_clear, at_torn;
    for (const ByWord& by_word : trained.by_word) {
        at_clear.push_back(
            on_cue(row_of(Of::word, weights_of(by_word, clear)[0], 0, clear), clear));
        at_torn.push_back(on_cue(row_of(Of::word, weights_of(by_word, torn)[0], 0, torn), torn));
        print_row(std::cout, "the word, training " + std::to_string(at_clear.size()),
                  {fixed(at_clear.back(), 2), fixed(at_torn.back(), 2)}, 30, 6);
    }
    std::cout << "\n";
    const double least =
        std::min(tutorial::several(at_clear).least, tutorial::several(at_torn).least);
    check(least > 0.8,
          "in each training more than 0.8 of the word's weight is on its cue, with a decoy, too");

    say("At [CLS] the answers are as good, and no single row of weights shows why: a weight says "
        "where a head looks, not by what route the answer arrived (lesson 15). Six sentences, each "
        "with the row of its word and the predicted sense:");
    const MeantBatch batch = batch_of(printed_rows());
    const Tensor weights = row_of(Of::word, weights_of(trained.by_word[0], batch)[0], 0, batch);
    const NoGrad no_grad;
    const IndexTensor found = tensor::argmax(trained.by_word[0](batch).value(), -1);
    const Meant& bar = batch.sentences[0];
    const Tensor of_bar =
        tensor::slice(tensor::select(weights, 0, 0), 0, 0, batch.text.lengths[0]);  // [T]
    tutorial::predict_largest("the beer bar was near the piano: where does bar look?", bar.words,
                              of_bar, "The word before bar is its cue here.");
    stop("16.5 weights", {{"of_bar", of_bar}, {"found", found}});
    for (std::int64_t b = 0; b < weights.dim(0); ++b) {
        const Meant& meant = batch.sentences[static_cast<std::size_t>(b)];
        const std::int64_t length = static_cast<std::int64_t>(meant.words.size());
        print_heat_map(std::cout, {meant.words[static_cast<std::size_t>(meant.word)]}, meant.words,
                       tensor::slice(tensor::slice(weights, 0, b, b + 1), 1, 0, length));
        std::cout << "  " << all_senses()[static_cast<std::size_t>(found(b))] << "\n\n";
    }
    check((found == batch.senses).count() == found.numel(), "all six are told apart");
}
