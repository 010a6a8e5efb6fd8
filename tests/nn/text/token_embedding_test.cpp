// TokenAndPositionEmbedding: lookup, gradients, padding, length limit and errors.
#include "nn/heed.h"

#include "tests/catch.h"
#include "tests/message_of.h"

#include <sstream>

using namespace heed;

namespace {
// Four tokens, three positions, embeddings of size 2.
TokenAndPositionEmbedding tables(std::optional<std::int64_t> padding_idx = std::nullopt) {
    Random random(1);
    TokenAndPositionEmbedding layer(4, 3, 2, random, padding_idx);
    layer.token_embeddings.weight = Parameter(tensor::of({{1, 2}, {3, 4}, {5, 6}, {7, 8}}));
    layer.position_embeddings.weight = Parameter(tensor::of({{10, 20}, {30, 40}, {50, 60}}));
    return layer;
}

std::string text_of(const Module& module) {
    std::ostringstream out;
    out << module;
    return out.str();
}

}  // namespace

TEST_CASE("an embedding is the token's row plus the position's", "[nn][token_embedding]") {
    const TokenAndPositionEmbedding layer = tables();
    CHECK(tensor::same_bits(layer(IndexTensor({2, 0, 2})).value(),
                            tensor::of({{15, 26}, {31, 42}, {55, 66}})));
    CHECK(tensor::same_bits(layer(IndexTensor({3})).value(), tensor::of({{17, 28}})));
    CHECK(layer.vocab_size() == 4);
    CHECK(layer.token_limit() == 3);
}

TEST_CASE("positions start at 0 in each sequence of a batch", "[nn][token_embedding]") {
    const TokenAndPositionEmbedding layer = tables();
    const Tensor x = layer(IndexTensor({{2, 0}, {1, 1}, {3, 2}})).value();
    CHECK(tensor::same_bits(
        x, tensor::of({{{15, 26}, {31, 42}}, {{13, 24}, {33, 44}}, {{17, 28}, {35, 46}}})));
    const IndexTensor deep({2, 0, 1, 1, 3, 2}, Shape{1, 3, 1, 2});
    CHECK(tensor::same_bits(layer(deep).value(), tensor::view(x, {1, 3, 1, 2, 2})));
}

TEST_CASE("no tokens give no rows", "[nn][token_embedding]") {
    const TokenAndPositionEmbedding layer = tables();
    const Variable x = layer(IndexTensor());
    CHECK(x.shape() == Shape{0, 2});
    x.backward({.upstream = tensor::zeros({0, 2})});
    CHECK(tensor::same_bits(layer.token_embeddings.weight.grad(), tensor::zeros({4, 2})));
    const std::vector<std::int64_t> none;
    CHECK(layer(IndexTensor(none, Shape{3, 0})).shape() == Shape{3, 0, 2});
    CHECK(layer(IndexTensor(none, Shape{0, 3})).shape() == Shape{0, 3, 2});
}

TEST_CASE("a repeated token sums its gradients, and a position those of the batch",
          "[nn][token_embedding]") {
    const TokenAndPositionEmbedding layer = tables();
    const Tensor G = tensor::of({{{1, 2}, {3, 5}}, {{10, 20}, {30, 50}}});
    layer(IndexTensor({{2, 0}, {2, 2}})).backward({.upstream = G});
    CHECK(tensor::same_bits(layer.token_embeddings.weight.grad(),
                            tensor::of({{3, 5}, {0, 0}, {41, 72}, {0, 0}})));
    CHECK(tensor::same_bits(layer.position_embeddings.weight.grad(),
                            tensor::of({{11, 22}, {33, 55}, {0, 0}})));
}

TEST_CASE("a padding token keeps its position's row and learns nothing itself",
          "[nn][token_embedding]") {
    Random random(2);
    const TokenAndPositionEmbedding fresh(4, 3, 2, random, 1);
    CHECK(tensor::same_bits(fresh(IndexTensor({1, 1, 1})).value(),
                            fresh.position_embeddings.weight.value()));

    const TokenAndPositionEmbedding layer = tables(1);
    layer(IndexTensor({1, 0, 1})).backward({.upstream = tensor::of({{1, 2}, {3, 4}, {5, 6}})});
    CHECK(tensor::same_bits(layer.token_embeddings.weight.grad(),
                            tensor::of({{3, 4}, {0, 0}, {0, 0}, {0, 0}})));
    CHECK(tensor::same_bits(layer.position_embeddings.weight.grad(),
                            tensor::of({{1, 2}, {3, 4}, {5, 6}})));
}

TEST_CASE("the token table is drawn before that of the positions", "[nn][token_embedding]") {
    Random random(3);
    Random same(3);
    const TokenAndPositionEmbedding layer(7, 5, 3, random);
    const Tensor E = tensor::normal({7, 3}, same);
    const Tensor P = tensor::normal({5, 3}, same);
    CHECK(tensor::same_bits(layer.token_embeddings.weight.value(), E));
    CHECK(tensor::same_bits(layer.position_embeddings.weight.value(), P));
}

