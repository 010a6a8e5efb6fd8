#include "errors.h"

#include <locale>
#include <sstream>

namespace heed { inline namespace HEED_PRECISION {

TextBuilder::TextBuilder() : stream_(std::make_unique<std::ostringstream>()) {
    stream_->imbue(std::locale::classic());
}

TextBuilder::~TextBuilder() = default;
std::ostream& TextBuilder::out() { return *stream_; }
std::string TextBuilder::text() const { return stream_->str(); }

}}  // namespace heed
