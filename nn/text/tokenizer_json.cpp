#include "tokenizer_json.h"

namespace heed { inline namespace HEED_PRECISION {
namespace {
void add_steps(const Json& step, const char* list, std::vector<const Json*>& found) {
    if (step.is_null()) return;
    if (TokenizerJson::type_of(step) != "Sequence") {
        found.push_back(&step);
        return;
    }
    for (const Json& one : step.at(list).items(list)) add_steps(one, list, found);
}
}  // namespace

std::vector<const Json*> TokenizerJson::steps(const char* what, const char* list) const {
    std::vector<const Json*> found;
    if (const Json* const step = json_.find(what)) add_steps(*step, list, found);
    return found;
}

std::string TokenizerJson::model_type() const {
    // Old files do not say it; only BPE has merges.
    if (model().find("type")) return type_of(model());
    return model().find("merges") ? "BPE" : "WordPiece";
}

std::shared_ptr<const Vocabulary> TokenizerJson::vocabulary(bool is_normalized) const {
    std::vector<AddedToken> added;
    if (const Json* const list = json_.find("added_tokens")) {
        for (const Json& one : list->items("added_tokens")) {
            added.push_back(added_token(one, one.at("id").whole("id"), site_));
            if (is_normalized && is_true(one, "normalized", false) && !added.back().is_special) {
                refuse("the added token ", in_quotes(added.back().content),
                       " is to be looked for in the normalized text, which is not supported");
            }
        }
    }
    return std::make_shared<const Vocabulary>(tokens_of(model().at("vocab")), added, json_.file(),
                                              site_);
}

std::vector<Merge> TokenizerJson::merges(const Vocabulary& vocabulary) const {
    MergeList list(vocabulary, json_.file(), site_);
    std::size_t number = 0;
    for (const Json& merge : model().at("merges").items("merges")) {
        const std::string place = text("merge ", number++);
        if (merge.is_string()) {
            const std::string& both = merge.string(place);
            const std::size_t at = both.find(' ');
            if (at == both.npos || both.find(' ', at + 1) != both.npos) {
                refuse(place, " is ", in_quotes(both), "; it must be two tokens and a blank");
            }
            list.add(std::string_view(both).substr(0, at), std::string_view(both).substr(at + 1),
                     place);
            continue;
        }
        const std::vector<Json>& both = merge.items(place);
        if (both.size() != 2) refuse(place, " has ", both.size(), " tokens instead of two");
        list.add(both[0].string(place), both[1].string(place), place);
    }
    return list.merges();
}

std::int64_t TokenizerJson::known_id(const Json& id, const Vocabulary& vocabulary) const {
    const std::int64_t its = id.whole("id");
    if (its < 0 || its >= vocabulary.size()) {
        refuse("the post-processor adds the id ", its, ", which no token has");
    }
    return its;
}

// {"single": [{"SpecialToken": {"id": "[CLS]", "type_id": 0}}, {"Sequence": {"id": "A", ...}},
// ...]}
std::vector<TemplateToken> TokenizerJson::pattern(const Json& processor, const std::string& name,
                                                  const Vocabulary& vocabulary) const {
    std::vector<TemplateToken> made;
    for (const Json& step : processor.at(name).items(name)) {
        const Json* const special = step.find("SpecialToken");
        const Json& its = special ? *special : step.at("Sequence");
        const std::string& id = its.at("id").string("id");
        const std::int64_t type = its.at("type_id").whole("type_id");
        if (!special) {
            if (id != "A" && (id != "B" || name == "single")) {
                refuse("the post-processor's ", in_quotes(name), " asks for the text ",
                       in_quotes(id));
            }
            made.push_back(
                {id == "A" ? TemplateToken::first_text : TemplateToken::second_text, type});
            continue;
        }
        for (const Json& one : processor.at("special_tokens").at(id).at("ids").items("ids")) {
            made.push_back({known_id(one, vocabulary), type});
        }
    }
    return made;
}

void TokenizerJson::add_templates(TokenizerParts& parts) const {
    constexpr std::int64_t A = TemplateToken::first_text, B = TemplateToken::second_text;
    parts.one_text = {{A, 0}};
    parts.two_texts = {{A, 0}, {B, 1}};
    for (const Json* const step : steps("post_processor", "processors")) {
        const std::string type = type_of(*step);
        if (type == "ByteLevel") continue;  // changes only where tokens are said to be
        if (type == "TemplateProcessing") {
            parts.one_text = pattern(*step, "single", *parts.vocabulary);
            parts.two_texts = pattern(*step, "pair", *parts.vocabulary);
        } else if (type == "BertProcessing" || type == "RobertaProcessing") {
            const auto id = [&](const char* name) {
                const std::vector<Json>& pair = step->at(name).items(name);
                if (pair.size() != 2)
                    refuse("the post-processor's ", in_quotes(name), " is no pair");
                return known_id(pair[1], *parts.vocabulary);
            };
            const std::int64_t cls = id("cls"), sep = id("sep");
            parts.one_text = {{cls, 0}, {A, 0}, {sep, 0}};
            parts.two_texts = {{cls, 0}, {A, 0}, {sep, 0}, {B, 1}, {sep, 1}};
            if (type == "RobertaProcessing") {
                parts.two_texts = {{cls, 0}, {A, 0}, {sep, 0}, {sep, 0}, {B, 0}, {sep, 0}};
            }
        } else {
            refuse_step("post-processor", type);
        }
    }
}

}}  // namespace heed
