// Plants every common mistake in a derivative; each must be found and named.
#include "nn/heed.h"
#include "tensor/kernels/kernels.h"
#include "tests/autograd/gradcheck/planted.h"
#include "tests/catch.h"

#include <string>
#include <vector>

using namespace heed;

namespace {
using In = std::vector<Variable>;

Tensor random(const Shape& shape, std::uint64_t seed) {
    Random numbers(seed);
    return tensor::normal(shape, numbers);
}

struct Fault {
    const char* id;
    CheckedFunction f;
    std::vector<Tensor> inputs;
    int input;  // whose gradient is wrong
    GradientFault kind;
    const char* words;
};

// The planted operation is in the middle, so that gradcheck has to choose which one to blame.
void must_be_named(const Fault& fault) {
    INFO(fault.id);
    const CheckedFunction& f = fault.f;
    const CheckedFunction around = [&f](const In& in) { return f(in) * 2.0; };
    const GradcheckResult result = gradcheck(around, fault.inputs);
    INFO(result.text());
    REQUIRE_FALSE(result.ok());
    bool found = false;
    for (const GradcheckFailure& failure : result.failures) {
        if (failure.input != fault.input) continue;
        found = true;
        CHECK(std::string(name_of(failure.fault)) == name_of(fault.kind));
        CHECK_THAT(failure.looks_like, Contains(fault.words));
        CHECK_THAT(failure.blamed, Contains("planted at gradcheck_faults_test.cpp"));
        CHECK_THAT(failure.operation, Contains("multiply"));
    }
    CHECK(found);
}

Variable product(const In& in, const Rule& rule) {
    return planted(tensor::matmul(in[0].value(), in[1].value()), in, rule);
}

Variable sum_of_two(const In& in, const Rule& for_b) {
    return planted(tensor::add(in[0].value(), in[1].value()), in,
                   [for_b](int input, const Variable& G) { return input == 0 ? G : for_b(1, G); });
}

const Tensor X34 = random({3, 4}, 1);
const Tensor X43 = random({4, 3}, 2);
const Tensor X33 = random({3, 3}, 3);
const Tensor W33 = random({3, 3}, 4);
const Tensor W42 = random({4, 2}, 5);
const Tensor b3 = random({3}, 6);

}  // namespace

TEST_CASE("wrong derivatives of a matrix product are named", "[autograd][gradcheck]") {
    must_be_named({"dW transposed, square",
                   [](const In& in) {
                       return product(in, [in](int input, const Variable& G) {
                           if (input == 0) return matmul(G, transpose(in[1]));
                           return matmul(transpose(G), in[0]);
                       });
                   },
                   {X33, W33},
                   1,
                   GradientFault::transposed,
                   "axes 0 and 1 exchanged"});
    must_be_named({"dW transposed, then forced into the shape",
                   [](const In& in) {
                       return product(in, [in](int input, const Variable& G) {
                           if (input == 0) return matmul(G, transpose(in[1]));
                           return reshape(matmul(transpose(G), in[0]), {4, 2});
                       });
                   },
                   {X34, W42},
                   1,
                   GradientFault::transposed,
                   "then forced into the shape"});
    must_be_named({"parents swapped",
                   [](const In& in) {
                       return product(in, [in](int input, const Variable& G) {
                           if (input == 1) return matmul(G, transpose(in[1]));
                           return matmul(transpose(in[0]), G);
                       });
                   },
                   {X33, W33},
                   0,
                   GradientFault::swapped,
                   "what input 1 should get"});
    must_be_named({"dX without transposing W",
                   [](const In& in) {
                       return product(in, [in](int input, const Variable& G) {
                           if (input == 0) return matmul(G, in[1]);
                           return matmul(transpose(in[0]), G);
                       });
                   },
                   {X33, W33},
                   0,
                   GradientFault::unknown,
                   "none of the usual"});
    must_be_named({"dX from the left",
                   [](const In& in) {
                       return product(in, [in](int input, const Variable& G) {
                           if (input == 0) return matmul(transpose(in[1]), G);
                           return matmul(transpose(in[0]), G);
                       });
                   },
                   {X33, W33},
                   0,
                   GradientFault::unknown,
                   "none of the usual"});
    must_be_named({"dW of the last row only",
                   [](const In& in) {
                       return product(in, [in](int input, const Variable& G) {
                           if (input == 0) return matmul(G, transpose(in[1]));
                           const Variable x = slice(in[0], 0, 2);
                           return matmul(transpose(x), slice(G, 0, 2));
                       });
                   },
                   {X34, W42},
                   1,
                   GradientFault::overwritten,
                   "entry 2 along axis 0"});
}

