// Small models of others, whose weights and results PyTorch computed once, as folders
// (tests/nn/reference/pretrained.safetensors).
#pragma once

#include "nn/heed.h"

#include "tests/nn/files/folder.h"
#include "tests/nn/reference/reference.h"

inline heed::StateDict pretrained_entries(const std::string& prefix) {
    return entries_under(reference_tensors("pretrained"), prefix);
}

inline heed::StateDict pretrained_state(const std::string& kind) {
    return pretrained_entries(kind + ": state ");
}

// The config.json of the kind, from the metadata of the file.
inline std::string pretrained_config(const std::string& kind) {
    static const heed::Safetensors file(reference_file("pretrained"));
    return file.metadata().at(kind);
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
