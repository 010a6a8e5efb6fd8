// einsum of tensors: results against other operations and a loop over all axes, and error messages.
#include "nn/heed.h"

#include "tests/catch.h"
#include "tests/tensor/einsum/einsum_cases.h"

#include <limits>

using namespace heed;
using einsum_cases::by_definition;
using einsum_cases::Case;
using einsum_cases::Generator;
using tensor::einsum;
using tensor::of;
using tensor::same_bits;

namespace {
Tensor normal(const Shape& shape, std::uint64_t seed) {
    Random random(seed);
    return tensor::normal(shape, random);
}

std::string message(const std::string& pattern, const std::vector<Tensor>& operands) {
    try {
        einsum(runtime_pattern(pattern), operands);
    } catch (const std::invalid_argument& error) {
        return error.what();
    }
    return "no error";
}

std::string line_text(int line) {
    return "\n  at einsum_test.cpp:" + std::to_string(line) + ", in";
}

bool is_shape_error(const std::string& pattern, const std::vector<Tensor>& operands) {
    try {
        einsum(runtime_pattern(pattern), operands);
    } catch (const ShapeError&) {
        return true;
    } catch (const std::invalid_argument&) {
    }
    return false;
}

}  // namespace

TEST_CASE("einsum of two matrices is matmul to the last bit", "[tensor][einsum]") {
    const Tensor A = normal({5, 37}, 1);
    const Tensor B = normal({37, 6}, 2);
    const Tensor C = tensor::matmul(A, B);
    CHECK(same_bits(einsum("ij,jk->ik", A, B), C));
    CHECK(same_bits(einsum("ij, jk", A, B), C));
    CHECK(same_bits(einsum("row inner, inner column -> row column", A, B), C));
    CHECK(same_bits(einsum("ij,jk->ki", A, B), tensor::transpose(C)));
    CHECK(same_bits(einsum("ij,kj->ik", A, tensor::transpose(B)), C));
    CHECK(same_bits(einsum("...ij,...jk->...ik", A, B), C));

    const Tensor X = normal({2, 3, 5, 7}, 3);
    const Tensor Y = normal({2, 3, 7, 4}, 4);
    CHECK(same_bits(einsum("bhij,bhjk->bhik", X, Y), tensor::matmul(X, Y)));
    CHECK(same_bits(einsum("...ij,...jk->...ik", X, Y), tensor::matmul(X, Y)));
    const Tensor one = tensor::slice(Y, 0, 0, 1);
    CHECK(same_bits(einsum("...ij,...jk->...ik", X, one), tensor::matmul(X, one)));
    const Tensor W = normal({7, 4}, 5);
    CHECK(same_bits(einsum("bhij,jk->bhik", X, W), tensor::matmul(X, W)));
    const Tensor v = normal({37}, 6);
    CHECK(same_bits(einsum("ij,j->i", A, v), tensor::matmul(A, v)));
}

TEST_CASE("einsum sums, permutes, multiplies and takes diagonals", "[tensor][einsum]") {
    const Tensor A = of({{1, 2, 3}, {4, 5, 6}});
    const Tensor S = of({{1, 2, 3}, {4, 5, 6}, {7, 8, 9}});
    const Tensor u = of({10, 20});
    const Tensor v = of({1, 0, -1});
    const auto check = [](const Tensor& received, const Tensor& expected) {
        CAPTURE(received.shape().text(), expected.shape().text());
        CHECK(same_bits(received, expected));
    };
    check(einsum("ij->", A), of(21));
    check(einsum("ij->j", A), of({5, 7, 9}));
    check(einsum("ij->i", A), of({6, 15}));
    check(einsum("ij->ji", A), of({{1, 4}, {2, 5}, {3, 6}}));
    check(einsum("ii->i", S), of({1, 5, 9}));
    check(einsum("ii->", S), of(15));
    check(einsum("ii", S), of(15));
    check(einsum("side side -> side", S), of({1, 5, 9}));
    check(einsum("i,j->ij", u, v), of({{10, 0, -10}, {20, 0, -20}}));
    check(einsum("i,j->ji", u, v), of({{10, 20}, {0, 0}, {-10, -20}}));
    check(einsum("ij,ij->ij", A, A), of({{1, 4, 9}, {16, 25, 36}}));
    check(einsum("ij,ij->", A, A), of(91));
    check(einsum("i,ij,j->", u, A, v), of(-60));
    check(einsum(",ij->ij", of(2), A), of({{2, 4, 6}, {8, 10, 12}}));
    check(einsum(",->", of(2), of(3)), of(6));
    check(einsum("", of(7)), of(7));
    check(einsum("...->...", A), A);
    check(einsum("i...->...", A), of({5, 7, 9}));
}

