// Heat maps of attention weights: always numbers, dots for masked entries, colour as an extra.
#include "tests/catch.h"

#include "nn/pages/color.h"
#include "nn/pages/display.h"
#include "nn/pages/heat_map.h"
#include "nn/pages/table.h"
#include "tensor/ops.h"
#include "tests/message_of.h"

#include <limits>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

using namespace heed::terminal;
using heed::Mask;
using heed::Tensor;

namespace {
// A heat map as text. Turns colours off again afterwards, even after an exception.
template <class... Arguments>
std::string drawn(ColorLevel level, const Arguments&... arguments) {
    struct Colors {
        explicit Colors(ColorLevel chosen) { use_colors(chosen); }
        ~Colors() { use_colors(ColorLevel::none); }
    };
    const Colors colors(level);
    std::ostringstream out;
    print_heat_map(out, arguments...);
    return out.str();
}

template <class... Arguments>
std::string plain(const Arguments&... arguments) {
    return drawn(ColorLevel::none, arguments...);
}

template <class... Arguments>
std::string refused(const Arguments&... arguments) {
    return message_of<std::invalid_argument>([&] { plain(arguments...); });
}

std::vector<std::string> lines_of(const std::string& text) {
    std::istringstream in(text);
    std::vector<std::string> lines;
    std::string line;
    while (std::getline(in, line)) lines.push_back(line);
    return lines;
}

heed::AttentionRecord record_of(const heed::Shape& shape) {
    heed::AttentionRecord record;
    record.name = "layer.attention";
    heed::Random random(3);
    record.weights = heed::tensor::uniform(shape, random, 0, 0.99);
    return record;
}

std::string without_colors(const std::string& text) {
    return std::regex_replace(text, std::regex("\x1b\\[[0-9;]*m"), "");
}

std::size_t count(const std::string& part, const std::string& text) {
    std::size_t found = 0;
    for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size()) {
        ++found;
    }
    return found;
}

}  // namespace

TEST_CASE("a heat map prints allowed weights as numbers and masked ones as dots",
          "[nn][heat_map]") {
    const Tensor weights = heed::tensor::of({{1, 0.5}, {0.0004, 0.9996}});
    CHECK(plain(Words{"the", "cabinet"}, Words{"the", "cabinet"}, weights, Mask::causal(2)) ==
          "rows: queries, columns: keys; · is masked\n"
          "query \\ key  the cabinet\n"
          "the         1.00       ·\n"
          "cabinet     0.00    1.00\n\n");
    const std::string no_mask = "rows: queries, columns: keys\n"
                                "query \\ key  the cabinet\n"
                                "the         1.00    0.50\n"
                                "cabinet     0.00    1.00\n\n";
    CHECK(plain(Words{"the", "cabinet"}, Words{"the", "cabinet"}, weights) == no_mask);
    CHECK(plain(Words{"the", "cabinet"}, Words{"the", "cabinet"}, weights,
                Mask::all_allowed(2, 2)) == no_mask);
}

TEST_CASE("a heat map shows NaN and weights outside 0 to 1", "[nn][heat_map]") {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const Tensor weights = heed::tensor::of({{nan, -0.25, 12345.678}});
    CHECK(plain(Words{"a\x1b[31m"}, Words{"x", "y", "z"}, weights) ==
          "rows: queries, columns: keys\n"
          "query \\ key    x     y        z\n"
          "a␛[31m       nan -0.25 12345.68\n\n");
    const Tensor masked_nan = heed::tensor::of({{nan, 1}});
    CHECK_THAT(plain(Words{"q"}, Words{"x", "y"}, masked_nan,
                     Mask::blocking(heed::BoolTensor({true, false}, {1, 2}))),
               Contains("q              · 1.00\n"));
}

TEST_CASE("a heat map of a matrix that is not square has its rows and columns", "[nn][heat_map]") {
    const Tensor weights = heed::tensor::of({{0.1, 0.2, 0.7}, {0.3, 0.6, 0.1}});
    CHECK(plain(Words{"one", "two"}, Words{"uno", "dos", "tres"},
                heed::tensor::transpose(heed::tensor::transpose(weights))) ==
          "rows: queries, columns: keys\n"
          "query \\ key  uno  dos tres\n"
          "one         0.10 0.20 0.70\n"
          "two         0.30 0.60 0.10\n\n");
    CHECK(plain(Words{}, Words{"k"}, heed::tensor::ones({0, 1})) ==
          "rows: queries, columns: keys\nquery \\ key    k\n\n");
    CHECK(plain(Words{"q"}, Words{}, heed::tensor::ones({1, 0})) ==
          "rows: queries, columns: keys\nquery \\ key\nq          \n\n");
}

