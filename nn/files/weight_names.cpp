#include "weight_names.h"

namespace heed { inline namespace HEED_PRECISION {

const WeightNames& gpt2_names() {
    static const WeightNames names{
        .our_layers = "blocks.",
        .their_layers = "h.",
        .in_layer = {{"norm1.weight", "ln_1.weight"},
                     {"norm1.bias", "ln_1.bias"},
                     {"attention.W_Q.weight", "attn.c_attn.weight", StoredForm::query},
                     {"attention.W_K.weight", "attn.c_attn.weight", StoredForm::key},
                     {"attention.W_V.weight", "attn.c_attn.weight", StoredForm::value},
                     {"attention.W_Q.bias", "attn.c_attn.bias", StoredForm::query},
                     {"attention.W_K.bias", "attn.c_attn.bias", StoredForm::key},
                     {"attention.W_V.bias", "attn.c_attn.bias", StoredForm::value},
                     {"attention.W_O.weight", "attn.c_proj.weight", StoredForm::turned},
                     {"attention.W_O.bias", "attn.c_proj.bias"},
                     {"norm2.weight", "ln_2.weight"},
                     {"norm2.bias", "ln_2.bias"},
                     {"feed_forward.W_1.weight", "mlp.c_fc.weight", StoredForm::turned},
                     {"feed_forward.W_1.bias", "mlp.c_fc.bias"},
                     {"feed_forward.W_2.weight", "mlp.c_proj.weight", StoredForm::turned},
                     {"feed_forward.W_2.bias", "mlp.c_proj.bias"}},
        .outside = {{"tokens.weight", "wte.weight"},
                    {"positions.weight", "wpe.weight"},
                    {"norm.weight", "ln_f.weight"},
                    {"norm.bias", "ln_f.bias"},
                    {"head.weight", "lm_head.weight"}},
        .prefix = "transformer.",
        .known = "wte.weight",
        .head = "lm_head.weight",
        .buffers = {".attn.bias", ".attn.masked_bias"},
        .heads_on_top = {}};
    return names;
}

const WeightNames& llama_names() {
    static const WeightNames names{
        .our_layers = "blocks.",
        .their_layers = "layers.",
        .in_layer = {{"norm1.weight", "input_layernorm.weight"},
                     {"attention.W_Q.weight", "self_attn.q_proj.weight"},
                     {"attention.W_Q.bias", "self_attn.q_proj.bias"},
                     {"attention.W_K.weight", "self_attn.k_proj.weight"},
                     {"attention.W_K.bias", "self_attn.k_proj.bias"},
                     {"attention.W_V.weight", "self_attn.v_proj.weight"},
                     {"attention.W_V.bias", "self_attn.v_proj.bias"},
                     {"attention.W_O.weight", "self_attn.o_proj.weight"},
                     {"attention.W_O.bias", "self_attn.o_proj.bias"},
                     {"norm2.weight", "post_attention_layernorm.weight"},
                     {"feed_forward.W_gate.weight", "mlp.gate_proj.weight"},
                     {"feed_forward.W_gate.bias", "mlp.gate_proj.bias"},
                     {"feed_forward.W_1.weight", "mlp.up_proj.weight"},
                     {"feed_forward.W_1.bias", "mlp.up_proj.bias"},
                     {"feed_forward.W_2.weight", "mlp.down_proj.weight"},
                     {"feed_forward.W_2.bias", "mlp.down_proj.bias"}},
        .outside = {{"tokens.weight", "embed_tokens.weight"},
                    {"norm.weight", "norm.weight"},
                    {"head.weight", "lm_head.weight"}},
        .prefix = "model.",
        .known = "embed_tokens.weight",
        .head = "lm_head.weight",
        .buffers = {".rotary_emb.inv_freq"},
        .heads_on_top = {}};
    return names;
}

const WeightNames& bert_names() {
    static const WeightNames names{
        .our_layers = "layers.layers.",
        .their_layers = "encoder.layer.",
        .in_layer = {{"self_attn.W_Q.weight", "attention.self.query.weight"},
                     {"self_attn.W_Q.bias", "attention.self.query.bias"},
                     {"self_attn.W_K.weight", "attention.self.key.weight"},
                     {"self_attn.W_K.bias", "attention.self.key.bias"},
                     {"self_attn.W_V.weight", "attention.self.value.weight"},
                     {"self_attn.W_V.bias", "attention.self.value.bias"},
                     {"self_attn.W_O.weight", "attention.output.dense.weight"},
                     {"self_attn.W_O.bias", "attention.output.dense.bias"},
                     {"norm1.weight", "attention.output.LayerNorm.weight"},
                     {"norm1.bias", "attention.output.LayerNorm.bias"},
                     {"feed_forward.W_1.weight", "intermediate.dense.weight"},
                     {"feed_forward.W_1.bias", "intermediate.dense.bias"},
                     {"feed_forward.W_2.weight", "output.dense.weight"},
                     {"feed_forward.W_2.bias", "output.dense.bias"},
                     {"norm2.weight", "output.LayerNorm.weight"},
                     {"norm2.bias", "output.LayerNorm.bias"}},
        .outside = {{"embeddings.token_embeddings.weight", "embeddings.word_embeddings.weight"},
                    {"embeddings.position_embeddings.weight",
                     "embeddings.position_embeddings.weight"},
                    {"token_types.weight", "embeddings.token_type_embeddings.weight"},
                    {"layer_norm.weight", "embeddings.LayerNorm.weight"},
                    {"layer_norm.bias", "embeddings.LayerNorm.bias"},
                    {"pooler.weight", "pooler.dense.weight"},
                    {"pooler.bias", "pooler.dense.bias"}},
        .prefix = "bert.",
        .known = "embeddings.word_embeddings.weight",
        .head = "",
        .buffers = {"embeddings.position_ids"},
        .heads_on_top = {"cls."}};
    return names;
}

}}  // namespace heed
