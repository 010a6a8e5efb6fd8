// Training steps of the other models of nn/models/ and nn/transformer/, and generation.
#include "autograd/ops.h"
#include "nn/generation/generate.h"
#include "nn/generation/gpt_steps.h"
#include "nn/losses.h"
#include "nn/optim/optimizers.h"
#include "nn/transformer/transformer.h"
#include "tests/benchmarks/heed_works.h"
#include "tests/benchmarks/models.h"
#include "tests/benchmarks/noise.h"

#include <memory>

namespace heed { inline namespace HEED_PRECISION { namespace benchmarks {

namespace {

// A step of AdamW on the loss; returns it with the gradients of the first and the last parameter.
template <class Loss>
Run training_step(Module& model, const Loss& loss_of) {
    fill_with_noise(model);
    const std::vector<NamedParameter> all = parameters(model);
    const auto optimizer = std::make_shared<AdamW>(all, AdamWOptions{.lr = 1e-3});
    return [=] {
        optimizer->zero_grad();
        const Variable loss = loss_of();
        loss.backward();
        optimizer->step();
        return std::vector<Tensor>{loss.value(), all.front().parameter.grad(),
                                   all.back().parameter.grad()};
    };
}

Run note_002_step(const LayerSizes& sizes) {
    Random random(1);
    const auto model =
        std::make_shared<TextClassifier>(note_002_config(sizes), sizes.classes, random);
    const IndexTensor ids = noise_ids({sizes.B, sizes.T}, 1, sizes.vocabulary);
    const IndexTensor labels = noise_ids({sizes.B}, 2, sizes.classes);
    const Mask padding = padding_of(sizes);
    return training_step(*model, [=] { return cross_entropy((*model)(ids, padding), labels); });
}

Run note_004_step(const LayerSizes& sizes) {
    Random random(1);
    const auto model = std::make_shared<MeanClassifier>(note_004_config(sizes), random);
    const IndexTensor ids = noise_ids({sizes.B, sizes.T}, 1, sizes.vocabulary);
    const IndexTensor labels = noise_ids({sizes.B}, 2, sizes.classes);
    const Mask padding = padding_of(sizes);
    return training_step(*model, [=] { return cross_entropy((*model)(ids, padding), labels); });
}

Run transformer_step(const LayerSizes& sizes) {
    Random random(1);
    const auto model =
        std::make_shared<Transformer>(TransformerSizes{.d_model = sizes.d_model,
                                                       .num_heads = sizes.heads,
                                                       .num_encoder_layers = sizes.layers,
                                                       .num_decoder_layers = sizes.layers,
                                                       .d_hidden = 4 * sizes.d_model},
                                      random);
    const Variable X(noise({sizes.B, sizes.T, sizes.d_model}, 1001));
    const Variable Y(noise({sizes.B, sizes.T, sizes.d_model}, 1002));
    const Variable target(noise({sizes.B, sizes.T, sizes.d_model}, 1003));
    const TransformerMasks masks{
        .source = padding_of(sizes), .target = Mask::causal(sizes.T), .memory = padding_of(sizes)};
    return training_step(*model, [=] { return mse_loss((*model)(X, Y, masks), target); });
}

// Greedy, with keys and values kept: one text, a prompt of 8 tokens, then so many more.
Run generation(const GptSizes& sizes, std::int64_t new_tokens) {
    Random random(1);
    const auto model = std::make_shared<Gpt>(gpt_config(sizes), random);
    fill_with_noise(*model);
    const IndexTensor prompt = noise_ids({8}, 1, sizes.vocabulary);
    return [=] {
        GptSteps steps(*model);
        Random unused(1);
        const std::vector<std::vector<std::int64_t>> said = generate(
            steps, prompt, unused, {.max_new_tokens = new_tokens, .sampling = {.temperature = 0}});
        const std::vector<Scalar> numbers(said[0].begin(), said[0].end());
        return std::vector<Tensor>{tensor::from_vector(numbers, {new_tokens})};
    };
}

}  // namespace

Run prepare_model(const std::string& kind, std::istream& line) {
    std::string name;
    line >> name;
    if (kind == "note_002") return note_002_step(layer_sizes(name));
    if (kind == "note_004") return note_004_step(layer_sizes(name));
    if (kind == "transformer") return transformer_step(layer_sizes(name));
    if (kind != "generate") return {};
    std::int64_t new_tokens = 0;
    line >> new_tokens;
    return generation(gpt_sizes(name), new_tokens);
}

}}}  // namespace heed::benchmarks
