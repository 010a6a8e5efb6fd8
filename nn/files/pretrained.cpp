#include "pretrained.h"

#include "../../tensor/errors.h"
#include "../../tensor/quote.h"
#include "safetensors.h"
#include "weight_names.h"

namespace heed { inline namespace HEED_PRECISION {
namespace {
// A model to be given its weights. Sizes whose product is too large are the config's error.
template <class Model, class Config>
Model without_values(const Config& config, const std::string& file, const CallSite& site) {
    const WithoutValues nothing_is_drawn;
    Random unused(0);
    try {
        return Model(config, unused, site);
    } catch (const std::invalid_argument& error) {
        const std::string what = error.what();
        fail_runtime("model", site, in_quotes(file), ": ", what.substr(0, what.find('\n')));
    }
}

}  // namespace

Gpt load_gpt(const std::string& folder, CallSite site) {
    const ModelFolder found = model_folder(folder, site);
    const GptConfig config = gpt_config(folder, site);
    const WeightNames& names = found.model_type == "gpt2" ? gpt2_names() : llama_names();
    const StateDict state = read_safetensors(found.weights, site);
    check_layers(config.num_layers, state, names, found.weights, site);
    Gpt model = without_values<Gpt>(config, found.config, site);
    take_weights(member_tree(model, site, sizeof(Gpt)), state, names, found.weights, site);
    model.eval();
    return model;
}

TextEncoder load_text_encoder(const std::string& folder, CallSite site) {
    const ModelFolder found = model_folder(folder, site);
    TextEncoderConfig config = text_encoder_config(folder, site);
    const WeightNames& names = bert_names();
    const StateDict state = read_safetensors(found.weights, site);
    config.pooler = state.contains(name_in(state, names, "pooler.dense.weight"));
    check_layers(config.num_layers, state, names, found.weights, site);
    TextEncoder model = without_values<TextEncoder>(config, found.config, site);
    take_weights(member_tree(model, site, sizeof(TextEncoder)), state, names, found.weights, site);
    model.eval();
    return model;
}

}}  // namespace heed
