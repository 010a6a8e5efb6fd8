// 18 Translation without recurrence: attention alone, in the encoder, in the decoder and between
// them. Figure 1 of Vaswani et al. (2017) is put together by hand from what lessons 07 to 12 built,
// and translates the sentences of lesson 13.
#include "nn/heed.h"
#include "tutorials/18_translation/parts.h"
#include "tutorials/support/compare.h"
#include "tutorials/support/lesson.h"
#include "tutorials/support/predict.h"
#include "tutorials/support/stop.h"

#include <cmath>
#include <iostream>

using namespace heed;
using tutorial::check;
using tutorial::rows_that_differ;
using tutorial::same;
using tutorial::say;
using tutorial::section;

namespace {

// The left side of the figure: X [S, d], the vectors of the sentence, with positions.
Variable encode(const TransformerEncoderLayer& layer, const Variable& X) {
    const Variable x = layer.norm1(X + layer.self_attn(X));          // [S, d]
    const Variable memory = layer.norm2(x + layer.feed_forward(x));  // [S, d]
    return memory;
}

// Queries from the target, keys and values from the source: one head.
Attention cross(const MultiHeadAttention& layer, const Variable& y, const Variable& memory) {
    const Variable Q = layer.W_Q(y);       // [T, d_k]
    const Variable K = layer.W_K(memory);  // [S, d_k]
    const Variable V = layer.W_V(memory);  // [S, d_v]
    const double d_k = static_cast<double>(K.dim(-1));
    const Variable scores = matmul(Q, transpose(K)) / std::sqrt(d_k);  // [T, S]
    const Variable weights = softmax(scores, -1);                      // [T, S]
    const Variable output = layer.W_O(matmul(weights, V));             // [T, d]
    return Attention{output, weights};
}

struct Decoded {
    Variable attended;  // [T, d]: after masked self-attention, where cross-attention begins
    Attention crossed;
    Variable output;  // [T, d]
};

// The right side: Y [T, d], the vectors of the words said so far, with positions.
Decoded decode(const TransformerDecoderLayer& layer, const Variable& Y, const Variable& memory) {
    const Mask so_far = Mask::causal(Y.dim(0));
    const Variable attended = layer.norm1(Y + layer.self_attn(Y, so_far));    // [T, d]
    const Attention crossed = cross(layer.multihead_attn, attended, memory);  // [T, d], [T, S]
    const Variable y = layer.norm2(attended + crossed.output);                // [T, d]
    const Variable output = layer.norm3(y + layer.feed_forward(y));           // [T, d]
    return Decoded{attended, crossed, output};
}

// The first sentence's, without a batch axis.
IndexTensor first_of(const IndexTensor& ids) { return tensor::select(ids, 0, 0); }
Tensor first_of(const Tensor& x) { return tensor::select(x, 0, 0); }

// The words of ids [T], with a space between.
std::string joined(const IndexTensor& ids, const std::vector<std::string>& words) {
    std::vector<std::int64_t> listed;
    for (std::int64_t t = 0; t < ids.dim(0); ++t) listed.push_back(ids(t));
    return text_of(listed, words);
}

void figure_1(Random& random) {
    section("18.1 Figure 1, by hand");
    say("Lesson 13's translator read word after word. Vaswani et al. (2017) leave that out: all "
        "that remains is attention, and positions to tell the order. On the left the encoder, "
        "lesson 12's block; what it makes of the sentence is called the memory. On the right the "
        "decoder: masked self-attention over the English words so far, then attention to the "
        "memory, then feed-forward. As in the paper, each ends in norm(x + f(x)).");
    const Languages languages = languages_of_grammar();
    const Figure1 model(Order::sinusoids, languages, small, random);
    const Translation text{
        {"duerme", "sobre", "la", "mesa"}, {"he", "sleeps", "on", "the", "table"}, {0, 0, 1, 2, 3}};
    const Pairs pairs = pairs_of({text}, languages);
    const IndexTensor read = first_of(pairs.source.ids);     // [S]
    const IndexTensor words = first_of(said_so_far(pairs));  // [T]: <s> he sleeps ...
    const IndexTensor next = first_of(next_words(pairs));    // [T]: he sleeps on ...
    std::cout << "the encoder reads   " << joined(read, languages.source)
              << "\nthe decoder reads   " << joined(words, languages.target)
              << "\nand is to say next  " << joined(next, languages.target) << "\n\n";

    const SinusoidalPositions positions(small.d_model);
    const Variable X = positions.added_to(model.source(read));   // [S, d]
    const Variable memory = encode(model.encoder.layers[0], X);  // [S, d]
    const Variable Y = positions.added_to(model.target(words));  // [T, d]
    const Decoded decoded = decode(model.decoder.layers[0], Y, memory);
    const Variable logits = model.to_logits(decoded.output);  // [T, V]
    const Variable& weights = decoded.crossed.weights;        // [T, S]
    tutorial::predict_shape("The shape of the weights of the decoder's attention to the memory?",
                            weights.shape(),
                            "A query for each English word, a key for each Spanish one.");
    stop("18.1 cross-attention", {{"memory", memory}, {"weights", weights}});
    std::cout << "memory " << memory.shape() << ", logits " << logits.shape()
              << ", the weights between them, not trained yet =\n"
              << weights.value() << "\n\n";
    const MultiHeadAttention& layer = model.decoder.layers[0].multihead_attn;
    const Attention by_nn = layer.with_weights(decoded.attended, memory);
    check(same(decoded.crossed.output, by_nn.output) && same(weights, squeeze(by_nn.weights, 0)),
          "$softmax(Q·Kᵀ/√d_k)·V$, keys and values from the source: nn's has the same bits");
    check(same(logits, squeeze(model(pairs.source, said_so_far(pairs)), 0)),
          "and so has the whole figure, of nn's encoder and decoder");

    say("The words to be said next are the words read, shifted by one (lesson 14), so a word must "
        "not see those after it. Let the last Spanish word change, then the last English one. "
        "Which rows of the logits change?");
    Translation other = text;
    other.spanish[3] = "cama";
    other.english[4] = "bed";
    const Pairs changed = pairs_of({other}, languages);
    const Tensor of_source = model(changed.source, said_so_far(pairs)).value();  // [1, T, V]
    const Tensor of_target = model(pairs.source, said_so_far(changed)).value();  // [1, T, V]
    const std::int64_t by_source = rows_that_differ(first_of(of_source), logits.value());
    const std::int64_t by_target = rows_that_differ(first_of(of_target), logits.value());
    std::cout << "Spanish word changed: " << by_source
              << " of 6 rows, English word changed: " << by_target << "\n\n";
    check(by_source == 6, "the last Spanish word reaches all rows");
    check(by_target == 1, "the last English word only its own: the rows before it keep every bit");
}

}  // namespace

void lesson(const tutorial::Options& options) {
    Random random(options.seed());
    if (options.has("--data")) return translate_own_pairs(options.value("--data"), random);
    say("Lesson 18: translation without recurrence. Is attention all you need?");
    figure_1(random);                                // 18.1
    padded(random);                                  // 18.2, padding.cpp
    const Orders models = longer_sentences(random);  // 18.3, longer.cpp
    where_cross_attention_looks(models, random);     // 18.4, cross_attention.cpp
    dependent_steps(models.by_bias[0], random);      // 18.5, decoding.cpp
    search(models.by_bias, random);                  // 18.6
}

int main(int argc, char** argv) {
    return tutorial::run(
        {.name = "18_translation",
         .subject = "Translation without recurrence: encoder and decoder.",
         .options = {{"--data", "FILE", "learn these lines (sentence, tab, translation)"}},
         .trains = true},
        argc, argv, lesson);
}
