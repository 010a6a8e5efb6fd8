#include "pretrained.h"

#include "../../tensor/errors.h"
#include "../../tensor/quote.h"
#include "../../tensor/views.h"
#include "json.h"
#include "safetensors.h"

#include <filesystem>

namespace heed { inline namespace HEED_PRECISION {
namespace {
namespace fs = std::filesystem;

Json config_of(const std::string& folder, const CallSite& site) {
    const std::string path = (fs::path(folder) / "config.json").string();
    const FileBytes bytes(path, site);
    return Json::parse(bytes.text(), path, site);
}

// The settings of config.json, each asked for by its name.
class Settings {
  public:
    Settings(const Json& json, const CallSite& site) : json_(json), site_(site) {}

    std::int64_t whole(const std::string& name) const { return json_.at(name).whole(name); }
    std::int64_t whole_or(const std::string& name, std::int64_t otherwise) const {
        return given(name) ? whole(name) : otherwise;
    }
    double number_or(const std::string& name, double otherwise) const {
        return given(name) ? json_.at(name).number(name) : otherwise;
    }
    bool is_true(const std::string& name, bool otherwise = false) const {
        return given(name) ? json_.at(name).boolean(name) : otherwise;
    }
    std::string string_or(const std::string& name, const std::string& otherwise) const {
        return given(name) ? json_.at(name).string(name) : otherwise;
    }
    bool given(const std::string& name) const {
        const Json* const value = json_.find(name);
        return value && !value->is_null();
    }

    void refuse_if(bool is_so, const std::string& name, const char* why) const {
        if (!is_so) return;
        fail_runtime("gpt_config", site_, heed::quoted(json_.file()), ": ", heed::quoted(name),
                     ": ", why);
    }