TEST_CASE("without an arrow the letters that occur once are the output, in alphabetical order",
          "[tensor][einsum]") {
    const Tensor A = normal({2, 3}, 1);
    const Tensor T = tensor::transpose(A);
    CHECK(same_bits(einsum("ba", A), T));
    CHECK(same_bits(einsum("aB", A), T));  // capitals come first
    CHECK(same_bits(einsum("ki,kj", A, A), tensor::matmul(T, A)));
    CHECK(same_bits(einsum("b...a", normal({2, 4, 3}, 2)),
                    tensor::permute(normal({2, 4, 3}, 2), {1, 2, 0})));
}

TEST_CASE("a term names its axes by words if it has spaces or a word with a non-letter",
          "[tensor][einsum]") {
    const Tensor A = normal({2, 3}, 1);
    const Tensor T = tensor::transpose(A);
    CHECK(same_bits(einsum("i j -> j i", A), T));
    CHECK(same_bits(einsum("  ij  ->  ji ", A), T));
    CHECK(same_bits(einsum("head...key->...key head", A), T));
    CHECK(same_bits(einsum("d_k... -> ... d_k", A), T));
    CHECK(same_bits(einsum("k2 -> k2", normal({3}, 2)), normal({3}, 2)));
    // One word of letters is five axes.
    CHECK(same_bits(einsum("batch -> hctab", normal({2, 1, 3, 2, 1}, 3)),
                    tensor::permute(normal({2, 1, 3, 2, 1}, 3), {4, 3, 2, 1, 0})));
}

TEST_CASE("named axes of length 1 are summed like others", "[tensor][einsum]") {
    const Tensor A = normal({1, 3}, 1), B = normal({3, 1}, 2), C = normal({1, 1}, 3);
    CHECK(same_bits(einsum("query d_k, d_k key -> query key", A, B), tensor::matmul(A, B)));
    CHECK(same_bits(einsum("query d_k -> d_k", A), tensor::squeeze(A, 0)));
    CHECK(einsum("a b, a b -> a", C, C)(0) == C(0, 0) * C(0, 0));
    CHECK(einsum("one one -> one", C).shape() == Shape{1});
    CHECK(einsum("one one ->", C).item() == C(0, 0));
}

TEST_CASE("random einsums equal the loop over all axes", "[tensor][einsum]") {
    Generator generator(11);
    int wrong = 0;
    std::string first_wrong;
    int with_several_operands = 0;
    for (int i = 0; i < 400; ++i) {
        const Case c = generator.next();
        const Tensor expected = by_definition(c);
        const Tensor by_letters = einsum(runtime_pattern(c.letters), c.operands);
        const Tensor by_names = einsum(runtime_pattern(c.names), c.operands);
        if (c.operands.size() > 2) ++with_several_operands;
        // Not bit for bit: a product of zeros may be -0.
        const bool right = tensor::all_close(by_letters, expected, 0, 0) &&
                           tensor::all_close(by_names, expected, 0, 0);
        if (right) continue;
        if (wrong++ == 0) first_wrong = c.letters + " | " + c.names;
    }
    CAPTURE(first_wrong);
    CHECK(wrong == 0);
    CHECK(with_several_operands > 100);
}

TEST_CASE("einsum computes the projections and scores of several heads", "[tensor][einsum]") {
    const std::int64_t batch = 3, posn = 12, d_model = 20, heads = 2, d_head = 10;
    const Tensor x = normal({batch, posn, d_model}, 1);
    const Tensor W_Q = normal({heads, d_model, d_head}, 2);
    const Tensor W_K = normal({heads, d_model, d_head}, 3);
    const Tensor q =
        einsum("batch posn d_model, nheads d_model d_head -> batch posn nheads d_head", x, W_Q);
    const Tensor k =
        einsum("batch posn d_model, nheads d_model d_head -> batch posn nheads d_head", x, W_K);
    const Tensor scores =
        einsum("batch posn_q nheads d_head, batch posn_k nheads d_head -> batch nheads posn_q "
               "posn_k",
               q, k);
    REQUIRE(q.shape() == Shape{batch, posn, heads, d_head});
    REQUIRE(scores.shape() == Shape{batch, heads, posn, posn});
    bool equal = true;
    for (std::int64_t b = 0; b < batch; ++b) {
        for (std::int64_t h = 0; h < heads; ++h) {
            const Tensor x_b = tensor::select(x, 0, b);
            const Tensor Q = tensor::matmul(x_b, tensor::select(W_Q, 0, h));
            const Tensor K = tensor::matmul(x_b, tensor::select(W_K, 0, h));
            const Tensor S = tensor::matmul(Q, tensor::transpose(K));
            equal = equal && same_bits(tensor::select(tensor::select(q, 0, b), 1, h), Q);
            equal = equal && same_bits(tensor::select(tensor::select(scores, 0, b), 0, h), S);
        }
    }
    CHECK(equal);

    const Tensor y = normal({12, 20, 30}, 4);
    const Tensor W = normal({2, 30, 10}, 5);
    const Tensor flat = tensor::reshape(tensor::permute(W, {1, 0, 2}), {30, 20});
    CHECK(same_bits(einsum("b p d, n d h -> b p n h", y, W),
                    tensor::reshape(tensor::matmul(y, flat), {12, 20, 2, 10})));
}

