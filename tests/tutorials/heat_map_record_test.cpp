// Heat maps of single matrices of a recorded attention call.
#include "tests/catch.h"
#include "tests/tutorials/drawn.h"

#include "tensor/ops.h"
#include "tutorials/support/display.h"

using namespace tutorial;
using heed::Mask;
using heed::Tensor;

namespace {

heed::AttentionRecord record_of(const heed::Shape& shape) {
    heed::AttentionRecord record;
    record.name = "layer.attention";
    heed::Random random(3);
    record.weights = heed::tensor::uniform(shape, random, 0, 0.99);
    return record;
}

}  // namespace

TEST_CASE("one matrix of a record is drawn, with its tokens and its mask",
          "[tutorials][heat_map]") {
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

TEST_CASE("a mask of one matrix applies to every matrix of a record", "[tutorials][heat_map]") {
    heed::AttentionRecord record = record_of({2, 1, 2, 2});
    record.mask = Mask::causal(2);
    for (std::int64_t b = 0; b < 2; ++b) {
        const Tensor matrix =
            heed::tensor::select(heed::tensor::select(record.weights, 0, b), 0, 0);
        CHECK_THAT(plain(record, heed::Dims{b, 0}),
                   Contains(plain(Words{"0", "1"}, Words{"0", "1"}, matrix, Mask::causal(2))));
    }
}

TEST_CASE("a mask of a record may differ between heads", "[tutorials][heat_map]") {
    heed::AttentionRecord record = record_of({2, 1, 2});
    record.mask = Mask::allowing(heed::BoolTensor({true, false, false, true}, {2, 1, 2}));
    CHECK_THAT(plain(record, heed::Dims{0}), Contains("    ·\n"));
    CHECK_THAT(plain(record, heed::Dims{1}), Contains("0              · 0."));
}

TEST_CASE("a record may have one list of tokens, or none, and no leading axes",
          "[tutorials][heat_map]") {
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

TEST_CASE("a record rejects an index or tokens that do not fit", "[tutorials][heat_map]") {
    heed::AttentionRecord record = record_of({2, 3, 2, 4});
    CHECK_THROWS_AS(plain(record, heed::Dims{0}), std::invalid_argument);
    CHECK_THROWS_WITH(plain(record, heed::Dims{0}),
                      "print_heat_map: the index [0] does not fit the weights [2, 3, 2, 4]: it "
                      "must have an entry for each axis before the last two, so 2");
    CHECK_THROWS_WITH(plain(record), Contains("the index [] does not fit the weights"));
    CHECK_THROWS_WITH(plain(record, heed::Dims{0, 3}),
                      Contains("entry 3 of axis 1, whose length is 3"));
    CHECK_THROWS_WITH(plain(record, heed::Dims{-1, 0}),
                      Contains("entry -1 of axis 0, whose length is 2"));
    record.query_tokens = {{"a"}, {"b"}, {"c"}};
    CHECK_THROWS_WITH(plain(record, heed::Dims{0, 0}),
                      "print_heat_map: the record has 3 lists of tokens, but the weights "
                      "[2, 3, 2, 4] are of 2 sequences");
    record.query_tokens = {{"a", "b", "c"}};
    CHECK_THROWS_WITH(plain(record, heed::Dims{0, 0}),
                      "print_heat_map: 3 queries are named, but the weights [2, 3, 2, 4] have 2 "
                      "rows");
    record.query_tokens = {};
    record.key_tokens = {{"a"}, {"a", "b", "c", "d"}};
    CHECK_THROWS_WITH(plain(record, heed::Dims{0, 0}), Contains("1 key is named"));
    CHECK_THAT(plain(record, heed::Dims{1, 0}), Contains("query \\ key    a    b    c    d\n"));
    record.mask = Mask::causal(4);
    CHECK_THROWS_WITH(plain(record, heed::Dims{1, 0}),
                      Contains("the mask [4, 4] does not broadcast to the weights [2, 3, 2, 4]"));
    CHECK_THROWS_WITH(plain(record_of({4})),
                      "print_heat_map: the record's weights must be [..., T_q, T_k], and are [4]");
    heed::AttentionRecord matrix = record_of({2, 2});
    matrix.key_tokens = {{"a", "b"}, {"c", "d"}};
    CHECK_THROWS_WITH(plain(matrix), Contains("2 lists of tokens, but the weights [2, 2] are of "
                                              "1 sequence"));
}
