// LayerScope: a Scope that also says which layer is at work, so that what is recorded of an
// attention call can bear the name the layer has in its model ("blocks.1.attention").
#pragma once

#include "heed/tensor/scope.h"

#include <vector>

namespace heed {
inline namespace HEED_PRECISION {

class Module;

class LayerScope {
  public:
    // `name` must live as long as the scope does (a literal, as a rule).
    LayerScope(const Module& layer, const char* name, CallSite site);
    ~LayerScope();
    LayerScope(const LayerScope&) = delete;
    LayerScope& operator=(const LayerScope&) = delete;

    struct Layer {
        const Module* layer;
        const char* type;  // the scope's name
    };
    // The layers at work in this thread, innermost first.
    static std::vector<Layer> at_work();

  private:
    Scope scope_;
    Layer layer_;
    LayerScope* outer_;
};

}  // namespace HEED_PRECISION
}  // namespace heed
