#include "gradcheck.h"

#include "../../tensor/errors.h"
#include "../../tensor/factories.h"
#include "../grad.h"
#include "check.h"

#include <iomanip>
#include <limits>

namespace heed { inline namespace HEED_PRECISION {
namespace {
bool is_tolerance(double x) { return x >= 0 && x < std::numeric_limits<double>::infinity(); }

void check_options(const CheckedFunction& f, const std::vector<Tensor>& inputs,
                   const GradcheckOptions& options, const CallSite& site) {
    if (sizeof(Scalar) < sizeof(double)) {
        fail_runtime("gradcheck", site,
                     "finite differences in float are too coarse to tell a right derivative from "
                     "a wrong one; link heed::heed_double in place of heed::heed");
    }
    if (!f) {
        fail_argument("gradcheck", site,
                      "the function to check is an empty std::function; give it one that takes "
                      "the inputs and returns a Variable");
    }
    if (options.order != 1 && options.order != 2) {
        fail_argument("gradcheck", site, "order is ", options.order, "; it must be 1 or 2");
    }
    if (!(options.step > 0) || !is_tolerance(options.step)) {
        fail_argument("gradcheck", site, "step is ", options.step,
                      "; it must be positive and finite");
    }
    if (!is_tolerance(options.absolute) || !is_tolerance(options.relative)) {
        fail_argument("gradcheck", site, "the tolerances are ", options.absolute, " absolute and ",
                      options.relative, " relative; both must be 0 or more, and finite");
    }
    if (!options.names.empty() && options.names.size() != inputs.size()) {
        fail_argument("gradcheck", site, options.names.size(), " names were given for ",
                      inputs.size(), " inputs; give one for each, or none");
    }
}

std::vector<std::string> input_names(std::size_t inputs, const std::vector<std::string>& given) {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < inputs; ++i) {
        const std::string name = given.empty() ? "" : " (" + given[i] + ")";
        names.push_back("input " + std::to_string(i) + name);
    }
    return names;
}

// If nothing could be compared, nothing was found wrong either, but the check must not pass.
GradcheckResult unless_nothing_was_compared(GradcheckResult result,
                                            const std::vector<Tensor>& inputs,
                                            const Shape& output) {
    if (!result.ok()) return result;
    std::int64_t entries = 0;
    for (const Tensor& input : inputs) entries += input.numel();
    if (inputs.empty()) {
        result.problem = "nothing was compared: there are no inputs; give those whose derivatives "
                         "are to be checked";
    } else if (entries == 0) {
        result.problem =
            text("nothing was compared: the inputs have no entries; input 0 has shape ",
                 inputs.front().shape(), "; take larger ones");
    } else if (output.numel() == 0) {
        result.problem = text("nothing was compared: the function's result has shape ", output,
                              ", which has no entries; take inputs for which it has some");
    }
    return result;
}

// The derivative of f as a function of the same inputs and of the upstream gradient.
CheckedOutputs derivative_of(const CheckedFunction& f, const CallSite& site) {
    return [f, site](const std::vector<Variable>& in) {
        const std::vector<Variable> inputs(in.begin(), in.end() - 1);
        const Variable y = f(inputs);
        if (y.requires_grad()) {
            return grad(y, inputs, {.create_graph = true, .upstream = in.back()}, site);
        }
        std::vector<Variable> zeros;
        for (const Variable& x : inputs) zeros.push_back(Variable(tensor::zeros(x.shape())));
        return zeros;
    };
}

CheckedOutputs as_outputs(const CheckedFunction& f) {
    return [f](const std::vector<Variable>& in) { return std::vector<Variable>{f(in)}; };
}

}  // namespace

GradcheckResult gradcheck(const CheckedFunction& f, const std::vector<Tensor>& inputs,
                          const GradcheckOptions& options, CallSite site) {
    check_options(f, inputs, options, site);
    GradcheckResult result;
    Random random(options.seed);
    std::vector<std::string> names = input_names(inputs.size(), options.names);
    const CheckedOutputs outputs = as_outputs(f);
    Check first(outputs, inputs, names, options, 1, result);
    if (!first.check_function()) return result;
    first.draw_upstream(random);
    first.differentiate(false, site);
    first.compare();
    if (result.ok()) {
        first.differentiate(true, site);
        first.compare();
    }
    const Shape& output = first.output_shapes().front();
    if (options.order == 1 || !result.ok()) {
        return unless_nothing_was_compared(result, inputs, output);
    }

    std::vector<Tensor> with_upstream = inputs;
    with_upstream.push_back(tensor::normal(output, random));
    names.emplace_back("the upstream gradient");
    const CheckedOutputs derivative = derivative_of(f, site);
    Check second(derivative, with_upstream, names, options, 2, result);
    if (!second.check_function()) return result;
    second.draw_upstream(random);
    second.differentiate(false, site);
    second.compare();
    return unless_nothing_was_compared(result, inputs, output);
}

GradcheckResult require_gradcheck(const CheckedFunction& f, const std::vector<Tensor>& inputs,
                                  const GradcheckOptions& options, CallSite site) {
    const GradcheckResult result = gradcheck(f, inputs, options, site);
    if (result.ok()) return result;
    throw GradcheckError(
        text(result.text(), "\n  at ", site.text(), ", in ", site.function, Scope::trail()));
}

GradcheckResult check_gradients(const CheckedFunction& f, const std::vector<Tensor>& inputs,
                                const Tensor& upstream, const std::vector<Tensor>& received,
                                const GradcheckOptions& options, CallSite site) {
    check_options(f, inputs, options, site);
    GradcheckResult result;
    const std::vector<std::string> names = input_names(inputs.size(), options.names);
    const CheckedOutputs outputs = as_outputs(f);
    Check check(outputs, inputs, names, options, 1, result);
    if (!check.check_function()) return result;
    const Shape& shape = check.output_shapes().front();
    check_equal_shapes("check_gradients", "the upstream gradient", upstream.shape(), "the output",
                       shape, site);
    if (received.size() != inputs.size()) {
        fail_argument("check_gradients", site, received.size(), " gradients were given for ",
                      inputs.size(), " inputs; give one for each");
    }
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        check_equal_shapes("check_gradients", ("the gradient for " + names[i]).c_str(),
                           received[i].shape(), "the input", inputs[i].shape(), site);
    }
    check.use({upstream}, received);
    check.compare();
    return unless_nothing_was_compared(result, inputs, shape);
}