TEST_CASE("a bias whose gradient is not summed is named", "[autograd][gradcheck]") {
    must_be_named({"first row",
                   [](const In& in) {
                       return sum_of_two(in,
                                         [](int, const Variable& G) { return select(G, 0, 0); });
                   },
                   {X43, b3},
                   1,
                   GradientFault::missing_sum,
                   "only the first entry (0 of 4)"});
    must_be_named({"last row",
                   [](const In& in) {
                       return sum_of_two(in,
                                         [](int, const Variable& G) { return select(G, 0, -1); });
                   },
                   {X43, b3},
                   1,
                   GradientFault::missing_sum,
                   "only the last entry (3 of 4)"});
    must_be_named({"mean",
                   [](const In& in) {
                       return sum_of_two(in, [](int, const Variable& G) { return mean(G, 0); });
                   },
                   {X43, b3},
                   1,
                   GradientFault::missing_sum,
                   "the mean over the broadcast axes (4"});
    must_be_named({"columns summed in place of rows",
                   [](const In& in) {
                       return sum_of_two(in, [](int, const Variable& G) { return sum(G, 1); });
                   },
                   {X33, b3},
                   1,
                   GradientFault::wrong_axis,
                   "wrong axis"});
}

TEST_CASE("signs and factors are named with their number", "[autograd][gradcheck]") {
    must_be_named({"sign of a difference",
                   [](const In& in) {
                       return planted(tensor::subtract(in[0].value(), in[1].value()), in,
                                      [](int, const Variable& G) { return G; });
                   },
                   {X34, random({3, 4}, 9)},
                   1,
                   GradientFault::sign,
                   "exactly -1 times"});
    must_be_named({"a square without its 2",
                   [](const In& in) {
                       return planted(tensor::multiply(in[0].value(), in[0].value()), in,
                                      [in](int, const Variable& G) { return G * in[0]; });
                   },
                   {X34},
                   0,
                   GradientFault::constant_factor,
                   "exactly 0.5 = 1/2 = 1/√4 (4 is the length of an axis) times"});
    must_be_named({"a mean without its 1/n",
                   [](const In& in) {
                       return planted(tensor::mean(in[0].value(), 1), in,
                                      [in](int, const Variable& G) {
                                          return expand(unsqueeze(G, 1), in[0].shape());
                                      });
                   },
                   {X34},
                   0,
                   GradientFault::constant_factor,
                   "exactly 4 (4 is the length of an axis) times"});
    must_be_named({"scores without 1/√d_k",
                   [](const In& in) {
                       const Tensor scores = tensor::matmul(in[0].value(), in[1].value());
                       const Tensor root = tensor::of(1.7320508075688772);
                       return planted(tensor::divide(scores, root), in,
                                      [in](int input, const Variable& G) {
                                          if (input == 0) return matmul(G, transpose(in[1]));
                                          return matmul(transpose(in[0]), G);
                                      });
                   },
                   {X43, random({3, 5}, 7)},
                   0,
                   GradientFault::constant_factor,
                   "= √3 (3 is the length of an axis) times"});
}

TEST_CASE("a factor is named whatever the sign of the gradients", "[autograd][gradcheck]") {
    for (const double sign : {1.0, -1.0}) {  // of all gradients: the output is one number
        must_be_named({"a mean over all without its 1/n",
                       [sign](const In& in) {
                           const Tensor y = tensor::mean(in[0].value()) * sign;
                           return planted(y, in, [in, sign](int, const Variable& G) {
                               return expand(G * sign, in[0].shape());
                           });
                       },
                       {X34},
                       0,
                       GradientFault::constant_factor,
                       "exactly 12 times"});
    }
}

