// Small tokenizers' files, made of the vocabularies of tokenizer_reference.json, for tests to
// change; a folder for such files; and ids as a list.
#pragma once

#include "nn/files/json.h"
#include "nn/text/byte_level_bpe.h"
#include "nn/text/load_tokenizer.h"

#include "tests/message_of.h"
#include "tests/nn/files/folder.h"
#include "tests/test_file.h"

#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

using Ids = std::vector<std::int64_t>;

// Vocabularies, and the ids of texts by the plain tokenizers of plain_tokenizers.py.
inline const heed::Json& tokenizer_reference() {
    static const heed::Json json = heed::read_json(test_file("nn/text/tokenizer_reference.json"));
    return json;
}

inline std::string training_text() {
    return tokenizer_reference().at("training_text").string("training_text");
}

inline std::vector<std::string> reference_tokens(const std::string& name) {
    std::vector<std::string> tokens;
    for (const heed::Json& token : tokenizer_reference().at(name).items(name)) {
        tokens.push_back(token.string(name));
    }
    return tokens;
}

struct TextIds {
    std::string text;
    Ids ids;
};

// The texts that have ids by this tokenizer. Error: no text has any (std::runtime_error).
inline std::vector<TextIds> reference_texts(const std::string& tokenizer) {
    std::vector<TextIds> texts;
    for (const heed::Json& entry : tokenizer_reference().at("texts").items("texts")) {
        const heed::Json* const ids = entry.find(tokenizer);
        if (!ids) continue;
        TextIds& text = texts.emplace_back();
        if (const heed::Json* const bytes = entry.find("bytes")) {  // not UTF-8
            for (const heed::Json& byte : bytes->items("bytes")) {
                text.text += static_cast<char>(byte.whole("bytes"));
            }
        } else {
            text.text = entry.at("text").string("text");
        }
        for (const heed::Json& id : ids->items(tokenizer)) text.ids.push_back(id.whole(tokenizer));
    }
    if (texts.empty()) {
        throw std::runtime_error("tokenizer_reference.json has no ids by " + tokenizer);
    }
    return texts;
}

inline Ids listed(const heed::IndexTensor& ids) { return {ids.data(), ids.data() + ids.numel()}; }

inline std::string streamed(const heed::Tokenizer& tokenizer, const heed::IndexTensor& ids) {
    heed::TextStream stream(tokenizer);
    std::string text;
    for (const std::int64_t id : listed(ids)) text += stream.add(id);
    return text + stream.rest();
}

class TokenizerFolder : public Folder {
  public:
    TokenizerFolder& with(const std::string& name, const std::string& bytes) {
        write(file(name), bytes);
        return *this;
    }
    TokenizerFolder& without(const std::string& name) {
        std::filesystem::remove(file(name));
        return *this;
    }
    heed::Tokenizer load() const { return heed::load_tokenizer(folder()); }
    // The error's first line, without the folder.
    std::string refused() const {
        std::string message = message_of<std::runtime_error>([&] { load(); });
        for (std::size_t at = 0; (at = message.find(folder())) != message.npos;) {
            message.erase(at, folder().size());
        }
        return message;
    }
    std::string folder() const { return file(""); }
};

// A tokenizer.json, part by part.
struct JsonFile {
    std::string added = "[]", normalizer = "null", pre_tokenizer = "null", post_processor = "null",
                decoder = "null", type = R"("type": "BPE")", vocab, merges;

    std::string text() const {
        return "{\"added_tokens\": " + added + ", \"normalizer\": " + normalizer +
               ", \"pre_tokenizer\": " + pre_tokenizer + ", \"post_processor\": " + post_processor +
               ", \"decoder\": " + decoder + ", \"model\": {" + type + ", \"vocab\": " + vocab +
               (merges.empty() ? "" : ", \"merges\": " + merges) + "}}";
    }
};

inline std::string json_of(const std::vector<std::string>& tokens) {
    std::string json;
    for (std::size_t id = 0; id < tokens.size(); ++id) {
        json += heed::text(id == 0 ? "{" : ", ", heed::json_string(tokens[id]), ": ", id);
    }
    return json + "}";
}

inline std::string json_list(const std::vector<std::string>& texts) {
    std::string json;
    for (const std::string& text : texts) {
        json += (json.empty() ? "[" : ", ") + heed::json_string(text);
    }
    return json.empty() ? "[]" : json + "]";
}

