// 05.4 The online softmax                                    fill · 25 minutes · about 14 lines
//
// The stable softmax (05.1) needs the maximum of a whole row before it can begin. Attention over
// long texts cannot hold whole rows, so it takes the keys a block at a time and never looks back.
// For each query it carries three things over all scores s_j so far:
//     largest = max_j s_j
//     total = Σ_j exp(s_j - largest)
//     weighted = Σ_j exp(s_j - largest)·v_j
// When a block brings a larger maximum, what was summed with the old one gets the factor
// exp(old - new). After the last block weighted / total is softmax(scores)·V.
// Milakov and Gimelshein 2018, algorithm 3; Dao et al. 2022, algorithm 1; lesson 05.4.
//
// add_block: what is carried after one more block, scores [..., T_q, n] and values V [..., n, d_v].
// Before the first block largest is -∞, total and weighted are 0. A score may be -∞ (a key not to
// attend to), and so may all scores of a row, in the first block or a later one: as long as a row
// has seen nothing else, its largest stays -∞ and its sums stay 0.
//
// attend_in_blocks: scores [..., T_q, T_k], V [..., T_k, d_v] -> softmax(scores)·V [..., T_q, d_v],
// with one call of add (it is your add_block) for each `size` keys, from the first key to the last.
// The last block may be shorter, and size larger than T_k. A row of only -∞ gives 0.
//
// Scores may be huge; any leading axes, the same in scores and V; nothing given may change.
#include "tutorials/exercises/judges/lesson_05.h"

#include "tensor/factories.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/ops/choose.h"
#include "tensor/ops/compare.h"
#include "tensor/ops/functions.h"
#include "tensor/ops/matmul.h"
#include "tensor/ops/reduce.h"
#include "tensor/views.h"

using namespace heed;
using exercise::Carried;

Carried add_block(const Carried& before, const Tensor& scores, const Tensor& V) {
    // begin stub, stop in add_block
    //     exercise::not_done("05.4");
    // begin solution
    const Tensor of_block = tensor::max(scores, -1, keepdim);                       // [..., T_q, 1]
    const Tensor largest = tensor::maximum(before.largest, of_block);               // [..., T_q, 1]
    const Tensor shift = tensor::masked_fill(largest, largest == -infinity, 0);     // [..., T_q, 1]
    const Tensor factor = tensor::exp(before.largest - shift);                      // [..., T_q, 1]
    const Tensor powers = tensor::exp(scores - shift);                              // [..., T_q, n]
    const Tensor total = factor * before.total + tensor::sum(powers, -1, keepdim);  // [..., T_q, 1]
    const Tensor weighted =
        factor * before.weighted + tensor::matmul(powers, V);  // [..., T_q, d_v]
    return {largest, total, weighted};
    // end
}

// What is carried before the first block: -∞, 0 and 0, of the right shapes. Nothing is missing
// here.
Carried nothing_yet(const Tensor& scores, const Tensor& V) {
    const Tensor column = tensor::zeros_like(tensor::slice(scores, -1, 0, 1));  // [..., T_q, 1]
    const Tensor row = tensor::zeros_like(tensor::slice(V, -2, 0, 1));          // [..., 1, d_v]
    return {column - infinity, column, column * row};
}

Tensor attend_in_blocks(const exercise::AddBlock& add, const Tensor& scores, const Tensor& V,
                        std::int64_t size) {
    // begin stub
    //     exercise::not_done("05.4");
    // begin solution
    Carried carried = nothing_yet(scores, V);
    for (std::int64_t start = 0; start < scores.dim(-1); start += size) {
        const Tensor of_scores = tensor::slice(scores, -1, start, start + size);  // [..., T_q, n]
        const Tensor of_V = tensor::slice(V, -2, start, start + size);            // [..., n, d_v]
        carried = add(carried, of_scores, of_V);
    }
    return carried.weighted / tensor::masked_fill(carried.total, carried.total == 0, 1);
    // end
}

int main(int argc, char** argv) {
    return exercise::run(exercise::judge_05_4({add_block, attend_in_blocks}), argc, argv);
}
