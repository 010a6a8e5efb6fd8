#include "tutorials/support/page_tables.h"

#include "nn/pages/attention_data.h"
#include "nn/pages/html.h"
#include "tensor/print.h"
#include "tutorials/support/text_file.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace tutorial {
namespace {
using heed::html_element;
using heed::html_text;
using Words = std::vector<std::string>;

bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
           (static_cast<unsigned char>(c) & 0x80) != 0;
}

Words words_of(const std::string& text) {
    Words words;
    std::string word;
    for (const char c : text + " ") {
        if (is_letter(c)) {
            word += c;
        } else if (!word.empty()) {
            words.push_back(word);
            word.clear();
        }
    }
    return words;
}

double number_in(const std::string& entry) {
    double number = 0;
    const bool ends_in_point = !entry.empty() && entry.back() == '.';
    return parse_number(ends_in_point ? entry + "0" : entry, number) ? number : std::nan("");
}

// How strongly an entry is coloured, in per cent of the largest.
std::string shade(const std::string& entry, double largest) {
    const double number = number_in(entry);
    if (!std::isfinite(number) || number == 0 || largest == 0) return "";
    const int percent = static_cast<int>(100 * std::fabs(number) / largest + 0.5);
    return std::string(number < 0 ? " class=\"n\"" : "") +
           " style=\"--p:" + std::to_string(std::min(percent, 100)) + "\"";
}

double largest_in(const std::vector<std::vector<std::string>>& rows, double least) {
    double largest = least;
    for (const Words& row : rows) {
        for (const std::string& entry : row) {
            const double number = std::fabs(number_in(entry));
            if (std::isfinite(number)) largest = std::max(largest, number);
        }
    }
    return largest;
}

// Numbers of the columns, from 0.
std::string numbered_columns(std::size_t count) {
    std::string row = "<td></td>";
    for (std::size_t j = 0; j < count; ++j) {
        row += html_element("th", "scope=\"col\"", std::to_string(j));
    }
    return html_element("thead", "class=\"extra\"", html_element("tr", "", row));
}

std::string numbered_row(std::size_t i, const Words& row, double largest) {
    std::string cells = html_element("th", "scope=\"row\" class=\"extra\"", std::to_string(i));
    for (const std::string& entry : row) cells += cell_as_html(entry, largest);
    return html_element("tr", "", cells);
}

}  // namespace

std::string role_of(const std::string& name) {
    static const std::map<std::string, std::string> roles = {{"X", "X"},
                                                             {"Q", "Q"},
                                                             {"queries", "Q"},
                                                             {"query", "Q"},
                                                             {"K", "K"},
                                                             {"keys", "K"},
                                                             {"key", "K"},
                                                             {"V", "V"},
                                                             {"values", "V"},
                                                             {"value", "V"},
                                                             {"scores", "scores"},
                                                             {"S", "scores"},
                                                             {"score", "scores"},
                                                             {"allowed", "scores"},
                                                             {"weights", "weights"},
                                                             {"A", "weights"},
                                                             {"output", "output"},
                                                             {"outputs", "output"},
                                                             {"Y", "output"},
                                                             {"y", "output"}};
    if (name.find("∂") != std::string::npos) return "";
    const std::size_t end = std::min(name.find(" = "), name.find(','));
    const std::string named = name.substr(0, end);
    if (named.find_first_of("()/+-") != std::string::npos) return "";  // it is computed with
    for (const std::string& word : words_of(named)) {
        const auto found = roles.find(word);
        if (found != roles.end()) return found->second;
    }
    return "";
}

std::string without_colors(const std::string& text) {
    std::string plain;
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (text.compare(at, 2, "\x1b[") == 0) {
            at = std::min(text.find('m', at), text.size());
        } else {
            plain += text[at];
        }
    }
    return plain;
}

std::string scrolling(const std::string& label, const std::string& content) {
    return html_element("div",
                        "class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"" +
                            html_text(label) + "\"",
                        content);
}

std::string cell_as_html(const std::string& entry, double largest) {
    if (entry == "·") return "<td class=\"blocked\">·</td>";
    if (entry == "x") return "<td class=\"allowed\">x</td>";
    return "<td" + shade(entry, largest) + ">" + html_text(entry) + "</td>";
}

std::string name_as_html(const std::string& name, const std::string& role) {
    return html_element("span",
                        role.empty() ? "class=\"name\"" : "class=\"name role-" + role + "\"",
                        html_text(name));
}

std::string matrices_as_html(const PrintedPart& part, double least) {
    std::size_t columns = 0;
    double largest = least;
    for (const PrintedPart::Matrix& matrix : part.matrices) {
        largest = std::max(largest, largest_in(matrix.rows, least));
        for (const Words& row : matrix.rows) columns = std::max(columns, row.size());
    }
    std::string content = numbered_columns(columns);
    for (const PrintedPart::Matrix& matrix : part.matrices) {
        std::string body;
        if (!matrix.place.empty()) {
            const bool is_mask = part.kind == PrintedPart::Kind::mask;
            body += html_element("tr", is_mask ? "" : "class=\"extra\"",
                                 html_element("th",
                                              "class=\"place\" scope=\"rowgroup\" colspan=\"" +
                                                  std::to_string(columns + 1) + "\"",
                                              html_text(matrix.place)));
        }
        for (std::size_t i = 0; i < matrix.rows.size(); ++i) {
            body += numbered_row(i, matrix.rows[i], largest);
        }
        content += html_element("tbody", "", body);
    }
    return html_element("table", "", content);
}

std::string rows_as_html(const PrintedPart& part) {
    std::size_t columns = 0;
    std::string names;
    for (const PrintedPart::Row& row : part.rows) {
        columns = std::max(columns, row.entries.size());
        names += (names.empty() ? "" : ", ") + row.name;
    }
    std::string body;
    for (const PrintedPart::Row& row : part.rows) {
        const std::string role = role_of(row.name);
        const std::string name = role.empty() ? html_text(row.name) : name_as_html(row.name, role);
        const double largest = largest_in({row.entries}, 0);
        std::string cells = html_element("th", "scope=\"row\"", name);
        for (const std::string& entry : row.entries) cells += cell_as_html(entry, largest);
        if (row.entries.size() < columns) {
            cells += "<td class=\"none\" colspan=\"" +
                     std::to_string(columns - row.entries.size()) + "\"></td>";
        }
        body += html_element("tr", "", cells + html_element("td", "class=\"shape\"", row.shape));
    }
    const std::string content =
        html_element("figcaption", "class=\"unseen extra\"", html_text(names)) +
        scrolling(names, html_element("table", "", html_element("tbody", "", body)));
    return html_element("figure", "data-printed class=\"tensor rows\"", content) + "\n";
}

}  // namespace tutorial
