// The files of byte-level BPE: tokenizer.json, or vocab.json and merges.txt.
#include "../../tensor/errors.h"
#include "../../tensor/quote.h"
#include "../files/file_bytes.h"
#include "../files/json.h"
#include "byte_level_bpe.h"
#include "train_byte_pairs.h"

namespace heed { inline namespace HEED_PRECISION {
namespace {
const ByteLevelBpe& gpt2_kind(const Tokenizer& tokenizer, const CallSite& site) {
    const TokenizerParts& parts = tokenizer.parts();
    const auto* const model = dynamic_cast<const ByteLevelBpe*>(parts.model.get());
    const bool is_gpt2 = model && model->options() == ByteLevelOptions() &&
                         parts.one_text.size() == 1 && parts.two_texts.size() == 2;
    if (!is_gpt2) {
        fail_argument("write_tokenizer", site, in_quotes(tokenizer.name()), " is ",
                      tokenizer.kind(), model ? " with settings of its own" : "",
                      "; written is only byte-level BPE as GPT-2 has it");
    }
    return *model;
}

std::string vocabulary_json(const Tokenizer& tokenizer) {
    std::string json = "{";
    for (std::int64_t id = 0; id < tokenizer.size(); ++id) {
        json += text(id == 0 ? "\n" : ",\n", json_string(tokenizer.token(id)), ": ", id);
    }
    return json + "\n}";
}

std::string merge_text(const Tokenizer& tokenizer, const Merge& merge) {
    return tokenizer.token(merge.left) + " " + tokenizer.token(merge.right);
}

std::string added_json(const Tokenizer& tokenizer) {
    std::string json;
    for (const AddedToken& one : tokenizer.parts().vocabulary->added()) {
        const auto word = [](bool is_so) { return is_so ? "true" : "false"; };
        json += text(json.empty() ? "\n" : ",\n", "{\"id\": ", one.id,
                     ", \"content\": ", json_string(one.content),
                     ", \"single_word\": false, \"lstrip\": ", word(one.strips_left),
                     ", \"rstrip\": ", word(one.strips_right),
                     ", \"normalized\": false, \"special\": ", word(one.is_special), "}");
    }
    return json;
}

void write_text(const std::string& path, const std::string& text, const CallSite& site) {
    write_whole(
        path, [&](const WriteBytes& write) { write(text.data(), text.size()); }, site);
}

}  // namespace

void write_tokenizer_json(const std::string& path, const Tokenizer& tokenizer, CallSite site) {
    const ByteLevelBpe& model = gpt2_kind(tokenizer, site);
    const std::string byte_level =
        R"({"type": "ByteLevel", "add_prefix_space": false, "trim_offsets": true, )"
        R"("use_regex": true})";
    std::string merges;
    for (const Merge& merge : model.merges()) {
        merges += (merges.empty() ? "\n" : ",\n") + json_string(merge_text(tokenizer, merge));
    }
    const std::string json =
        "{\n\"version\": \"1.0\",\n\"truncation\": null,\n\"padding\": null,\n\"added_tokens\": [" +
        added_json(tokenizer) + "],\n\"normalizer\": null,\n\"pre_tokenizer\": " + byte_level +
        ",\n\"post_processor\": " + byte_level + ",\n\"decoder\": " + byte_level +
        ",\n\"model\": {\"type\": \"BPE\", \"dropout\": null, \"unk_token\": null, "
        "\"continuing_subword_prefix\": null, \"end_of_word_suffix\": null, \"fuse_unk\": false, "
        "\"byte_fallback\": false, \"ignore_merges\": false,\n\"vocab\": " +
        vocabulary_json(tokenizer) + ",\n\"merges\": [" + merges + "]}\n}\n";
    write_text(path, json, site);
}

void write_byte_pairs(const std::string& vocabulary, const std::string& merges,
                      const Tokenizer& tokenizer, CallSite site) {
    const ByteLevelBpe& model = gpt2_kind(tokenizer, site);
    std::string list = "#version: 0.2\n";
    for (const Merge& merge : model.merges()) list += merge_text(tokenizer, merge) + "\n";
    write_text(vocabulary, vocabulary_json(tokenizer) + "\n", site);
    write_text(merges, list, site);
}

}}  // namespace heed
