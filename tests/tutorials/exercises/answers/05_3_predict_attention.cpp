// Answers to 05.3.
#include "tests/tutorials/exercises/answers/answers.h"
#include "tutorials/exercises/judges/lesson_05.h"

#include "nn/heed.h"

#include <cmath>
#include <limits>
#include <stdexcept>

using namespace heed;
using namespace exercise;

namespace {
using Predictions = AttentionPredictions;

Predictions right() {
    return {[] { return 3; },
            [] {
                return Shape{2, 7, 9};
            },
            [] {
                return Shape{2, 7, 5};
            },
            [] { return 0.2; },
            [] { return 0.75; },
            [] { return 0.75; },
            [] { return 6.0; },
            [] { return 6; }};
}

// The right predictions, one of them replaced.
template <class Prediction, class Number>
Answer but(const std::string& what, Prediction Predictions::*question, Number answer,
           const std::vector<std::string>& names = {}) {
    return {what,
            [question, answer] {
                Predictions predictions = right();
                predictions.*question = [answer] { return answer; };
                return judge_05_3(predictions);
            },
            names};
}

Tensor third_word_replaced(const Tensor& X) {
    Tensor other = tensor::contiguous(X + 0.0);
    Tensor word = tensor::select(other, 0, 2);
    tensor::overwrite(word, word + 1.0);
    return other;
}

Tensor attended(const Tensor& Q, const Tensor& K, const Tensor& V) {
    return tensor::matmul(tensor::softmax(tensor::matmul(Q, tensor::transpose(K)), -1), V);
}

int rows_measured() {
    Random random(1);
    const Tensor X = tensor::normal({6, 4}, random);
    const Tensor other = third_word_replaced(X);
    const Tensor change = attended(X, X, X) - attended(other, other, other);
    int rows = 0;
    for (int i = 0; i < 6; ++i) {
        const Tensor row = tensor::select(change, 0, i);
        rows += tensor::sum(row * row).item() > 0 ? 1 : 0;
    }
    return rows;
}

// The machine does the work.
Predictions measured() {
    const Tensor Q = tensor::ones({2, 7, 8}), K = tensor::ones({2, 9, 8});
    const Tensor scores = tensor::matmul(Q, tensor::transpose(K));
    const Tensor keys = tensor::of({{1, 1}, {0, 2.5}, {-4, -4}, {3, 0}});
    const Tensor two = tensor::of({0, std::log(3.0)});
    Predictions all = right();
    all.largest_weight = [keys] {
        return static_cast<int>(tensor::argmax(tensor::sum(keys, -1)).item());
    };
    all.shape_of_weights = [scores] { return scores.shape(); };
    all.shape_of_output = [scores] {
        return tensor::matmul(scores, tensor::ones({2, 9, 5})).shape();
    };
    all.weight_of_equals = [] { return tensor::softmax(tensor::full({5}, 3.7), 0)(0); };
    all.weight_of_two = [two] { return tensor::softmax(two, 0)(1); };
    all.weight_after_1000_more = [two] { return tensor::softmax(two + 1000.0, 0)(1); };
    all.output_of_equals = [] {
        return attended(tensor::zeros({1, 1}), tensor::ones({3, 1}), tensor::of({{2}, {4}, {12}}))
            .item();
    };
    all.rows_that_change = rows_measured;
    return all;
}

}  // namespace

