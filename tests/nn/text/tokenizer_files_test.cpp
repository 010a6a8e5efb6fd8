// load_tokenizer(): which files a folder has, and what is wrong with one.
#include "nn/text/split.h"

#include "tests/catch.h"
#include "tests/nn/text/tokenizer_files.h"

#include <filesystem>

using namespace heed;

namespace {
namespace fs = std::filesystem;

std::string refused(const JsonFile& json) {
    return TokenizerFolder().with("tokenizer.json", json.text()).refused();
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
    const std::size_t at = text.find(from);
    REQUIRE(at != text.npos);
    return text.replace(at, from.size(), to);
}

const std::string in_json = "load_tokenizer: \"tokenizer.json\": ";

// A vocab.json of the byte letters and what else is given.
std::string vocabulary(const std::vector<std::string>& more = {}) {
    std::vector<std::string> tokens = byte_level_tokens();
    tokens.resize(256);
    tokens.insert(tokens.end(), more.begin(), more.end());
    return json_of(tokens);
}

}  // namespace

TEST_CASE("GPT-2's older files are read", "[nn][tokenizer][files]") {
    TokenizerFolder folder;
    folder.with("vocab.json", json_of(byte_level_tokens())).with("merges.txt", merges_txt());
    const Tokenizer tokenizer = folder.load();
    for (const auto& [text, ids] : reference_texts("byte_level")) {
        CHECK(listed(tokenizer.encode(text)) == ids);
    }
    CHECK(!tokenizer.special().eos);
    CHECK(listed(read_byte_pairs(folder.file("vocab.json"), folder.file("merges.txt"))
                     .encode("the table")) == listed(tokenizer.encode("the table")));

    std::vector<std::string> tokens = byte_level_tokens();
    const std::int64_t end = static_cast<std::int64_t>(tokens.size());
    tokens.push_back("<|endoftext|>");
    folder.with("vocab.json", json_of(tokens));
    CHECK(folder.load().special().bos == end);
    CHECK(folder.load().special().eos == end);
    CHECK(listed(folder.load().encode("<|endoftext|>", {.special_in_text = true})) == Ids{end});
    folder.with("tokenizer_config.json",
                R"({"tokenizer_class": "GPT2Tokenizer", "add_bos_token": true,
                    "add_prefix_space": true, "pad_token": {"content": "!"}})");
    CHECK(folder.load().special().pad == 0);
    CHECK(listed(folder.load().encode("", {.add_special = true})) == Ids{end});
    CHECK(folder.load().text_of(folder.load().encode("the")) == " the");
    folder.with("merges.txt", replaced(merges_txt(), "#version: 0.2\n", "") + "\n");
    CHECK(listed(folder.load().encode(" the")) == listed(tokenizer.encode(" the")));
}

TEST_CASE("BERT's older file is read", "[nn][tokenizer][files]") {
    TokenizerFolder folder;
    folder.with("vocab.txt", vocab_txt());
    const Tokenizer uncased = folder.load();
    for (const auto& [text, ids] : reference_texts("uncased")) {
        INFO(text);
        CHECK(listed(uncased.encode(text)) == ids);
    }
    CHECK(uncased.special().pad == 0);
    CHECK(uncased.special().unk == 1);
    CHECK(uncased.special().cls == 2);
    CHECK(uncased.special().sep == 3);
    CHECK(uncased.special().mask == 4);
    CHECK(!uncased.special().bos);
    CHECK(listed(uncased.encode("t", {.add_special = true})) == Ids{2, uncased.id("t"), 3});
    CHECK(listed(uncased.encode_pair("t", "t").types) == Ids{0, 0, 0, 1, 1});
    CHECK(listed(uncased.encode("t [MASK]", {.special_in_text = true}))[1] == 4);

    folder.with("tokenizer_config.json",
                R"({"tokenizer_class": "BertTokenizer", "do_lower_case": false})");
    const Tokenizer cased = folder.load();
    for (const auto& [text, ids] : reference_texts("cased")) {
        INFO(text);
        CHECK(listed(cased.encode(text)) == ids);
    }
    CHECK(listed(read_word_pieces(folder.file("vocab.txt"),
                                  {.lower_case = false, .strip_accents = false})
                     .encode("The")) == Ids{cased.id("The")});
    // Accents can stay where the case goes, and lines may end as in Windows.
    folder.with("tokenizer_config.json", R"({"strip_accents": false})");
    CHECK(listed(folder.load().encode("\u00c9")) == Ids{uncased.id("\u00e9")});
    folder.with("vocab.txt", "[UNK]\r\nt\r\n");
    CHECK(folder.load().size() == 2);
    CHECK(listed(folder.load().encode("t", {.add_special = true})) == Ids{1});
}

