// PyTorch's frozen numbers, and our calls that must reproduce them.
#pragma once

#include "nn/nn.h"

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace heed { inline namespace HEED_PRECISION { namespace reference {

// A tensor by its name in attention.safetensors. Error: no such name (std::out_of_range).
Tensor frozen(const std::string& name);
// The number of outputs, weights and gradients in the file.
int results_in_file();

// The results of a call, under their names in the file.
using Parts = std::vector<std::pair<std::string, Tensor>>;

struct Worst {
    double error = 0;
    std::string site = "nowhere";

    void see(const Tensor& ours, const std::string& name);
};

struct Distances {
    Worst forward, gradient;
    int compared = 0;

    void see(const std::string& name, const Parts& parts);
};

// The distance of the nearest part.
double nearest(const std::string& name, const Parts& parts);

using Masked = std::optional<Mask>;
using Function =
    std::function<Attention(const Variable&, const Variable&, const Variable&, Masked)>;

struct Product {
    std::string name;
    Masked mask = {};
};

const std::vector<Product>& products();
// Forward and backward, with Q, K, V and the upstream gradient of the file.
Parts parts_of(const Product& product, const Masked& mask, const Function& function);

struct Call {
    std::string name, state;
    std::int64_t d_model, num_heads;
    MultiHeadOptions options = {};
    Masked mask = {};
};

const std::vector<Call>& calls();
// Adds PyTorch's state, under PyTorch's names after `prefix`.
void add_state(StateDict& state, const Call& call, const std::string& prefix);
MultiHeadAttention loaded(const Call& call);
// For any layer: the outputs, and the gradients of the sources.
Parts source_parts(const AttentionLayer& layer, const Call& call, const Masked& mask);
// Also the gradients of the parameters.
Parts parts_of(const MultiHeadAttention& layer, const Call& call, const Masked& mask);

}}}  // namespace heed::reference
