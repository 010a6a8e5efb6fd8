#include "autograd/grad.h"

#include "autograd/engine.h"
#include "autograd/grad_mode.h"
#include "tensor/errors.h"
#include "tensor/factories.h"

namespace heed::inline HEED_PRECISION {

namespace {

std::vector<Variable> derivatives(const Variable& output, const std::vector<Variable>& inputs,
                                  const GradOptions& options, const Where& where) {
    const Variable upstream = upstream_or_one(output, options.upstream, "grad", where);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        if (!inputs[i].requires_grad()) {
            fail_runtime("grad",
                         text("input ", i, " of shape ", inputs[i].shape(),
                              " does not require grad, so nothing was recorded of it; "
                              "make it with Variable(value, requires_grad)"),
                         where);
        }
    }

    const GradMode recording(options.create_graph);
    BackwardPass pass(output, options.retain_graph || options.create_graph, where);
    for (const Variable& input : inputs) pass.want(*input.node());
    pass.run(upstream);

    std::vector<Variable> results;
    for (const Variable& input : inputs) {
        const std::optional<Variable>& gradient = pass.gradient(*input.node());
        results.push_back(gradient ? *gradient : Variable(tensor::zeros(input.shape())));
    }
    return results;
}

}  // namespace

std::vector<Variable> grad(const Variable& output, const std::vector<Variable>& inputs,
                           const GradOptions& options, Where where) {
    return derivatives(output, inputs, options, where);
}

Variable grad(const Variable& output, const Variable& input, const GradOptions& options,
              Where where) {
    const std::vector<Variable> inputs{input};
    return derivatives(output, inputs, options, where).front();
}

}  // namespace heed::inline HEED_PRECISION
