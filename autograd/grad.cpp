#include "grad.h"

#include "../tensor/errors.h"
#include "../tensor/factories.h"
#include "engine.h"

namespace heed { inline namespace HEED_PRECISION {
namespace {
// `inputs` is a copy, since a hook may change the caller's list.
std::vector<Variable> derivatives(const Variable& output, const std::vector<Variable> inputs,
                                  const GradOptions& options, const CallSite& site) {
    const Variable upstream = upstream_or_one(output, options.upstream, "grad", site);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        if (inputs[i].requires_grad()) continue;
        const char* const why =
            inputs[i].node()
                ? " is frozen; call set_requires_grad(true) on it before the computation"
                : " does not require grad, so nothing was recorded for it; make it with "
                  "Variable(value, requires_grad)";
        fail_runtime("grad", site, "input ", i, " of shape ", inputs[i].shape(), why);
    }

    BackwardPass pass(output,
                      {.retain_graph = options.retain_graph,
                       .create_graph = options.create_graph,
                       .nested = options.nested},
                      site);
    std::vector<const Node*> nodes;
    for (const Variable& input : inputs) nodes.push_back(input.node().get());
    const std::vector<std::int64_t> positions = pass.want(nodes);
    pass.run(upstream);

    std::vector<Variable> results;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        const bool reached = positions[i] >= 0 && pass.gradient(positions[i]);
        results.push_back(reached ? *pass.gradient(positions[i])
                                  : Variable(tensor::zeros(inputs[i].shape())));
    }
    return results;
}

}  // namespace

std::vector<Variable> grad(const Variable& output, const std::vector<Variable>& inputs,
                           const GradOptions& options, CallSite site) {
    return derivatives(output, inputs, options, site);
}

Variable grad(const Variable& output, const Variable& input, const GradOptions& options,
              CallSite site) {
    const std::vector<Variable> inputs{input};
    return derivatives(output, inputs, options, site).front();
}

}}  // namespace heed
