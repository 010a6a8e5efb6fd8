#include "html.h"

#include "../../tensor/errors.h"
#include "../../tensor/quote.h"
#include "display.h"

#include <iomanip>

namespace heed { inline namespace HEED_PRECISION {
namespace {
// These order right-to-left text against the rest of the page.
bool changes_direction(std::uint32_t code) {
    return code == 0x061C || code == 0x200E || code == 0x200F ||
           (code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
}

std::string html_of(std::uint32_t code, std::string_view bytes) {
    if (code == '&') return "&amp;";
    if (code == '<') return "&lt;";
    if (code == '>') return "&gt;";
    if (code == '"') return "&quot;";
    if (code == '\'') return "&#39;";
    if (code == '\t' || code == '\n') return std::string(bytes);
    if (code < 0x20 || code == 0x7F) return terminal::control_symbol(code);
    if (changes_direction(code) || (code >= 0x80 && code < 0xA0)) {
        return text("&lt;U+", std::hex, std::uppercase, std::setfill('0'), std::setw(4), code,
                    "&gt;");
    }
    return std::string(bytes);
}

}  // namespace

std::string html_text(std::string_view text) {
    std::string html;
    for (std::size_t at = 0; at < text.size();) {
        const CodePoint character = code_point_at(text, at);
        const std::string_view bytes = text.substr(at, character.bytes);
        html += character.is_valid ? html_of(character.code, bytes) : "\uFFFD";
        at += character.bytes;
    }
    return html;
}

std::string html_element(const std::string& name, const std::string& attributes,
                         const std::string& content) {
    std::string html = "<" + name;
    if (!attributes.empty()) html += " " + attributes;
    return html + ">" + content + "</" + name + ">";
}

std::string json_for_script(std::string_view json) {
    std::string safe;
    safe.reserve(json.size());
    for (std::size_t at = 0; at < json.size(); ++at) {
        const std::string_view three = json.substr(at, 3);
        if (json[at] == '<') {
            safe += "\\u003c";
        } else if (three == "\u2028" || three == "\u2029") {
            safe += three == "\u2028" ? "\\u2028" : "\\u2029";
            at += 2;
        } else {
            safe += json[at];
        }
    }
    return safe;
}

std::string html_page(std::string_view title, std::string_view style, std::string_view body,
                      std::string_view script) {
    std::string page = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                       "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                       "style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:\">\n"
                       "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                       "<meta name=\"color-scheme\" content=\"light dark\">\n<title>";
    page.append(html_text(title)).append("</title>\n<style>\n").append(style);
    page.append("</style>\n</head>\n<body>\n").append(body);
    if (!script.empty()) page.append("<script>\n").append(script).append("</script>\n");
    return page + "</body>\n</html>\n";
}

}}  // namespace heed
