// 15 Induction: how a model continues what it saw once: "... a b ... a" -> b. Two layers set by
// hand, then the same pair of heads, found by training and knocked out, and GPT-2's.
#include "nn/heed.h"
#include "nn/pages/heat_map.h"
#include "tutorials/15_induction/parts.h"
#include "tutorials/support/compare.h"
#include "tutorials/support/lesson.h"
#include "tutorials/support/predict.h"
#include "tutorials/support/stop.h"

#include <algorithm>
#include <iostream>

using namespace heed;
using tutorial::check;
using tutorial::say;
using tutorial::section;
using tutorial::Words;

const double sharp = 40;  // what one-hot products are multiplied by, so that softmax nearly chooses

// Causal attention with queries and keys that are set by hand: the weights, [T, T].
Tensor weights_of(const Tensor& Q, const Tensor& K) {
    const Tensor scores = sharp * tensor::matmul(Q, tensor::transpose(K));  // [T, T]
    const Mask mask = Mask::causal(scores.dim(0));
    return tensor::softmax(tensor::masked_fill(scores, mask.blocked(), -infinity), -1);
}

struct TwoLayers {
    Tensor first;   // [T, T]: each token looks at the one before
    Tensor second;  // [T, T]: and at what followed the last token like it
};

TwoLayers two_layers(const IndexTensor& ids, std::int64_t kinds) {
    const std::int64_t T = ids.dim(0);
    const Tensor tokens = tensor::one_hot(ids, kinds);  // [T, kinds]
    // Layer 0: the query is the position before, the key the position. It fetches the token there.
    const Tensor places = tensor::eye(T);
    const Tensor before = tensor::concatenate(
        {tensor::zeros({1, T}), tensor::slice(places, 0, 0, T - 1)}, 0);  // [T, T]
    const Tensor first = weights_of(before, places);                      // [T, T]
    const Tensor previous = tensor::matmul(first, tokens);                // [T, kinds]
    // Layer 1: the query is the token, the key the token before, which layer 0 has fetched.
    const Tensor second = weights_of(tokens, previous);  // [T, T]
    return {first, second};
}

Words letters_of(const IndexTensor& ids, bool begins) {
    Words letters;
    for (std::int64_t t = 0; t < ids.dim(0); ++t) {
        const bool is_begin = begins && t == 0;
        letters.push_back(is_begin ? "<s>" : std::string(1, static_cast<char>('a' + ids(t))));
    }
    return letters;
}

// The smallest weight of layer 1, over the repeated tokens, on what followed their first
// occurrence. `skipped` tokens stand before the pattern.
Scalar least_weight(const Tensor& second, std::int64_t n, std::int64_t skipped) {
    Scalar least = 1;
    for (std::int64_t i = 0; i + 1 < n; ++i) {
        least = std::min(least, second(skipped + n + i, skipped + i + 1));
    }
    return least;
}

void without_rest() {
    section("15.1 Two heads, one behind the other");
    say("a b c d, and again a b c: what comes next? The d, because it followed the last c. Can one "
        "head find it? The query is made of c, and the key at d is made of d alone: nothing in the "
        "two says that d once followed c. It takes two layers. The first tells each token what "
        "stood before it; in the second, c asks for a token that came after a c. With P[t] the "
        "one-hot row of position t and E[x] that of token x,");
    tutorial::formula("layer 0  $q_i = 40·P[i - 1]$,  $k_j = P[j]$,  $v_j = E[x_j]$\n"
                      "         its output at j is $E[x_(j-1)]$, the token before\n"
                      "layer 1  $q_i = 40·E[x_i]$,    $k_j$ = that output,\n"
                      "         so the score is 40 where $x_(j-1) = x_i$, and else 0");
    const IndexTensor ids({0, 1, 2, 3, 0, 1, 2});
    const TwoLayers layers = two_layers(ids, 4);
    const Words letters = letters_of(ids, false);
    const Tensor &first = layers.first, &second = layers.second;
    stop("15.1 two layers", {{"first", first}, {"second", second}});
    std::cout << "layer 0: the token before\n\n";
    print_heat_map(std::cout, letters, letters, first, Mask::causal(7));
    std::cout << "layer 1: what followed a token like this\n\n";
    print_heat_map(std::cout, letters, letters, second, Mask::causal(7));
    check(second(6, 3) > 0.99, "the last c looks at the d that followed the first c");
    const Scalar least = least_weight(second, 4, 0);
    std::cout << "the least weight where it should be: " << fixed(least, 2) << "\n\n";
    check(least < 0.51, "but the second a has half of its weight elsewhere: on the first a");
    say("Position 0 has nobody before it. Its row in layer 0 must sum to 1 all the same, so it "
        "looks at itself, and its output says that an a stood before it. The second a asks for "
        "what came after an a and finds two such keys.");
    say("A token that did not occur before has no key with a score of 40. All its scores are 0, "
        "and it looks at all alike: the rows of the first b, c and d.");
}

void with_rest() {
    section("15.2 A first token to rest on");
    say("Lesson 11's remedy: a token at the beginning that stands for nothing, <s>. Now it is <s> "
        "that has nobody before it, and <s> that its output names.");
    tutorial::predict_number("What is the least weight then?", 1, 0.01,
                             "Only <s> comes after <s>, and nobody asks for that.");
    const IndexTensor with_begin({4, 0, 1, 2, 3, 0, 1, 2});
    const Tensor rested = two_layers(with_begin, 5).second;
    const Words begun = letters_of(with_begin, true);
    stop("15.2 with a first token", {{"rested", rested}});
    print_heat_map(std::cout, begun, begun, rested, Mask::causal(8));
    std::cout << "the least weight where it should be: " << fixed(least_weight(rested, 4, 1), 2)
              << "\n\n";
    check(least_weight(rested, 4, 1) > 0.99, "now each repeated token looks where it should");
}

void lesson(const tutorial::Options& options) {
    Random random(options.seed());
    say("Lesson 15: induction. How does a model continue what it has seen only once? Elhage et al. "
        "(2021) found two heads that do it together and called the second an induction head. They "
        "are set by hand here, found by training, told from an impostor, knocked out, and looked "
        "for in GPT-2.");
    without_rest();                                                 // 15.1
    with_rest();                                                    // 15.2
    const std::vector<Trained> models = found_by_training(random);  // 15.3, trained.cpp
    right_without(models, random);                                  // 15.4, trained.cpp
    knocked_out(models, random);                                    // 15.5, knocked_out.cpp
    in_gpt2();                                                      // 15.6, gpt2.cpp
}

int main(int argc, char** argv) {
    return tutorial::run({.name = "15_induction",
                          .subject = "Two heads that copy what they saw once.",
                          .trains = true},
                         argc, argv, lesson);
}
