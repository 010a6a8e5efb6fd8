// TokenModel: how a text becomes tokens, and tokens a text; one class for each of the three ways.
// Tokenizer (tokenizer.h) holds one, and does what they have in common.
#pragma once

#include "vocabulary.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace heed { inline namespace HEED_PRECISION {

class TokenModel {
  public:
    virtual ~TokenModel() = default;
    // "byte-level BPE"
    virtual const char* kind() const = 0;
    // Appends the ids of a text that is not empty and has no added tokens; `is_first`: it begins
    // the whole text.
    virtual void encode(std::string_view text, bool is_first,
                        std::vector<std::int64_t>& ids) const = 0;
    // Appends what a token stands for; `is_first`: nothing of the text has been written yet.
    virtual void decode(std::int64_t id, bool is_first, std::string& text) const = 0;
};

// The words of one text with their ids: most words of a text are there again and again.
class KnownWords {
  public:
    explicit KnownWords(std::vector<std::int64_t>& ids) : ids_(ids) {}

    // Appends the ids of the word, which `append()` appends if it is new. The word's letters must
    // stay where they are.
    template <class Append>
    void encode(std::string_view word, const Append& append) {
        const auto known = places_.find(word);
        const std::size_t begin = ids_.size();
        if (known == places_.end()) {
            append();
            if (places_.size() < most) places_.emplace(word, Place{begin, ids_.size()});
            return;
        }
        for (std::size_t i = known->second.begin; i < known->second.end; ++i) {
            ids_.push_back(ids_[i]);
        }
    }

  private:
    static constexpr std::size_t most = 1'000'000;  // so that memory does not grow without end
    struct Place {
        std::size_t begin, end;
    };
    std::vector<std::int64_t>& ids_;
    std::unordered_map<std::string_view, Place> places_;
};

}}  // namespace heed
