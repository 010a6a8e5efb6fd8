// Training steps of the models of nn/models/ and nn/transformer/ and of a small network, the
// optimizer's step alone, and generation.
#include "autograd/ops.h"
#include "nn/generation/generate.h"
#include "nn/generation/gpt_steps.h"
#include "nn/losses.h"
#include "nn/nn.h"
#include "nn/optim/optimizers.h"
#include "nn/transformer/transformer.h"
#include "tensor/errors.h"
#include "tensor/ops.h"
#include "tests/benchmarks/heed_works.h"
#include "tests/benchmarks/models.h"

#include <memory>

namespace heed { inline namespace HEED_PRECISION { namespace benchmarks {
namespace {
using Parameters = std::vector<NamedParameter>;

const Variable& named(const std::string& name, const Parameters& all) {
    for (const NamedParameter& each : all) {
        if (each.name == name) return each.parameter;
    }
    fail_argument("named", CallSite::here(), "no parameter is called \"", name, "\"");
}

// A step of an optimizer on the loss; returns it with the gradients of `watched`.
template <class Optimizer, class Loss>
Run step(const std::shared_ptr<Optimizer>& optimizer, const Loss& loss_of,
         const std::vector<Variable>& watched) {
    return [=] {
        optimizer->zero_grad();
        const Variable loss = loss_of();
        loss.backward();
        optimizer->step();
        std::vector<Tensor> results = {loss.value()};
        for (const Variable& parameter : watched) results.push_back(parameter.grad());
        return results;
    };
}

std::shared_ptr<AdamW> adamw(const Parameters& all) {
    return std::make_shared<AdamW>(all, AdamWOptions{.lr = 1e-3});
}

// With the gradients of the first and the last parameter.
template <class Loss>
Run training_step(Module& model, const Loss& loss_of) {
    fill_with_noise(model);
    const Parameters all = parameters(model);
    return step(adamw(all), loss_of, {all.front().parameter, all.back().parameter});
}

std::shared_ptr<Gpt> new_gpt(const GptSizes& sizes) {
    Random random(1);
    const std::shared_ptr<Gpt> model = std::make_shared<Gpt>(gpt_config(sizes), random);
    fill_with_noise(*model);
    return model;
}

Run gpt_step(const GptSizes& sizes) {
    const std::shared_ptr<Gpt> model = new_gpt(sizes);
    const Parameters all = parameters(*model);
    const IndexTensor ids = noise_ids({sizes.B, sizes.T}, 1, sizes.vocabulary);
    const IndexTensor targets = noise_ids({sizes.B, sizes.T}, 2, sizes.vocabulary);
    return step(
        adamw(all), [=] { return cross_entropy((*model)(ids), targets); },
        {named("tokens.weight", all), named("positions.weight", all), named("norm.weight", all)});
}

// The logits.
Run gpt_forward(const GptSizes& sizes) {
    const std::shared_ptr<Gpt> model = new_gpt(sizes);
    const IndexTensor ids = noise_ids({sizes.B, sizes.T}, 1, sizes.vocabulary);
    return [=] {
        const NoGrad no_grad;
        return std::vector<Tensor>{(*model)(ids).value()};
    };
}

// The gradients stay fixed, so that only the optimizer's step is measured.
Run adamw_step(const GptSizes& sizes) {
    const std::shared_ptr<Gpt> model = new_gpt(sizes);
    std::int64_t seed = 1000;
    const Parameters all = parameters(*model);
    for (const NamedParameter& member : all) {
        Variable parameter = member.parameter;
        parameter.set_grad(noise(parameter.shape(), ++seed));
    }
    const auto optimizer = adamw(all);
    return [=] {
        optimizer->step();
        return std::vector<Tensor>{named("tokens.weight", all).value(),
                                   named("norm.weight", all).value()};
    };
}

// One example through a 2-16-16-1 network, and one step of gradient descent.
Run small_network_step() {
    Random random(1);
    const auto network = std::make_shared<Sequential>(std::initializer_list<AnyLayer>{
        Linear(2, 16, random), Relu(), Linear(16, 16, random), Relu(), Linear(16, 1, random)});
    std::int64_t seed = 0;
    for (NamedParameter& member : parameters(*network)) {
        Tensor numbers = member.parameter.value();
        tensor::overwrite(numbers, noise(numbers.shape(), ++seed, 0.5));
    }
    const auto optimizer = std::make_shared<SGD>(parameters(*network), SgdOptions{.lr = 1e-4});
    const Variable x(tensor::of({0.5, -0.25}));
    const Variable target(tensor::of(1));
    const auto loss_of = [=] {
        const Variable error = reshape((*network)(x), Dims{}) - target;
        return error * error;
    };
    return step(optimizer, loss_of, {});
}

template <class Classifier>
Run classifier_step(const std::shared_ptr<Classifier>& model, const LayerSizes& sizes) {
    const IndexTensor ids = noise_ids({sizes.B, sizes.T}, 1, sizes.vocabulary);
    const IndexTensor labels = noise_ids({sizes.B}, 2, sizes.classes);
    const Mask padding = padding_of(sizes);
    return training_step(*model, [=] { return cross_entropy((*model)(ids, padding), labels); });
}

Run note_002_step(const LayerSizes& sizes) {
    Random random(1);
    return classifier_step(
        std::make_shared<TextClassifier>(note_002_config(sizes), sizes.classes, random), sizes);
}

Run note_004_step(const LayerSizes& sizes) {
    Random random(1);
    return classifier_step(std::make_shared<MeanClassifier>(note_004_config(sizes), random), sizes);
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
    const std::shared_ptr<Gpt> model = new_gpt(sizes);
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

std::shared_ptr<Gpt> new_llama(const std::string& name) {
    Random random(1);
    const std::shared_ptr<Gpt> model = std::make_shared<Gpt>(llama_config(name), random);
    fill_with_noise(*model);
    return model;
}

std::int64_t likeliest(const Tensor& logits) { return tensor::argmax(logits, -1).data()[0]; }

Run llama_prompt(const std::shared_ptr<Gpt>& model, std::int64_t length) {
    const IndexTensor prompt = noise_ids({1, length}, 1, model->config().vocab_size);
    return [=] {
        const NoGrad no_grad;
        GptSteps steps(*model);
        const std::int64_t next = likeliest(steps.read(prompt));
        return std::vector<Tensor>{tensor::of(static_cast<double>(next))};
    };
}

// The likeliest next tokens of a text of 16. The first 15 were read before.
Run llama_tokens(const std::shared_ptr<Gpt>& model, std::int64_t count) {
    constexpr std::int64_t length = 16;
    const IndexTensor text = noise_ids({1, length}, 1, model->config().vocab_size);
    const auto before = std::make_shared<GptSteps>(*model);
    const NoGrad no_grad;
    before->read(IndexTensor({text.data(), text.data() + length - 1}, {1, length - 1}));
    const std::int64_t last = text.data()[length - 1];
    return [=] {
        const NoGrad no_grad;
        GptSteps steps = *before;
        std::int64_t token = last;
        std::vector<Scalar> said;
        for (std::int64_t i = 0; i < count; ++i) {
            token = likeliest(steps.read(IndexTensor({token}, {1, 1})));
            said.push_back(static_cast<Scalar>(token));
        }
        // The model is kept alive with this.
        return std::vector<Tensor>{tensor::from_vector(said, {model ? count : 0})};
    };
}

}  // namespace

Run prepare_model(const std::string& kind, std::istream& line) {
    std::string name;
    line >> name;
    if (kind == "gpt") return gpt_step(gpt_sizes(name));
    if (kind == "forward") return gpt_forward(gpt_sizes(name));
    if (kind == "adamw") return adamw_step(gpt_sizes(name));
    if (kind == "small_network") return small_network_step();
    if (kind == "note_002") return note_002_step(layer_sizes(name));
    if (kind == "note_004") return note_004_step(layer_sizes(name));
    if (kind == "transformer") return transformer_step(layer_sizes(name));
    std::int64_t tokens = 0;
    line >> tokens;
    if (kind == "llama_prompt") return llama_prompt(new_llama(name), tokens);
    if (kind == "llama_tokens") return llama_tokens(new_llama(name), tokens);
    return kind == "generate" ? generation(gpt_sizes(name), tokens) : Run();
}

}}}  // namespace heed::benchmarks
