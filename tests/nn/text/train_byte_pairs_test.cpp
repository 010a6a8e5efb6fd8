// Byte pair encoding learned from a text, and its files.
#include "nn/text/train_byte_pairs.h"

#include "nn/text/byte_level_bpe.h"
#include "nn/text/load_tokenizer.h"
#include "tensor/ops/compare.h"
#include "tests/catch.h"
#include "tests/message_of.h"
#include "tests/nn/text/tokenizer_files.h"

using namespace heed;

namespace {
std::vector<std::string> learned(const Tokenizer& tokenizer) {
    std::vector<std::string> tokens;
    for (std::int64_t id = 256; id < tokenizer.size(); ++id) tokens.push_back(tokenizer.token(id));
    return tokens;
}

bool same_ids(const Tokenizer& a, const Tokenizer& b) {
    for (const auto& [text, ids] : reference_texts("byte_level")) {
        const IndexTensor left = a.encode(text), right = b.encode(text);
        if (!tensor::same_entries(left, right)) return false;
    }
    return true;
}

}  // namespace

TEST_CASE("training learns the merges of a plain implementation", "[nn][tokenizer]") {
    const Tokenizer tokenizer = train_byte_pairs(training_text(), 1000, {});
    std::vector<std::string> expected = byte_level_tokens();
    expected.erase(expected.begin(), expected.begin() + 256);
    CHECK(learned(tokenizer) == expected);
    for (const auto& [text, ids] : reference_texts("byte_level")) {
        const IndexTensor its = tokenizer.encode(text);
        CHECK(std::vector<std::int64_t>(its.data(), its.data() + its.numel()) == ids);
    }
}

TEST_CASE("the most frequent pair is first, then the one of smaller ids", "[nn][tokenizer]") {
    const auto first = [](const std::string& text) {
        return train_byte_pairs(text, 257, {}).token(256);
    };
    CHECK(first("xy\nxy\nab") == "xy");
    CHECK(first("xy\nxy\nab\nab") == "ab");
    CHECK(first("ba\nba\nab\nab") == "ab");
    CHECK(first("bc\nbc\nba\nba") == "ba");
}

TEST_CASE("overlapping pairs are counted as they are merged", "[nn][tokenizer]") {
    CHECK(learned(train_byte_pairs("aaaa aaaa", 1000, {})) ==
          std::vector<std::string>{"aa", "aaaa"});
    CHECK(learned(train_byte_pairs("abab abab", 1000, {})) ==
          std::vector<std::string>{"ab", "abab"});
}

TEST_CASE("training stops at the size, or when no pair is there twice", "[nn][tokenizer]") {
    CHECK(train_byte_pairs("the the the", 257).size() == 257);
    CHECK(train_byte_pairs("the the the", 258).size() == 258);
    CHECK(train_byte_pairs("the", 1000).size() == 257);
    CHECK(train_byte_pairs("", 1000).size() == 257);
    const Tokenizer tokenizer = train_byte_pairs("the the the", 400, {"<a>", "<b>"});
    CHECK(tokenizer.token(tokenizer.size() - 2) == "<a>");
    CHECK(tokenizer.special().bos == tokenizer.size() - 2);
    CHECK(tokenizer.special().eos == tokenizer.size() - 2);
    CHECK(tokenizer.is_special(tokenizer.size() - 1));
}

TEST_CASE("what cannot be trained is refused", "[nn][tokenizer]") {
    const auto refused = [](std::int64_t size, const std::vector<std::string>& special) {
        return message_of<std::invalid_argument>([&] { train_byte_pairs("a", size, special); });
    };
    CHECK(
        refused(256, {"<s>"}) ==
        "train_byte_pairs: vocab_size is 256; it must be 257, the 256 bytes and 1 special tokens, "
        "to 1000000");
    CHECK_THAT(refused(1'000'001, {}), Contains("vocab_size is 1000001; it must be 256"));
    CHECK(refused(1000, {"<s>", ""}) == "train_byte_pairs: special token 1 is empty");
    CHECK(refused(1000, {"<s>", "\xFF"}) ==
          "train_byte_pairs: the special token \"\\xff\" is not UTF-8");
    CHECK(refused(1000, {"<s>", "<s>"}) ==
          "train_byte_pairs: the special token \"<s>\" is given twice");
    CHECK(refused(1000, {"Ġ"}) ==
          "train_byte_pairs: the special token \"Ġ\" is the letter of a byte");
}

TEST_CASE("a trained tokenizer is written and read again", "[nn][tokenizer][files]") {
    const Tokenizer tokenizer = train_byte_pairs(training_text(), 300, {"<|endoftext|>"});
    const Folder folder;
    write_tokenizer_json(folder.file("tokenizer.json"), tokenizer);
    const Tokenizer read = load_tokenizer(folder.file(""));
    CHECK(read.size() == tokenizer.size());
    CHECK(learned(read) == learned(tokenizer));
    CHECK(same_ids(read, tokenizer));
    CHECK(read.special().eos == tokenizer.special().eos);
    CHECK(read.is_special(299));

    const Folder older;
    write_byte_pairs(older.file("vocab.json"), older.file("merges.txt"), tokenizer);
    const Tokenizer again = load_tokenizer(older.file(""));
    CHECK(learned(again) == learned(tokenizer));
    CHECK(same_ids(again, tokenizer));
    CHECK(again.special().bos == 299);
    write_tokenizer_json(older.file("tokenizer.json"), again);
    CHECK(contents(older.file("tokenizer.json")) == contents(folder.file("tokenizer.json")));
}

TEST_CASE("only what the files can say is written", "[nn][tokenizer][files]") {
    const Folder folder;
    write(folder.file("tokenizer.json"), fallback_file().text());
    const Tokenizer llama = load_tokenizer(folder.file(""));
    const std::string path = folder.file("new.json");
    CHECK_THAT(
        message_of<std::invalid_argument>([&] { write_tokenizer_json(path, llama); }),
        Contains("is BPE with byte fallback; written is only byte-level BPE as GPT-2 has it"));
    JsonFile digits = byte_level_file();
    digits.normalizer = R"({"type": "NFC"})";
    write(folder.file("tokenizer.json"), digits.text());
    const Tokenizer other = load_tokenizer(folder.file(""));
    CHECK_THAT(message_of<std::invalid_argument>([&] { write_byte_pairs(path, path, other); }),
               Contains("is byte-level BPE with settings of its own"));
    CHECK(folder.files() == 1);
    const Tokenizer tokenizer = train_byte_pairs("a", 300);
    CHECK_THAT(message_of<std::runtime_error>(
                   [&] { write_tokenizer_json(folder.file("none/new.json"), tokenizer); }),
               Contains("No such file or directory"));
}
