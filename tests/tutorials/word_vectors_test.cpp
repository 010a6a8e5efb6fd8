// Word vectors in the text formats of word2vec and GloVe, and the compiled-in ones.
#include "tests/catch.h"
#include "tests/tutorials/command_line.h"

#include "tensor/scalar.h"
#include "tutorials/support/word_vectors.h"

#include <cmath>
#include <sstream>

using namespace tutorial;

namespace {
WordVectors read(const std::string& text) {
    std::istringstream in(text);
    return read_word_vectors(in, "some.txt");
}

double product(const std::string& a, const std::string& b) {
    const WordVectors& vectors = compiled_in_word_vectors();
    const std::size_t d = vectors.dimensions;
    double sum = 0;
    for (std::size_t i = 0; i < d; ++i) {
        sum += vectors.numbers[vectors.row(a) * d + i] * vectors.numbers[vectors.row(b) * d + i];
    }
    return sum;
}

double cosine(const std::string& a, const std::string& b) {
    return product(a, b) / std::sqrt(product(a, a) * product(b, b));
}

Options with_vectors(const std::string& path) {
    return parse({"prog", "subject", {{"--vectors", "FILE", "a file"}}}, {"--vectors", path});
}

}  // namespace

TEST_CASE("the compiled-in vectors have the cosines they are known for", "[tutorials][vectors]") {
    CHECK(compiled_in_word_vectors().words.size() == 202);
    CHECK(compiled_in_word_vectors().dimensions == 100);
    CHECK(cosine("king", "queen") == Approx(0.751).margin(0.0005));
    CHECK(cosine("apple", "computers") == Approx(0.574).margin(0.0005));
    CHECK(cosine("king", "steak") == Approx(0.126).margin(0.0005));
    CHECK_THROWS_WITH(compiled_in_word_vectors().row("i"),
                      Contains("no vector for the word \"i\""));
}

TEST_CASE("which of two words is closer to a third can depend on the norms",
          "[tutorials][vectors]") {
    CHECK(product("food", "computers") > product("food", "apple"));
    CHECK(cosine("food", "computers") < cosine("food", "apple"));
    for (const std::vector<std::string>& three :
         {std::vector<std::string>{"apple", "computer", "pear"},
          {"food", "computers", "pear"},
          {"coke", "drink", "eat"}}) {
        CAPTURE(three[0]);
        CHECK(product(three[0], three[1]) > product(three[0], three[2]));
        CHECK(cosine(three[0], three[1]) > cosine(three[0], three[2]));
    }
}

TEST_CASE("the compiled-in vectors have the words of the notes' sentences",
          "[tutorials][vectors]") {
    for (const std::string sentence :
         {"time flies like an arrow", "fruit flies like banana",
          "the chicken crossed the road because it wanted to get to the other side",
          "the animal did not cross the street because it was too tired wide",
          "the keys to the cabinet are on the table", "mary gave roses to susan",
          "drink coke but eat steak", "king queen royalty food apple pear computers"}) {
        std::istringstream words(sentence);
        for (std::string word; words >> word;) {
            CAPTURE(word);
            CHECK(compiled_in_word_vectors().knows(word));
        }
    }
}

TEST_CASE("word2vec's text format has a header, GloVe's has none", "[tutorials][vectors]") {
    const std::vector<double> numbers = {1, -2.5, 0.3, 4, 5, 6};
    for (const std::string header : {"2 3\n", ""}) {
        const WordVectors two = read(header + "king 1 -2.5 3e-1\nqueen 4 5 6\n");
        CHECK(two.words == std::vector<std::string>{"king", "queen"});
        CHECK(two.dimensions == 3);
        CHECK(two.numbers == numbers);
        CHECK(two.row("queen") == 1);
        CHECK(two.knows("king"));
        CHECK(!two.knows("3"));
    }
}

TEST_CASE("the first line tells which format it is", "[tutorials][vectors]") {
    CHECK(read("word 0.5\nother 7").dimensions == 1);
    CHECK(read("7 0.5\n8 9").words == std::vector<std::string>{"7", "8"});
    CHECK(read("1 2 3").words == std::vector<std::string>{"1"});
    CHECK(read("1 -2").numbers == std::vector<double>{-2});
    CHECK(read("1 2\n7 3 4").words == std::vector<std::string>{"7"});  // a header
    CHECK_THROWS_WITH(read("7 3\n8 4"),
                      "some.txt, line 2: a word and 3 numbers are expected, 1 number found");
}

TEST_CASE("Windows line ends, empty lines and a byte order mark are skipped",
          "[tutorials][vectors]") {
    for (const std::string text : {"2 2\r\nking 1 2\r\nqueen 3 4\r\n", "king 1 2\r\nqueen 3 4\r\n",
                                   "\n\nking 1 2\n \nqueen\t3  4 \n\n",
                                   "\xEF\xBB\xBF"
                                   "2 2\nking 1 2\nqueen 3 4",
                                   "\xEF\xBB\xBFking 1 2\nqueen 3 4"}) {
        const WordVectors two = read(text);
        CHECK(two.words == std::vector<std::string>{"king", "queen"});
        CHECK(two.numbers == std::vector<double>{1, 2, 3, 4});
    }
}

