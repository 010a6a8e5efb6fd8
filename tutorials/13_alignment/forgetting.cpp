// Lesson 13: what one vector forgets: sentences it has learned and has not, how far it gets, and
// translations to read (13.4).
#include "tutorials/13_alignment/parts.h"
#include "tutorials/13_alignment/said.h"

#include "nn/heed.h"
#include "tensor/runtime/fast_kernels.h"
#include "tutorials/support/lesson.h"
#include "tutorials/support/terminal.h"

#include <algorithm>
#include <cmath>
#include <iostream>

using namespace heed;
using tutorial::check;
using tutorial::print_row;
using tutorial::say;

namespace {

// 100 of the sentences learned, with so many words.
std::vector<Translation> some_learned(const Material& material, const LengthRange& range) {
    std::vector<Translation> texts;
    for (const Translation& text : material.learned) {
        const std::int64_t words = static_cast<std::int64_t>(text.spanish.size());
        if (words >= range[0] && words <= range[1] && texts.size() < 100) texts.push_back(text);
    }
    return texts;
}

void learned_or_not(const Translators& models) {
    const std::vector<std::vector<Translation>> texts = {
        some_learned(models.material, curve_lengths[1]), models.material.asked[1]};
    const Curve one = curve_of("one vector", models.one_vector, texts);
    const Curve looks = curve_of("attention", models.attention, texts);
    say("Is it because they are new? The same for 100 sentences of 7 to 9 words that they did "
        "learn:");
    print_row(std::cout, "7-9 Spanish words", {"learned", "not learned"}, 24, 12);
    for (const Curve& curve : {one, looks}) {
        print_row(std::cout, curve.name, {fixed(curve.shares[0], 2), fixed(curve.shares[1], 2)}, 24,
                  12);
    }
    std::cout << "\n";
    check(one.shares[0] < looks.shares[0] - 0.2,
          "no: one vector also gets sentences wrong that it has learned, where attention does not");
}

// The mean number of words right before the first wrong one.
double mean_right_until(const Translator& model, const std::vector<Translation>& texts) {
    const std::vector<std::vector<std::string>> said = said_by(model, texts);
    double sum = 0;
    for (std::size_t b = 0; b < texts.size(); ++b) {
        sum += static_cast<double>(right_until(said[b], texts[b].english));
    }
    return sum / static_cast<double>(texts.size());
}

double mean_length(const std::vector<Translation>& texts) {
    double sum = 0;
    for (const Translation& text : texts) sum += static_cast<double>(text.english.size());
    return sum / static_cast<double>(texts.size());
}

void how_far(const Translators& models) {
    say("How far do they get? The mean number of English words before the first wrong one, in 100 "
        "sentences of 5, of 9 and of 14 Spanish words:");
    std::vector<std::string> lengths, of_english, of_vector, of_looking;
    std::vector<double> share;  // of the English words, by one vector
    for (std::size_t i = 0; i < shown_sentences().size(); ++i) {
        const std::vector<Translation>& texts = models.material.asked[curve_lengths.size() + i];
        const double english = mean_length(texts);
        const double by_vector = mean_right_until(models.one_vector, texts);
        lengths.push_back(std::to_string(shown_sentences()[i].spanish.size()));
        of_english.push_back(fixed(english, 1));
        of_vector.push_back(fixed(by_vector, 1));
        of_looking.push_back(fixed(mean_right_until(models.attention, texts), 1));
        share.push_back(by_vector / english);
    }
    print_row(std::cout, "Spanish words", lengths, 24, 6);
    print_row(std::cout, "English words", of_english, 24, 6);
    print_row(std::cout, "one vector", of_vector, 24, 6);
    print_row(std::cout, "attention", of_looking, 24, 6);
    std::cout << "\n";
    check(share[0] > 0.8 && share[1] < share[0] && share[2] < 0.5 * share[0],
          "one vector goes wrong ever earlier in the sentence, the longer that is");
}

}  // namespace

void see_it_forget(const Translators& models) {
    learned_or_not(models);
    how_far(models);
    say("Three of them to read. A bar stands before the first wrong word:");
    const std::vector<Translation>& texts = shown_sentences();
    const std::vector<std::vector<std::string>> by_vector = said_by(models.one_vector, texts);
    const std::vector<std::vector<std::string>> by_looking = said_by(models.attention, texts);
    const std::vector<std::vector<std::string>> by_place = said_by(models.with_place, texts);
    for (std::size_t i = 0; i < texts.size(); ++i) {
        tutorial::print_wrapped(std::cout, "  ", "  ", text_of_words(texts[i].spanish));
        print_said(std::cout, "one vector  ", by_vector[i], texts[i].english);
        print_said(std::cout, "attention   ", by_looking[i], texts[i].english);
        print_said(std::cout, "place, too  ", by_place[i], texts[i].english);
        std::cout << "\n";
    }
}
