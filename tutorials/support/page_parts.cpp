#include "tutorials/support/page_parts.h"

#include "nn/pages/attention_data.h"
#include "nn/pages/attention_view.h"
#include "nn/pages/html.h"
#include "tensor/errors.h"
#include "tensor/ops.h"
#include "tensor/print.h"
#include "tutorials/support/formula.h"
#include "tutorials/support/page_question.h"
#include "tutorials/support/page_tables.h"

#include <algorithm>
#include <cmath>
#include <sstream>

namespace tutorial {
namespace {
using heed::html_element;
using heed::html_text;
using Words = std::vector<std::string>;

// Of a part of a row, such as the second half of a text on the first, there is nothing to explore.
bool are_whole_rows(const heed::Tensor& weights) {
    for (const double sum : heed::tensor::sum(weights, -1).to_vector()) {
        if (std::fabs(sum - 1) > 1e-3 && sum != 0) return false;
    }
    return true;
}

// A line of words and formulas, as columns: two spaces or more stand between them, but not within a
// formula.
Words columns_of(const std::string& line) {
    Words columns;
    for (std::size_t at = 0; at <= line.size();) {
        std::size_t end = at;
        for (bool in_formula = false; end < line.size(); ++end) {
            in_formula ^= line[end] == '$';
            if (!in_formula && line.compare(end, 2, "  ") == 0) break;
        }
        columns.push_back(line.substr(at, end - at));
        const std::size_t next = line.find_first_not_of(' ', end);
        at = next == std::string::npos ? line.size() + 1 : next;
    }
    return columns;
}

// Lines of words and formulas below each other; the last column of a line has the room that is
// left.
std::string formulas_in_columns(const PageEvent& event) {
    std::vector<Words> lines;
    std::size_t most = 0;
    std::istringstream in(event.text);
    for (std::string line; std::getline(in, line);) {
        lines.push_back(columns_of(line));
        most = std::max(most, lines.back().size());
    }
    std::string rows;
    for (const Words& line : lines) {
        std::string cells;
        for (std::size_t i = 0; i < line.size(); ++i) {
            const std::size_t span = i + 1 < line.size() ? 1 : most - i;
            cells += html_element("td", span == 1 ? "" : heed::text("colspan=\"", span, "\""),
                                  prose_as_html(line[i], event.site));
        }
        rows += html_element("tr", "", cells);
    }
    return html_element("table", "role=\"presentation\"", rows);
}

// As it was printed. A line of a table keeps its columns; a sentence may be folded.
std::string text_as_html(const std::string& text) {
    std::istringstream in(text);
    bool has_columns = false;
    for (std::string line; std::getline(in, line);) {
        const std::size_t first = line.find_first_not_of(' ');
        has_columns |= first != std::string::npos && line.find("  ", first) != std::string::npos;
    }
    const std::string kind = has_columns ? "" : "class=\"sentences\" ";
    return html_element("pre", kind + "data-printed tabindex=\"0\"", html_text(text)) + "\n";
}

std::string as_in_terminal(const std::string& text) {
    return html_element("details", "class=\"terminal\"",
                        "<summary>as in the terminal</summary>" +
                            html_element("pre", "data-printed tabindex=\"0\"", html_text(text)));
}

}  // namespace

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
        return before + picture(event);
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
    if (event.text.find('$') != std::string::npos) {
        html = formulas_in_columns(event);
    } else {
        std::istringstream in(event.text);
        for (std::string line; std::getline(in, line);) {
            html += formula_as_mathml(line, true, event.site) + "\n";
        }
    }
    return html_element("div", "class=\"formulas\" data-printed tabindex=\"0\"", html) + "\n";
}

std::string PageParts::printed(const std::string& text) {
    std::string html;
    for (const PrintedPart& part : parts_of_printed(without_colors(text))) {
        if (part.kind == PrintedPart::Kind::text) {
            html += text_as_html(part.text);
        } else if (part.kind == PrintedPart::Kind::rows) {
            html += rows_as_html(part);
        } else {
            html += table(part, true);
        }
    }
    return html;
}

// A drawing, and what the terminal has in its place, if anything.
std::string PageParts::picture(const PageEvent& event) {
    const std::string folded =
        event.in_characters.empty() ? "" : as_in_terminal(event.in_characters);
    return html_element("figure", "class=\"picture\"", scrolling("picture", event.text) + folded) +
           "\n";
}

// In lessons 01 to 04 A is any matrix.
std::string PageParts::role(const std::string& name) const {
    return section_ < "05" && name == "A" ? "" : role_of(name);
}

// Its name in the colour of its role, its shape, and where it was seen before.
std::string PageParts::caption(const std::string& name, const std::string& shape,
                               const std::string& id) {
    const std::string of_name = role(name);
    std::string text = name.empty() ? "" : name_as_html(name, of_name) + " ";
    text += html_element("span", "class=\"shape\"", html_text(shape));
    const std::string key = of_name.empty() ? name : of_name;
    if (!key.empty() && key.back() != ':') {
        const Shown& before = last_[key];
        if (!before.id.empty()) {
            const std::string where = before.section == section_ ? "above" : "in " + before.section;
            text += " " + html_element("a", "class=\"earlier extra\" href=\"#" + before.id + "\"",
                                       html_text(before.name) + " " + where);
        }
        last_[key] = {name, of_name, id, section_};
        shown_here_.push_back(last_[key]);
    }
    return html_element("figcaption", "", text);
}

std::string PageParts::table(const PrintedPart& part, bool was_printed) {
    const std::string id = new_id("tensor");
    const bool is_mask = part.kind == PrintedPart::Kind::mask;
    const std::string label = (part.name.empty() ? "tensor" : part.name) + " " + part.shape;
    const double least = role(part.name) == "weights" ? 1 : 0;  // weights: 0 to 1
    return html_element("figure",
                        std::string(was_printed ? "data-printed " : "") + "class=\"tensor" +
                            (is_mask ? " mask" : "") + "\" id=\"" + id + "\"",
                        caption(part.name, part.shape, id) +
                            scrolling(label, matrices_as_html(part, least))) +
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
        names += " " + name_as_html(name, role(name));
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
                         : cell_as_html(heed::fixed(weights.data()[place], 2), 1);
        }
        body += html_element("tr", "", cells);
    }
    const std::string id = new_id("tensor");
    const std::string name = event.record.name.empty() ? "weights" : event.record.name;
    const std::string title = name_as_html(name, "weights") + " <span class=\"shape\">" +
                              html_text(weights.shape().text()) +
                              "</span> rows: queries, columns: keys";
    shown_here_.push_back({"weights", "weights", id, section_});
    const std::string table =
        html_element("thead", "", html_element("tr", "", head)) + html_element("tbody", "", body);
    return html_element("figure", "class=\"tensor heat\" id=\"" + id + "\"",
                        html_element("figcaption", "", title) +
                            scrolling(name, html_element("table", "", table)) +
                            as_in_terminal(without_colors(event.text)) + explore(event.record)) +
           "\n";
}

}  // namespace tutorial
