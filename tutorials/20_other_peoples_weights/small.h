// Small models as published ones are laid out: names, axes and config.json are those of GPT-2,
// Llama and BERT, the numbers are random.
#pragma once

#include "nn/state_dict.h"
#include "tensor/random.h"

#include <cstdint>
#include <string>

// A folder for the lesson's files, which is removed at the end, unless the reader named it.
class Files {
  public:
    explicit Files(const std::string& named);  // "": none
    ~Files();
    Files(const Files&) = delete;
    const std::string& folder() const { return folder_; }
    std::string path(const std::string& name) const { return folder_ + "/" + name; }

  private:
    bool is_named_;
    std::string folder_;
};

// What a folder of a model holds.
struct Published {
    std::string config;  // config.json
    heed::StateDict weights;
};

const std::int64_t vocab_size = 282;  // the pieces of 20.1

Published small_gpt2(heed::Random& random);   // 2 layers, 12 heads of 4
Published small_llama(heed::Random& random);  // 2 layers, 4 heads of 8 that share 2 of keys
Published small_bert(heed::Random& random);   // 2 layers, 4 heads of 8

void write_text(const std::string& path, const std::string& text);
// Writes config.json and model.safetensors to files.path(name), and returns that.
std::string write(const Files& files, const std::string& name, const Published& model);
