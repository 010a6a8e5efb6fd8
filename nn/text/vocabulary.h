// Vocabulary: the tokens of a tokenizer, in the order of their ids, and each one's id.
#pragma once

#include "../../tensor/call_site.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace heed { inline namespace HEED_PRECISION {

// A token that a tokenizer has besides what its model makes: [CLS], <s>, or a word a user added.
struct AddedToken {
    std::string content;
    std::int64_t id = 0;
    bool is_special = true;     // recognised in a text only when asked for, left out when asked for
    bool strips_left = false;   // takes the white space before it
    bool strips_right = false;  // and after it
    bool is_normalized = false;  // looked for in the normalized text, after the others

    bool operator==(const AddedToken&) const = default;
};

class Vocabulary {
  public:
    // Takes tokens with their ids, in any order, and the added ones, which may be among them.
    // Errors (std::runtime_error, with the file): no tokens; two with one id, or one with two ids;
    // ids that are not 0, 1, 2 ... without holes.
    Vocabulary(const std::vector<std::pair<std::string, std::int64_t>>& tokens,
               const std::vector<AddedToken>& added, const std::string& file, const CallSite& site);
    Vocabulary(const Vocabulary&) = delete;

    std::int64_t size() const { return static_cast<std::int64_t>(tokens_.size()); }
    const std::string& token(std::int64_t id) const {
        return tokens_[static_cast<std::size_t>(id)];
    }
    std::optional<std::int64_t> find(std::string_view token) const;
    // The id of a token that there must be. Error: there is none (std::runtime_error, which says
    // `what_for`).
    std::int64_t needed(const std::string& token, const std::string& what_for,
                        const std::string& file, const CallSite& site) const;
    const std::vector<AddedToken>& added() const { return added_; }
    // The added token of this id, or null.
    const AddedToken* added(std::int64_t id) const;

  private:
    std::vector<std::string> tokens_;
    std::unordered_map<std::string_view, std::int64_t> ids_;  // of what tokens_ has
    std::vector<AddedToken> added_;                           // in the order of their ids
};

}}  // namespace heed
