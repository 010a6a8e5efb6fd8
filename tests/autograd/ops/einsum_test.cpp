// einsum of variables: values, gradients, errors and gradcheck.
#include "nn/heed.h"

#include "tests/catch.h"
#include "tests/tensor/einsum/einsum_cases.h"

#include <limits>

using namespace heed;
using einsum_cases::by_definition;
using einsum_cases::Case;
using einsum_cases::Generator;

namespace {
Tensor normal(const Shape& shape, std::uint64_t seed) {
    Random random(seed);
    return tensor::normal(shape, random);
}

std::vector<Variable> leaves(const std::vector<Tensor>& values) {
    std::vector<Variable> variables;
    for (const Tensor& value : values) variables.push_back(Variable(value, requires_grad));
    return variables;
}

}  // namespace

TEST_CASE("einsum of variables has the bits of einsum of tensors", "[autograd][einsum]") {
    const Tensor x = normal({3, 5, 7}, 1);
    const Tensor W = normal({2, 7, 4}, 2);
    const Tensor y =
        tensor::einsum("batch posn d_model, n d_model d_head -> batch posn n d_head", x, W);
    const Variable recorded = einsum("batch posn d_model, n d_model d_head -> batch posn n d_head",
                                     Variable(x), Variable(W, requires_grad));
    CHECK(tensor::same_bits(recorded.value(), y));
    CHECK(recorded.requires_grad());
    CHECK_FALSE(einsum("bpd,ndh->bpnh", Variable(x), Variable(W)).requires_grad());
}

TEST_CASE("random einsums have the gradients of a loop over all axes", "[autograd][einsum]") {
    Generator generator(23);
    int wrong = 0;
    std::string first_wrong;
    for (int i = 0; i < 150; ++i) {
        const Case c = generator.next();
        const std::vector<Variable> inputs = leaves(c.operands);
        const Variable y = einsum(runtime_pattern(c.letters), inputs);
        const Tensor U = generator.whole_numbers(c.output_shape());
        y.backward({.upstream = U});
        bool right = tensor::all_close(y.value(), by_definition(c), 0, 0);
        for (std::size_t k = 0; k < inputs.size(); ++k) {
            const Tensor expected = by_definition(c, static_cast<int>(k), U);
            right = right && tensor::all_close(inputs[k].grad(), expected, 0, 0);
        }
        if (!right && wrong++ == 0) first_wrong = c.letters;
    }
    CAPTURE(first_wrong);
    CHECK(wrong == 0);
}

TEST_CASE("off the diagonal the gradient is exactly 0", "[autograd][einsum]") {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const Variable x(tensor::of({{2, nan}, {infinity, 3}}), requires_grad);
    const Variable diagonal = einsum("ii->i", x);
    diagonal.backward({.upstream = tensor::of({5, 7})});
    CHECK(tensor::same_bits(diagonal.value(), tensor::of({2, 3})));
    CHECK(tensor::same_bits(x.grad(), tensor::of({{5, 0}, {0, 7}})));
}

TEST_CASE("an operand given twice gets both contributions", "[autograd][einsum]") {
    const Variable v(tensor::of({1, 2, 3}), requires_grad);
    const Variable square = einsum("i,i->", v, v);
    square.backward();
    CHECK(tensor::same_bits(v.grad(), tensor::of({2, 4, 6})));
}

TEST_CASE("einsum of variables fails like einsum of tensors", "[autograd][einsum]") {
    const Variable A(tensor::ones({2, 3}), requires_grad);
    const auto call = [&] { einsum("ij,jk->ik", A, A); };
    const std::string line = "einsum_test.cpp:" + std::to_string(__LINE__ - 1) + ", in";
    CHECK_THROWS_WITH(
        call(),
        Contains("einsum: axis \"j\" has length 3 in operand 1 [2, 3] but 2 in operand 2 [2, 3]") &&
            Contains(line));
    CHECK_THROWS_WITH(einsum(runtime_pattern("ij->k"), A),
                      Contains("the output names an axis that no input has"));
}

#ifdef HEED_DOUBLE
TEST_CASE("the first and second derivatives of einsum pass gradcheck", "[autograd][einsum]") {
    struct Row {
        const char* pattern;
        std::vector<Tensor> inputs;
    };
    const Tensor A = normal({2, 3}, 1);
    const Tensor B = normal({3, 4}, 2);
    const Tensor S = normal({3, 3}, 3);
    const Row rows[] = {
        {"ij,jk->ki", {A, B}},
        {"ij,ij->j", {A, normal({2, 3}, 4)}},
        {"ij->j", {A}},
        {"ii->", {S}},
        {"ii,ij->ij", {S, B}},
        {"i,j,ij->", {normal({2}, 5), normal({3}, 6), A}},
        {"...ij,...jk->...ik", {normal({2, 1, 2, 3}, 7), normal({4, 3, 2}, 8)}},
        {"b q n d_h, b k n d_h -> b n q k", {normal({2, 3, 2, 2}, 9), normal({2, 1, 2, 2}, 10)}},
        {"ij,jk->ik",
         {tensor::transpose(normal({3, 2}, 11)), tensor::expand(normal({4}, 12), {3, 4})}},
    };
    for (const Row& row : rows) {
        CAPTURE(row.pattern);
        const CheckedFunction f = [&](const std::vector<Variable>& in) {
            return einsum(runtime_pattern(row.pattern), in);
        };
        const GradcheckResult result = gradcheck(f, row.inputs, {.order = 2});
        CAPTURE(result.text());
        CHECK(result.ok());
        CHECK(result.checked > 0);
    }
}
#endif
