// Whole training steps, and the optimizer step alone.
#include "autograd/ops.h"
#include "nn/losses.h"
#include "nn/nn.h"
#include "tensor/ops.h"
#include "tests/benchmarks/heed_works.h"
#include "tests/benchmarks/models.h"
#include "tests/benchmarks/noise.h"

#include <memory>

namespace heed { inline namespace HEED_PRECISION { namespace benchmarks {

namespace {

std::shared_ptr<Gpt> new_gpt(const GptSizes& sizes) {
    Random random(1);
    const std::shared_ptr<Gpt> model = std::make_shared<Gpt>(gpt_config(sizes), random);
    fill_with_noise(*model);
    return model;
}

const Variable& named(const std::string& name, const std::vector<NamedParameter>& all) {
    for (const NamedParameter& each : all) {
        if (each.name == name) return each.parameter;
    }
    fail_argument("named", CallSite::here(), "no parameter is called \"", name, "\"");
}

Run gpt_step(const GptSizes& sizes) {
    const std::shared_ptr<Gpt> model = new_gpt(sizes);
    const std::vector<NamedParameter> all = parameters(*model);
    const auto optimizer = std::make_shared<AdamW>(all, AdamWOptions{.lr = 1e-3});
    const IndexTensor ids = noise_ids({sizes.B, sizes.T}, 1, sizes.vocabulary);
    const IndexTensor targets = noise_ids({sizes.B, sizes.T}, 2, sizes.vocabulary);
    return [=] {
        optimizer->zero_grad();
        const Variable loss = cross_entropy((*model)(ids), targets);
        loss.backward();
        optimizer->step();
        return std::vector<Tensor>{loss.value(), named("tokens.weight", all).grad(),
                                   named("positions.weight", all).grad(),
                                   named("norm.weight", all).grad()};
    };
}

// The gradients stay fixed, so that only the optimizer's step is measured.
Run adamw_step(const GptSizes& sizes) {
    const std::shared_ptr<Gpt> model = new_gpt(sizes);
    std::int64_t seed = 1000;
    const std::vector<NamedParameter> all = parameters(*model);
    for (const NamedParameter& member : all) {
        Variable parameter = member.parameter;
        parameter.set_grad(noise(parameter.shape(), ++seed));
    }
    const auto optimizer = std::make_shared<AdamW>(all, AdamWOptions{.lr = 1e-3});
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
    return [=] {
        optimizer->zero_grad();
        const Variable error = reshape((*network)(x), Dims{}) - target;
        const Variable loss = error * error;
        loss.backward();
        optimizer->step();
        return std::vector<Tensor>{loss.value()};
    };
}

}  // namespace

Run prepare_training(const std::string& kind, std::istream& line) {
    std::string sizes;
    line >> sizes;
    if (kind == "gpt") return gpt_step(gpt_sizes(sizes));
    if (kind == "adamw") return adamw_step(gpt_sizes(sizes));
    if (kind == "small_network") return small_network_step();
    return {};
}

}}}  // namespace heed::benchmarks
