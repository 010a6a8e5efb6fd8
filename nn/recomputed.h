// recomputed(): a layer that keeps its inputs alone, and is called again in the backward pass
// (activation checkpointing; Chen et al. 2016, "Training deep nets with sublinear memory cost").
// A stack of blocks then needs the memory of one, and the time of another forward pass.
#pragma once

#include "../autograd/variable.h"

#include <functional>
#include <vector>

namespace heed { inline namespace HEED_PRECISION {

class Module;

//     x = recomputed(block, {x}, [&block, mask](const std::vector<Variable>& in) {
//         return block(in[0], mask);
//     });
// Returns what `call` returns for the inputs, with the same bits, also in gradients: dropout draws
// the same numbers again. (Where several layers share an input, as a decoder's do the memory, the
// parts of its gradient are added in another order.) `call` must use no other variables than these
// inputs and the parameters of `layer`, which must live until the backward pass. Forward hooks and
// attention recordings see the first call alone; hooks on inputs and parameters are called once,
// with the complete gradient. Nothing is recomputed under OwnAttention, or if nothing is recorded.
// Error: an empty `call` (std::invalid_argument). Errors of the backward pass (std::runtime_error):
// the layer is gone; the second call returns different numbers, for example because the layer is in
// another mode; an input or parameter was overwritten; `call` used another variable that requires
// grad.
Variable recomputed(const Module& layer, const std::vector<Variable>& inputs,
                    const std::function<Variable(const std::vector<Variable>&)>& call,
                    CallSite site = CallSite::here());

}}  // namespace heed
