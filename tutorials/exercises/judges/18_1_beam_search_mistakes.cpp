#include "tutorials/exercises/judges/18_1_beam_search_mistakes.h"

#include "tensor/kernels/math.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace exercise {

namespace {

using Beams = std::vector<Beam>;

std::size_t count(std::int64_t number) { return static_cast<std::size_t>(number); }

double mean_log_p(const Beam& beam) {
    return beam.tokens.empty() ? 0 : beam.log_p / static_cast<double>(beam.tokens.size());
}

// The beam and one more token.
Beam longer(const Beam& beam, std::size_t token, double log_p, std::int64_t end,
            const Slips& slip) {
    Beam one = beam;
    one.tokens.push_back(static_cast<std::int64_t>(token));
    one.ended = one.tokens.back() == end;
    if (slip("beam.last-only")) one.log_p = 0;
    if (one.ended && slip("beam.end-for-free")) log_p = 0;
    one.log_p += slip("beam.p-added") ? heed::kernels::math::exp(log_p) : log_p;
    return one;
}

// All continuations, those of the first beam first.
Beams continuations(const LogP& log_p, const Beams& open, std::int64_t end, const Slips& slip) {
    Beams all;
    for (const Beam& beam : open) {
        const std::vector<double> next = log_p(beam.tokens);
        const auto best = std::max_element(next.begin(), next.end()) - next.begin();
        const bool only_best = slip("beam.each-its-best") && !beam.tokens.empty();
        for (std::size_t token = 0; token < next.size(); ++token) {
            if (only_best && token != static_cast<std::size_t>(best)) continue;
            if (std::isinf(next[token]) && !slip("beam.impossible")) continue;
            all.push_back(longer(beam, token, next[token], end, slip));
        }
    }
    return all;
}

void sort(Beams& beams, const Slips& slip) {
    const bool by_mean = slip("beam.length-norm");
    std::stable_sort(beams.begin(), beams.end(), [&](const Beam& a, const Beam& b) {
        const double of_a = by_mean ? mean_log_p(a) : a.log_p;
        const double of_b = by_mean ? mean_log_p(b) : b.log_p;
        return slip("beam.worst") ? of_a < of_b : of_a > of_b;
    });
}

// The best for these places; `all` are in the order of beams and tokens.
Beams chosen(Beams all, std::size_t places, const Slips& slip) {
    if (slip("beam.ties-backwards")) std::reverse(all.begin(), all.end());
    if (slip("beam.ties-by-token")) {
        std::stable_sort(all.begin(), all.end(), [](const Beam& a, const Beam& b) {
            return a.tokens.back() < b.tokens.back();
        });
    }
    sort(all, slip);
    if (all.size() > places) all.resize(places);
    return all;
}

bool is_over(const Beams& best, const Beams& ended, const Slips& slip) {
    if (slip("beam.stops-at-first-end")) return !ended.empty();
    return slip("beam.stops-at-best-end") && !best.empty() && best.front().ended;
}

Beams result(Beams ended, const Beams& open, std::size_t k, const Slips& slip) {
    if (slip("beam.open-lost") && !ended.empty()) return ended;
    if (slip("beam.ended-lost")) ended.clear();
    ended.insert(ended.end(), open.begin(), open.end());
    if (!slip("beam.unsorted")) sort(ended, slip);
    if (slip("beam.only-best") && !ended.empty()) ended.resize(1);
    if (ended.size() > k && !slip("beam.ended-beside")) ended.resize(k);
    if (slip("beam.end-cut")) {
        for (Beam& beam : ended) {
            if (beam.ended) beam.tokens.pop_back();
        }
    }
    return ended;
}

}  // namespace

std::vector<Beam> beams_walk(const LogP& log_p, std::int64_t k, std::int64_t end, std::int64_t most,
                             const Slips& slip) {
    if (slip("beam.greedy")) k = 1;
    const std::int64_t steps = slip("beam.step-less") ? most - 1 : most;
    const bool places_are_freed = slip("beam.places-freed") || slip("beam.ended-beside");
    Beams open(slip("beam.copies") ? count(k) : 1), ended;
    for (std::int64_t step = 0; step < steps && !open.empty(); ++step) {
        Beams all = continuations(log_p, open, end, slip);
        if (slip("beam.ended-compete")) {
            all.insert(all.begin(), ended.begin(), ended.end());
            ended.clear();
        }
        const std::size_t held = places_are_freed ? 0 : ended.size();
        const Beams best = chosen(all, count(k) - held, slip);
        open.clear();
        for (const Beam& beam : best) {
            (beam.ended && !slip("beam.ended-continued") ? ended : open).push_back(beam);
        }
        if (is_over(best, ended, slip)) break;
    }
    return result(ended, open, count(k), slip);
}

