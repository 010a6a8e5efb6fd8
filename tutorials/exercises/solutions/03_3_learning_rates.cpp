// 03.3 How large a step                                      measure · 15 minutes · about 12 lines
//
// With too small a learning rate training takes forever; with too large a one each step overshoots
// further than the last. Measure both: train y = X·W from the same W with each of several rates,
// and record the loss afterwards. When it passes, running this program prints what you measure for
// rates from 0.001 to 1. Lessons 03.2 and 03.3.
//
// X [N, in], target [N, out], W [in, out], a number of steps, the rates -> for each rate, in the
// order given, the loss (the mean of (y - target)² over all N·out entries) after all steps, and
// whether it diverges: whether that loss exceeds the one before the first step. Plain gradient
// descent, all steps, whatever the loss does. Rates are at least 0 and may come twice; there may be
// no step at all; losses may become huge, but stay finite. The given tensors must not change.
#include "tutorials/exercises/judges/lesson_03.h"

#include "autograd/ops/matmul.h"
#include "autograd/variable.h"
#include "nn/losses.h"
#include "nn/optim/optimizers.h"
#include "tensor/views.h"

using namespace heed;

Variable loss_of(const exercise::Experiment& experiment, const Variable& W) {
    const Variable y = matmul(Variable(experiment.X), W);            // [N, out]
    const Variable loss = mse_loss(y, Variable(experiment.target));  // []
    return loss;
}

exercise::RatesMeasured measure(const exercise::Experiment& experiment) {
    // begin stub, stop in measure
    //     exercise::not_done("03.3");
    // begin solution
    exercise::RatesMeasured measured;
    for (const double rate : experiment.rates) {
        Variable W(tensor::clone(experiment.W), requires_grad);  // [in, out]
        SGD optimizer({W}, {.lr = rate});
        const double first_loss = loss_of(experiment, W).item();
        for (int step = 0; step < experiment.steps; ++step) {
            optimizer.zero_grad();
            const Variable loss = loss_of(experiment, W);
            loss.backward();
            optimizer.step();
        }
        const double last_loss = loss_of(experiment, W).item();
        measured.losses.push_back(last_loss);
        measured.diverges.push_back(last_loss > first_loss);
    }
    return measured;
    // end
}

int main(int argc, char** argv) {
    const int outcome = exercise::run(exercise::judge_03_3(measure), argc, argv);
    if (outcome == 0) exercise::show(measure);
    return outcome;
}
