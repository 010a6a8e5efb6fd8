// Lesson 18: what has to wait for what (18.5), and how a translation is searched (18.6).
#include "tutorials/18_translation/parts.h"

#include "nn/heed.h"
#include "tensor/runtime/fast_kernels.h"
#include "tutorials/13_alignment/chain.h"
#include "tutorials/support/lesson.h"
#include "tutorials/support/page.h"
#include "tutorials/support/plot.h"
#include "tutorials/support/predict.h"
#include "tutorials/support/stop.h"
#include "tutorials/support/terminal.h"

#include <algorithm>
#include <cmath>
#include <iostream>

using namespace heed;
using tutorial::check;
using tutorial::in_the_notes;
using tutorial::print_row;
using tutorial::say;
using tutorial::section;

namespace {

const std::int64_t d = 16;

// The longest chains of operations for a sentence of S words.
struct Chains {
    std::int64_t S, gru, looked, encoder, decoder;
};

Chains chains_of(std::int64_t S, Random& random) {
    const GRU gru(d, d, random);
    const TransformerEncoder encoder(1, d, 2, 2 * d, random);
    const TransformerDecoder decoder(1, d, 2, 2 * d, random);
    const Variable X(tensor::normal({S, d}, random)), Y(tensor::normal({S, d}, random));
    const Variable h = gru(X).output;                               // [S, d]
    const Variable looked = dot_product_attention(Y, h, h).output;  // [S, d]
    const Variable memory = encoder(X);                             // [S, d]
    const Variable output = decoder(Y, memory, Mask::causal(S));    // [S, d]
    return {S, longest_chain(h), longest_chain(looked), longest_chain(memory),
            longest_chain(output)};
}

void draw_chains(const std::vector<Chains>& chains) {
    if (!tutorial::page_is_written()) return;
    const auto series = [&](const char* name, std::int64_t Chains::*length) {
        tutorial::Series one{.name = name, .x = {}, .y = {}};
        for (const Chains& c : chains) {
            one.x.push_back(static_cast<double>(c.S));
            one.y.push_back(static_cast<double>(c.*length));
        }
        return one;
    };
    tutorial::draw(tutorial::plot_svg(
        {.title = "How long one has to wait",
         .x = {.label = "words"},
         .y = {.label = "operations, one after the other", .covers = {0}},
         .series = {series("GRU", &Chains::gru), series("attention to it", &Chains::looked),
                    series("encoder", &Chains::encoder),
                    series("with decoder", &Chains::decoder)}}));
}

void print_chains(const std::vector<Chains>& chains) {
    print_row(std::cout, "words", {"GRU", "attention to it", "encoder", "with decoder"}, 8, 15);
    for (const Chains& c : chains) {
        print_row(std::cout, std::to_string(c.S),
                  {std::to_string(c.gru), std::to_string(c.looked), std::to_string(c.encoder),
                   std::to_string(c.decoder)},
                  8, 15);
    }
    std::cout << "\n";
    draw_chains(chains);
}

// The logits at each of these words [1, T], read one at a time: [T, V].
Tensor one_at_a_time(Saying& saying, const IndexTensor& words) {
    std::vector<Tensor> logits;
    for (std::int64_t t = 0; t < words.dim(1); ++t) {
        const IndexTensor word = tensor::slice(words, 1, t, t + 1);  // [1, 1]
        logits.push_back(saying.read(word));
    }
    return tensor::concatenate(logits, 0);
}

struct Found {
    std::vector<double> log_p;  // of what was found, in nats
    std::vector<bool> right;
};

// What a search with this many beams finds for each text; with one beam it is greedy.
Found found_by(std::int64_t num_beams, const Figure1& model, const std::vector<Pairs>& texts) {
    const FastKernels fast;  // in a Debug build, too
    Found found;
    for (const Pairs& one : texts) {
        Saying saying(model, one.source);
        const Beam best =
            beam_search(saying, IndexTensor({begin}),
                        {.num_beams = num_beams, .max_new_tokens = 45, .end_token = end})[0];
        std::vector<std::int64_t> words = best.tokens;
        if (best.ended) words.pop_back();
        found.log_p.push_back(best.log_probability);
        found.right.push_back(right_share({words}, one) == 1);
    }
    return found;
}

// The log-probability that the model gives to the right translation.
double log_probability(const Figure1& model, const Pairs& one) {
    const NoGrad no_grad;
    const Variable logits = model(one.source, said_so_far(one));  // [1, T, V]
    return -static_cast<double>(
        cross_entropy(logits, next_words(one), {.reduction = Reduction::sum}).value().item());
}

double mean_of(const std::vector<double>& numbers) {
    double sum = 0;
    for (const double x : numbers) sum += x;
    return sum / static_cast<double>(numbers.size());
}

double share_of(const std::vector<bool>& found) {
    const std::ptrdiff_t count = std::count(found.begin(), found.end(), true);
    return static_cast<double>(count) / static_cast<double>(found.size());
}

struct Compared {
    int likelier = 0, less_likely = 0;  // what the beams found, than what greedy did
    int wrong = 0, preferred = 0;       // the beams' mistakes; likelier than the right translation
};

Compared compare(const Found& greedy, const Found& beam, const Figure1& model,
                 const std::vector<Pairs>& texts) {
    Compared compared;
    for (std::size_t i = 0; i < texts.size(); ++i) {
        compared.likelier += beam.log_p[i] > greedy.log_p[i] + 1e-4;
        compared.less_likely += beam.log_p[i] < greedy.log_p[i] - 1e-4;
        if (beam.right[i]) continue;
        ++compared.wrong;
        compared.preferred += beam.log_p[i] > log_probability(model, texts[i]);
    }
    return compared;
}

void print_found(const std::string& who, const Found& greedy, const Found& beam) {
    print_row(std::cout, who,
              {fixed(100 * share_of(greedy.right), 0), fixed(mean_of(greedy.log_p), 2),
               fixed(100 * share_of(beam.right), 0), fixed(mean_of(beam.log_p), 2)},
              12, 11);
}

}  // namespace

