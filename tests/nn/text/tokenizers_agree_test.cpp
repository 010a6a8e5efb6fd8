// Tokenizers give the ids that other programs give (make_tokenizer_cases.py), on thousands of
// texts.
#include "nn/files/file_bytes.h"
#include "nn/files/json.h"
#include "nn/text/load_tokenizer.h"

#include "tests/catch.h"

#include <cstdlib>
#include <filesystem>

using namespace heed;

namespace {
std::string bytes_of_hex(const std::string& hex) {
    std::string bytes;
    for (std::size_t i = 0; i < hex.size(); i += 2) {
        bytes += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
    }
    return bytes;
}

std::vector<std::int64_t> ids_of(const Json& json) {
    std::vector<std::int64_t> ids;
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

std::string streamed(const Tokenizer& tokenizer, const IndexTensor& ids) {
    TextStream stream(tokenizer);
    std::string text;
    for (std::int64_t i = 0; i < ids.numel(); ++i) text += stream.add(ids.data()[i]);
    return text + stream.rest();
}

}  // namespace

TEST_CASE("tokenizers agree with other programs", "[.tokenizers]") {
    const char* const folder = std::getenv("HEED_TOKENIZER_CASES");
    REQUIRE(folder);
    std::size_t files = 0, texts = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        if (entry.path().extension() != ".json") continue;
        INFO(entry.path().string());
        const FileBytes file(entry.path().string());
        const Json json = Json::parse(file.text(), entry.path().string());
        const Tokenizer tokenizer = load_tokenizer(json.at("folder").string("folder"));
        const bool is_exact = json.find("exact");
        const bool is_llama = std::string(tokenizer.kind()) == "BPE with byte fallback";
        ++files;
        for (const Json& one : json.at("cases").items("cases")) {
            const std::string text = bytes_of_hex(one.at("text").string("text"));
            const IndexTensor ids = tokenizer.encode(text);
            INFO("text: " << text);
            ++texts;
            REQUIRE(std::vector<std::int64_t>(ids.data(), ids.data() + ids.numel()) ==
                    ids_of(one.at("ids")));
            const std::string back = tokenizer.text_of(ids);
            if (is_exact) REQUIRE(back == (is_llama ? with_blanks(text) : text));
            REQUIRE(streamed(tokenizer, ids) == back);
        }
    }
    WARN(files << " tokenizers, " << texts << " texts");
    CHECK(files >= 7);
}
