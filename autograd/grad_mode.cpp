#include "grad_mode.h"

namespace heed { inline namespace HEED_PRECISION {
namespace {
thread_local bool enabled_here = true;
}

bool grad_enabled() { return enabled_here; }

GradMode::GradMode(bool enabled) : before_(enabled_here) { enabled_here = enabled; }

GradMode::~GradMode() { enabled_here = before_; }

}}  // namespace heed
