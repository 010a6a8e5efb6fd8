// How GPT-2 writes bytes: each of the 256 as a letter that can be printed, so that tokens are
// readable text. A blank is Ġ, a line end Ċ; visible Latin-1 characters stand for themselves.
#pragma once

#include "../../tensor/scalar.h"

#include <string>
#include <string_view>

namespace heed { inline namespace HEED_PRECISION {

// The letter of a byte, in UTF-8.
const std::string& byte_letter(unsigned char byte);
// Any bytes -> their letters.
std::string letters_of(std::string_view bytes);
// Letters -> their bytes. What is not such a letter stays.
std::string bytes_of(std::string_view letters);

}}  // namespace heed
