// The sentences that are held out: what is asked, and never learned.
#include "tutorials/16_which_bar/sentences.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <utility>

using namespace heed;

namespace {
using Words = std::vector<std::string>;
}

const std::vector<Meant>& printed_rows() {
    static const std::vector<Meant> sentences = {
        meant_by("the beer bar was near the piano", "bar", "beer"),
        meant_by("the piano bar was near the beer", "bar", "piano"),
        meant_by("time flies like an arrow", "flies", "time"),
        meant_by("fruit flies like a banana", "flies", "fruit"),
        meant_by("the animal didn't cross the street because it was too tired", "it", "tired"),
        meant_by("the animal didn't cross the street because it was too wide", "it", "wide")};
    return sentences;
}

const std::vector<Meant>& printed_flies() {
    static const std::vector<Meant> sentences = {
        meant_by("time flies like an arrow", "flies", "time"),
        meant_by("plane flies like a banana", "flies", "plane"),
        meant_by("fruit flies like a banana", "flies", "fruit")};
    return sentences;
}

namespace {

Words bag_of(const Meant& meant) {
    Words bag = meant.words;
    std::sort(bag.begin(), bag.end());
    return bag;
}

std::set<Words> printed_bags() {
    std::set<Words> bags;
    for (const Meant& meant : printed_rows()) bags.insert(bag_of(meant));
    for (const Meant& meant : printed_flies()) bags.insert(bag_of(meant));
    return bags;
}

// A number that depends on all letters of the words (Fowler, Noll and Vo, 1991).
std::uint64_t hash_of(const Words& words) {
    std::uint64_t hash = 14695981039346656037u;
    for (const std::string& word : words) {
        for (const char letter : word + " ") {
            hash = (hash ^ static_cast<unsigned char>(letter)) * 1099511628211u;
        }
    }
    return hash;
}

}  // namespace

bool is_held_out(const Meant& meant) {
    static const std::set<Words> printed = printed_bags();
    const Words bag = bag_of(meant);
    return (hash_of(bag) >> 32) % 7 == 4 || printed.count(bag) == 1;
}

std::vector<Meant> random_sentences(std::size_t n, Kind kind, Random& random) {
    const bool new_noun = kind == Kind::unseen_noun;
    std::vector<Meant> sentences;
    while (sentences.size() < n) {
        const Meant meant = random_meant(random, new_noun ? Nouns::unseen : Nouns::known);
        const bool is_kind = kind == Kind::any ||
                             (new_noun ? meant.noun >= 0 : meant.is_torn() == (kind == Kind::torn));
        if (is_kind && (new_noun || is_held_out(meant))) sentences.push_back(meant);
    }
    return sentences;
}

std::vector<Meant> sentences_to_learn(std::size_t n, Random& random) {
    std::vector<Meant> sentences;
    while (sentences.size() < n) {
        const Meant meant = random_meant(random);
        if (!is_held_out(meant)) sentences.push_back(meant);
    }
    return sentences;
}

std::int64_t count_learned(const std::vector<Meant>& asked, const std::vector<Meant>& learned) {
    std::set<Words> known;
    for (const Meant& meant : learned) known.insert(meant.words);
    return std::count_if(asked.begin(), asked.end(),
                         [&](const Meant& meant) { return known.count(meant.words) == 1; });
}

std::int64_t fewest_cues(const std::vector<Meant>& any, const std::vector<Meant>& learned) {
    std::map<std::pair<Words, std::int64_t>, std::set<std::string>> cues;  // of sentence and sense
    const auto add = [&](const Meant& meant, bool is_learned) {
        if (meant.noun >= 0 || meant.other >= 0) return;
        Words without_cue = meant.words;
        std::string& cue = without_cue.at(static_cast<std::size_t>(meant.cue));
        const std::string word = std::exchange(cue, "");
        std::set<std::string>& its = cues[{without_cue, meant.sense}];
        if (is_learned) its.insert(word);
    };
    for (const Meant& meant : any) add(meant, false);
    for (const Meant& meant : learned) add(meant, true);
    std::size_t fewest = 3;
    for (const auto& [sentence, its] : cues) fewest = std::min(fewest, its.size());
    return static_cast<std::int64_t>(fewest);
}
