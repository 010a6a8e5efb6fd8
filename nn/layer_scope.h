// LayerScope: a Scope that also knows which layer is running, so that recorded attention calls can
// be named after the layer in its model ("blocks.1.attention").
#pragma once

#include "../tensor/scope.h"

#include <vector>

namespace heed { inline namespace HEED_PRECISION {

class Module;

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
    static std::vector<Layer> at_work();

  private:
    Scope scope_;
    Layer layer_;
    LayerScope* outer_;
};

}}  // namespace heed
