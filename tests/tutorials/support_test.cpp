// What the tutorials share: options, sentences, word vectors and the labelled grid.
#include "tests/catch.h"

#include "tensor/factories.h"
#include "tutorials/support/grid.h"
#include "tutorials/support/options.h"
#include "tutorials/support/sentence.h"
#include "tutorials/support/word_vectors.h"

#include <cmath>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <stdlib.h>
#include <unistd.h>

using namespace tutorial;

namespace {

Description with_words() { return {"prog", "subject", {{"--file", "TEXT", "a file"}}, "WORD..."}; }

Options parse(const Description& description, std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "prog");
    std::vector<char*> argv;
    for (std::string& argument : arguments) argv.push_back(argument.data());
    return Options(description, static_cast<int>(argv.size()), argv.data());
}

WordVectors read(const std::string& text) {
    std::istringstream in(text);
    return read_word_vectors(in, "some.txt");
}

double cosine(const std::string& a, const std::string& b) {
    const WordVectors& vectors = compiled_in_word_vectors();
    const std::size_t d = vectors.dimensions;
    double ab = 0, aa = 0, bb = 0;
    for (std::size_t i = 0; i < d; ++i) {
        const double x = vectors.numbers[vectors.row(a) * d + i];
        const double y = vectors.numbers[vectors.row(b) * d + i];
        ab += x * y;
        aa += x * x;
        bb += y * y;
    }
    return ab / std::sqrt(aa * bb);
}

std::string grid(const std::vector<std::string>& queries, const std::vector<std::string>& keys,
                 const heed::Mask& mask, const heed::Tensor& weights) {
    std::ostringstream out;
    print_grid(out, queries, keys, mask, weights);
    return out.str();
}

// A file that is removed again.
struct TemporaryFile {
    std::string path = "/tmp/heed_sentence_XXXXXX";
    explicit TemporaryFile(const std::string& text) {
        close(mkstemp(path.data()));
        std::ofstream(path) << text;
    }
    ~TemporaryFile() { std::remove(path.c_str()); }
};

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
}

TEST_CASE("options refuse what they do not know, in words", "[tutorials][options]") {
    const Description no_words = {"prog", "subject"};
    CHECK_THROWS_WITH(parse(no_words, {"--nonsense"}), "there is no option \"--nonsense\"");
    CHECK_THROWS_WITH(parse(no_words, {"--file", "x"}), "there is no option \"--file\"");
    CHECK_THROWS_WITH(parse(no_words, {"word"}), Contains("\"word\" is not understood"));
    CHECK_THROWS_WITH(parse(no_words, {"--seed"}), "--seed needs a value after it");
    for (const std::string seed : {"-1", "1.5", "", "seven", "18446744073709551616", "7x"}) {
        CHECK_THROWS_WITH(parse(no_words, {"--seed", seed}),
                          Contains("--seed takes a whole number from 0") && Contains(seed));
    }
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
                      Contains("holds no word"));
    CHECK_THROWS_WITH(sentence_of(parse(with_words(), {"--file", "/no/such/file"})),
                      "the file \"/no/such/file\" cannot be read");
    CHECK_THROWS_WITH(sentence_of(parse(with_words(), {"--file", file.path, "word"})),
                      "give words or --file, not both");
}

TEST_CASE("words are compared in lower case and without punctuation, unknown ones named once",
          "[tutorials][sentence]") {
    CHECK(plain_word("(Cabinet,") == "cabinet");
    CHECK(plain_word("...") == "");
    CHECK(plain_word("don't") == "don't");
    const KnownWords known =
        known_words({"The", "King,", "the", "queen", "king", "of"}, compiled_in_word_vectors());
    CHECK(known.words == std::vector<std::string>{"king", "queen", "king"});
    CHECK(known.rows == std::vector<std::int64_t>{0, 1, 0});
    CHECK(known.unknown == std::vector<std::string>{"The", "of"});
}

TEST_CASE("the compiled-in vectors have the cosines they are known for", "[tutorials][vectors]") {
    CHECK(compiled_in_word_vectors().words.size() == 52);
    CHECK(compiled_in_word_vectors().dimensions == 100);
    CHECK(cosine("king", "queen") == Approx(0.751).margin(0.0005));
    CHECK(cosine("apple", "computers") == Approx(0.574).margin(0.0005));
    CHECK(cosine("king", "steak") == Approx(0.126).margin(0.0005));
    CHECK_THROWS_WITH(compiled_in_word_vectors().row("i"),
                      Contains("no vector for the word \"i\""));
}

TEST_CASE("word vectors in text form are read, or refused with the line", "[tutorials][vectors]") {
    const WordVectors two = read("2 3\nking 1 -2.5 3e-1\nqueen 4 5 6\n");
    CHECK(two.words == std::vector<std::string>{"king", "queen"});
    CHECK(two.numbers == std::vector<double>{1, -2.5, 0.3, 4, 5, 6});
    CHECK_THROWS_WITH(read("king 1 2"), Contains("some.txt, line 1: the header must be"));
    CHECK_THROWS_WITH(read("1 3\nking 1 2"),
                      "some.txt, line 2: a word and 3 numbers are expected, 2 numbers found");
    CHECK_THROWS_WITH(read("1 2\nking 1 two"), "some.txt, line 2: \"two\" is not a number");
    CHECK_THROWS_WITH(read("2 1\nking 1\nking 2"),
                      "some.txt, line 3: the word \"king\" is given twice");
    CHECK_THROWS_WITH(read("3 1\nking 1\nqueen 2"),
                      Contains("the header says 3 words, 2 were found"));
}

TEST_CASE("a grid prints allowed weights as numbers and the others as dots", "[tutorials][grid]") {
    const heed::Tensor weights = heed::tensor::of({{1, 0}, {0.25, 0.75}});
    const std::string expected = "query \\ key        the     key\n"
                                 "the               1.00       ·\n"
                                 "key               0.25    0.75\n\n";
    CHECK(grid({"the", "key"}, {"the", "key"}, heed::Mask::causal(2), weights) == expected);
    CHECK(cell("a\tb", 5) == "a␉b  ");
    CHECK(cell("ñandú", 3, true) == "ñan");
}

TEST_CASE("a grid that is wider than the page is printed in blocks", "[tutorials][grid]") {
    const std::vector<std::string> keys(11, "token");
    const heed::Tensor weights = heed::tensor::full({1, 11}, 0.5);
    std::istringstream lines(grid({"q"}, keys, heed::Mask::all_allowed(1, 11), weights));
    std::string line;
    std::size_t shown = 0;
    while (std::getline(lines, line)) {
        CHECK(line.size() <= 80);
        for (std::size_t at = 0; (at = line.find("0.50", at)) != std::string::npos; ++at) ++shown;
    }
    CHECK(shown == 11);
}

TEST_CASE("a grid refuses labels that do not match the weights", "[tutorials][grid]") {
    const heed::Tensor weights = heed::tensor::ones({2, 3});
    const heed::Mask mask = heed::Mask::all_allowed(2, 3);
    CHECK_THROWS_WITH(grid({"a"}, {"a", "b", "c"}, mask, weights),
                      "print_grid: 1 queries are named, but the weights [2, 3] have 2");
    CHECK_THROWS_WITH(grid({"a", "b"}, {"a", "b"}, mask, weights),
                      "print_grid: 2 keys are named, but the weights [2, 3] have 3");
    CHECK_THROWS_WITH(grid({"a", "b"}, {"a", "b", "c"}, heed::Mask::causal(3), weights),
                      Contains("3 queries of the mask"));
}
