#include "tokenizer_files.h"

namespace heed { inline namespace HEED_PRECISION {

std::vector<std::pair<std::string, std::int64_t>> tokens_of(const Json& vocabulary) {
    std::vector<std::pair<std::string, std::int64_t>> tokens;
    for (const auto& [token, id] : vocabulary.members("vocab")) {
        tokens.emplace_back(token, id.whole(token));
    }
    return tokens;
}

AddedToken added_token(const Json& json, std::int64_t id, const CallSite& site) {
    const std::string& content = json.at("content").string("content");
    if (json.is_true("single_word", false)) {
        refuse_file(json.file(), site, "the added token ", in_quotes(content),
                    " asks for single_word, which is not supported");
    }
    const bool is_special = json.is_true("special", false);
    return {.content = content,
            .id = id,
            .is_special = is_special,
            .strips_left = json.is_true("lstrip", false),
            .strips_right = json.is_true("rstrip", false),
            .is_normalized = json.is_true("normalized", !is_special)};
}

void refuse_normalized(const AddedToken& token, const std::string& file, const CallSite& site) {
    if (!token.is_normalized) return;
    refuse_file(file, site, "the added token ", in_quotes(token.content),
                " is to be looked for in the normalized text, which is not supported");
}

void use_bert_templates(TokenizerParts& parts, std::int64_t cls, std::int64_t sep) {
    constexpr std::int64_t A = TemplateToken::first_text, B = TemplateToken::second_text;
    parts.one_text = {{cls, 0}, {A, 0}, {sep, 0}};
    parts.two_texts = {{cls, 0}, {A, 0}, {sep, 0}, {B, 1}, {sep, 1}};
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

void MergeList::add(std::string_view both, const std::string& place) {
    const std::size_t at = both.find(' ');
    if (at == both.npos || both.find(' ', at + 1) != both.npos) {
        refuse_file(file_, site_, place, " is ", in_quotes(both),
                    "; it must be two tokens and a blank");
    }
    add(both.substr(0, at), both.substr(at + 1), place);
}

}}  // namespace heed
