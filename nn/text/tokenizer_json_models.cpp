// tokenizer.json: which of the three models it describes, and that it asks for nothing else.
#include "byte_fallback_bpe.h"
#include "byte_level_bpe.h"
#include "tokenizer_json.h"
#include "word_pieces.h"

namespace heed { inline namespace HEED_PRECISION {
namespace {
const std::string blank_letter = "▁";

// "pattern": {"Regex": "..."} or {"String": "..."}
std::string pattern_text(const Json& step, const char* kind) {
    return string_or(step.at("pattern"), kind, "");
}

void read_split(const TokenizerJson& file, const Json& step, ByteLevelOptions& options) {
    const std::string pattern = pattern_text(step, "Regex");
    for (const TextSplit split : {TextSplit::gpt2, TextSplit::llama3, TextSplit::qwen2}) {
        if (pattern != pattern_of(split)) continue;
        options.split = split;
        const std::string behavior = string_or(step, "behavior", "");
        if (behavior != "Isolated" || is_true(step, "invert", false)) {
            file.refuse_step("pre-tokenizer", "Split", "behavior " + in_quotes(behavior));
        }
        return;
    }
    file.refuse_step("pre-tokenizer", "Split", "the pattern " + in_quotes(pattern));
}

ByteLevelOptions byte_level_options(const TokenizerJson& file) {
    ByteLevelOptions options{.known_words_first = is_true(file.model(), "ignore_merges", false)};
    for (const Json* const step : file.steps("normalizer", "normalizers")) {
        const std::string type = TokenizerJson::type_of(*step);
        if (type != "NFC") file.refuse_step("normalizer", type);
        options.composed = true;
    }
    bool is_split = false;
    for (const Json* const step : file.steps("pre_tokenizer", "pretokenizers")) {
        const std::string type = TokenizerJson::type_of(*step);
        if (type == "Digits" && !is_split) {
            options.digits =
                is_true(*step, "individual_digits", false) ? DigitSplit::each : DigitSplit::runs;
        } else if (type == "Split" && !is_split) {
            read_split(file, *step, options);
            is_split = true;
        } else if (type == "ByteLevel") {
            if (is_true(*step, "use_regex", true) == is_split) {
                file.refuse_step("pre-tokenizer", type,
                                 is_split ? "a pattern after another" : "no pattern");
            }
            options.prefix_space = is_true(*step, "add_prefix_space", false);
            if (options.prefix_space && (is_split || options.digits != DigitSplit::none)) {
                file.refuse_step("pre-tokenizer", type, "add_prefix_space after another step");
            }
            is_split = true;
        } else {
            file.refuse_step("pre-tokenizer", type, is_split ? "another before it" : "");
        }
    }
    for (const Json* const step : file.steps("decoder", "decoders")) {
        if (TokenizerJson::type_of(*step) != "ByteLevel") {
            file.refuse_step("decoder", TokenizerJson::type_of(*step), "byte-level BPE");
        }
    }
    return options;
}

// Prepend ▁, and Replace " " by ▁; or, in newer files, Metaspace.
ByteFallbackOptions byte_fallback_options(const TokenizerJson& file) {
    ByteFallbackOptions options{.blank = BlankBefore::never, .leaves_it_out = false};
    bool replaces = false;
    for (const Json* const step : file.steps("normalizer", "normalizers")) {
        const std::string type = TokenizerJson::type_of(*step);
        if (type == "Prepend" && string_or(*step, "prepend", "") == blank_letter) {
            options.blank = BlankBefore::each;
        } else if (type == "Replace" && pattern_text(*step, "String") == " " &&
                   string_or(*step, "content", "") == blank_letter) {
            replaces = true;
        } else {
            file.refuse_step("normalizer", type, "byte fallback");
        }
    }
    for (const Json* const step : file.steps("pre_tokenizer", "pretokenizers")) {
        const std::string type = TokenizerJson::type_of(*step);
        if (type != "Metaspace" || replaces ||
            string_or(*step, "replacement", "") != blank_letter || is_true(*step, "split", true)) {
            file.refuse_step("pre-tokenizer", type, "byte fallback");
        }
        const std::string scheme = string_or(*step, "prepend_scheme", "always");
        options.blank = scheme == "never"   ? BlankBefore::never
                        : scheme == "first" ? BlankBefore::first
                                            : BlankBefore::each;
        options.unless_there = true;
        replaces = true;
    }
    if (!replaces) file.refuse("byte fallback without ▁ for blanks is not supported");
    std::string decoders;
    for (const Json* const step : file.steps("decoder", "decoders")) {
        const std::string type = TokenizerJson::type_of(*step);
        decoders += (decoders.empty() ? "" : " ") + type;
        if (type == "Strip") options.leaves_it_out = true;
    }
    if (decoders != "Replace ByteFallback Fuse" && decoders != "Replace ByteFallback Fuse Strip") {
        file.refuse_step("decoder", decoders, "byte fallback");
    }
    return options;
}

WordPieceOptions word_piece_options(const TokenizerJson& file) {
    WordPieceOptions options{.lower_case = false,
                             .strip_accents = false,
                             .clean = false,
                             .cjk_apart = false,
                             .joins_marks = false};
    for (const Json* const step : file.steps("normalizer", "normalizers")) {
        const std::string type = TokenizerJson::type_of(*step);
        if (type != "BertNormalizer") file.refuse_step("normalizer", type);
        options.lower_case = is_true(*step, "lowercase", true);
        options.strip_accents = is_true(*step, "strip_accents", options.lower_case);
        options.clean = is_true(*step, "clean_text", true);
        options.cjk_apart = is_true(*step, "handle_chinese_chars", true);
    }
    const std::vector<const Json*> pre_tokenizers = file.steps("pre_tokenizer", "pretokenizers");
    if (pre_tokenizers.empty()) file.refuse("WordPiece without a pre-tokenizer is not supported");
    for (const Json* const step : pre_tokenizers) {
        const std::string type = TokenizerJson::type_of(*step);
        if (type != "BertPreTokenizer") file.refuse_step("pre-tokenizer", type);
    }
    const Json& model = file.model();
    options.continues = string_or(model, "continuing_subword_prefix", "##");
    options.unknown = string_or(model, "unk_token", "[UNK]");
    if (const Json* const most = model.find("max_input_chars_per_word")) {
        options.longest_word = most->whole("max_input_chars_per_word");
    }
    for (const Json* const step : file.steps("decoder", "decoders")) {
        const std::string type = TokenizerJson::type_of(*step);
        if (type != "WordPiece" || string_or(*step, "prefix", "##") != options.continues) {
            file.refuse_step("decoder", type, "WordPiece");
        }
        options.joins_marks = is_true(*step, "cleanup", true);
    }
    return options;
}

std::shared_ptr<const TokenModel> bpe(const TokenizerJson& file,
                                      const std::shared_ptr<const Vocabulary>& vocabulary) {
    const Json& model = file.model();
    for (const char* name : {"continuing_subword_prefix", "end_of_word_suffix"}) {
        if (!string_or(model, name, "").empty()) {
            file.refuse("BPE with ", in_quotes(name), " is not supported");
        }
    }
    const Json* const dropout = model.find("dropout");
    if (dropout && !dropout->is_null() && dropout->number("dropout") != 0) {
        file.refuse("BPE with \"dropout\" is not supported");
    }
    const std::vector<Merge> merges = file.merges(*vocabulary);
    if (is_true(model, "byte_fallback", false)) {
        return std::make_shared<const ByteFallbackBpe>(
            vocabulary, merges, byte_fallback_options(file), file.name(), file.site());
    }
    return std::make_shared<const ByteLevelBpe>(vocabulary, merges, byte_level_options(file),
                                                file.name(), file.site());
}

bool is_byte_level(const TokenizerJson& file) {
    for (const Json* const step : file.steps("pre_tokenizer", "pretokenizers")) {
        if (TokenizerJson::type_of(*step) == "ByteLevel") return true;
    }
    return false;
}

}  // namespace

TokenizerParts tokenizer_json_parts(const std::string& path, const CallSite& site) {
    const FileBytes bytes(path, site);
    const Json json = Json::parse(bytes.text(), path, site);
    const TokenizerJson file(json, site);
    const std::string type = file.model_type();
    if (type != "BPE" && type != "WordPiece") {
        file.refuse("the model ", in_quotes(type), " is not supported; BPE and WordPiece are");
    }
    const bool byte_level = is_byte_level(file);
    if (type == "BPE" && byte_level == is_true(file.model(), "byte_fallback", false)) {
        file.refuse("BPE must have either the pre-tokenizer \"ByteLevel\" or byte_fallback; this "
                    "has ",
                    byte_level ? "both" : "none");
    }
    TokenizerParts parts;
    parts.vocabulary = file.vocabulary(!byte_level);
    if (type == "BPE") {
        parts.model = bpe(file, parts.vocabulary);
    } else {
        parts.model = std::make_shared<const WordPieces>(parts.vocabulary, word_piece_options(file),
                                                         path, site);
    }
    file.add_templates(parts);
    return parts;
}

}}  // namespace heed
