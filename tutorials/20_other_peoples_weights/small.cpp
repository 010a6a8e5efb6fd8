#include "tutorials/20_other_peoples_weights/small.h"

#include "nn/heed.h"

#include <cmath>
#include <filesystem>

#include <unistd.h>

using namespace heed;

Files::Files(const std::string& named) : is_named_(!named.empty()), folder_(named) {
    namespace fs = std::filesystem;
    if (!is_named_)
        folder_ = (fs::temp_directory_path() / ("heed_20_" + std::to_string(getpid()))).string();
    fs::create_directories(folder_);
}

Files::~Files() {
    std::error_code ignored;
    if (!is_named_) std::filesystem::remove_all(folder_, ignored);
}

namespace {

// Adds weights from N(mean, deviation²).
class Weights {
  public:
    Weights(StateDict& state, Random& random) : state_(state), random_(random) {}
    void add(const std::string& name, const Shape& shape, double deviation, double mean = 0) {
        state_.add(name, tensor::normal(shape, random_) * deviation + mean);
    }
    // Such that entries of size 1 give entries of this size.
    void linear(const std::string& name, std::int64_t in, std::int64_t out, double size = 1) {
        add(name, {out, in}, size / std::sqrt(static_cast<double>(in)));
    }
    // A linear map as Conv1D has it: [in, out].
    void conv1d(const std::string& name, std::int64_t in, std::int64_t out, double size = 1) {
        add(name + ".weight", {in, out}, size / std::sqrt(static_cast<double>(in)));
        add(name + ".bias", {out}, 0.1);
    }
    void layer_norm(const std::string& name, std::int64_t d) {
        add(name + ".weight", {d}, 0.2, 1);
        add(name + ".bias", {d}, 0.2);
    }

  private:
    StateDict& state_;
    Random& random_;
};

}  // namespace

Published small_gpt2(Random& random) {
    Published model;
    model.config = R"({"model_type": "gpt2", "vocab_size": 282, "n_positions": 32, "n_embd": 48,
 "n_layer": 2, "n_head": 12, "activation_function": "gelu_new", "layer_norm_epsilon": 1e-5})";
    const std::int64_t d = 48;
    Weights weights(model.weights, random);
    weights.add("wte.weight", {vocab_size, d}, 0.3);
    weights.add("wpe.weight", {32, d}, 0.1);
    for (const std::string layer : {"h.0.", "h.1."}) {
        weights.layer_norm(layer + "ln_1", d);
        weights.conv1d(layer + "attn.c_attn", d, 3 * d, 1.2);
        weights.conv1d(layer + "attn.c_proj", d, d);
        weights.layer_norm(layer + "ln_2", d);
        weights.conv1d(layer + "mlp.c_fc", d, 4 * d);
        weights.conv1d(layer + "mlp.c_proj", 4 * d, d);
    }
    weights.layer_norm("ln_f", d);
    return model;
}

Published small_llama(Random& random) {
    Published model;
    model.config = R"({"model_type": "llama", "vocab_size": 282, "max_position_embeddings": 32,
 "hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4, "num_key_value_heads": 2,
 "intermediate_size": 64, "hidden_act": "silu", "rms_norm_eps": 1e-5})";
    const std::int64_t d = 32, d_kv = 16, d_hidden = 64;
    Weights weights(model.weights, random);
    weights.add("model.embed_tokens.weight", {vocab_size, d}, 0.02);
    for (const std::string layer : {"model.layers.0.", "model.layers.1."}) {
        weights.add(layer + "input_layernorm.weight", {d}, 0.2, 1);
        weights.linear(layer + "self_attn.q_proj.weight", d, d, 1.2);
        weights.linear(layer + "self_attn.k_proj.weight", d, d_kv, 1.2);
        weights.linear(layer + "self_attn.v_proj.weight", d, d_kv);
        weights.linear(layer + "self_attn.o_proj.weight", d, d);
        weights.add(layer + "post_attention_layernorm.weight", {d}, 0.2, 1);
        weights.linear(layer + "mlp.gate_proj.weight", d, d_hidden);
        weights.linear(layer + "mlp.up_proj.weight", d, d_hidden);
        weights.linear(layer + "mlp.down_proj.weight", d_hidden, d);
    }
    weights.add("model.norm.weight", {d}, 0.2, 1);
    weights.linear("lm_head.weight", d, vocab_size, 2);
    return model;
}

Published small_bert(Random& random) {
    Published model;
    model.config = R"({"model_type": "bert", "vocab_size": 282, "max_position_embeddings": 32,
 "hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 128,
 "type_vocab_size": 2, "hidden_act": "gelu", "layer_norm_eps": 1e-12})";
    const std::int64_t d = 32;
    Weights weights(model.weights, random);
    const std::string embeddings = "bert.embeddings.";
    weights.add(embeddings + "word_embeddings.weight", {vocab_size, d}, 0.2);
    weights.add(embeddings + "position_embeddings.weight", {32, d}, 0.1);
    weights.add(embeddings + "token_type_embeddings.weight", {2, d}, 0.1);
    weights.layer_norm(embeddings + "LayerNorm", d);
    const auto linear = [&weights](const std::string& name, std::int64_t in, std::int64_t out,
                                   double size) {
        weights.linear(name + ".weight", in, out, size);
        weights.add(name + ".bias", {out}, 0.1);
    };
    for (const std::string layer : {"bert.encoder.layer.0.", "bert.encoder.layer.1."}) {
        linear(layer + "attention.self.query", d, d, 1.2);
        linear(layer + "attention.self.key", d, d, 1.2);
        linear(layer + "attention.self.value", d, d, 1);
        linear(layer + "attention.output.dense", d, d, 1);
        weights.layer_norm(layer + "attention.output.LayerNorm", d);
        linear(layer + "intermediate.dense", d, 4 * d, 1);
        linear(layer + "output.dense", 4 * d, d, 1);
        weights.layer_norm(layer + "output.LayerNorm", d);
    }
    return model;
}

void write_text(const std::string& path, const std::string& text) {
    write_whole(path, [&text](const WriteBytes& write) { write(text.data(), text.size()); });
}

std::string write(const Files& files, const std::string& name, const Published& model) {
    const std::string folder = files.path(name);
    std::filesystem::create_directories(folder);
    write_text(folder + "/config.json", model.config);
    write_safetensors(folder + "/model.safetensors", model.weights);
    return folder;
}
