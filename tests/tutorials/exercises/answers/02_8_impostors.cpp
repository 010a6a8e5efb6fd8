// Answers to 02.8.
#include "tests/tutorials/exercises/answers/answers.h"
#include "tutorials/exercises/judges/lesson_02.h"

#include "nn/heed.h"

#include <limits>

using namespace heed;
using namespace exercise;

namespace {
const double nan = std::numeric_limits<double>::quiet_NaN();

// Nothing about these is regular, and no entry is beyond ±100.
Tensor X() { return tensor::of({{0.3, -0.9, 1.1}, {1.7, 0.2, -0.4}}); }
Tensor G() { return tensor::of({{2, -1.5, 0.7}, {-0.6, 3.1, 1.3}}); }
Tensor x3() { return tensor::of({{1.3, -2.1, 0.4}, {3.7, 0.9, -1.6}, {-0.7, 2.9, 5.3}}); }
Tensor W3() { return tensor::of({{0.8, 4.1, -1.9}, {-2.3, 1.7, 0.6}, {3.1, -0.5, 2.2}}); }
Tensor G3() { return tensor::of({{-1.1, 0.3, 2.7}, {4.9, -3.4, 1.2}, {0.5, 6.1, -2.6}}); }
Tensor symmetric() { return tensor::of({{1, 2, -3}, {2, 5, 7}, {-3, 7, -4}}); }

// Each row is the one before it, turned by one place.
Tensor turning(double a, double b, double c) {
    return tensor::of({{a, b, c}, {c, a, b}, {b, c, a}});
}

// The other trap is good.
Answer softmax(const std::string& what, const SoftmaxInput& input) {
    const Traps traps = {[input] { return input; }, [] { return MatmulInput{x3(), W3(), G3()}; }};
    return {what, [traps] { return judge_02_8(traps); }};
}

Answer matmul(const std::string& what, const MatmulInput& input) {
    const Traps traps = {[] { return SoftmaxInput{X(), G()}; }, [input] { return input; }};
    return {what, [traps] { return judge_02_8(traps); }};
}

std::vector<Answer> softmax_not_enough() {
    const Tensor same = tensor::ones({2, 3});
    const Tensor equal_scores = tensor::zeros({2, 3});
    const Tensor sure = tensor::of({{100, 0, -100}, {-100, 100, 0}});
    return {
        softmax("softmax: a gradient of ones", {X(), same}),
        softmax("softmax: one gradient for each row", {X(), tensor::of({{2, 2, 2}, {-5, -5, -5}})}),
        softmax("softmax: a gradient of zeros", {X(), tensor::zeros({2, 3})}),
        softmax("softmax: equal scores, and gradients that sum to 0",
                {equal_scores, tensor::of({{1, -1, 0}, {3, -2, -1}})}),
        softmax("softmax: scores so far apart that one weight is 1", {sure, G()}),
        softmax("softmax: a tiny gradient", {X(), G() / 10000}),
        softmax("softmax: nearly equal scores", {X() / 10000, G()}),
    };
}

std::vector<Answer> softmax_against_the_rules() {
    return {
        softmax("softmax: a score of 101", {tensor::of({{101, 99, 100}, {1.7, 0.2, -0.4}}), G()}),
        softmax("softmax: a score of hardly more than 100",
                {tensor::of({{100.0000001, 99, 98}, {1.7, 0.2, -0.4}}), G()}),
        softmax("softmax: a gradient of infinity",
                {X(), tensor::of({{2, -1.5, infinity}, {-0.6, 3.1, 1.3}})}),
        softmax("softmax: an axis too many", {tensor::unsqueeze(X(), 2), G()}),
        softmax("softmax: a gradient of one row [1, 3]", {X(), tensor::slice(G(), 0, 0, 1)}),
        softmax("softmax: a gradient of -100.5",
                {X(), tensor::of({{2, -1.5, 0.7}, {-0.6, 3.1, -100.5}})}),
        softmax("softmax: a score of -infinity",
                {tensor::of({{0.3, -0.9, 1.1}, {1.7, 0.2, -infinity}}), G()}),
        softmax("softmax: scores that are NaN", {tensor::full({2, 3}, nan), G()}),
        softmax("softmax: gradients that are NaN", {X(), tensor::full({2, 3}, nan)}),
        softmax("softmax: [3, 2]", {tensor::transpose(X()), tensor::transpose(G())}),
        softmax("softmax: one row [3]", {tensor::select(X(), 0, 0), tensor::select(G(), 0, 0)}),
        softmax("softmax: a batch [1, 2, 3]",
                {tensor::unsqueeze(X(), 0), tensor::unsqueeze(G(), 0)}),
        softmax("softmax: a gradient [3] for both rows", {X(), tensor::of({2, -1.5, 0.7})}),
        softmax("softmax: nothing", {Tensor(), Tensor()}),
    };
}

std::vector<Answer> matmul_not_enough() {
    const Tensor ones = tensor::ones({3, 3});
    const Tensor zeros = tensor::zeros({3, 3});
    const Tensor one = tensor::eye(3);
    return {
        matmul("matmul: ones everywhere", {ones, ones, ones}),
        matmul("matmul: the identity everywhere", {one, one, one}),
        matmul("matmul: x is symmetric", {symmetric(), W3(), G3()}),
        matmul("matmul: W is symmetric", {x3(), symmetric(), G3()}),
        matmul("matmul: x is the identity", {one, W3(), G3()}),
        matmul("matmul: G is a multiple of the identity", {x3(), W3(), 2 * one}),
        matmul("matmul: x is zero", {zeros, W3(), G3()}),
        matmul("matmul: W is zero", {x3(), zeros, G3()}),
        matmul("matmul: G is zero", {x3(), W3(), zeros}),
        matmul("matmul: G is ones", {x3(), W3(), ones}),
        matmul("matmul: diagonal matrices", {one * x3(), one * W3(), one * G3()}),
        matmul("matmul: three that commute",
               {turning(1, 2, 3), turning(4, 0, 1), turning(2, 5, 7)}),
        matmul("matmul: permutations", {turning(0, 1, 0), turning(0, 0, 1), turning(0, 1, 0)}),
        matmul("matmul: all a hundredth", {x3() / 100, W3() / 100, G3() / 100}),
        matmul("matmul: a tiny W", {x3(), W3() / 10000, G3()}),
        matmul("matmul: a tiny x, nearly symmetric W",
               {x3() / 1000, symmetric() + W3() / 10000, G3()}),
    };
}

std::vector<Answer> matmul_against_the_rules() {
    const Tensor wide = tensor::reshape(tensor::arange(16), 4, 4);
    return {
        matmul("matmul: entries beyond 100", {50 * x3(), W3(), G3()}),
        matmul("matmul: one entry of W just beyond -100",
               {x3(), W3() - tensor::of({0, 0, 99}), G3()}),
        matmul("matmul: G is NaN", {x3(), W3(), tensor::full({3, 3}, nan)}),
        matmul("matmul: two rows",
               {tensor::slice(x3(), 0, 0, 2), W3(), tensor::slice(G3(), 0, 0, 2)}),
        matmul("matmul: [4, 4]", {wide, tensor::transpose(wide), wide - 7}),
        matmul("matmul: a batch [1, 3, 3]",
               {tensor::unsqueeze(x3(), 0), W3(), tensor::unsqueeze(G3(), 0)}),
    };
}

SoftmaxInput whole_numbers() {
    return {tensor::of({{0, 1, 3}, {2, 0, 1}}), tensor::of({{1, 0, 2}, {-1, 3, 1}})};
}

MatmulInput whole_matrices() {
    return {tensor::of({{1, 2, 0}, {0, 1, 3}, {2, 0, 1}}),
            tensor::of({{0, 1, 2}, {3, 1, 0}, {1, 0, 2}}),
            tensor::of({{1, 0, 2}, {0, 3, 1}, {1, 1, 0}})};
}

}  // namespace

