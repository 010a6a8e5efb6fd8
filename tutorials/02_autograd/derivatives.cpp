// Lesson 02: the derivative of a matrix product (02.5), derivatives of derivatives (02.6), how to
// check one (02.7), and the derivative of softmax, which attention needs (02.8).
#include "tutorials/02_autograd/parts.h"

#include "autograd/grad.h"
#include "autograd/gradcheck/gradcheck.h"
#include "autograd/ops.h"
#include "autograd/record.h"
#include "tensor/ops.h"
#include "tensor/print.h"
#include "tutorials/support/lesson.h"
#include "tutorials/support/predict.h"
#include "tutorials/support/stop.h"

#include <cmath>
#include <iostream>

using namespace heed;
using tutorial::check;
using tutorial::say;
using tutorial::section;

void matrix_derivative(Random& random) {
    section("02.5 The derivative of a matrix product");
    say("$C = A·B$. A[i, k] is a factor in every C[i, j] of its row, beside B[k, j], so with the "
        "upstream gradient $G = ∂L/∂C$, entry by entry and as matrix products:");
    tutorial::formula("∂L/∂A[i, k] = Σ_j G[i, j]·B[k, j]      ∂L/∂A = G·Bᵀ\n"
                      "∂L/∂B[k, j] = Σ_i A[i, k]·G[i, j]      ∂L/∂B = Aᵀ·G");
    const Variable A(tensor::normal({2, 3}, random), requires_grad);
    const Variable B(tensor::normal({3, 4}, random), requires_grad);
    const Tensor G = tensor::normal({2, 4}, random);
    const Variable C = matmul(A, B);
    C.backward({.upstream = G});
    tutorial::predict_shape("A is [2, 3], B [3, 4]. What is the shape of A.grad()?",
                            A.grad().shape(),
                            "$G·Bᵀ$ is $[2, 4]·[4, 3]$: a gradient has the shape of its variable.");
    stop("02.5 two gradients", {{"A", A}, {"B", B}, {"C", C}, {"G", G}});

    std::cout << "A =\n" << A.value() << "\nB =\n" << B.value() << "\nG =\n" << G;
    std::cout << "\nA.grad() =\n" << A.grad() << "\n\n";
    double largest = 0;
    for (std::int64_t i = 0; i < 2; ++i) {
        for (std::int64_t k = 0; k < 3; ++k) {
            double entry = 0;
            for (std::int64_t j = 0; j < 4; ++j) entry += G(i, j) * B(k, j);
            largest = std::fmax(largest, std::fabs(entry - A.grad()(i, k)));
        }
    }
    std::cout << "A.grad()[0, 0] =\n  ";
    for (std::int64_t j = 0; j < 4; ++j) {
        std::cout << (j == 0 ? "" : " + ") << fixed(G(0, j)) << "·" << fixed(B(0, j));
    }
    std::cout << " = " << fixed(A.grad()(0, 0)) << "\n\n";
    check(largest < 1e-12, "loops give $Σ_j G[i, j]·B[k, j]$ in every entry of A.grad()");
    check(tensor::same_bits(B.grad(), tensor::matmul(tensor::transpose(A.value()), G)),
          "B.grad() is $Aᵀ·G$, to the last bit");
}

void higher_derivatives() {
    section("02.6 Derivatives of derivatives");
    say("A derivative is computed with the same operations, so it can be recorded, too. For $y = "
        "x⁵$ at $x = 2$: $y' = 5·2⁴ = 80$, $y'' = 20·2³ = 160$, $y''' = 60·2² = 240$.");
    const Variable x(tensor::of(2), requires_grad);
    const Variable y = pow(x, 5);
    const Variable y1 = grad(y, x, {.create_graph = true});
    const Variable y2 = grad(y1, x, {.create_graph = true});
    const Variable y3 = grad(y2, x);
    stop("02.6 the third derivative", {{"y1", y1}, {"y2", y2}, {"y3", y3}});
    std::cout << "y' = " << y1.item() << ", y'' = " << y2.item() << ", y''' = " << y3.item()
              << "\n\n";
    check(y1.item() == 80 && y2.item() == 160 && y3.item() == 240, "all three are right");
}

// y = x³ with a derivative that lacks the factor 3: an example of a mistake.
struct CubeWithASlip final : Operation {
    Saved x;

    explicit CubeWithASlip(const Variable& X) : x(X) {}
    const char* name() const override { return "cube_with_a_slip"; }
    Tensor forward(const Inputs& in, const CallSite&) const override {
        return in[0] * in[0] * in[0];
    }

    Variable gradient(int, const Variable& G) const override {
        return G * x * x;  // ∂L/∂x = G·3x², without the 3
    }
};

Variable cube_with_a_slip(const Variable& x) {
    return record<CubeWithASlip>({&x}, CallSite::here(), x);
}

Variable product_of_all(const std::vector<Variable>& inputs) {
    return tanh(matmul(inputs[0], inputs[1]) + inputs[2]);
}

Variable slipped(const std::vector<Variable>& inputs) { return cube_with_a_slip(inputs[0]); }

