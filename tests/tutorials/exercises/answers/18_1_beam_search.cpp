// Answers to 18.1, in the form learners and careless engineers write them.
#include "tutorials/exercises/judges/18_1_beam_search.h"
#include "tests/tutorials/exercises/answers/answers.h"

#include "heed/tensor/kernels/math.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

using namespace exercise;

namespace exercise {
Answers answers_18_1();
}

namespace {

using Beams = std::vector<Beam>;

struct Given {
    const LogP& log_p;
    std::int64_t k, end, most;
};

using Way = Beams (*)(const Given&);
std::function<Exercise()> by(Way way) {
    return [way] {
        return beams([way](const LogP& log_p, std::int64_t k, std::int64_t end, std::int64_t most) {
            return way({log_p, k, end, most});
        });
    };
}

bool likelier(const Beam& a, const Beam& b) { return a.log_p > b.log_p; }

Beam longer(const Beam& beam, std::size_t token, double log_p, std::int64_t end) {
    Beam one = beam;
    one.tokens.push_back(static_cast<std::int64_t>(token));
    one.log_p += log_p;
    one.ended = one.tokens.back() == end;
    return one;
}

Beams continuations(const Given& in, const Beams& open) {
    Beams all;
    for (const Beam& beam : open) {
        const std::vector<double> next = in.log_p(beam.tokens);
        for (std::size_t token = 0; token < next.size(); ++token) {
            if (std::isinf(next[token])) continue;
            all.push_back(longer(beam, token, next[token], in.end));
        }
    }
    return all;
}

// The right answer but for the places, or for what is done with the continuations before.
Beams search(const Given& in, const std::function<void(Beams&)>& changed,
             const std::function<std::size_t(const Beams&)>& places,
             const std::function<bool(const Beams&, const Beams&)>& over) {
    Beams open(1), ended;
    for (std::int64_t step = 0; step < in.most && !open.empty(); ++step) {
        Beams all = continuations(in, open);
        changed(all);
        std::stable_sort(all.begin(), all.end(), likelier);
        all.resize(std::min(all.size(), places(ended)));
        open.clear();
        for (const Beam& beam : all) (beam.ended ? ended : open).push_back(beam);
        if (over(ended, open)) break;
    }
    ended.insert(ended.end(), open.begin(), open.end());
    std::stable_sort(ended.begin(), ended.end(), likelier);
    ended.resize(std::min(ended.size(), static_cast<std::size_t>(in.k)));
    return ended;
}

void as_it_is(Beams&) {}
bool never(const Beams&, const Beams&) { return false; }
auto free_places(const Given& in) {
    return [k = in.k](const Beams& ended) { return static_cast<std::size_t>(k) - ended.size(); };
}

Beams right(const Given& in) { return search(in, as_it_is, free_places(in), never); }

Beams always_k_open(const Given& in) {
    return search(
        in, as_it_is, [&](const Beams&) { return static_cast<std::size_t>(in.k); }, never);
}

Beams no_more_beams_than_tokens(const Given& in) {
    const auto V = static_cast<std::int64_t>(in.log_p({}).size());
    return right({in.log_p, std::min(in.k, V), in.end, in.most});
}

Beams in_single_precision(const Given& in) {
    const auto rounded = [](Beams& all) {
        for (Beam& beam : all) beam.log_p = static_cast<float>(beam.log_p);
    };
    return search(in, rounded, free_places(in), never);
}

Beams by_probabilities(const Given& in) {
    const LogP of_p = [&](const Tokens& prefix) {
        std::vector<double> next = in.log_p(prefix);
        for (double& x : next) x = heed::kernels::math::log(heed::kernels::math::exp(x));
        return next;
    };
    return right({of_p, in.k, in.end, in.most});
}

Beams above_minus_1000(const Given& in) {
    const auto few = [](Beams& all) {
        std::erase_if(all, [](const Beam& beam) { return beam.log_p < -1000; });
    };
    return search(in, few, free_places(in), never);
}

Beams last_id_ends(const Given& in) {
    const auto V = static_cast<std::int64_t>(in.log_p({}).size());
    return right({in.log_p, in.k, V - 1, in.most});
}

Beams keeps_a_table(const Given& in) {
    static std::map<Tokens, std::vector<double>> table;
    const LogP kept = [&](const Tokens& prefix) {
        if (table.count(prefix) == 0) table[prefix] = in.log_p(prefix);
        return table[prefix];
    };
    return right({kept, in.k, in.end, in.most});
}

Beams sees_the_last_token(const Given& in) {
    const LogP short_sighted = [&](const Tokens& prefix) {
        return in.log_p(prefix.empty() ? prefix : Tokens{prefix.back()});
    };
    return right({short_sighted, in.k, in.end, in.most});
}

Beams two_of_each(const Given& in) {
    const auto few = [](Beams& all) {
        std::stable_sort(all.begin(), all.end(), likelier);
        std::map<Tokens, int> taken;
        std::erase_if(all, [&](const Beam& beam) {
            return ++taken[Tokens(beam.tokens.begin(), beam.tokens.end() - 1)] > 2;
        });
    };
    return search(in, few, free_places(in), never);
}

Beams certain_is_impossible(const Given& in) {
    const LogP odd = [&](const Tokens& prefix) {
        std::vector<double> next = in.log_p(prefix);
        std::replace(next.begin(), next.end(), 0.0, -std::numeric_limits<double>::infinity());
        return next;
    };
    return right({odd, in.k, in.end, in.most});
}

Beams stops_once_the_best_is_known(const Given& in) {
    return search(in, as_it_is, free_places(in), [](const Beams& ended, const Beams& open) {
        return !ended.empty() && !open.empty() && ended.front().log_p > open.front().log_p;
    });
}

Beams last_step_never_ends(const Given& in) {
    Beams found = right(in);
    for (Beam& beam : found) {
        if (std::ssize(beam.tokens) == in.most) beam.ended = false;
    }
    return found;
}

Beams open_before_ended(const Given& in) {
    Beams found = right(in);
    std::stable_partition(found.begin(), found.end(), [](const Beam& one) { return !one.ended; });
    std::stable_sort(found.begin(), found.end(), likelier);
    return found;
}

Beams ended_by_id(const Given& in) {
    Beams found = right(in);
    std::sort(found.begin(), found.end(), [](const Beam& a, const Beam& b) {
        return a.log_p != b.log_p ? a.log_p > b.log_p : a.tokens < b.tokens;
    });
    return found;
}

Beams mean_reported(const Given& in) {
    Beams found = right(in);
    for (Beam& beam : found) beam.log_p /= static_cast<double>(beam.tokens.size());
    return found;
}

Beams asks_ahead(const Given& in) {
    const LogP eager = [&](const Tokens& prefix) {
        const std::vector<double> next = in.log_p(prefix);
        if (std::ssize(prefix) + 1 < in.most) {
            for (std::int64_t token = 0; token < std::ssize(next); ++token) {
                if (token == in.end) continue;
                Tokens longer = prefix;
                longer.push_back(token);
                in.log_p(longer);
            }
        }
        return next;
    };
    return right({eager, in.k, in.end, in.most});
}

Beams one_step_more(const Given& in) { return right({in.log_p, in.k, in.end, in.most + 1}); }

Beams by_multimap(const Given& in) {
    Beams open(1), ended;
    for (std::int64_t t = 0; t < in.most; ++t) {
        std::multimap<double, Beam> all;  // the highest log P first; equals as they came
        for (const Beam& beam : continuations(in, open)) all.insert({-beam.log_p, beam});
        open.clear();
        std::size_t places = static_cast<std::size_t>(in.k) - ended.size();
        for (const auto& [key, beam] : all) {
            if (places == 0) break;
            (beam.ended ? ended : open).push_back(beam);
            --places;
        }
    }
    std::multimap<double, Beam> all;
    for (const Beam& beam : ended) all.insert({-beam.log_p, beam});
    for (const Beam& beam : open) all.insert({-beam.log_p, beam});
    Beams found;
    for (const auto& [key, beam] : all) found.push_back(beam);
    return found;
}

Beams taken(Beams& from, std::size_t most) {
    Beams best;
    while (!from.empty() && best.size() < most) {
        std::size_t first = 0;
        for (std::size_t i = 1; i < from.size(); ++i) {
            if (from[i].log_p > from[first].log_p) first = i;
        }
        best.push_back(from[first]);
        from.erase(from.begin() + static_cast<std::ptrdiff_t>(first));
    }
    return best;
}

Beams step_by_step(const Given& in, Beams open, Beams ended) {
    if (open.empty() || in.most == 0) {
        ended.insert(ended.end(), open.begin(), open.end());
        return taken(ended, ended.size());
    }
    Beams all = continuations(in, open), still_open;
    for (const Beam& beam : taken(all, static_cast<std::size_t>(in.k) - ended.size())) {
        (beam.ended ? ended : still_open).push_back(beam);
    }
    return step_by_step({in.log_p, in.k, in.end, in.most - 1}, still_open, ended);
}

Beams by_recursion(const Given& in) { return step_by_step(in, Beams(1), {}); }

}  // namespace

