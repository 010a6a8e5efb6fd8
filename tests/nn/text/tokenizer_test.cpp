// Tokenizer: text to ids and back in the three ways, special tokens, pairs, batches, streams.
#include "nn/text/tokenizer.h"

#include "nn/text/split.h"
#include "nn/text/unicode.h"
#include "tensor/random.h"
#include "tests/catch.h"
#include "tests/nn/text/tokenizer_files.h"

using namespace heed;

namespace {
Tokenizer made(const JsonFile& json) {
    return TokenizerFolder().with("tokenizer.json", json.text()).load();
}

void check_texts(const Tokenizer& tokenizer, const std::vector<TextIds>& texts) {
    for (const auto& [text, ids] : texts) {
        INFO(text);
        const IndexTensor its = tokenizer.encode(text);
        CHECK(listed(its) == ids);
        CHECK(streamed(tokenizer, its) == tokenizer.text_of(its));
    }
}

std::string random_bytes(Random& random, std::uint64_t most) {
    std::string bytes;
    for (std::uint64_t i = random.next() % most; i > 0; --i) {
        bytes += static_cast<char>(random.next() % 256);
    }
    return bytes;
}

}  // namespace

TEST_CASE("byte-level BPE gives the ids of a plain implementation", "[nn][tokenizer]") {
    const Tokenizer tokenizer = made(byte_level_file());
    CHECK(std::string(tokenizer.kind()) == "byte-level BPE");
    check_texts(tokenizer, reference_texts("byte_level"));
}

TEST_CASE("BPE with byte fallback gives the ids of a plain implementation", "[nn][tokenizer]") {
    const Tokenizer tokenizer = made(fallback_file());
    CHECK(std::string(tokenizer.kind()) == "BPE with byte fallback");
    check_texts(tokenizer, reference_texts("fallback"));
}

TEST_CASE("WordPiece gives the ids of a plain implementation, uncased and cased",
          "[nn][tokenizer]") {
    CHECK(std::string(made(word_piece_file(true)).kind()) == "WordPiece");
    check_texts(made(word_piece_file(true)), reference_texts("uncased"));
    check_texts(made(word_piece_file(false)), reference_texts("cased"));
}

TEST_CASE("a reference that has no ids by a tokenizer is refused", "[nn][tokenizer]") {
    CHECK_THROWS_WITH(reference_texts("none"), "tokenizer_reference.json has no ids by none");
}

TEST_CASE("any bytes come back from byte-level BPE", "[nn][tokenizer]") {
    const Tokenizer tokenizer = made(byte_level_file());
    Random random(3);
    for (int i = 0; i < 300; ++i) {
        const std::string bytes = random_bytes(random, 60);
        const IndexTensor ids = tokenizer.encode(bytes);
        CHECK(tokenizer.text_of(ids) == bytes);
        CHECK(streamed(tokenizer, ids) == bytes);
    }
    std::string all;
    for (int byte = 0; byte < 256; ++byte) all += static_cast<char>(byte);
    CHECK(tokenizer.text_of(tokenizer.encode(all)) == all);
}

TEST_CASE("any bytes come back from byte fallback, but ▁ as a blank", "[nn][tokenizer]") {
    const Tokenizer tokenizer = made(fallback_file());
    Random random(4);
    for (int i = 0; i < 300; ++i) {
        const std::string bytes = random_bytes(random, 60);
        CHECK(tokenizer.text_of(tokenizer.encode(bytes)) == bytes);
    }
    CHECK(tokenizer.text_of(tokenizer.encode("  two ")) == "  two ");
    CHECK(tokenizer.text_of(tokenizer.encode("a▁b")) == "a b");
    CHECK(tokenizer.text_of(tokenizer.encode("")) == "");
}

TEST_CASE("a merge across the end of a word is found, too", "[nn][tokenizer]") {
    JsonFile file = fallback_file();
    std::vector<std::string> tokens = reference_tokens("fallback_tokens");
    tokens.push_back("e▁");
    file.vocab = json_of(tokens);
    file.merges = R"(["e ▁", "▁ t"])";
    const Tokenizer tokenizer = made(file);
    CHECK(tokenizer.token(listed(tokenizer.encode("he the"))[2]) == "e▁");
    CHECK(tokenizer.text_of(tokenizer.encode("he the")) == "he the");
}

