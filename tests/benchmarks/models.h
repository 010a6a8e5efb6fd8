// The models whose training and generation is measured, and their sizes.
#pragma once

#include "nn/models/gpt.h"
#include "nn/models/mean_classifier.h"
#include "nn/models/text_classifier.h"

#include <string>

namespace heed { inline namespace HEED_PRECISION { namespace benchmarks {

struct GptSizes {
    std::int64_t vocabulary, T, B, layers, heads, d_model;
};

// "S" and "M": two character models, M with 10.7 million parameters; "L": GPT-2 with 124 million;
// "lesson_14": about as large as that lesson's; "deep_8": of 8 layers, for how cost grows; "tiny":
// for tests. Error: another name (std::invalid_argument).
GptSizes gpt_sizes(const std::string& name);
GptConfig gpt_config(const GptSizes& sizes);

// A Llama by its sizes: "162M", whose head is not tied, and "tiny" for tests.
// Error: another name (std::invalid_argument).
GptConfig llama_config(const std::string& name);
// What reading one token reads of it: all weights but the token table.
double bytes_of_a_token(const GptConfig& llama);

// The sizes of note 002's classifier, note 004's, and an encoder with a decoder: "base",
// "lesson_16" and "lesson_18" about as large as those lessons', and "tiny" for tests. Every other
// text is half as long. Error: another name (std::invalid_argument).
struct LayerSizes {
    std::int64_t vocabulary, T, B, layers, heads, d_model, classes;
};

LayerSizes layer_sizes(const std::string& name);
TextEncoderConfig note_002_config(const LayerSizes& sizes);
MeanClassifierConfig note_004_config(const LayerSizes& sizes);
Mask padding_of(const LayerSizes& sizes);  // [B, 1, 1, T]

// Fills all parameters with the same numbers as the PyTorch twin.
void fill_with_noise(Module& model);

}}}  // namespace heed::benchmarks