TEST_CASE("a mask of one row blocks the same keys for every query", "[nn][heat_map]") {
    const Mask padding = Mask::allowing(heed::BoolTensor({true, false}, {1, 2}));
    const std::string shown =
        plain(Words{"a", "b"}, Words{"x", "y"}, heed::tensor::full({2, 2}, 0.5), padding);
    CHECK_THAT(shown, Contains("a           0.50    ·\nb           0.50    ·\n"));
}

TEST_CASE("a sentence of twelve short words fits into one block", "[nn][heat_map]") {
    const Words words = {"the", "animal", "didn't", "cross", "the",   "street",
                         "as",  "it",     "was",    "too",   "tired", "."};
    const Tensor weights = heed::tensor::full({12, 12}, 0.083);
    const std::string shown = plain(words, words, weights, Mask::causal(12));
    CHECK(count("query \\ key", shown) == 1);
    CHECK(count("of 12", shown) == 0);
    CHECK(count("animal", shown) == 2);
    CHECK(count("…", shown) == 0);
    CHECK(count("0.08", shown) == 78);
    CHECK(count(" ·", shown) == 66 + 1);  // and once in the line above
}

TEST_CASE("long keys are truncated to fit into one block if possible, else to twelve columns",
          "[nn][heat_map]") {
    const Words eight(8, "distributional");
    const std::string beside = plain(Words{"q"}, eight, heed::tensor::full({1, 8}, 0.125));
    CHECK(count("query \\ key", beside) == 1);
    CHECK(count(" distrib…", beside) == 0);
    CHECK(count(" distri…", beside) == 8);  // 11 + 8·(1 + 7) = 75

    const Words nine(9, "distributional");
    const std::string shortest = plain(Words{"q"}, nine, heed::tensor::full({1, 9}, 0.125));
    CHECK(count("query \\ key", shortest) == 1);
    CHECK(count(" distr…", shortest) == 9);  // 11 + 9·(1 + 6) = 74

    const Words twelve(12, "distributional");
    const std::string blocks = plain(Words{"q"}, twelve, heed::tensor::full({1, 12}, 0.125));
    CHECK(count("query \\ key", blocks) == 3);
    CHECK(count(" distributio…", blocks) == 12);
    CHECK_THAT(blocks, Contains("keys 1 to 4 of 12\n") && Contains("keys 5 to 8 of 12\n") &&
                           Contains("keys 9 to 12 of 12\n"));
}

TEST_CASE("any list of tokens stays within 80 columns, and every weight is there once",
          "[nn][heat_map]") {
    const Words pool = {
        "a", "",  "the",     "attention",    "antidisestablishmentarianism", "注意力機構",
        "😀", " ", "\x1b[2J", "\xE2\x80\xAE", "e\xCC\x81t\xC3\xA9",           "\xFF\xFE"};
    heed::Random random(5);
    for (std::int64_t T_k = 1; T_k <= 40; ++T_k) {
        Words keys;
        for (std::int64_t j = 0; j < T_k; ++j) keys.push_back(pool[random.below(pool.size())]);
        const Words queries = {pool[random.below(pool.size())], pool[random.below(pool.size())]};
        std::vector<heed::Scalar> numbers;
        for (std::int64_t n = 0; n < 2 * T_k; ++n) {
            numbers.push_back(static_cast<heed::Scalar>(n + 0.4) / 100);
        }
        const Tensor weights = heed::tensor::from_vector(numbers, {2, T_k});
        const std::string shown = plain(queries, keys, weights);
        std::string rows[2];
        std::size_t line_of_block = 0;
        bool fits = true, straight = true;
        std::size_t width = 0;
        for (const std::string& line : lines_of(shown)) {
            fits &= display_width(line) <= 80;
            line_of_block = line.empty()                     ? 0
                            : line.find("query \\ key") == 0 ? 1
                            : line_of_block                  ? line_of_block + 1
                                                             : 0;
            if (line_of_block == 1) width = display_width(line);
            if (line_of_block > 1) {
                straight &= display_width(line) == width;
                rows[line_of_block - 2] += line;
            }
        }
        CHECK(fits);
        CHECK(straight);
        bool all_there = true;
        for (int i = 0; i < 2; ++i) {
            std::size_t at = 0;
            for (std::int64_t j = 0; j < T_k && all_there; ++j) {
                const std::int64_t n = i * T_k + j;
                const std::string number = (n < 10 ? "0.0" : "0.") + std::to_string(n);
                at = rows[i].find(number, at);
                all_there = at != std::string::npos;
            }
        }
        CHECK(all_there);
    }
}

