// What lessons print with, by the names they use: words, tables and colours of a terminal.
#pragma once

#include "nn/pages/color.h"
#include "nn/pages/display.h"
#include "nn/pages/table.h"

namespace tutorial {
using namespace heed::terminal;
}  // namespace tutorial
