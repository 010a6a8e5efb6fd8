// 17.1 Patches as tokens                                      fill · 20 minutes · about 12 lines
//
// Attention needs tokens, and a picture has none. So cut it into squares of p by p pixels, and
// write the numbers of each square one after the other: a patch is a row of p·p·C numbers. A matrix
// E turns it into a vector of dimension d. A learned vector, the class token, stands before the
// patches, and each of the N + 1 tokens gets a position of its own:
//     tokens = [x_class; patch_0·E; patch_1·E; ...; patch_{N-1}·E] + positions
// Dosovitskiy et al. 2020, equation 1; lesson 17.1.
//
// patches_of: pixels [B, H, W, C] -> [B, N, p·p·C] with N = H/p · W/p. The patches are in reading
// order, row after row; so are the pixels of a patch, and a pixel's C numbers stay together. If p
// does not divide both H and W, or is below 1: std::invalid_argument.
// tokens_of: patches [B, N, n], E [n, d], x_class [d] and positions [N + 1, d]
// -> tokens [B, N + 1, d]. E, x_class and positions are learned: gradients must reach them.
#include "tutorials/exercises/judges/lesson_17.h"

#include "autograd/ops/arithmetic.h"
#include "autograd/ops/join.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/views.h"
#include "tensor/views.h"

#include <stdexcept>

using namespace heed;

Tensor patches_of(const Tensor& pixels, std::int64_t p) {
    // begin stub, stop in patches_of
    //     exercise::not_done("17.1");
    // begin solution
    const std::int64_t B = pixels.dim(0), H = pixels.dim(1), W = pixels.dim(2), C = pixels.dim(3);
    if (p < 1 || H % p != 0 || W % p != 0) throw std::invalid_argument("p must divide H and W");
    // [B, row of patches, row in it, column of patches, column in it, C]
    const Tensor cut = tensor::reshape(pixels, {B, H / p, p, W / p, p, C});
    const Tensor together = tensor::permute(cut, {0, 1, 3, 2, 4, 5});
    return tensor::reshape(together, {B, H / p * (W / p), p * p * C});
    // end
}

Variable tokens_of(const Tensor& patches, const Variable& E, const Variable& x_class,
                   const Variable& positions) {
    // begin stub
    //     exercise::not_done("17.1");
    // begin solution
    const Variable embedded = matmul(Variable(patches), E);                 // [B, N, d]
    const Variable first = expand(x_class, {patches.dim(0), 1, E.dim(1)});  // [B, 1, d]
    return concatenate({first, embedded}, 1) + positions;                   // [B, N + 1, d]
    // end
}

int main(int argc, char** argv) {
    return exercise::run(exercise::judge_17_1({patches_of, tokens_of}), argc, argv);
}
