#include "tutorials/13_alignment/held_out.h"

#include <algorithm>
#include <set>

using heed::Random;

namespace {

using SpanishSentences = std::set<std::vector<std::string>>;

const std::int64_t to_ask = 100;  // of each range of lengths
const std::int64_t to_learn = 10'000;

void add_spanish(SpanishSentences& known, const std::vector<Translation>& texts) {
    for (const Translation& text : texts) known.insert(text.spanish);
}

}  // namespace

std::string in_words(const LengthRange& range) {
    const std::string fewest = std::to_string(range[0]);
    return range[0] == range[1] ? fewest : fewest + "-" + std::to_string(range[1]);
}

Translation cow_on_the_bridge() {
    return {{"la", "vaca", "negra", "salta", "sobre", "el", "puente"},
            {"the", "black", "cow", "jumps", "on", "the", "bridge"},
            {0, 2, 1, 3, 4, 5, 6}};
}

const std::vector<Translation>& shown_sentences() {
    static const std::vector<Translation> texts = {
        {{"ella", "vende", "la", "carta", "vieja"},
         {"she", "sells", "the", "old", "letter"},
         {0, 1, 2, 4, 3}},
        {{"compra", "el", "sobre", "blanco", "y", "ella", "habla", "sobre", "gatos"},
         {"he", "buys", "the", "white", "envelope", "and", "she", "talks", "about", "cats"},
         {0, 0, 1, 3, 2, 4, 5, 6, 7, 8}},
        {{"el", "zorro", "rojo", "abre", "la", "puerta", "nueva", "y", "ella", "salta", "sobre",
          "el", "puente", "viejo"},
         {"the", "red", "fox", "opens", "the", "new", "door", "and", "she", "jumps", "on", "the",
          "old", "bridge"},
         {0, 2, 1, 3, 4, 6, 5, 7, 8, 9, 10, 11, 13, 12}}};
    return texts;
}

Material random_material(const std::vector<LengthRange>& lengths, Random& random) {
    Material material;
    SpanishSentences kept;
    for (const auto& [fewest, most] : lengths) {
        material.asked.push_back(translations(to_ask, fewest, most, random));
        add_spanish(kept, material.asked.back());
    }
    add_spanish(kept, shown_sentences());
    add_spanish(kept, {cow_on_the_bridge()});
    while (static_cast<std::int64_t>(material.learned.size()) < to_learn) {
        const Translation text = random_translation(3, 12, random);
        if (kept.count(text.spanish) == 0) material.learned.push_back(text);
    }
    return material;
}

std::int64_t count_learned(const std::vector<Translation>& texts,
                           const std::vector<Translation>& learned) {
    SpanishSentences known;
    add_spanish(known, learned);
    return std::count_if(texts.begin(), texts.end(),
                         [&](const Translation& text) { return known.count(text.spanish) == 1; });
}