const char* name_of(GradientFault fault, CallSite site) {
    check_enum("name_of", "the gradient's fault", fault, GradientFault::some_entries, site);
    static const char* const names[] = {"unknown",
                                        "not finite",
                                        "zero",
                                        "a sign",
                                        "a constant factor",
                                        "transposed",
                                        "swapped",
                                        "ignores the upstream gradient",
                                        "a missing sum over a broadcast axis",
                                        "summed over the wrong axis",
                                        "overwritten instead of accumulated",
                                        "diagonal only",
                                        "a value in place of its derivative",
                                        "some entries are zero",
                                        "some entries"};
    return names[static_cast<std::size_t>(fault)];
}

std::string GradcheckFailure::text() const {
    const char* const which = order == 2 ? "second derivative, " : "";
    std::string lines = heed::text(which, input_name, ", entry ", index, ": received ",
                                   std::setprecision(10), received, ", expected ", expected, "; ",
                                   wrong, " of ", entries, " entries are wrong");
    lines += heed::text("\n  it looks like: ", name_of(fault), ": ", looks_like);
    if (only_formula) {
        lines += "\n  only where the derivative is recorded (create_graph): the formula is wrong, "
                 "and the fused pass that training takes is right";
    }
    lines += "\n  in the result of " + operation;
    if (!blamed.empty()) lines += "\n  starting with " + blamed;
    return lines;
}

std::string GradcheckResult::text() const {
    if (!problem.empty()) return "gradcheck: " + problem;
    const std::string counted =
        heed::text(checked, " derivatives compared, worst error ", std::setprecision(2), worst);
    if (ok()) return "gradcheck: right; " + counted;
    std::string lines = "gradcheck: wrong; " + counted;
    for (const GradcheckFailure& failure : failures) lines += "\n" + failure.text();
    return lines;
}

}}  // namespace heed