// GPT-2's letters in their order, then what the merges make.
inline std::vector<std::string> byte_level_tokens() {
    std::vector<std::string> tokens;
    for (const auto& [first, last] :
         {std::pair('!', '~'), std::pair(char(0xA1), char(0xAC)), std::pair(char(0xAE), char(0xFF)),
          std::pair('\0', ' '), std::pair('\x7F', char(0xA0)), std::pair(char(0xAD), char(0xAD))}) {
        for (int byte = static_cast<unsigned char>(first); byte <= static_cast<unsigned char>(last);
             ++byte) {
            tokens.push_back(heed::byte_letter(static_cast<unsigned char>(byte)));
        }
    }
    for (const std::string& merge : reference_tokens("byte_level_merges")) {
        const std::size_t at = merge.find(' ');
        tokens.push_back(merge.substr(0, at) + merge.substr(at + 1));
    }
    return tokens;
}

inline std::string merges_txt() {
    std::string text = "#version: 0.2\n";
    for (const std::string& merge : reference_tokens("byte_level_merges")) text += merge + "\n";
    return text;
}

inline JsonFile byte_level_file() {
    JsonFile file;
    file.pre_tokenizer = R"({"type": "ByteLevel", "add_prefix_space": false})";
    file.decoder = R"({"type": "ByteLevel"})";
    std::vector<std::string> tokens = byte_level_tokens();
    tokens.push_back("<|endoftext|>");
    file.added = heed::text(R"([{"id": )", tokens.size() - 1,
                            R"(, "content": "<|endoftext|>", "special": true}])");
    file.vocab = json_of(tokens);
    file.merges = json_list(reference_tokens("byte_level_merges"));
    return file;
}

inline JsonFile fallback_file() {
    JsonFile file;
    file.added = R"([{"id": 0, "content": "<unk>", "special": true},
                     {"id": 1, "content": "<s>", "special": true},
                     {"id": 2, "content": "</s>", "special": true}])";
    file.normalizer = R"({"type": "Sequence", "normalizers": [{"type": "Prepend", "prepend": "▁"},
        {"type": "Replace", "pattern": {"String": " "}, "content": "▁"}]})";
    file.post_processor = R"({"type": "TemplateProcessing",
        "single": [{"SpecialToken": {"id": "<s>", "type_id": 0}},
                   {"Sequence": {"id": "A", "type_id": 0}}],
        "pair": [{"SpecialToken": {"id": "<s>", "type_id": 0}},
                 {"Sequence": {"id": "A", "type_id": 0}},
                 {"SpecialToken": {"id": "<s>", "type_id": 1}},
                 {"Sequence": {"id": "B", "type_id": 1}}],
        "special_tokens": {"<s>": {"id": "<s>", "ids": [1], "tokens": ["<s>"]}}})";
    file.decoder = R"({"type": "Sequence", "decoders": [
        {"type": "Replace", "pattern": {"String": "▁"}, "content": " "}, {"type": "ByteFallback"},
        {"type": "Fuse"}, {"type": "Strip", "content": " ", "start": 1, "stop": 0}]})";
    file.type = R"("type": "BPE", "byte_fallback": true)";
    file.vocab = json_of(reference_tokens("fallback_tokens"));
    file.merges = json_list(reference_tokens("fallback_merges"));
    return file;
}

inline JsonFile word_piece_file(bool lower_case) {
    JsonFile file;
    file.added = R"([{"id": 2, "content": "[CLS]", "special": true},
                     {"id": 3, "content": "[SEP]", "special": true}])";
    file.normalizer =
        heed::text(R"({"type": "BertNormalizer", "lowercase": )", lower_case ? "true" : "false",
                   R"(, "clean_text": true, "handle_chinese_chars": true,
                                     "strip_accents": null})");
    file.pre_tokenizer = R"({"type": "BertPreTokenizer"})";
    file.post_processor = R"({"type": "BertProcessing", "sep": ["[SEP]", 3], "cls": ["[CLS]", 2]})";
    file.decoder = R"({"type": "WordPiece", "prefix": "##", "cleanup": true})";
    file.type = R"("type": "WordPiece", "unk_token": "[UNK]", "max_input_chars_per_word": 100)";
    file.vocab = json_of(reference_tokens("word_pieces"));
    return file;
}

inline std::string vocab_txt() {
    std::string text;
    for (const std::string& piece : reference_tokens("word_pieces")) text += piece + "\n";
    return text;
}
