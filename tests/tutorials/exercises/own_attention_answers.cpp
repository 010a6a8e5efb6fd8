// Answers to exercise 08.3 on which lessons are run: ANSWER chooses how the attention is written.
#include "tutorials/exercises/judges/08_3_padding_and_causal.h"
#include "tutorials/exercises/judging/not_done.h"
#include "tutorials/exercises/judging/program.h"

#include "heed/autograd/ops/arithmetic.h"
#include "heed/autograd/ops/choose.h"
#include "heed/autograd/ops/matmul.h"
#include "heed/autograd/ops/softmax.h"
#include "heed/autograd/ops/views.h"
#include "heed/tensor/factories.h"
#include "heed/tensor/ops/compare.h"

#include <cmath>
#include <string>

using namespace heed;

namespace {

const std::string answer = ANSWER;

Mask mask_of_batch(const BoolTensor& is_padding) { return Mask::blocking(is_padding); }

// Right but with another order of summation, or with a mistake.
exercise::WeightsAndOutput attention(const Variable& Q, const Variable& K, const Variable& V,
                                     const Mask& mask) {
    if (answer == "not_done") exercise::not_done("08.3");
    const double root = answer == "no_scale" ? 1 : std::sqrt(static_cast<double>(K.dim(-1)));
    BoolTensor blocked = mask.blocked();
    if (answer == "strict_mask" && blocked.any()) {
        blocked = blocked | (tensor::eye(K.dim(-2)) == 1);  // for as many queries as keys
    }
    const Variable scores =
        answer == "another_order" ? matmul(Q / root, transpose(K)) : matmul(Q, transpose(K)) / root;
    const Variable weights = softmax(masked_fill(scores, blocked, -infinity), -1);
    const Variable output = matmul(weights, V);
    return {answer == "wrong_shape" ? transpose(weights) : weights, output};
}

}  // namespace

int main(int argc, char** argv) {
    return exercise::run(exercise::padding_and_causal(mask_of_batch, attention), argc, argv);
}
