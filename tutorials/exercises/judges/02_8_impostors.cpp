#include "tutorials/exercises/judges/common_derivatives.h"
#include "tutorials/exercises/judges/lesson_02.h"
#include "tutorials/exercises/judging/kit.h"

using namespace heed;

namespace exercise {
namespace {
// A wrong derivative: the id of its slip, and its formula.
struct Impostor {
    std::string slip, formula;
};

std::vector<Impostor> of_softmax() {
    return {{"smb.diag", "Y·(1 - Y)·G"},
            {"smb.p-dy", "Y·G"},
            {"smb.dy-s", "G - Σ Y·G"},
            {"smb.mean", "Y·(G - mean(Y·G))"},
            {"smb.mean-G", "Y·(G - mean(G))"},
            {"smb.sum-G", "Y·(G - Σ G)"},
            {"smb.plus", "Y·(G + Σ Y·G)"},
            {"smb.wrong-axis", "Y·(G - Σ Y·G), summed down the columns"},
            {"ag.no-upstream", "the right one for a G of ones"}};
}

std::vector<Impostor> of_matmul() {
    return {{"ag.dX-noT", "∂L/∂x = G·W"},
            {"ag.dX-left", "∂L/∂x = Wᵀ·G"},
            {"ag.dX-T", "∂L/∂x = W·Gᵀ"},
            {"ag.dW-T", "∂L/∂W = Gᵀ·x"},
            {"ag.dW-noT", "∂L/∂W = x·G"},
            {"ag.dW-right", "∂L/∂W = G·xᵀ"},
            {"ag.swapped-parents", "the two exchanged"},
            {"ag.no-upstream", "both right for a G of ones"}};
}

// How far the numbers are apart, in units of what is needed to catch an impostor: 50 times the
// tolerance.
double distance(const Tensor& wrong, const Tensor& right) {
    const Tensor needed = 50 * tolerance * (1 + tensor::abs(right));
    return tensor::max(tensor::abs(wrong - right) / needed).item();
}

double distance(const SoftmaxInput& in, const Impostor& impostor) {
    const Tensor Y = tensor::softmax(in.X, -1);
    return distance(slipped_softmax_gradient(Y, in.G, {impostor.slip}),
                    slipped_softmax_gradient(Y, in.G, {}));
}

double distance(const MatmulInput& in, const Impostor& impostor) {
    const LinearGradients wrong = slipped_matmul_gradient(in.x, in.W, in.G, {impostor.slip});
    const LinearGradients right = slipped_matmul_gradient(in.x, in.W, in.G, {});
    return std::max(distance(wrong.x, right.x), distance(wrong.W, right.W));
}

bool is_constant_along_rows(const Tensor& A) {
    return identical(A, tensor::expand(tensor::slice(A, -1, 0, 1), A.shape()));
}

bool is_symmetric(const Tensor& A) { return identical(A, tensor::transpose(A)); }

// Properties of the input that let at least one impostor pass.
std::string properties(const SoftmaxInput& in) {
    std::string said;
    if (is_constant_along_rows(in.G)) {
        said += " Each row of your G is constant: since the weights of a row sum to 1, L does not "
                "change at all.";
    }
    if (is_constant_along_rows(in.X)) {
        said += " Each row of your X is constant: then all its weights are equal.";
    }
    return said;
}

std::string properties(const MatmulInput& in) {
    std::string said;
    if (identical(in.G, tensor::ones({3, 3}))) said += " Your G is 1 everywhere.";
    if (is_symmetric(in.W)) said += " Your W is equal to its transpose.";
    if (is_symmetric(in.x)) said += " Your x is equal to its transpose.";
    return said;
}

template <class Input>
std::string still_passing(const Input& in, const std::string& of,
                          const std::vector<Impostor>& impostors) {
    std::string passing;
    std::size_t count = 0;
    for (const Impostor& impostor : impostors) {
        if (distance(in, impostor) > 1) continue;
        passing += (passing.empty() ? "" : "; ") + impostor.formula;
        ++count;
    }
    if (count == 0) return "";
    const std::size_t all = impostors.size();
    return "You caught " + std::to_string(all - count) + " of the " + std::to_string(all) +
           " wrong derivatives of " + of +
           (count == 1 ? "; this one still passes: " : "; these still pass: ") + passing + "." +
           properties(in);
}

std::string unusable(const std::string& name, const Tensor& A, const Shape& shape) {
    if (!(A.shape() == shape)) {
        return name + " has shape " + A.shape().text() + "; it should be " + shape.text() + ".";
    }
    const std::vector<Scalar> entries = A.to_vector();
    for (std::size_t i = 0; i < entries.size(); ++i) {
        if (std::fabs(entries[i]) <= 100) continue;
        // With fewer digits 100.0000001 is "100".
        return text(name, unravelled(static_cast<std::int64_t>(i), shape), " is ",
                    std::setprecision(12), entries[i],
                    "; all entries must be numbers from -100 to 100.");
    }
    return "";
}

std::string finding_in(const SoftmaxInput& in) {
    std::string found = unusable("X", in.X, {2, 3});
    if (found.empty()) found = unusable("G", in.G, {2, 3});
    return found.empty() ? still_passing(in, "softmax", of_softmax()) : "In softmax_trap, " + found;
}

std::string finding_in(const MatmulInput& in) {
    std::string found = unusable("x", in.x, {3, 3});
    if (found.empty()) found = unusable("W", in.W, {3, 3});
    if (found.empty()) found = unusable("G", in.G, {3, 3});
    return found.empty() ? still_passing(in, "the matrix product", of_matmul())
                         : "In matmul_trap, " + found;
}

std::vector<Hole> holes() {
    return {{"softmax_trap",
             {},
             {"For which X and G do an impostor and the right derivative give the same numbers?",
              "Take the right derivative, Y·(G - Σ Y·G), and try a G of ones: what is it?",
              "No two entries alike in a row of X, nor in a row of G; weights neither 0 nor 1",
              "For example X {{0, 1, 3}, {2, 0, 1}} and G {{1, 0, 2}, {-1, 3, 1}}"}},
            {"matmul_trap",
             {},
             {"For which x, W and G do an impostor and the right derivative give the same numbers?",
              "Take ∂L/∂x = G·Wᵀ and ∂L/∂W = xᵀ·G: for which W is the ᵀ not needed?",
              "Nothing symmetric, nothing constant, and three matrices that differ",
              "Random numbers do: tensor::normal({3, 3}, random), after Random random(1);"}}};
}

Traps by_random_numbers() {
    return {[] {
                return SoftmaxInput{random({2, 3}, 1), random({2, 3}, 2)};
            },
            [] {
                return MatmulInput{random({3, 3}, 3), random({3, 3}, 4), random({3, 3}, 5)};
            }};
}

Rules<Traps> rules() {
    return {
        .number = "02.8",
        .title = "Catch the impostors",
        .reference = [](const Slips&) { return by_random_numbers(); },
        .laws = {{"", [](const Traps& traps) { return finding_in(traps.softmax()); }},
                 {"", [](const Traps& traps) { return finding_in(traps.matmul()); }}},
        .hints = {"For which input do an impostor and the right derivative give the same numbers?",
                  "Put your numbers into the formula of the first that still passes, and into the "
                  "right one",
                  "Softmax: Y·(G - Σ Y·G). Matrix product: ∂L/∂x = G·Wᵀ, ∂L/∂W = xᵀ·G. Where your "
                  "input makes an impostor equal to these, something in it is equal, symmetric, "
                  "constant, 0 or 1",
                  "Change the entries of that input until no two are alike, and none is 0 or 1"},
        .holes = holes(),
    };
}

}  // namespace

const Judge<Traps> judge_02_8(rules);

}  // namespace exercise
