// Models of others: a folder as Hugging Face lays it out, with config.json and model.safetensors
// (or model.safetensors.index.json and its shards).
//     const ModelFolder folder = model_folder("stories260K");  // what is it?
//     Gpt model = load_gpt("stories260K");
//     TextEncoder encoder = load_text_encoder("bert-base-uncased");
#pragma once

#include "../models/gpt.h"
#include "../models/text_classifier.h"

#include <string>
#include <vector>

namespace heed { inline namespace HEED_PRECISION {

enum class ModelKind {
    gpt,          // model_type gpt2, llama, mistral, qwen2: load_gpt()
    text_encoder  // bert: load_text_encoder()
};

struct ModelFolder {
    std::string path;
    std::string model_type;  // as config.json has it
    ModelKind kind;
    std::string config, weights;  // the files; weights may be an index, which names others
};

// What a folder holds, for a program with --model DIR. Errors of this and all below
// (std::runtime_error, with the file): no such folder, no config.json, no model_type or another
// one, no weights, a file that may not be read.
ModelFolder model_folder(const std::string& path, CallSite site = CallSite::here());

// The configuration in config.json. The table settings_table.inc lists each setting, its default
// and how heed uses it. Also errors: a setting that heed does not compute, such as a sliding window
// or quantization; a setting of another kind; settings that contradict each other; a model of the
// other kind. Probabilities of dropout are left out: set them to train such a model further.
GptConfig gpt_config(const std::string& folder, CallSite site = CallSite::here());
TextEncoderConfig text_encoder_config(const std::string& folder, CallSite site = CallSite::here());

// The model with its weights, in evaluation mode. Nothing is drawn, and what lies in the file as it
// is needed (F32 in float, F64 in double) is not copied: the parameters lie in the mapped file, to
// which nothing is written when they change, but which must not change itself. Also errors: those
// of read_safetensors(); weights that are missing, not expected, of another shape or NaN, all of
// which are listed (std::invalid_argument).
Gpt load_gpt(const std::string& folder, CallSite site = CallSite::here());
// BERT without a head on top, with a pooler if the file has one.
TextEncoder load_text_encoder(const std::string& folder, CallSite site = CallSite::here());
// The names of the weights that load_text_encoder() leaves out, since they belong to a head that
// pre-training or fine-tuning put on top: cls.*, classifier.* and qa_outputs.*.
std::vector<std::string> names_left_out(const std::string& folder,
                                        CallSite site = CallSite::here());

}}  // namespace heed
