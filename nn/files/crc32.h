// crc32(): the check by which a zip file knows its bytes again, as do gzip and PNG.
#pragma once

#include "../../tensor/scalar.h"

#include <cstdint>
#include <string_view>

namespace heed { inline namespace HEED_PRECISION {

std::uint32_t crc32(std::string_view bytes);

}}  // namespace heed
