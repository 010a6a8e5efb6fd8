#include "tutorials/support/page_parts.h"

#include "nn/pages/attention_data.h"
#include "nn/pages/attention_view.h"
#include "nn/pages/html.h"
#include "tensor/ops.h"
#include "tensor/print.h"
#include "tutorials/support/formula.h"
#include "tutorials/support/page_question.h"
#include "tutorials/support/text_file.h"

#include <algorithm>
#include <cmath>
#include <sstream>

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

// Without colours of the terminal: ESC [ … m.
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

std::string cell(const std::string& entry, double largest) {
    if (entry == "·") return "<td class=\"blocked\">·</td>";
    if (entry == "x") return "<td class=\"allowed\">x</td>";
    return "<td" + shade(entry, largest) + ">" + html_text(entry) + "</td>";
}

// A wide table scrolls in itself; the keyboard can scroll it, too.
std::string scrolling(const std::string& label, const std::string& content) {
    return html_element("div",
                        "class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"" +
                            html_text(label) + "\"",
                        content);
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
    for (const std::string& entry : row) cells += cell(entry, largest);
    return html_element("tr", "", cells);
}

// Of a part of a row, such as the second half of a text on the first, there is nothing to explore.
bool are_whole_rows(const heed::Tensor& weights) {
    for (const double sum : heed::tensor::sum(weights, -1).to_vector()) {
        if (std::fabs(sum - 1) > 1e-3 && sum != 0) return false;
    }
    return true;
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

void PageParts::begin_section(const std::string& number) {
    section_ = number;
    shown_here_.clear();
}

std::string PageParts::new_id(const std::string& kind) {
    return kind + "-" + std::to_string(++ids_[kind]);
}

std::string PageParts::end_claims() {
    if (!in_claims_) return "";
    in_claims_ = false;
    return "</ul>\n";
}

std::string PageParts::part(const PageEvent& event) {
    if (event.kind == PageEvent::Kind::claim) return claim(event);
    const std::string before = end_claims();
    switch (event.kind) {
    case PageEvent::Kind::prose:
        return before + html_element("p", "data-printed", prose_as_html(event.text, event.site)) +
               "\n";
    case PageEvent::Kind::notes:
        return before +
               html_element("aside", "class=\"notes\" data-printed",
                            "<p><b>In the notes:</b> " + prose_as_html(event.text, event.site) +
                                "</p>") +
               "\n";
    case PageEvent::Kind::formula:
        return before + formulas(event);
    case PageEvent::Kind::printed:
        return before + printed(event.text);
    case PageEvent::Kind::question:
        return before + question_as_html(event, new_id("question"));
    case PageEvent::Kind::stop:
        return before + stop(event);
    case PageEvent::Kind::heat_map:
        return before + heat_map(event);
    case PageEvent::Kind::picture:
        return before +
               html_element("figure", "class=\"picture\"", scrolling("picture", event.text)) + "\n";
    case PageEvent::Kind::attention:
        has_views_ = true;
        return before + "<p>" + prose_as_html(event.text, event.site) + "</p>\n" +
               heed::attention_view(
                   event.records,
                   {.id = new_id("attention"), .title = "Who looks at whom", .heading = 3});
    default:
        return before;
    }
}

std::string PageParts::claim(const PageEvent& event) {
    const std::string begin = in_claims_ ? "" : "<ul class=\"claims\">\n";
    in_claims_ = true;
    const std::string tick = event.holds
                                 ? "<span class=\"tick extra\" aria-hidden=\"true\">✓</span>"
                                   "<span class=\"unseen\">checked: </span>"
                                 : "<span class=\"tick extra\" aria-hidden=\"true\">✗</span>"
                                   "<b>FALSE:</b> ";
    return begin +
           html_element(
               "li", event.holds ? "class=\"held\" data-printed" : "class=\"false\" data-printed",
               tick + html_element("span", "", prose_as_html(event.text, event.site))) +
           "\n";
}

std::string PageParts::formulas(const PageEvent& event) {
    std::string html;
    std::istringstream in(event.text);
    for (std::string line; std::getline(in, line);) {
        html += formula_as_mathml(line, true, event.site) + "\n";
    }
    return html_element("div", "class=\"formulas\" data-printed", html) + "\n";
}

std::string PageParts::printed(const std::string& text) {
    std::string html;
    for (const PrintedPart& part : parts_of_printed(without_colors(text))) {
        if (part.kind == PrintedPart::Kind::text) {
            html += html_element("pre", "data-printed tabindex=\"0\"", html_text(part.text)) + "\n";
        } else if (part.kind == PrintedPart::Kind::rows) {
            html += rows(part);
        } else {
            html += table(part, true);
        }
    }
    return html;
}

// Its name in the colour of its role, its shape, and where it was seen before.
std::string PageParts::caption(const std::string& name, const std::string& shape,
                               const std::string& id) {
    const std::string role = role_of(name);
    std::string text;
    if (!name.empty()) {
        const std::string attributes =
            role.empty() ? "class=\"name\"" : "class=\"name role-" + role + "\"";
        text += html_element("span", attributes, html_text(name)) + " ";
    }
    text += html_element("span", "class=\"shape\"", html_text(shape));
    const std::string key = role.empty() ? name : role;
    if (!key.empty()) {
        const Shown& before = last_[key];
        if (!before.id.empty()) {
            const std::string where = before.section == section_ ? "above" : "in " + before.section;
            text += " " + html_element("a", "class=\"earlier extra\" href=\"#" + before.id + "\"",
                                       html_text(before.name) + " " + where);
        }
        last_[key] = {name, role, id, section_};
        shown_here_.push_back(last_[key]);
    }
    return html_element("caption", "", text);
}

std::string PageParts::table(const PrintedPart& part, bool was_printed) {
    const std::string id = new_id("tensor");
    const double least = role_of(part.name) == "weights" ? 1 : 0;  // weights: 0 to 1
    const bool is_mask = part.kind == PrintedPart::Kind::mask;
    std::size_t columns = 0;
    double largest = least;
    for (const PrintedPart::Matrix& matrix : part.matrices) {
        largest = std::max(largest, largest_in(matrix.rows, least));
        for (const Words& row : matrix.rows) columns = std::max(columns, row.size());
    }
    std::string content = caption(part.name, part.shape, id) + numbered_columns(columns);
    for (const PrintedPart::Matrix& matrix : part.matrices) {
        std::string body;
        if (!matrix.place.empty()) {
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
    const std::string label = (part.name.empty() ? "tensor" : part.name) + " " + part.shape;
    return html_element("figure",
                        std::string(was_printed ? "data-printed " : "") + "class=\"tensor" +
                            (is_mask ? " mask" : "") + "\" id=\"" + id + "\"",
                        scrolling(label, html_element("table", "", content))) +
           "\n";
}

std::string PageParts::rows(const PrintedPart& part) {
    std::size_t columns = 0;
    std::string names;
    for (const PrintedPart::Row& row : part.rows) {
        columns = std::max(columns, row.entries.size());
        names += (names.empty() ? "" : ", ") + row.name;
    }
    std::string body;
    for (const PrintedPart::Row& row : part.rows) {
        const std::string role = role_of(row.name);
        const std::string name =
            role.empty()
                ? html_text(row.name)
                : html_element("span", "class=\"name role-" + role + "\"", html_text(row.name));
        const double largest = largest_in({row.entries}, 0);
        std::string cells = html_element("th", "scope=\"row\"", name);
        for (const std::string& entry : row.entries) cells += cell(entry, largest);
        if (row.entries.size() < columns) {
            cells += "<td class=\"none\" colspan=\"" +
                     std::to_string(columns - row.entries.size()) + "\"></td>";
        }
        body += html_element("tr", "", cells + html_element("td", "class=\"shape\"", row.shape));
    }
    const std::string head = "<caption class=\"unseen extra\">" + html_text(names) + "</caption>";
    return html_element("figure", "data-printed class=\"tensor rows\"",
                        scrolling(names, html_element("table", "",
                                                      head + html_element("tbody", "", body)))) +
           "\n";
}

std::string PageParts::stop(const PageEvent& event) {
    std::string tables, names;
    for (const std::string& local : event.locals) {
        for (const PrintedPart& part : parts_of_printed(local)) {
            tables += part.kind == PrintedPart::Kind::text
                          ? html_element("pre", "tabindex=\"0\"", html_text(part.text)) + "\n"
                          : table(part, false);
        }
        const std::string name = local.substr(0, local.find(" ="));
        const std::string role = role_of(name);
        names +=
            " " + html_element("span",
                               role.empty() ? "class=\"name\"" : "class=\"name role-" + role + "\"",
                               html_text(name));
    }
    const std::string attributes = "class=\"stop\" id=\"" + new_id("stop") + "\"";
    const std::string title = "Stop <code>" + html_text(event.text) + "</code>" + names;
    if (tables.empty()) return html_element("p", attributes, title) + "\n";
    return html_element("details", attributes, html_element("summary", "", title) + tables) + "\n";
}

// The record to explore, folded. Another head of one that is there already leads to it.
std::string PageParts::explore(const heed::AttentionRecord& record) {
    if (!are_whole_rows(record.weights)) return "";
    for (const auto& [weights, id] : explored_) {
        if (weights.data() == record.weights.data() && weights.shape() == record.weights.shape()) {
            return html_element(
                "p", "class=\"tasks\"",
                html_element("a", "href=\"#" + id + "\"", "Explore all of it above"));
        }
    }
    const std::string id = new_id("attention");
    explored_.emplace_back(record.weights, id);
    has_views_ = true;
    heed::AttentionViewOptions options;
    options.id = id;
    options.title = record.name.empty() ? "Attention weights" : record.full_name();
    return html_element(
        "details", "class=\"explore\"",
        "<summary>Explore: lines between words, each number, all heads</summary>\n" +
            heed::attention_view({record}, options));
}

std::string PageParts::heat_map(const PageEvent& event) {
    const std::int64_t selected = heed::head_at("page", event.record, event.index, event.site);
    const Words queries = heed::shown_tokens(event.record, -2, selected);
    const Words keys = heed::shown_tokens(event.record, -1, selected);
    const heed::Tensor weights = heed::head_of(event.record, event.record.weights, selected);
    const std::vector<bool> allowed = heed::allowed_in(event.record, selected);
    std::string head = "<th scope=\"col\">query \\ key</th>";
    for (const std::string& key : keys) head += html_element("th", "scope=\"col\"", html_text(key));
    std::string body;
    for (std::size_t i = 0; i < queries.size(); ++i) {
        std::string cells = html_element("th", "scope=\"row\"", html_text(queries[i]));
        for (std::size_t j = 0; j < keys.size(); ++j) {
            const std::size_t place = i * keys.size() + j;
            cells += !allowed.empty() && !allowed[place]
                         ? "<td class=\"blocked\"><span class=\"unseen\">masked</span>"
                           "<span aria-hidden=\"true\">·</span></td>"
                         : cell(heed::fixed(weights.data()[place], 2), 1);
        }
        body += html_element("tr", "", cells);
    }
    const std::string id = new_id("tensor");
    const std::string name = event.record.name.empty() ? "weights" : event.record.name;
    const std::string title = html_element("span", "class=\"name role-weights\"", html_text(name)) +
                              " <span class=\"shape\">" + html_text(weights.shape().text()) +
                              "</span> rows: queries, columns: keys";
    shown_here_.push_back({"weights", "weights", id, section_});
    const std::string table = html_element("caption", "", title) +
                              html_element("thead", "", html_element("tr", "", head)) +
                              html_element("tbody", "", body);
    return html_element("figure", "class=\"tensor heat\" id=\"" + id + "\"",
                        scrolling(name, html_element("table", "", table)) +
                            html_element("details", "class=\"terminal\"",
                                         "<summary>as in the terminal</summary>" +
                                             html_element("pre", "data-printed tabindex=\"0\"",
                                                          html_text(without_colors(event.text)))) +
                            explore(event.record)) +
           "\n";
}

}  // namespace tutorial
