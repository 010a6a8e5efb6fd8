// 07.5 Attention's backward pass by hand                     fill · 25 minutes · about 9 lines
//
// 07.1 went from queries, keys and values to the output:
//     scores = Q·Kᵀ / √d_k,    weights = softmax(scores),    output = weights·V
// Training needs the way back. Someone hands you G = ∂L/∂output, and you pass it on step by step,
// last step first: through the product with V to V and to the weights, through softmax to the
// scores, through the division and Q·Kᵀ to Q and to K. You have all the parts: a product's
// derivative is exercise 02.3, softmax's is 02.5.
// Lessons 02.5, 02.8 and 07; Dao et al. 2022, appendix B.2, where the weights are called P.
//
// Q [..., T_q, d_k], K [..., T_k, d_k], V [..., T_k, d_v], the weights [..., T_q, T_k] that the
// forward pass kept, and G [..., T_q, d_v] -> ∂L/∂ each of the five: V, weights, scores, Q, K, each
// of the shape of what it belongs to. `scores` are those after the division, as above. All have the
// same leading axes, any number of them or none; T_q and T_k, d_k and d_v may differ; a weight may
// be exactly 0. Tensors, not variables: nothing is recorded, and nothing given may change.
#include "tutorials/exercises/judges/lesson_07.h"

#include "tensor/ops/arithmetic.h"
#include "tensor/ops/matmul.h"
#include "tensor/ops/reduce.h"
#include "tensor/views.h"

#include <cmath>

using namespace heed;

exercise::GradientsByHand backward_by_hand(const Tensor& Q, const Tensor& K, const Tensor& V,
                                           const Tensor& weights, const Tensor& G) {
    // begin stub, stop in backward_by_hand
    //     exercise::not_done("07.5");
    // begin solution
    const double root_of_d_k = std::sqrt(static_cast<double>(K.dim(-1)));
    const Tensor of_V = tensor::matmul(tensor::transpose(weights), G);      // [..., T_k, d_v]
    const Tensor of_weights = tensor::matmul(G, tensor::transpose(V));      // [..., T_q, T_k]
    const Tensor s = tensor::sum(weights * of_weights, -1, keepdim);        // [..., T_q, 1]
    const Tensor of_scores = weights * (of_weights - s);                    // [..., T_q, T_k]
    const Tensor of_products = of_scores / root_of_d_k;                     // [..., T_q, T_k]
    const Tensor of_Q = tensor::matmul(of_products, K);                     // [..., T_q, d_k]
    const Tensor of_K = tensor::matmul(tensor::transpose(of_products), Q);  // [..., T_k, d_k]
    return {of_V, of_weights, of_scores, of_Q, of_K};
    // end
}

int main(int argc, char** argv) {
    return exercise::run(exercise::judge_07_5(backward_by_hand), argc, argv);
}
