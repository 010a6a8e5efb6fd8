#include "tutorials/16_which_bar/sentences.h"

#include "nn/training/sequence_pairs.h"

#include <algorithm>
#include <sstream>
#include <unordered_map>

using namespace heed;

namespace {

using Words = std::vector<std::string>;

struct Sense {
    std::string name;
    Words cues;
};

// In a template CUE is a cue of the sense that is meant, OTHER the decoy, a cue of any sense, which
// says nothing where it stands, NOUN any noun of the template's language.
struct Ambiguous {
    std::string word;
    std::vector<Sense> senses;
    Words alone, with_other;
    bool spanish = false;
};

const std::vector<Ambiguous> ambiguous = {
    {"bar",
     {{"drinks", {"beer", "wine", "cocktail"}},
      {"metal", {"iron", "steel", "gold"}},
      {"law", {"lawyers", "judges", "court"}},
      {"music", {"melody", "rhythm", "piano"}}},
     {"the CUE bar was near the NOUN", "we saw the NOUN and a CUE bar",
      "for CUE the NOUN needs a bar", "a bar for the NOUN and for CUE"},
     {"the CUE bar was near the OTHER", "a NOUN with OTHER is at the CUE bar",
      "the OTHER was not in the CUE bar of the NOUN"}},
    {"flies",
     {{"moves", {"time", "plane", "bird"}}, {"insects", {"fruit", "horse", "sand"}}},
     {"CUE flies like an arrow", "CUE flies like a banana", "the NOUN saw CUE flies"},
     {"CUE flies like the OTHER", "with the OTHER and a NOUN CUE flies come"}},
    {"apple",
     {{"company", {"phone", "shares", "software"}}, {"fruit", {"pie", "juice", "tree"}}},
     {"the apple CUE is by the NOUN", "we like an apple CUE", "the CUE of the NOUN is by apple"},
     {"the apple CUE is by the OTHER", "OTHER or NOUN we want apple CUE"}},
    {"it",
     {{"animal", {"tired", "hungry", "scared"}}, {"street", {"wide", "wet", "icy"}}},
     {"the animal didn't cross the street because it was too CUE",
      "because it was so CUE the animal and the NOUN didn't cross the street"},
     {"the OTHER animal didn't cross the street because it was too CUE",
      "the NOUN was OTHER but it was too CUE for the animal on the street"}},
    {"sobre",
     {{"envelope", {"abre", "compra", "escribe"}},
      {"about", {"libro", "noticia", "charla"}},
      {"on", {"duerme", "salta", "baila"}}},
     {"CUE sobre la NOUN", "la NOUN CUE sobre"},
     {"CUE sobre la NOUN que OTHER", "OTHER la NOUN y CUE sobre"},
     true}};

const Words english = {"door", "king", "table", "dog", "child", "house", "letter", "river"};
const Words spanish = {"mesa", "casa", "carta", "puerta"};
const Words unseen_english = {"queen", "cat", "window", "sister", "garden", "boat"};
const Words unseen_spanish = {"reina", "silla", "torre"};

const Words& nouns_for(const Ambiguous& a, Nouns nouns) {
    if (nouns == Nouns::known) return a.spanish ? spanish : english;
    return a.spanish ? unseen_spanish : unseen_english;
}

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
            for (const Words* templates : {&a.alone, &a.with_other}) {
                for (const std::string& one : *templates) {
                    for (const std::string& word : split(one)) add_new(all, word);
                }
            }
        }
        for (const Words* nouns : {&english, &spanish, &unseen_english, &unseen_spanish}) {
            for (const std::string& noun : *nouns) add_new(all, noun);
        }
        return all;
    }();
    return vocabulary;
}

namespace {

std::int64_t first_class_of(const Ambiguous& word) {
    std::int64_t first = 0;
    for (const Ambiguous& a : ambiguous) {
        if (a.word == word.word) break;
        first += static_cast<std::int64_t>(a.senses.size());
    }
    return first;
}

}  // namespace

