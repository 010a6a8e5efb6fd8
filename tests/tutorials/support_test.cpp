// Options and sentences, which the tutorials share.
#include "tests/catch.h"
#include "tests/tutorials/command_line.h"

#include "tensor/ops.h"
#include "tutorials/support/options.h"
#include "tutorials/support/word_vectors.h"

using namespace tutorial;

namespace {
Description with_words() { return {"prog", "subject", {{"--file", "TEXT", "a file"}}, "WORD..."}; }

}  // namespace

TEST_CASE("options take a seed in both spellings and words where a program takes them",
          "[tutorials][options]") {
    CHECK(parse(with_words(), {}).seed() == 1);
    CHECK(parse(with_words(), {"--seed", "7"}).seed() == 7);
    CHECK(parse(with_words(), {"--seed=18446744073709551615"}).seed() == UINT64_MAX);
    CHECK(parse(with_words(), {"king", "queen"}).words().size() == 2);
    CHECK(parse(with_words(), {"--file=x y"}).value("--file") == "x y");
    CHECK(parse(with_words(), {"--help"}).help());
    CHECK_THAT(usage(with_words()), Contains("usage: prog [options] [WORD...]"));
    CHECK_THAT(usage(with_words()), Contains("--file TEXT"));
    CHECK_THAT(usage(with_words()), Contains("--color WHEN") && Contains("auto, always or never"));
}

TEST_CASE("unknown options are rejected with a clear message", "[tutorials][options]") {
    const Description no_words = {"prog", "subject"};
    CHECK_THROWS_WITH(parse(no_words, {"--nonsense"}), "there is no option \"--nonsense\"");
    CHECK_THROWS_WITH(parse(no_words, {"--\x1b[31mred=\n"}),
                      "there is no option \"--\\x1b[31mred\"");
    CHECK_THROWS_WITH(parse(no_words, {"\x1b]0;title\x07"}),
                      Contains("\"\\x1b]0;title\\x07\" is not understood"));
    CHECK_THROWS_WITH(parse(no_words, {"--seed", "\r1"}), Contains("not \"\\x0d1\""));
    CHECK_THROWS_WITH(parse(no_words, {"--color", "größer\x1b"}), Contains("not \"größer\\x1b\""));
    CHECK_THROWS_WITH(parse(no_words, {"--file", "x"}), "there is no option \"--file\"");
    CHECK_THROWS_WITH(parse(no_words, {"word"}), Contains("\"word\" is not understood"));
    CHECK_THROWS_WITH(parse(no_words, {"--seed"}), "--seed needs a value after it");
    for (const std::string seed : {"-1", "1.5", "", "seven", "18446744073709551616", "7x"}) {
        CHECK_THROWS_WITH(parse(no_words, {"--seed", seed}),
                          Contains("--seed takes a whole number from 0") && Contains(seed));
    }
}

TEST_CASE("every lesson takes --short, and those that train list it", "[tutorials][options]") {
    const Description trains = {.name = "prog", .subject = "subject", .trains = true};
    CHECK(!parse(trains, {}).is_short());
    CHECK(parse(trains, {"--short"}).is_short());
    CHECK_THROWS_WITH(parse(trains, {"--short=1"}), "--short takes no value");
    CHECK_THAT(usage(trains), Contains("  --short           end where the first training"));
    const Description no_words = {"prog", "subject"};
    CHECK(parse(no_words, {"--short"}).is_short());
    CHECK_THAT(usage(no_words), !Contains("--short"));
}

