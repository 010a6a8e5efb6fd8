#include "load_tokenizer.h"

#include "byte_level_bpe.h"
#include "tokenizer_files.h"
#include "unicode.h"

#include <algorithm>
#include <filesystem>
#include <map>

namespace heed { inline namespace HEED_PRECISION {
namespace {
namespace fs = std::filesystem;

// A task, the name it has in tokenizer_config.json, and tokens that have it where no file says so.
struct Task {
    std::optional<std::int64_t> SpecialTokens::*token;
    const char* name;
    std::vector<const char*> usual;
};

const std::vector<Task>& tasks() {
    static const std::vector<Task> all = {
        {&SpecialTokens::bos, "bos_token", {"<s>", "<|endoftext|>"}},
        {&SpecialTokens::eos, "eos_token", {"</s>", "<|endoftext|>"}},
        {&SpecialTokens::unk, "unk_token", {"<unk>", "[UNK]"}},
        {&SpecialTokens::pad, "pad_token", {"<pad>", "[PAD]"}},
        {&SpecialTokens::cls, "cls_token", {"[CLS]"}},
        {&SpecialTokens::sep, "sep_token", {"[SEP]"}},
        {&SpecialTokens::mask, "mask_token", {"<mask>", "[MASK]"}}};
    return all;
}

std::string in_folder(const std::string& folder, const char* name) {
    return (fs::path(folder) / name).string();
}

bool is_there(const std::string& folder, const char* name) {
    std::error_code ignored;
    return fs::exists(in_folder(folder, name), ignored);
}

using Tokens = std::vector<std::pair<std::string, std::int64_t>>;

// tokenizer_config.json, special_tokens_map.json and added_tokens.json, as far as they are there.
class Config {
  public:
    Config() = default;
    Config(const std::string& folder, const CallSite& site) : site_(site) {
        for (const char* name : {"tokenizer_config.json", "special_tokens_map.json"}) {
            if (is_there(folder, name)) files_.push_back(read_json(in_folder(folder, name), site));
        }
        if (is_there(folder, "added_tokens.json")) {
            more_tokens = tokens_of(read_json(in_folder(folder, "added_tokens.json"), site));
        }
    }

    // The member, or null; null in the file is missing, too.
    const Json* find(const char* name) const {
        for (const Json& file : files_) {
            if (const Json* const found = file.given(name)) return found;
        }
        return nullptr;
    }
    // null is false, as in the publisher's code.
    bool is_true(const char* name, bool otherwise) const {
        for (const Json& file : files_) {
            if (const Json* const found = file.find(name)) {
                return !found->is_null() && found->boolean(name);
            }
        }
        return otherwise;
    }
    // Errors: a setting or an added token differs from that of tokenizer.json.
    void check_agrees(const TokenizerJsonParts& json) const {
        for (const auto& [name, value] : json.settings) {
            const Json* const found = find(name.c_str());
            if (!found || found->boolean(name) == value) continue;
            refuse_file(found->file(), site_, in_quotes(name), " is ", value ? "false" : "true",
                        ", but tokenizer.json has ", value ? "true" : "false");
        }
        const Vocabulary& vocabulary = *json.parts.vocabulary;
        for (const AddedToken& token : added_tokens()) {
            const AddedToken* const its = vocabulary.added(token.id);
            if (its && *its == token) continue;
            refuse_file(find("added_tokens_decoder")->file(), site_, "the added token ",
                        in_quotes(token.content), " of id ", token.id,
                        " is missing or different in tokenizer.json");
        }
        for (const std::string& token : more_special_tokens()) {
            const std::optional<std::int64_t> id = vocabulary.find(token);
            if (id && vocabulary.added(*id)) continue;
            refuse_file(find("additional_special_tokens")->file(), site_,
                        "the additional special token ", in_quotes(token),
                        " is not an added token of tokenizer.json");
        }
    }
    // The tokens of added_tokens_decoder.
    std::vector<AddedToken> added_tokens() const {
        std::vector<AddedToken> added;
        const Json* const list = find("added_tokens_decoder");
        if (!list) return added;
        for (const auto& [id, token] : list->members("added_tokens_decoder")) {
            if (id.empty() || id.size() > 9 || id.find_first_not_of("0123456789") != id.npos) {
                refuse_file(list->file(), site_, "the added token ", in_quotes(id),
                            " is not an id");
            }
            added.push_back(added_token(token, std::stoll(id), site_));
        }
        return added;
    }
    std::vector<std::string> more_special_tokens() const {
        std::vector<std::string> tokens;
        const char* const name = "additional_special_tokens";
        if (const Json* const list = find(name)) {
            for (const Json& token : list->items(name)) tokens.push_back(content(token, name));
        }
        return tokens;
    }
    // A token is a string, or an object with the string as its content.
    std::optional<std::string> token(const char* name) const {
        const Json* const found = find(name);
        if (!found) return std::nullopt;
        return content(*found, name);
    }