Answers answers_02_8() {
    Answers answers;
    answers.number = "02.8";
    answers.slipping = slipping(judge_02_8);
    for (const std::vector<Answer>& part : {softmax_not_enough(), softmax_against_the_rules(),
                                            matmul_not_enough(), matmul_against_the_rules()}) {
        answers.wrong.insert(answers.wrong.end(), part.begin(), part.end());
    }
    const Tensor columns = tensor::of({{0.3, 1.7}, {-0.9, 0.2}, {1.1, -0.4}});
    answers.right = {
        softmax("nothing regular", {X(), G()}),
        softmax("softmax: equal rows",
                {tensor::of({{0, 1, 3}, {0, 1, 3}}), tensor::of({{1, 0, 2}, {1, 0, 2}})}),
        softmax("softmax: sure of one row, equal weights in the other",
                {tensor::of({{100, 0, -100}, {1, 1, 1}}), G()}),
        softmax("softmax: G is 0 in row 1", {X(), tensor::of({{1, -2, 5}, {0, 0, 0}})}),
        softmax("softmax: G is 1 in one entry, 0 elsewhere",
                {tensor::of({{1, 2, 3}, {3, 1, 2}}), tensor::of({{1, 0, 0}, {0, 0, 0}})}),
        matmul("matmul: G of thousandths", {x3(), W3(), 0.001 * G3()}),
        matmul("matmul: x and W are one", {x3(), x3(), G3()}),
        matmul("matmul: W is the transpose of x", {x3(), tensor::transpose(x3()), G3()}),
        matmul("matmul: each minus its transpose",
               {x3() - tensor::transpose(x3()), W3() - tensor::transpose(W3()),
                G3() - tensor::transpose(G3())}),
        softmax("softmax: a transposed view, scores near 100",
                {tensor::transpose(columns + 98), 20 * G()}),
        matmul("matmul: transposed views, an entry of exactly 100 and one of -100",
               {tensor::transpose(G3()), tensor::transpose(x3()),
                tensor::of({{100, 0.3, 2.7}, {4.9, -3.4, 1.2}, {0.5, 6.1, -100}})}),
        {"whole numbers, chosen by hand",
         [] {
             return judge_02_8({whole_numbers, whole_matrices});
         }},
    };
    return answers;
}