TEST_CASE("invalid word vectors are rejected with the line", "[tutorials][vectors]") {
    CHECK_THROWS_AS(read(""), std::runtime_error);
    CHECK_THROWS_WITH(read(""), "some.txt: there are no words in it");
    CHECK_THROWS_WITH(read("\n \n"), "some.txt: there are no words in it");
    CHECK_THROWS_WITH(read("0 5\n"), "some.txt, line 1: there are no words in it");
    CHECK_THROWS_WITH(read("5 0\n"), "some.txt, line 1: vectors have 1 dimension or more, not 0");
    CHECK_THROWS_WITH(read("king\n"), "some.txt, line 1: a word with its numbers is expected, or "
                                      "a header such as \"52 100\"");
    CHECK_THROWS_WITH(read("1 3\nking 1 2"),
                      "some.txt, line 2: a word and 3 numbers are expected, 2 numbers found");
    CHECK_THROWS_WITH(read("a 1 2\n\nb 1 2 3"), "some.txt, line 3: a word and 2 numbers are "
                                                "expected as in line 1, 3 numbers found");
    CHECK_THROWS_WITH(read("1 2\nking 1 two"), "some.txt, line 2: \"two\" is not a number");
    CHECK_THROWS_WITH(read("king 1 2x"), "some.txt, line 1: \"2x\" is not a number");
    CHECK_THROWS_WITH(read("king 1 \x1b[31m"), Contains("\"\\x1b[31m\" is not a number"));
    CHECK_THROWS_WITH(read("2 1\nking 1\nking 2"),
                      "some.txt, line 3: the word \"king\" is given twice");
    CHECK_THROWS_WITH(read("3 1\nking 1\nqueen 2"),
                      "some.txt, line 3: the header says 3 words, 2 were found");
    CHECK_THROWS_WITH(read("1 1\nking 1\nqueen 2"),
                      "some.txt, line 3: the header says 1 word, 2 were found");
    for (const std::string number : {"nan", "inf", "-inf", "-nan", "infinity"}) {
        CHECK_THROWS_WITH(read("a 1 2\nb " + number + " 1"),
                          "some.txt, line 2: \"" + number + "\" is not a finite number");
    }
    CHECK_THROWS_WITH(read("a 1e999"), Contains("\"1e999\" is not a"));
    if (sizeof(heed::Scalar) == 4) {
        CHECK_THROWS_WITH(read("a 1e99"), Contains("\"1e99\" is not a finite number"));
    } else {
        CHECK(read("a 1e99").numbers[0] == 1e99);
    }
}

TEST_CASE("vectors whose scores would overflow are rejected with the line",
          "[tutorials][vectors]") {
    const bool is_float = sizeof(heed::Scalar) == 4;
    const std::string scalar = heed::scalar_name;
    const std::string too_much = is_float ? "3e38" : "1e308";
    CHECK_THROWS_AS(read("a 1 2\nb " + too_much + " 1"), std::runtime_error);
    CHECK_THROWS_WITH(
        read("a 1 2\nb " + too_much + " 1"),
        "some.txt, line 2: the squares of the numbers of \"b\" add up to more than a " + scalar +
            " can hold, so its scores would be infinite; scale all vectors down");
    // Each square fits, but not their sum.
    CHECK_THROWS_WITH(read(is_float ? "b -1.2e19 1.2e19" : "b -9e153 9e153"),
                      Contains("line 1: the squares"));
    CHECK(read(is_float ? "b 1.2e19 1" : "b 9e153 1").dimensions == 2);
}

TEST_CASE("words added by hand are found too", "[tutorials][vectors]") {
    WordVectors vectors;
    CHECK(!vectors.knows("a"));
    vectors.dimensions = 1;
    vectors.words = {"a", "b"};
    CHECK(vectors.row("b") == 1);
    vectors.words.push_back("c");
    CHECK(vectors.row("c") == 2);
    const WordVectors copy = vectors;
    CHECK(copy.row("a") == 0);
    vectors.words = {"z"};
    CHECK(vectors.row("z") == 0);
    CHECK(!vectors.knows("a"));
    CHECK_THROWS_AS(vectors.row("a"), std::out_of_range);

    CHECK(WordVectors({"a", "b"}, 2, {1, 2, 3, 4}).row("b") == 1);
    CHECK_THROWS_AS(WordVectors({"a", "b"}, 2, {1, 2, 3}), std::invalid_argument);
    CHECK_THROWS_WITH(WordVectors({"a", "b"}, 2, {1, 2, 3}),
                      "WordVectors: 2 words of 2 dimensions, but 3 numbers");
}

TEST_CASE("a lesson's vectors come from the file given, or are the compiled-in ones",
          "[tutorials][vectors]") {
    const TemporaryFile file("one 1 2\ntwo 3 4\n");
    CHECK(word_vectors_of(with_vectors(file.path)).words == std::vector<std::string>{"one", "two"});
    CHECK(word_vectors_of(parse({"prog", "subject"}, {})).words.size() == 202);
    CHECK_THROWS_WITH(word_vectors_of(with_vectors("/no/such/file")),
                      "the file \"/no/such/file\" cannot be read: there is no such file");
    CHECK_THROWS_WITH(word_vectors_of(with_vectors("/tmp")),
                      "the file \"/tmp\" cannot be read: it is a directory");
    const TemporaryFile wrong("one 1 2\ntwo 3\n");
    CHECK_THROWS_WITH(word_vectors_of(with_vectors(wrong.path)), Contains(wrong.path + ", line 2"));
}
