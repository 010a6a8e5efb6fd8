#include "added_tokens.h"

#include "../../tensor/quote.h"
#include "unicode.h"

#include <algorithm>
#include <set>
#include <unordered_map>

namespace heed { inline namespace HEED_PRECISION {
namespace {
bool is_space(std::string_view text, std::size_t at) {
    const CodePoint point = code_point_at(text, at);
    return point.is_valid && class_of(point.code) == CharacterClass::space;
}

std::size_t after_spaces(std::string_view text, std::size_t at) {
    while (at < text.size() && is_space(text, at)) at += code_point_at(text, at).bytes;
    return at;
}

std::size_t before_spaces(std::string_view text, std::size_t begin, std::size_t end) {
    while (end > begin) {
        std::size_t last = end - 1;
        while (last > begin && (static_cast<unsigned char>(text[last]) & 0xC0) == 0x80) --last;
        if (!is_space(text, last)) break;
        end = last;
    }
    return end;
}

// Finds tokens by their length and content.
class Search {
  public:
    Search(const Vocabulary& vocabulary, bool special_too) {
        for (const AddedToken& one : vocabulary.added()) {
            if (one.content.empty() || (one.is_special && !special_too)) continue;
            tokens_.emplace(one.content, &one);
            lengths_.insert(one.content.size());
            begins_[static_cast<unsigned char>(one.content[0])] = true;
        }
    }

    bool is_empty() const { return tokens_.empty(); }

    // The longest token at this place, or null.
    const AddedToken* at(std::string_view text, std::size_t place) const {
        if (!begins_[static_cast<unsigned char>(text[place])]) return nullptr;
        for (auto length = lengths_.rbegin(); length != lengths_.rend(); ++length) {
            if (*length > text.size() - place) continue;
            const auto found = tokens_.find(text.substr(place, *length));
            if (found != tokens_.end()) return found->second;
        }
        return nullptr;
    }

  private:
    std::unordered_map<std::string_view, const AddedToken*> tokens_;
    std::set<std::size_t> lengths_;
    bool begins_[256] = {};
};

}  // namespace

void cut_at_added_tokens(std::string_view whole, const Vocabulary& vocabulary, bool special_too,
                         const std::function<void(std::string_view, bool is_first)>& text,
                         const std::function<void(std::int64_t)>& token) {
    const Search search(vocabulary, special_too);
    std::size_t begin = 0;
    for (std::size_t at = 0; at < whole.size() && !search.is_empty();) {
        const AddedToken* const found = search.at(whole, at);
        if (!found) {
            ++at;
            continue;
        }
        const std::size_t end = found->strips_left ? before_spaces(whole, begin, at) : at;
        if (end > begin) text(whole.substr(begin, end - begin), begin == 0);
        token(found->id);
        at += found->content.size();
        if (found->strips_right) at = after_spaces(whole, at);
        begin = at;
    }
    if (begin < whole.size()) text(whole.substr(begin), begin == 0);
}

}}  // namespace heed
