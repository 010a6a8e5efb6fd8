#include "tutorials/13_alignment/pairs.h"

#include "nn/heed.h"

#include <algorithm>
#include <stdexcept>

using namespace heed;

namespace {

const std::vector<std::string> special = {"<pad>", "<s>", "</s>", "<unk>"};

std::vector<std::int64_t> ids_of(const std::vector<std::string>& text,
                                 const std::vector<std::string>& words) {
    std::vector<std::int64_t> ids;
    const auto first = words.begin() + static_cast<std::ptrdiff_t>(special.size());
    for (const std::string& word : text) {
        const auto found = std::find(first, words.end(), word);
        ids.push_back(found == words.end() ? unknown : found - words.begin());
    }
    return ids;
}

void add_new(std::vector<std::string>& words, const std::vector<std::string>& more) {
    for (const std::string& word : more) {
        if (std::find(words.begin(), words.end(), word) == words.end()) words.push_back(word);
    }
}

// The right words of sentence b, without <s> and </s>.
std::vector<std::int64_t> right_words(const Pairs& pairs, std::size_t b) {
    std::vector<std::int64_t> ids;
    for (std::int64_t j = 1; j + 1 < pairs.target.lengths[b]; ++j) {
        ids.push_back(pairs.target.ids(static_cast<std::int64_t>(b), j));
    }
    return ids;
}

}  // namespace

Languages languages_of_grammar() {
    Languages languages{special, special};
    add_new(languages.source, spanish_words());
    add_new(languages.target, english_words());
    return languages;
}

Languages languages_of(const std::vector<Translation>& texts) {
    Languages languages{special, special};
    for (const Translation& text : texts) {
        add_new(languages.source, text.spanish);
        add_new(languages.target, text.english);
    }
    return languages;
}

Pairs pairs_of(const std::vector<Translation>& texts, const Languages& languages) {
    Pairs pairs;
    std::vector<IndexTensor> sources, targets;
    for (const Translation& text : texts) {
        std::vector<std::int64_t> source = ids_of(text.spanish, languages.source);
        std::vector<std::int64_t> target = ids_of(text.english, languages.target);
        source.push_back(end);
        target.insert(target.begin(), begin);
        target.push_back(end);
        sources.push_back(IndexTensor(source));
        targets.push_back(IndexTensor(target));
    }
    pairs.source = pad_sequences(sources, padding);
    pairs.target = pad_sequences(targets, padding);
    pairs.texts = texts;
    return pairs;
}

std::vector<Translation> translations(std::int64_t count, std::int64_t fewest, std::int64_t most,
                                      Random& random) {
    std::vector<Translation> texts;
    for (std::int64_t i = 0; i < count; ++i) {
        texts.push_back(random_translation(fewest, most, random));
    }
    return texts;
}

Corpus::Corpus(std::vector<Translation> texts, Languages languages)
    : texts_(std::move(texts)), languages_(std::move(languages)) {
    if (texts_.empty()) throw std::invalid_argument("Corpus: there are no texts");
    std::stable_sort(texts_.begin(), texts_.end(), [](const Translation& a, const Translation& b) {
        return a.spanish.size() < b.spanish.size();
    });
}

Pairs Corpus::batch(std::int64_t B, Random& random) const {
    const std::int64_t all = static_cast<std::int64_t>(texts_.size());
    const std::int64_t taken = std::min(B, all);
    const auto first = texts_.begin() + random.below(all - taken + 1);
    return pairs_of({first, first + taken}, languages_);
}

std::vector<std::string> words_of_ids(const std::vector<std::int64_t>& ids,
                                      const std::vector<std::string>& words) {
    std::vector<std::string> text;
    for (const std::int64_t id : ids) text.push_back(words[static_cast<std::size_t>(id)]);
    return text;
}

std::string text_of(const std::vector<std::int64_t>& ids, const std::vector<std::string>& words) {
    return text_of_words(words_of_ids(ids, words));
}

std::string text_of_words(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
    return text;
}

double right_share(const Sentences& said, const Pairs& pairs) {
    double right = 0;
    for (std::size_t b = 0; b < said.size(); ++b) right += said[b] == right_words(pairs, b);
    return right / static_cast<double>(said.size());
}

double aligned_share(const Tensor& weights, const Pairs& pairs) {
    const IndexTensor looked_at = tensor::argmax(weights, -1);  // [B, T - 1]
    double right = 0, words = 0;
    for (std::int64_t b = 0; b < weights.dim(0); ++b) {
        const std::vector<std::int64_t>& source = pairs.texts[static_cast<std::size_t>(b)].source;
        for (std::size_t j = 0; j < source.size(); ++j, ++words) {
            right += looked_at(b, static_cast<std::int64_t>(j)) == source[j];
        }
    }
    return right / words;
}
