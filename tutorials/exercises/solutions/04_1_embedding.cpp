// 04.1 Token and position embedding                          fill · 15 minutes · about 5 lines
//
// A word enters a network as a row of a table E, and its position as a row of a second table P; the
// network sees their sum. Both tables are learned, so gradients must flow back to the rows that
// were read; the gradient of a row that was read several times is the sum over these reads. Lessons
// 04.3, 04.5 and 04.7; note 000.
//
// embed: E [V, d], P [limit, d], ids [T], 1 ≤ T ≤ limit -> X [T, d], x_t = E[id_t] + P[t], t from
// 0, without a factor √d. embed_gradient: G = ∂L/∂X [T, d], the ids and V -> ∂L/∂E [V, d], zero in
// rows that were not read. Tensors may be views (transposed, a slice); leave them unchanged.
#include "tutorials/exercises/judges/lesson_04.h"

#include "tensor/factories.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/ops/gather.h"
#include "tensor/ops/matmul.h"
#include "tensor/views.h"

using namespace heed;

Tensor embed(const Tensor& E, const Tensor& P, const IndexTensor& ids) {
    // begin stub, stop in embed
    //     exercise::not_done("04.1");
    // begin solution
    const Tensor tokens = tensor::index_select(E, 0, ids);         // [T, d]
    const Tensor positions = tensor::slice(P, 0, 0, ids.numel());  // [T, d]
    const Tensor X = tokens + positions;                           // [T, d]
    return X;
    // end
}

Tensor embed_gradient(const Tensor& G, const IndexTensor& ids, std::int64_t V) {
    // begin stub
    //     exercise::not_done("04.1");
    // begin solution
    const Tensor gradient = tensor::index_add(G, 0, ids, {V, G.dim(1)});  // [V, d]
    return gradient;
    // end
}

int main(int argc, char** argv) {
    return exercise::run(exercise::judge_04_1({embed, embed_gradient}), argc, argv);
}