TEST_CASE("of overlapping pairs the leftmost is merged, and ranks decide", "[nn][tokenizer]") {
    JsonFile file = byte_level_file();
    std::vector<std::string> tokens = byte_level_tokens();
    tokens.resize(256);
    for (const char* one : {"aa", "ab", "aab"}) tokens.push_back(one);
    file.added = "[]";
    file.vocab = json_of(tokens);
    const auto spelled = [&](const std::string& merges, const std::string& text) {
        file.merges = merges;
        const Tokenizer tokenizer = made(file);
        std::string shown;
        for (const std::int64_t id : listed(tokenizer.encode(text))) {
            shown += tokenizer.token(id) + "|";
        }
        return shown;
    };
    CHECK(spelled(R"(["a a", "a b"])", "aaab") == "aa|ab|");
    CHECK(spelled(R"(["a b", "a a"])", "aaab") == "aa|ab|");
    CHECK(spelled(R"(["a a", "a b"])", "aab") == "aa|b|");
    CHECK(spelled(R"(["a b", "a a"])", "aab") == "a|ab|");
    CHECK(spelled(R"(["a b", "a ab"])", "aab aab") == "aab|Ġ|aab|");
    CHECK(spelled(R"([["a", "a"]])", "aaaaa") == "aa|aa|a|");
}

TEST_CASE("a word that is a token is taken whole where the file asks for it", "[nn][tokenizer]") {
    JsonFile file = byte_level_file();
    std::vector<std::string> tokens = byte_level_tokens();
    tokens.push_back("zq");
    file.added = "[]";
    file.vocab = json_of(tokens);
    CHECK(made(file).encode("zq").numel() == 2);
    file.type += R"(, "ignore_merges": true)";
    CHECK(made(file).encode("zq").numel() == 1);
}

TEST_CASE("patterns of newer models cut digits, marks and line ends their own way",
          "[nn][tokenizer]") {
    const std::string text = "it'S 12345 (a)\n\n  b\u00e9\u0301";
    const auto words = [](const std::string& whole, TextSplit split) {
        std::string shown;
        for (std::size_t begin = 0; begin < whole.size();) {
            const std::size_t end = word_end(whole, begin, split);
            shown += whole.substr(begin, end - begin) + "|";
            begin = end;
        }
        return shown;
    };
    CHECK(words(text, TextSplit::gpt2) == "it|'|S| 12345| (|a|)|\n\n | b\u00e9|\u0301|");
    CHECK(words(text, TextSplit::llama3) == "it|'S| |123|45| (|a|)\n\n| | b\u00e9|\u0301|");
    CHECK(words(text, TextSplit::qwen2) == "it|'S| |1|2|3|4|5| (|a|)\n\n| | b\u00e9|\u0301|");
    CHECK(words("a  ", TextSplit::gpt2) == "a|  |");
    CHECK(words("a  b", TextSplit::gpt2) == "a| | b|");
    CHECK(words("a \n\n b", TextSplit::qwen2) == "a| \n\n| b|");
    CHECK(words("'ſ'LL", TextSplit::llama3) == "'ſ|'LL|");
    CHECK(words("1234567", TextSplit::llama3) == "123|456|7|");

    JsonFile file = byte_level_file();
    file.pre_tokenizer = R"({"type": "Sequence", "pretokenizers": [
        {"type": "Digits", "individual_digits": true}, {"type": "ByteLevel", "add_prefix_space": false}]})";
    file.normalizer = R"({"type": "NFC"})";
    const Tokenizer tokenizer = made(file);
    CHECK(tokenizer.text_of(tokenizer.encode("e\u0301 x")) == "\u00e9 x");
    CHECK(tokenizer.encode("12").numel() == 2);
}

TEST_CASE("a blank is put before a text where the file asks for it", "[nn][tokenizer]") {
    JsonFile file = byte_level_file();
    file.pre_tokenizer = R"({"type": "ByteLevel", "add_prefix_space": true})";
    const Tokenizer tokenizer = made(file);
    CHECK(tokenizer.text_of(tokenizer.encode("the")) == " the");
    CHECK(tokenizer.text_of(tokenizer.encode(" the")) == " the");
    CHECK(tokenizer.encode("").numel() == 0);

    JsonFile newer = fallback_file();
    newer.normalizer = "null";
    newer.pre_tokenizer = R"({"type": "Metaspace", "replacement": "▁", "prepend_scheme": "first",
                              "split": false})";
    const Tokenizer metaspace = made(newer);
    CHECK(metaspace.token(listed(metaspace.encode("the"))[0]) == "▁the");
    CHECK(metaspace.token(listed(metaspace.encode(" the"))[0]) == "▁the");
    const IndexTensor ids = metaspace.encode("<s>he", {.special_in_text = true});
    CHECK(metaspace.token(ids.data()[1]) == "he");
    CHECK(metaspace.text_of(ids) == "<s>he");
    const Tokenizer each = made(fallback_file());
    CHECK(each.token(each.encode("<s>the", {.special_in_text = true}).data()[1]) == "▁the");
}

