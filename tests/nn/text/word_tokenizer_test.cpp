// WordTokenizer: splitting, lower-casing, ids, unknown words, UTF-8 and errors.
#include "nn/heed.h"

#include "tests/catch.h"
#include "tests/message_of.h"

using namespace heed;

namespace {
using Words = std::vector<std::string>;

const Words documents = {"This is an example text and a random ending",
                         "This is another example text with more words and the random word test"};

Words split(const std::string& text, Punctuation punctuation, bool lower_case = true) {
    const WordTokenizer tokenizer({"any"}, {.lower_case = lower_case, .punctuation = punctuation});
    return tokenizer.words(text);
}

Words separated(const std::string& text) { return split(text, Punctuation::separate); }
Words dropped(const std::string& text) { return split(text, Punctuation::drop); }
Words kept(const std::string& text) { return split(text, Punctuation::keep); }

// The lower-cased form of a text of one word.
std::string lower(const std::string& text) {
    const Words words = kept(text);
    return words.size() == 1 ? words[0] : "not one word";
}

std::string error_of(const Words& texts, const WordTokenizerOptions& options = {}) {
    return message_of<std::invalid_argument>([&] { WordTokenizer(texts, options); });
}

std::string error_of_list(const Words& words, const WordTokenizerOptions& options = {}) {
    return message_of<std::invalid_argument>(
        [&] { WordTokenizer::from_vocabulary(words, options); });
}

}  // namespace

TEST_CASE("words get ids in the order in which they are first seen", "[nn][tokenizer]") {
    const WordTokenizer tokenizer(documents);
    CHECK(tokenizer.vocabulary() == Words{"this", "is", "an", "example", "text", "and", "a",
                                          "random", "ending", "another", "with", "more", "words",
                                          "the", "word", "test"});
    CHECK(tokenizer.size() == 16);
    CHECK(tensor::same_entries(tokenizer.encode("This is a test text"),
                               IndexTensor({0, 1, 6, 15, 4})));
    CHECK(tokenizer.decode(IndexTensor({0, 1, 6, 15, 4})) ==
          Words{"this", "is", "a", "test", "text"});
    CHECK(tokenizer.text_of(IndexTensor({4, 15, 15})) == "text test test");
    CHECK(tensor::same_entries(WordTokenizer({documents[1], documents[0]}).encode("another a"),
                               IndexTensor({2, 14})));
}

TEST_CASE("words can be sorted by their bytes, whatever the order of documents",
          "[nn][tokenizer]") {
    const WordTokenizerOptions sorted{.lower_case = false, .order = WordOrder::sorted};
    const WordTokenizer tokenizer({"b É a", "Z é a _ z 1"}, sorted);
    CHECK(tokenizer.vocabulary() == Words{"1", "Z", "_", "a", "b", "z", "É", "é"});
    CHECK(WordTokenizer({"Z é a _ z 1", "b É a"}, sorted).vocabulary() == tokenizer.vocabulary());
    const WordTokenizer with_unknown({"a !"}, {.unknown = "zzz", .order = WordOrder::sorted});
    CHECK(with_unknown.vocabulary() == Words{"zzz", "!", "a"});
}

TEST_CASE("a word is found by its id, and an id by its word", "[nn][tokenizer]") {
    const WordTokenizer tokenizer(documents);
    for (std::int64_t id = 0; id < tokenizer.size(); ++id) {
        CHECK(tokenizer.id(tokenizer.word(id)) == id);
    }
    CHECK(tokenizer.id("EXAMPLE") == 3);
    CHECK(tokenizer.contains("Example"));
    CHECK_FALSE(tokenizer.contains("examples"));
    CHECK_FALSE(tokenizer.contains("this is"));
    const WordTokenizer cased(documents, {.lower_case = false});
    CHECK(cased.contains("This"));
    CHECK_FALSE(cased.contains("this"));
    CHECK(tensor::same_entries(cased.encode("This"), IndexTensor({0})));
}

