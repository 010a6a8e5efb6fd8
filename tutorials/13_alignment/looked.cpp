// Lesson 13: where the translators with attention look (13.5).
#include "tutorials/13_alignment/parts.h"

#include "nn/heed.h"
#include "nn/pages/heat_map.h"
#include "tensor/runtime/fast_kernels.h"
#include "tutorials/support/lesson.h"
#include "tutorials/support/stop.h"

#include <algorithm>
#include <iostream>

using namespace heed;
using tutorial::check;
using tutorial::say;
using tutorial::section;

namespace {

// The share of words aligned right, for each range of lengths.
Curve aligned_by(const std::string& name, const Translator& model, const Material& material) {
    const FastKernels fast;
    const NoGrad no_grad;
    Curve curve{name, {}};
    for (std::size_t i = 0; i < curve_lengths.size(); ++i) {
        const Pairs pairs = pairs_of(material.asked[i], languages_of_grammar());
        curve.shares.push_back(aligned_share(follow(model, pairs).weights.value(), pairs));
    }
    return curve;
}

std::vector<std::string> with_end(std::vector<std::string> words) {
    words.push_back("</s>");
    return words;
}

}  // namespace

void where_it_looked(const Translators& models) {
    section("13.5 Where it looked");
    say("Nobody told them which word comes from which: they saw pairs of sentences, no more. The "
        "share of English words whose largest weight is on the Spanish word they come from:");
    const Curve looks = aligned_by("attention", models.attention, models.material);
    const Curve remembers = aligned_by("place, too", models.with_place, models.material);
    print_curves(std::cout, curve_lengths, {looks, remembers});
    std::cout << "\n";
    const double least = std::min({looks.shares[0], looks.shares[1], looks.shares[2]});
    check(least > 0.85, "attention aligns some nine words of ten, at the lengths of training");
    check(remembers.shares.back() > 0.8, "the third does, or nearly, at twice the length");
    say("What it gets wrong is beside the word: the state of a neighbour, read both ways, tells of "
        "it, too. A sentence by the second:");

    const NoGrad no_grad;
    const Pairs one = pairs_of({cow_on_the_bridge()}, languages_of_grammar());
    const Tensor weights = tensor::select(follow(models.attention, one).weights.value(), 0, 0);
    Translation seen = cow_on_the_bridge();
    print_heat_map(std::cout, with_end(seen.english), with_end(seen.spanish), weights);
    const IndexTensor largest = tensor::argmax(weights, -1);  // [T - 1]
    for (std::size_t j = 0; j < seen.source.size(); ++j) {
        seen.source[j] = largest(static_cast<std::int64_t>(j));
    }
    const double right = aligned_share(tensor::unsqueeze(weights, 0), one);
    stop("13.5 looked", {{"weights", weights}});
    std::cout << "The largest weight of each row, as a line:\n\n";
    draw_alignment(std::cout, seen);
    std::cout << "\n";
    check(right > 0.8, "the cow's crossing is found, and at most one word is not");
}
