// What lesson 17 trains: a head over the patches of a picture, and three readers without attention.
#pragma once

#include "nn/heed.h"
#include "tensor/runtime/fast_kernels.h"
#include "tutorials/17_pixels/picture.h"
#include "tutorials/support/training_run.h"

inline constexpr std::int64_t d = 32;

// [B, 64, 64, 3] -> [B, 64, 192]: the numbers of each patch of 8 by 8 pixels, with grey as 0.
inline heed::Variable patches_of(const heed::Tensor& pixels) {
    const std::int64_t B = pixels.dim(0);
    // [B, row of patches, row in it, column of patches, column in it, colour]
    const heed::Tensor cut = heed::tensor::reshape(pixels - 0.5, {B, 8, 8, 8, 8, 3});
    return heed::Variable(
        heed::tensor::reshape(heed::tensor::permute(cut, {0, 1, 3, 2, 4, 5}), {B, 64, 192}));
}

// The row of each picture's red patch: [B, 64, n] -> [B, n].
inline heed::Variable at_red(const heed::Variable& x, const Pictures& pictures) {
    const heed::Variable only_red(heed::tensor::one_hot(pictures.red, 64));  // [B, 64]
    return squeeze(matmul(unsqueeze(only_red, 1), x), 1);
}

// One head over the patches, and the class of the red one.
struct Looker : heed::Module {
    heed::Linear embed;
    heed::LearnedPositions positions;
    heed::AttentionHead head;
    heed::Linear to_logits;

    explicit Looker(heed::Random& random)
        : embed(192, d, random), positions(64, d, random), head(d, d, random),
          to_logits(d, num_kinds, random) {}
    heed::Variable tokens(const Pictures& pictures) const {
        return positions.added_to(embed(patches_of(pictures.pixels)));  // [B, 64, d]
    }
    // What the head makes of tokens in any order: the class, of the red one.
    heed::Variable logits(const heed::Variable& tokens, const Pictures& pictures) const {
        return to_logits(at_red(head(tokens), pictures));  // [B, 4]
    }
    heed::Variable operator()(const Pictures& pictures) const {
        return logits(tokens(pictures), pictures);
    }
    void members(heed::MemberVisitor& visit) override {
        visit("embed", embed);
        visit("positions", positions);
        visit("head", head);
        visit("to_logits", to_logits);
    }
};

// Without attention: the red patch by itself, or the mean of all patches.
struct WithoutAttention : heed::Module {
    bool mean_of_all;
    heed::Linear embed, to_logits;

    WithoutAttention(bool mean, heed::Random& random)
        : mean_of_all(mean), embed(192, d, random), to_logits(d, num_kinds, random) {}
    heed::Variable operator()(const Pictures& pictures) const {
        const heed::Variable x = embed(patches_of(pictures.pixels));  // [B, 64, d]
        return to_logits(mean_of_all ? mean(x, 1) : at_red(x, pictures));
    }
    void members(heed::MemberVisitor& visit) override {
        visit("embed", embed);
        visit("to_logits", to_logits);
    }
};

// Without attention and without tokens: a weight for each of the 12,288 numbers of the picture.
struct Dense : heed::Module {
    heed::Linear to_logits;

    explicit Dense(heed::Random& random) : to_logits(64 * 192, num_kinds, random) {}
    heed::Variable operator()(const Pictures& pictures) const {
        return to_logits(flatten(patches_of(pictures.pixels), 1));
    }
    void members(heed::MemberVisitor& visit) override { visit("to_logits", to_logits); }
};

template <class Model>
void train(const std::string& name, Model& model, heed::Random& random) {
    const heed::FastKernels fast;  // also in a Debug build, where this would take minutes
    heed::Adam optimizer(parameters(model), {.lr = 5e-3});
    for (tutorial::TrainingRun run(name, 300, model, optimizer, random); run.next();) {
        const Pictures pictures = random_pictures(32, random);
        const heed::Variable loss = cross_entropy(model(pictures), pictures.kinds);
        optimizer.zero_grad();
        loss.backward();
        optimizer.step();
        run.show(loss);
    }
}

template <class Model>
double accuracy(const Model& model, const Pictures& pictures) {
    const heed::NoGrad no_grad;
    const heed::BoolTensor right =
        heed::tensor::argmax(model(pictures).value(), -1) == pictures.kinds;
    return static_cast<double>(right.count()) / static_cast<double>(right.numel());
}