TEST_CASE("special tokens have the tasks that the folder's files give them",
          "[nn][tokenizer][files]") {
    TokenizerFolder folder;
    folder.with("tokenizer.json", fallback_file().text());
    folder.with("special_tokens_map.json",
                R"({"pad_token": "</s>", "bos_token": {"content": "t"}})");
    CHECK(folder.load().special().pad == 2);
    CHECK(folder.load().token(*folder.load().special().bos) == "t");
    CHECK(folder.load().special().eos == 2);
    folder.with("tokenizer_config.json", R"({"pad_token": "<unk>", "bos_token": null})");
    CHECK(folder.load().special().pad == 0);  // the first that says something
    folder.with("tokenizer_config.json", R"({"sep_token": "[nowhere]"})");
    CHECK(folder.refused() == "load_tokenizer: \"tokenizer_config.json\": \"sep_token\" is "
                              "\"[nowhere]\", which the vocabulary lacks");
    folder.with("tokenizer_config.json", "{");
    CHECK_THAT(folder.refused(), Contains("json: \"tokenizer_config.json\", line 1, column 2"));
}

TEST_CASE("a folder without a tokenizer's files is refused", "[nn][tokenizer][files]") {
    TokenizerFolder folder;
    CHECK(folder.refused() ==
          "load_tokenizer: \"\": it has neither tokenizer.json nor vocab.json nor vocab.txt");
    folder.with("tokenizer.model", "x");
    CHECK_THAT(folder.refused(), Contains("its tokenizer.model is SentencePiece's, which is not "
                                          "read: save it as tokenizer.json"));
    folder.with("vocab.json", vocabulary());
    CHECK(folder.refused() == "read: \"merges.txt\": there is no such file");
    CHECK(message_of<std::runtime_error>([&] { load_tokenizer(folder.file("none")); }) ==
          "load_tokenizer: \"" + folder.file("none") + "\": there is no such folder");
    CHECK(message_of<std::runtime_error>([&] { load_tokenizer(folder.file("vocab.json")); }) ==
          "load_tokenizer: \"" + folder.file("vocab.json") + "\": this is not a folder");
    fs::create_directory(folder.file("tokenizer.json"));
    CHECK(folder.refused() == "read: \"tokenizer.json\": this is a folder, not a file");
}

#ifndef _WIN32
TEST_CASE("a tokenizer that one may not read is refused", "[nn][tokenizer][files]") {
    if (::getuid() == 0) return;  // root may
    TokenizerFolder folder;
    folder.with("tokenizer.json", fallback_file().text());
    fs::permissions(folder.file("tokenizer.json"), fs::perms::none);
    CHECK(folder.refused() == "read: \"tokenizer.json\": Permission denied");
}
#endif

TEST_CASE("a cut off or empty tokenizer.json is refused", "[nn][tokenizer][files]") {
    const std::string whole = byte_level_file().text();
    CHECK_THAT(
        TokenizerFolder().with("tokenizer.json", whole.substr(0, whole.size() / 2)).refused(),
        Contains("json: \"tokenizer.json\", line"));
    CHECK_THAT(TokenizerFolder().with("tokenizer.json", "").refused(),
               Contains("the text ends in the middle of a value"));
    CHECK(TokenizerFolder().with("tokenizer.json", "{}").refused() ==
          "json: \"tokenizer.json\": there is no \"model\"");
    CHECK(TokenizerFolder().with("tokenizer.json", "[]").refused() ==
          "json: \"tokenizer.json\": there is no \"model\"");
}