TEST_CASE("unknown words are all listed, each once", "[nn][tokenizer]") {
    const WordTokenizer tokenizer(documents);
    CHECK(message_of<std::out_of_range>([&] {
              tokenizer.encode("Wibble is a wobble, wibble\x01 text");
          }) == "WordTokenizer: \"wibble\", \"wobble\", \",\", \"\\x01\" are not in the vocabulary "
                "of 16 words; build it from documents that contain them, or give it an unknown "
                "token (.unknown = \"[UNK]\")");
    CHECK(message_of<std::out_of_range>([&] { tokenizer.id("Wibble"); }) ==
          "WordTokenizer: \"Wibble\" is not in the vocabulary of 16 words; build it from documents "
          "that contain it, or give it an unknown token (.unknown = \"[UNK]\")");
    CHECK_THROWS_WITH(WordTokenizer({"one"}).encode("two"), Contains("vocabulary of 1 word;"));
    CHECK(tokenizer.unknown_words("Wibble is a wobble text wibble") == Words{"wibble", "wobble"});
    CHECK(tokenizer.unknown_words("this is a test").empty());
}

TEST_CASE("unknown words become the unknown token, where there is one", "[nn][tokenizer]") {
    const WordTokenizer tokenizer(documents, {.unknown = "[UNK]"});
    CHECK(tokenizer.size() == 17);
    CHECK(tokenizer.word(0) == "[UNK]");
    CHECK(
        tensor::same_entries(tokenizer.encode("this wibble is wobble"), IndexTensor({1, 0, 2, 0})));
    CHECK(tokenizer.text_of(IndexTensor({1, 0, 2})) == "this [UNK] is");
    CHECK(tokenizer.unknown_words("this wibble is wobble") == Words{"wibble", "wobble"});
    CHECK(tokenizer.id("wibble") == 0);
    CHECK(tokenizer.id("Is") == 2);
    CHECK(tokenizer.contains("[UNK]"));
    CHECK_FALSE(tokenizer.contains("wibble"));
}

TEST_CASE("a text without words has no ids", "[nn][tokenizer]") {
    const WordTokenizer tokenizer(documents);
    CHECK(tokenizer.encode("").shape() == Shape{0});
    CHECK(tokenizer.encode(" \t\r\n\xC2\xA0").shape() == Shape{0});
    CHECK(tokenizer.decode(IndexTensor()).empty());
    CHECK(tokenizer.text_of(IndexTensor()) == "");
    CHECK(tokenizer.words(" ").empty());
}

TEST_CASE("punctuation becomes words, is dropped, or stays where it is", "[nn][tokenizer]") {
    const std::string text = "I drink coke, but (eat) steak!?";
    CHECK(separated(text) ==
          Words{"i", "drink", "coke", ",", "but", "(", "eat", ")", "steak", "!", "?"});
    CHECK(dropped(text) == Words{"i", "drink", "coke", "but", "eat", "steak"});
    CHECK(kept(text) == Words{"i", "drink", "coke,", "but", "(eat)", "steak!?"});
    CHECK(separated("snake_case a-b wait...what $5") ==
          Words{"snake_case", "a", "-", "b", "wait", ".", ".", ".", "what", "$", "5"});
    CHECK(dropped("snake_case a-b wait...what $5") ==
          Words{"snake_case", "a", "b", "wait", "what", "5"});
    CHECK(separated("...") == Words{".", ".", "."});
    CHECK(dropped("...").empty());
    CHECK(WordTokenizer({"coke, but"}).vocabulary() == Words{"coke", ",", "but"});
}

TEST_CASE("marks that are part of a word stay in it", "[nn][tokenizer]") {
    CHECK(separated("The animal didn't; I’ve") == Words{"the", "animal", "didn't", ";", "i’ve"});
    CHECK(dropped("didn't I've rock'n'roll") == Words{"didn't", "i've", "rock'n'roll"});
    CHECK(dropped("'tis the dogs' 'bone'") == Words{"tis", "the", "dogs", "bone"});
    CHECK(separated("dogs' a''b") == Words{"dogs", "'", "a", "'", "'", "b"});
    CHECK(separated("3.14 is 1,000.5, or .5 or 5. or 1.a") ==
          Words{"3.14", "is", "1,000.5", ",", "or", ".", "5", "or", "5", ".", "or", "1", ".", "a"});
    CHECK(separated("so\xC2\xADhyphen") == Words{"so\xC2\xADhyphen"});
    CHECK(dropped("nim\xE2\x80\x8Cspace") == Words{"nim\xE2\x80\x8Cspace"});
}

