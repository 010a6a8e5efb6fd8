// Lesson 18: where cross-attention looks (18.4).
#include "tutorials/13_alignment/pictures.h"
#include "tutorials/18_translation/parts.h"

#include "nn/heed.h"
#include "nn/pages/heat_map.h"
#include "tensor/runtime/fast_kernels.h"
#include "tutorials/support/lesson.h"
#include "tutorials/support/page.h"
#include "tutorials/support/stop.h"

#include <algorithm>
#include <iostream>

using namespace heed;
using tutorial::check;
using tutorial::say;
using tutorial::section;
using Words = std::vector<std::string>;

namespace {

const std::int64_t num_heads = 4;

// The share of those words only that come from an earlier Spanish word than the word before does:
// nouns after adjectives. weights [B, T - 1, S].
double crossing_share(const Tensor& weights, const Pairs& pairs) {
    const IndexTensor looked_at = tensor::argmax(weights, -1);  // [B, T - 1]
    double right = 0, words = 0;
    for (std::int64_t b = 0; b < weights.dim(0); ++b) {
        const std::vector<std::int64_t>& source = pairs.texts[static_cast<std::size_t>(b)].source;
        for (std::size_t j = 1; j < source.size(); ++j) {
            if (source[j] >= source[j - 1]) continue;
            ++words;
            right += looked_at(b, static_cast<std::int64_t>(j)) == source[j];
        }
    }
    return right / words;
}

// The share of aligned words for each range of lengths, by the weights that `of` makes of those of
// all heads.
template <class Of>
Curve aligned(const std::string& name, const Figure1& model, const Material& material,
              const Of& of) {
    Curve curve{name, {}};
    for (const std::vector<Translation>& texts : material.asked) {
        const Pairs pairs = pairs_of(texts, languages_of_grammar());
        curve.shares.push_back(aligned_share(of(cross_weights(model, pairs)), pairs));
    }
    return curve;
}

Tensor mean_of_heads(const Tensor& weights) { return tensor::mean(weights, 1); }

void by_length(const Orders& models, Random& random) {
    const Figure1& model = models.by_bias[0];
    section("18.4 Where cross-attention looks");
    say("Nobody told it which Spanish word an English one comes from. The share of English words "
        "with the largest weight on the right one, by each head, and by the mean of the weights of "
        "all four; below, the same mean in the model with sinusoids, and in one before training:");
    std::vector<Curve> curves;
    double best_at_12 = 0;
    for (std::int64_t h = 0; h < num_heads; ++h) {
        curves.push_back(aligned("bias everywhere: head " + std::to_string(h), model,
                                 models.material,
                                 [&](const Tensor& all) { return tensor::select(all, 1, h); }));
        best_at_12 = std::max(best_at_12, curves.back().shares[2]);
    }
    const Figure1 untrained =
        new_translator(Order::bias_everywhere, languages_of_grammar(), random);
    const Curve by_bias = aligned("mean of these heads", model, models.material, mean_of_heads);
    const Curve by_waves =
        aligned("sinusoids, mean", models.by_waves, models.material, mean_of_heads);
    const Curve by_chance = aligned("not trained, mean", untrained, models.material, mean_of_heads);
    curves.insert(curves.end(), {by_bias, by_waves, by_chance});
    print_curves(std::cout, curve_lengths, curves);
    const Pairs of_12 = pairs_of(models.material.asked[2], languages_of_grammar());
    const double crossing = crossing_share(mean_of_heads(cross_weights(model, of_12)), of_12);
    std::cout << "\nat 10 to 12 words, of those that change places, by the mean: "
              << fixed(crossing, 2) << "\n\n";
    check(best_at_12 > 0.7, "one head alone shows where most words come from");
    check(by_bias.shares[2] > 0.75, "and the four together where more than three in four do");
    check(by_chance.shares[2] < 0.3, "which is learned: before training they do not");
    check(crossing > 0.6, "also where the order changes, as in \"the white envelope\"");
    check(by_bias.shares[6] > 0.7 && by_waves.shares[6] < 0.7,
          "in long sentences they still do; with sinusoids they lose their place");
}

// All attention of the translator over one pair: the encoder's, the decoder's, and across. Rows of
// the latter are named by the word that is predicted.
std::vector<AttentionRecord> recorded(const Figure1& model, const Pairs& pairs,
                                      const Words& spanish, const Words& english) {
    const FastKernels fast;
    const NoGrad no_grad;
    RecordAttention recording(model);
    model(pairs.source, said_so_far(pairs));
    std::vector<AttentionRecord> records = recording.records();
    Words read = english;  // by the decoder, one place later
    read.insert(read.begin(), "<s>");
    read.pop_back();
    for (AttentionRecord& record : records) {
        const bool in_encoder = record.name.rfind("encoder", 0) == 0;
        const bool is_across = record.name.find("multihead") != std::string::npos;
        record.query_tokens = {in_encoder ? spanish : is_across ? english : read};
        record.key_tokens = {in_encoder || is_across ? spanish : read};
    }
    return records;
}

void crossings(const Figure1& model) {
    say("A sentence of nine words, in which an adjective changes places with its noun, a pronoun "
        "comes out of a verb, and \"sobre\" is two things. The mean of the four heads:");
    const Translation& text = shown_sentences()[1];
    const Pairs pairs = pairs_of({text}, languages_of_grammar());
    const Sentences said = translate(model, pairs.source, 45);
    const Tensor heads = tensor::select(cross_weights(model, pairs), 0, 0);  // [h, T, S]
    const Tensor weights = tensor::mean(heads, 0);                           // [T, S]
    stop("18.4 weights", {{"heads", heads}, {"weights", weights}});
    Words english = text.english, spanish = text.spanish;
    english.push_back("</s>");
    spanish.push_back("</s>");
    print_heat_map(std::cout, english, spanish, weights);
    if (tutorial::page_is_written()) {
        tutorial::show_attention("All attention of this translation to explore. In the decoder's "
                                 "multihead_attn lines cross where the order of words changes.",
                                 recorded(model, pairs, spanish, english));
    }
    const IndexTensor looked_at = tensor::argmax(weights, -1);  // [T]
    std::int64_t aligned = 0;
    for (std::int64_t j = 0; j < 10; ++j) {
        aligned += looked_at(j) == text.source[static_cast<std::size_t>(j)];
    }
    std::cout << "it says: " << text_of(said[0], languages_of_grammar().target) << "\n"
              << aligned << " of these 10 words look most at the word they come from\n\n";
    check(right_share(said, pairs) == 1, "the translation is right");
    check(aligned >= 6, "most rows have their largest weight where they should");
    say("A row that looks elsewhere need not be wrong: the verb determines which \"sobre\" is "
        "meant, so \"about\" may well look there.");
}

}  // namespace

void where_cross_attention_looks(const Orders& models, Random& random) {
    by_length(models, random);
    crossings(models.by_bias[0]);
}
