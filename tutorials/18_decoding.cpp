#include "tutorials/18_decoding.h"

#include "heed/autograd/ops.h"
#include "heed/nn/attention/attention.h"
#include "heed/nn/generation/beam_search.h"
#include "heed/nn/recurrent/gru.h"
#include "heed/tensor/ops.h"
#include "heed/tensor/print.h"
#include "tutorials/13_chain.h"
#include "tutorials/support/lesson.h"
#include "tutorials/support/predict.h"
#include "tutorials/support/stop.h"
#include "tutorials/support/table.h"

#include <iostream>

using namespace heed;
using tutorial::check;
using tutorial::print_row;
using tutorial::say;
using tutorial::section;

namespace {

const std::int64_t d = 16;

struct Chains {
    std::int64_t gru, gru_and_attention, encoder, both_sides;
};

// The longest chains to what each makes of S words; both sides: with as many words said.
Chains chains_of(std::int64_t S, Random& random) {
    const GRU gru(d, d, random);
    const TransformerEncoder encoder(1, d, 2, 2 * d, random);
    const TransformerDecoder decoder(1, d, 2, 2 * d, random);
    const Variable X(tensor::normal({S, d}, random)), Y(tensor::normal({S, d}, random));
    const Variable states = gru(X).output;  // [S, d]
    const Variable looked = dot_product_attention(Y, states, states).output;
    const Variable memory = encoder(X);
    const Variable y = decoder(Y, memory, Mask::causal(S));
    return {longest_chain(states), longest_chain(looked), longest_chain(memory), longest_chain(y)};
}

}  // namespace

void dependent_steps(Random& random) {
    section("18.5 What has to wait");
    for (const std::int64_t S : {3, 6, 12, 24}) {
        const Chains c = chains_of(S, random);
        print_row(std::cout, std::to_string(S),
                  {std::to_string(c.gru), std::to_string(c.gru_and_attention),
                   std::to_string(c.encoder), std::to_string(c.both_sides)},
                  10, 10);
    }
}

void search(const Figure1& model, Random& random) {
    section("18.6 Greedy or beam");
    const Pairs pairs = pairs_of(translations(60, 13, 24, random), languages_of_grammar());
    for (std::int64_t k : {1, 4}) {
        double right = 0, log_p = 0;
        for (const Translation& text : pairs.texts) {
            const Pairs one = pairs_of({text}, languages_of_grammar());
            Saying saying(model, one.source);
            Beam best = beam_search(saying, IndexTensor({begin}),
                                    {.num_beams = k, .max_new_tokens = 45, .end_token = end})[0];
            log_p += best.log_probability;
            std::vector<std::int64_t> words = best.tokens;
            if (best.ended) words.pop_back();
            right += right_share({words}, one);
        }
        std::cout << k << " " << right / 60 << " " << log_p / 60 << "\n";
    }
}