TEST_CASE("ids that are not those of a vocabulary are refused", "[nn][tokenizer][files]") {
    JsonFile file = fallback_file();
    const std::string vocab = file.vocab;
    file.vocab = replaced(vocab, "\"<0x05>\": 8", "\"<0x05>\": 7");
    CHECK(refused(file) == in_json + "the tokens \"<0x04>\" and \"<0x05>\" have the same id, 7");
    file.vocab = replaced(vocab, "\"<0x05>\": 8", "\"<0x05>\": 100008");
    CHECK(refused(file) == in_json +
                               "the token \"<0x06>\" has the id 9, but no token has the id 8; "
                               "ids must be 0, 1, 2 and so on");
    file.vocab = replaced(vocab, "\"<0x05>\": 8", "\"<0x05>\": -8");
    CHECK(refused(file) == in_json + "the token \"<0x05>\" has the id -8; ids begin at 0");
    file.vocab = replaced(vocab, "\"<0x05>\": 8", "\"<0x05>\": 8.5");
    CHECK(refused(file) ==
          "json: \"tokenizer.json\": \"<0x05>\" must be a whole number of 64 bits");
    file.vocab = replaced(vocab, "\"<0x05>\": 8", "\"<0x04>\": 8");
    CHECK_THAT(refused(file), Contains("the name \"<0x04>\" is there already"));
    file.vocab = vocab;
    file.added = R"([{"id": 3, "content": "<s>", "special": true}])";
    CHECK(refused(file) == in_json + "the tokens \"<0x00>\" and \"<s>\" have the same id, 3");
    const std::int64_t size = static_cast<std::int64_t>(reference_tokens("fallback_tokens").size());
    file.added = text(R"([{"id": )", size, R"(, "content": "<s>", "special": true}])");
    CHECK(refused(file) == in_json + text("the token \"<s>\" has two ids, 1 and ", size));
    file.added = "[]";
    file.vocab = "{}";
    CHECK(refused(file) == in_json + "the vocabulary is empty");
    file.vocab = "[]";
    CHECK(refused(file) == "json: \"tokenizer.json\": \"vocab\" must be an object");
}

TEST_CASE("a vocabulary without bytes is refused", "[nn][tokenizer][files]") {
    JsonFile file = byte_level_file();
    file.vocab = replaced(file.vocab, "\"Ġ\"", "\"blank\"");
    file.merges = "[]";
    CHECK(refused(file) == in_json +
                               "the vocabulary lacks \"Ġ\", the letter of byte 32; byte-level "
                               "BPE needs all 256");
    JsonFile fallback = fallback_file();
    fallback.vocab = replaced(fallback.vocab, "\"<0xFF>\"", "\"<0xff>\"");
    CHECK(refused(fallback) ==
          in_json + "the vocabulary lacks \"<0xFF>\"; byte fallback needs all 256 bytes");
    JsonFile pieces = word_piece_file(true);
    pieces.type = R"("type": "WordPiece", "unk_token": "[unknown]")";
    CHECK(refused(pieces) == in_json +
                                 "the vocabulary lacks \"[unknown]\", the token for words that "
                                 "have no pieces");
    CHECK(TokenizerFolder().with("vocab.txt", "[PAD]\na\n").refused() ==
          "load_tokenizer: \"vocab.txt\": the vocabulary lacks \"[UNK]\", the token for words that "
          "have no pieces");
}

TEST_CASE("merges that are wrong are refused", "[nn][tokenizer][files]") {
    JsonFile file = byte_level_file();
    const auto with = [&](const std::string& merges) {
        file.merges = merges;
        return refused(file);
    };
    CHECK(with(R"(["h e", "q z"])") == in_json +
                                           "merge 1 joins \"q\" and \"z\", but the vocabulary "
                                           "lacks \"qz\"");
    CHECK(with(R"(["nowhere h"])") == in_json + "merge 0 joins \"nowhere\" and \"h\", but the "
                                                "vocabulary lacks \"nowhere\"");
    CHECK(with(R"(["th"])") == in_json + "merge 0 is \"th\"; it must be two tokens and a blank");
    CHECK(with(R"(["t h e"])") ==
          in_json + "merge 0 is \"t h e\"; it must be two tokens and a blank");
    CHECK(with(R"([["t", "h", "e"]])") == in_json + "merge 0 has 3 tokens instead of two");
    CHECK(with(R"(["h e", "r e", "h e"])") ==
          in_json + "merge 2 joins \"h\" and \"e\", which merge 0 joins already");
    CHECK(with("[7]") == "json: \"tokenizer.json\": \"merge 0\" must be an array");
    CHECK(with("") == "json: \"tokenizer.json\": there is no \"merges\"");

    const auto text_with = [&](const std::string& merges) {
        return TokenizerFolder()
            .with("vocab.json", vocabulary({"th"}))
            .with("merges.txt", merges)
            .refused();
    };
    const std::string in_text = "load_tokenizer: \"merges.txt\": ";
    CHECK(text_with("#version: 0.2\nt h\nth\n") ==
          in_text + "line 3 is \"th\"; it must be two tokens and a blank");
    CHECK(text_with("t h\n\nt h\n") ==
          in_text + "line 2 is \"\"; it must be two tokens and a blank");
    CHECK(text_with("t h x") == in_text + "line 1 is \"t h x\"; it must be two tokens and a blank");
    CHECK(text_with("t h\nt h\n") ==
          in_text + "line 2 joins \"t\" and \"h\", which line 1 joins already");
    CHECK(text_with("t \xFF") ==
          in_text + "line 1 joins \"t\" and \"\\xff\", but the vocabulary lacks \"\\xff\"");
}

