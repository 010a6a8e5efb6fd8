// Combinations of a tokenizer's settings (tokenizer_settings.py) are computed as a plain
// implementation computes them, or refused by the name of a setting.
#include "nn/files/json.h"
#include "nn/text/load_tokenizer.h"

#include "tests/catch.h"
#include "tests/nn/files/folder.h"

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

using Ids = std::vector<std::int64_t>;

Ids ids_in(const Json& json) {
    Ids ids;
    for (const Json& id : json.items("ids")) ids.push_back(id.whole("id"));
    return ids;
}

Ids listed(const IndexTensor& ids) { return {ids.data(), ids.data() + ids.numel()}; }

void check(const std::string& folder, const Json& combination) {
    std::string error;
    try {
        const Tokenizer tokenizer = load_tokenizer(folder);
        REQUIRE(combination.at("refused").items("refused").empty());
        for (const Json& one : combination.at("texts").items("texts")) {
            const std::string text = bytes_of_hex(one.at("text").string("text"));
            const bool special = one.is_true("special");
            CAPTURE(text, special);
            CHECK(listed(tokenizer.encode(text, {.special_in_text = special})) ==
                  ids_in(one.at("ids")));
        }
        if (const Json* const pair = combination.find("pair")) {
            CHECK(listed(tokenizer.encode_pair("the", "an").ids) == ids_in(*pair));
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
        check(folder.path(), combination);
    }
    CHECK(combinations.items("combinations").size() > 9000);
}
