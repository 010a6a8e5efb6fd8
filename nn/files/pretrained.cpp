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
    for (const ModelType& type : model_types) {
        if (settings.type() == type.name) return type.kind;
    }
    settings.refuse("model_type", text("it is ", in_quotes(settings.type()),
                                       "; gpt2, llama, mistral, qwen2 and bert can be loaded"));
}

Activation activation_of(const ModelSettings& settings, const std::string& name) {
    const std::string function = settings.string(name);
    if (function == "silu" || function == "swish") return Activation::silu;
    if (function == "gelu") return Activation::gelu;
    if (function == "gelu_new" || function == "gelu_pytorch_tanh") return Activation::gelu_tanh;
    if (function == "relu") return Activation::relu;
    settings.refuse(name, text("it is ", in_quotes(function),
                               "; relu, gelu, gelu_new, gelu_pytorch_tanh and silu can be loaded"));
}

GptConfig gpt2_config(const ModelSettings& settings) {
    return {.vocab_size = settings.size("vocab_size"),
            .limit = settings.size("n_positions", "max_position_embeddings"),
            .d_model = settings.size("n_embd", "hidden_size"),
            .num_layers = settings.size("n_layer", "num_hidden_layers"),
            .num_heads = settings.size("n_head", "num_attention_heads"),
            .d_hidden = settings.size_or_null("n_inner"),
            .norm_eps = settings.number("layer_norm_epsilon"),
            .activation = activation_of(settings, "activation_function"),
            .tied_head = settings.is_true("tie_word_embeddings")};
}

// Of rope_scaling, or of rope_parameters, which newer files have instead.
RotaryScaling scaling_of(const ModelSettings& settings, const std::string& name) {
    const Json rope = settings.at(name);
    if (rope.is_null()) return {};
    for (const auto& [member, value] : rope.members(name)) {
        settings.refuse_if(value.is_object(), name, "all layers rotate by the same angles here");
    }
    settings.refuse_if(rope.number_or("partial_rotary_factor", 1) != 1, name,
                       "all features of a head are rotated here");
    const std::string older = rope.string_or("type", name == "rope_scaling" ? "" : "default");
    const std::string type = rope.string_or("rope_type", older);
    settings.refuse_if(
        rope.given("type") && type != older, name,
        text("its rope_type is ", in_quotes(type), ", but its type is ", in_quotes(older)));
    if (type == "default") return {};
    const auto number = [&](const char* member) { return rope.at(member).number(member); };
    if (type == "linear") return {.factor = number("factor")};
    settings.refuse_if(
        type != "llama3", name,
        text("its type is ", in_quotes(type), "; default, linear and llama3 can be loaded"));
    const char* const limit = "original_max_position_embeddings";
    return {.factor = number("factor"),
            .original_limit = rope.at(limit).whole(limit),
            .few_turns = number("low_freq_factor"),
            .many_turns = number("high_freq_factor")};
}

RotaryOptions rotary_of(const ModelSettings& settings) {
    const Json newer = settings.at("rope_parameters");
    settings.refuse_if(!newer.is_null() && !settings.is_null("rope_scaling"), "rope_scaling",
                       "the config also has rope_parameters");
    const double base = newer.number_or("rope_theta", settings.number("rope_theta"));
    settings.refuse_if(settings.contains("rope_theta") && settings.number("rope_theta") != base,
                       "rope_theta", "rope_parameters has a different one");
    return {.base = base,
            .scaling = scaling_of(settings, newer.is_null() ? "rope_scaling" : "rope_parameters")};
}