TEST_CASE("a setting that is not supported is refused by its name", "[nn][tokenizer][files]") {
    const auto with = [](JsonFile file, std::string JsonFile::*part, const std::string& text) {
        file.*part = text;
        return refused(file);
    };
    const auto type = &JsonFile::type, added = &JsonFile::added, normalizer = &JsonFile::normalizer,
               pre_tokenizer = &JsonFile::pre_tokenizer, post_processor = &JsonFile::post_processor,
               decoder = &JsonFile::decoder;
    const JsonFile gpt2 = byte_level_file(), llama = fallback_file(), bert = word_piece_file(true);
    const auto step = [](const std::string& name) { return R"({"type": ")" + name + "\"}"; };
    const auto refuses = [](const std::string& what) {
        return in_json + what + " is not supported";
    };

    CHECK(with(gpt2, type, R"("type": "Unigram")") ==
          in_json + "the model \"Unigram\" is not supported; BPE and WordPiece are");
    CHECK(with(gpt2, pre_tokenizer, "null") ==
          in_json +
              "BPE must have either the pre-tokenizer \"ByteLevel\" or byte_fallback; this has "
              "none");
    CHECK(with(gpt2, type, R"("type": "BPE", "byte_fallback": true)") ==
          in_json +
              "BPE must have either the pre-tokenizer \"ByteLevel\" or byte_fallback; this has "
              "both");
    CHECK(with(gpt2, type, R"("type": "BPE", "dropout": 0.1)") == refuses("BPE with \"dropout\""));
    CHECK(with(gpt2, type, R"("type": "BPE", "end_of_word_suffix": "</w>")") ==
          refuses("BPE with \"end_of_word_suffix\""));
    CHECK(with(gpt2, type, R"("type": "BPE", "continuing_subword_prefix": "##")") ==
          refuses("BPE with \"continuing_subword_prefix\""));
    for (const JsonFile& file : {gpt2, bert}) {
        CHECK(with(file, normalizer, step("NFKC")) == refuses("the normalizer \"NFKC\""));
    }
    CHECK(with(llama, normalizer, step("NFKC")) ==
          refuses("the normalizer \"NFKC\" with byte fallback"));
    CHECK(with(llama, normalizer, R"({"type": "Prepend", "prepend": "_"})") ==
          refuses("the normalizer \"Prepend\" with byte fallback"));
    CHECK(with(llama, normalizer, R"({"type": "Prepend", "prepend": "▁"})") ==
          refuses("byte fallback without ▁ for blanks"));
    const auto pre_tokenizers = [&](const std::string& steps) {
        return with(gpt2, pre_tokenizer,
                    R"({"type": "Sequence", "pretokenizers": [)" + steps + "]}");
    };
    const std::string level = gpt2.pre_tokenizer;
    CHECK(pre_tokenizers(step("Whitespace") + ", " + level) ==
          refuses("the pre-tokenizer \"Whitespace\""));
    CHECK(pre_tokenizers(level + ", " + step("Digits")) ==
          refuses("the pre-tokenizer \"Digits\" with another before it"));
    CHECK(pre_tokenizers(level + ", " + level) ==
          refuses("the pre-tokenizer \"ByteLevel\" with another before it"));
    const auto split = [&](const std::string& pattern, const std::string& behavior) {
        return pre_tokenizers(R"({"type": "Split", "pattern": {"Regex": )" + json_string(pattern) +
                              R"(}, "behavior": )" + behavior + "}, " + level);
    };
    CHECK(split("x+", R"("Isolated")") ==
          refuses("the pre-tokenizer \"Split\" with the pattern \"x+\""));
    const std::string known(pattern_of(TextSplit::qwen2));
    CHECK(split(known, R"("Removed")") ==
          refuses("the pre-tokenizer \"Split\" with behavior \"Removed\""));
    CHECK(split(known, R"("Contiguous", "invert": true)") ==
          refuses("the pre-tokenizer \"Split\" with behavior \"Contiguous\" and invert"));
    CHECK(split(known, R"("Isolated")") ==
          refuses("the pre-tokenizer \"ByteLevel\" with use_regex after another pattern"));
    CHECK(with(gpt2, type, R"("dropout": null)") == "nothing was thrown");
    CHECK(with(bert, type, R"("unk_token": "[UNK]")") ==
          in_json + "the model has neither \"type\" nor \"continuing_subword_prefix\"");
    CHECK(with(bert, normalizer,
               R"({"type": "Sequence", "normalizers": [{"type": "BertNormalizer"},
                   {"type": "BertNormalizer"}]})") ==
          refuses("the normalizer \"BertNormalizer\" with another before it"));
    CHECK(with(bert, post_processor,
               R"({"type": "Sequence", "processors": [)" + bert.post_processor + ", " +
                   bert.post_processor + "]}") ==
          refuses("the post-processor \"BertProcessing\" with another before it"));
    CHECK(with(gpt2, post_processor,
               R"({"type": "TemplateProcessing", "special_tokens": {}, "single": []})") ==
          in_json + "the post-processor's \"single\" has no text");
    CHECK(with(llama, type, R"("type": "BPE", "byte_fallback": true, "ignore_merges": true)") ==
          refuses("byte fallback with \"ignore_merges\""));
    JsonFile newer = llama;
    newer.normalizer = "null";
    const auto metaspace = [&](const std::string& settings) {
        return with(newer, pre_tokenizer,
                    R"({"type": "Metaspace", "replacement": "▁")" + settings + "}");
    };
    const std::string its = "the pre-tokenizer \"Metaspace\" with ";
    CHECK(metaspace("") == refuses(its + "split"));
    CHECK(metaspace(R"(, "split": false, "prepend_scheme": "last")") ==
          refuses(its + "prepend_scheme \"last\""));
    CHECK(metaspace(R"(, "split": false, "add_prefix_space": false)") ==
          refuses(its + "add_prefix_space false and prepend_scheme \"always\""));
    CHECK(with(newer, pre_tokenizer, R"({"type": "Metaspace", "replacement": "_"})") ==
          refuses(its + "byte fallback"));
    CHECK(with(llama, decoder, replaced(llama.decoder, "\"▁\"", "\"_\"")) ==
          refuses("the decoder \"Replace\" with other than ▁ by a blank"));
    CHECK(with(llama, decoder, replaced(llama.decoder, "\"start\": 1", "\"start\": 2")) ==
          refuses("the decoder \"Strip\" with other than one blank at the beginning"));
    CHECK(with(gpt2, pre_tokenizer, R"({"type": "ByteLevel", "use_regex": false})") ==
          refuses("the pre-tokenizer \"ByteLevel\" with use_regex false and no pattern"));
    CHECK(with(llama, pre_tokenizer, step("Whitespace")) ==
          refuses("the pre-tokenizer \"Whitespace\" with byte fallback"));
    CHECK(with(bert, pre_tokenizer, step("Whitespace")) ==
          refuses("the pre-tokenizer \"Whitespace\""));
    CHECK(with(bert, pre_tokenizer, "null") == refuses("WordPiece without a pre-tokenizer"));
    CHECK(with(gpt2, post_processor, step("Other")) == refuses("the post-processor \"Other\""));
    CHECK(with(gpt2, decoder, step("Fuse")) == refuses("the decoder \"Fuse\" with byte-level BPE"));
    CHECK(with(llama, decoder, step("Fuse")) == refuses("the decoder \"Fuse\" with byte fallback"));
    CHECK(with(bert, decoder, R"({"type": "WordPiece", "prefix": "@@"})") ==
          refuses("the decoder \"WordPiece\" with WordPiece"));
    CHECK(with(bert, post_processor,
               R"({"type": "BertProcessing", "sep": ["[SEP]", 9999], "cls": ["[CLS]", 2]})") ==
          in_json + "the post-processor adds the id 9999, which no token has");
    CHECK(with(bert, post_processor,
               R"({"type": "BertProcessing", "sep": ["[SEP]"], "cls": ["[CLS]", 2]})") ==
          in_json + "the post-processor's \"sep\" is no pair");
    CHECK(with(llama, post_processor,
               R"({"type": "TemplateProcessing", "special_tokens": {},
                   "single": [{"Sequence": {"id": "B", "type_id": 0}}], "pair": []})") ==
          in_json + "the post-processor's \"single\" asks for the text \"B\"");
    CHECK(with(gpt2, added, R"([{"id": 1, "content": "\"", "single_word": true}])") ==
          in_json + "the added token \"\"\" asks for single_word, which is not supported");
    CHECK(with(llama, added, R"([{"id": 300, "content": "x", "normalized": true}])") ==
          in_json +
              "the added token \"x\" is to be looked for in the normalized text, which is not "
              "supported");
}