TEST_CASE("--stop and --predict are switches, alone or together", "[tutorials][options]") {
    const Description no_words = {"prog", "subject"};
    CHECK(!parse(no_words, {}).stop());
    CHECK(!parse(no_words, {}).predict());
    CHECK(parse(no_words, {"--stop"}).stop());
    CHECK(!parse(no_words, {"--stop"}).predict());
    CHECK(parse(no_words, {"--predict"}).predict());
    CHECK(!parse(no_words, {"--predict"}).stop());
    const Options both = parse(with_words(), {"--predict", "king", "--stop", "--seed", "3"});
    CHECK((both.stop() && both.predict() && both.seed() == 3 && both.words().size() == 1));
    CHECK_THROWS_WITH(parse(no_words, {"--stop=08.3"}), "--stop takes no value");
    CHECK_THROWS_WITH(parse(no_words, {"--predict="}), "--predict takes no value");
    CHECK_THROWS_WITH(parse(no_words, {"--help=me"}), "--help takes no value");
    CHECK_THROWS_WITH(parse(no_words, {"--stops"}), "there is no option \"--stops\"");
    CHECK_THAT(usage(no_words), Contains("  --stop            pause at the named stops") &&
                                    Contains("  --predict         ask what will come"));
}

TEST_CASE("options take a colour in both spellings and refuse any other", "[tutorials][options]") {
    const Description no_words = {"prog", "subject"};
    CHECK(parse(no_words, {}).color() == ColorChoice::automatic);
    CHECK(parse(no_words, {"--color", "auto"}).color() == ColorChoice::automatic);
    CHECK(parse(no_words, {"--color", "always"}).color() == ColorChoice::always);
    CHECK(parse(no_words, {"--color=never"}).color() == ColorChoice::never);
    CHECK_THROWS_AS(parse(no_words, {"--color", "blue"}), UsageError);
    for (const std::string color : {"blue", "", "Always", "always ", "1"}) {
        CHECK_THROWS_WITH(parse(no_words, {"--color", color}),
                          "--color takes auto, always or never, not \"" + color + "\"");
    }
    CHECK_THROWS_WITH(parse(no_words, {"--color"}), "--color needs a value after it");
}

TEST_CASE("a sentence comes from the words or from the first sentence of a file",
          "[tutorials][sentence]") {
    const std::vector<std::string> words = sentence_of(parse(with_words(), {"a king,", "b"}));
    CHECK(words == std::vector<std::string>{"a", "king,", "b"});
    const TemporaryFile file("The king\n  and (the queen.) Then nothing.");
    const std::vector<std::string> first = sentence_of(parse(with_words(), {"--file", file.path}));
    CHECK(first == std::vector<std::string>{"The", "king", "and", "(the", "queen.)"});

    const TemporaryFile empty(" \n ");
    CHECK_THROWS_WITH(sentence_of(parse(with_words(), {"--file", empty.path})),
                      Contains("has no words"));
    CHECK_THROWS_WITH(sentence_of(parse(with_words(), {"--file", "/no/such/file"})),
                      "the file \"/no/such/file\" cannot be read: there is no such file");
    CHECK_THROWS_WITH(sentence_of(parse(with_words(), {"--file", file.path, "word"})),
                      "give words or --file, not both");
}

TEST_CASE("words are compared in lower case and without punctuation, unknown ones named once",
          "[tutorials][sentence]") {
    CHECK(plain_word("(Cabinet,") == "cabinet");
    CHECK(plain_word("...") == "");
    CHECK(plain_word("don't") == "don't");
    const KnownWords known =
        known_words({"A", "King,", "a", "queen", "king", "wibble"}, compiled_in_word_vectors());
    CHECK(known.words == std::vector<std::string>{"king", "queen", "king"});
    CHECK(known.rows == std::vector<std::int64_t>{0, 1, 0});
    CHECK(known.unknown == std::vector<std::string>{"A", "wibble"});
}

TEST_CASE("the vectors of known words are rows of a tensor", "[tutorials][sentence]") {
    const WordVectors vectors({"a", "b", "c"}, 2, {1, 2, 3, 4, 5, 6.5});
    const KnownWords known = known_words({"c", "x", "a", "C."}, vectors);
    CHECK(heed::tensor::same_bits(vectors_of(known, vectors),
                                  heed::tensor::of({{5, 6.5}, {1, 2}, {5, 6.5}})));
    CHECK(vectors_of({}, vectors).shape() == heed::Shape{0, 2});
    CHECK_THROWS_WITH(
        vectors_of(known_words({"king", "cabinet"}, compiled_in_word_vectors()), WordVectors{}),
        Contains("vectors_of: there is no row 0 in a table of 0 words"));
}
