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
    Additive(std::int64_t d_q, std::int64_t d_k, std::int64_t d_hidden, Random& random) {}

    Variable operator()(const Variable& Q, const Variable& K) const {
        exercise::not_done("06.1");
    }

    void members(MemberVisitor& visit) override {
        exercise::not_done("06.1");
    }

    // Linear W, U, v: members of a layer are declared here.
};

int main(int argc, char** argv) {
    return exercise::run(exercise::judge_06_1(exercise::score_layer<Additive>()), argc, argv);
}
