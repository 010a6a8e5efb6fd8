#include "vocabulary.h"

#include "../../tensor/errors.h"
#include "../../tensor/quote.h"

#include <algorithm>

namespace heed { inline namespace HEED_PRECISION {

Vocabulary::Vocabulary(const std::vector<std::pair<std::string, std::int64_t>>& tokens,
                       const std::vector<AddedToken>& added, const std::string& file,
                       const CallSite& site)
    : added_(added) {
    const auto refuse = [&](const auto&... problem) {
        fail_runtime("load_tokenizer", site, in_quotes(file), ": ", problem...);
    };
    std::vector<std::pair<std::int64_t, std::string>> all;
    for (const auto& [token, id] : tokens) all.emplace_back(id, token);
    for (const AddedToken& one : added) all.emplace_back(one.id, one.content);
    if (all.empty()) refuse("the vocabulary is empty");
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    tokens_.reserve(all.size());
    for (auto& [id, token] : all) {
        if (id < 0) refuse("the token ", in_quotes(token), " has the id ", id, "; ids begin at 0");
        if (id == size() - 1) {
            refuse("the tokens ", in_quotes(tokens_.back()), " and ", in_quotes(token),
                   " have the same id, ", id);
        }
        if (id != size()) {
            refuse("the token ", in_quotes(token), " has the id ", id, ", but no token has the id ",
                   size(), "; ids must be 0, 1, 2 and so on");
        }
        tokens_.push_back(std::move(token));
    }
    for (const std::string& token : tokens_) {
        const std::int64_t id = static_cast<std::int64_t>(ids_.size());
        const auto [known, is_new] = ids_.emplace(token, id);
        if (!is_new) {
            refuse("the token ", in_quotes(token), " has two ids, ", known->second, " and ", id);
        }
    }
    std::sort(added_.begin(), added_.end(),
              [](const AddedToken& a, const AddedToken& b) { return a.id < b.id; });
}

std::optional<std::int64_t> Vocabulary::find(std::string_view token) const {
    const auto found = ids_.find(token);
    if (found == ids_.end()) return std::nullopt;
    return found->second;
}

std::int64_t Vocabulary::needed(const std::string& token, const std::string& what_for,
                                const std::string& file, const CallSite& site) const {
    if (const std::optional<std::int64_t> id = find(token)) return *id;
    fail_runtime("load_tokenizer", site, in_quotes(file), ": the vocabulary lacks ",
                 in_quotes(token), what_for);
}

const AddedToken* Vocabulary::added(std::int64_t id) const {
    const auto found =
        std::lower_bound(added_.begin(), added_.end(), id,
                         [](const AddedToken& one, std::int64_t its) { return one.id < its; });
    return found != added_.end() && found->id == id ? &*found : nullptr;
}

}}  // namespace heed
