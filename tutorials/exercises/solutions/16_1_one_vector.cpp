// 16.1 From tokens to one vector                              fill · 20 minutes · about 12 lines
//
// An encoder gives a vector for each token, and a classifier wants one for the whole text. There
// are two common ways. Put a token [CLS] in front and read its vector: attention can bring to it
// what it needs from the others. Or take the mean over all tokens. A batch is one tensor, so
// shorter texts are filled up with padding, which belongs to no text and must not count.
// Note 002 (and erratum 002-5) reads [CLS], note 004 the mean; lesson 16.
//
// Both functions: x [B, T, d] and a mask [B, 1, 1, T] -> [B, d]. The mask allows the tokens of each
// text and blocks its padding, which may stand in front, in between and at the end.
// first_of: the vector of the first token that is not padding.
// mean_of: the mean over the tokens that are not padding.
// Padding may hold any numbers, even NaN and ∞, and must not change a single bit of the result; its
// gradient is 0. Tokens may hold NaN, too: only the mask tells what is padding, and first_of is the
// first token's vector whatever the others hold. Of a text of one token both are that token's
// vector, bit for bit; only a -0 may become 0. A text of padding alone has neither:
// std::invalid_argument.
#include "tutorials/exercises/judges/lesson_16.h"

#include "autograd/ops.h"
#include "tensor/ops.h"

#include <stdexcept>
#include <vector>

using namespace heed;

Variable first_of(const Variable& x, const Mask& mask) {
    // begin stub, stop in first_of
    //     exercise::not_done("16.1");
    // begin solution
    const std::int64_t B = x.dim(0), T = x.dim(1);
    std::vector<std::int64_t> rows;  // of x as [B·T, d]
    for (std::int64_t b = 0; b < B; ++b) {
        std::int64_t t = 0;
        while (t < T && !mask.allows({b, 0, 0, t})) ++t;
        if (t == T) throw std::invalid_argument("a text of padding alone has no first token");
        rows.push_back(b * T + t);
    }
    return index_select(flatten(x, 0, 1), 0, IndexTensor(rows));  // [B, d]
    // end
}

Variable mean_of(const Variable& x, const Mask& mask) {
    // begin stub
    //     exercise::not_done("16.1");
    // begin solution
    const BoolTensor real = mask.allowed().reshape({x.dim(0), x.dim(1), 1});  // [B, T, 1]
    const Tensor count = tensor::sum(tensor::to_tensor(real), 1);             // [B, 1]
    if ((count == 0).any()) throw std::invalid_argument("a text of padding alone has no mean");
    return sum(where(real, x, 0), 1) / count;  // [B, d]
    // end
}

int main(int argc, char** argv) {
    return exercise::run(exercise::judge_16_1({first_of, mean_of}), argc, argv);
}