TEST_CASE("the tables have the names that the notes give them", "[nn][token_embedding]") {
    Random random(4);
    TokenAndPositionEmbedding layer(7, 5, 3, random);
    const std::vector<NamedParameter> named = parameters(layer);
    REQUIRE(named.size() == 2);
    CHECK(named[0].name == "token_embeddings.weight");
    CHECK(named[1].name == "position_embeddings.weight");
    CHECK(text_of(layer) == "TokenAndPositionEmbedding(\n"
                            "  (token_embeddings): Embedding(7, 3)  21 parameters\n"
                            "  (position_embeddings): Embedding(5, 3)  15 parameters\n"
                            ")  36 parameters");
}

TEST_CASE("more tokens than the limit are refused, with both numbers", "[nn][token_embedding]") {
    const TokenAndPositionEmbedding layer = tables();
    CHECK(layer(IndexTensor({0, 1, 2})).shape() == Shape{3, 2});
    CHECK(message_of<ShapeError>([&] {
              layer(IndexTensor({0, 1, 2, 3}));
          }) ==
          "TokenAndPositionEmbedding: ids [4] has 4 tokens; the token limit is 3, one row for each "
          "position; shorten the text, or make the layer with a token_limit of at least 4");
    CHECK_THROWS_WITH(layer(IndexTensor({{0, 1, 2, 3, 0}, {0, 0, 0, 0, 0}})),
                      Contains("ids [2, 5] has 5 tokens; the token limit is 3"));
    // Many short sequences are fine.
    CHECK(layer(IndexTensor({{0}, {1}, {2}, {3}, {0}})).shape() == Shape{5, 1, 2});
}

TEST_CASE("a single token, or one that has no row, is refused", "[nn][token_embedding]") {
    const TokenAndPositionEmbedding layer = tables();
    CHECK(message_of<ShapeError>([&] { layer(IndexTensor({2}, Shape{})); }) ==
          "TokenAndPositionEmbedding: ids has rank 0, a single token; it must be [..., T], such as "
          "[1]");
    CHECK(message_of<std::out_of_range>([&] {
              layer(IndexTensor({{0, 1}, {3, 4}}));
          }) == "Embedding: id 4 at [1, 1] is out of range: there are 4 rows, numbered 0 to 3");
    CHECK_THROWS_WITH(layer(IndexTensor({-1})),
                      Contains("in TokenAndPositionEmbedding, called at"));
}

TEST_CASE("sizes below 1 are refused", "[nn][token_embedding]") {
    Random random(5);
    const auto error = [&](std::int64_t vocab_size, std::int64_t token_limit, std::int64_t d) {
        return message_of<std::invalid_argument>(
            [&] { TokenAndPositionEmbedding(vocab_size, token_limit, d, random); });
    };
    CHECK(error(0, 3, 2) == "TokenAndPositionEmbedding: vocab_size is 0, token_limit is 3 and d is "
                            "2; all must be at least 1");
    CHECK(error(4, -1, 2) == "TokenAndPositionEmbedding: vocab_size is 4, token_limit is -1 and d "
                             "is 2; all must be at least 1");
    CHECK(error(4, 3, 0) == "TokenAndPositionEmbedding: vocab_size is 4, token_limit is 3 and d is "
                            "0; all must be at least 1");
    CHECK(message_of<std::out_of_range>([&] { TokenAndPositionEmbedding(4, 3, 2, random, 4); }) ==
          "Embedding: padding_idx is 4; the table has rows 0 to 3");
}

#ifdef HEED_DOUBLE
TEST_CASE("the derivatives of the token and position embedding are right",
          "[nn][token_embedding][gradients]") {
    Random random(6);
    const TokenAndPositionEmbedding layer(4, 5, 3, random);
    // Tokens repeated within a sequence and over the batch; a token and positions that are not
    // used.
    const IndexTensor ids({{3, 0, 3}, {0, 3, 1}});
    const CheckedFunction f = [&](const std::vector<Variable>& in) {
        TokenAndPositionEmbedding copy = layer;
        replace_parameters(copy, {in[0], in[1]});
        return copy(ids) * copy(ids) * in[2];
    };
    const Tensor E = tensor::normal({4, 3}, random);
    const Tensor P = tensor::normal({5, 3}, random);
    const Tensor scale = tensor::normal({2, 3, 3}, random);
    const GradcheckResult result =
        gradcheck(f, {E, P, scale}, {.order = 2, .names = {"E", "P", "scale"}});
    CHECK(result.checked > 0);
    CHECK((result.ok() ? "" : result.text()) == "");
}
#endif