TEST_CASE("tokenizer_config.json must agree with tokenizer.json", "[nn][tokenizer][files]") {
    TokenizerFolder folder;
    folder.with("tokenizer.json", word_piece_file(true).text());
    const auto with = [&](const std::string& config) {
        const std::string begin = "load_tokenizer: \"tokenizer_config.json\": ";
        const std::string message = folder.with("tokenizer_config.json", config).refused();
        return message.substr(message.starts_with(begin) ? begin.size() : 0);
    };
    CHECK(with(R"({"do_lower_case": false})") ==
          "\"do_lower_case\" is false, but tokenizer.json has true");
    CHECK(with(R"({"do_lower_case": true, "strip_accents": null})") == "nothing was thrown");
    CHECK(with(R"({"added_tokens_decoder": {"2": {"content": "[CLS]"}}})") ==
          "the added token \"[CLS]\" of id 2 is missing or different in tokenizer.json");
    CHECK(with(R"({"additional_special_tokens": ["[MASK]"]})") ==
          "the additional special token \"[MASK]\" is not an added token of tokenizer.json");
    folder.without("tokenizer.json").with("vocab.txt", vocab_txt());
    CHECK(with(R"({"mask_token": {"content": "[MASK]"}})") == "nothing was thrown");
    CHECK_THAT(with(R"({"mask_token": {"content": "[MASK]", "normalized": true}})"),
               Contains("the added token \"[MASK]\" is to be looked for in the normalized text"));
    CHECK(with(R"({"never_split": ["a"]})") == "\"never_split\" is not supported");
    CHECK(with(R"({"do_basic_tokenize": null})") ==
          "\"do_basic_tokenize\": false is not supported");
    folder.with("added_tokens.json",
                text(R"({"new": )", reference_tokens("word_pieces").size(), "}"));
    CHECK_THAT(with("{}"), Contains("\"vocab.txt\": the added token \"new\" is to be looked for in "
                                    "the normalized text, which is not supported"));
}

