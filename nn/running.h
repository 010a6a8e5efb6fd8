// Running: the line that begins a layer's call, and the one that ends it. Between them errors and
// graphs name the layer and its caller, and a recorded attention call is named after the layer in
// its model ("blocks.1.attention"); at the end each ForwardHook gets the inputs and the output.
//
//     Variable Linear::operator()(const Variable& x, CallSite site) const {
//         const Running layer(*this, "Linear", {&x}, site);
//         ...
//         return layer.gives(y);
//     }
#pragma once

#include "../tensor/scope.h"
#include "forward_hook.h"

#include <vector>

namespace heed { inline namespace HEED_PRECISION {

// A Scope that knows the layer: for methods of a layer other than its call, and for attention(),
// whose call AttentionLayer begins and ends.
class LayerScope {
  public:
    // `name` must outlive the scope; usually it is a literal.
    LayerScope(const Module& layer, const char* name, CallSite site);
    ~LayerScope();
    LayerScope(const LayerScope&) = delete;
    LayerScope& operator=(const LayerScope&) = delete;

    struct Layer {
        const Module* layer;
        const char* type;  // the scope's name
    };
    // The layers currently running in this thread, innermost first.
    static std::vector<Layer> running();

  protected:
    const Layer layer_;

  private:
    Scope scope_;
    LayerScope* outer_;
};

class Running : private LayerScope {
  public:
    // `inputs` must outlive the call; if there are no variables, as in Embedding, pass {}.
    Running(const Module& layer, const char* name, const LayerInputs& inputs, CallSite site)
        : LayerScope(layer, name, site), inputs_(inputs) {}

    Variable gives(const Variable& output) const {
        ForwardHook::called(*layer_.layer, inputs_, output);
        return output;
    }
    // For a layer that returns more than the output, which is what hooks see.
    template <class Result>
    Result gives(const Result& result, const Variable& output) const {
        ForwardHook::called(*layer_.layer, inputs_, output);
        return result;
    }

  private:
    LayerInputs inputs_;
};

}}  // namespace heed