TEST_CASE("marks and spaces outside ASCII are known", "[nn][tokenizer]") {
    CHECK(separated("¿Quién? «Él» … “ñandú”—no") ==
          Words{"¿", "quién", "?", "«", "él", "»", "…", "“", "ñandú", "”", "—", "no"});
    CHECK(dropped("¿Quién? ¡Él! ‘sí’ 5€ 20° 3×4") ==
          Words{"quién", "él", "sí", "5", "20", "3", "4"});
    CHECK(dropped("x² 1º µm ½ Привет 日本") == Words{"x²", "1º", "µm", "½", "Привет", "日本"});
    CHECK(separated("hi😀❤️") == Words{"hi", "😀", "❤", "\xEF\xB8\x8F"});
    CHECK(dropped("hi 👩‍👧 ❤️") == Words{"hi"});
    // No-break space, en space, ideographic space, line separator, next line; byte order mark.
    CHECK(kept("a\xC2\xA0"
               "b\xE2\x80\x82"
               "c\xE3\x80\x80"
               "d\xE2\x80\xA8"
               "e\xC2\x85"
               "f") == Words{"a", "b", "c", "d", "e", "f"});
    CHECK(kept("\xEF\xBB\xBFThis") == Words{"this"});
    CHECK(kept(std::string("a\0b\vc", 5)) == Words{std::string("a\0b", 3), "c"});
}

TEST_CASE("letters are lower-cased up to Latin Extended-A, and no further", "[nn][tokenizer]") {
    CHECK(lower("AZ@[`ÀÖØÞ×÷ß") == "az@[`àöøþ×÷ß");
    CHECK(lower("ÉÑÜÇÅ") == "éñüçå");
    CHECK(lower("ĀāĎĶķĸĹĺŁŇňŉŊŋŒŶŷŸŹŽžſ") == "āāďķķĸĺĺłňňŉŋŋœŷŷÿźžžſ");
    CHECK(lower("İıĲĳ") == "iıĳĳ");
    CHECK(lower("ƀƁΩЖẞ😀") == "ƀƁΩЖẞ😀");
    CHECK(split("ÉL É", Punctuation::separate, false) == Words{"ÉL", "É"});
    CHECK(WordTokenizer({"Él ÉL él"}).size() == 1);
}

TEST_CASE("no other code point changes when lower-cased, and every one is kept as it is",
          "[nn][tokenizer]") {
    // Every two-byte character: those that change are the upper-case ones, and change only once.
    int changed = 0;
    for (int code = 0x80; code < 0x800; ++code) {
        const std::string one{static_cast<char>(0xC0 | (code >> 6)),
                              static_cast<char>(0x80 | (code & 0x3F))};
        if (code == 0x85 || code == 0xA0) continue;
        CHECK(split(one, Punctuation::keep, false) == Words{one});
        if (lower(one) == one) continue;
        ++changed;
        CHECK(lower(lower(one)) == lower(one));
        CHECK(code < 0x180);
    }
    CHECK(changed == 30 + 63);
    for (const std::string one : {"\xE0\xA0\x80", "\xED\x9F\xBF", "\xEE\x80\x80", "\xEF\xBF\xBF",
                                  "\xF0\x90\x80\x80", "\xF4\x8F\xBF\xBF"}) {
        CHECK(lower(one) == one);
    }
}

TEST_CASE("invalid UTF-8 is rejected, with the byte", "[nn][tokenizer]") {
    CHECK(error_of({"fine", "caf\xE9 au lait"}) ==
          "WordTokenizer: byte 3 of document 1 is 0xE9, which does not begin a UTF-8 character; "
          "convert the text to UTF-8");
    const WordTokenizer tokenizer(documents);
    CHECK(message_of<std::invalid_argument>([&] { tokenizer.encode("a\xFF"); }) ==
          "WordTokenizer: byte 1 of the text is 0xFF, which does not begin a UTF-8 character; "
          "convert the text to UTF-8");
    CHECK_THROWS_WITH(tokenizer.encode_batch({"a", "\x80"}, 0), Contains("byte 0 of text 1 is"));
    CHECK_THROWS_WITH(tokenizer.id("\x80"), Contains("byte 0 of the word is 0x80"));
    // Truncated, overlong, a surrogate, beyond Unicode, a wrong continuation.
    for (const std::string wrong :
         {"\xC3", "\xE2\x82", "\xC0\xAF", "\xC1\xBF", "\xE0\x9F\xBF", "\xF0\x8F\xBF\xBF",
          "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xC3\x28", "\xF0\x9F\x98"}) {
        CHECK_THROWS_AS(tokenizer.words(wrong), std::invalid_argument);
    }
}