namespace {
// y = x², whose formula is G·2x times one factor, and whose fused pass G·2x times another.
struct Square final : Operation {
    Tensor x;
    double in_formula, in_fused;

    Square(const Tensor& X, double formula, double fused)
        : x(X), in_formula(formula), in_fused(fused) {}
    const char* name() const override { return "square"; }
    Tensor forward(const Inputs& in, const CallSite&) const override { return in[0] * in[0]; }
    Variable gradient(int, const Variable& G) const override {
        return G * Variable(x * 2) * in_formula;
    }
    bool fused_gradients(const Tensor& G, Gradients& to) const override {
        to.set(0, G * x * 2 * in_fused);
        return true;
    }
};

GradcheckResult checked_square(double in_formula, double in_fused) {
    const CheckedFunction f = [in_formula, in_fused](const In& in) {
        const Variable& x = in[0];
        const Variable y = record<Square>({&x}, CallSite::here(), x.value(), in_formula, in_fused);
        return y * 2.0;
    };
    return gradcheck(f, {X34});
}

}  // namespace

TEST_CASE("a formula is checked although a fused pass stands in for it, and the other way round",
          "[autograd][gradcheck]") {
    CHECK(checked_square(1, 1).ok());
    const GradcheckResult formula = checked_square(3, 1);
    REQUIRE(formula.failures.size() == 1);
    CHECK(formula.failures[0].only_formula == kernels::are_fast());
    CHECK_THAT(formula.failures[0].looks_like, Contains("exactly 3"));
    CHECK_THAT(formula.failures[0].blamed, Contains("square at gradcheck_faults_test.cpp:"));
    CHECK_THAT(formula.failures[0].blamed, Contains("whose own derivative is wrong"));

    if (!kernels::are_fast()) return;  // then no fused pass is taken
    const GradcheckResult fused = checked_square(1, 3);
    REQUIRE(fused.failures.size() == 1);
    CHECK_FALSE(fused.failures[0].only_formula);
    CHECK_THAT(fused.failures[0].looks_like, Contains("exactly 3"));
    CHECK_THAT(fused.failures[0].blamed, Contains("square at gradcheck_faults_test.cpp:"));
}

TEST_CASE("a derivative that ignores its upstream gradient or inputs is named",
          "[autograd][gradcheck]") {
    must_be_named({"no upstream gradient",
                   [](const In& in) {
                       return planted(tensor::multiply(in[0].value(), in[1].value()), in,
                                      [in](int input, const Variable& G) {
                                          return input == 0 ? in[1] * 2.0 : G * in[0];
                                      });
                   },
                   {X34, random({3, 4}, 8)},
                   0,
                   GradientFault::ignores_upstream,
                   "G is not used"});
    must_be_named({"∂(ab)/∂a = a",
                   [](const In& in) {
                       return planted(tensor::multiply(in[0].value(), in[1].value()), in,
                                      [in](int, const Variable& G) { return G * in[0]; });
                   },
                   {X34, random({3, 4}, 8)},
                   0,
                   GradientFault::swapped,
                   "what input 1 should get"});
    must_be_named({"zeros for a softmax, whose sum has the gradient 0",
                   [](const In& in) {
                       return planted(tensor::softmax(in[0].value(), 1), in,
                                      [](int, const Variable& G) { return G * 0.0; });
                   },
                   {X34},
                   0,
                   GradientFault::zero,
                   "no gradient arrives"});
    must_be_named({"NaN",
                   [](const In& in) {
                       return planted(tensor::exp(in[0].value()), in,
                                      [](int, const Variable& G) { return G * 0.0 / 0.0; });
                   },
                   {X34},
                   0,
                   GradientFault::not_finite,
                   "12 entries are NaN"});
}

