// How the models of lesson 14 are trained; lesson 19 trains one to let it speak.
#pragma once

#include "nn/heed.h"
#include "tensor/runtime/fast_kernels.h"
#include "tutorials/14_language_model/source.h"
#include "tutorials/support/training_run.h"

// Of `steps` steps those after `from`, up to and with `to`.
struct Steps {
    int from, to, steps;
};

// Warmup and cosine, clipping, AdamW: as language models are trained. On texts of T tokens.
template <class Model>
void train(const std::string& name, Model& model, heed::AdamW& optimizer, std::int64_t T,
           const Steps& part, heed::Random& random) {
    const heed::FastKernels fast;  // also in a Debug build, where this would take minutes
    const heed::WarmupCosine schedule{.lr = 1e-2, .floor = 1e-4, .warmup = 20, .steps = part.steps};
    for (tutorial::TrainingRun run(name, part.to - part.from, model, optimizer, random);
         run.next();) {
        const Texts texts = random_texts(32, T, random);
        const heed::Variable loss = heed::cross_entropy(model(texts.inputs), texts.targets);
        optimizer.zero_grad();
        loss.backward();
        heed::clip_grad_norm(optimizer.parameters(), 1);
        optimizer.set_lr(schedule(part.from + run.step()));
        optimizer.step();
        run.show(loss);
    }
}

template <class Model>
void train(const std::string& name, Model& model, std::int64_t T, int steps, heed::Random& random) {
    heed::AdamW optimizer(heed::parameters(model), {.lr = 1});
    train(name, model, optimizer, T, {.from = 0, .to = steps, .steps = steps}, random);
}
