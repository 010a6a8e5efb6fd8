#include "tutorials/exercises/judges/02_8_impostors.h"

#include "tutorials/exercises/judges/02_3_matmul_gradient.h"
#include "tutorials/exercises/judges/02_5_softmax_gradient.h"
#include "tutorials/exercises/judging/inputs.h"
#include "tutorials/exercises/judging/judge.h"

#include "heed/tensor/factories.h"
#include "heed/tensor/ops/arithmetic.h"
#include "heed/tensor/ops/compare.h"
#include "heed/tensor/ops/softmax.h"
#include "heed/tensor/views.h"

#include <cmath>

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

// Do they differ by more than fifty times the tolerance?
bool apart(const Tensor& a, const Tensor& b) {
    return !tensor::all_close(a, b, 50 * tolerance, 50 * tolerance);
}

bool caught(const SoftmaxInput& in, const Impostor& impostor) {
    const Tensor Y = tensor::softmax(in.X, -1);
    return apart(slipped_softmax_gradient(Y, in.G, {impostor.slip}),
                 slipped_softmax_gradient(Y, in.G, {}));
}

bool caught(const MatmulInput& in, const Impostor& impostor) {
    const LinearGradients wrong = slipped_matmul_gradient(in.x, in.W, in.G, {impostor.slip});
    const LinearGradients right = slipped_matmul_gradient(in.x, in.W, in.G, {});
    return apart(wrong.x, right.x) || apart(wrong.W, right.W);
}

template <class Input>
std::string still_passing(const Input& in, const std::vector<Impostor>& impostors) {
    std::string passing;
    std::size_t count = 0;
    for (const Impostor& impostor : impostors) {
        if (caught(in, impostor)) continue;
        passing += (passing.empty() ? "" : "; ") + impostor.formula;
        ++count;
    }
    if (count == 0) return "";
    const std::size_t all = impostors.size();
    return "You caught " + std::to_string(all - count) + " of " + std::to_string(all) +
           "; these still pass: " + passing + ".";
}

std::string unusable(const std::string& name, const Tensor& A, const Shape& shape) {
    if (!(A.shape() == shape)) {
        return name + " has shape " + A.shape().text() + ", and should have " + shape.text() + ".";
    }
    for (const Scalar entry : A.to_vector()) {
        if (!(std::fabs(entry) <= 100)) return name + " has an entry beyond ±100.";
    }
    return "";
}

bool equal_along_rows(const Tensor& A) {
    return !apart(A, tensor::expand(tensor::slice(A, -1, 0, 1), A.shape()));
}

bool is_symmetric(const Tensor& A) { return !apart(A, tensor::transpose(A)); }

// If impostors still pass: which special property of the inputs, if present, is to blame.
template <class Input>
Law trap(const std::function<Input()>& input, const std::vector<Impostor>& impostors,
         const std::function<bool(const Input&)>& to_blame, const std::vector<Mistake>& mistake) {
    return {"",
            [=]() -> std::string {
                const Input in = input();
                return to_blame(in) ? still_passing(in, impostors) : "";
            },
            mistake};
}

Law law_of_softmax(const Traps& traps, const std::function<bool(const SoftmaxInput&)>& to_blame,
                   const std::vector<Mistake>& mistake = {}) {
    return trap<SoftmaxInput>(traps.softmax, of_softmax(), to_blame, mistake);
}

Law law_of_matmul(const Traps& traps, const std::function<bool(const MatmulInput&)>& to_blame,
                  const std::vector<Mistake>& mistake = {}) {
    return trap<MatmulInput>(traps.matmul, of_matmul(), to_blame, mistake);
}

std::vector<Law> softmax_laws(const Traps& traps) {
    return {
        {"",
         [=] {
             const SoftmaxInput in = traps.softmax();
             const std::string of_X = unusable("X", in.X, {2, 3});
             return of_X.empty() ? unusable("G", in.G, {2, 3}) : of_X;
         }},
        law_of_softmax(
            traps, [](const SoftmaxInput& in) { return equal_along_rows(in.G); },
            {{"catch.equal-G",
              "G is the same all along a row: the weights of a row sum to 1, so L never changes",
              {"What is the right gradient for this G?", "Look at your G."}}}),
        law_of_softmax(
            traps, [](const SoftmaxInput& in) { return equal_along_rows(in.X); },
            {{"catch.equal-scores",
              "the scores of a row are all alike, so that a weighted mean is a plain one",
              {"Which weights does softmax give for this X?", "Look at your X."}}}),
        law_of_softmax(traps, [](const SoftmaxInput&) { return true; }),
    };
}