namespace {

std::vector<Mistake> mistakes_of_steps() {
    const std::string two = "Take k = 2 and two steps, and write down all continuations.";
    const std::string sum = "What is the logarithm of a product?";
    return {
        {"beam.greedy",
         "there was one beam only, whatever k",
         {"How many beginnings are kept?", "Print the number of open beams after each step."}},
        {"beam.last-only",
         "log P of a beam was that of its last token",
         {sum, "The line that makes log_p of the longer beam."}},
        {"beam.p-added",
         "probabilities were added, and not their logarithms",
         {sum, "The line that makes log_p of the longer beam."}},
        {"beam.each-its-best",
         "each beam was continued by its own best token only",
         {"May two continuations of one beam both be kept?", two}},
        {"beam.copies",
         "the search began with k empty beams, so that it found the same text k times",
         {"How many beginnings are there before the first token?", two}},
        {"beam.worst",
         "the least likely came first",
         {"Which log P is likelier, -1 or -2?", "What you sort by."}},
        {"beam.impossible",
         "tokens with a log P of -∞ were taken, too",
         {"Can a token of probability 0 come?", "Print the worst beam's log_p."}},
        {"beam.length-norm",
         "beams were compared by log P divided by their length",
         {"Does the contract name a norm?", "What you sort by."}},
        {"beam.ties-backwards",
         "of equally likely continuations the later one was taken",
         {"Which of two equals comes first?", "std::stable_sort keeps the order of equals."}},
        {"beam.ties-by-token",
         "of equally likely continuations the lower id came first, whichever its beam",
         {"What comes first among equals, beam or id?", "The order of your continuations."}},
        {"beam.step-less",
         "there was one step too few",
         {"How many tokens has a beam that never ends?", "Try most = 1."}},
    };
}

std::vector<Mistake> mistakes_of_ends() {
    const std::string try_it = "Try a model whose end token is likely from the first step on.";
    return {
        {"beam.end-for-free",
         "the end token's log P was not added",
         {"Is the end a token like others?", try_it}},
        {"beam.end-cut",
         "beams that had ended had lost their end token",
         {"Does an ended beam keep its last token?", try_it}},
        {"beam.ended-continued",
         "beams went on after their end token",
         {"What may follow the end token?", "Where you ask log_p."}},
        {"beam.ended-lost",
         "beams that had ended were not returned",
         {"Where do beams go that end?", try_it}},
        {"beam.open-lost",
         "beams that were still open were not returned, where some had ended",
         {"What becomes of beams that never end?", "Try most = 1."}},
        {"beam.only-best", "only the best beam was returned", {"How many are asked for?", try_it}},
        {"beam.places-freed",
         "a beam that ended left its place, so that k others were continued",
         {"How many places are free once a beam has ended?", try_it}},
        {"beam.ended-beside",
         "beams that ended left their places and were returned beside the k others",
         {"How many places are free once a beam has ended?", try_it}},
        {"beam.ended-compete",
         "beams that had ended had to compete again at each step, and could be lost",
         {"Can an ended beam lose its place?", try_it}},
        {"beam.stops-at-first-end",
         "the search stopped as soon as a beam had ended",
         {"Can an open beam still become the best?", try_it}},
        {"beam.stops-at-best-end",
         "the search stopped when the best continuation of a step had ended",
         {"What do the other open beams do?", try_it}},
        {"beam.unsorted",
         "ended beams came before open ones, whatever their log P",
         {"In which order are the beams returned?", "Where you return them."}},
    };
}

}  // namespace

std::vector<Mistake> beams_mistakes() {
    std::vector<Mistake> all = mistakes_of_steps();
    for (const Mistake& mistake : mistakes_of_ends()) all.push_back(mistake);
    return all;
}

}  // namespace exercise