Answers exercise::answers_18_1() {
    Answers answers;
    answers.number = "18.1";
    answers.wrong = {
        {"k beams open, however many have ended", by(always_k_open), {"beam.places-freed"}},
        {"never more beams than tokens", by(no_more_beams_than_tokens)},
        {"sums in single precision", by(in_single_precision)},
        {"by way of probabilities", by(by_probabilities)},
        {"nothing below -1000", by(above_minus_1000)},
        {"the last id is the end", by(last_id_ends)},
        {"log P kept from one search to the next", by(keeps_a_table)},
        {"log P after the last token alone", by(sees_the_last_token)},
        {"two continuations of each beam", by(two_of_each)},
        {"log P of 0 taken for none", by(certain_is_impossible)},
        {"stops when no open beam can become the best", by(stops_once_the_best_is_known)},
        {"an end in the last step does not count", by(last_step_never_ends)},
        {"open beams before ended ones", by(open_before_ended)},
        {"equals in the result by their tokens", by(ended_by_id)},
        {"mean log P reported", by(mean_reported)},
        {"one step more", by(one_step_more)},
        {"the model run for every continuation", by(asks_ahead)},
    };
    answers.right = {{"with a multimap", by(by_multimap)}, {"by recursion", by(by_recursion)}};
    return answers;
}
