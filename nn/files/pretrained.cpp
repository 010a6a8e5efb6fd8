#include "pretrained.h"

#include "../../tensor/quote.h"
#include "model_settings.h"
#include "safetensors.h"
#include "weight_names.h"

#include <filesystem>

namespace heed { inline namespace HEED_PRECISION {
namespace {
namespace fs = std::filesystem;

// What make() returns. Sizes that do not fit each other, or whose product is too large, are the
// config's error.
template <class Make>
auto made_of(const std::string& config, const CallSite& site, const Make& make) {
    try {
        return make();
    } catch (const std::invalid_argument& error) {
        const std::string what = error.what();
        fail_runtime("model", site, in_quotes(config), ": ", what.substr(0, what.find('\n')));
    }
}

// A model to be given its weights.
template <class Model, class Config>
Model without_values(const Config& config, const std::string& file, const CallSite& site) {
    const WithoutValues nothing_is_drawn;
    Random unused(0);
    return made_of(file, site, [&] { return Model(config, unused, site); });
}

template <class Model, class Config>
Model loaded(const ModelFolder& found, const Config& config, const StateDict& state,
             const WeightNames& names, const CallSite& site) {
    check_layers(config.num_layers, state, names, found.weights, site);
    Model model = without_values<Model>(config, found.config, site);
    take_weights(member_tree(model, site), state, names, found.weights, site);
    model.eval();
    return model;
}

struct ModelType {
    const char* name;
    ModelKind kind;
};

constexpr ModelType model_types[] = {{"gpt2", ModelKind::gpt},
                                     {"llama", ModelKind::gpt},
                                     {"mistral", ModelKind::gpt},
                                     {"qwen2", ModelKind::gpt},
                                     {"bert", ModelKind::text_encoder}};

ModelKind kind_of(const ModelSettings& settings) {
    const std::string& its = settings.string("model_type");
    for (const ModelType& type : model_types) {
        if (its == type.name) return type.kind;
    }
    settings.refuse("model_type", text("it is ", in_quotes(its),
                                       "; gpt2, llama, mistral, qwen2 and bert can be loaded"));
}

Activation activation_of(const ModelSettings& settings, const std::string& name,
                         const std::string& otherwise) {
    const std::string its = settings.string_or(name, otherwise);
    if (its == "silu" || its == "swish") return Activation::silu;
    if (its == "gelu") return Activation::gelu;
    if (its == "gelu_new" || its == "gelu_pytorch_tanh") return Activation::gelu_tanh;
    if (its == "relu") return Activation::relu;
    settings.refuse(name, text("it is ", in_quotes(its),
                               "; relu, gelu, gelu_new, gelu_pytorch_tanh and silu can be loaded"));
}

GptConfig gpt2_config(const ModelSettings& settings) {
    settings.refuse_if(settings.is_true("scale_attn_by_inverse_layer_idx"),
                       "scale_attn_by_inverse_layer_idx", "all layers scale alike here");
    settings.refuse_if(!settings.is_true("scale_attn_weights", true), "scale_attn_weights",
                       "scores are always divided by the root of d_head here");
    return {.vocab_size = settings.whole("vocab_size"),
            .limit = settings.whole_or("n_positions", settings.whole_or("n_ctx", 1024)),
            .d_model = settings.whole("n_embd"),
            .num_layers = settings.whole("n_layer"),
            .num_heads = settings.whole("n_head"),
            .d_hidden = settings.whole_or("n_inner", 0),
            .norm_eps = settings.number_or("layer_norm_epsilon", 1e-5),
            .activation = activation_of(settings, "activation_function", "gelu_new"),
            .tied_head = settings.is_true("tie_word_embeddings", true)};
}

// rope_scaling, or rope_parameters of newer files, asks for the plain angles.
void check_rope(const ModelSettings& settings, const std::string& name) {
    if (!settings.given(name)) return;
    const Json& rope = *settings.find(name);
    for (const auto& [member, value] : rope.members(name)) {
        settings.refuse_if(value.is_object(), name, "all layers turn alike here");
        if (member == "rope_type" || member == "type") {
            const std::string& type = value.string(member);
            settings.refuse_if(type != "default", name,
                               text("its type is ", in_quotes(type),
                                    "; positions are turned without scaling here"));
        }
        settings.refuse_if(member == "partial_rotary_factor" && value.number(member) != 1, name,
                           "all features of a head are turned here");
    }
    settings.refuse_if(name == "rope_scaling" && !rope.find("rope_type") && !rope.find("type"),
                       name, "positions are turned without scaling here");
}

double rope_base(const ModelSettings& settings) {
    check_rope(settings, "rope_scaling");
    check_rope(settings, "rope_parameters");
    const double base = settings.number_or("rope_theta", 10000);
    const Json* const rope =
        settings.given("rope_parameters") ? settings.find("rope_parameters") : nullptr;
    const Json* const inner = rope ? rope->find("rope_theta") : nullptr;
    if (!inner) return base;
    settings.refuse_if(settings.given("rope_theta") && inner->number("rope_theta") != base,
                       "rope_theta", "rope_parameters has another one");
    return inner->number("rope_theta");
}

// A window as long as the longest text hides nothing.
void check_window(const ModelSettings& settings, const std::string& type, std::int64_t limit) {
    if (type == "qwen2" && !settings.is_true("use_sliding_window")) return;
    if (type == "mistral" && !settings.find("sliding_window")) {
        settings.refuse_if(limit > 4096, "sliding_window",
                           "it is missing, which means 4096; every token sees all before it here");
    }
    settings.refuse_if(settings.given("sliding_window") && settings.whole("sliding_window") < limit,
                       "sliding_window", "every token sees all before it here");
}

GptConfig llama_config(const ModelSettings& settings) {
    const std::string& type = settings.string("model_type");
    const std::int64_t limit = settings.whole("max_position_embeddings");
    const std::int64_t d_model = settings.whole("hidden_size");
    const std::int64_t num_heads = settings.whole("num_attention_heads");
    const std::int64_t d_head = settings.whole_or("head_dim", 0);
    const bool is_default = num_heads > 0 && d_model == d_head * num_heads;
    const bool has_biases = type == "llama" && settings.is_true("attention_bias");
    check_window(settings, type, limit);
    settings.refuse_if(type == "mistral" && settings.is_true("attention_bias"), "attention_bias",
                       "a mistral has no biases");
    settings.refuse_if(type != "llama" && settings.is_true("mlp_bias"), "mlp_bias",
                       text("a ", type, " has no such biases"));
    return {.vocab_size = settings.whole("vocab_size"),
            .limit = limit,
            .d_model = d_model,
            .num_layers = settings.whole("num_hidden_layers"),
            .num_heads = num_heads,
            .num_kv_heads = settings.whole_or("num_key_value_heads", 0),
            .d_head = is_default ? 0 : d_head,
            .d_hidden = settings.whole("intermediate_size"),
            .positions = PositionKind::rotary,
            .rotary = {.base = rope_base(settings)},
            .norm = NormKind::rms,
            .norm_eps = settings.number_or("rms_norm_eps", 1e-6),
            .activation = activation_of(settings, "hidden_act", "silu"),
            .gated = true,
            .bias = false,
            .qkv_bias = type == "qwen2" || has_biases,
            .output_bias = has_biases,
            .feed_forward_bias = settings.is_true("mlp_bias"),
            .tied_head = settings.is_true("tie_word_embeddings")};
}

TextEncoderConfig bert_config(const ModelSettings& settings) {
    settings.refuse_if(settings.is_true("is_decoder"), "is_decoder",
                       "every token sees all others here");
    const std::string positions = settings.string_or("position_embedding_type", "absolute");
    settings.refuse_if(positions != "absolute", "position_embedding_type",
                       text("it is ", in_quotes(positions), "; it must be \"absolute\" here"));
    const double eps = settings.number_or("layer_norm_eps", 1e-12);
    return {.vocab_size = settings.whole("vocab_size"),
            .limit = settings.whole("max_position_embeddings"),
            .d_model = settings.whole("hidden_size"),
            .num_layers = settings.whole("num_hidden_layers"),
            .num_heads = settings.whole("num_attention_heads"),
            .d_hidden = settings.whole("intermediate_size"),
            .embedding_eps = eps,
            .final_norm = false,
            .norm = NormPlace::after,
            .norm_eps = eps,
            .activation = activation_of(settings, "hidden_act", "gelu"),
            .num_token_types = settings.whole_or("type_vocab_size", 2),
            .pooler = true};
}

// The folder's file that holds the weights.
std::string weights_in(const fs::path& folder, const CallSite& site) {
    for (const char* name : {"model.safetensors", "model.safetensors.index.json"}) {
        std::error_code problem;
        if (fs::exists(folder / name, problem)) return (folder / name).string();
    }
    std::error_code problem;
    const bool is_pickled = fs::exists(folder / "pytorch_model.bin", problem) ||
                            fs::exists(folder / "pytorch_model.bin.index.json", problem);
    fail_runtime("model", site, in_quotes(folder.string()),
                 ": there is no model.safetensors and no model.safetensors.index.json",
                 is_pickled ? "; pytorch_model.bin is a program as much as a file of numbers, and "
                              "is not read: save it as safetensors"
                            : "");
}

ModelSettings settings_of(const std::string& folder, ModelKind kind, const CallSite& site) {
    const ModelFolder found = model_folder(folder, site);
    const ModelSettings settings(found.config, site);
    settings.refuse_if(found.kind != kind, "model_type",
                       text("it is ", in_quotes(found.model_type), ", which load_",
                            kind == ModelKind::gpt ? "text_encoder" : "gpt", "() loads"));
    settings.refuse_unknown_parts();
    return settings;
}

}  // namespace

ModelFolder model_folder(const std::string& path, CallSite site) {
    check_path("model", path, site);
    std::error_code problem;
    if (!fs::is_directory(path, problem)) {
        const char* const what = fs::exists(path, problem) ? ": this is not a folder, but a file"
                                                           : ": there is no such folder";
        fail_runtime("model", site, in_quotes(path), what,
                     "; a model is a folder with config.json and model.safetensors");
    }
    const std::string config = (fs::path(path) / "config.json").string();
    const ModelSettings settings(config, site);
    const ModelKind kind = kind_of(settings);
    return {path, settings.string("model_type"), kind, config, weights_in(path, site)};
}

GptConfig gpt_config(const std::string& folder, CallSite site) {
    const ModelSettings settings = settings_of(folder, ModelKind::gpt, site);
    const bool is_gpt2 = settings.string("model_type") == "gpt2";
    return made_of(settings.file(), site, [&] {
        return complete(is_gpt2 ? gpt2_config(settings) : llama_config(settings), site);
    });
}

TextEncoderConfig text_encoder_config(const std::string& folder, CallSite site) {
    const ModelSettings settings = settings_of(folder, ModelKind::text_encoder, site);
    return made_of(settings.file(), site, [&] { return complete(bert_config(settings), site); });
}

Gpt load_gpt(const std::string& folder, CallSite site) {
    const ModelFolder found = model_folder(folder, site);
    const GptConfig config = gpt_config(folder, site);
    const WeightNames& names = found.model_type == "gpt2" ? gpt2_names() : llama_names();
    return loaded<Gpt>(found, config, read_safetensors(found.weights, site), names, site);
}

TextEncoder load_text_encoder(const std::string& folder, CallSite site) {
    const ModelFolder found = model_folder(folder, site);
    TextEncoderConfig config = text_encoder_config(folder, site);
    const StateDict state = read_safetensors(found.weights, site);
    config.pooler = state.contains(name_in(state, bert_names(), "pooler.dense.weight"));
    return loaded<TextEncoder>(found, config, state, bert_names(), site);
}

}}  // namespace heed
