// The little HTML that pages share: text made safe, and the frame around a page's body.
#pragma once

#include "../../tensor/scalar.h"

#include <string>
#include <string_view>

namespace heed { inline namespace HEED_PRECISION {

// Text for an element or an attribute: what HTML would read as its own is escaped, control
// characters become visible symbols, and bytes that are not UTF-8 become U+FFFD.
std::string html_text(std::string_view text);

struct HtmlPage {
    std::string title;   // text
    std::string style;   // CSS
    std::string body;    // HTML
    std::string script;  // JavaScript, run after the body is there
};

// A page that is whole in one file: it may load nothing, which its Content-Security-Policy says.
std::string html_page(const HtmlPage& page);

}}  // namespace heed