TEST_CASE("special tokens are added, recognised and left out only where asked", "[nn][tokenizer]") {
    const Tokenizer llama = made(fallback_file());
    const Ids plain = listed(llama.encode("<s>the"));
    CHECK(plain.front() != 1);
    CHECK(std::count(plain.begin(), plain.end(), 1) == 0);
    CHECK(listed(llama.encode("<s>", {.special_in_text = true})) == Ids{1});
    const IndexTensor added = llama.encode("the", {.add_special = true});
    CHECK(listed(added).front() == 1);
    CHECK(added.numel() == 2);
    CHECK(llama.text_of(added) == "<s> the");
    CHECK(llama.text_of(added, {.skip_special = true}) == "the");
    CHECK(llama.special().bos == 1);
    CHECK(llama.special().eos == 2);
    CHECK(llama.special().unk == 0);
    CHECK(!llama.special().pad);
    CHECK(llama.is_special(1));
    CHECK(!llama.is_special(5));
    TextStream stream(llama, {.skip_special = true});
    CHECK(stream.add(1) + stream.add(added.data()[1]) == "the");

    const Tokenizer bert = made(word_piece_file(true));
    CHECK(listed(bert.encode("t", {.add_special = true})) == Ids{2, bert.id("t"), 3});
    CHECK(bert.text_of(bert.encode("[CLS] t", {.special_in_text = true})) == "[CLS] t");
    CHECK(bert.encode("[CLS]").numel() == 5);  // [ c ##l ##s ]
}

TEST_CASE("two texts become one sequence with token types", "[nn][tokenizer]") {
    const Tokenizer bert = made(word_piece_file(true));
    const std::int64_t t = bert.id("t"), the = bert.id("the");
    const TokenPair pair = bert.encode_pair("the the", "t");
    CHECK(listed(pair.ids) == Ids{2, the, the, 3, t, 3});
    CHECK(listed(pair.types) == Ids{0, 0, 0, 0, 1, 1});

    JsonFile roberta = word_piece_file(true);
    roberta.post_processor =
        R"({"type": "RobertaProcessing", "sep": ["[SEP]", 3], "cls": ["[CLS]", 2]})";
    const TokenPair other = made(roberta).encode_pair("the", "t");
    CHECK(listed(other.ids) == Ids{2, the, 3, 3, t, 3});
    CHECK(listed(other.types) == Ids{0, 0, 0, 0, 0, 0});

    const Tokenizer llama = made(fallback_file());
    const TokenPair two = llama.encode_pair("the", "the");
    CHECK(listed(two.ids) == Ids{1, llama.id("▁the"), 1, llama.id("▁the")});
    CHECK(listed(two.types) == Ids{0, 0, 1, 1});
    const Tokenizer gpt2 = made(byte_level_file());
    CHECK(listed(gpt2.encode_pair("t", "h").types) == Ids{0, 1});
}

TEST_CASE("texts of different lengths are one batch", "[nn][tokenizer]") {
    const Tokenizer bert = made(word_piece_file(true));
    const std::int64_t t = bert.id("t");
    const TokenBatch batch = bert.encode_batch({"t t", "t", ""}, 0, {.add_special = true});
    CHECK(batch.ids.shape() == Shape{3, 4});
    CHECK(listed(batch.ids) == Ids{2, t, t, 3, 2, t, 3, 0, 2, 3, 0, 0});
    CHECK(batch.lengths == std::vector<std::int64_t>{4, 3, 2});
    const TokenBatch left = bert.encode_batch({"t t", "t"}, 0, {.padding = PaddingSide::left});
    CHECK(listed(left.ids) == Ids{t, t, 0, t});
    CHECK(left.side == PaddingSide::left);
    CHECK(bert.encode_batch({"t", "t t"}, bert.size()).ids.data()[1] == bert.size());
    CHECK(message_of<std::invalid_argument>([&] { bert.encode_batch({"t"}, bert.size() + 1); }) ==
          text("Tokenizer: padding_id is ", bert.size() + 1, "; it must be a token's id, 0 to ",
               bert.size() - 1, ", or ", bert.size(), " for a row of its own"));
    CHECK(message_of<std::invalid_argument>([&] { bert.encode_batch({}, 0); }) ==
          "Tokenizer: there are no texts to encode");
    const std::string none = message_of<std::invalid_argument>([&] { bert.encode_batch({"t"}); });
    CHECK_THAT(none, Contains("has no padding token; give padding_id: any token's id, since a mask "
                              "hides it"));
    JsonFile padded = word_piece_file(true);
    padded.added = R"([{"id": 0, "content": "[PAD]", "special": true}])";
    CHECK(listed(made(padded).encode_batch({"t t", "t"}).ids) == Ids{t, t, t, 0});
}

