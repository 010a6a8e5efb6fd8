// HTML: text that cannot become markup, data for a script element, and the frame of a page.
#pragma once

#include "../../tensor/scalar.h"

#include <string>
#include <string_view>

namespace heed { inline namespace HEED_PRECISION {

// Text for an element or a quoted attribute: & < > " ' are escaped, and what cannot be seen becomes
// visible: control characters but tab and newline as symbols (␛), characters that change the
// direction of writing as their number (<U+202E>), bytes that are not UTF-8 as U+FFFD.
std::string html_text(std::string_view text);

// An element with attributes, such as "class=\"name\"", or none, and HTML in it.
std::string html_element(const std::string& name, const std::string& attributes,
                         const std::string& content);

// A JSON text for <script type="application/json">, where it cannot end the element: < is written
// \u003c, and the line ends of JavaScript \u2028 and \u2029.
std::string json_for_script(std::string_view json);

// A whole page, which fetches nothing and runs nothing but `script`: its Content-Security-Policy
// forbids the rest. `title` is text; `style`, `body` (HTML) and `script` stand in it as they are.
// Without a script there is no script element.
std::string html_page(std::string_view title, std::string_view style, std::string_view body,
                      std::string_view script);

}}  // namespace heed
