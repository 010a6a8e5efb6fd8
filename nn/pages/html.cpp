#include "html.h"

#include "../../tensor/quote.h"

namespace heed { inline namespace HEED_PRECISION {
namespace {
// Nothing is loaded, and no form is sent anywhere; pictures may be saved from data.
const char* const policy =
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; "
    "form-action 'none'; base-uri 'none'";

std::string escaped(char c) {
    switch (c) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    default:
        return std::string(1, c);
    }
}

}  // namespace

std::string html_text(std::string_view text) {
    std::string html;
    std::size_t bytes = 0;
    for (std::size_t at = 0; at < text.size(); at += bytes) {
        const CodePoint character = code_point_at(text, at);
        bytes = character.bytes;
        if (!character.is_valid) {
            html += "\xEF\xBF\xBD";
        } else if (character.code == '\n' || character.code == '\t') {
            html += text[at];
        } else if (character.code < 0x20) {
            html += std::string("\xE2\x90") + static_cast<char>(0x80 + character.code);
        } else if (bytes == 1) {
            html += escaped(text[at]);
        } else {
            html += text.substr(at, bytes);
        }
    }
    return html;
}

std::string html_page(const HtmlPage& page) {
    std::string html = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n";
    html += "<meta http-equiv=\"Content-Security-Policy\" content=\"";
    html += policy;
    html += "\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
            "<meta name=\"color-scheme\" content=\"light dark\">\n<title>";
    html += html_text(page.title);
    html += "</title>\n<style>\n";
    html += page.style;
    html += "</style>\n</head>\n<body>\n";
    html += page.body;
    html += "<script>\n\"use strict\";\n";
    html += page.script;
    html += "</script>\n</body>\n</html>\n";
    return html;
}

}}  // namespace heed