TEST_CASE("added tokens take white space beside them where the file asks for it",
          "[nn][tokenizer]") {
    JsonFile file = byte_level_file();
    std::vector<std::string> tokens = byte_level_tokens();
    const std::int64_t next = static_cast<std::int64_t>(tokens.size());
    for (const char* one : {"<mask>", "<mask>er", "plus", "é Ġ"}) tokens.push_back(one);
    file.vocab = json_of(tokens);
    file.added = text(R"([{"id": )", next, R"(, "content": "<mask>", "special": true,
                           "lstrip": true, "rstrip": true}, {"id": )",
                      next + 1, R"(, "content": "<mask>er", "special": true}, {"id": )", next + 2,
                      R"(, "content": "plus", "special": false}, {"id": )", next + 3,
                      R"(, "content": "é Ġ", "special": false}])");
    const Tokenizer tokenizer = made(file);
    const EncodeOptions special{.special_in_text = true};
    CHECK(tokenizer.text_of(tokenizer.encode("a \u3000<mask>\n\nb", special)) == "a<mask>b");
    CHECK(listed(tokenizer.encode(" <mask> <mask> ", special)) == Ids{next, next});
    CHECK(listed(tokenizer.encode("<mask>er", special)) == Ids{next + 1});
    CHECK(listed(tokenizer.encode("plus")) == Ids{next + 2});  // not special: always recognised
    CHECK(tokenizer.text_of(IndexTensor(Ids{next + 3})) == "é Ġ");  // as it is, no bytes' letters
    CHECK(tokenizer.encode("<mask>").numel() > 1);
    CHECK(tokenizer.text_of(tokenizer.encode("plus"), {.skip_special = true}) == "plus");
}

TEST_CASE("a stream gives whole characters", "[nn][tokenizer]") {
    const Tokenizer tokenizer = made(fallback_file());
    const IndexTensor ids = tokenizer.encode("t\U0001F642!");
    TextStream stream(tokenizer);
    std::vector<std::string> parts;
    for (const std::int64_t id : listed(ids)) parts.push_back(stream.add(id));
    CHECK(parts == std::vector<std::string>{"t", "", "", "", "\U0001F642", "!"});
    CHECK(stream.rest().empty());

    TextStream cut(tokenizer);
    CHECK(cut.add(tokenizer.id("<0xE2>")).empty());
    CHECK(cut.add(tokenizer.id("<0x96>")).empty());
    CHECK(cut.add(tokenizer.id("t")) == "\xE2\x96t");  // no character after all
    CHECK(cut.add(tokenizer.id("<0xC3>")).empty());
    CHECK(cut.rest() == "\xC3");
    CHECK(cut.add(tokenizer.id("<0xFF>")) == "\xFF");
    CHECK(message_of<std::out_of_range>([&] { cut.add(-1); }) ==
          text("Tokenizer: id -1 is out of range: there are ", tokenizer.size(),
               " tokens, numbered 0 to ", tokenizer.size() - 1));
}

TEST_CASE("WordPiece writes no blank before marks", "[nn][tokenizer]") {
    const Tokenizer tokenizer = made(word_piece_file(true));
    CHECK(tokenizer.text_of(tokenizer.encode("The table, the keys.")) == "the table, the keys.");
    JsonFile file = word_piece_file(true);
    file.decoder = R"({"type": "WordPiece", "prefix": "##", "cleanup": false})";
    const Tokenizer plain = made(file);
    CHECK(plain.text_of(plain.encode("The table.")) == "the table .");
    const std::int64_t s = tokenizer.id("##s");
    CHECK(tokenizer.text_of(IndexTensor(Ids{s, s})) == "##ss");
}

