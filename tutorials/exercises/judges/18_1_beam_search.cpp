#include "tutorials/exercises/judges/lesson_18.h"
#include "tutorials/exercises/judging/kit.h"

#include "tensor/kernels/math.h"

#include <limits>

using namespace heed;

namespace exercise {
namespace {
using Beams = std::vector<Beam>;

constexpr double never = -std::numeric_limits<double>::infinity();

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
    one.log_p += slip("beam.p-added") ? kernels::math::exp(log_p) : log_p;
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

Beams beams_walk(const LogP& log_p, std::int64_t k, std::int64_t end, std::int64_t most,
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

std::vector<Mistake> mistakes() {
    const std::string two = "Take k = 2 and two steps, and write down all continuations.";
    const std::string sum = "What is the logarithm of a product?";
    const std::string try_it = "Try a model whose end token is likely from the first step on.";
    return {
        {"beam.greedy", "there was one beam only, whatever k", "How many beginnings are kept?",
         "Print the number of open beams after each step."},
        {"beam.last-only", "log P of a beam was that of its last token", sum,
         "The line that makes log_p of the longer beam."},
        {"beam.p-added", "probabilities were added, and not their logarithms", sum,
         "The line that makes log_p of the longer beam."},
        {"beam.each-its-best", "each beam was continued by its own best token only",
         "May two continuations of one beam both be kept?", two},
        {"beam.copies",
         "the search began with k empty beams, so that it found the same text k times",
         "How many beginnings are there before the first token?", two},
        {"beam.worst", "the least likely came first", "Which log P is likelier, -1 or -2?",
         "What you sort by."},
        {"beam.impossible", "tokens with a log P of -∞ were taken, too",
         "Can a token of probability 0 come?", "Print the worst beam's log_p."},
        {"beam.length-norm", "beams were compared by log P divided by their length",
         "Does the contract name a norm?", "What you sort by."},
        {"beam.ties-backwards", "of equally likely continuations the later one was taken",
         "Which of two equals comes first?", "std::stable_sort keeps the order of equals."},
        {"beam.ties-by-token",
         "of equally likely continuations the lower id came first, whichever its beam",
         "What comes first among equals, beam or id?", "The order of your continuations."},
        {"beam.step-less", "there was one step too few",
         "How many tokens has a beam that never ends?", "Try most = 1."},
        {"beam.end-for-free", "the end token's log P was not added",
         "Is the end a token like others?", try_it},
        {"beam.end-cut", "beams that had ended had lost their end token",
         "Does an ended beam keep its last token?", try_it},
        {"beam.ended-continued", "beams went on after their end token",
         "What may follow the end token?", "Where you ask log_p."},
        {"beam.ended-lost", "beams that had ended were not returned", "Where do beams go that end?",
         try_it},
        {"beam.open-lost", "beams that were still open were not returned, where some had ended",
         "What becomes of beams that never end?", "Try most = 1."},
        {"beam.only-best", "only the best beam was returned", "How many are asked for?", try_it},
        {"beam.places-freed", "a beam that ended left its place, so that k others were continued",
         "How many places are free once a beam has ended?", try_it},
        {"beam.ended-beside",
         "beams that ended left their places and were returned beside the k others",
         "How many places are free once a beam has ended?", try_it},
        {"beam.ended-compete",
         "beams that had ended had to compete again at each step, and could be lost",
         "Can an ended beam lose its place?", try_it},
        {"beam.stops-at-first-end", "the search stopped as soon as a beam had ended",
         "Can an open beam still become the best?", try_it},
        {"beam.stops-at-best-end",
         "the search stopped when the best continuation of a step had ended",
         "What do the other open beams do?", try_it},
        {"beam.unsorted", "ended beams came before open ones, whatever their log P",
         "In which order are the beams returned?", "Where you return them."},
    };
}

struct Input {
    LogP log_p;
    std::int64_t k, end, most;
};

// log P of V tokens, random for each prefix; `favour` is added to the end token's logit.
struct RandomModel {
    std::int64_t V, end;
    std::uint64_t seed;
    double favour = 0, deviation = 1;

    std::vector<double> operator()(const Tokens& prefix) const {
        std::uint64_t hash = seed;
        for (const std::int64_t i : prefix) hash = hash * 31 + static_cast<std::uint64_t>(i) + 7;
        std::vector<Scalar> logits = random({V}, hash, deviation).to_vector();
        logits[static_cast<std::size_t>(end)] += static_cast<Scalar>(favour);
        const Tensor log_p = tensor::log_softmax(tensor::from_vector(logits, {V}), -1);
        const std::vector<Scalar> numbers = log_p.to_vector();
        return {numbers.begin(), numbers.end()};
    }
};

Input drawn(const RandomModel& model, std::int64_t k, std::int64_t most) {
    return {model, k, model.end, most};
}

// Numbers without rounding, many sums of which are equal.
std::vector<double> with_ties(const Tokens& prefix) {
    const std::vector<std::vector<double>> rows = {
        {-2, -1, -3, -1}, {-1, -2, -1, -4}, {-3, -1, -1, -2}};
    std::size_t row = prefix.size();
    for (const std::int64_t token : prefix) row += static_cast<std::size_t>(token);
    return rows[row % rows.size()];
}

// Sums that differ in the tenth digit only.
std::vector<double> almost_equal(const Tokens& prefix) {
    const double steps[] = {1e-10, 3.7e-10, 13.69e-10, 50.653e-10};
    const double step = steps[prefix.size()];
    const bool turned = !prefix.empty() && prefix.back() == 1;
    return {-1.5, -1.5 + (turned ? -step : step), -1.5 + 2 * step, -9};
}

// Token 2 ends; 0 begins likelier than 1, but 1 and then the end is the likeliest text.
std::vector<double> where_greedy_errs(const Tokens& prefix) {
    if (prefix.empty()) return {-0.7, -0.9, -2.4};
    return prefix.back() == 0 ? std::vector<double>{-1.2, -1.1, -1}
                              : std::vector<double>{-3, -3.1, -0.1};
}

// Token 1 ends, which it hardly ever does; the others go on better than that.
std::vector<double> with_a_poor_end(const Tokens& prefix) {
    if (prefix.empty()) return {-0.1, -3, -5};
    return prefix.back() == 0 ? std::vector<double>{-0.8, -4, -0.6}
                              : std::vector<double>{-0.9, -3.5, -0.65};
}

// Few tokens are possible, and one is certain.
std::vector<double> mostly_impossible(const Tokens& prefix) {
    if (prefix.empty()) return {-1, -0.5, never, never, never};
    if (prefix.back() == 1) return {never, never, -0.25, -1.5, never};
    if (prefix.back() == 0) return {never, 0, never, never, never};
    return {never, never, never, -1, -0.5};
}

// Token 3 ends. Of the likeliest beginnings, [2] comes before [1] and that before [0], and what
// follows makes texts of each equally likely, those that end with others.
std::vector<double> where_beams_tie(const Tokens& prefix) {
    if (prefix.empty()) return {-3, -2, -1, -9};
    const double next = -1.0 - static_cast<double>(prefix.front());
    return {next, next - 1, next, next};
}

// Token 2 ends. Nothing goes on after token 0, and after token 1 nothing but one more.
std::vector<double> with_dead_ends(const Tokens& prefix) {
    if (prefix.empty()) return {-1, -2, -3};
    if (prefix == Tokens{1}) return {never, -0.5, never};
    return {never, never, never};
}

std::vector<double> nothing_possible(const Tokens&) { return {never, never}; }

Inputs<Input> inputs() {
    return {
        {"a model with which greedy errs, k = 2", {where_greedy_errs, 2, 2, 2}},
        {"the same model, k = 1", {where_greedy_errs, 1, 2, 2}},
        {"4 tokens, k = 3, 4 steps", drawn({4, 0, 1}, 3, 4)},
        {"4 tokens, k = 3, another model", drawn({4, 0, 2}, 3, 4)},
        {"6 tokens, the end likely, k = 4", drawn({6, 5, 3, 1.5}, 4, 5)},
        {"5 tokens, the end in the middle, k = 4", drawn({5, 2, 4, 0.8}, 4, 6)},
        {"5 tokens, the end unlikely, k = 3", drawn({5, 1, 5, -20}, 3, 5)},
        {"5 tokens, k = 1", drawn({5, 3, 6, 0.3}, 1, 6)},
        {"one step, k = 2", drawn({4, 1, 7}, 2, 1)},
        {"3 tokens, one step, k = 10", drawn({3, 2, 8}, 10, 1)},
        {"k so large that nothing is lost", drawn({3, 1, 9}, 40, 4)},
        {"a model with ties, k = 3", {with_ties, 3, 3, 4}},
        {"the same ties, k = 5", {with_ties, 5, 0, 3}},
        {"numbers that differ in the tenth digit", {almost_equal, 3, 3, 4}},
        {"a poor text ends first, k = 2", {with_a_poor_end, 2, 1, 3}},
        {"a poor text ends first, k = 3", {with_a_poor_end, 3, 1, 4}},
        {"few tokens possible, k = 2", {mostly_impossible, 2, 4, 4}},
        {"few tokens possible, k = 12", {mostly_impossible, 12, 4, 4}},
        {"texts of several beams that are equally likely, k = 4", {where_beams_tie, 4, 3, 2}},
        {"texts of several beams that are equally likely, k = 7", {where_beams_tie, 7, 3, 3}},
        {"beams that nothing can continue, k = 2", {with_dead_ends, 2, 2, 3}},
        {"beams that nothing can continue, k = 3", {with_dead_ends, 3, 2, 4}},
        {"no token possible", {nothing_possible, 2, 0, 3}},
        {"log P down to thousands", drawn({4, 0, 10, 0, 1500}, 6, 6)},
        {"log P down to thousands of millions", drawn({4, 2, 13, 0, 5e9}, 6, 4)},
        {"70 tokens", drawn({70, 64, 11, 2}, 5, 3)},
        {"60 steps", drawn({3, 2, 12, -6}, 2, 60)},
    };
}

std::string text_of(const Tokens& tokens) {
    std::string text;
    for (const std::int64_t id : tokens) text += (text.empty() ? "" : ", ") + std::to_string(id);
    return "[" + text + "]";
}

// Refuses prefixes that no beam to be continued can have.
LogP guarded(const Input& in) {
    return [=](const Tokens& prefix) {
        const bool has_end = std::find(prefix.begin(), prefix.end(), in.end) != prefix.end();
        const bool is_full = static_cast<std::int64_t>(prefix.size()) >= in.most;
        if (has_end || is_full) {
            throw std::logic_error("log_p was asked what follows " + text_of(prefix) +
                                   (has_end
                                        ? ", where " + std::to_string(in.end) + " is the end token"
                                        : ", which has as many tokens as it may have"));
        }
        return in.log_p(prefix);
    };
}

// What is found, and how often the model was run.
Stages stages(const BeamSearch& search, const Input& in) {
    const auto calls = std::make_shared<std::int64_t>(0);
    const LogP log_p = [ask = guarded(in), calls](const Tokens& prefix) {
        ++*calls;
        return ask(prefix);
    };
    const Beams beams = search(log_p, in.k, in.end, in.most);
    const auto k = static_cast<std::size_t>(in.k), most = static_cast<std::size_t>(in.most);
    std::vector<std::int64_t> lengths(k, -1), ended(k, -1), tokens(k * most, -1);
    std::vector<Scalar> sums(k, 0);
    for (std::size_t b = 0; b < std::min(k, beams.size()); ++b) {
        lengths[b] = static_cast<std::int64_t>(beams[b].tokens.size());
        ended[b] = beams[b].ended;
        sums[b] = static_cast<Scalar>(beams[b].log_p);
        for (std::size_t t = 0; t < std::min(most, beams[b].tokens.size()); ++t) {
            tokens[b * most + t] = beams[b].tokens[t];
        }
    }
    return {{"the number of beams", numbers({static_cast<std::int64_t>(beams.size())})},
            {"the number of tokens", numbers(lengths)},
            {"tokens", tensor::reshape(numbers(tokens), {in.k, in.most})},
            {"ended", numbers(ended)},
            {"log_p", tensor::from_vector(sums, {in.k})},
            {"the number of calls of log_p", numbers({*calls})}};
}

// What a loop over the likeliest tokens says.
Tokens greedily(const Input& in) {
    Tokens said;
    for (std::int64_t step = 0; step < in.most; ++step) {
        const std::vector<double> next = in.log_p(said);
        said.push_back(std::max_element(next.begin(), next.end()) - next.begin());
        if (said.back() == in.end) break;
    }
    return said;
}

std::string unlike_greedy(const BeamSearch& search) {
    const Input in = drawn({6, 4, 21, -1}, 1, 7);
    const Tokens greedy = greedily(in);
    const Beams found = search(guarded(in), 1, in.end, in.most);
    if (found.size() == 1 && found[0].tokens == greedy) return "";
    return "Greedy says " + text_of(greedy) + ", and k = 1 " +
           (found.empty() ? "nothing" : text_of(found[0].tokens)) + ".";
}

// The likeliest of all texts, by trying each.
Beam best_of_all(const Input& in, const Beam& beginning = {}) {
    if (beginning.ended || static_cast<std::int64_t>(beginning.tokens.size()) == in.most) {
        return beginning;
    }
    Beam best;
    best.log_p = never;
    const std::vector<double> next = in.log_p(beginning.tokens);
    for (std::size_t i = 0; i < next.size(); ++i) {
        Beam longer{beginning.tokens, beginning.log_p + next[i], false};
        longer.tokens.push_back(static_cast<std::int64_t>(i));
        longer.ended = longer.tokens.back() == in.end;
        const Beam its_best = best_of_all(in, longer);
        if (its_best.log_p > best.log_p) best = its_best;
    }
    return best;
}

std::string misses_the_best(const BeamSearch& search) {
    const Input in = drawn({3, 0, 31, -1}, 100, 4);
    const Beam best = best_of_all(in);
    const Beams found = search(guarded(in), in.k, in.end, in.most);
    if (!found.empty() && found[0].tokens == best.tokens) return "";
    return "It is " + text_of(best.tokens) + ", and your first is " +
           (found.empty() ? "missing" : text_of(found[0].tokens)) + ".";
}

Rules<BeamSearch> rules() {
    return {
        .number = "18.1",
        .title = "Beam search",
        .reference =
            [](const Slips& slip) {
                return [=](const LogP& log_p, std::int64_t k, std::int64_t end, std::int64_t most) {
                    return beams_walk(log_p, k, end, most, slip);
                };
            },
        .cases = on_each(stages, inputs()),
        .laws = {{"one beam is greedy", unlike_greedy},
                 {"with enough places the first beam is the likeliest of all texts",
                  misses_the_best}},
        .mistakes = mistakes(),
        .hints = {"After one step with k = 2, which two beams are there? And after two, of how "
                  "many candidates?",
                  "Keep two lists, open and ended beams. In the debugger, look at both after each "
                  "step of the first case",
                  "Each step: all continuations of all open beams in one list, sorted by log P; "
                  "the first k less the ended ones stay; those whose new token is the end go to "
                  "the ended ones",
                  "std::stable_sort leaves equals in the order in which you made them, beam after "
                  "beam and id after id. At the end put the open beams behind the ended ones, and "
                  "sort once more"},
    };
}

}  // namespace

const Judge<BeamSearch> judge_18_1(rules);

}  // namespace exercise