  private:
    const Json& json_;
    const CallSite& site_;
};

Activation activation_of(const Settings& settings, const std::string& name,
                         const std::string& otherwise) {
    const std::string its = settings.string_or(name, otherwise);
    if (its == "silu" || its == "swish") return Activation::silu;
    if (its == "gelu") return Activation::gelu;
    if (its == "gelu_new" || its == "gelu_pytorch_tanh") return Activation::gelu_tanh;
    if (its == "relu") return Activation::relu;
    settings.refuse_if(true, name, "this activation is none of relu, gelu, gelu_new and silu");
    return Activation::relu;
}

GptConfig gpt2_config(const Settings& settings) {
    for (const char* name : {"scale_attn_by_inverse_layer_idx", "add_cross_attention"}) {
        settings.refuse_if(settings.is_true(name), name, "this is not computed here");
    }
    settings.refuse_if(!settings.is_true("scale_attn_weights", true), "scale_attn_weights",
                       "scores are always divided by the root of d_k here");
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

GptConfig llama_config(const Settings& settings) {
    const std::int64_t d_model = settings.whole("hidden_size");
    const std::int64_t num_heads = settings.whole("num_attention_heads");
    const std::int64_t head_dim = settings.whole_or("head_dim", 0);
    settings.refuse_if(settings.given("rope_scaling"), "rope_scaling",
                       "positions are turned without scaling here");
    settings.refuse_if(settings.given("sliding_window") &&
                           settings.is_true("use_sliding_window", true),
                       "sliding_window", "every token sees all before it here");
    settings.refuse_if(num_heads < 1 || (head_dim != 0 && head_dim != d_model / num_heads),
                       "head_dim", "it must be hidden_size / num_attention_heads here");
    settings.refuse_if(settings.number_or("partial_rotary_factor", 1) != 1, "partial_rotary_factor",
                       "all features of a head are turned here");
    for (const char* name : {"attention_bias", "mlp_bias"}) {
        settings.refuse_if(settings.is_true(name), name, "projections have no biases here");
    }
    return {.vocab_size = settings.whole("vocab_size"),
            .limit = settings.whole("max_position_embeddings"),
            .d_model = d_model,
            .num_layers = settings.whole("num_hidden_layers"),
            .num_heads = num_heads,
            .num_kv_heads = settings.whole_or("num_key_value_heads", 0),
            .d_hidden = settings.whole("intermediate_size"),
            .positions = PositionKind::rotary,
            .rotary = {.base = settings.number_or("rope_theta", 10000)},
            .norm = NormKind::rms,
            .norm_eps = settings.number_or("rms_norm_eps", 1e-6),
            .activation = activation_of(settings, "hidden_act", "silu"),
            .gated = true,
            .bias = false,
            .tied_head = settings.is_true("tie_word_embeddings")};
}

struct Renamed {
    std::string theirs, ours;
};

// Within block N: h.N. or model.layers.N. there, blocks.N. here.
const Renamed llama_blocks[] = {
    {"input_layernorm.weight", "norm1.weight"},
    {"self_attn.q_proj.weight", "attention.W_Q.weight"},
    {"self_attn.k_proj.weight", "attention.W_K.weight"},
    {"self_attn.v_proj.weight", "attention.W_V.weight"},
    {"self_attn.o_proj.weight", "attention.W_O.weight"},
    {"post_attention_layernorm.weight", "norm2.weight"},
    {"mlp.gate_proj.weight", "feed_forward.W_gate.weight"},
    {"mlp.up_proj.weight", "feed_forward.W_1.weight"},
    {"mlp.down_proj.weight", "feed_forward.W_2.weight"},
};
const Renamed llama_rest[] = {{"model.embed_tokens.weight", "tokens.weight"},
                              {"model.norm.weight", "norm.weight"},
                              {"lm_head.weight", "head.weight"}};

const Renamed gpt2_blocks[] = {
    {"ln_1.weight", "norm1.weight"},
    {"ln_1.bias", "norm1.bias"},
    {"attn.c_proj.weight", "attention.W_O.weight"},
    {"attn.c_proj.bias", "attention.W_O.bias"},
    {"ln_2.weight", "norm2.weight"},
    {"ln_2.bias", "norm2.bias"},
    {"mlp.c_fc.weight", "feed_forward.W_1.weight"},
    {"mlp.c_fc.bias", "feed_forward.W_1.bias"},
    {"mlp.c_proj.weight", "feed_forward.W_2.weight"},
    {"mlp.c_proj.bias", "feed_forward.W_2.bias"},
};
const Renamed gpt2_rest[] = {{"wte.weight", "tokens.weight"},
                             {"wpe.weight", "positions.weight"},
                             {"ln_f.weight", "norm.weight"},
                             {"ln_f.bias", "norm.bias"},
                             {"lm_head.weight", "head.weight"}};

bool ends_with(const std::string& text, const std::string& end) {
    return text.size() >= end.size() &&
           text.compare(text.size() - end.size(), end.size(), end) == 0;
}

// What is renamed keeps its numbers where they are; Conv1D's weights [in, out] are turned.
void take(StateDict& state, const std::string& theirs, const std::string& ours, bool is_turned,
          const CallSite& site) {
    if (!state.contains(theirs)) return;
    const Tensor numbers = state.take(theirs, site);
    const bool turns = is_turned && numbers.rank() == 2;
    state.add_shared(ours, turns ? tensor::transpose(numbers) : numbers, site);
}

// Queries, keys and values side by side: [in, 3·d], or [3·d].
void split_c_attn(StateDict& state, const std::string& theirs, const std::string& ours,
                  const std::string& kind, const CallSite& site) {
    const std::string name = theirs + "attn.c_attn." + kind;
    if (!state.contains(name)) return;
    const Tensor all = state.take(name, site);
    const std::int64_t d = all.rank() == 0 ? 0 : all.dim(-1) / 3;
    const char* const parts[] = {"W_Q", "W_K", "W_V"};
    for (std::int64_t i = 0; i < 3 && d > 0; ++i) {
        const Tensor part = tensor::slice(all, -1, i * d, (i + 1) * d);
        state.add_shared(text(ours, "attention.", parts[i], ".", kind),
                         part.rank() == 2 ? tensor::transpose(part) : part, site);
    }
}

StateDict as_gpt2(StateDict state, std::int64_t num_layers, const CallSite& site) {
    const std::string before = state.contains("transformer.wte.weight") ? "transformer." : "";
    for (const Renamed& name : gpt2_rest) {
        const std::string begin = name.theirs == "lm_head.weight" ? "" : before;
        take(state, begin + name.theirs, name.ours, false, site);
    }
    for (std::int64_t n = 0; n < num_layers; ++n) {
        const std::string theirs = text(before, "h.", n, "."), ours = text("blocks.", n, ".");
        for (const char* kind : {"weight", "bias"}) split_c_attn(state, theirs, ours, kind, site);
        for (const Renamed& name : gpt2_blocks) {
            const bool is_turned =
                ends_with(name.theirs, "c_proj.weight") || ends_with(name.theirs, "c_fc.weight");
            take(state, theirs + name.theirs, ours + name.ours, is_turned, site);
        }
        for (const char* buffer : {"attn.bias", "attn.masked_bias"}) {
            if (state.contains(theirs + buffer)) state.take(theirs + buffer, site);
        }
    }
    return state;
}

StateDict as_llama(StateDict state, std::int64_t num_layers, const CallSite& site) {
    for (const Renamed& name : llama_rest) take(state, name.theirs, name.ours, false, site);
    for (std::int64_t n = 0; n < num_layers; ++n) {
        const std::string theirs = text("model.layers.", n, "."), ours = text("blocks.", n, ".");
        for (const Renamed& name : llama_blocks) {
            take(state, theirs + name.theirs, ours + name.ours, false, site);
        }
        const std::string buffer = theirs + "self_attn.rotary_emb.inv_freq";
        if (state.contains(buffer)) state.take(buffer, site);
    }
    return state;
}

bool is_llama(const std::string& type) { return type == "llama" || type == "mistral"; }

}  // namespace

GptConfig gpt_config(const std::string& folder, CallSite site) {
    const Json json = config_of(folder, site);
    const Settings settings(json, site);
    const std::string type = json.at("model_type").string("model_type");
    if (type == "gpt2") return complete(gpt2_config(settings), site);
    if (is_llama(type)) return complete(llama_config(settings), site);
    fail_runtime("gpt_config", site, heed::quoted(json.file()), ": the model_type is ",
                 heed::quoted(type), "; gpt2, llama and mistral can be loaded");
}

Gpt load_gpt(const std::string& folder, CallSite site) {
    const GptConfig config = gpt_config(folder, site);
    const Json json = config_of(folder, site);
    const fs::path whole = fs::path(folder) / "model.safetensors";
    const fs::path index = fs::path(folder) / "model.safetensors.index.json";
    const std::string path = (!fs::exists(whole) && fs::exists(index) ? index : whole).string();
    StateDict state = read_safetensors(path, site);
    state = is_llama(json.at("model_type").string("model_type"))
                ? as_llama(std::move(state), config.num_layers, site)
                : as_gpt2(std::move(state), config.num_layers, site);
    Random unused(0);
    Gpt model(config, unused, site);
    load_into(member_tree(model, site, sizeof(Gpt)), state, site,
              {"load_gpt", heed::quoted(path), true});
    model.eval();
    return model;
}

}}  // namespace heed