void dependent_steps(const Figure1& model, Random& random) {
    section("18.5 What has to wait");
    say("An operation that needs the result of another has to wait for it, however many processors "
        "there are. The longest chain of such operations, read off the graph, for a GRU that reads "
        "so many words, for attention to its states, and for the transformer's encoder and decoder "
        "of one layer, for all positions at once:");
    std::vector<Chains> chains;
    for (const std::int64_t S : {3, 6, 12, 24}) chains.push_back(chains_of(S, random));
    tutorial::predict_number("The encoder's chain is " + std::to_string(chains[0].encoder) +
                                 " operations long for 3 words. And for 24?",
                             static_cast<double>(chains[3].encoder), 0,
                             "All words at once; only the layers wait for each other.");
    print_chains(chains);
    const Chains &of_3 = chains[0], &of_12 = chains[2], &of_24 = chains[3];
    const std::int64_t a_word = (of_24.gru - of_12.gru) / 12;
    std::cout << "the GRU: " << a_word << " operations more for each word\n\n";
    check(a_word > 0 && of_24.gru == of_3.gru + 21 * a_word, "a recurrence waits for every word");
    check(of_24.encoder == of_3.encoder && of_24.decoder == of_3.decoder,
          "encoder and decoder do not: the chain is as long for 24 words as for 3");
    check(
        of_24.looked - of_24.gru == of_3.looked - of_3.gru,
        "attention to the GRU's states adds the same few: the recurrence is what cannot be done at "
        "once, not dot-product attention");
    in_the_notes("001 says of dot-product attention that it cannot run in parallel (001-8).");
    say("That is training, where the right words are known (lesson 14). A translation is still "
        "said word by word: the next word is not known before. The sentence is read once, and its "
        "keys and values are kept (lesson 19).");
    const NoGrad no_grad;
    const Pairs pairs = pairs_of(translations(1, 24, 24, random), languages_of_grammar());
    const IndexTensor words = said_so_far(pairs);  // [1, T]
    Saying saying(model, pairs.source);
    const Tensor one_by_one = one_at_a_time(saying, words);                           // [T, V]
    const Tensor at_once = tensor::select(model(pairs.source, words).value(), 0, 0);  // [T, V]
    stop("18.5 logits", {{"one_by_one", one_by_one}, {"at_once", at_once}});
    std::cout << "24 Spanish words, " << words.dim(1) - 1 << " English ones: the decoder is called "
              << saying.calls << " times, for logits " << one_by_one.shape() << "\n\n";
    check(tensor::same_bits(one_by_one, at_once),
          "one word at a time: the logits have the bits of all at once");
}

void search(const std::vector<Figure1>& models, Random& random) {
    section("18.6 Greedy or beam");
    say("Greedy takes the likeliest word of each step. The likeliest beginning need not lead to "
        "the likeliest sentence, so beam search goes on with the four likeliest beginnings "
        "(Sutskever et al. 2014). The three models with a bias everywhere, on 100 sentences of 13 "
        "to 24 words: how many are right, and the mean of log P, the logarithm of the whole "
        "translation's probability:");
    tutorial::predict_choice("With four beams, of 100 sentences", {"many more", "about as many"},
                             "about as many",
                             "The model is mostly sure, and where it errs, it errs.");
    std::vector<Pairs> texts;
    for (const Translation& text : translations(100, 13, 24, random)) {
        texts.push_back(pairs_of({text}, languages_of_grammar()));
    }
    std::vector<Found> greedy, beam;
    Compared all;
    print_row(std::cout, "", {"greedy", "log P", "four beams", "log P"}, 12, 11);
    for (const Figure1& model : models) {
        greedy.push_back(found_by(1, model, texts));
        beam.push_back(found_by(4, model, texts));
        const Compared compared = compare(greedy.back(), beam.back(), model, texts);
        all = {all.likelier + compared.likelier, all.less_likely + compared.less_likely,
               all.wrong + compared.wrong, all.preferred + compared.preferred};
        print_found("model " + std::to_string(greedy.size()), greedy.back(), beam.back());
    }
    const Tensor log_p = tensor::of({mean_of(greedy[0].log_p), mean_of(beam[0].log_p)});
    const Tensor right = tensor::of({share_of(greedy[0].right), share_of(beam[0].right)});
    stop("18.6 found", {{"log_p", log_p}, {"right", right}});
    std::cout << "\nfour beams found something likelier " << all.likelier
              << " times, something less likely " << all.less_likely << " times\nof their "
              << all.wrong << " mistakes, the model thinks " << all.preferred
              << " likelier than the right translation\n\n";
    bool likelier = true, as_many = true;
    for (std::size_t i = 0; i < models.size(); ++i) {
        likelier = likelier && mean_of(beam[i].log_p) >= mean_of(greedy[i].log_p);
        as_many = as_many && std::fabs(share_of(beam[i].right) - share_of(greedy[i].right)) < 0.1;
    }
    check(likelier, "what four beams find is likelier, in the mean of log P");
    check(as_many, "but about as many are right");
    check(all.preferred >= 0.8 * all.wrong,
          "most mistakes are the model's, not the search's: it thinks them likelier than what is "
          "right");
}
