// Linear: y = x·Wᵀ + b, the same affine map at every position.
#pragma once

#include "../tensor/random.h"
#include "module.h"

namespace heed { inline namespace HEED_PRECISION {

// Linear(2, 3, random, no_bias)
enum class Bias { no, yes };
inline constexpr Bias no_bias = Bias::no;
constexpr Bias bias_if(bool wanted) { return wanted ? Bias::yes : Bias::no; }

// W is [out, in], as in PyTorch: row i produces output i. W and b are initialized uniformly in
// [-1/√in, 1/√in], PyTorch's default, drawn in the order weight, bias.
struct Linear : Module {
    // Error: a size below 1 (std::invalid_argument).
    Linear(std::int64_t in, std::int64_t out, Random& random, Bias bias = Bias::yes,
           CallSite site = CallSite::here());

    // x [..., in] -> [..., out]. Error: the last axis of x does not have length `in` (ShapeError).
    Variable operator()(const Variable& x, CallSite site = CallSite::here()) const;
    void members(MemberVisitor& visit) override {
        visit("weight", weight);
        if (bias.is_set()) visit("bias", bias);
    }
    std::string details() const override;

    Parameter weight;  // [out, in]
    Parameter bias;    // [out]; not set without bias
};

// The check of a layer that holds this one as `name`: its weight is [out, in], and the bias, if
// there is one, [out]. Errors: those of check_parameter (parameter.h).
void check_linear(const char* layer, const char* name, const Linear& part, std::int64_t in,
                  std::int64_t out, const CallSite& site);

}}  // namespace heed