    SpecialTokens special(const Vocabulary& vocabulary) const {
        SpecialTokens tokens;
        for (const Task& task : tasks()) {
            if (const std::optional<std::string> name = token(task.name)) {
                tokens.*task.token = vocabulary.find(*name);
                if (!(tokens.*task.token)) {
                    refuse_file(find(task.name)->file(), site_, in_quotes(task.name), " is ",
                                in_quotes(*name), ", which the vocabulary lacks");
                }
                continue;
            }
            for (const char* usual : task.usual) {
                const std::optional<std::int64_t> id = vocabulary.find(usual);
                if (id && vocabulary.added(*id)) {
                    tokens.*task.token = id;
                    break;
                }
            }
        }
        return tokens;
    }

    const std::string& file() const { return files_.front().file(); }  // there must be one

    Tokens more_tokens;  // of added_tokens.json

  private:
    static std::string content(const Json& token, const char* name) {
        return token.is_object() ? token.at("content").string("content") : token.string(name);
    }

    std::vector<Json> files_;
    CallSite site_;
};

// The added tokens of files older than tokenizer.json: those that tokenizer_config.json or
// added_tokens.json lists with their ids, and those in the vocabulary that have a task or are
// `usual`.
std::vector<AddedToken> added_tokens(const Tokens& tokens, const Config& config,
                                     std::vector<std::string> usual, const CallSite& site) {
    std::map<std::string, AddedToken> special;
    for (const std::vector<std::string>& names : {usual, config.more_special_tokens()}) {
        for (const std::string& name : names) special[name].content = name;
    }
    for (const Task& task : tasks()) {
        const std::optional<std::string> name = config.token(task.name);
        if (!name) continue;
        special[*name].content = *name;
        const Json& json = *config.find(task.name);
        if (!json.is_object()) continue;
        special[*name] = added_token(json, 0, site);
        special[*name].is_special = true;
        special[*name].is_normalized = json.is_true("normalized");
    }
    std::vector<AddedToken> added = config.added_tokens();
    const auto add = [&](AddedToken token, std::int64_t id) {
        const auto is_it = [&](const AddedToken& one) { return one.content == token.content; };
        if (std::any_of(added.begin(), added.end(), is_it)) return;
        token.id = id;
        added.push_back(token);
    };
    for (const auto& [token, id] : tokens) {
        if (special.contains(token)) add(special.at(token), id);
    }
    for (const auto& [token, id] : config.more_tokens) {
        add(special.contains(token)
                ? special.at(token)
                : AddedToken{.content = token, .is_special = false, .is_normalized = true},
            id);
    }
    return added;
}

// The lines of a text, without their ends.
std::vector<std::string_view> lines_of(std::string_view text) {
    std::vector<std::string_view> lines;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        std::string_view line = text.substr(begin, end - begin);
        if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
        lines.push_back(line);
        begin = end + 1;
    }
    return lines;
}

std::vector<Merge> read_merges(const std::string& path, const Vocabulary& vocabulary,
                               const CallSite& site) {
    const FileBytes bytes(path, site);
    const std::vector<std::string_view> lines = lines_of(bytes.text());
    MergeList merges(vocabulary, path, site);
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const std::string_view line = lines[i];
        if ((i == 0 && line.substr(0, 8) == "#version") || (line.empty() && i + 1 == lines.size()))
            continue;
        merges.add(line, text("line ", i + 1));
    }
    return merges.merges();
}

void check_class(const Config& config, const char* files,
                 std::initializer_list<const char*> supported, const CallSite& site) {
    const std::optional<std::string> its = config.token("tokenizer_class");
    if (!its) return;
    for (const char* one : supported) {
        if (*its == one || *its == text(one, "Fast")) return;
    }
    refuse_file(config.find("tokenizer_class")->file(), site, "the tokenizer_class ",
                in_quotes(*its), " is not read from ", files, "; save it as tokenizer.json");
}

TokenizerParts byte_pair_parts(const std::string& vocabulary_path, const std::string& merges_path,
                               const Config& config, const CallSite& site) {
    check_class(config, "vocab.json and merges.txt", {"GPT2Tokenizer"}, site);
    const Tokens tokens = tokens_of(read_json(vocabulary_path, site));
    TokenizerParts parts;
    parts.vocabulary = std::make_shared<const Vocabulary>(
        tokens, added_tokens(tokens, config, {"<|endoftext|>"}, site), vocabulary_path, site);
    if (parts.vocabulary->find("e</w>")) {
        refuse_file(vocabulary_path, site,
                    "it has tokens such as \"e</w>\"; tokens that mark the end of a word are not "
                    "supported");
    }
    const ByteLevelOptions options{.prefix_space = config.is_true("add_prefix_space", false)};
    parts.model = std::make_shared<const ByteLevelBpe>(
        parts.vocabulary, read_merges(merges_path, *parts.vocabulary, site), options,
        vocabulary_path, site);
    parts.special = config.special(*parts.vocabulary);
    if (config.is_true("add_bos_token", false) && parts.special.bos) {
        parts.one_text.insert(parts.one_text.begin(), {*parts.special.bos, 0});
        parts.two_texts = {{*parts.special.bos, 0},
                           {TemplateToken::first_text, 0},
                           {*parts.special.bos, 1},
                           {TemplateToken::second_text, 1}};
    }
    parts.name = vocabulary_path;
    return parts;
}

TokenizerParts word_piece_parts(const std::string& path, const WordPieceOptions& options,
                                const Config& config, const CallSite& site) {
    check_class(config, "vocab.txt", {"BertTokenizer", "DistilBertTokenizer"}, site);
    const FileBytes bytes(path, site);
    Tokens tokens;
    for (const std::string_view line : lines_of(bytes.text())) {
        if (!is_utf8(line)) refuse_file(path, site, "line ", tokens.size() + 1, " is not UTF-8");
        tokens.emplace_back(line, static_cast<std::int64_t>(tokens.size()));
    }
    TokenizerParts parts;
    parts.vocabulary = std::make_shared<const Vocabulary>(
        tokens,
        added_tokens(tokens, config, {options.unknown, "[CLS]", "[SEP]", "[PAD]", "[MASK]"}, site),
        path, site);
    for (const AddedToken& one : parts.vocabulary->added()) refuse_normalized(one, path, site);
    parts.model = std::make_shared<const WordPieces>(parts.vocabulary, options, path, site);
    parts.special = config.special(*parts.vocabulary);
    if (parts.special.cls && parts.special.sep) {
        use_bert_templates(parts, *parts.special.cls, *parts.special.sep);
    }
    parts.name = path;
    return parts;
}

WordPieceOptions word_piece_options(const Config& config, const CallSite& site) {
    if (!config.is_true("do_basic_tokenize", true)) {
        refuse_file(config.file(), site, "\"do_basic_tokenize\": false is not supported");
    }
    const Json* const words = config.find("never_split");
    if (words && !words->items("never_split").empty()) {
        refuse_file(words->file(), site, "\"never_split\" is not supported");
    }
    WordPieceOptions options;
    options.lower_case = config.is_true("do_lower_case", true);
    const Json* const strips = config.find("strip_accents");
    options.strip_accents = strips ? strips->boolean("strip_accents") : options.lower_case;
    options.cjk_apart = config.is_true("tokenize_chinese_chars", true);
    options.unknown = config.token("unk_token").value_or(options.unknown);
    return options;
}

}  // namespace

