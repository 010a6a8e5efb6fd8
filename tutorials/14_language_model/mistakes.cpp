// Lesson 14: two mistakes that run: targets that are not shifted (14.6), and a softmax before
// cross-entropy (14.7).
#include "tutorials/14_language_model/parts.h"

#include "nn/heed.h"
#include "tensor/runtime/fast_kernels.h"
#include "tutorials/support/lesson.h"
#include "tutorials/support/stop.h"

#include <cmath>
#include <iostream>

using namespace heed;
using tutorial::check;
using tutorial::say;
using tutorial::section;

void unshifted(Random& random) {
    section("14.6 Targets that are not shifted");
    say("Without the shift the task is to repeat the token that is there. One head, trained so for "
        "100 steps:");
    const FastKernels fast;
    OneHead head(T, false, random);
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
    stop("14.6 not shifted", {{"losses", losses}});
    check(of_this < 0.2, "the loss is far below the entropy, where no language model's can be");
    check(of_next > ln_19, "for the next token it is worse than a guess, which has ln 19");
}

void softmax_twice(Random& random) {
    section("14.7 Softmax before cross-entropy");
    say("cross_entropy takes logits and computes the softmax itself. Handed probabilities, it "
        "takes the softmax of these. They all lie between 0 and 1, so the result is nearly "
        "uniform: even for a model that gives the right one of 19 tokens probability 1 and all "
        "others 0, the second softmax makes of this $e/(e + 18) = 0.131$, and the loss is $-ln "
        "0.131 = 2.031$.");
    const Texts texts = random_texts(4, T, random);
    const Tensor sure = 20 * tensor::one_hot(texts.targets, V());  // [4, T, V], all right and sure
    const Variable logits(sure);
    const Variable probabilities = softmax(logits, -1);  // [4, T, V]
    const double right = cross_entropy(logits, texts.targets).item();
    const double wrong = cross_entropy(probabilities, texts.targets).item();
    stop("14.7 handed over", {{"logits", logits}, {"probabilities", probabilities}});
    std::cout << "a model that is sure and right: loss " << fixed(right, 3)
              << "; its softmax handed over: " << fixed(wrong, 3) << "\n\n";
    check(right < 0.001, "with logits the loss is 0");
    check(std::fabs(wrong - 2.0309) < 0.001,
          "with probabilities it is 2.031, and no training can lower it");
}
