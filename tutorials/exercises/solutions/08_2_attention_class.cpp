// 08.2 The Attention class of note 003                      fill · 30 minutes · about 25 lines
//
// Note 003 leaves its class Attention open, with None in each place and the expected shape asserted
// below it. Here it is with the note's names. Each head has its own matrices; einsum names the axes
// that are summed:
//     z[b, q, h] = Σ_k pattern[b, h, q, k] · v[b, k, h],  pattern = softmax(q·k / √dim_head) over k
// Note 003; lessons 01 (einsum), 07 and 08.
//
// The constructor gives the parameters their shapes, with ones for weights and zeros for biases, as
// in the note. Each parameter requires a gradient and is a leaf of its own: no two share numbers.
// With equal weights all heads do the same and most mistakes do not show (erratum 003-3), so the
// judge calls forward with random parameters.
// forward: x [batch, posn, dim_model] -> attn_out [batch, posn, dim_model], and all intermediate
// results, with the shapes in the judge's header, lesson_08.h. attn_scores are those
// before scale and mask. Every result hands gradients on to x and to the parameters it is computed
// from. Neither x nor a parameter may change.
#include "tutorials/exercises/judges/lesson_08.h"

#include "autograd/ops/arithmetic.h"
#include "autograd/ops/choose.h"
#include "autograd/ops/einsum.h"
#include "autograd/ops/softmax.h"
#include "tensor/factories.h"
#include "tensor/mask.h"

#include <cmath>

using namespace heed;

struct Attention : exercise::AttentionParameters {
    Attention(std::int64_t num_heads, std::int64_t dim_model, std::int64_t dim_head) {
        // begin stub
        //     exercise::not_done("08.2");
        // begin solution
        W_Q = Variable(tensor::ones({num_heads, dim_model, dim_head}), requires_grad);
        W_K = Variable(tensor::ones({num_heads, dim_model, dim_head}), requires_grad);
        W_V = Variable(tensor::ones({num_heads, dim_model, dim_head}), requires_grad);
        W_O = Variable(tensor::ones({num_heads, dim_head, dim_model}), requires_grad);
        b_Q = Variable(tensor::zeros({num_heads, dim_head}), requires_grad);
        b_K = Variable(tensor::zeros({num_heads, dim_head}), requires_grad);
        b_V = Variable(tensor::zeros({num_heads, dim_head}), requires_grad);
        b_O = Variable(tensor::zeros({dim_model}), requires_grad);
        // end
    }

    exercise::AttentionStages forward(const Variable& x) const {
        exercise::AttentionStages s;
        // begin stub, stop in Attention::forward
        //     exercise::not_done("08.2");
        // begin solution
        s.q = project(x, W_Q, b_Q);
        s.k = project(x, W_K, b_K);
        s.v = project(x, W_V, b_V);
        s.attn_scores = einsum(
            "batch posn_Q nheads d_head, batch posn_K nheads d_head -> batch nheads posn_Q posn_K",
            s.q, s.k);
        const double root = std::sqrt(static_cast<double>(W_Q.dim(-1)));
        const BoolTensor future = Mask::causal(x.dim(1)).blocked();  // [posn_Q, posn_K]
        s.attn_scores_masked = masked_fill(s.attn_scores / root, future, -infinity);
        s.attn_pattern = softmax(s.attn_scores_masked, -1);
        s.z = einsum(
            "batch posn_K nheads d_head, batch nheads posn_Q posn_K -> batch posn_Q nheads d_head",
            s.v, s.attn_pattern);
        const Variable summed = einsum(
            "batch posn_Q nheads d_head, nheads d_head d_model -> batch posn_Q d_model", s.z, W_O);
        s.attn_out = summed + b_O;
        // end
        return s;
    }

  private:
    // x·W + b for each head
    static Variable project(const Variable& x, const Variable& W, const Variable& b) {
        // begin stub
        //     exercise::not_done("08.2");
        // begin solution
        const Variable product =
            einsum("batch posn d_model, nheads d_model d_head -> batch posn nheads d_head", x, W);
        return product + b;
        // end
    }
};

int main(int argc, char** argv) {
    return exercise::run(exercise::judge_08_2(exercise::attention_class<Attention>()), argc, argv);
}