Tokenizer read_tokenizer_json(const std::string& path, CallSite site) {
    TokenizerParts parts = tokenizer_json_parts(path, site).parts;
    parts.special = Config().special(*parts.vocabulary);
    parts.name = path;
    return Tokenizer(std::move(parts));
}

Tokenizer read_byte_pairs(const std::string& vocabulary, const std::string& merges, CallSite site) {
    return Tokenizer(byte_pair_parts(vocabulary, merges, Config(), site));
}

Tokenizer read_word_pieces(const std::string& vocabulary, const WordPieceOptions& options,
                           CallSite site) {
    return Tokenizer(word_piece_parts(vocabulary, options, Config(), site));
}

Tokenizer load_tokenizer(const std::string& folder, CallSite site) {
    check_path("load_tokenizer", folder, site);
    std::error_code ignored;
    if (!fs::is_directory(folder, ignored)) {
        refuse_file(folder, site,
                    fs::exists(folder, ignored) ? "this is not a folder"
                                                : "there is no such folder");
    }
    const Config config(folder, site);
    TokenizerParts parts;
    if (is_there(folder, "tokenizer.json")) {
        const TokenizerJsonParts json =
            tokenizer_json_parts(in_folder(folder, "tokenizer.json"), site);
        config.check_agrees(json);
        parts = json.parts;
        parts.special = config.special(*parts.vocabulary);
    } else if (is_there(folder, "vocab.json")) {
        parts = byte_pair_parts(in_folder(folder, "vocab.json"), in_folder(folder, "merges.txt"),
                                config, site);
    } else if (is_there(folder, "vocab.txt")) {
        parts = word_piece_parts(in_folder(folder, "vocab.txt"), word_piece_options(config, site),
                                 config, site);
    } else {
        const bool has_sentence_piece = is_there(folder, "tokenizer.model");
        refuse_file(folder, site, "it has neither tokenizer.json nor vocab.json nor vocab.txt",
                    has_sentence_piece ? "; its tokenizer.model is SentencePiece's, which is not "
                                         "read: save it as tokenizer.json"
                                       : "");
    }
    parts.name = folder;
    return Tokenizer(std::move(parts));
}

}}  // namespace heed
