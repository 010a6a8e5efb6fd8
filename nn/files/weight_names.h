// WeightNames: what the parameters of a model here are called in others' files, and how they lie
// there.
#pragma once

#include "../module.h"
#include "../state_dict.h"

#include <string>
#include <vector>

namespace heed { inline namespace HEED_PRECISION {

// How a weight [out, in] lies in a file.
enum class StoredForm {
    as_it_is,
    turned,  // [in, out]: GPT-2's Conv1D
    query,
    key,
    value  // side by side: [in, 3·out], and biases [3·out]
};

struct WeightName {
    const char *ours, *theirs;  // before ".weight" and ".bias"
    StoredForm form = StoredForm::as_it_is;
};

struct WeightNames {
    const char *our_layers, *their_layers;  // before a layer's number: "blocks.", "h."
    std::vector<WeightName> in_layer, outside;
    // All names in a file may begin with this; `known` tells whether they do. A head never does.
    const char *prefix, *known, *head;
    // Passed over: names that end, or begin, so.
    std::vector<const char*> buffers, heads_on_top;
};

const WeightNames& gpt2_names();
const WeightNames& llama_names();
const WeightNames& bert_names();

// Gives each parameter of the model, which was made WithoutValues, the numbers in the state; those
// that lie as they are needed are not copied. Errors (std::invalid_argument, with all of them, in
// the file's words): names that are missing or not expected, other shapes, NaN.
void take_weights(const Member& model, const StateDict& state, const WeightNames& names,
                  const std::string& file, const CallSite& site);
// The same check before a model of so many layers is made.
void check_layers(std::int64_t num_layers, const StateDict& state, const WeightNames& names,
                  const std::string& file, const CallSite& site);

// Does this name in a file belong to a head on top of the model, which is left out?
bool is_on_top(const std::string& name, const WeightNames& names);

// A name in the file, with the prefix if it has one.
std::string name_in(const StateDict& state, const WeightNames& names, const std::string& theirs);

}}  // namespace heed
