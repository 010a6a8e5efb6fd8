#include "tutorials/support/page_parts.h"

#include "nn/pages/attention_view.h"
#include "nn/pages/display.h"
#include "nn/pages/html.h"
#include "tensor/ops.h"
#include "tensor/print.h"
#include "tutorials/support/formula.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <sstream>

namespace tutorial {
namespace {
using heed::html_text;
using Words = std::vector<std::string>;

std::string element(const std::string& name, const std::string& attributes,
                    const std::string& content) {
    return "<" + name + (attributes.empty() ? "" : " " + attributes) + ">" + content + "</" + name +
           ">";
}

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
    double number = std::nan("");
    std::from_chars(entry.data(), entry.data() + entry.size(), number);
    return number;
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
    return element("div",
                   "class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"" +
                       html_text(label) + "\"",
                   content);
}

// Numbers of the columns, from 0.
std::string numbered_columns(std::size_t count) {
    std::string row = "<td></td>";
    for (std::size_t j = 0; j < count; ++j) {
        row += element("th", "scope=\"col\"", std::to_string(j));
    }
    return element("thead", "class=\"extra\"", element("tr", "", row));
}

std::string numbered_row(std::size_t i, const Words& row, double largest) {
    std::string cells = element("th", "scope=\"row\" class=\"extra\"", std::to_string(i));
    for (const std::string& entry : row) cells += cell(entry, largest);
    return element("tr", "", cells);
}

std::string json_text(const std::string& text) {
    std::string json = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') json += '\\';
        json += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
    return json + "\"";
}

std::string json_number(double number) {
    if (!std::isfinite(number)) return json_text(heed::fixed(number));
    char digits[64];
    const std::to_chars_result end = std::to_chars(digits, digits + sizeof digits, number);
    return std::string(digits, end.ptr);
}

template <class Items, class Text>
std::string json_list(const Items& items, Text text) {
    std::string list;
    for (const auto& item : items) list += (list.empty() ? "" : ",") + text(item);
    return "[" + list + "]";
}

std::string json_of(const PageQuestion& question) {
    std::string json = "{\"kind\":" + json_text(question.kind) +
                       ",\"refusal\":" + json_text(question.refusal) +
                       ",\"truth\":" + json_text(question.truth);
    if (question.kind == "number") {
        json += ",\"value\":" + json_number(question.value) +
                ",\"tolerance\":" + json_number(question.tolerance);
    } else if (question.kind == "shape") {
        json += ",\"lengths\":" + json_list(question.lengths, [](std::int64_t length) {
                    return std::to_string(length);
                });
    } else {
        json += ",\"choices\":" + json_list(question.choices, json_text) +
                ",\"right\":" + json_list(question.right, [](bool right) {
                    return std::string(right ? "true" : "false");
                });
    }
    return json + "}";
}

// The words of a heat map's rows or columns: positions, if the record has none.
Words labels(const std::vector<Words>& lists, const PageEvent& event, int axis) {
    if (lists.size() == 1) return lists[0];
    if (!lists.empty()) return lists[static_cast<std::size_t>(event.index[0])];
    Words positions;
    for (std::int64_t t = 0; t < event.record.weights.dim(axis); ++t) {
        positions.push_back(std::to_string(t));
    }
    return positions;
}

// The mask broadcasts along axes of length 1.
bool is_blocked(const PageEvent& event, std::int64_t i, std::int64_t j) {
    if (!event.record.mask) return false;
    std::vector<std::int64_t> place(event.index.begin(), event.index.end());
    place.push_back(i);
    place.push_back(j);
    const heed::Shape& shape = event.record.mask->shape();
    place.erase(place.begin(), place.end() - shape.rank());
    for (int axis = 0; axis < shape.rank(); ++axis) {
        if (shape[axis] == 1) place[static_cast<std::size_t>(axis)] = 0;
    }
    return !event.record.mask->allows(place);
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
        return before + element("p", "data-printed", prose_as_html(event.text, event.site)) + "\n";
    case PageEvent::Kind::notes:
        return before +
               element("aside", "class=\"notes\" data-printed",
                       "<p><b>In the notes:</b> " + prose_as_html(event.text, event.site) +
                           "</p>") +
               "\n";
    case PageEvent::Kind::formula:
        return before + formulas(event);
    case PageEvent::Kind::printed:
        return before + printed(event.text);
    case PageEvent::Kind::question:
        return before + question(event);
    case PageEvent::Kind::stop:
        return before + stop(event);
    case PageEvent::Kind::heat_map:
        return before + heat_map(event);
    case PageEvent::Kind::picture:
        return before + element("figure", "class=\"picture\"", scrolling("picture", event.text)) +
               "\n";
    case PageEvent::Kind::attention:
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
           element("li",
                   event.holds ? "class=\"held\" data-printed" : "class=\"false\" data-printed",
                   tick + element("span", "", prose_as_html(event.text, event.site))) +
           "\n";
}

std::string PageParts::formulas(const PageEvent& event) {
    std::string html;
    std::istringstream in(event.text);
    for (std::string line; std::getline(in, line);) {
        html += formula_as_mathml(line, true, event.site) + "\n";
    }
    return element("div", "class=\"formulas\" data-printed", html) + "\n";
}

std::string PageParts::printed(const std::string& text) {
    std::string html;
    for (const PrintedPart& part : parts_of_printed(without_colors(text))) {
        if (part.kind == PrintedPart::Kind::text) {
            html += element("pre", "data-printed tabindex=\"0\"", html_text(part.text)) + "\n";
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
        text += element("span", attributes, html_text(name)) + " ";
    }
    text += element("span", "class=\"shape\"", html_text(shape));
    const std::string key = role.empty() ? name : role;
    if (!key.empty()) {
        const Shown& before = last_[key];
        if (!before.id.empty()) {
            const std::string where = before.section == section_ ? "above" : "in " + before.section;
            text += " " + element("a", "class=\"earlier extra\" href=\"#" + before.id + "\"",
                                  html_text(before.name) + " " + where);
        }
        last_[key] = {name, role, id, section_};
        shown_here_.push_back(last_[key]);
    }
    return element("caption", "", text);
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
            body += element("tr", is_mask ? "" : "class=\"extra\"",
                            element("th",
                                    "class=\"place\" scope=\"rowgroup\" colspan=\"" +
                                        std::to_string(columns + 1) + "\"",
                                    html_text(matrix.place)));
        }
        for (std::size_t i = 0; i < matrix.rows.size(); ++i) {
            body += numbered_row(i, matrix.rows[i], largest);
        }
        content += element("tbody", "", body);
    }
    const std::string label = (part.name.empty() ? "tensor" : part.name) + " " + part.shape;
    return element("figure",
                   std::string(was_printed ? "data-printed " : "") + "class=\"tensor" +
                       (is_mask ? " mask" : "") + "\" id=\"" + id + "\"",
                   scrolling(label, element("table", "", content))) +
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
            role.empty() ? html_text(row.name)
                         : element("span", "class=\"name role-" + role + "\"", html_text(row.name));
        const double largest = largest_in({row.entries}, 0);
        std::string cells = element("th", "scope=\"row\"", name);
        for (const std::string& entry : row.entries) cells += cell(entry, largest);
        if (row.entries.size() < columns) {
            cells += "<td class=\"none\" colspan=\"" +
                     std::to_string(columns - row.entries.size()) + "\"></td>";
        }
        body += element("tr", "", cells + element("td", "class=\"shape\"", row.shape));
    }
    const std::string head = "<caption class=\"unseen extra\">" + html_text(names) + "</caption>";
    return element("figure", "data-printed class=\"tensor rows\"",
                   scrolling(names, element("table", "", head + element("tbody", "", body)))) +
           "\n";
}

