// RecurrentWeights: the two matrices of a recurrent unit, for its input and for its state.
#pragma once

#include "../../tensor/random.h"
#include "../module.h"

#include <string>

namespace heed { inline namespace HEED_PRECISION {

struct RecurrentWeights {
    // For `gates` blocks of `hidden` rows, one below the other. All are initialized uniformly in
    // [-1/√hidden, 1/√hidden], PyTorch's default, in the order below. Error, in the layer's name: a
    // size below 1 (std::invalid_argument).
    RecurrentWeights(const char* layer, std::int64_t gates, std::int64_t in, std::int64_t hidden,
                     bool bias, Random& random, CallSite site = CallSite::here());

    // x [..., in] -> x·W_ihᵀ + b_ih, [..., gates·hidden], for all tokens at once.
    Variable of_input(const Variable& x) const;
    // h [..., hidden] -> h·W_hhᵀ + b_hh, [..., gates·hidden].
    Variable of_state(const Variable& h) const;
    // Under PyTorch's names: "weight_ih" and so on, each with the suffix.
    void visit_as(const std::string& suffix, MemberVisitor& visit);

    std::int64_t in() const { return weight_ih.dim(1); }
    std::int64_t hidden() const { return weight_hh.dim(1); }

    Parameter weight_ih;  // [gates·hidden, in]
    Parameter weight_hh;  // [gates·hidden, hidden]
    Parameter bias_ih;    // [gates·hidden]; not set without bias
    Parameter bias_hh;    // [gates·hidden]; not set without bias
};

}}  // namespace heed
