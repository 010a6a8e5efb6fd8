#include "tutorials/support/page_question.h"

#include "nn/files/json.h"
#include "nn/pages/html.h"
#include "tensor/print.h"
#include "tutorials/support/formula.h"

#include <cmath>

namespace tutorial {
namespace {
using heed::html_element;
using heed::html_text;

template <class Items, class Text>
std::string json_list(const Items& items, Text text) {
    std::string list;
    for (const auto& item : items) list += (list.empty() ? "" : ",") + text(item);
    return "[" + list + "]";
}

std::string json_of(const PageQuestion& question) {
    std::string json = "{\"kind\":" + heed::json_string(question.kind) +
                       ",\"refusal\":" + heed::json_string(question.refusal) +
                       ",\"truth\":" + heed::json_string(question.truth);
    if (question.kind == "number") {
        json += ",\"value\":" +
                (std::isfinite(question.value) ? heed::json_number(question.value)
                                               : heed::json_string(heed::fixed(question.value))) +
                ",\"tolerance\":" + heed::json_number(question.tolerance);
    } else if (question.kind == "shape") {
        json += ",\"lengths\":" + json_list(question.lengths, [](std::int64_t length) {
                    return std::to_string(length);
                });
    } else {
        json += ",\"choices\":" + json_list(question.choices, heed::json_string) +
                ",\"right\":" + json_list(question.right, [](bool right) {
                    return std::string(right ? "true" : "false");
                });
    }
    return json + "}";
}

}  // namespace

std::string question_as_html(const PageEvent& event, const std::string& id) {
    const PageQuestion& question = event.question;
    std::string fields;
    if (question.kind == "choice") {
        for (const std::string& choice : question.choices) {
            fields += html_element("label", "",
                                   "<input type=\"radio\" name=\"" + id + "\" value=\"" +
                                       html_text(choice) + "\"> " + html_text(choice));
        }
        fields = html_element("fieldset", "",
                              html_element("legend", "", prose_as_html(event.text, event.site)) +
                                  html_element("div", "class=\"choices\"", fields));
    } else {
        fields =
            html_element("label", "for=\"" + id + "\"", prose_as_html(event.text, event.site)) +
            "<input id=\"" + id + "\" name=\"answer\" autocomplete=\"off\" size=\"12\" " +
            "aria-describedby=\"" + id + "-takes\">" +
            html_element("small", "id=\"" + id + "-takes\"", html_text(question.takes));
    }
    const std::string buttons = "<button type=\"submit\">Answer</button> "
                                "<button type=\"button\" class=\"tell\">Tell me</button>";
    return html_element(
               "form", "class=\"question\"",
               "<p class=\"asks\">Before you read on</p>" + fields +
                   html_element("div", "class=\"buttons\"", buttons) +
                   "<p class=\"verdict\" role=\"status\"></p>" +
                   html_element("div", "class=\"why\" hidden", prose_as_html(question.why)) +
                   html_element("script", "type=\"application/json\"",
                                heed::json_for_script(json_of(question)))) +
           "\n";
}

}  // namespace tutorial