std::string PageParts::question(const PageEvent& event) {
    const PageQuestion& question = event.question;
    const std::string id = new_id("question");
    std::string fields;
    if (question.kind == "choice") {
        for (const std::string& choice : question.choices) {
            fields += element("label", "",
                              "<input type=\"radio\" name=\"" + id + "\" value=\"" +
                                  html_text(choice) + "\"> " + html_text(choice));
        }
        fields = element("fieldset", "",
                         element("legend", "", prose_as_html(event.text, event.site)) +
                             element("div", "class=\"choices\"", fields));
    } else {
        fields = element("label", "for=\"" + id + "\"", prose_as_html(event.text, event.site)) +
                 "<input id=\"" + id + "\" name=\"answer\" autocomplete=\"off\" size=\"12\" " +
                 "aria-describedby=\"" + id + "-takes\">" +
                 element("small", "id=\"" + id + "-takes\"", html_text(question.takes));
    }
    const std::string buttons = "<button type=\"submit\">Answer</button> "
                                "<button type=\"button\" class=\"tell\">Tell me</button>";
    return element("form", "class=\"question\"",
                   "<p class=\"asks\">Before you read on</p>" + fields +
                       element("div", "class=\"buttons\"", buttons) +
                       "<p class=\"verdict\" role=\"status\"></p>" +
                       element("div", "class=\"why\" hidden", prose_as_html(question.why)) +
                       element("script", "type=\"application/json\"",
                               heed::json_for_script(json_of(question)))) +
           "\n";
}

