// Recording: computes an operation on variables and adds it to the graph.
#pragma once

#include "grad_mode.h"
#include "operation.h"
#include "operation_inputs.h"

#include <memory>
#include <utility>

namespace heed { inline namespace HEED_PRECISION {

// Is recording on, and does any input require grad?
bool needs_recording(const OperationInputs& inputs);

// The result of an operation that is not recorded: a constant.
Variable constant(Tensor&& value, const Operation& operation, const OperationInputs& inputs,
                  const CallSite& site);

// The result of an operation that is recorded: a variable whose node owns the operation.
Variable attach(Tensor&& value, std::unique_ptr<Operation> operation, const OperationInputs& inputs,
                const CallSite& site);

// Constructs an Op from `arguments`, computes its output from the inputs, and records the Op if
// its derivative may be needed.
//     return record<Matmul>({&A, &B}, site, A, B);
template <class Op, class... Arguments>
Variable record(const OperationInputs& inputs, const CallSite& site,
                const Arguments&... arguments) {
    if (!needs_recording(inputs)) {
        const Op operation(arguments...);
        return constant(operation.forward(inputs, site), operation, inputs, site);
    }
    std::unique_ptr<Operation> operation(new Op(arguments...));  // a debugger steps into the Op
    Tensor value = operation->forward(inputs, site);
    return attach(std::move(value), std::move(operation), inputs, site);
}

}}  // namespace heed
