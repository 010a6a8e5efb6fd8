#include "tokenizer_files.h"

namespace heed { inline namespace HEED_PRECISION {
namespace {
const Json* given(const Json& json, const std::string& name) {
    const Json* const found = json.find(name);
    return found && !found->is_null() ? found : nullptr;
}

}  // namespace

bool is_true(const Json& json, const std::string& name, bool otherwise) {
    const Json* const found = given(json, name);
    return found ? found->boolean(name) : otherwise;
}

std::string string_or(const Json& json, const std::string& name, const std::string& otherwise) {
    const Json* const found = given(json, name);
    return found ? found->string(name) : otherwise;
}

std::vector<std::pair<std::string, std::int64_t>> tokens_of(const Json& vocabulary) {
    std::vector<std::pair<std::string, std::int64_t>> tokens;
    for (const auto& [token, id] : vocabulary.members("vocab")) {
        tokens.emplace_back(token, id.whole(token));
    }
    return tokens;
}

AddedToken added_token(const Json& json, std::int64_t id, const CallSite& site) {
    const std::string& content = json.at("content").string("content");
    if (is_true(json, "single_word", false)) {
        refuse_file(json.file(), site, "the added token ", in_quotes(content),
                    " asks for single_word, which is not supported");
    }
    return {.content = content,
            .id = id,
            .is_special = is_true(json, "special", false),
            .strips_left = is_true(json, "lstrip", false),
            .strips_right = is_true(json, "rstrip", false)};
}

void MergeList::add(std::string_view left, std::string_view right, const std::string& place) {
    const std::string both = std::string(left) + std::string(right);
    Merge merge{};
    for (const auto& [token, id] : {std::pair(left, &merge.left), std::pair(right, &merge.right),
                                    std::pair(std::string_view(both), &merge.both)}) {
        const std::optional<std::int64_t> found = vocabulary_.find(token);
        if (!found) {
            refuse_file(file_, site_, place, " joins ", in_quotes(left), " and ", in_quotes(right),
                        ", but the vocabulary lacks ", in_quotes(token));
        }
        *id = *found;
    }
    const std::uint64_t key =
        static_cast<std::uint64_t>(merge.left) << 32 | static_cast<std::uint64_t>(merge.right);
    const auto [known, is_new] = places_.emplace(key, place);
    if (!is_new) {
        refuse_file(file_, site_, place, " joins ", in_quotes(left), " and ", in_quotes(right),
                    ", which ", known->second, " joins already");
    }
    merges_.push_back(merge);
}

}}  // namespace heed