TEST_CASE("intermediate results of an einsum may have more than eight axes", "[tensor][einsum]") {
    Generator generator(5);
    Case c;
    c.lengths = {2, 1, 3, 2, 2, 2, 3, 1, 2, 2};
    c.axes = {{0, 1, 2, 3, 4}, {5, 6, 7, 8, 9}, {9, 3, 0, 6, 1, 4}, {8, 2, 7, 5}};
    c.output = {5, 0, 9};
    for (const std::vector<int>& axes : c.axes) {
        std::vector<std::int64_t> dims;
        for (int axis : axes) dims.push_back(c.lengths[static_cast<std::size_t>(axis)]);
        c.operands.push_back(generator.whole_numbers(Shape(Dims(dims))));
    }
    const Tensor y = einsum(runtime_pattern("abcde,fghij,jdagbe,ichf->faj"), c.operands);
    CHECK(tensor::all_close(y, by_definition(c), 0, 0));
}

TEST_CASE("a diagonal does not read the entries off it", "[tensor][einsum]") {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const Tensor x = of({{1, nan, infinity}, {-infinity, 2, nan}, {nan, nan, 3}});
    CHECK(same_bits(einsum("ii->i", x), of({1, 2, 3})));
    CHECK(einsum("ii->", tensor::transpose(x)).item() == 6);
    const Tensor cube = normal({2, 2, 2}, 1);
    CHECK(same_bits(einsum("iii->i", cube),
                    tensor::from_vector({cube(0, 0, 0), cube(1, 1, 1)}, {2})));
    CHECK(einsum("ii->i", tensor::zeros({0, 0})).shape() == Shape{0});
    CHECK(same_bits(einsum("ii->i", tensor::expand(of({4, 5}), {2, 2})), of({4, 5})));
}

TEST_CASE("einsum over an axis without entries gives zeros", "[tensor][einsum]") {
    const Tensor none = tensor::zeros({3, 0});
    CHECK(same_bits(einsum("ij,kj->ik", none, none), tensor::zeros({3, 3})));
    CHECK(einsum("ij->", none).item() == 0);
    CHECK(einsum("ij,ik->jk", none, tensor::ones({3, 2})).shape() == Shape{0, 2});
    CHECK(einsum("i...,j...->ij...", none, tensor::ones({2, 1})).shape() == Shape{3, 2, 0});
}

TEST_CASE("a wrong pattern at run time is reported with its position", "[tensor][einsum]") {
    struct Row {
        const char* pattern;
        const char* words;
        int place;
    };
    const Row rows[] = {
        {"ij,jk->iz", "the output names an axis that no input has", 8},
        {"a_1 b -> b c", "the output names an axis that no input has", 11},
        {"ij->ii", "the output names an axis twice", 5},
        {"i j, j k", "a pattern in which words are names needs an arrow and an output", 8},
        {"ij;jk->ik", "axis names are made of letters, digits and underscores", 2},
        {"ij\tjk->ik", "axis names are made of letters", 2},
        {"ij-jk", "half an arrow: the output follows ->", 2},
        {"ij>ik", "half an arrow", 2},
        {"ij-", "half an arrow", 2},
        {"ij->i->j", "a second arrow: a pattern has one output", 5},
        {"ij->i,j", "a comma after the arrow: a pattern has one output", 5},
        {"..ij->ij", "an ellipsis is three dots: ...", 0},
        {"ij..", "an ellipsis is three dots", 2},
        {"....i->i", "an ellipsis is three dots", 3},
        {"...i...->i", "a second ellipsis in one term", 4},
        {"2d k -> k", "an axis name must begin with a letter or _", 0},
        {"abcdefghi->a", "more than eight axes in one term", 8},
        {"abcdef,ghijkl", "more than eight axes in one term", 13},
        {"ij->...ij", "the output has an ellipsis, but no input has one", 4},
        {"...ij->ij",
         "an input has an ellipsis, so the output needs one; only named axes can be summed", 7},
        {",,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,", "more than 32 operands", 32},
    };
    for (const Row& row : rows) {
        CAPTURE(row.pattern);
        const std::string pattern = row.pattern;
        const std::string spaces(static_cast<std::size_t>(row.place), ' ');
        const std::string received = message(pattern, {tensor::ones({2, 2})});
        CHECK_THAT(received, Contains("einsum: " + std::string(row.words)));
        CHECK_THAT(received, Contains("\n    " + pattern + "\n    " + spaces + "^\n"));
    }
}