Answers answers_05_3() {
    using P = Predictions;
    Answers answers;
    answers.number = "05.3";
    answers.slipping = slipping(judge_05_3);
    answers.wrong = {
        but("the key equal to the query wins", &P::largest_weight, 0, {"att.cosine"}),
        but("the largest magnitude wins", &P::largest_weight, 2, {"att.longest"}),
        but("counted from 1", &P::largest_weight, 4, {"att.counted-from-1"}),
        but("[T_k, T_q] for each text", &P::shape_of_weights, Shape{2, 9, 7}, {"att.kq"}),
        but("no axis for the texts", &P::shape_of_weights, Shape{7, 9}, {"att.one-text"}),
        but("each query meets the queries", &P::shape_of_weights, Shape{2, 7, 7},
            {"att.self-only"}),
        but("one weight for each dimension", &P::shape_of_weights, Shape{2, 7, 8},
            {"att.weights-as-queries"}),
        but("the output has the shape of Q", &P::shape_of_output, Shape{2, 7, 8},
            {"att.values-from-keys"}),
        but("the output has the shape of V", &P::shape_of_output, Shape{2, 9, 5},
            {"att.rows-are-keys"}),
        but("no axis for the texts in the output", &P::shape_of_output, Shape{7, 5},
            {"att.output-one-text"}),
        but("the score is the weight", &P::weight_of_equals, 3.7, {"sm.none"}),
        but("1/5 in whole numbers", &P::weight_of_equals, static_cast<double>(1 / 5),
            {"sm.equal-0"}),
        but("shared with the four others", &P::weight_of_equals, 0.25),
        but("each weight is 1", &P::weight_of_equals, 1.0, {"sm.each-1"}),
        but("scores divided by their sum", &P::weight_of_two, 1.0, {"sm.sum-norm"}),
        but("the power is the weight", &P::weight_of_two, 3.0, {"sm.exp-only"}),
        but("the weight of the first", &P::weight_of_two, 0.25, {"sm.other-one"}),
        but("powers of 2", &P::weight_of_two, 1 / (1 + std::pow(2.0, -1.0986))),
        but("now the scores are nearly equal", &P::weight_after_1000_more, 0.5, {"sm.shift-evens"}),
        but("now the weight is 1", &P::weight_after_1000_more, 1.0, {"sm.shift-saturates"}),
        but("∞/∞", &P::weight_after_1000_more, std::numeric_limits<double>::quiet_NaN()),
        but("nothing is asked, nothing is got", &P::output_of_equals, 0.0),
        but("the sum of the values", &P::output_of_equals, 18.0, {"att.sum-not-mean"}),
        but("the median of the values", &P::output_of_equals, 4.0, {"att.median"}),
        but("the second key, which has the largest entry but one", &P::largest_weight, 1,
            {"att.second-best"}),
        but("the weights of both texts after each other", &P::shape_of_weights, Shape{14, 9}),
        but("the output has an axis for the keys too", &P::shape_of_output, Shape{2, 7, 9, 5}),
        but("1/5, and a little less since 3.7 is not much", &P::weight_of_equals, 0.19),
        but("base 10", &P::weight_of_two, 1 / (1 + std::pow(10.0, -1.0986))),
        but("1.0986 of 1000", &P::weight_after_1000_more, 0.5003),
        but("only the word's own row", &P::rows_that_change, 1, {"att.one-row"}),
        but("all others", &P::rows_that_change, 5),
        but("no such key", &P::largest_weight, -1),
        but("weights of rank 0", &P::shape_of_weights, Shape{}),
        but("the weight in percent", &P::weight_of_equals, 20.0),
        but("1 over the score", &P::weight_of_equals, 1 / 3.7),
        but("log 3 of 1 + log 3", &P::weight_of_two, 1.0986 / 2.0986),
        but("wrong in the fourth decimal", &P::weight_of_two, 0.7505),
        but("the power overflows", &P::weight_after_1000_more, infinity),
        but("the geometric mean of the values", &P::output_of_equals, std::cbrt(2.0 * 4 * 12)),
        but("the words after it", &P::rows_that_change, 3, {"att.rows-before"}),
        {"an exception",
         [] {
             Predictions predictions = right();
             predictions.rows_that_change = []() -> int { throw std::runtime_error("no idea"); };
             return judge_05_3(predictions);
         }},
        but("this word and the later ones", &P::rows_that_change, 4, {"att.later-rows"}),
    };
    answers.right = {
        {"measured", [] { return judge_05_3(measured()); }},
        but("3/4 by the logistic function", &P::weight_of_two, 1 / (1 + std::exp(-std::log(3.0)))),
        but("0.7500 from 1.0986", &P::weight_of_two, 1 / (1 + std::exp(-1.0986))),
        {"worked out by a person",
         [] {
             return judge_05_3({[] { return 3; },
                                [] {
                                    return Shape{2, 7, 9};
                                },
                                [] {
                                    return Shape{2, 7, 5};
                                },
                                [] { return 0.2; }, [] { return 0.75; }, [] { return 0.75; },
                                [] { return 6; }, [] { return 6; }});
         }},
    };
    return answers;
}
