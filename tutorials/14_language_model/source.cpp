#include "tutorials/14_language_model/source.h"

#include "tensor/ops.h"

#include <algorithm>

using namespace heed;

namespace {

const std::vector<std::string> subjects = {"key", "note", "letter", "keys", "notes", "letters"};
const std::vector<std::string> seconds = {"cabinet", "door", "cabinets", "doors"};
const std::vector<std::string> places = {"table", "floor", "shelf"};

// A token, and the probability that the grammar gave it.
struct Drawn {
    std::int64_t id;
    double probability;
};

Drawn one_of(const std::vector<std::string>& words, Random& random) {
    const std::int64_t count = static_cast<std::int64_t>(words.size());
    const std::string& word = words[static_cast<std::size_t>(random.below(count))];
    return {id_of(word), 1.0 / static_cast<double>(count)};
}

bool is_plural(const std::string& noun) { return noun.back() == 's'; }

void add_sentence(std::vector<Drawn>& text, Random& random) {
    text.push_back({id_of("the"), 1});
    const Drawn subject = one_of(subjects, random);
    text.push_back(subject);
    const bool plural = is_plural(vocabulary()[static_cast<std::size_t>(subject.id)]);
    const bool longer = random.below(2) == 0;
    if (longer) {
        text.push_back({id_of("to"), 0.5});
        text.push_back({id_of("the"), 1});
        text.push_back(one_of(seconds, random));
    }
    text.push_back({id_of(plural ? "are" : "is"), longer ? 1 : 0.5});
    text.push_back({id_of("on"), 1});
    text.push_back({id_of("the"), 1});
    text.push_back(one_of(places, random));
    text.push_back({id_of("."), 1});
}

}  // namespace

const std::vector<std::string>& vocabulary() {
    static const std::vector<std::string> words = {
        "the",      "to",     "on",    "is",    "are",     ".",       "key",
        "note",     "letter", "keys",  "notes", "letters", "cabinet", "door",
        "cabinets", "doors",  "table", "floor", "shelf"};
    return words;
}

std::int64_t id_of(const std::string& word) {
    const std::vector<std::string>& words = vocabulary();
    return std::find(words.begin(), words.end(), word) - words.begin();
}

std::string words_of(const std::vector<std::int64_t>& ids) {
    std::string said;
    for (const std::int64_t id : ids) {
        said += (said.empty() ? "" : " ") + vocabulary()[static_cast<std::size_t>(id)];
    }
    return said;
}

std::string words_of(const IndexTensor& ids) {
    return words_of(std::vector<std::int64_t>(ids.data(), ids.data() + ids.numel()));
}

bool is_sentence(const std::vector<std::int64_t>& ids) {
    std::vector<std::string> said;
    for (const std::int64_t id : ids) said.push_back(vocabulary()[static_cast<std::size_t>(id)]);
    const auto has = [&said](std::size_t t, const std::vector<std::string>& words) {
        return t < said.size() && std::find(words.begin(), words.end(), said[t]) != words.end();
    };
    if (!has(0, {"the"}) || !has(1, subjects)) return false;
    const bool longer = has(2, {"to"});
    if (longer && !(has(3, {"the"}) && has(4, seconds))) return false;
    const std::size_t verb = longer ? 5 : 2;
    return has(verb, {is_plural(said[1]) ? "are" : "is"}) && has(verb + 1, {"on"}) &&
           has(verb + 2, {"the"}) && has(verb + 3, places) && has(verb + 4, {"."}) &&
           said.size() == verb + 5;
}

Tensor never_after() {
    const std::int64_t V = static_cast<std::int64_t>(vocabulary().size());
    std::vector<Scalar> never(static_cast<std::size_t>(V * V), 1);
    const auto follows = [&never, V](const std::string& word, const std::string& next) {
        never[static_cast<std::size_t>(id_of(word) * V + id_of(next))] = 0;
    };
    follows("to", "the");
    follows("on", "the");
    follows("is", "on");
    follows("are", "on");
    follows(".", "the");
    for (const std::string& noun : subjects) {
        follows("the", noun);
        follows(noun, "to");
        follows(noun, is_plural(noun) ? "are" : "is");
    }
    for (const std::string& noun : seconds) {
        follows("the", noun);
        follows(noun, "is");
        follows(noun, "are");
    }
    for (const std::string& noun : places) {
        follows("the", noun);
        follows(noun, ".");
    }
    return tensor::from_vector(never, {V, V});
}

Texts random_texts(std::int64_t B, std::int64_t T, Random& random) {
    std::vector<std::int64_t> inputs, targets;
    std::vector<Scalar> probabilities;  // of the targets
    for (std::int64_t b = 0; b < B; ++b) {
        std::vector<Drawn> text;
        while (static_cast<std::int64_t>(text.size()) < T + 1) add_sentence(text, random);
        for (std::size_t t = 0; t < static_cast<std::size_t>(T); ++t) {
            inputs.push_back(text[t].id);
            targets.push_back(text[t + 1].id);
            probabilities.push_back(static_cast<Scalar>(text[t + 1].probability));
        }
    }
    const Tensor P = tensor::from_vector(probabilities, {B, T});
    const double entropy = -static_cast<double>(tensor::mean(tensor::log(P)).item());
    return {IndexTensor(inputs, {B, T}), IndexTensor(targets, {B, T}), entropy};
}

Agreement torn_sentences() {
    std::vector<std::int64_t> ids, verbs;
    for (const std::string& subject : subjects) {
        for (const std::string& second : seconds) {
            if (is_plural(subject) == is_plural(second)) continue;
            for (const std::string& word :
                 {std::string("the"), subject, std::string("to"), std::string("the"), second}) {
                ids.push_back(id_of(word));
            }
            verbs.push_back(id_of(is_plural(subject) ? "are" : "is"));
        }
    }
    const std::int64_t count = static_cast<std::int64_t>(verbs.size());
    return {IndexTensor(ids, {count, 5}), verbs};
}
