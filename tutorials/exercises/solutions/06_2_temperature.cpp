// 06.2 From soft to hard: the temperature                    measure · 15 minutes · about 8 lines
//
// Divide the scores by a temperature: the lower it is, the more weight goes to the largest score. A
// dictionary is the limit of a soft lookup as the temperature falls to 0. Two numbers measure how
// soft a lookup is: its largest weight, 1 for a hard one, and the entropy -Σ_j a_j·log a_j of its
// weights, 0 for a hard one and log T_k if all are equal. Measure both. When it passes, running
// this program prints them for the bat of lesson 06. Lessons 06.3 and 07.3.
//
// scores [T_k] and one or more temperatures above 0 -> two lists with one number per temperature,
// in the order given; a temperature may come twice. Scores are finite, T_k is at least 1, and
// scores may be a view; leave them unchanged. Natural logarithms, and 0·log 0 = 0: at low
// temperatures weights become 0.
#include "tutorials/exercises/judges/lesson_06.h"

#include "tensor/ops/arithmetic.h"
#include "tensor/ops/choose.h"
#include "tensor/ops/compare.h"
#include "tensor/ops/functions.h"
#include "tensor/ops/reduce.h"
#include "tensor/ops/softmax.h"

using namespace heed;

exercise::Softness measure(const Tensor& scores, const std::vector<double>& temperatures) {
    // begin stub, stop in measure
    //     exercise::not_done("06.2");
    // begin solution
    exercise::Softness softness;
    for (const double temperature : temperatures) {
        const Tensor weights = tensor::softmax(scores / temperature, -1);                // [T_k]
        const Tensor logs = tensor::masked_fill(tensor::log(weights), weights == 0, 0);  // [T_k]
        softness.largest.push_back(tensor::max(weights).item());
        softness.entropy.push_back(-tensor::sum(weights * logs).item());
    }
    return softness;
    // end
}

int main(int argc, char** argv) {
    const int outcome = exercise::run(exercise::judge_06_2(measure), argc, argv);
    if (outcome == 0) exercise::show(measure);
    return outcome;
}
