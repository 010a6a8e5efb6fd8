#include "tutorials/13_pairs.h"

#include "heed/nn/training/sequence_pairs.h"
#include "heed/tensor/ops.h"

#include <algorithm>

using namespace heed;

namespace {

std::int64_t id_in(const std::vector<std::string>& words, const std::string& word) {
    return std::find(words.begin(), words.end(), word) - words.begin();
}

std::vector<std::int64_t> ids_of(const std::vector<std::string>& text,
                                 const std::vector<std::string>& words) {
    std::vector<std::int64_t> ids;
    for (const std::string& word : text) ids.push_back(id_in(words, word));
    return ids;
}

}  // namespace

Pairs random_pairs(std::int64_t B, std::int64_t fewest, std::int64_t most, Random& random) {
    Pairs pairs;
    std::vector<IndexTensor> sources, targets;
    for (std::int64_t b = 0; b < B; ++b) {
        const Translation text = random_translation(fewest, most, random);
        std::vector<std::int64_t> source = ids_of(text.spanish, spanish_words());
        std::vector<std::int64_t> target = ids_of(text.english, english_words());
        source.push_back(end);
        target.insert(target.begin(), begin);
        target.push_back(end);
        sources.push_back(IndexTensor(source));
        targets.push_back(IndexTensor(target));
        pairs.texts.push_back(text);
    }
    pairs.spanish = pad_sequences(sources, padding);
    pairs.english = pad_sequences(targets, padding);
    return pairs;
}

std::string english_text(const std::vector<std::int64_t>& ids) {
    std::string text;
    for (const std::int64_t id : ids) {
        text += (text.empty() ? "" : " ") + english_words()[static_cast<std::size_t>(id)];
    }
    return text;
}

double right_share(const Sentences& said, const Pairs& pairs) {
    double right = 0;
    for (std::size_t b = 0; b < said.size(); ++b) {
        right += said[b] == ids_of(pairs.texts[b].english, english_words());
    }
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