TEST_CASE("a gradient that is wrong at some entries is named", "[autograd][gradcheck]") {
    must_be_named({"softmax, diagonal only",
                   [](const In& in) {
                       const Tensor p = tensor::softmax(in[0].value(), 1);
                       return planted(p, in, [p](int, const Variable& G) {
                           return G * Variable(p * (1 - p));
                       });
                   },
                   {X34},
                   0,
                   GradientFault::diagonal_only,
                   "its own place"});
    must_be_named({"softmax, one term",
                   [](const In& in) {
                       const Tensor p = tensor::softmax(in[0].value(), 1);
                       return planted(p, in,
                                      [p](int, const Variable& G) { return G * Variable(p); });
                   },
                   {X34},
                   0,
                   GradientFault::value_itself,
                   "G times the output itself: G must be multiplied by the derivative there"});
    must_be_named({"softplus, G·x for G·σ(x)",
                   [](const In& in) {
                       const Tensor x = in[0].value();
                       return planted(tensor::log(tensor::exp(x) + 1), in,
                                      [x](int, const Variable& G) { return G * Variable(x); });
                   },
                   {X34},
                   0,
                   GradientFault::value_itself,
                   "G times input 0 itself: G must be multiplied by the derivative there"});
    must_be_named({"relu, cut at the sign of G",
                   [](const In& in) {
                       return planted(tensor::relu(in[0].value()), in,
                                      [](int, const Variable& G) { return relu(G); });
                   },
                   {tensor::abs(X34) + 0.1},
                   0,
                   GradientFault::some_entries_zero,
                   "zero at the others"});
    must_be_named({"relu, not cut",
                   [](const In& in) {
                       return planted(tensor::relu(in[0].value()), in,
                                      [](int, const Variable& G) { return G; });
                   },
                   {X34},
                   0,
                   GradientFault::some_entries,
                   "wrong at the others"});
    must_be_named({"transpose, not transposed back",
                   [](const In& in) {
                       return planted(tensor::transpose(in[0].value()), in,
                                      [](int, const Variable& G) {
                                          return reshape(G, {3, 4});
                                      });
                   },
                   {X34},
                   0,
                   GradientFault::transposed,
                   "then forced into the shape"});
    must_be_named({"layer norm, mean and variance taken for constants",
                   [](const In& in) {
                       const Tensor x = in[0].value();
                       const Tensor centred = tensor::subtract(x, tensor::mean(x, 1, keepdim));
                       const Tensor scale = 1 / tensor::sqrt(tensor::var(x, 1, 0, keepdim) + 0.1);
                       return planted(centred * scale, in, [scale](int, const Variable& G) {
                           return G * Variable(scale);
                       });
                   },
                   {X34},
                   0,
                   GradientFault::unknown,
                   "none of the usual"});
}

TEST_CASE("a repeated index whose gradient is overwritten is named", "[autograd][gradcheck]") {
    const IndexTensor ids({0, 2, 0, 1, 2});
    must_be_named(
        {"embedding, the last one wins",
         [ids](const In& in) {
             const Tensor y = tensor::index_select(in[0].value(), 0, ids);
             return planted(y, in, [](int, const Variable& G) {
                 const Variable rows[] = {select(G, 0, 2), select(G, 0, 3), select(G, 0, 4)};
                 return stack({rows[0], rows[1], rows[2], Variable(tensor::zeros({4}))});
             });
         },
         {random({4, 4}, 11)},
         0,
         GradientFault::overwritten,
         "one entry along axis 0 of the output [5, 4]"});
}

TEST_CASE("a hand-written gradient that counts only one of two uses is named",
          "[autograd][gradcheck]") {
    const CheckedFunction f = [](const In& in) { return in[0] * sin(in[0]); };
    const Variable x(X34);
    const Variable G(random({3, 4}, 12));
    const Tensor one = (G * sin(x)).value();
    const Tensor other = (G * x * cos(x)).value();
    CHECK(check_gradients(f, {X34}, G.value(), {one + other}).ok());
    const GradcheckResult only_one = check_gradients(f, {X34}, G.value(), {one});
    REQUIRE(only_one.failures.size() == 1);
    CHECK(only_one.failures[0].fault == GradientFault::overwritten);
    CHECK_THAT(only_one.failures[0].looks_like, Contains("its use in multiply at"));
    const GradcheckResult only_other = check_gradients(f, {X34}, G.value(), {other});
    REQUIRE(only_other.failures.size() == 1);
    CHECK(only_other.failures[0].fault == GradientFault::overwritten);
    CHECK_THAT(only_other.failures[0].looks_like, Contains("its use in sin at"));

    const CheckedFunction square = [](const In& in) { return in[0] * in[0]; };
    const GradcheckResult half = check_gradients(square, {X34}, G.value(), {(G * x).value()});
    REQUIRE(half.failures.size() == 1);
    CHECK(half.failures[0].fault == GradientFault::overwritten);
}

