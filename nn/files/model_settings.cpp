#include "model_settings.h"

#include "../../tensor/errors.h"
#include "../../tensor/quote.h"
#include "file_bytes.h"

namespace heed { inline namespace HEED_PRECISION {
namespace {
// A setting, the number with which it changes nothing, and what it would do.
struct Part {
    const char* name;
    double neutral;
    const char* what;
};

const Part parts[] = {
    {"quantization_config", 0, "weights are not quantized here"},
    {"pruned_heads", 0, "all layers have all their heads here"},
    {"is_encoder_decoder", 0, "an encoder and a decoder together cannot be loaded"},
    {"add_cross_attention", 0, "cross-attention cannot be loaded"},
    {"num_experts", 0, "there are no experts here"},
    {"num_local_experts", 0, "there are no experts here"},
    {"n_routed_experts", 0, "there are no experts here"},
    {"q_lora_rank", 0, "queries are one projection here"},
    {"kv_lora_rank", 0, "keys and values are one projection each here"},
    {"use_qk_norm", 0, "queries and keys are not normalized here"},
    {"qk_norm", 0, "queries and keys are not normalized here"},
    {"qk_layernorm", 0, "queries and keys are not normalized here"},
    {"clip_qkv", 0, "queries, keys and values are not clipped here"},
    {"attn_logit_softcapping", 0, "scores are not capped here"},
    {"final_logit_softcapping", 0, "logits are not capped here"},
    {"logit_scale", 1, "logits are not scaled here"},
    {"logits_scaling", 1, "logits are not scaled here"},
    {"embedding_multiplier", 1, "token vectors are not scaled here"},
    {"residual_multiplier", 1, "what a block adds is not scaled here"},
    {"attention_multiplier", 0, "scores are always divided by the root of d_head here"},
    {"query_pre_attn_scalar", 0, "scores are always divided by the root of d_head here"},
    {"attention_chunk_size", 0, "every token sees all before it here"},
    {"no_rope_layers", 0, "positions are turned in all layers here"},
    {"partial_rotary_factor", 1, "all features of a head are turned here"},
    {"parallel_attn", 0, "feed-forward follows attention here"},
    {"use_parallel_residual", 0, "feed-forward follows attention here"},
    {"alibi", 0, "the scores get no bias here"},
};

bool is_neutral(const Json& value, const Part& part) {
    if (value.is_null()) return true;
    if (value.is_boolean()) return !value.boolean(part.name);
    if (value.is_number()) return value.number(part.name) == part.neutral;
    if (value.is_array()) return value.items(part.name).empty();
    return value.is_object() && value.members(part.name).empty();
}

}  // namespace

ModelSettings::ModelSettings(const std::string& path, CallSite site)
    : site_(site), json_(read_json(path, site)) {
    json_.members("the config");
}

void ModelSettings::refuse(const std::string& name, const std::string& why) const {
    fail_runtime("model", site_, in_quotes(file()), ": ", in_quotes(name), ": ", why);
}

void ModelSettings::refuse_unknown_parts() const {
    for (const Part& part : parts) {
        const Json* const value = find(part.name);
        refuse_if(value && !is_neutral(*value, part), part.name, part.what);
    }
    if (given("layer_types")) {
        for (const Json& type : find("layer_types")->items("layer_types")) {
            const std::string& its = type.string("layer_types");
            refuse_if(its != "full_attention", "layer_types",
                      text("there is a layer of type ", in_quotes(its),
                           "; all must be \"full_attention\" here"));
        }
    }
    if (!given("auto_map")) return;
    for (const auto& [name, where] : find("auto_map")->members("auto_map")) {
        refuse_if(name.starts_with("AutoModel"), "auto_map",
                  "this model is computed by Python code in its folder");
    }
}

}}  // namespace heed