Meant random_meant(Random& random, Nouns nouns) {
    const Ambiguous& a = ambiguous[static_cast<std::size_t>(random.below(5))];
    const std::int64_t senses = static_cast<std::int64_t>(a.senses.size());
    const std::int64_t sense = random.below(senses);
    const std::int64_t other_sense = random.below(senses);
    const bool has_other = random.below(2) == 0;
    Meant meant;
    meant.words = split("[CLS] " + one_of(has_other ? a.with_other : a.alone, random));
    meant.sense = first_class_of(a) + sense;
    if (has_other) meant.other_sense = first_class_of(a) + other_sense;
    for (std::size_t t = 0; t < meant.words.size(); ++t) {
        std::string& word = meant.words[t];
        const std::int64_t here = static_cast<std::int64_t>(t);
        if (word == a.word) meant.word = here;
        if (word == "CUE") {
            meant.cue = here;
            word = one_of(a.senses[static_cast<std::size_t>(sense)].cues, random);
        } else if (word == "OTHER") {
            meant.other = here;
            word = one_of(a.senses[static_cast<std::size_t>(other_sense)].cues, random);
        } else if (word == "NOUN") {
            meant.noun = here;
            word = one_of(nouns_for(a, nouns), random);
        }
    }
    return meant;
}

Meant swapped(const Meant& torn) {
    Meant twin = torn;
    std::swap(twin.words.at(static_cast<std::size_t>(torn.cue)),
              twin.words.at(static_cast<std::size_t>(torn.other)));
    std::swap(twin.sense, twin.other_sense);
    return twin;
}

Meant meant_by(const std::string& sentence, const std::string& word, const std::string& cue) {
    Meant meant;
    meant.words = split("[CLS] " + sentence);
    for (std::size_t t = 0; t < meant.words.size(); ++t) {
        if (meant.words[t] == word) meant.word = static_cast<std::int64_t>(t);
        if (meant.words[t] == cue) meant.cue = static_cast<std::int64_t>(t);
    }
    for (const Ambiguous& a : ambiguous) {
        for (std::size_t sense = 0; a.word == word && sense < a.senses.size(); ++sense) {
            const Words& cues = a.senses[sense].cues;
            if (std::find(cues.begin(), cues.end(), cue) == cues.end()) continue;
            meant.sense = first_class_of(a) + static_cast<std::int64_t>(sense);
        }
    }
    return meant;
}

namespace {

std::int64_t id_of(const std::string& word) {
    static const std::unordered_map<std::string, std::int64_t> ids = [] {
        std::unordered_map<std::string, std::int64_t> all;
        for (const std::string& one : meant_vocabulary()) {
            all.emplace(one, static_cast<std::int64_t>(all.size()));
        }
        return all;
    }();
    return ids.at(word);
}

}  // namespace

MeantBatch batch_of(const std::vector<Meant>& sentences) {
    MeantBatch batch;
    batch.sentences = sentences;
    std::vector<IndexTensor> texts;
    std::vector<std::int64_t> senses;
    for (const Meant& meant : sentences) {
        std::vector<std::int64_t> ids;
        for (const std::string& word : meant.words) {
            ids.push_back(id_of(word));
        }
        texts.push_back(IndexTensor(ids));
        senses.push_back(meant.sense);
    }
    batch.text = pad_sequences(texts, 0);
    batch.senses = IndexTensor(senses);
    return batch;
}

MeantBatch random_batch(std::int64_t B, const std::vector<Meant>& learned, Random& random) {
    std::vector<Meant> sentences;
    for (std::int64_t b = 0; b < B; ++b) {
        const std::int64_t one = random.below(static_cast<std::int64_t>(learned.size()));
        sentences.push_back(learned[static_cast<std::size_t>(one)]);
    }
    return batch_of(sentences);
}
