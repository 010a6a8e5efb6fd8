// Answers to 20.1, in the form learners and careless engineers write them.
#include "tests/tutorials/exercises/answers/answers.h"
#include "tutorials/exercises/judges/lesson_20.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

using namespace exercise;

namespace {
using Merges = std::vector<LearnedMerge>;
using Text = std::vector<CountedWord>;
using Pair = std::pair<std::int64_t, std::int64_t>;

bool joins(const LearnedMerge& merge, const Ids& word, std::size_t i) {
    return i + 1 < word.size() && merge.left == word[i] && merge.right == word[i + 1];
}

// All places at which this merge joins, from the left.
Ids joined_by(const LearnedMerge& merge, const Ids& word) {
    Ids result;
    for (std::size_t i = 0; i < word.size(); ++i) {
        const bool is_pair = joins(merge, word, i);
        result.push_back(is_pair ? merge.made : word[i]);
        if (is_pair) ++i;
    }
    return result;
}

// Merge by merge, in the order of the list: each finds all that those before it made.
Ids list_once(const Ids& pieces, const Merges& merges) {
    Ids word = pieces;
    for (const LearnedMerge& merge : merges) word = joined_by(merge, word);
    return word;
}

Ids list_once_backwards(const Ids& pieces, const Merges& merges) {
    Ids word = pieces;
    for (auto merge = merges.rbegin(); merge != merges.rend(); ++merge) {
        word = joined_by(*merge, word);
    }
    return word;
}

// The first neighbours with a merge, again and again.
Ids first_that_fits(const Ids& pieces, const Merges& merges) {
    Ids word = pieces;
    for (std::size_t i = 0; i + 1 < word.size();) {
        const auto merge = std::find_if(merges.begin(), merges.end(), [&](const LearnedMerge& one) {
            return joins(one, word, i);
        });
        if (merge == merges.end()) {
            ++i;
            continue;
        }
        word[i] = merge->made;
        word.erase(word.begin() + static_cast<std::ptrdiff_t>(i) + 1);
        i = 0;
    }
    return word;
}

// One walk through the word, without going back.
Ids one_walk(const Ids& pieces, const Merges& merges) {
    Ids word;
    for (const std::int64_t piece : pieces) {
        word.push_back(piece);
        for (const LearnedMerge& merge : merges) {
            if (word.size() < 2 || !joins(merge, word, word.size() - 2)) continue;
            word.pop_back();
            word.back() = merge.made;
        }
    }
    return word;
}

// Each merge takes the first place it finds, and the next merge comes.
Ids first_place_only(const Ids& pieces, const Merges& merges) {
    Ids word = pieces;
    for (const LearnedMerge& merge : merges) {
        for (std::size_t i = 0; i + 1 < word.size(); ++i) {
            if (!joins(merge, word, i)) continue;
            word[i] = merge.made;
            word.erase(word.begin() + static_cast<std::ptrdiff_t>(i) + 1);
            break;
        }
    }
    return word;
}

Ids skips_after_a_merge(const Ids& pieces, const Merges& merges) {
    Ids word = pieces;
    for (const LearnedMerge& merge : merges) {
        Ids result;
        for (std::size_t i = 0; i < word.size(); ++i) {
            const bool is_pair = joins(merge, word, i);
            result.push_back(is_pair ? merge.made : word[i]);
            if (is_pair) i += 2;
        }
        word = result;
    }
    return word;
}

// The last two pieces are never looked at.
Ids ends_too_early(const Ids& pieces, const Merges& merges) {
    if (pieces.size() < 2) return pieces;
    Ids word = list_once(Ids(pieces.begin(), pieces.end() - 1), merges);
    word.push_back(pieces.back());
    return word;
}

Ids small_ids_only(const Ids& pieces, const Merges& merges) {
    Ids word = list_once(pieces, merges);
    for (std::int64_t& id : word) id %= 65536;
    return word;
}

Ids as_the_first_time(const Ids& pieces, const Merges& merges) {
    static std::map<std::size_t, Ids> known;  // by length
    const auto [found, is_new] = known.emplace(pieces.size(), Ids());
    if (is_new) found->second = list_once(pieces, merges);
    return found->second;
}

Ids right_to_left(const Ids& pieces, const Merges& merges) {
    Ids word = pieces;
    for (const LearnedMerge& merge : merges) {
        for (std::size_t i = word.size(); i-- > 0;) {
            if (!joins(merge, word, i)) continue;
            word[i] = merge.made;
            word.erase(word.begin() + static_cast<std::ptrdiff_t>(i) + 1);
        }
    }
    return word;
}

Ids nothing_is_joined(const Ids& pieces, const Merges&) { return pieces; }

// With ranks in a map, and all places of the best pair at once.
Ids by_a_map(const Ids& pieces, const Merges& merges) {
    std::map<Pair, std::size_t> rank;
    for (std::size_t i = 0; i < merges.size(); ++i) {
        rank.emplace(Pair{merges[i].left, merges[i].right}, i);
    }
    Ids word = pieces;
    while (true) {
        std::size_t best = merges.size();
        for (std::size_t i = 1; i < word.size(); ++i) {
            const auto found = rank.find({word[i - 1], word[i]});
            if (found != rank.end()) best = std::min(best, found->second);
        }
        if (best == merges.size()) return word;
        word = joined_by(merges[best], word);
    }
}

std::map<Pair, std::int64_t> counted(const Text& text) {
    std::map<Pair, std::int64_t> times;
    for (const CountedWord& word : text) {
        for (std::size_t i = 1; i < word.pieces.size(); ++i) {
            times[{word.pieces[i - 1], word.pieces[i]}] += word.times;
        }
    }
    return times;
}

CountedPair best_of(const std::map<Pair, std::int64_t>& times) {
    CountedPair best{-1, -1, 0};
    for (const auto& [pair, count] : times) {
        if (count > best.times) best = {pair.first, pair.second, count};
    }
    return best;
}

CountedPair right_pair(const Text& text) { return best_of(counted(text)); }

CountedPair words_once(Text text) {
    for (CountedWord& word : text) word.times = 1;
    return right_pair(text);
}

CountedPair one_long_text(const Text& text) {
    CountedWord all{{}, 1};
    for (const CountedWord& word : text) {
        for (std::int64_t i = 0; i < std::min<std::int64_t>(word.times, 20); ++i) {
            all.pieces.insert(all.pieces.end(), word.pieces.begin(), word.pieces.end());
        }
    }
    return right_pair({all});
}

CountedPair once_in_a_word(const Text& text) {
    std::map<Pair, std::int64_t> times;
    for (const CountedWord& word : text) {
        std::set<Pair> its;
        for (std::size_t i = 1; i < word.pieces.size(); ++i) {
            its.insert({word.pieces[i - 1], word.pieces[i]});
        }
        for (const Pair& pair : its) times[pair] += word.times;
    }
    return best_of(times);
}

CountedPair last_of_equals(const Text& text) {
    CountedPair best{-1, -1, 0};
    for (const auto& [pair, count] : counted(text)) {
        if (count >= best.times) best = {pair.first, pair.second, count};
    }
    return best;
}

// The pair that comes to the count first.
CountedPair first_seen(const Text& text) {
    const std::map<Pair, std::int64_t> times = counted(text);
    CountedPair best{-1, -1, 0};
    for (const CountedWord& word : text) {
        for (std::size_t i = 1; i < word.pieces.size(); ++i) {
            const std::int64_t count = times.at({word.pieces[i - 1], word.pieces[i]});
            if (count > best.times) best = {word.pieces[i - 1], word.pieces[i], count};
        }
    }
    return best;
}

// Of equals the smaller right id.
CountedPair by_the_right_id(const Text& text) {
    CountedPair best{-1, -1, 0};
    for (const auto& [pair, count] : counted(text)) {
        const bool is_better =
            count > best.times || (count == best.times && pair.second < best.right);
        if (is_better) best = {pair.first, pair.second, count};
    }
    return best;
}

CountedPair int_counts(const Text& text) {
    CountedPair best{-1, -1, 0};
    for (const auto& [pair, count] : counted(text)) {
        const auto small = static_cast<std::int32_t>(static_cast<std::uint32_t>(count));
        if (small > best.times) best = {pair.first, pair.second, small};
    }
    return best;
}

CountedPair zeros_for_no_pair(const Text& text) {
    const CountedPair best = right_pair(text);
    return best.times == 0 ? CountedPair{0, 0, 0} : best;
}

CountedPair not_how_often(const Text& text) {
    CountedPair best = right_pair(text);
    best.times = best.times > 0;
    return best;
}

CountedPair without_order(Text text) {
    std::map<Pair, std::int64_t> times;
    for (const auto& [pair, count] : counted(text)) {
        times[{std::min(pair.first, pair.second), std::max(pair.first, pair.second)}] += count;
    }
    return best_of(times);
}

CountedPair twins_once(const Text& text) {
    std::map<Pair, std::int64_t> times;
    for (const CountedWord& word : text) {
        for (std::size_t i = 1; i < word.pieces.size(); ++i) {
            const Pair pair{word.pieces[i - 1], word.pieces[i]};
            times[pair] += word.times;
            const bool overlaps = i + 1 < word.pieces.size() && pair.first == pair.second &&
                                  word.pieces[i + 1] == pair.second;
            if (overlaps) ++i;
        }
    }
    return best_of(times);
}

// Sorted: the largest count, then the smallest pair.
CountedPair by_sorting(const Text& text) {
    std::vector<std::pair<std::int64_t, Pair>> list;
    for (const auto& [pair, count] : counted(text)) list.push_back({-count, pair});
    if (list.empty()) return {-1, -1, 0};
    const auto [count, pair] = *std::min_element(list.begin(), list.end());
    return {pair.first, pair.second, -count};
}

std::function<Exercise()> merged_by(Ids (*way)(const Ids&, const Merges&)) {
    return [way] { return judge_20_1({way, right_pair}); };
}
std::function<Exercise()> counted_by(std::function<CountedPair(const Text&)> way) {
    return [way] { return judge_20_1({list_once, way}); };
}

}  // namespace