TEST_CASE("blocks name the keys they show and are about equally wide", "[nn][heat_map]") {
    const Words keys(14, "key");
    const std::string shown = plain(Words{"query"}, keys, heed::tensor::ones({1, 14}));
    CHECK_THAT(shown, Contains("keys 1 to 7 of 14\n") && Contains("keys 8 to 14 of 14\n"));
    CHECK(count("query  ", shown) == 2);

    Words uneven(12, "key");
    uneven.push_back("twelve_long_");
    uneven.push_back("twelve_long_");
    uneven.insert(uneven.end(), 22, "key");
    CHECK_THAT(plain(Words{"a_query_of_sixteen"}, uneven, heed::tensor::ones({1, 36})),
               Contains("a_query_of_sixt… 1.00"));
}

TEST_CASE("without its colours a coloured heat map is the plain one", "[nn][heat_map]") {
    const Words words = {"注意", "the", "a\tb", "e\xCC\x81", "", "longer-than-twelve", "x", "y"};
    heed::Random random(11);
    const Tensor weights = heed::tensor::uniform({8, 8}, random, -0.2, 1.2);
    const std::string expected = plain(words, words, weights, Mask::causal(8));
    for (const ColorLevel level : {ColorLevel::palette, ColorLevel::truecolor}) {
        const std::string shown = drawn(level, words, words, weights, Mask::causal(8));
        CHECK(without_colors(shown) == expected);
        CHECK(count("\x1b[0m", shown) == 36);  // each allowed cell, and only these
        CHECK(count("\x1b[", shown) == 72);
        CHECK_THAT(shown, !Contains("·\x1b"));
    }
}

TEST_CASE("the colour of a weight does not depend on the others", "[nn][heat_map]") {
    const std::string low =
        drawn(ColorLevel::truecolor, Words{"q"}, Words{"a", "b"}, heed::tensor::of({{0.25, 0.25}}));
    const std::string high =
        drawn(ColorLevel::truecolor, Words{"q"}, Words{"a", "b"}, heed::tensor::of({{0.25, 1}}));
    const std::string quarter = painted(" 0.25", 0.25, ColorLevel::truecolor);
    CHECK(count(quarter, low) == 2);
    CHECK(count(quarter, high) == 1);
    CHECK(count(painted(" 1.00", 1, ColorLevel::truecolor), high) == 1);
}

TEST_CASE("a table rejects the wrong number of cells", "[nn][heat_map]") {
    std::ostringstream out;
    CHECK_THROWS_AS(print_table(out, {"", "", {"a"}, {"b", "c"}, {{"1"}}}), std::invalid_argument);
    CHECK_THROWS_WITH(print_table(out, {"", "", {"a"}, {"b", "c"}, {{"1"}}}),
                      "print_table: 1 rows and 2 columns, but 1 cells");
}

TEST_CASE("a heat map rejects labels and masks that do not match", "[nn][heat_map]") {
    const Tensor weights = heed::tensor::ones({2, 3});
    const Words two = {"a", "b"}, three = {"a", "b", "c"};
    CHECK(refused(Words{"a"}, three, weights) ==
          "print_heat_map: 1 query is named, but the weights [2, 3] have 2 rows");
    CHECK(refused(three, three, weights) ==
          "print_heat_map: 3 queries are named, but the weights [2, 3] have 2 rows");
    CHECK(refused(two, two, weights) ==
          "print_heat_map: 2 keys are named, but the weights [2, 3] have 3 columns");
    CHECK(refused(two, three, weights, Mask::causal(3)) ==
          "print_heat_map: the mask [3, 3] does not broadcast to the weights [2, 3]");
    CHECK(refused(two, three, weights, Mask::padding({2}, 3)) ==
          "print_heat_map: the mask [1, 1, 1, 3] does not broadcast to the weights "
          "[2, 3]");
    CHECK(refused(two, three, heed::tensor::ones({1, 2, 3})) ==
          "print_heat_map: the weights must be a matrix [T_q, T_k], and are "
          "[1, 2, 3]");
}

TEST_CASE("one matrix of a record is drawn, with its tokens and its mask", "[nn][heat_map]") {
    heed::AttentionRecord record = record_of({2, 3, 2, 4});
    record.query_tokens = {{"q", "r"}, {"s", "t"}};
    record.key_tokens = {{"a", "b", "c", "d"}, {"e", "f", "g", "h"}};
    record.mask = Mask::padding({4, 3}, 4);
    for (std::int64_t b = 0; b < 2; ++b) {
        for (std::int64_t h = 0; h < 3; ++h) {
            const Tensor matrix =
                heed::tensor::select(heed::tensor::select(record.weights, 0, b), 0, h);
            const std::string same =
                plain(record.query_tokens[b], record.key_tokens[b], matrix,
                      Mask::allowing(heed::BoolTensor({true, true, true, b == 0}, {1, 4})));
            const std::string name =
                "layer.attention [" + std::to_string(b) + ", " + std::to_string(h) + "]\n";
            CHECK(plain(record, heed::Dims{b, h}) == name + same);
        }
    }
}

