// Lesson 14: two mistakes that run: targets that are not shifted (14.4), and a softmax before
// cross-entropy (14.5).
#include "tutorials/14_language_model/parts.h"

#include "nn/heed.h"
#include "tensor/runtime/fast_kernels.h"
#include "tutorials/support/lesson.h"
#include "tutorials/support/stop.h"

#include <iostream>

using namespace heed;
using tutorial::check;
using tutorial::say;
using tutorial::section;

void unshifted(Random& random) {
    section("14.4 Targets that are not shifted");
    say("Forget the shift, and the task is to repeat the token one sees:");
    const FastKernels fast;
    OneHead head(T, random);
    Adam optimizer(parameters(head), {.lr = 1e-2});
    for (int step = 0; step < 100; ++step) {
        const IndexTensor inputs = random_texts(32, T, random).inputs;
        const Variable loss = cross_entropy(head(inputs), inputs);  // the mistake
        optimizer.zero_grad();
        loss.backward();
        optimizer.step();
    }
    const Texts texts = random_texts(200, T, random);
    const double of_this = loss_of(head, {texts.inputs, texts.inputs, 0});
    const double of_next = loss_of(head, texts);
    std::cout << "loss for the token itself " << fixed(of_this, 3) << ", for the next token "
              << fixed(of_next, 2) << "\n\n";
    const Tensor losses = tensor::of({of_this, of_next});
    stop("14.4 not shifted", {{"losses", losses}});
    check(of_this < 0.2, "the loss looks better than any language model's can");
    check(of_next > ln_19, "of what comes next it knows less than nothing");
}

void softmax_twice(Random& random) {
    section("14.5 Softmax before cross-entropy");
    say("cross_entropy takes logits and computes the softmax itself. Handed probabilities, it "
        "takes the softmax of these, which are all between 0 and 1, so nearly uniform: the loss "
        "cannot fall far, whatever the model knows.");
    const Texts texts = random_texts(4, T, random);
    const Tensor sure = 20 * tensor::one_hot(texts.targets, V());  // [4, T, V], all right and sure
    const Variable logits(sure);
    const Variable probabilities = softmax(logits, -1);  // [4, T, V]
    const double right = cross_entropy(logits, texts.targets).item();
    const double wrong = cross_entropy(probabilities, texts.targets).item();
    stop("14.5 handed over", {{"logits", logits}, {"probabilities", probabilities}});
    std::cout << "a model that is sure and right: loss " << fixed(right, 3)
              << "; its softmax handed over: " << fixed(wrong, 3) << "\n\n";
    check(right < 0.001 && wrong > 2, "0 with logits, above 2 with probabilities");
}
