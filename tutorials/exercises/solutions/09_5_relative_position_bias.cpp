// 09.5 Relative position bias                             extend · 25 minutes · about 10 lines
//
// Attention does not know the position of a word. One remedy is to let each head learn a preference
// for distances: a learned number b[n, j - i] is added to the score of query i and key j in head n.
// Beyond a largest distance all words share one number, so that texts may have any length. (T5,
// Raffel et al. 2020, uses ranges of distances; Shaw et al. 2018 clip them.)
//
// bias [h, 2·largest + 1], learned, initially zeros: column `largest` is for the word itself
// (j = i), the next one for the next word (j = i + 1), column 0 for all words `largest` or more
// before, the last column for all words `largest` or more after. operator(): scores [B, h, T, T] ->
// the same with the bias added; T may be smaller than largest, and largest may be 0. A score may be
// -∞, where an earlier mask has put it. Gradients flow back to the bias and to the scores. The
// judge checks what must hold of any such layer, and then its numbers.
#include "tutorials/exercises/judges/lesson_09.h"

#include "autograd/ops/arithmetic.h"
#include "autograd/ops/gather.h"
#include "autograd/ops/views.h"
#include "nn/module.h"
#include "tensor/factories.h"

#include <algorithm>

using namespace heed;

struct RelativePositionBias : Module {
    RelativePositionBias(std::int64_t num_heads, std::int64_t largest_distance)
        : largest(largest_distance) {
        // begin stub
        //     exercise::not_done("09.5");
        // begin solution
        bias = Parameter(tensor::zeros({num_heads, 2 * largest + 1}));
        // end
    }

    Variable operator()(const Variable& scores) const {
        // begin stub, stop in RelativePositionBias::operator()
        //     exercise::not_done("09.5");
        // begin solution
        const std::int64_t T = scores.dim(-1);
        std::vector<std::int64_t> columns;  // of the bias, per (i, j)
        for (std::int64_t i = 0; i < T; ++i) {
            for (std::int64_t j = 0; j < T; ++j) {
                columns.push_back(std::clamp(j - i, -largest, largest) + largest);
            }
        }
        const Variable entries = index_select(bias, 1, IndexTensor(columns));  // [h, T·T]
        const Variable added = view(entries, {bias.dim(0), T, T});             // [h, T, T]
        return scores + added;
        // end
    }

    void members(MemberVisitor& visit) override { visit("bias", bias); }

    std::int64_t largest;
    Parameter bias;  // [h, 2·largest + 1]
};

int main(int argc, char** argv) {
    return exercise::run(exercise::judge_09_5(exercise::bias_layer<RelativePositionBias>()), argc,
                         argv);
}
