// A tokenizer.json: its model, its vocabulary and merges, and its steps: normalizers,
// pre-tokenizers, post-processors, decoders; and which of the three models they describe, and that
// they ask for nothing else.
#include "byte_fallback_bpe.h"
#include "byte_level_bpe.h"
#include "tokenizer_files.h"
#include "word_pieces.h"

#include <algorithm>

namespace heed { inline namespace HEED_PRECISION {
namespace {
class TokenizerJson {
  public:
    // Keeps references to both.
    TokenizerJson(const Json& json, const CallSite& site) : json_(json), site_(site) {}

    template <class... Parts>
    [[noreturn]] void refuse(const Parts&... parts) const {
        refuse_file(json_.file(), site_, parts...);
    }
    [[noreturn]] void refuse_step(const char* what, const std::string& type,
                                  const std::string& why = "") const {
        refuse("the ", what, " ", in_quotes(type), why.empty() ? "" : " with ", why,
               " is not supported");
    }

    static std::string type_of(const Json& step) { return step.at("type").string("type"); }
    struct Step {
        std::string type;
        const Json& json;
    };
    // The steps of "normalizer" and so on; a Sequence has them in its member `list`.
    std::vector<Step> steps(const char* what, const char* list) const;

    const Json& model() const { return json_.at("model"); }
    std::string model_type() const;
    std::shared_ptr<const Vocabulary> vocabulary() const;
    std::vector<Merge> merges(const Vocabulary& vocabulary) const;
    // Where the post-processor puts special tokens, as ids of parts.vocabulary.
    void add_templates(TokenizerParts& parts) const;

    const std::string& name() const { return json_.file(); }
    const CallSite& site() const { return site_; }

    // The values with which settings of the same names in tokenizer_config.json must agree.
    std::map<std::string, bool> settings;

  private:
    std::int64_t known_id(const Json& id, const Vocabulary& vocabulary) const;
    std::vector<TemplateToken> pattern(const Json& processor, const std::string& name,
                                       const Vocabulary& vocabulary) const;

