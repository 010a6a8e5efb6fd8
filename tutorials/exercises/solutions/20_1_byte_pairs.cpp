// 20.1 Byte pairs                                            fill · 20 minutes · about 25 lines
//
// GPT-2's tokenizer knows no words. It begins with the bytes of a word as pieces, and joins
// neighbours, again and again, by a list of pairs that it learned from a text: each time the pair
// that was most frequent (Sennrich et al. 2016, section 3.2). Here pieces are numbers, their ids.
// Lesson 20.1.
//
// apply_merges: the pieces of one word, and the merges in the order in which they were learned, so
// that a merge's parts are single bytes or were made by merges before it -> the pieces that are
// left. Of all neighbours in the word that some merge joins, the pair whose merge was learned first
// is joined, wherever it is; then the new word is looked at in the same way, until no two
// neighbours have a merge. Where a pair overlaps itself, as in 7 7 7, the left one is joined first.
// most_frequent_pair: words, each with the number of times it stands in the text -> the pair of
// neighbours that the text has most often, and how often. A word has each pair as often as it has
// such neighbours: 7 7 7 has the pair 7 7 twice. The last piece of a word and the first of the next
// are not neighbours. Of pairs that are equally frequent it is the one with the smaller left id,
// then the one with the smaller right id. Without any pair it is {-1, -1, 0}.
#include "tutorials/exercises/judges/lesson_20.h"

#include <map>
#include <utility>

using exercise::CountedPair;
using exercise::CountedWord;
using exercise::Ids;
using exercise::LearnedMerge;

Ids apply_merges(const Ids& pieces, const std::vector<LearnedMerge>& merges) {
    // begin stub, stop in apply_merges
    //     exercise::not_done("20.1");
    // begin solution
    Ids word = pieces;
    while (true) {
        const LearnedMerge* first = nullptr;  // of the merges that join neighbours here
        std::size_t place = 0;
        for (std::size_t i = 1; i < word.size(); ++i) {
            for (const LearnedMerge& merge : merges) {
                if (first && &merge >= first) break;
                if (merge.left != word[i - 1] || merge.right != word[i]) continue;
                first = &merge;
                place = i - 1;
            }
        }
        if (!first) return word;
        word[place] = first->made;
        word.erase(word.begin() + static_cast<std::ptrdiff_t>(place) + 1);
    }
    // end
}

CountedPair most_frequent_pair(const std::vector<CountedWord>& words) {
    // begin stub
    //     exercise::not_done("20.1");
    // begin solution
    std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> times;  // in the order of ids
    for (const CountedWord& word : words) {
        for (std::size_t i = 1; i < word.pieces.size(); ++i) {
            times[{word.pieces[i - 1], word.pieces[i]}] += word.times;
        }
    }
    CountedPair best{-1, -1, 0};
    for (const auto& [pair, count] : times) {
        if (count > best.times) best = {pair.first, pair.second, count};
    }
    return best;
    // end
}

int main(int argc, char** argv) {
    return exercise::run(exercise::judge_20_1({apply_merges, most_frequent_pair}), argc, argv);
}
