// Answers to 18.1, in the form learners and careless engineers write them.
#include "tests/tutorials/exercises/answers/answers.h"
#include "tutorials/exercises/judges/lesson_18.h"

#include "tensor/kernels/math.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <queue>

using namespace exercise;

namespace {
using Beams = std::vector<Beam>;

struct Given {
    const LogP& log_p;
    std::int64_t k, end, most;
};

using Way = Beams (*)(const Given&);
std::function<Exercise()> by(Way way) {
    return [way] {
        return judge_18_1(
            [way](const LogP& log_p, std::int64_t k, std::int64_t end, std::int64_t most) {
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

Beams above_minus_a_billion(const Given& in) {
    const auto few = [](Beams& all) {
        std::erase_if(all, [](const Beam& beam) { return beam.log_p < -1e9; });
    };
    return search(in, few, free_places(in), never);
}

// The number of places is computed anew while they are filled.
Beams places_shrink_twice(const Given& in) {
    Beams open(1), ended;
    for (std::int64_t step = 0; step < in.most && !open.empty(); ++step) {
        Beams all = continuations(in, open);
        std::stable_sort(all.begin(), all.end(), likelier);
        open.clear();
        for (std::size_t i = 0; i < all.size() && i < free_places(in)(ended); ++i) {
            (all[i].ended ? ended : open).push_back(all[i]);
        }
    }
    ended.insert(ended.end(), open.begin(), open.end());
    std::stable_sort(ended.begin(), ended.end(), likelier);
    return ended;
}

Beams no_empty_text(const Given& in) {
    const auto few = [&](Beams& all) {
        std::erase_if(all, [](const Beam& one) { return one.ended && one.tokens.size() == 1; });
    };
    return search(in, few, free_places(in), never);
}

// The model is run for a beam as soon as it is chosen.
Beams runs_at_once(const Given& in) {
    const Beams found = right(in);
    for (const Beam& beam : found) {
        if (!beam.ended) in.log_p(beam.tokens);
    }
    return found;
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

// What is done with the continuations of each step, before the likeliest are taken.
Beams with_changed(const Given& in, const std::function<void(Beams&)>& changed) {
    return search(in, changed, free_places(in), never);
}

Tokens beginning_of(const Beam& beam) { return Tokens(beam.tokens.begin(), beam.tokens.end() - 1); }

Beams lower_id_at_ties(const Given& in) {
    return with_changed(in, [](Beams& all) {
        std::stable_sort(all.begin(), all.end(), [](const Beam& a, const Beam& b) {
            return a.tokens.back() < b.tokens.back();
        });
    });
}

Beams smaller_text_at_ties(const Given& in) {
    return with_changed(in, [](Beams& all) {
        std::sort(all.begin(), all.end(),
                  [](const Beam& a, const Beam& b) { return a.tokens < b.tokens; });
    });
}

Beams later_at_ties(const Given& in) {
    return with_changed(in, [](Beams& all) { std::reverse(all.begin(), all.end()); });
}

Beams ended_at_ties(const Given& in) {
    return with_changed(in, [](Beams& all) {
        std::stable_partition(all.begin(), all.end(), [](const Beam& one) { return one.ended; });
    });
}

Beams near_ties(const Given& in) {
    return with_changed(in, [](Beams& all) {
        for (Beam& beam : all) beam.log_p = std::round(beam.log_p * 1e6) / 1e6;
    });
}

Beams each_id_once(const Given& in) {
    return with_changed(in, [](Beams& all) {
        std::stable_sort(all.begin(), all.end(), likelier);
        std::map<std::int64_t, int> seen;
        std::erase_if(all, [&](const Beam& beam) { return ++seen[beam.tokens.back()] > 1; });
    });
}

Beams one_of_each(const Given& in) {
    return with_changed(in, [](Beams& all) {
        std::stable_sort(all.begin(), all.end(), likelier);
        std::map<Tokens, int> seen;
        std::erase_if(all, [&](const Beam& beam) {
            return beam.tokens.size() > 1 && ++seen[beginning_of(beam)] > 1;
        });
    });
}

Beams only_the_best_may_end(const Given& in) {
    return with_changed(in, [](Beams& all) {
        std::stable_sort(all.begin(), all.end(), likelier);
        const Beam best = all.empty() ? Beam{} : all.front();
        std::erase_if(all,
                      [&](const Beam& beam) { return beam.ended && beam.tokens != best.tokens; });
    });
}

Beams never_twice_the_same(const Given& in) {
    return with_changed(in, [](Beams& all) {
        std::erase_if(all, [](const Beam& beam) {
            const std::size_t n = beam.tokens.size();
            return n > 1 && beam.tokens[n - 1] == beam.tokens[n - 2];
        });
    });
}

Beams twice_as_wide(const Given& in) {
    Beams found = right({in.log_p, 2 * in.k, in.end, in.most});
    found.resize(std::min(found.size(), static_cast<std::size_t>(in.k)));
    return found;
}

Beams asks_twice(const Given& in) {
    const LogP twice = [&](const Tokens& prefix) {
        in.log_p(prefix);
        return in.log_p(prefix);
    };
    return right({twice, in.k, in.end, in.most});
}

Beams asks_for_each_token(const Given& in) {
    const LogP often = [&](const Tokens& prefix) {
        std::vector<double> next = in.log_p(prefix);
        for (std::size_t token = 0; token < next.size(); ++token) {
            next[token] = in.log_p(prefix)[token];
        }
        return next;
    };
    return right({often, in.k, in.end, in.most});
}

Beams softmax_again(const Given& in) {
    const LogP normed = [&](const Tokens& prefix) {
        std::vector<double> next = in.log_p(prefix);
        double total = 0;
        for (const double x : next) total += heed::kernels::math::exp(x);
        for (double& x : next) x -= heed::kernels::math::log(total);
        return next;
    };
    return right({normed, in.k, in.end, in.most});
}

Beams above_minus_30(const Given& in) {
    const LogP cut = [&](const Tokens& prefix) {
        std::vector<double> next = in.log_p(prefix);
        for (double& x : next) {
            if (x < -30) x = -std::numeric_limits<double>::infinity();
        }
        return next;
    };
    return right({cut, in.k, in.end, in.most});
}

Beams id_0_ends(const Given& in) { return right({in.log_p, in.k, 0, in.most}); }

Beams twenty_steps(const Given& in) {
    return right({in.log_p, in.k, in.end, std::min<std::int64_t>(in.most, 20)});
}

Beams without_its_end(const Given& in) {
    Beams found = right(in);
    for (Beam& beam : found) {
        if (beam.ended) beam.tokens.pop_back();
    }
    return found;
}

Beams only_ended(const Given& in) {
    Beams found = right(in);
    std::erase_if(found, [](const Beam& beam) { return !beam.ended; });
    return found;
}

Beams all_said_to_have_ended(const Given& in) {
    Beams found = right(in);
    for (Beam& beam : found) beam.ended = true;
    return found;
}

Beams filled_up(const Given& in) {
    Beams found = right(in);
    while (!found.empty() && std::ssize(found) < in.k) found.push_back(found.back());
    return found;
}

Beams least_likely_first(const Given& in) {
    Beams found = right(in);
    std::reverse(found.begin(), found.end());
    return found;
}

// Of what ended in the same step, what was chosen last comes first.
Beams reversed_within_a_step(const Given& in) {
    Beams found = right(in);
    const auto before = [](const Beam& a, const Beam& b) {
        if (a.log_p != b.log_p) return a.log_p > b.log_p;
        if (a.ended != b.ended) return a.ended;
        return a.ended && a.tokens.size() < b.tokens.size();
    };
    std::reverse(found.begin(), found.end());
    std::stable_sort(found.begin(), found.end(), before);
    return found;
}

// What nothing can continue is returned, if it is the last that was open.
Beams dead_ends_return(const Given& in) {
    Beams open(1), ended;
    for (std::int64_t step = 0; step < in.most && !open.empty(); ++step) {
        Beams all = continuations(in, open);
        if (all.empty()) break;
        std::stable_sort(all.begin(), all.end(), likelier);
        all.resize(std::min(all.size(), static_cast<std::size_t>(in.k) - ended.size()));
        open.clear();
        for (const Beam& beam : all) (beam.ended ? ended : open).push_back(beam);
    }
    ended.insert(ended.end(), open.begin(), open.end());
    std::stable_sort(ended.begin(), ended.end(), likelier);
    return ended;
}

// Beams of a step have the same length, so that a mean over tokens orders them as the sum does.
Beams by_the_mean(const Given& in) {
    return with_changed(in, [](Beams& all) {
        std::stable_sort(all.begin(), all.end(), [](const Beam& a, const Beam& b) {
            const auto n = static_cast<double>(a.tokens.size());
            return a.log_p / n > b.log_p / n;
        });
    });
}

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

// A queue for each step, which compares places where log P are equal.
Beams by_queue(const Given& in) {
    using Place = std::pair<double, std::int64_t>;  // log P, and minus the place
    Beams open(1), ended;
    for (std::int64_t step = 0; step < in.most && !open.empty(); ++step) {
        std::priority_queue<Place> queue;
        Beams all;
        for (const Beam& beam : open) {
            const std::vector<double> next = in.log_p(beam.tokens);
            for (std::size_t i = 0; i < next.size(); ++i) {
                Beam one = beam;
                one.tokens.push_back(static_cast<std::int64_t>(i));
                one.log_p += next[i];
                one.ended = one.tokens.back() == in.end;
                if (std::isfinite(one.log_p)) queue.push({one.log_p, -std::ssize(all)});
                all.push_back(one);
            }
        }
        open.clear();
        for (std::int64_t places = in.k - std::ssize(ended); places > 0 && !queue.empty();
             --places) {
            const Beam& best = all[static_cast<std::size_t>(-queue.top().second)];
            (best.ended ? ended : open).push_back(best);
            queue.pop();
        }
    }
    ended.insert(ended.end(), open.begin(), open.end());
    std::stable_sort(ended.begin(), ended.end(), likelier);
    return ended;
}

// One list for all beams, and of each only its k best continuations.
Beams in_one_list(const Given& in) {
    const auto few = [&](Beams& beams, std::int64_t places) {
        std::stable_sort(beams.begin(), beams.end(), likelier);
        if (std::ssize(beams) > places) beams.resize(static_cast<std::size_t>(places));
    };
    Beams all(1);
    for (std::int64_t step = 0; step < in.most; ++step) {
        Beams ended, grown;
        for (const Beam& beam : all) {
            if (beam.ended) ended.push_back(beam);
            if (beam.ended) continue;
            Beams its;
            for (const double next : in.log_p(beam.tokens)) {
                its.push_back({beam.tokens, beam.log_p + next, std::ssize(its) == in.end});
                its.back().tokens.push_back(std::ssize(its) - 1);
            }
            std::erase_if(its, [](const Beam& one) { return one.log_p < -1e300; });
            few(its, in.k);
            grown.insert(grown.end(), its.begin(), its.end());
        }
        few(grown, in.k - std::ssize(ended));
        std::stable_partition(grown.begin(), grown.end(),
                              [](const Beam& one) { return one.ended; });
        all = ended;
        all.insert(all.end(), grown.begin(), grown.end());
    }
    few(all, in.k);
    return all;
}

}  // namespace

Answers answers_18_1() {
    Answers answers;
    answers.number = "18.1";
    answers.slipping = slipping(judge_18_1);
    answers.wrong = {
        {"k beams open, however many have ended", by(always_k_open), {"beam.places-freed"}},
        {"never more beams than tokens", by(no_more_beams_than_tokens)},
        {"sums in single precision", by(in_single_precision)},
        {"by way of probabilities", by(by_probabilities)},
        {"nothing below -1000", by(above_minus_1000)},
        {"nothing below -10^9", by(above_minus_a_billion)},
        {"places shrink while they are filled", by(places_shrink_twice)},
        {"no text without words", by(no_empty_text)},
        {"the model run for each beam at once, also after the last step", by(runs_at_once)},
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
        {"the lower id among equals", by(lower_id_at_ties), {"beam.ties-by-token"}},
        {"the smaller text among equals", by(smaller_text_at_ties)},
        {"the later one among equals", by(later_at_ties), {"beam.ties-backwards"}},
        {"what has ended among equals", by(ended_at_ties)},
        {"what is nearly equal is equal", by(near_ties)},
        {"each id once in a step", by(each_id_once)},
        {"one continuation of each beam", by(one_of_each), {"beam.each-its-best"}},
        {"only the best continuation may end", by(only_the_best_may_end)},
        {"no token twice in a row", by(never_twice_the_same)},
        {"2k places, and the k best in the end", by(twice_as_wide)},
        {"the model run twice for each beam", by(asks_twice)},
        {"the model run for each token of a row", by(asks_for_each_token)},
        {"log P normed again", by(softmax_again)},
        {"nothing below -30", by(above_minus_30)},
        {"id 0 is the end", by(id_0_ends)},
        {"20 steps at most", by(twenty_steps)},
        {"the end token is cut off", by(without_its_end), {"beam.end-cut"}},
        {"only what has ended", by(only_ended)},
        {"all are said to have ended", by(all_said_to_have_ended)},
        {"the last one again, up to k", by(filled_up)},
        {"the least likely first", by(least_likely_first)},
        {"what was chosen last, among equals of a step", by(reversed_within_a_step)},
        {"dead ends are returned", by(dead_ends_return)},
    };
    answers.right = {{"with a multimap", by(by_multimap)},
                     {"by recursion", by(by_recursion)},
                     {"by the mean over tokens, in each step", by(by_the_mean)},
                     {"with a queue", by(by_queue)},
                     {"in one list", by(in_one_list)}};
    return answers;
}