    const Json& json_;
    const CallSite& site_;
};

void add_steps(const Json& step, const char* list, std::vector<TokenizerJson::Step>& found) {
    if (step.is_null()) return;
    const std::string type = TokenizerJson::type_of(step);
    if (type != "Sequence") return found.push_back({type, step});
    for (const Json& one : step.at(list).items(list)) add_steps(one, list, found);
}

std::vector<TokenizerJson::Step> TokenizerJson::steps(const char* what, const char* list) const {
    std::vector<Step> found;
    if (const Json* const step = json_.find(what)) add_steps(*step, list, found);
    return found;
}

std::string TokenizerJson::model_type() const {
    // Old files have no type; only BPE has merges, and only WordPiece has all the other settings.
    if (model().find("type")) return type_of(model());
    if (model().find("merges")) return "BPE";
    for (const char* name :
         {"unk_token", "continuing_subword_prefix", "max_input_chars_per_word"}) {
        if (!model().find(name)) refuse("the model has neither \"type\" nor ", in_quotes(name));
    }
    return "WordPiece";
}

std::shared_ptr<const Vocabulary> TokenizerJson::vocabulary() const {
    const bool is_normalized = !steps("normalizer", "normalizers").empty();
    std::vector<AddedToken> added;
    if (const Json* const list = json_.find("added_tokens")) {
        for (const Json& one : list->items("added_tokens")) {
            added.push_back(added_token(one, one.at("id").whole("id"), site_));
            if (is_normalized) refuse_normalized(added.back(), json_.file(), site_);
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
            list.add(merge.string(place), place);
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
    const auto is_text = [](const TemplateToken& one) { return one.id < 0; };
    if (std::none_of(made.begin(), made.end(), is_text)) {
        refuse("the post-processor's ", in_quotes(name), " has no text");
    }
    return made;
}

void TokenizerJson::add_templates(TokenizerParts& parts) const {
    bool is_there = false;
    for (const Step& step : steps("post_processor", "processors")) {
        const std::string& type = step.type;
        if (type == "ByteLevel") continue;  // changes only where tokens are said to be
        if (is_there) refuse_step("post-processor", type, "another before it");
        is_there = true;
        if (type == "TemplateProcessing") {
            parts.one_text = pattern(step.json, "single", *parts.vocabulary);
            parts.two_texts = pattern(step.json, "pair", *parts.vocabulary);
        } else if (type == "BertProcessing" || type == "RobertaProcessing") {
            const auto id = [&](const char* name) {
                const std::vector<Json>& pair = step.json.at(name).items(name);
                if (pair.size() != 2)
                    refuse("the post-processor's ", in_quotes(name), " is no pair");
                return known_id(pair[1], *parts.vocabulary);
            };
            const std::int64_t cls = id("cls"), sep = id("sep");
            use_bert_templates(parts, cls, sep);
            if (type == "RobertaProcessing") {
                constexpr std::int64_t A = TemplateToken::first_text;
                constexpr std::int64_t B = TemplateToken::second_text;
                parts.two_texts = {{cls, 0}, {A, 0}, {sep, 0}, {sep, 0}, {B, 0}, {sep, 0}};
            }
        } else {
            refuse_step("post-processor", type);
        }
    }
}

const std::string blank_letter = "▁";

// "pattern": {"Regex": "..."} or {"String": "..."}
std::string pattern_text(const Json& step, const char* kind) {
    return step.at("pattern").string_or(kind, "");
}

void read_split(const TokenizerJson& file, const Json& step, ByteLevelOptions& options) {
    const std::string pattern = pattern_text(step, "Regex");
    for (const TextSplit split : {TextSplit::gpt2, TextSplit::llama3, TextSplit::qwen2}) {
        if (pattern != pattern_of(split)) continue;
        options.split = split;
        // All characters of a text are in matches, so there is nothing to remove between them.
        const std::string behavior = step.string_or("behavior", "");
        const bool inverts = step.is_true("invert", false);
        if (behavior != "Isolated" && !(behavior == "Removed" && inverts)) {
            file.refuse_step("pre-tokenizer", "Split",
                             text("behavior ", in_quotes(behavior), inverts ? " and invert" : ""));
        }
        return;
    }
    file.refuse_step("pre-tokenizer", "Split", "the pattern " + in_quotes(pattern));
}

ByteLevelOptions byte_level_options(TokenizerJson& file) {
    ByteLevelOptions options{.known_words_first = file.model().is_true("ignore_merges", false)};
    for (const auto& [type, step] : file.steps("normalizer", "normalizers")) {
        if (type != "NFC") file.refuse_step("normalizer", type);
        options.composed = true;
    }
    bool is_split = false, is_in_letters = false;
    for (const auto& [type, step] : file.steps("pre_tokenizer", "pretokenizers")) {
        if (type == "Digits" && !is_split) {
            const bool are_apart = step.is_true("individual_digits", false);
            options.digits =
                std::max(options.digits, are_apart ? DigitSplit::each : DigitSplit::runs);
        } else if (type == "Split" && !is_split) {
            read_split(file, step, options);
            is_split = true;
        } else if (type == "ByteLevel" && !is_in_letters) {
            is_in_letters = true;
            if (step.is_true("use_regex", true) == is_split) {
                file.refuse_step("pre-tokenizer", type,
                                 is_split ? "use_regex after another pattern"
                                          : "use_regex false and no pattern");
            }
            options.prefix_space = step.at("add_prefix_space").boolean("add_prefix_space");
            if (options.prefix_space && (is_split || options.digits != DigitSplit::none)) {
                file.refuse_step("pre-tokenizer", type, "add_prefix_space after another step");
            }
            is_split = true;
        } else {
            file.refuse_step("pre-tokenizer", type, is_split ? "another before it" : "");
        }
    }
    for (const auto& [type, step] : file.steps("decoder", "decoders")) {
        if (type != "ByteLevel") file.refuse_step("decoder", type, "byte-level BPE");
    }
    file.settings["add_prefix_space"] = options.prefix_space;
    return options;
}

// The prepend_scheme of Metaspace.
BlankBefore blank_before(const TokenizerJson& file, const Json& step) {
    const std::string scheme = step.string_or("prepend_scheme", "always");
    if (!step.is_true("add_prefix_space", true) && scheme != "never") {
        file.refuse_step("pre-tokenizer", "Metaspace",
                         "add_prefix_space false and prepend_scheme " + in_quotes(scheme));
    }
    if (scheme == "never") return BlankBefore::never;
    if (scheme == "first") return BlankBefore::first;
    if (scheme == "always") return BlankBefore::each;
    file.refuse_step("pre-tokenizer", "Metaspace", "prepend_scheme " + in_quotes(scheme));
}

// Prepend ▁, and Replace " " by ▁; or, in newer files, Metaspace.
ByteFallbackOptions byte_fallback_options(TokenizerJson& file) {
    ByteFallbackOptions options{.blank = BlankBefore::never, .leaves_it_out = false};
    bool replaces = false;
    for (const auto& [type, step] : file.steps("normalizer", "normalizers")) {
        if (type == "Prepend" && step.string_or("prepend", "") == blank_letter &&
            options.blank == BlankBefore::never) {
            options.blank = BlankBefore::each;
        } else if (type == "Replace" && pattern_text(step, "String") == " " &&
                   step.string_or("content", "") == blank_letter) {
            replaces = true;
        } else {
            file.refuse_step("normalizer", type, "byte fallback");
        }
    }
    for (const auto& [type, step] : file.steps("pre_tokenizer", "pretokenizers")) {
        if (type != "Metaspace" || replaces || options.blank != BlankBefore::never ||
            step.string_or("replacement", "") != blank_letter) {
            file.refuse_step("pre-tokenizer", type, "byte fallback");
        }
        if (step.is_true("split", true)) file.refuse_step("pre-tokenizer", type, "split");
        options.blank = blank_before(file, step);
        options.unless_there = true;
        replaces = true;
    }
    file.settings["add_prefix_space"] = options.blank != BlankBefore::never;
    if (!replaces) file.refuse("byte fallback without ▁ for blanks is not supported");
    std::string decoders;
    for (const auto& [type, step] : file.steps("decoder", "decoders")) {
        decoders += (decoders.empty() ? "" : " ") + type;
        const std::string content = step.string_or("content", "");
        if (type == "Strip") {
            options.leaves_it_out = true;
            if (content != " " || step.whole_or("start", 0) != 1 || step.whole_or("stop", 0) != 0) {
                file.refuse_step("decoder", type, "other than one blank at the beginning");
            }
        }
        if (type == "Replace" && (content != " " || pattern_text(step, "String") != blank_letter)) {
            file.refuse_step("decoder", type, "other than ▁ by a blank");
        }
    }
    if (decoders != "Replace ByteFallback Fuse" && decoders != "Replace ByteFallback Fuse Strip") {
        file.refuse_step("decoder", decoders, "byte fallback");
    }
    return options;
}

WordPieceOptions word_piece_options(TokenizerJson& file) {
    WordPieceOptions options{.lower_case = false,
                             .strip_accents = false,
                             .clean = false,
                             .cjk_apart = false,
                             .joins_marks = false};
    bool is_there = false;
    for (const auto& [type, step] : file.steps("normalizer", "normalizers")) {
        if (type != "BertNormalizer" || is_there) {
            file.refuse_step("normalizer", type, is_there ? "another before it" : "");
        }
        is_there = true;
        options.lower_case = step.is_true("lowercase", true);
        options.strip_accents = step.is_true("strip_accents", options.lower_case);
        options.clean = step.is_true("clean_text", true);
        options.cjk_apart = step.is_true("handle_chinese_chars", true);
    }
    file.settings["do_lower_case"] = options.lower_case;
    file.settings["strip_accents"] = options.strip_accents;
    file.settings["tokenize_chinese_chars"] = options.cjk_apart;
    const std::vector<TokenizerJson::Step> pre_tokenizers =
        file.steps("pre_tokenizer", "pretokenizers");
    if (pre_tokenizers.empty()) file.refuse("WordPiece without a pre-tokenizer is not supported");
    for (const auto& [type, step] : pre_tokenizers) {
        if (type != "BertPreTokenizer") file.refuse_step("pre-tokenizer", type);
    }
    const Json& model = file.model();
    options.continues = model.string_or("continuing_subword_prefix", "##");
    options.unknown = model.string_or("unk_token", "[UNK]");
    if (const Json* const most = model.find("max_input_chars_per_word")) {
        options.longest_word = most->whole("max_input_chars_per_word");
    }
    for (const auto& [type, step] : file.steps("decoder", "decoders")) {
        if (type != "WordPiece" || step.string_or("prefix", "##") != options.continues) {
            file.refuse_step("decoder", type, "WordPiece");
        }
        options.joins_marks = step.is_true("cleanup", true);
    }
    return options;
}

std::shared_ptr<const TokenModel> bpe(TokenizerJson& file,
                                      const std::shared_ptr<const Vocabulary>& vocabulary) {
    const Json& model = file.model();
    for (const char* name : {"continuing_subword_prefix", "end_of_word_suffix"}) {
        if (!model.string_or(name, "").empty()) {
            file.refuse("BPE with ", in_quotes(name), " is not supported");
        }
    }
    if (model.number_or("dropout", 0) != 0) file.refuse("BPE with \"dropout\" is not supported");
    const std::vector<Merge> merges = file.merges(*vocabulary);
    if (model.is_true("byte_fallback", false)) {
        if (model.is_true("ignore_merges", false)) {
            file.refuse("byte fallback with \"ignore_merges\" is not supported");
        }
        return std::make_shared<const ByteFallbackBpe>(
            vocabulary, merges, byte_fallback_options(file), file.name(), file.site());
    }
    return std::make_shared<const ByteLevelBpe>(vocabulary, merges, byte_level_options(file),
                                                file.name(), file.site());
}

bool is_byte_level(const TokenizerJson& file) {
    for (const auto& [type, step] : file.steps("pre_tokenizer", "pretokenizers")) {
        if (type == "ByteLevel") return true;
    }
    return false;
}

}  // namespace

TokenizerJsonParts tokenizer_json_parts(const std::string& path, const CallSite& site) {
    const Json json = read_json(path, site);
    TokenizerJson file(json, site);
    const std::string type = file.model_type();
    if (type != "BPE" && type != "WordPiece") {
        file.refuse("the model ", in_quotes(type), " is not supported; BPE and WordPiece are");
    }
    const bool byte_level = is_byte_level(file);
    if (type == "BPE" && byte_level == file.model().is_true("byte_fallback", false)) {
        file.refuse("BPE must have either the pre-tokenizer \"ByteLevel\" or byte_fallback; this "
                    "has ",
                    byte_level ? "both" : "none");
    }
    TokenizerParts parts;
    parts.vocabulary = file.vocabulary();
    if (type == "BPE") {
        parts.model = bpe(file, parts.vocabulary);
    } else {
        parts.model = std::make_shared<const WordPieces>(parts.vocabulary, word_piece_options(file),
                                                         path, site);
    }
    file.add_templates(parts);
    if (type == "BPE") {
        file.settings["add_bos_token"] = parts.one_text.front().id >= 0;
        file.settings["add_eos_token"] = parts.one_text.back().id >= 0;
    }
    return {parts, file.settings};
}

}}  // namespace heed