TEST_CASE("older files that ask for more are refused", "[nn][tokenizer][files]") {
    TokenizerFolder folder;
    folder.with("vocab.json", vocabulary({"e</w>"})).with("merges.txt", "");
    CHECK(
        folder.refused() ==
        "load_tokenizer: \"vocab.json\": it has tokens such as \"e</w>\"; tokens that mark the end "
        "of a word are not supported");
    folder.with("vocab.json", vocabulary())
        .with("tokenizer_config.json", R"({"tokenizer_class": "RobertaTokenizer"})");
    CHECK(folder.refused() ==
          "load_tokenizer: \"tokenizer_config.json\": the tokenizer_class \"RobertaTokenizer\" is "
          "not read from vocab.json and merges.txt; save it as tokenizer.json");
    folder.without("vocab.json").with("vocab.txt", vocab_txt());
    CHECK_THAT(folder.refused(), Contains("is not read from vocab.txt; save it as tokenizer.json"));
    folder.with("tokenizer_config.json", R"({"do_basic_tokenize": false})");
    CHECK(folder.refused() == "load_tokenizer: \"tokenizer_config.json\": \"do_basic_tokenize\": "
                              "false is not supported");
    folder.with("tokenizer_config.json", R"({"added_tokens_decoder": {"x": {"content": "y"}}})");
    CHECK(folder.refused() ==
          "load_tokenizer: \"tokenizer_config.json\": the added token \"x\" is not an id");
    folder.with("tokenizer_config.json",
                text(R"({"added_tokens_decoder": {")", reference_tokens("word_pieces").size(),
                     R"(": {"content": "[NEW]", "special": true}}})"));
    CHECK(folder.load().encode("[NEW]", {.special_in_text = true}).numel() == 1);
    folder.without("tokenizer_config.json").with("vocab.txt", "[UNK]\na\nb\na\n");
    CHECK(folder.refused() ==
          "load_tokenizer: \"vocab.txt\": the token \"a\" has two ids, 1 and 3");
    folder.with("vocab.txt", "[UNK]\n\xFF\n");
    CHECK(folder.refused() == "load_tokenizer: \"vocab.txt\": line 2 is not UTF-8");
    folder.with("vocab.txt", "");
    CHECK(folder.refused() == "load_tokenizer: \"vocab.txt\": the vocabulary is empty");
}