TEST_CASE("a word of too many characters is unknown", "[nn][tokenizer]") {
    JsonFile file = word_piece_file(true);
    file.type = R"("type": "WordPiece", "max_input_chars_per_word": 5)";
    const Tokenizer tokenizer = made(file);
    CHECK(listed(tokenizer.encode("eeeeee")) == Ids{1});
    CHECK(tokenizer.encode("eeeee").numel() == 5);
    CHECK(made(word_piece_file(true)).encode(std::string(100, 'e')).numel() == 100);
    CHECK(made(word_piece_file(true)).encode(std::string(101, 'e')).numel() == 1);
}

TEST_CASE("WordPiece drops control characters, and takes tabs and line ends for blanks",
          "[nn][tokenizer]") {
    const Tokenizer tokenizer = made(word_piece_file(true));
    const Ids apart = listed(tokenizer.encode("t t")), together = listed(tokenizer.encode("tt"));
    for (const char* blank : {"\t", "\n", "\r", "\u00a0", "\u2028", "\u3000"}) {
        CHECK(listed(tokenizer.encode(text("t", blank, "t"))) == apart);
    }
    for (const char* dropped :
         {"\v", "\f", "\x1f", "\x7f", "\u0085", "\u200b", "\ufeff", "\ufffd", "\xff", "\ue000"}) {
        CHECK(listed(tokenizer.encode(text("t", dropped, "t"))) == together);
    }
    CHECK(listed(tokenizer.encode(std::string("t\0t", 3))) == together);
}

TEST_CASE("tokens and ids are looked up, and wrong ones are refused", "[nn][tokenizer]") {
    const Tokenizer tokenizer = made(byte_level_file());
    CHECK(tokenizer.token(0) == "!");
    CHECK(tokenizer.id("Ġ") == 220);  // as in GPT-2
    CHECK(tokenizer.contains("Ġthe"));
    CHECK(!tokenizer.contains("no such token"));
    const std::string range =
        text("there are ", tokenizer.size(), " tokens, numbered 0 to ", tokenizer.size() - 1);
    CHECK(message_of<std::out_of_range>([&] { tokenizer.token(tokenizer.size()); }) ==
          text("Tokenizer: id ", tokenizer.size(), " is out of range: ", range));
    CHECK(message_of<std::out_of_range>([&] {
              tokenizer.text_of(IndexTensor(Ids{0, -7}));
          }) == "Tokenizer: id -7 at [1] is out of range: " + range);
    CHECK(
        message_of<ShapeError>([&] {
            tokenizer.text_of(IndexTensor(Ids{0, 1}).reshape({1, 2}));
        }) ==
        "Tokenizer: ids has shape [1, 2]; text_of takes one row of ids, [T]: ids.select(b) is row "
        "b");
    CHECK_THAT(message_of<std::out_of_range>([&] { tokenizer.id("no"); }),
               Contains("which has no unknown token"));
    CHECK(made(fallback_file()).id("no such token") == 0);
}

TEST_CASE("a vocabulary must fit the model", "[nn][tokenizer]") {
    const Tokenizer tokenizer = made(word_piece_file(true));
    const std::int64_t size = tokenizer.size();
    tokenizer.check_fits(size);
    tokenizer.check_fits(size + size / 8);
    const std::string few =
        message_of<std::invalid_argument>([&] { tokenizer.check_fits(size - 1); });
    CHECK_THAT(few, Contains(text("has ", size, " tokens, the model ", size - 1,
                                  "; is it the tokenizer of another model?")));
    const std::string many =
        message_of<std::invalid_argument>([&] { tokenizer.check_fits(size + size / 8 + 1); });
    CHECK_THAT(many, Contains(text("the model ", size + size / 8 + 1, ", far more")));
}

TEST_CASE("the work grows with the text, not with its square", "[nn][tokenizer]") {
    for (const JsonFile& file : {byte_level_file(), fallback_file(), word_piece_file(true)}) {
        const Tokenizer tokenizer = made(file);
        for (const char* letter : {"a", "t", " ", "th", "e\u0301"}) {
            std::string text;
            while (text.size() < 300'000) text += letter;
            CHECK(tokenizer.encode(text).rank() == 1);  // by squares this would take minutes
        }
    }
}
