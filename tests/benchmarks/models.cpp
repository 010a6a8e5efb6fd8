#include "tests/benchmarks/models.h"

#include "tensor/errors.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/views.h"
#include "tests/benchmarks/heed_works.h"

namespace heed { inline namespace HEED_PRECISION { namespace benchmarks {

GptSizes gpt_sizes(const std::string& name) {
    if (name == "tiny") return {65, 16, 2, 2, 2, 32};
    const std::string deep = "deep_";
    if (name.rfind(deep, 0) == 0) {
        return {65, 64, 4, std::stoll(name.substr(deep.size())), 4, 128};
    }
    if (name == "lesson_14") return {65, 64, 16, 2, 4, 64};
    if (name == "S") return {65, 64, 12, 4, 4, 128};
    if (name == "M") return {65, 256, 16, 6, 6, 384};
    if (name == "L") return {50257, 64, 4, 12, 12, 768};
    fail_argument("gpt_sizes", CallSite::here(), "no GPT is called \"", name, "\"");
}

GptConfig gpt_config(const GptSizes& sizes) {
    return {.vocab_size = sizes.vocabulary,
            .limit = sizes.T,
            .d_model = sizes.d_model,
            .num_layers = sizes.layers,
            .num_heads = sizes.heads,
            .activation = Activation::gelu};
}

GptConfig llama_config(const std::string& name) {
    GptConfig config{.positions = PositionKind::rotary,
                     .rotary = {.pairs = RotatedPairs::neighbours},
                     .norm = NormKind::rms,
                     .activation = Activation::silu,
                     .gated = true,
                     .bias = false,
                     .tied_head = false};
    const auto take = [&config](std::int64_t vocabulary, std::int64_t limit, std::int64_t d_model,
                                std::int64_t layers, std::int64_t heads, std::int64_t d_hidden) {
        config.vocab_size = vocabulary;
        config.limit = limit;
        config.d_model = d_model;
        config.num_layers = layers;
        config.num_heads = heads;
        config.d_hidden = d_hidden;
    };
    if (name == "tiny") {
        take(300, 64, 32, 2, 2, 48);
    } else if (name == "162M") {
        take(50257, 1024, 768, 12, 12, 2048);
    } else {
        fail_argument("llama_config", CallSite::here(), "no Llama is called \"", name, "\"");
    }
    return config;
}

double bytes_of_a_token(const GptConfig& llama) {
    const std::int64_t block = llama.d_model * (4 * llama.d_model + 3 * llama.d_hidden);
    const std::int64_t weights = llama.num_layers * block + llama.vocab_size * llama.d_model;
    return static_cast<double>(weights) * sizeof(Scalar);
}

LayerSizes layer_sizes(const std::string& name) {
    if (name == "tiny") return {65, 16, 4, 2, 2, 32, 3};
    if (name == "lesson_16") return {100, 16, 32, 2, 2, 32, 14};
    if (name == "lesson_18") return {100, 16, 32, 1, 4, 64, 3};
    if (name == "base") return {5000, 64, 32, 4, 4, 256, 3};
    fail_argument("layer_sizes", CallSite::here(), "no model is called \"", name, "\"");
}

TextEncoderConfig note_002_config(const LayerSizes& sizes) {
    return {.vocab_size = sizes.vocabulary,
            .limit = sizes.T,
            .d_model = sizes.d_model,
            .num_layers = sizes.layers,
            .num_heads = sizes.heads};
}

MeanClassifierConfig note_004_config(const LayerSizes& sizes) {
    return {.vocab_size = sizes.vocabulary,
            .limit = sizes.T,
            .d_model = sizes.d_model,
            .num_layers = sizes.layers,
            .num_heads = sizes.heads,
            .num_classes = sizes.classes};
}

Mask padding_of(const LayerSizes& sizes) {
    std::vector<std::int64_t> lengths;
    for (std::int64_t b = 0; b < sizes.B; ++b) {
        lengths.push_back(b % 2 == 0 ? sizes.T : sizes.T / 2);
    }
    return Mask::padding(lengths, sizes.T);
}

void fill_with_noise(Module& model) {
    std::int64_t seed = 0;
    for (const NamedParameter& member : parameters(model)) {
        Tensor numbers = member.parameter.value();
        // Norm weights are around 1; other matrices roughly preserve the scale of their input.
        const bool factor = member.name.find("norm") != std::string::npos &&
                            member.name.find("weight") != std::string::npos;
        const bool matrix = numbers.rank() == 2;
        const double scale = matrix ? 1 / __builtin_sqrt(static_cast<double>(numbers.dim(1))) : 0.1;
        Tensor drawn = noise(numbers.shape(), ++seed, scale);
        if (factor) drawn = drawn + 1;
        tensor::overwrite(numbers, drawn);
    }
}

}}}  // namespace heed::benchmarks