TEST_CASE("a mask of one matrix applies to every matrix of a record", "[nn][heat_map]") {
    heed::AttentionRecord record = record_of({2, 1, 2, 2});
    record.mask = Mask::causal(2);
    for (std::int64_t b = 0; b < 2; ++b) {
        const Tensor matrix =
            heed::tensor::select(heed::tensor::select(record.weights, 0, b), 0, 0);
        CHECK_THAT(plain(record, heed::Dims{b, 0}),
                   Contains(plain(Words{"0", "1"}, Words{"0", "1"}, matrix, Mask::causal(2))));
    }
}

TEST_CASE("a mask of a record may differ between heads", "[nn][heat_map]") {
    heed::AttentionRecord record = record_of({2, 1, 2});
    record.mask = Mask::allowing(heed::BoolTensor({true, false, false, true}, {2, 1, 2}));
    CHECK_THAT(plain(record, heed::Dims{0}), Contains("    ·\n"));
    CHECK_THAT(plain(record, heed::Dims{1}), Contains("0              · 0."));
}

TEST_CASE("a record may have one list of tokens, or none, and no leading axes", "[nn][heat_map]") {
    heed::AttentionRecord record = record_of({1, 2});
    CHECK_THAT(plain(record), Contains("layer.attention\nrows: queries, columns: keys\n"
                                       "query \\ key    0    1\n0"));
    record.name = "";
    record.key_tokens = {{"left", "right"}};
    record.query_tokens = {{"where"}};
    CHECK_THAT(plain(record), Contains("query \\ key left right\nwhere"));
    CHECK_THAT(plain(record), !Contains("[]"));

    heed::AttentionRecord heads = record_of({5, 1, 2});
    heads.name = std::string(100, 'x') + "\n";
    heads.key_tokens = record.key_tokens;
    const std::string shown = plain(heads, heed::Dims{4});
    CHECK_THAT(shown, Contains("query \\ key left right\n0"));
    CHECK(display_width(lines_of(shown)[0]) == 80);
}

TEST_CASE("a record rejects an index or tokens that do not fit", "[nn][heat_map]") {
    heed::AttentionRecord record = record_of({2, 3, 2, 4});
    CHECK(refused(record, heed::Dims{0}) ==
          "print_heat_map: the index [0] does not fit the weights [2, 3, 2, 4]: it "
          "must have an entry for each axis before the last two, so 2");
    CHECK_THAT(refused(record), Contains("the index [] does not fit the weights"));
    CHECK_THAT(refused(record, heed::Dims{0, 3}), Contains("entry 3 of axis 1, whose length is 3"));
    CHECK_THAT(refused(record, heed::Dims{-1, 0}),
               Contains("entry -1 of axis 0, whose length is 2"));
    record.query_tokens = {{"a"}, {"b"}, {"c"}};
    CHECK(refused(record, heed::Dims{0, 0}) ==
          "print_heat_map: the record has 3 lists of tokens, but the weights "
          "[2, 3, 2, 4] of \"layer.attention\" are of 2 sequences");
    record.query_tokens = {{"a", "b", "c"}};
    CHECK(refused(record, heed::Dims{0, 0}) ==
          "print_heat_map: 3 queries are named, but the weights [2, 3, 2, 4] of "
          "\"layer.attention\" have 2 rows");
    record.query_tokens = {};
    record.key_tokens = {{"a"}, {"a", "b", "c", "d"}};
    CHECK_THAT(refused(record, heed::Dims{0, 0}), Contains("1 key is named"));
    record.key_tokens = {{"e", "f", "g", "h"}, {"a", "b", "c", "d"}};
    CHECK_THAT(plain(record, heed::Dims{1, 0}), Contains("query \\ key    a    b    c    d\n"));
    record.mask = Mask::causal(4);
    CHECK_THAT(refused(record, heed::Dims{1, 0}),
               Contains("the mask [4, 4] of \"layer.attention\" does not broadcast to the weights "
                        "[2, 3, 2, 4]"));
    CHECK(
        refused(record_of({4})) ==
        "print_heat_map: the weights of \"layer.attention\" must be [..., T_q, T_k], and are [4]");
    heed::AttentionRecord matrix = record_of({2, 2});
    matrix.key_tokens = {{"a", "b"}, {"c", "d"}};
    CHECK_THAT(refused(matrix), Contains("2 lists of tokens, but the weights [2, 2] of "
                                         "\"layer.attention\" are of 1 sequence"));
}
