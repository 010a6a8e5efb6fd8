// What lesson 16 trains: five ways from a sentence to the sense of its word. Each takes a
// MeantBatch to logits [B, 14], an entry for each of all_senses().
#pragma once

#include "nn/heed.h"
#include "tensor/runtime/fast_kernels.h"
#include "tutorials/16_which_bar/sentences.h"
#include "tutorials/support/training_run.h"

// The row of each sentence's ambiguous word: [B, T, n] -> [B, n].
heed::Variable at_word(const heed::Variable& x, const MeantBatch& batch);

// Control: the word's row of a table, and nothing else.
struct WordAlone : heed::Module {
    explicit WordAlone(heed::Random& random);
    heed::Variable operator()(const MeantBatch& batch) const;
    void members(heed::MemberVisitor& visit) override;

    heed::Embedding tokens;
    heed::Linear to_logits;
};

// Control: how often each word occurs, in whatever order; two layers.
struct BagOfWords : heed::Module {
    explicit BagOfWords(heed::Random& random);
    heed::Variable operator()(const MeantBatch& batch) const;
    void members(heed::MemberVisitor& visit) override;

    heed::Linear hidden, to_logits;
};

// Pre-LN, and a classifier on the first token, [CLS] (note 002).
struct ByFirst : heed::Module {
    explicit ByFirst(heed::Random& random);
    heed::Variable operator()(const MeantBatch& batch) const;
    void members(heed::MemberVisitor& visit) override;

    heed::TextClassifier classifier;
};

// Post-LN, read at the mean of all tokens (note 004).
struct ByMean : heed::Module {
    explicit ByMean(heed::Random& random);
    heed::Variable operator()(const MeantBatch& batch) const;
    void members(heed::MemberVisitor& visit) override;

    heed::MeanClassifier classifier;
};

// Pre-LN with one layer of one head, its classifier read off the word itself. So what the cue
// says has one way to get there: the word's row of weights.
struct ByWord : heed::Module {
    explicit ByWord(heed::Random& random);
    heed::Variable operator()(const MeantBatch& batch) const;
    void members(heed::MemberVisitor& visit) override;

    heed::TextClassifier classifier;
};

template <class Model>
void train(const std::string& name, Model& model, const std::vector<Meant>& learned,
           heed::Random& random) {
    const heed::FastKernels fast;  // also in a Debug build, where this would take minutes
    const std::int64_t steps = 400;
    heed::Adam optimizer(heed::parameters(model), {.lr = 1});
    const heed::WarmupCosine schedule{.lr = 3e-3, .floor = 3e-4, .warmup = 100, .steps = steps};
    for (tutorial::TrainingRun run(name, steps, model, optimizer, random); run.next();) {
        const MeantBatch batch = random_batch(64, learned, random);
        const heed::Variable loss = heed::cross_entropy(model(batch), batch.senses);
        optimizer.zero_grad();
        loss.backward();
        heed::clip_grad_norm(optimizer.parameters(), 1);
        optimizer.set_lr(schedule(run.step()));
        optimizer.step();
        run.show(loss);
    }
}

inline constexpr std::size_t trainings = 3;  // of each kind: one alone may be lucky

template <class Model>
std::vector<Model> trained_models(const std::string& name, const std::vector<Meant>& learned,
                                  heed::Random& random) {
    std::vector<Model> models;
    models.reserve(trainings);
    while (models.size() < trainings) {
        models.emplace_back(random);
        train(name, models.back(), learned, random);
    }
    return models;
}

template <class Model>
double accuracy(const Model& model, const MeantBatch& batch) {
    const heed::NoGrad no_grad;
    const heed::FastKernels fast;
    const heed::BoolTensor right =
        heed::tensor::argmax(model(batch).value(), -1) == batch.senses;  // [B]
    return static_cast<double>(right.count()) / static_cast<double>(right.numel());
}