TEST_CASE("a vocabulary without words is refused", "[nn][tokenizer]") {
    CHECK(error_of({}) ==
          "WordTokenizer: there are no documents, and a vocabulary needs at least one");
    CHECK(error_of({"", " \n"}) ==
          "WordTokenizer: the documents contain no words, and a vocabulary needs at least one");
    CHECK(error_of({"?!"}, {.punctuation = Punctuation::drop, .unknown = "[UNK]"}) ==
          "WordTokenizer: the documents contain no words, and a vocabulary needs at least one");
    CHECK(error_of_list({}) ==
          "WordTokenizer: the vocabulary is empty; it needs at least one word");
}

TEST_CASE("an unknown token that could be a word of a text is rejected", "[nn][tokenizer]") {
    CHECK(error_of(documents, {.unknown = "test"}) ==
          "WordTokenizer: the unknown token \"test\" is a word in the documents; choose one that "
          "no text contains, such as \"[UNK]\"");
    CHECK(error_of(documents, {.unknown = "no word"}) ==
          "WordTokenizer: the unknown token, \"no word\", contains a space; words must not");
    CHECK(error_of(documents, {.unknown = "no\xC2\xA0word"}) ==
          "WordTokenizer: the unknown token, \"no\xC2\xA0word\", contains a space; words must not");
    CHECK(error_of(documents, {.unknown = ""}) == "WordTokenizer: the unknown token is empty");
    CHECK_THROWS_WITH(WordTokenizer(documents, {.unknown = "\xFF"}),
                      Contains("byte 0 of the unknown token is 0xFF"));
}

TEST_CASE("a tokenizer can be rebuilt from its vocabulary", "[nn][tokenizer]") {
    const WordTokenizerOptions options{.punctuation = Punctuation::drop, .unknown = "[UNK]"};
    const WordTokenizer original(documents, options);
    const WordTokenizer again =
        WordTokenizer::from_vocabulary(original.vocabulary(), original.options());
    CHECK(again.vocabulary() == original.vocabulary());
    CHECK(tensor::same_entries(again.encode("A test, wibble"), IndexTensor({7, 16, 0})));
    CHECK(tensor::same_entries(original.encode("A test, wibble"), IndexTensor({7, 16, 0})));

    const WordTokenizer padded =
        WordTokenizer::from_vocabulary({"[PAD]", "b", "[UNK]", "a"}, {.unknown = "[UNK]"});
    CHECK(tensor::same_entries(padded.encode("a B c"), IndexTensor({3, 1, 2})));
    CHECK(padded.id("[PAD]") == 0);
}

TEST_CASE("an invalid vocabulary is rejected", "[nn][tokenizer]") {
    CHECK(error_of_list({"a", "b", "c", "b"}) == "WordTokenizer: \"b\" is in the vocabulary twice, "
                                                 "with the ids 1 and 3; each word has one id");
    CHECK(error_of_list({"a", ""}) == "WordTokenizer: word 1 of the vocabulary is empty");
    CHECK(error_of_list({"a", "b c"}) ==
          "WordTokenizer: word 1 of the vocabulary, \"b c\", contains a space; words must not");
    CHECK(error_of_list({"a", "b"}, {.unknown = "[UNK]"}) ==
          "WordTokenizer: the unknown token \"[UNK]\" is not in the vocabulary; add it to the "
          "list, at the index that is its id");
    CHECK(error_of_list({"\xE9"}) ==
          "WordTokenizer: byte 0 of word 0 of the vocabulary is 0xE9, which does not begin a UTF-8 "
          "character; convert the text to UTF-8");
}