// Refuses a window that hides a token; one as long as the longest text hides none.
void check_window(const ModelSettings& settings, std::int64_t num_layers, std::int64_t limit) {
    const Json types = settings.at("layer_types");
    if (!types.is_null()) {
        const std::vector<Json>& list = types.items("layer_types");
        for (const Json& layer : list) {
            const std::string& type = layer.string("layer_types");
            settings.refuse_if(type != "full_attention", "layer_types",
                               text("there is a layer of type ", in_quotes(type),
                                    "; all must be \"full_attention\" here"));
        }
        settings.refuse_if(
            std::ssize(list) != num_layers, "layer_types",
            text("it has ", list.size(), " layers, but num_hidden_layers is ", num_layers));
    }
    if (settings.type() == "qwen2" &&
        (!settings.is_true("use_sliding_window") || !types.is_null() ||
         settings.at("max_window_layers").whole("max_window_layers") >= num_layers)) {
        return;
    }
    if (settings.is_null("sliding_window")) return;
    const std::int64_t window = settings.size("sliding_window");
    const bool is_there = settings.contains("sliding_window");
    settings.refuse_if(window < limit, "sliding_window",
                       text(is_there ? "" : text("it is missing, which means ", window, "; "),
                            "every token sees all before it here"));
}

GptConfig llama_config(const ModelSettings& settings) {
    const std::int64_t limit = settings.size("max_position_embeddings");
    const std::int64_t d_model = settings.size("hidden_size");
    const std::int64_t num_layers = settings.size("num_hidden_layers");
    const std::int64_t num_heads = settings.size("num_attention_heads");
    const std::int64_t d_head = settings.size_or_null("head_dim");
    const bool is_default = d_model % num_heads == 0 && d_model / num_heads == d_head;
    const bool has_biases = settings.type() == "llama" && settings.is_true("attention_bias");
    check_window(settings, num_layers, limit);
    return {.vocab_size = settings.size("vocab_size"),
            .limit = limit,
            .d_model = d_model,
            .num_layers = num_layers,
            .num_heads = num_heads,
            .num_kv_heads = settings.size_or_null("num_key_value_heads"),
            .d_head = is_default ? 0 : d_head,
            .d_hidden = settings.size("intermediate_size"),
            .positions = PositionKind::rotary,
            .rotary = rotary_of(settings),
            .norm = NormKind::rms,
            .norm_eps = settings.number("rms_norm_eps"),
            .activation = activation_of(settings, "hidden_act"),
            .gated = true,
            .bias = false,
            .qkv_bias = settings.type() == "qwen2" || has_biases,
            .output_bias = has_biases,
            .feed_forward_bias = settings.type() == "llama" && settings.is_true("mlp_bias"),
            .tied_head = settings.is_true("tie_word_embeddings")};
}

TextEncoderConfig bert_config(const ModelSettings& settings) {
    const double eps = settings.number("layer_norm_eps");
    return {.vocab_size = settings.size("vocab_size"),
            .limit = settings.size("max_position_embeddings"),
            .d_model = settings.size("hidden_size"),
            .num_layers = settings.size("num_hidden_layers"),
            .num_heads = settings.size("num_attention_heads"),
            .d_hidden = settings.size("intermediate_size"),
            .embedding_eps = eps,
            .final_norm = false,
            .norm = NormPlace::after,
            .norm_eps = eps,
            .activation = activation_of(settings, "hidden_act"),
            .num_token_types = settings.size("type_vocab_size"),
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
    settings.refuse_unsupported();
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
    return {path, settings.type(), kind, config, weights_in(path, site)};
}

GptConfig gpt_config(const std::string& folder, CallSite site) {
    const ModelSettings settings = settings_of(folder, ModelKind::gpt, site);
    const bool is_gpt2 = settings.type() == "gpt2";
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

std::vector<std::string> names_left_out(const std::string& folder, CallSite site) {
    settings_of(folder, ModelKind::text_encoder, site);
    std::vector<std::string> names;
    for (const StateDict::Entry& entry :
         read_safetensors(model_folder(folder, site).weights, site)) {
        if (is_on_top(entry.name, bert_names())) names.push_back(entry.name);
    }
    return names;
}

}}  // namespace heed
