#include "tutorials/16_sentences.h"

#include "heed/nn/training/sequence_pairs.h"

#include <algorithm>
#include <sstream>

using namespace heed;

namespace {

using Words = std::vector<std::string>;

struct Sense {
    std::string name;
    Words cues;
};

// In a template CUE is a cue of the sense that is meant, OTHER one of another sense, NOUN any noun.
struct Ambiguous {
    std::string word;
    std::vector<Sense> senses;
    Words clear, torn;
};

const std::vector<Ambiguous> ambiguous = {
    {"bar",
     {{"drinks", {"beer", "wine", "cocktail"}},
      {"metal", {"iron", "steel", "gold"}},
      {"law", {"lawyers", "judges", "court"}},
      {"music", {"melody", "rhythm", "piano"}}},
     {"the CUE bar was near the NOUN", "we saw the NOUN and a CUE bar", "the NOUN has a CUE bar"},
     {"the CUE bar was near the OTHER", "a NOUN with OTHER is at the CUE bar",
      "the OTHER was not in the CUE bar of the NOUN"}},
    {"flies",
     {{"moves", {"time", "plane", "bird"}}, {"insects", {"fruit", "horse", "sand"}}},
     {"the CUE flies like a NOUN", "CUE flies near the NOUN"},
     {"CUE flies like the OTHER", "with the OTHER and a NOUN CUE flies come"}},
    {"apple",
     {{"company", {"phone", "shares", "software"}}, {"fruit", {"pie", "juice", "tree"}}},
     {"the apple CUE is by the NOUN", "we like an apple CUE"},
     {"the apple CUE is by the OTHER", "OTHER or NOUN we want apple CUE"}},
    {"it",
     {{"animal", {"tired", "hungry", "old"}}, {"street", {"wide", "wet", "long"}}},
     {"the animal didn't cross the street because it was too CUE",
      "because it was so CUE the animal and the NOUN didn't cross the street"},
     {"the OTHER animal didn't cross the street because it was too CUE",
      "the NOUN was OTHER but it was too CUE for the animal on the street"}},
    {"sobre",
     {{"envelope", {"abre", "compra", "escribe"}},
      {"about", {"libro", "noticia", "charla"}},
      {"on", {"duerme", "salta", "baila"}}},
     {"CUE sobre NOUN", "la NOUN CUE sobre"},
     {"CUE sobre la NOUN que OTHER", "OTHER la NOUN y CUE sobre"}}};

const Words known_nouns = {"door", "king", "table", "dog", "child", "house", "letter", "river"};
const Words unseen_nouns = {"queen", "cat", "window", "sister", "garden", "boat"};

const std::string& one_of(const Words& words, Random& random) {
    return words[static_cast<std::size_t>(random.below(static_cast<std::int64_t>(words.size())))];
}

Words split(const std::string& text) {
    std::istringstream stream(text);
    Words words;
    for (std::string word; stream >> word;) words.push_back(word);
    return words;
}

void add_new(Words& words, const std::string& word) {
    const bool slot = word == "CUE" || word == "OTHER" || word == "NOUN";
    if (!slot && std::find(words.begin(), words.end(), word) == words.end()) words.push_back(word);
}

}  // namespace

const Words& all_senses() {
    static const Words names = [] {
        Words all;
        for (const Ambiguous& a : ambiguous) {
            for (const Sense& sense : a.senses) all.push_back(a.word + ": " + sense.name);
        }
        return all;
    }();
    return names;
}

const Words& meant_vocabulary() {
    static const Words vocabulary = [] {
        Words all = {"[PAD]", "[CLS]"};
        for (const Ambiguous& a : ambiguous) {
            for (const Sense& sense : a.senses) {
                for (const std::string& cue : sense.cues) add_new(all, cue);
            }
            for (const Words* templates : {&a.clear, &a.torn}) {
                for (const std::string& one : *templates) {
                    for (const std::string& word : split(one)) add_new(all, word);
                }
            }
        }
        for (const Words* nouns : {&known_nouns, &unseen_nouns}) {
            for (const std::string& noun : *nouns) add_new(all, noun);
        }
        return all;
    }();
    return vocabulary;
}

Meant random_meant(Random& random, Nouns nouns) {
    const std::size_t which = static_cast<std::size_t>(random.below(5));
    const Ambiguous& a = ambiguous[which];
    const std::int64_t senses = static_cast<std::int64_t>(a.senses.size());
    const std::int64_t sense = random.below(senses);
    const std::int64_t other = (sense + 1 + random.below(senses - 1)) % senses;
    Meant meant;
    meant.torn = random.below(2) == 0;
    meant.sense = sense;
    for (std::size_t before = 0; before < which; ++before) {
        meant.sense += static_cast<std::int64_t>(ambiguous[before].senses.size());
    }
    meant.words = split("[CLS] " + one_of(meant.torn ? a.torn : a.clear, random));
    for (std::size_t t = 0; t < meant.words.size(); ++t) {
        std::string& word = meant.words[t];
        if (word == a.word) meant.word = static_cast<std::int64_t>(t);
        if (word == "CUE") meant.cue = static_cast<std::int64_t>(t);
        if (word == "CUE") word = one_of(a.senses[static_cast<std::size_t>(sense)].cues, random);
        if (word == "OTHER") word = one_of(a.senses[static_cast<std::size_t>(other)].cues, random);
        if (word == "NOUN") {
            word = one_of(nouns == Nouns::known ? known_nouns : unseen_nouns, random);
        }
    }
    return meant;
}

MeantBatch batch_of(const std::vector<Meant>& sentences) {
    MeantBatch batch;
    batch.sentences = sentences;
    std::vector<IndexTensor> texts;
    std::vector<std::int64_t> senses;
    const Words& words = meant_vocabulary();
    for (const Meant& meant : sentences) {
        std::vector<std::int64_t> ids;
        for (const std::string& word : meant.words) {
            ids.push_back(std::find(words.begin(), words.end(), word) - words.begin());
        }
        texts.push_back(IndexTensor(ids));
        senses.push_back(meant.sense);
    }
    batch.text = pad_sequences(texts, 0);
    batch.senses = IndexTensor(senses);
    return batch;
}

MeantBatch random_batch(std::int64_t B, Random& random, Nouns nouns) {
    std::vector<Meant> sentences;
    for (std::int64_t b = 0; b < B; ++b) sentences.push_back(random_meant(random, nouns));
    return batch_of(sentences);
}
