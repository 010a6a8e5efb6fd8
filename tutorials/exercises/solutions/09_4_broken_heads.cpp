// 09.4 Three faults in note 004's heads                     hunt · 25 minutes · three lines
//
// This is the forward of note 004's SelfAttention, with its names. It folds the heads into the
// batch, so that one product serves all of them. As the note's text advises, and unlike its code,
// the k features are split into h heads of s = k / h. It compiles, it runs, and the shapes are
// right; three lines are wrong. Stop in it (the key d starts the debugger), and follow queries,
// keys and values line by line: what is each made of, and which word's numbers are in a row? An x
// that shows where its numbers come from helps: for word t, the numbers t·100 + feature.
// Note 004 and its errata; lesson 09, section 09.9.
//
// x [b, t, k] -> queries, keys, values [b·h, t, s], dot and weights [b·h, t, t], out [b, t, k].
// Along the axis b·h come the heads of text 0, then those of text 1, and so on. queries and keys
// are those before scaling, dot is after; the scale is 1/√s. x and the parameters may be of any
// size, and gradients flow from out back to all of them.
#include "tutorials/exercises/judges/lesson_09.h"

#include "autograd/ops/arithmetic.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/softmax.h"
#include "autograd/ops/views.h"

#include <cmath>

using namespace heed;

exercise::FoldedStages self_attention_of_004(const exercise::SelfAttentionOf004& self,
                                             const Variable& x) {
    exercise::FoldedStages stages;
    const std::int64_t b = x.dim(0), t = x.dim(1), k = x.dim(2), h = self.n_heads, s = k / h;
    const Variable queries = view(matmul(x, self.toqueries), {b, t, h, s});
    const Variable keys = view(matmul(x, self.tokeys), {b, t, h, s});
    const Variable values = view(matmul(x, self.tovalues), {b, t, h, s});

    stages.queries = view(contiguous(transpose(queries, 1, 2)), {b * h, t, s});
    // begin stub, stop in self_attention_of_004
    //     stages.keys = view(contiguous(transpose(stages.queries, 1, 2)), {b * h, t, s});
    //     stages.values = view(contiguous(transpose(stages.queries, 1, 2)), {b * h, t, s});
    // begin solution
    stages.keys = view(contiguous(transpose(keys, 1, 2)), {b * h, t, s});
    stages.values = view(contiguous(transpose(values, 1, 2)), {b * h, t, s});
    // end

    // begin stub
    //     const double root = std::sqrt(std::sqrt(static_cast<double>(k)));  // of each of the two
    // begin solution
    const double root = std::sqrt(std::sqrt(static_cast<double>(s)));  // of each of the two
    // end
    stages.dot = matmul(stages.queries / root, transpose(stages.keys / root));
    stages.weights = softmax(stages.dot, 2);

    const Variable heads = view(matmul(stages.weights, stages.values), {b, h, t, s});
    const Variable side_by_side = view(contiguous(transpose(heads, 1, 2)), {b, t, h * s});
    stages.out = matmul(side_by_side, self.unifyheads) + self.unifyheads_b;
    return stages;
}

int main(int argc, char** argv) {
    return exercise::run(exercise::judge_09_4(self_attention_of_004), argc, argv);
}
