// save() and load(): a network's parameters in a file, as safetensors, which PyTorch and others
// read.
//     save("model.safetensors", model);
//     load("model.safetensors", model);
#pragma once

#include "safetensors.h"

namespace heed { inline namespace HEED_PRECISION {

// Writes all parameters under their names (state_dict()), a tied one under its first. The file is
// there whole or not at all. Errors (std::runtime_error): it cannot be written; those of
// count_parameters() (nn/module.h).
void save(const std::string& path, const ConstLayerRef& layer,
          const SafetensorsOptions& options = {}, CallSite site = CallSite::here());

// The parameters that save() writes. Error: that of check_complete().
StateDict written_state(const Member& tree, const CallSite& site);

// Overwrites the parameters with those in the file, as load_state_dict() does (nn/state_dict.h):
// all of them, or on an error none. A layer made WithoutValues (nn/parameter.h) keeps what lies in
// the file instead, without drawing or copying anything. Of a checkpoint (checkpoint.h) it takes
// the network. Errors: those of read_safetensors(); missing or unexpected names, with the name that
// was probably meant, different shapes, NaN (std::invalid_argument): of each, ten are listed and
// the others counted.
void load(const std::string& path, const LayerRef& layer, CallSite site = CallSite::here());

}}  // namespace heed