TEST_CASE("an id without a word is rejected", "[nn][tokenizer]") {
    const WordTokenizer tokenizer(documents);
    CHECK(message_of<std::out_of_range>([&] {
              tokenizer.decode(IndexTensor({3, 16}));
          }) ==
          "WordTokenizer: id 16 at [1] is out of range: there are 16 words, numbered 0 to 15");
    CHECK(message_of<std::out_of_range>([&] { tokenizer.text_of(IndexTensor({-1})); }) ==
          "WordTokenizer: id -1 at [0] is out of range: there are 16 words, numbered 0 to 15");
    CHECK(message_of<std::out_of_range>([&] { tokenizer.word(16); }) ==
          "WordTokenizer: id 16 is out of range: there are 16 words, numbered 0 to 15");
    CHECK(message_of<std::out_of_range>([&] { tokenizer.word(-1); }) ==
          "WordTokenizer: id -1 is out of range: there are 16 words, numbered 0 to 15");
    CHECK(message_of<ShapeError>([&] {
              tokenizer.decode(IndexTensor({{1, 2}}));
          }) ==
          "WordTokenizer: ids has shape [1, 2]; decode takes one row of ids, [T]: ids.select(b) is "
          "row b");
    CHECK_THROWS_WITH(tokenizer.decode(IndexTensor({2}, Shape{})), Contains("ids has shape []"));
}

TEST_CASE("texts of different length become one padded table", "[nn][tokenizer]") {
    const WordTokenizer tokenizer(documents);
    const TokenBatch batch = tokenizer.encode_batch({"a test", "", "this is an example"}, 16);
    CHECK(tensor::same_entries(batch.ids,
                               IndexTensor({{6, 15, 16, 16}, {16, 16, 16, 16}, {0, 1, 2, 3}})));
    CHECK(batch.lengths == std::vector<std::int64_t>{2, 0, 4});
    CHECK(Mask::padding(batch.lengths, 4).allows({0, 0, 0, 1}));
    CHECK_FALSE(Mask::padding(batch.lengths, 4).allows({0, 0, 0, 2}));
    CHECK(tokenizer.encode_batch({"", " "}, 0).ids.shape() == Shape{2, 0});

    CHECK(message_of<std::invalid_argument>([&] { tokenizer.encode_batch({}, 0); }) ==
          "WordTokenizer: there are no texts to encode");
    for (const std::int64_t wrong : {-1, 17}) {
        CHECK(message_of<std::invalid_argument>([&] { tokenizer.encode_batch({"a"}, wrong); }) ==
              text("WordTokenizer: padding_id is ", wrong,
                   "; it must be a word's id, 0 to 15, or 16 for a row of its own"));
    }
    CHECK_THROWS_WITH(tokenizer.encode_batch({"a x", "y an x"}, 0),
                      Contains("\"x\", \"y\" are not in the vocabulary"));
}

TEST_CASE("random texts can be decoded from their ids", "[nn][tokenizer]") {
    const Words alphabet = {"a", "Z", "é", "Ñ", "日", "😀", "_",  "7",        ".",
                            ",", "'", "’", "¿", "…",  " ", "\n", "\xC2\xA0", "\xE2\x80\x89"};
    Random random(5);
    for (int round = 0; round < 200; ++round) {
        Words texts;
        for (int i = 0; i < 3; ++i) {
            std::string text = "a";
            for (std::int64_t length = random.below(30); length > 0; --length) {
                text += alphabet[static_cast<std::size_t>(
                    random.below(static_cast<std::int64_t>(alphabet.size())))];
            }
            texts.push_back(text);
        }
        const WordTokenizerOptions options{.lower_case = random.below(2) == 1,
                                           .punctuation = static_cast<Punctuation>(round % 3)};
        const WordTokenizer tokenizer(texts, options);
        for (const std::string& text : texts) {
            const Words words = tokenizer.words(text);
            const IndexTensor ids = tokenizer.encode(text);
            const Words back = tokenizer.decode(ids);
            const bool holds = !words.empty() && back == words &&
                               tokenizer.encode(tokenizer.text_of(ids)).numel() >= ids.numel() &&
                               tokenizer.unknown_words(text).empty();
            INFO("round " << round << ": " << text);
            CHECK(holds);
        }
    }
}
