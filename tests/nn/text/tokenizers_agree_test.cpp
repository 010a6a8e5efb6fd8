// Tokenizers produce the ids that other programs produce: on thousands of texts
// (make_tokenizer_cases.py), and in each combination of settings (tokenizer_settings.py) that is
// not refused by the name of a setting.
#include "tests/catch.h"
#include "tests/nn/text/tokenizer_files.h"

#include <cstdlib>

using namespace heed;

namespace {
std::string bytes_of_hex(const std::string& hex) {
    std::string bytes;
    for (std::size_t i = 0; i < hex.size(); i += 2) {
        bytes += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
    }
    return bytes;
}

Ids ids_of(const Json& json) {
    Ids ids;
    for (const Json& id : json.items("ids")) ids.push_back(id.whole("id"));
    return ids;
}

// Llama's way writes a blank for ▁.
std::string with_blanks(std::string text) {
    const std::string mark = "▁";
    for (std::size_t at = 0; (at = text.find(mark, at)) != text.npos;) {
        text.replace(at, mark.size(), " ");
    }
    return text;
}

void check_settings(const std::string& folder, const Json& combination) {
    std::string error;
    try {
        const Tokenizer tokenizer = load_tokenizer(folder);
        REQUIRE(combination.at("refused").items("refused").empty());
        for (const Json& one : combination.at("texts").items("texts")) {
            const std::string& text = one.at("text").string("text");
            const bool special = one.is_true("special");
            CAPTURE(text, special);
            CHECK(listed(tokenizer.encode(text, {.special_in_text = special})) ==
                  ids_of(one.at("ids")));
        }
        if (const Json* const pair = combination.find("pair")) {
            CHECK(listed(tokenizer.encode_pair("the", "an").ids) == ids_of(*pair));
        }
        return;
    } catch (const std::runtime_error& caught) {
        error = caught.what();
    }
    CAPTURE(error);
    bool is_named = false;
    for (const Json& name : combination.at("refused").items("refused")) {
        is_named = is_named || error.find(name.string("name")) != std::string::npos;
    }
    CHECK(is_named);
}

}  // namespace

TEST_CASE("tokenizers agree with other programs", "[.tokenizers]") {
    const char* const folder = std::getenv("HEED_TOKENIZER_CASES");
    REQUIRE(folder);
    std::size_t files = 0, texts = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        if (entry.path().extension() != ".json") continue;
        INFO(entry.path().string());
        const Json json = read_json(entry.path().string());
        const Tokenizer tokenizer = load_tokenizer(json.at("folder").string("folder"));
        const bool is_exact = json.find("exact");
        const bool is_llama = std::string(tokenizer.kind()) == "BPE with byte fallback";
        ++files;
        for (const Json& one : json.at("cases").items("cases")) {
            const std::string text = bytes_of_hex(one.at("text").string("text"));
            const IndexTensor ids = tokenizer.encode(text);
            INFO("text: " << text);
            ++texts;
            REQUIRE(listed(ids) == ids_of(one.at("ids")));
            const std::string back = tokenizer.text_of(ids);
            if (is_exact) REQUIRE(back == (is_llama ? with_blanks(text) : text));
            REQUIRE(streamed(tokenizer, ids) == back);
        }
    }
    WARN(files << " tokenizers, " << texts << " texts");
    CHECK(files >= 7);
}

TEST_CASE("each combination of settings is computed or refused", "[.tokenizer_settings]") {
    const char* const path = std::getenv("HEED_TOKENIZER_SETTINGS");
    REQUIRE(path);
    const Json combinations = read_json(path);
    for (const Json& combination : combinations.items("combinations")) {
        const Folder folder;
        std::string shown;
        for (const auto& [name, content] : combination.at("files").members("files")) {
            const std::string& text = content.string(name);
            write(folder.file(name), text);
            shown += name + ": " + text + "\n";
        }
        INFO(shown);
        check_settings(folder.path(), combination);
    }
    CHECK(combinations.items("combinations").size() > 9000);
}
