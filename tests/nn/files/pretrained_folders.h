// Small models of others, whose weights and results PyTorch computed once, as folders.
#pragma once

#include "nn/heed.h"

#include "tests/nn/files/folder.h"
#include "tests/nn/reference/frozen_numbers.h"

#include <map>

inline const std::vector<Frozen>& pretrained_numbers() {
    static const std::vector<Frozen> numbers = {
#include "tests/nn/reference/pretrained_reference.inc"
    };
    return numbers;
}

inline heed::Tensor pretrained_number(const std::string& kind, const std::string& name) {
    return frozen_in(pretrained_numbers(), kind + ": " + name);
}

inline heed::StateDict pretrained_state(const std::string& kind) {
    return state_in(pretrained_numbers(), kind + ": state ");
}

// As in make_pretrained_reference.py.
inline std::string pretrained_config(const std::string& kind) {
    static const std::map<std::string, std::string> configs = {
        {"gpt2", R"({"model_type": "gpt2", "vocab_size": 7, "n_positions": 6, "n_embd": 6,
  "n_layer": 2, "n_head": 2, "n_inner": 5, "layer_norm_epsilon": 1e-5,
  "activation_function": "gelu_new"})"},
        {"llama", R"({"model_type": "llama", "vocab_size": 7, "max_position_embeddings": 6,
  "hidden_size": 8, "intermediate_size": 5, "num_hidden_layers": 2, "num_attention_heads": 4,
  "num_key_value_heads": 2, "rms_norm_eps": 1e-5, "rope_theta": 500.0, "hidden_act": "silu",
  "tie_word_embeddings": true})"},
        {"mistral", R"({"model_type": "mistral", "vocab_size": 7, "max_position_embeddings": 6,
  "hidden_size": 6, "intermediate_size": 5, "num_hidden_layers": 1, "head_dim": 4,
  "num_attention_heads": 2, "num_key_value_heads": 1, "rms_norm_eps": 1e-5,
  "rope_theta": 10000.0, "hidden_act": "silu"})"},
        {"qwen2", R"({"model_type": "qwen2", "vocab_size": 7, "max_position_embeddings": 6,
  "hidden_size": 4, "intermediate_size": 5, "num_hidden_layers": 1, "num_attention_heads": 2,
  "num_key_value_heads": 1, "rms_norm_eps": 1e-6, "rope_theta": 10000.0, "hidden_act": "silu",
  "tie_word_embeddings": true})"},
        {"bert", R"({"model_type": "bert", "vocab_size": 7, "max_position_embeddings": 6,
  "hidden_size": 6, "num_hidden_layers": 2, "num_attention_heads": 3, "intermediate_size": 5,
  "layer_norm_eps": 1e-12, "hidden_act": "gelu", "type_vocab_size": 2})"},
    };
    return configs.at(kind);
}

// A folder with the kind's config, in which one setting may be other, and its weights, which may be
// changed.
class ModelFolderFor {
  public:
    ModelFolderFor(const std::string& kind, const heed::StateDict& state)
        : config_(pretrained_config(kind)) {
        write(folder.file("config.json"), config_);
        heed::write_safetensors(folder.file("model.safetensors"), state);
    }
    explicit ModelFolderFor(const std::string& kind)
        : ModelFolderFor(kind, pretrained_state(kind)) {}

    // Adds a setting, or puts it in the place of the one of its name.
    void set(const std::string& name, const std::string& value) {
        const std::string quoted = "\"" + name + "\": ";
        const std::size_t at = config_.find(quoted);
        if (at == std::string::npos) {
            config_.insert(1, quoted + value + ", ");
        } else {
            const std::size_t begin = at + quoted.size();
            config_.replace(begin, config_.find_first_of(",}", begin) - begin, value);
        }
        write(folder.file("config.json"), config_);
    }
    std::string path() const { return folder.path(); }
    std::string config() const { return folder.file("config.json"); }
    std::string weights() const { return folder.file("model.safetensors"); }

    Folder folder;

  private:
    std::string config_;
};

inline heed::IndexTensor as_ids(const heed::Tensor& numbers) {
    std::vector<std::int64_t> ids;
    for (const heed::Scalar x : numbers.to_vector()) ids.push_back(static_cast<std::int64_t>(x));
    return heed::IndexTensor(ids, numbers.shape());
}