TEST_CASE("shapes that do not fit the pattern are reported by operand and axis",
          "[tensor][einsum]") {
    const Tensor A = tensor::ones({3, 4});
    const Tensor B = tensor::ones({5, 6});
    struct Row {
        const char* pattern;
        std::vector<Tensor> operands;
        const char* words;
    };
    const Row rows[] = {
        {"ij,jk->ik",
         {A, B},
         "einsum: axis \"j\" has length 4 in operand 1 [3, 4] but 5 in operand 2 [5, 6]; it must "
         "have one length everywhere\n    in \"ij,jk->ik\""},
        {"d_a d_b, d_b d_c -> d_a", {A, B}, "axis \"d_b\" has length 4 in operand 1 [3, 4] but 5"},
        {"ii->", {A}, "axis \"i\" has length 3 in operand 1 [3, 4] but 4 in operand 1 [3, 4]"},
        {"ij,jk->ik",
         {A, tensor::ones({1, 2})},
         "but 1 in operand 2 [1, 2]; a length of 1 is broadcast only in an ellipsis"},
        {"i j, j k -> i k",
         {tensor::ones({2, 1}), B},
         "axis \"j\" has length 1 in operand 1 [2, 1] but 5 in operand 2 [5, 6]; a length of 1 is "
         "broadcast only in an ellipsis"},
        {"ii->i", {tensor::ones({1, 3})}, "axis \"i\" has length 1 in operand 1 [1, 3] but 3"},
        {"ij,jk->ik",
         {A, tensor::ones({4})},
         "operand 2 [4] has 1 axis, but its term \"jk\" names 2; here every letter is an axis, "
         "since no term has two words\n    in \"ij,jk->ik\""},
        {" i , jk->ik", {A, B}, "operand 1 [3, 4] has 2 axes, but its term \"i\" names 1\n"},
        {"a b c, ... -> a ...", {A, B}, "its term \"a b c\" names 3\n"},
        {",->", {A, B}, "its term \"\" names 0\n"},
        {"...ijk->...", {A}, "its term \"...ijk\" names at least 3\n"},
        {"...,...->...",
         {A, tensor::ones({2, 4})},
         "an axis of the ellipsis has length 3 in operand 1 [3, 4] but 2 in operand 2 [2, 4]; "
         "aligned at the last axis, lengths must be equal or one of them 1"},
        {"...,abcdefg->...abcdefg",
         {A, tensor::ones({1, 1, 1, 1, 1, 1, 1})},
         "the result would have 9 axes, 2 of them from the ellipsis; a tensor has at most 8"},
    };
    for (const Row& row : rows) {
        CAPTURE(row.pattern);
        CHECK_THAT(message(row.pattern, row.operands), Contains(row.words));
        CHECK(is_shape_error(row.pattern, row.operands));
    }
    CHECK_THAT(message("ij,jk->ik", {A}),
               Contains("the pattern has terms for 2 operands, but 1 was given"));
    CHECK_THAT(message("ij->i", {}), Contains("terms for 1 operand, but 0 were given"));
    CHECK_THAT(message("ij->i", {A, B}), Contains("terms for 1 operand, but 2 were given"));
}

TEST_CASE("an error of einsum names the line of the call", "[tensor][einsum]") {
    const Tensor A = tensor::ones({2, 3});
    const auto checked_here = [&] { einsum("ij,jk->ik", A, A); };
    CHECK_THROWS_WITH(checked_here(), Contains(line_text(__LINE__ - 1)));
    const auto read_here = [&] { einsum(runtime_pattern("ij->i->"), A); };
    CHECK_THROWS_WITH(read_here(), Contains(line_text(__LINE__ - 1)));
}

TEST_CASE("einsum does not change its operands", "[tensor][einsum]") {
    const Tensor A = normal({3, 3}, 1);
    const std::vector<Scalar> before = A.to_vector();
    const std::uint64_t version = A.version();
    const Tensor y = einsum("ij,kj,ll->ikl", A, tensor::transpose(A), A);
    CHECK(y.shape() == Shape{3, 3, 3});
    CHECK(A.to_vector() == before);
    CHECK(A.version() == version);
}