std::vector<Law> matmul_laws(const Traps& traps) {
    return {
        {"",
         [=] {
             const MatmulInput in = traps.matmul();
             std::string found = unusable("x", in.x, {3, 3});
             if (found.empty()) found = unusable("W", in.W, {3, 3});
             return found.empty() ? unusable("G", in.G, {3, 3}) : found;
         }},
        law_of_matmul(
            traps,
            [](const MatmulInput& in) {
                return !apart(in.G, tensor::ones({3, 3}));
            },
            {{"catch.ones",
              "G is all ones, as if L were the sum of y: that is what whoever forgets G assumes",
              {"Which derivative looks right, if G is 1 everywhere?", "Look at your G."}}}),
        law_of_matmul(traps, [](const MatmulInput& in) { return is_symmetric(in.W); },
                      {{"catch.symmetric-W",
                        "W is its own transpose, so that nobody sees a ᵀ that was left out",
                        {"What is Wᵀ, for your W?", "Look at W[0, 1] and W[1, 0]."}}}),
        law_of_matmul(traps, [](const MatmulInput& in) { return is_symmetric(in.x); },
                      {{"catch.symmetric-x",
                        "x is its own transpose, so that nobody sees a ᵀ that was left out",
                        {"What is xᵀ, for your x?", "Look at x[0, 1] and x[1, 0]."}}}),
        law_of_matmul(traps, [](const MatmulInput&) { return true; }),
    };
}

Tensor symmetric(const Tensor& A) { return A + tensor::transpose(A); }

Traps slipping(const Slips& slip) {
    const auto softmax = [=]() -> SoftmaxInput {
        Tensor X = random({2, 3}, 1);
        Tensor G = random({2, 3}, 2);
        if (slip("catch.equal-G")) G = tensor::ones({2, 3});
        if (slip("catch.equal-scores")) X = tensor::zeros({2, 3});
        return {X, G};
    };
    const auto matmul = [=]() -> MatmulInput {
        Tensor x = random({3, 3}, 3);
        Tensor W = random({3, 3}, 4);
        Tensor G = random({3, 3}, 5);
        if (slip("catch.ones")) G = tensor::ones({3, 3});
        if (slip("catch.symmetric-W")) W = symmetric(W);
        if (slip("catch.symmetric-x")) x = symmetric(x);
        return {x, W, G};
    };
    return {softmax, matmul};
}

}  // namespace

Exercise impostors(const Traps& traps) {
    Exercise exercise;
    exercise.number = "02.8";
    exercise.title = "Catch the impostors";
    exercise.laws = softmax_laws(traps);
    for (const Law& law : matmul_laws(traps)) exercise.laws.push_back(law);
    exercise.hints = {
        "For which input do an impostor and the right derivative give the same numbers?",
        "Take the first that still passes, and put your numbers into its formula and the right one",
        "No two entries alike, nothing symmetric, nothing constant, in the inputs and in G",
        "Random numbers do: tensor::normal({2, 3}, random) with a Random random(1);"};
    return exercise;
}

Trials impostors_trials() {
    Trials trials;
    trials.slipping = [](const Slips& slip) { return impostors(slipping(slip)); };
    trials.more_ids = {"catch.equal-G", "catch.equal-scores", "catch.ones", "catch.symmetric-W",
                       "catch.symmetric-x"};
    trials.right["whole numbers, chosen by hand"] = [] {
        const auto softmax = []() -> SoftmaxInput {
            return {tensor::of({{0, 1, 3}, {2, 0, 1}}), tensor::of({{1, 0, 2}, {-1, 3, 1}})};
        };
        const auto matmul = []() -> MatmulInput {
            return {tensor::of({{1, 2, 0}, {0, 1, 3}, {2, 0, 1}}),
                    tensor::of({{0, 1, 2}, {3, 1, 0}, {1, 0, 2}}),
                    tensor::of({{1, 0, 2}, {0, 3, 1}, {1, 1, 0}})};
        };
        return impostors({softmax, matmul});
    };
    return trials;
}

}  // namespace exercise
