// 03.1 A loop that does not learn                            hunt · 15 minutes · about 5 lines
//
// The loop below should fit y = X·W + b to the targets: compute the loss, its gradient, and a step
// downhill for W and for b, again and again. Instead the loss explodes. At first sight nothing is
// missing, and there is more than one mistake. Find them: run it, stop in descend (d starts the
// debugger there), and check each time which gradient it is given. Lesson 03.
//
// X [N, in], target [N, out], W [in, out], b [out] -> the loss before each step, and W and b after
// the last. The loss is the mean of (y - target)² over all N·out entries. All steps are taken, with
// the rate as it is, even if the loss rises; there may be none. The given tensors must not change.
#include "tutorials/exercises/judges/lesson_03.h"

#include "autograd/ops/arithmetic.h"
#include "autograd/ops/matmul.h"
#include "autograd/variable.h"
#include "nn/losses.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/views.h"

using namespace heed;

// w <- w - rate * dloss/dw, in place.
void descend(Variable& parameter, double rate) {
    if (!parameter.has_grad()) return;
    Tensor numbers = parameter.value();
    // begin stub, stop in descend
    //     tensor::overwrite(numbers, numbers + rate * parameter.grad());
    // begin solution
    tensor::overwrite(numbers, numbers - rate * parameter.grad());
    // end
}

exercise::Trained train(const exercise::Training& training) {
    const Variable X(training.X);                          // [N, in]
    const Variable target(training.target);                // [N, out]
    Variable W(tensor::clone(training.W), requires_grad);  // [in, out]
    Variable b(tensor::clone(training.b), requires_grad);  // [out]
    std::vector<double> losses;
    for (int step = 0; step < training.steps; ++step) {
        const Variable y = matmul(X, W) + b;        // [N, out]
        const Variable loss = mse_loss(y, target);  // []
        // begin stub
        //     descend(W, training.rate);
        //     descend(b, training.rate);
        //     loss.backward();
        // begin solution
        loss.backward();
        descend(W, training.rate);
        descend(b, training.rate);
        W.zero_grad();
        b.zero_grad();
        // end
        losses.push_back(loss.item());
    }
    return {losses, W.value(), b.value()};
}

int main(int argc, char** argv) { return exercise::run(exercise::judge_03_1(train), argc, argv); }
