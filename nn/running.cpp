#include "running.h"

namespace heed { inline namespace HEED_PRECISION {
namespace {
thread_local LayerScope* innermost = nullptr;

}  // namespace

LayerScope::LayerScope(const Module& layer, const char* name, CallSite site)
    : layer_{&layer, name}, scope_(name, site), outer_(innermost) {
    innermost = this;
}

LayerScope::~LayerScope() { innermost = outer_; }

std::vector<LayerScope::Layer> LayerScope::running() {
    std::vector<Layer> layers;
    for (const LayerScope* scope = innermost; scope; scope = scope->outer_) {
        layers.push_back(scope->layer_);
    }
    return layers;
}

}}  // namespace heed
