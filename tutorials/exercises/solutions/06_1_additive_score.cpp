// 06.1 An additive score                                     extend · 25 minutes · about 15 lines
//
// How well a query matches a key need not be a dot product. Bahdanau, Cho and Bengio (2014) use a
// small network: s(q, k) = v·tanh(W·q + U·k). Query and key may then differ in dimension, the score
// never exceeds Σ|v|, and what makes a good match is learned. Lessons 06.5 and 06.6, erratum 001-3.
//
// Write it as a layer: Additive(d_q, d_k, d_hidden, random) with the members W (d_q to d_hidden), U
// (d_k to d_hidden) and v (d_hidden to 1), each a Linear of nn, made with `random` and without bias
// and left as it is made, visited under these names, in any order. Called with Q [..., T_q, d_q]
// and K [..., T_k, d_k] it gives the scores [..., T_q, T_k]; the leading axes, any number of them,
// are the same in Q and K, which may be views. Gradients flow to Q, K and all weights, and a call
// changes none of these.
#include "tutorials/exercises/judges/lesson_06.h"

#include "autograd/ops/arithmetic.h"
#include "autograd/ops/functions.h"
#include "autograd/ops/views.h"
#include "nn/linear.h"

using namespace heed;

struct Additive : Module {
    // begin stub
    //     Additive(std::int64_t d_q, std::int64_t d_k, std::int64_t d_hidden, Random& random) {}
    // begin solution
    Additive(std::int64_t d_q, std::int64_t d_k, std::int64_t d_hidden, Random& random)
        : W(d_q, d_hidden, random, no_bias), U(d_k, d_hidden, random, no_bias),
          v(d_hidden, 1, random, no_bias) {}
    // end

    Variable operator()(const Variable& Q, const Variable& K) const {
        // begin stub, stop in Additive::operator()
        //     exercise::not_done("06.1");
        // begin solution
        const Variable queries = unsqueeze(W(Q), -2);    // [..., T_q, 1, h]
        const Variable keys = unsqueeze(U(K), -3);       // [..., 1, T_k, h]
        const Variable hidden = tanh(queries + keys);    // [..., T_q, T_k, h]
        const Variable scores = squeeze(v(hidden), -1);  // [..., T_q, T_k]
        return scores;
        // end
    }

    void members(MemberVisitor& visit) override {
        // begin stub
        //     exercise::not_done("06.1");
        // begin solution
        visit("W", W);
        visit("U", U);
        visit("v", v);
        // end
    }

    // begin stub
    //     // Linear W, U, v: members of a layer are declared here.
    // begin solution
    Linear W, U, v;
    // end
};

int main(int argc, char** argv) {
    return exercise::run(exercise::judge_06_1(exercise::score_layer<Additive>()), argc, argv);
}