std::string PageParts::stop(const PageEvent& event) {
    std::string tables, names;
    for (const std::string& local : event.locals) {
        for (const PrintedPart& part : parts_of_printed(local)) {
            tables += part.kind == PrintedPart::Kind::text
                          ? element("pre", "tabindex=\"0\"", html_text(part.text)) + "\n"
                          : table(part, false);
        }
        const std::string name = local.substr(0, local.find(" ="));
        const std::string role = role_of(name);
        names += " " + element("span",
                               role.empty() ? "class=\"name\"" : "class=\"name role-" + role + "\"",
                               html_text(name));
    }
    const std::string attributes = "class=\"stop\" id=\"" + new_id("stop") + "\"";
    const std::string title = "Stop <code>" + html_text(event.text) + "</code>" + names;
    if (tables.empty()) return element("p", attributes, title) + "\n";
    return element("details", attributes, element("summary", "", title) + tables) + "\n";
}

// The record to explore, folded. Another head of one that is there already leads to it.
std::string PageParts::explore(const heed::AttentionRecord& record) {
    if (!are_whole_rows(record.weights)) return "";
    for (const auto& [weights, id] : explored_) {
        if (weights.data() == record.weights.data() && weights.shape() == record.weights.shape()) {
            return element("p", "class=\"tasks\"",
                           element("a", "href=\"#" + id + "\"", "Explore all of it above"));
        }
    }
    const std::string id = new_id("attention");
    explored_.emplace_back(record.weights, id);
    heed::AttentionViewOptions options;
    options.id = id;
    options.title = record.name.empty() ? "Attention weights" : record.full_name();
    return element("details", "class=\"explore\"",
                   "<summary>Explore: lines between words, each number, all heads</summary>\n" +
                       heed::attention_view({record}, options));
}

std::string PageParts::heat_map(const PageEvent& event) {
    const Words queries = labels(event.record.query_tokens, event, -2);
    const Words keys = labels(event.record.key_tokens, event, -1);
    heed::Tensor weights = event.record.weights;
    for (const std::int64_t entry : event.index) weights = heed::tensor::select(weights, 0, entry);
    std::string head = "<th scope=\"col\">query \\ key</th>";
    for (const std::string& key : keys)
        head += element("th", "scope=\"col\"", html_text(heed::terminal::visible(key)));
    std::string body;
    for (std::size_t i = 0; i < queries.size(); ++i) {
        std::string cells =
            element("th", "scope=\"row\"", html_text(heed::terminal::visible(queries[i])));
        for (std::size_t j = 0; j < keys.size(); ++j) {
            const std::int64_t row = static_cast<std::int64_t>(i),
                               column = static_cast<std::int64_t>(j);
            cells += is_blocked(event, row, column)
                         ? "<td class=\"blocked\"><span class=\"unseen\">masked</span>"
                           "<span aria-hidden=\"true\">·</span></td>"
                         : cell(heed::fixed(weights(row, column), 2), 1);
        }
        body += element("tr", "", cells);
    }
    const std::string id = new_id("tensor");
    const std::string name = event.record.name.empty() ? "weights" : event.record.name;
    const std::string title = element("span", "class=\"name role-weights\"", html_text(name)) +
                              " <span class=\"shape\">" + html_text(weights.shape().text()) +
                              "</span> rows: queries, columns: keys";
    shown_here_.push_back({"weights", "weights", id, section_});
    const std::string table = element("caption", "", title) +
                              element("thead", "", element("tr", "", head)) +
                              element("tbody", "", body);
    return element("figure", "class=\"tensor heat\" id=\"" + id + "\"",
                   scrolling(name, element("table", "", table)) +
                       element("details", "class=\"terminal\"",
                               "<summary>as in the terminal</summary>" +
                                   element("pre", "data-printed tabindex=\"0\"",
                                           html_text(without_colors(event.text)))) +
                       explore(event.record)) +
           "\n";
}

}  // namespace tutorial
