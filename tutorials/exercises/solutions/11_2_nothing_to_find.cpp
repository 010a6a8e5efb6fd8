// 11.2 What a head does with nothing                         measure · 20 minutes · about 20 lines
//
// A row of weights sums to 1, so a head that finds nothing must look somewhere all the same, and
// its output says something. A place to rest helps: one more key and value, both zero. The key's
// score is 0 whatever the query is, so it wins where all others are below 0; and its value adds
// nothing. Trained models make the first token such a place (Xiao et al. 2023, "attention sinks").
// Measure how well this works for heads of different sharpness. When it passes, running this
// program prints what you measure for sharpness from 0 to 16. Lesson 11.5 and 11.6.
//
// B lists of n items, each item with a marker, one of M, and a value; each list is asked for one
// marker. asked [B, M] and markers [B, n, M] are one-hot rows, values [B, n, d_v]. An item matches
// if it has the marker asked for; a list may have one match, several or none. The head's score is
//     sharpness·(asked·marker - 1/2)
// for each item, and 0 for the zero key; softmax makes them weights, and the output is the weighted
// sum of the values. For each sharpness, which is 0 or more, measure four means:
//     rest_if_found: the weight on the zero key, over the lists with a match
//     rest_if_none: the weight on the zero key, over the lists without a match
//     noise: the Euclidean norm of the output, over the lists without a match, if there is no zero
//            key and value at all
//     noise_with_rest: the same, with them
// A mean over no lists is 0.
#include "tutorials/exercises/judges/lesson_11.h"

#include "tensor/factories.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/ops/functions.h"
#include "tensor/ops/join.h"
#include "tensor/ops/matmul.h"
#include "tensor/ops/reduce.h"
#include "tensor/ops/softmax.h"
#include "tensor/views.h"

using namespace heed;

// The norm of each list's output: weights [B, items], values [B, items, d_v] -> [B].
Tensor norms_of_outputs(const Tensor& weights, const Tensor& values) {
    const Tensor outputs = tensor::matmul(tensor::unsqueeze(weights, 1), values);  // [B, 1, d_v]
    return tensor::sqrt(tensor::sum(tensor::squeeze(outputs * outputs, 1), -1));
}

exercise::Rest measure(const exercise::Lists& lists) {
    // begin stub, stop in measure
    //     exercise::not_done("11.2");
    // begin solution
    const std::int64_t B = lists.values.dim(0), n = lists.values.dim(1), d_v = lists.values.dim(2);
    const Tensor products = tensor::matmul(lists.markers, tensor::unsqueeze(lists.asked, -1));
    const Tensor match = tensor::squeeze(products, -1);  // [B, n], 1 or 0
    const Tensor found = tensor::max(match, -1);         // [B], 1 or 0
    const Tensor zero_value = tensor::zeros({B, 1, d_v});
    const Tensor values_and_zero = tensor::concatenate({lists.values, zero_value}, 1);
    const auto mean_over = [](const Tensor& chosen, const Tensor& x) {
        const double count = tensor::sum(chosen).item();
        return count == 0 ? 0 : tensor::sum(chosen * x).item() / count;
    };
    exercise::Rest rest;
    for (const double sharpness : lists.sharpness) {
        const Tensor scores = sharpness * (match - 0.5);  // [B, n]
        const Tensor weights =
            tensor::softmax(tensor::concatenate({scores, tensor::zeros({B, 1})}, 1), -1);
        const Tensor resting = tensor::select(weights, 1, n);  // [B]
        const Tensor noise = norms_of_outputs(tensor::softmax(scores, -1), lists.values);
        rest.rest_if_found.push_back(mean_over(found, resting));
        rest.rest_if_none.push_back(mean_over(1 - found, resting));
        rest.noise.push_back(mean_over(1 - found, noise));
        rest.noise_with_rest.push_back(
            mean_over(1 - found, norms_of_outputs(weights, values_and_zero)));
    }
    return rest;
    // end
}

int main(int argc, char** argv) {
    const int outcome = exercise::run(exercise::judge_11_2(measure), argc, argv);
    if (outcome == 0) exercise::show(measure);
    return outcome;
}