TEST_CASE("the place where a graph was cut is found", "[autograd][gradcheck]") {
    const CheckedFunction detached = [](const In& in) {
        const Variable y = exp(in[0]);
        return y * cos(y.detach());
    };
    const GradcheckResult result = gradcheck(detached, {X34});
    REQUIRE(result.failures.size() == 1);
    CHECK_THAT(result.failures[0].blamed, Contains("multiply at gradcheck_faults_test.cpp"));
    CHECK_THAT(result.failures[0].blamed, Contains("whose input 1 depends on the inputs"));

    const CheckedFunction constant = [](const In& in) {
        const Variable y(in[0].value());
        return exp(y);
    };
    const GradcheckResult all = gradcheck(constant, {X34});
    REQUIRE(all.failures.size() == 1);
    CHECK(all.failures[0].fault == GradientFault::zero);
    CHECK_THAT(all.failures[0].looks_like, Contains("nothing was recorded"));
}

TEST_CASE("one wrong entry among many, off by one millionth, is found", "[autograd][gradcheck]") {
    const CheckedFunction f = [](const In& in) {
        return planted(tensor::exp(in[0].value()), in, [in](int, const Variable& G) {
            Tensor slip = tensor::ones({3, 4});
            slip.writable_data()[2 * 4 + 1] = 1.000001;
            return G * exp(in[0]) * Variable(slip);
        });
    };
    const GradcheckResult result = gradcheck(f, {X34}, {.names = {"scores"}});
    REQUIRE(result.failures.size() == 1);
    const GradcheckFailure& failure = result.failures[0];
    CHECK(failure.index.text() == "[2, 1]");
    CHECK(failure.wrong == 1);
    CHECK(failure.entries == 12);
    CHECK_THAT(failure.looks_like, Contains("only just outside the tolerance"));
    CHECK(failure.received == Approx(failure.expected * 1.000001).epsilon(1e-9));
    CHECK_THAT(result.text(), Contains("input 0 (scores), entry [2, 1]: received "));
    CHECK_THAT(result.text(), Contains("1 of 12 entries are wrong"));
    CHECK_THAT(result.text(), Contains("in the result of planted at gradcheck_faults_test.cpp"));
    CHECK_THAT(result.text(), Contains("starting with planted at gradcheck_faults_test.cpp"));
}

TEST_CASE("a right derivative that cannot be differentiated again is found in the second order",
          "[autograd][gradcheck]") {
    const CheckedFunction square = [](const In& in) {
        const Tensor x = in[0].value();
        return planted(tensor::multiply(x, x), in,
                       [x](int, const Variable& G) { return G * Variable(x * 2.0); });
    };
    CHECK(gradcheck(square, {X34}).ok());
    const GradcheckResult result = gradcheck(square, {X34}, {.order = 2});
    REQUIRE(result.failures.size() == 1);
    CHECK(result.failures[0].order == 2);
    CHECK(result.failures[0].input == 0);
    CHECK(result.failures[0].fault == GradientFault::zero);
    CHECK_THAT(result.failures[0].blamed, Contains("whose input 1 depends on the inputs"));
    CHECK_THAT(result.text(), Contains("second derivative, input 0"));

    const CheckedFunction cut = [](const In& in) {
        return planted(tensor::exp(in[0].value()), in,
                       [in](int, const Variable& G) { return exp(in[0]) * G.detach(); });
    };
    CHECK(gradcheck(cut, {X34}).ok());
    const GradcheckResult upstream = gradcheck(cut, {X34}, {.order = 2});
    REQUIRE(upstream.failures.size() == 1);
    CHECK(upstream.failures[0].input == 1);
    CHECK(upstream.failures[0].input_name == "the upstream gradient");
}
