#include "tutorials/13_alignment/grammar.h"

#include <algorithm>
#include <stdexcept>

using heed::Random;

namespace {

struct Noun {
    std::string spanish, english;
    bool feminine;
};

struct Adjective {
    std::string masculine, feminine, english;
};

// By person: I, he or she, we.
struct Verb {
    std::string spanish[3], english[3];
};

const std::vector<Noun> animals = {{"gato", "cat", false},  {"perro", "dog", false},
                                   {"vaca", "cow", true},   {"caballo", "horse", false},
                                   {"pato", "duck", false}, {"rana", "frog", true},
                                   {"cabra", "goat", true}, {"zorro", "fox", false}};
const std::vector<Noun> things = {{"casa", "house", true},      {"libro", "book", false},
                                  {"carta", "letter", true},    {"puerta", "door", true},
                                  {"sobre", "envelope", false}, {"copa", "cup", true},
                                  {"cuadro", "picture", false}, {"bolsa", "bag", true}};
const std::vector<Noun> places = {{"mesa", "table", true},     {"silla", "chair", true},
                                  {"cama", "bed", true},       {"barco", "boat", false},
                                  {"puente", "bridge", false}, {"sobre", "envelope", false}};
const std::vector<Noun> topics = {{"gatos", "cats", false},    {"perros", "dogs", false},
                                  {"vacas", "cows", true},     {"casas", "houses", true},
                                  {"cartas", "letters", true}, {"barcos", "boats", false}};
const std::vector<Adjective> adjectives = {
    {"negro", "negra", "black"}, {"blanco", "blanca", "white"}, {"rojo", "roja", "red"},
    {"viejo", "vieja", "old"},   {"nuevo", "nueva", "new"},     {"bonito", "bonita", "pretty"}};
const std::vector<Verb> takes_object = {
    {{"compro", "compra", "compramos"}, {"buy", "buys", "buy"}},
    {{"veo", "ve", "vemos"}, {"see", "sees", "see"}},
    {{"abro", "abre", "abrimos"}, {"open", "opens", "open"}},
    {{"vendo", "vende", "vendemos"}, {"sell", "sells", "sell"}},
    {{"pinto", "pinta", "pintamos"}, {"paint", "paints", "paint"}}};
const std::vector<Verb> has_place = {
    {{"duermo", "duerme", "dormimos"}, {"sleep", "sleeps", "sleep"}},
    {{"salto", "salta", "saltamos"}, {"jump", "jumps", "jump"}},
    {{"canto", "canta", "cantamos"}, {"sing", "sings", "sing"}}};
const std::vector<Verb> has_topic = {
    {{"hablo", "habla", "hablamos"}, {"talk", "talks", "talk"}},
    {{"escribo", "escribe", "escribimos"}, {"write", "writes", "write"}}};
const Verb read = {{"leo", "lee", "leemos"}, {"read", "reads", "read"}};
const std::string pronouns[3] = {"I", "he", "we"};  // where Spanish has none

bool says(const Translation& text, const std::string& english) {
    return std::find(text.english.begin(), text.english.end(), english) != text.english.end();
}

bool says(const Translation& text, const Verb& verb) {
    return says(text, verb.english[0]) || says(text, verb.english[1]);
}

template <class Word>
bool says(const Translation& text, const Word& word) {
    return says(text, word.english);
}

// Any of them that the text has not said yet; if it has said nearly all, any.
template <class Word>
const Word& one_of(const std::vector<Word>& all, const Translation& text, Random& random) {
    const Word* word = nullptr;
    for (int i = 0; i < 20 && (!word || says(text, *word)); ++i) {
        word = &all[static_cast<std::size_t>(random.below(static_cast<std::int64_t>(all.size())))];
    }
    return *word;
}

// Appends a Spanish word; its position is what English words are aligned with.
std::int64_t say(Translation& text, const std::string& spanish) {
    text.spanish.push_back(spanish);
    return static_cast<std::int64_t>(text.spanish.size()) - 1;
}

void translate(Translation& text, const std::string& english, std::int64_t source) {
    text.english.push_back(english);
    text.source.push_back(source);
}

// "el gato negro", the black cat: the adjective changes places with the noun.
void add_noun(Translation& text, const Noun& noun, Random& random) {
    const bool definite = random.below(2) == 0;
    const std::string article =
        definite ? (noun.feminine ? "la" : "el") : (noun.feminine ? "una" : "un");
    translate(text, definite ? "the" : "a", say(text, article));
    const std::int64_t at_noun = say(text, noun.spanish);
    if (random.below(2) == 0) {
        const Adjective& adjective = one_of(adjectives, text, random);
        translate(text, adjective.english,
                  say(text, noun.feminine ? adjective.feminine : adjective.masculine));
    }
    translate(text, noun.english, at_noun);
}

// The person of the verb: 0, 1 or 2. A dropped pronoun is said after the verb, which tells it.
struct Subject {
    int person;
    bool dropped;
};

Subject add_subject(Translation& text, Random& random) {
    const int kind = static_cast<int>(random.below(4));
    if (kind == 0) {
        add_noun(text, one_of(animals, text, random), random);
        return {1, false};
    }
    if (kind == 1) {
        translate(text, "she", say(text, "ella"));
        return {1, false};
    }
    return {static_cast<int>(random.below(3)), true};
}

void add_verb(Translation& text, const Verb& verb, const Subject& subject) {
    const std::int64_t at_verb = say(text, verb.spanish[subject.person]);
    if (subject.dropped) translate(text, pronouns[subject.person], at_verb);
    translate(text, verb.english[subject.person], at_verb);
}

void add_clause(Translation& text, Random& random) {
    const Subject subject = add_subject(text, random);
    switch (random.below(4)) {
    case 0:
        add_verb(text, one_of(takes_object, text, random), subject);
        add_noun(text, one_of(things, text, random), random);
        return;
    case 1:
        add_verb(text, one_of(has_place, text, random), subject);
        translate(text, "on", say(text, "sobre"));
        add_noun(text, one_of(places, text, random), random);
        return;
    case 2:
        add_verb(text, one_of(has_topic, text, random), subject);
        break;
    default:
        add_verb(text, read, subject);
        translate(text, "a", say(text, "un"));
        translate(text, "book", say(text, "libro"));
    }
    translate(text, "about", say(text, "sobre"));
    const Noun& topic = one_of(topics, text, random);
    translate(text, topic.english, say(text, topic.spanish));
}

Translation some_translation(std::int64_t fewest, Random& random) {
    Translation text;
    add_clause(text, random);
    while (static_cast<std::int64_t>(text.spanish.size()) < fewest) {
        translate(text, "and", say(text, "y"));
        add_clause(text, random);
    }
    return text;
}

void add_new(std::vector<std::string>& words, const std::string& word) {
    if (std::find(words.begin(), words.end(), word) == words.end()) words.push_back(word);
}

// All words that the grammar has, in the order of the lists above.
std::vector<std::string> all_words(bool spanish) {
    std::vector<std::string> words;
    const std::vector<std::string> small =
        spanish
            ? std::vector<std::string>{"y", "sobre", "el", "la", "un", "una", "ella"}
            : std::vector<std::string>{"and", "on", "about", "the", "a", "she", "I", "he", "we"};
    for (const std::string& word : small) add_new(words, word);
    for (const std::vector<Noun>* nouns : {&animals, &things, &places, &topics}) {
        for (const Noun& noun : *nouns) add_new(words, spanish ? noun.spanish : noun.english);
    }
    for (const Adjective& adjective : adjectives) {
        add_new(words, spanish ? adjective.masculine : adjective.english);
        if (spanish) add_new(words, adjective.feminine);
    }
    std::vector<Verb> verbs = {read};
    for (const std::vector<Verb>* more : {&takes_object, &has_place, &has_topic}) {
        verbs.insert(verbs.end(), more->begin(), more->end());
    }
    for (const Verb& verb : verbs) {
        for (const std::string& form : spanish ? verb.spanish : verb.english) add_new(words, form);
    }
    return words;
}

}  // namespace

Translation random_translation(std::int64_t fewest, std::int64_t most, Random& random) {
    if (fewest < 3 || most < fewest) {
        throw std::invalid_argument("random_translation: no sentence has from " +
                                    std::to_string(fewest) + " to " + std::to_string(most) +
                                    " words");
    }
    const std::int64_t length = fewest + random.below(most - fewest + 1);
    while (true) {  // one in a few has just that length
        const Translation text = some_translation(length, random);
        if (static_cast<std::int64_t>(text.spanish.size()) == length) return text;
    }
}

const std::vector<std::string>& spanish_words() {
    static const std::vector<std::string> words = all_words(true);
    return words;
}

const std::vector<std::string>& english_words() {
    static const std::vector<std::string> words = all_words(false);
    return words;
}