void checking(Random& random) {
    section("02.7 Checking a derivative");
    say("Check every derivative numerically. gradcheck moves every entry of every input a little "
        "both ways, and compares the slope with what backward() says. The upstream gradient is "
        "random, because with ones many mistakes cancel.");
    const Tensor x = tensor::normal({2, 3}, random);
    const Tensor W = tensor::normal({3, 4}, random);
    const Tensor b = tensor::normal({4}, random);
    const GradcheckResult right = gradcheck(product_of_all, {x, W, b}, {.order = 2});
    std::cout << "tanh(x·W + b), first and second derivatives: " << right.checked
              << " derivatives compared\n\n";
    const Tensor y = product_of_all({Variable(x), Variable(W), Variable(b)}).value();
    check(tensor::same_bits(y, tensor::tanh(tensor::matmul(x, W) + b)),
          "the function checked is $tanh(x·W + b)$");
    check(right.ok(), "its derivatives pass");

    const GradcheckResult wrong = gradcheck(slipped, {tensor::of({1, 2, -1.5, 0.5})});
    std::cout << "\nx³ with a derivative of x²:\n" << wrong.text() << "\n\n";
    check(!wrong.ok(), "the slip is found and named");
}

// The Jacobian: J[i, j] = ∂y_i/∂s_j = y_i·(δ_ij - y_j), where δ_ij is an entry of the identity
// matrix.
Tensor softmax_jacobian(const Tensor& y) {
    std::vector<Scalar> J;
    for (std::int64_t i = 0; i < y.dim(0); ++i) {
        for (std::int64_t j = 0; j < y.dim(0); ++j) J.push_back(y(i) * ((i == j ? 1 : 0) - y(j)));
    }
    return tensor::from_vector(J, {y.dim(0), y.dim(0)});
}

// The same, measured: column j is how y changes when s_j moves slightly both ways.
Tensor measured_jacobian(const Tensor& s) {
    const double h = 1e-5;
    const Tensor identity = tensor::eye(s.dim(0));
    std::vector<Tensor> columns;
    for (std::int64_t j = 0; j < s.dim(0); ++j) {
        const Tensor nudge = h * tensor::select(identity, 0, j);
        const Tensor above = tensor::softmax(s + nudge, -1);
        const Tensor below = tensor::softmax(s - nudge, -1);
        columns.push_back((above - below) / (2 * h));
    }
    return tensor::stack(columns, 1);
}

void softmax_derivative(Random& random) {
    section("02.8 The derivative of softmax");
    say("Attention's weights y are a softmax of scores s: $y_i = exp(s_i) / Z$, $Z = Σ_k "
        "exp(s_k)$. Score j is in the Z of every weight, and in the numerator of its own, so the "
        "quotient rule gives the first two lines; $δ_ij$, an entry of the identity matrix, is 1 "
        "where $i = j$ and 0 elsewhere. The third adds up what comes back from all weights, with "
        "the upstream gradient $G = ∂L/∂y$:");
    tutorial::formula("∂y_i/∂s_j = (δ_ij·exp(s_i)·Z - exp(s_i)·exp(s_j)) / Z²\n"
                      "          = y_i·(δ_ij - y_j)\n"
                      "∂L/∂s_j   = Σ_i G_i·∂y_i/∂s_j = y_j·(G_j - Σ_i G_i·y_i)");
    const Variable s(tensor::of({1, 2, 3}), requires_grad);
    const Variable y = softmax(s, -1);             // [3]
    const Tensor J = softmax_jacobian(y.value());  // [3, 3]
    const Tensor G = tensor::normal({3}, random);  // ∂L/∂y
    y.backward({.upstream = G});
    tutorial::predict_choice(
        "Score 0 grows a little. What do weights 1 and 2 do?", {"both grow", "both shrink", "stay"},
        J(1, 0) < 0 && J(2, 0) < 0 ? "both shrink" : "both grow",
        "Together the weights are always 1, and weight 0 takes from each of the others.");
    stop("02.8 the derivative of softmax", {{"s", s}, {"y", y}, {"J", J}, {"G", G}});
    std::cout << "s = " << s.value() << "\ny = " << y.value()
              << "\nJ = ∂y_i/∂s_j, row i, column j (the Jacobian) =\n"
              << J << "\n\n";
    check(tensor::max_difference(J, measured_jacobian(s.value())) < 1e-8,
          "moving each score a little gives the same nine numbers");
    check(tensor::max_difference(tensor::sum(J, 0), tensor::zeros({3})) < 1e-12,
          "each column sums to 0: what one weight gains, the others lose");

    double largest = 0;
    double mean = 0;  // Σ_i G_i·y_i: the mean of G, weighted by y
    for (std::int64_t i = 0; i < 3; ++i) mean += G(i) * y(i);
    for (std::int64_t j = 0; j < 3; ++j) {
        const double entry = y(j) * (G(j) - mean);
        largest = std::fmax(largest, std::fabs(entry - s.grad()(j)));
    }
    std::cout << "\nG = " << G << "\ns.grad() = " << s.grad() << "\n\n";
    check(largest < 1e-12, "the last formula is what backward() gives");
    check(tensor::max_difference(s.grad(), tensor::matmul(G, J)) < 1e-12,
          "and so is $G·J$, the long way, with all nine");

    const Tensor sharp = tensor::softmax(10 * s.value(), -1);  // [3]
    const double largest_of_J = tensor::max(tensor::abs(softmax_jacobian(sharp))).item();
    std::cout << "\nscores ten times as large: largest weight "
              << fixed(tensor::max(sharp).item(), 5) << ", largest entry of J "
              << fixed(largest_of_J, 5) << "\n\n";
    check(largest_of_J < 1e-4,
          "J is nearly 0 then, and so is what comes back: a saturated softmax (lesson 07)");
}
