// How the models of lesson 14 are trained; lesson 19 trains one to let it speak.
#pragma once

#include "nn/heed.h"
#include "tensor/runtime/fast_kernels.h"
#include "tutorials/14_language_model/source.h"
#include "tutorials/support/training_run.h"

// Warmup and cosine, clipping, AdamW: as language models are trained. On texts of T tokens.
template <class Model>
void train(const std::string& name, Model& model, std::int64_t T, int steps, heed::Random& random) {
    const heed::FastKernels fast;  // also in a Debug build, where this would take minutes
    heed::AdamW optimizer(heed::parameters(model), {.lr = 1});
    const heed::WarmupCosine schedule{.lr = 1e-2, .floor = 1e-4, .warmup = 20, .steps = steps};
    for (tutorial::TrainingRun run(name, steps, model, optimizer, random); run.next();) {
        const Texts texts = random_texts(32, T, random);
        const heed::Variable loss = heed::cross_entropy(model(texts.inputs), texts.targets);
        optimizer.zero_grad();
        loss.backward();
        heed::clip_grad_norm(optimizer.parameters(), 1);
        optimizer.set_lr(schedule(run.step()));
        optimizer.step();
    }
}
