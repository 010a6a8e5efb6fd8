// Plain attention to more keys than one row of scores has place for.
#pragma once

#include "attention.h"

namespace heed { inline namespace HEED_PRECISION { namespace kernels::plain {

void attention_in_tiles(const AttentionTask& task);
void attention_gradients_in_tiles(const AttentionGradientTask& task);

}}}  // namespace heed::kernels::plain