Answers answers_20_1() {
    Answers answers;
    answers.number = "20.1";
    answers.slipping = slipping(judge_20_1);
    answers.wrong = {
        {"the list backwards",
         merged_by(list_once_backwards),
         {"bpe.last-learned", "bpe.no-new-pairs"}},
        {"the first neighbours that fit", merged_by(first_that_fits), {"bpe.leftmost"}},
        {"one walk without going back", merged_by(one_walk), {"bpe.leftmost"}},
        {"one place for each merge", merged_by(first_place_only), {"bpe.each-merge-once"}},
        {"a piece is lost after each merge", merged_by(skips_after_a_merge)},
        {"the last piece is never joined", merged_by(ends_too_early)},
        {"ids of 16 bits", merged_by(small_ids_only)},
        {"words of a length already seen", merged_by(as_the_first_time)},
        {"from the right", merged_by(right_to_left), {"bpe.from-the-right"}},
        {"nothing is joined", merged_by(nothing_is_joined)},
        {"each word once", counted_by(words_once), {"bpe.each-word-once"}},
        {"all words as one text", counted_by(one_long_text)},
        {"a pair once in each word", counted_by(once_in_a_word), {"bpe.once-a-word"}},
        {"the last of equals", counted_by(last_of_equals), {"bpe.ties-larger"}},
        {"the first that is seen", counted_by(first_seen)},
        {"of equals the smaller right id", counted_by(by_the_right_id)},
        {"counts of 32 bits", counted_by(int_counts)},
        {"{0, 0, 0} for no pair", counted_by(zeros_for_no_pair)},
        {"how often is left out", counted_by(not_how_often)},
        {"pairs without order", counted_by(without_order), {"bpe.unordered"}},
        {"7 7 7 has one pair", counted_by(twins_once), {"bpe.no-overlap"}},
    };
    answers.right = {
        {"the list once, in its order", merged_by(list_once)},
        {"ranks in a map", merged_by(by_a_map)},
        {"sorted", counted_by(by_sorting)},
    };
    return answers;
}
