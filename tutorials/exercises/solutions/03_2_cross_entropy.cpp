// 03.2 Cross-entropy and its gradient                        fill · 20 minutes · about 7 lines
//
// The loss of every language model: for each row, softmax turns the logits into probabilities, and
// the loss is -log of the probability of the right class: 0 if the model is sure and right, large
// if it is sure and wrong. Its gradient is remarkably short: probabilities minus the one-hot
// target. Lessons 03.4 and 03.5.
//
// logits [n, V] are unnormalized scores: finite, but possibly large, such as ±1000; targets [n] are
// class ids from 0 to V - 1; n and V are at least 1. cross_entropy_loss gives the mean over the n
// rows [], cross_entropy_gradient gives ∂loss/∂logits [n, V].
#include "tutorials/exercises/judges/lesson_03.h"

#include "tensor/factories.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/ops/gather.h"
#include "tensor/ops/reduce.h"
#include "tensor/ops/softmax.h"

using namespace heed;

Tensor cross_entropy_loss(const Tensor& logits, const IndexTensor& targets) {
    // begin stub, stop in cross_entropy_loss
    //     exercise::not_done("03.2");
    // begin solution
    const IndexTensor column = targets.reshape({targets.numel(), 1});  // [n, 1]
    const Tensor log_P = tensor::log_softmax(logits, -1);              // [n, V]
    const Tensor of_targets = tensor::gather(log_P, 1, column);        // [n, 1]
    const Tensor loss = -tensor::mean(of_targets);                     // []
    return loss;
    // end
}

Tensor cross_entropy_gradient(const Tensor& logits, const IndexTensor& targets) {
    // begin stub
    //     exercise::not_done("03.2");
    // begin solution
    const Tensor P = tensor::softmax(logits, -1);                                         // [n, V]
    const Tensor one_hot = tensor::index_select(tensor::eye(logits.dim(1)), 0, targets);  // [n, V]
    const Tensor gradient = (P - one_hot) / static_cast<double>(logits.dim(0));           // [n, V]
    return gradient;
    // end
}

int main(int argc, char** argv) {
    return exercise::run(exercise::judge_03_2({cross_entropy_loss, cross_entropy_gradient}), argc,
                         argv);
}
