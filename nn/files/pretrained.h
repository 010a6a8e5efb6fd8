// Models of others: a folder as Hugging Face lays it out, with config.json and model.safetensors
// (or model.safetensors.index.json and its shards), as a Gpt.
//     Gpt model = load_gpt("stories260K");
#pragma once

#include "../models/gpt.h"
#include "../state_dict.h"

#include <string>

namespace heed { inline namespace HEED_PRECISION {

// What config.json asks for: model_type gpt2, or llama and what has its form (mistral). Errors
// (std::runtime_error, with the file): another model_type; a setting that heed does not compute,
// such as rope_scaling or a sliding window, which is named; one that is missing or of another kind.
GptConfig gpt_config(const std::string& folder, CallSite site = CallSite::here());

// The model with its weights, in evaluation mode. Errors: as above; those of read_safetensors();
// weights that do not fit, all of which are listed (std::invalid_argument).
Gpt load_gpt(const std::string& folder, CallSite site = CallSite::here());

}}  // namespace heed
