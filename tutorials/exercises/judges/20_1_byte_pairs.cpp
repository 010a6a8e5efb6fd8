#include "tutorials/exercises/judges/lesson_20.h"
#include "tutorials/exercises/judging/kit.h"

#include <map>
#include <set>

using namespace heed;

namespace exercise {
namespace {
using Merges = std::vector<LearnedMerge>;
using Pair = std::pair<std::int64_t, std::int64_t>;

struct Encoding {
    Ids pieces;
    Merges merges;
};

// The places in the word at which this merge joins two neighbours, as many as a walk may join.
std::vector<std::size_t> places_of(const LearnedMerge& merge, const Ids& word, const Slips& slip) {
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i + 1 < word.size(); ++i) {
        const bool joins = merge.left == word[i] && merge.right == word[i + 1];
        const bool turned = merge.left == word[i + 1] && merge.right == word[i];
        if (joins || (turned && slip("bpe.either-order"))) places.push_back(i);
    }
    return places;
}

// Which merge is next: its number, or the number of merges if none joins anything.
std::size_t next_merge(const Ids& word, const Merges& merges, const Slips& slip) {
    std::size_t best = merges.size();
    std::size_t leftmost = word.size();
    for (std::size_t rank = 0; rank < merges.size(); ++rank) {
        const std::vector<std::size_t> places = places_of(merges[rank], word, slip);
        if (places.empty()) continue;
        if (slip("bpe.leftmost")) {
            if (places.front() < leftmost) best = rank;
            leftmost = std::min(leftmost, places.front());
        } else if (best == merges.size() || slip("bpe.last-learned")) {
            best = rank;
        }
    }
    return best;
}

void join(Ids& word, std::size_t place, const LearnedMerge& merge, const Slips& slip) {
    word[place] = slip("bpe.keeps-left") ? merge.left : merge.made;
    word.erase(word.begin() + static_cast<std::ptrdiff_t>(place) + 1);
}

// Merges that use what others made are left out: the word is looked at once only.
Merges of_the_beginning(const Ids& word, const Merges& merges) {
    Merges few;
    for (const LearnedMerge& merge : merges) {
        if (!places_of(merge, word, {}).empty()) few.push_back(merge);
    }
    return few;
}

Ids merge_walk(const Encoding& in, const Slips& slip) {
    Ids word = in.pieces;
    Merges merges = slip("bpe.no-new-pairs") ? of_the_beginning(word, in.merges) : in.merges;
    while (true) {
        const std::size_t rank = next_merge(word, merges, slip);
        if (rank == merges.size()) return word;
        const std::vector<std::size_t> places = places_of(merges[rank], word, slip);
        join(word, slip("bpe.from-the-right") ? places.back() : places.front(), merges[rank], slip);
        if (slip("bpe.one-merge")) return word;
        if (slip("bpe.each-merge-once")) merges[rank] = {-1, -1, -1};
    }
}

// How often this word has each pair.
std::map<Pair, std::int64_t> pairs_in(const Ids& word, const Slips& slip) {
    std::map<Pair, std::int64_t> times;
    for (std::size_t i = 1; i < word.size(); ++i) {
        Pair pair{word[i - 1], word[i]};
        if (slip("bpe.unordered") && pair.first > pair.second) std::swap(pair.first, pair.second);
        ++times[pair];
        const bool overlaps = i + 1 < word.size() && Pair{word[i], word[i + 1]} == pair;
        if (slip("bpe.no-overlap") && overlaps) ++i;
    }
    return times;
}

CountedPair pair_walk(const std::vector<CountedWord>& words, const Slips& slip) {
    std::map<Pair, std::int64_t> times;
    Ids text;
    for (const CountedWord& word : words) {
        text.insert(text.end(), word.pieces.begin(), word.pieces.end());
        for (const auto& [pair, count] : pairs_in(word.pieces, slip)) {
            const std::int64_t in_word = slip("bpe.once-a-word") ? 1 : count;
            times[pair] += in_word * (slip("bpe.each-word-once") ? 1 : word.times);
        }
    }
    if (slip("bpe.across-words")) {
        std::size_t end = 0;
        for (const CountedWord& word : words) {
            end += word.pieces.size();
            if (end > 0 && end < text.size()) times[{text[end - 1], text[end]}] += word.times;
        }
    }
    CountedPair best{-1, -1, 0};
    for (const auto& [pair, count] : times) {
        const bool wins = slip("bpe.ties-larger") ? count >= best.times : count > best.times;
        if (wins) best = {pair.first, pair.second, count};
    }
    return best;
}

std::vector<Mistake> mistakes() {
    const std::string steps = "Print the word after each merge, with the merge's number.";
    const std::string by_hand = "Count the pairs of a text of two short words by hand.";
    return {
        {"bpe.leftmost", "the first neighbours that have a merge were joined, whichever it was",
         "Which of two possible merges comes first?", steps},
        {"bpe.last-learned", "the merge that was learned last came first",
         "Which of two possible merges comes first?", steps},
        {"bpe.no-new-pairs", "pieces made by a merge were never joined again",
         "What are the neighbours of a new piece?", steps},
        {"bpe.one-merge", "only one merge was made", "When is the word finished?", steps},
        {"bpe.each-merge-once", "each merge was made at one place only",
         "What if a word has the same pair twice?", steps},
        {"bpe.either-order", "a pair was joined in the other order, too",
         "Is \"ab\" the same piece as \"ba\"?", steps},
        {"bpe.from-the-right", "of a pair that overlaps itself the right one was joined",
         "What becomes of 7 7 7?", "The word in which a piece stands three times in a row."},
        {"bpe.keeps-left", "the joined piece kept the id of its left part",
         "Which id does a joined piece have?", "Print `made` of the merge."},
        {"bpe.each-word-once", "each word was counted once, however often the text has it",
         "What is `times` of a word for?", by_hand},
        {"bpe.once-a-word", "a pair that a word has twice was counted once",
         "How often does \"banana\" have the pair a n?", by_hand},
        {"bpe.no-overlap", "7 7 7 had the pair 7 7 once", "How many neighbours does 7 7 7 have?",
         by_hand},
        {"bpe.across-words", "the last piece of a word and the first of the next were a pair",
         "Where does a word end?", by_hand},
        {"bpe.unordered", "pairs were counted without regard to their order",
         "Is \"ab\" the same pair as \"ba\"?", by_hand},
        {"bpe.ties-larger", "of equally frequent pairs the one with the larger ids won",
         "Which of two equally frequent pairs is asked for?",
         "The text in which four pairs are equally frequent."},
    };
}

// a = 1, b = 2, ...: what a text taught, in its order.
Merges taught() {
    return {{1, 2, 10}, {3, 1, 11}, {10, 3, 12}, {2, 3, 13}, {12, 12, 14}, {13, 4, 15}, {7, 7, 16}};
}

Inputs<Encoding> words() {
    return {
        {"1 2", {{1, 2}, taught()}},
        {"2 1, which no merge joins", {{2, 1}, taught()}},
        {"3 1 2, where both neighbours have a merge", {{3, 1, 2}, taught()}},
        {"1 2 3 4, where a later merge would take 2 and 3", {{1, 2, 3, 4}, taught()}},
        {"5 2 3 4", {{5, 2, 3, 4}, taught()}},
        {"1 2 3 1 2 3", {{1, 2, 3, 1, 2, 3}, taught()}},
        {"3 1 3 1 2 1 2 3 2 3 4", {{3, 1, 3, 1, 2, 1, 2, 3, 2, 3, 4}, taught()}},
        {"7 7 7", {{7, 7, 7}, taught()}},
        {"7 7 7 7 7 6", {{7, 7, 7, 7, 7, 6}, taught()}},
        {"9 8 6, which no merge knows", {{9, 8, 6}, taught()}},
        {"a single piece", {{3}, taught()}},
        {"no piece", {{}, taught()}},
        {"1 2 3 without merges", {{1, 2, 3}, {}}},
        {"100000 3 100000 3, with large ids",
         {{100000, 3, 100000, 3}, {{100000, 3, 200000}, {200000, 200000, 300000}}}},
        {"1 2 once more", {{1, 2}, taught()}},
    };
}

using Text = std::vector<CountedWord>;

Inputs<Text> texts() {
    return {
        {"one word, 3 1 4 1 4", {{{3, 1, 4, 1, 4}, 1}}},
        {"two words, one of them five times", {{{1, 2, 3, 2, 3}, 1}, {{1, 2}, 5}}},
        {"a frequent word that ends before another begins",
         {{{1, 2}, 3}, {{3, 4}, 4}, {{2, 3, 2}, 1}}},
        {"7 7 7 7 beside 2 3", {{{7, 7, 7, 7}, 1}, {{2, 3}, 2}}},
        {"four pairs that are equally frequent",
         {{{3, 9}, 2}, {{5, 1}, 2}, {{3, 4}, 2}, {{7, 2}, 2}}},
        {"a b as often as b a", {{{1, 2}, 4}, {{2, 1}, 3}, {{6, 5}, 5}}},
        {"a pair twice in a word", {{{1, 2, 5, 1, 2}, 2}, {{4, 4}, 3}}},
        {"words of one piece", {{{1}, 9}, {{2}, 9}}},
        {"no word", {}},
        {"words without pieces", {{{}, 3}, {{8, 6}, 1}, {{}, 2}}},
        {"3 000 000 000 times", {{{1, 2}, 3000000000}, {{2, 3}, 2999999999}}},
    };
}

Stages pieces_left(const BytePairs& answer, const Encoding& in) {
    return {{"the pieces", numbers(answer.apply_merges(in.pieces, in.merges))}};
}

Stages pair(const BytePairs& answer, const Text& text) {
    const CountedPair best = answer.most_frequent_pair(text);
    return {{"the pair and how often", numbers(Ids{best.left, best.right, best.times})}};
}

// Each piece as the bytes it was made of.
Ids bytes_of(const Ids& word, const Merges& merges) {
    Ids bytes;
    for (const std::int64_t id : word) {
        Ids parts{id};
        for (const LearnedMerge& merge : merges) {
            if (merge.made == id) parts = bytes_of({merge.left, merge.right}, merges);
        }
        bytes.insert(bytes.end(), parts.begin(), parts.end());
    }
    return bytes;
}

std::string bytes_are_lost(const BytePairs& answer) {
    for (const auto& [name, in] : words()) {
        const Ids word = answer.apply_merges(in.pieces, in.merges);
        if (bytes_of(word, in.merges) == in.pieces) continue;
        return "For " + name + " the pieces you return are not made of the bytes they began with.";
    }
    return "";
}

std::vector<Hole> holes() {
    return {
        {"apply_merges",
         {"the pieces"},
         {"Two merges are possible in a word. Which is made first?",
          "Lesson 20.1 prints a word after each merge; `cut` in "
          "20_other_peoples_weights/pieces.cpp "
          "does it",
          "Look through all neighbours for the merge with the smallest place in the list; join "
          "there; begin again; end when there is none",
          "Two loops that find the earliest merge and its place, then word[place] = made and "
          "word.erase of the place after it, all in a while (true)"}},
        {"most_frequent_pair",
         {"the pair and how often"},
         {"How often does a text have a pair that a word has twice, if it has the word five times?",
          "std::map keeps its keys in order, so the first of equal counts is the one asked for",
          "times[{left, right}] += word.times for each two neighbours of each word",
          "Then walk through the map and keep the pair whose count is larger than the best so "
          "far"}},
    };
}

Rules<BytePairs> rules() {
    return {
        .number = "20.1",
        .title = "Byte pairs",
        .reference = [](const Slips& slip) -> BytePairs {
            return {[=](const Ids& pieces, const Merges& merges) {
                        return merge_walk({pieces, merges}, slip);
                    },
                    [=](const Text& text) { return pair_walk(text, slip); }};
        },
        .cases = joined(on_each(pieces_left, words()), on_each(pair, texts())),
        .laws = {{"the pieces have all bytes of the word", bytes_are_lost}},
        .mistakes = mistakes(),
        .hints = {"What decides which two neighbours are joined next?",
                  "Lesson 20.1 does both on a sentence",
                  "Follow the case named above with pencil and paper, merge by merge",
                  "apply_merges is judged as soon as it is written, while most_frequent_pair is "
                  "still open: "
                  "begin with it"},
        .holes = holes(),
    };
}

}  // namespace

const Judge<BytePairs> judge_20_1(rules);

}  // namespace exercise
