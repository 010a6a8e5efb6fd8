#include "tutorials/exercises/judges/18_1_beam_search.h"

#include "tutorials/exercises/judges/18_1_beam_search_mistakes.h"
#include "tutorials/exercises/judges/18_1_beam_search_models.h"
#include "tutorials/exercises/judges/common_steps.h"

#include "tensor/views.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <queue>
#include <sstream>
#include <stdexcept>

using namespace heed;

namespace exercise {

namespace {

std::string text_of(const Tokens& tokens) {
    std::ostringstream text;
    text << "[";
    for (std::size_t i = 0; i < tokens.size(); ++i) text << (i > 0 ? ", " : "") << tokens[i];
    return text.str() + "]";
}

// Refuses prefixes that no beam to be continued can have.
LogP guarded(const BeamInput& in) {
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

Stages stages_of(const std::vector<Beam>& beams, const BeamInput& in) {
    const auto k = static_cast<std::size_t>(in.k), most = static_cast<std::size_t>(in.most);
    std::vector<std::int64_t> lengths(k, -1), ended(k, -1), tokens(k * most, -1);
    std::vector<Scalar> log_p(k, 0);
    for (std::size_t b = 0; b < std::min(k, beams.size()); ++b) {
        lengths[b] = static_cast<std::int64_t>(beams[b].tokens.size());
        ended[b] = beams[b].ended;
        log_p[b] = static_cast<Scalar>(beams[b].log_p);
        for (std::size_t t = 0; t < std::min(most, beams[b].tokens.size()); ++t) {
            tokens[b * most + t] = beams[b].tokens[t];
        }
    }
    return {{"the number of beams", numbers({static_cast<std::int64_t>(beams.size())})},
            {"the number of tokens", numbers(lengths)},
            {"tokens", tensor::reshape(numbers(tokens), {in.k, in.most})},
            {"ended", numbers(ended)},
            {"log_p", tensor::from_vector(log_p, {in.k})}};
}

// What is found, and how often the model was run.
Stages found_by(const BeamSearch& search, const BeamInput& in) {
    const auto calls = std::make_shared<std::int64_t>(0);
    const LogP log_p = [ask = guarded(in), calls](const Tokens& prefix) {
        ++*calls;
        return ask(prefix);
    };
    Stages stages = stages_of(search(log_p, in.k, in.end, in.most), in);
    stages.push_back({"the number of calls of log_p", numbers({*calls})});
    return stages;
}

Case on(const BeamInput& in, const BeamSearch& search) {
    return {in.name,
            [=](const Slips& slip) {
                return found_by(
                    [&](const LogP& log_p, std::int64_t k, std::int64_t end, std::int64_t most) {
                        return beams_walk(log_p, k, end, most, slip);
                    },
                    in);
            },
            [=] { return found_by(search, in); }};
}

// What a loop over the likeliest tokens says.
Tokens greedily(const BeamInput& in) {
    Tokens said;
    for (std::int64_t step = 0; step < in.most; ++step) {
        const std::vector<double> next = in.log_p(said);
        said.push_back(std::max_element(next.begin(), next.end()) - next.begin());
        if (said.back() == in.end) break;
    }
    return said;
}

std::string unlike_greedy(const BeamSearch& search) {
    const BeamInput in = random_beam_input("", {6, 4, 21, -1}, 1, 7);
    const Tokens greedy = greedily(in);
    const std::vector<Beam> found = search(guarded(in), 1, in.end, in.most);
    if (found.size() == 1 && found[0].tokens == greedy) return "";
    return "Greedy says " + text_of(greedy) + ", and k = 1 " +
           (found.empty() ? "nothing" : text_of(found[0].tokens)) + ".";
}

// The likeliest of all texts, by trying each.
Beam best_of_all(const BeamInput& in, const Beam& beginning = {}) {
    if (beginning.ended || static_cast<std::int64_t>(beginning.tokens.size()) == in.most) {
        return beginning;
    }
    Beam best;
    best.log_p = -std::numeric_limits<double>::infinity();
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
    const BeamInput in = random_beam_input("", {3, 0, 31, -1}, 100, 4);
    const Beam best = best_of_all(in);
    const std::vector<Beam> found = search(guarded(in), in.k, in.end, in.most);
    if (!found.empty() && found[0].tokens == best.tokens) return "";
    return "It is " + text_of(best.tokens) + ", and your first is " +
           (found.empty() ? "missing" : text_of(found[0].tokens)) + ".";
}

}  // namespace

Exercise beams(const BeamSearch& search) {
    Exercise exercise;
    exercise.number = "18.1";
    exercise.title = "Beam search";
    for (const BeamInput& in : beam_inputs()) exercise.cases.push_back(on(in, search));
    exercise.laws = {{"one beam is greedy", [=] { return unlike_greedy(search); }},
                     {"with enough places the first beam is the likeliest of all texts",
                      [=] { return misses_the_best(search); }}};
    exercise.mistakes = beams_mistakes();
    exercise.hints = {
        "After one step with k = 2, which two beams are there? And after two, of how many "
        "candidates?",
        "Keep two lists, open and ended beams. In the debugger, look at both after each step of "
        "the first case",
        "Each step: all continuations of all open beams in one list, sorted by log P; the first k "
        "less the ended ones stay; those whose new token is the end go to the ended ones",
        "std::stable_sort leaves equals in the order in which you made them, beam after beam and "
        "id after id. At the end put the open beams behind the ended ones, and sort once more"};
    return exercise;
}

namespace {

// A queue for each step, which compares places where log P are equal.
std::vector<Beam> by_queue(const LogP& log_p, std::int64_t k, std::int64_t end, std::int64_t most) {
    using Place = std::pair<double, std::int64_t>;  // log P, and minus the place
    std::vector<Beam> open(1), ended;
    while (most-- > 0 && !open.empty()) {
        std::priority_queue<Place> queue;
        std::vector<Beam> all;
        for (const Beam& beam : open) {
            const std::vector<double> next = log_p(beam.tokens);
            for (std::size_t i = 0; i < next.size(); ++i) {
                Beam one = beam;
                one.tokens.push_back(static_cast<std::int64_t>(i));
                one.log_p += next[i];
                one.ended = one.tokens.back() == end;
                if (std::isfinite(one.log_p)) queue.push({one.log_p, -std::ssize(all)});
                all.push_back(one);
            }
        }
        open.clear();
        for (std::int64_t places = k - std::ssize(ended); places > 0 && !queue.empty(); --places) {
            const Beam& best = all[static_cast<std::size_t>(-queue.top().second)];
            (best.ended ? ended : open).push_back(best);
            queue.pop();
        }
    }
    ended.insert(ended.end(), open.begin(), open.end());
    std::stable_sort(ended.begin(), ended.end(),
                     [](const Beam& a, const Beam& b) { return a.log_p > b.log_p; });
    return ended;
}

// One list for all beams, and of each only its k best continuations.
std::vector<Beam> in_one_list(const LogP& log_p, std::int64_t k, std::int64_t end,
                              std::int64_t most) {
    const auto likelier = [](const Beam& a, const Beam& b) { return a.log_p > b.log_p; };
    const auto few = [&](std::vector<Beam>& beams, std::int64_t places) {
        std::stable_sort(beams.begin(), beams.end(), likelier);
        if (std::ssize(beams) > places) beams.resize(static_cast<std::size_t>(places));
    };
    std::vector<Beam> all(1);
    for (std::int64_t step = 0; step < most; ++step) {
        std::vector<Beam> ended, longer;
        for (const Beam& beam : all) {
            if (beam.ended) ended.push_back(beam);
            if (beam.ended) continue;
            std::vector<Beam> its;
            for (const double next : log_p(beam.tokens)) {
                its.push_back({beam.tokens, beam.log_p + next, std::ssize(its) == end});
                its.back().tokens.push_back(std::ssize(its) - 1);
            }
            std::erase_if(its, [](const Beam& one) { return one.log_p < -1e300; });
            few(its, k);
            longer.insert(longer.end(), its.begin(), its.end());
        }
        few(longer, k - std::ssize(ended));
        std::stable_partition(longer.begin(), longer.end(),
                              [](const Beam& one) { return one.ended; });
        all = ended;
        all.insert(all.end(), longer.begin(), longer.end());
    }
    few(all, k);
    return all;
}

}  // namespace

Trials beams_trials() {
    Trials trials;
    trials.slipping = [](const Slips& slip) {
        return beams([=](const LogP& log_p, std::int64_t k, std::int64_t end, std::int64_t most) {
            return beams_walk(log_p, k, end, most, slip);
        });
    };
    trials.right["with a queue"] = [] { return beams(by_queue); };
    trials.right["in one list"] = [] { return beams(in_one_list); };
    return trials;
}

}  // namespace exercise
