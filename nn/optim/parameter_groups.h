// Parameter groups: parts of a network that an optimizer treats differently.
//
//     AdamW optimizer(decay_groups(network), {.lr = 3e-4, .weight_decay = 0.1});
//     Adam other({{.parameters = parameters(body), .lr_factor = 0.1},
//                 {.parameters = parameters(head)}}, {.lr = 1e-3});
#pragma once

#include "../module.h"

#include <optional>
#include <vector>

namespace heed { inline namespace HEED_PRECISION {

// Parameters with options of their own; all other options are the optimizer's. A group may be
// empty. Names should differ in all groups, since Optimizer::state() goes by them. (In PyTorch a
// group has an lr, and schedules keep the ratio; here it has the ratio.)
struct ParameterGroup {
    std::vector<NamedParameter> parameters = {};
    std::optional<double> weight_decay = std::nullopt;  // unset: the optimizer's
    double lr_factor = 1;  // the group's learning rate is this times the optimizer's
};

// Does weight decay apply to embedding tables too?
enum class DecayEmbeddings { no, yes };

// The usual two groups: what decays, with the optimizer's weight_decay, and what does not, with 0.
// Weights decay, biases and the gains of norms do not (Radford et al. 2018, section 4.1): the
// second group has the parameters with fewer than two axes, those named as biases ("bias",
// "in_proj_bias", "b_Q"), those of layers whose type ends in "Norm", and with DecayEmbeddings::no
// those of every Embedding, also where one is tied to another layer's weight. Tied parameters
// appear once.
// Errors (std::invalid_argument): those of parameters() (nn/module.h).
std::vector<ParameterGroup> decay_groups(const LayerRef& network,
                                         DecayEmbeddings embeddings = DecayEmbeddings::yes,
                                         CallSite site = CallSite::here());

}}  // namespace heed
