#include "tutorials/support/lesson_page.h"

#include "nn/files/file_bytes.h"
#include "nn/pages/attention_view.h"
#include "nn/pages/html.h"
#include "tutorials/support/formula.h"
#include "tutorials/support/lesson_facts.h"
#include "tutorials/support/page_parts.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>

namespace tutorial {
namespace {
using heed::html_text;
struct Section {
    std::string title;   // "08.1 Looking backwards"; empty for what stands before the first
    std::string number;  // "08.1"
    std::string id;      // "s08.1"
    std::vector<PageEvent> events;
    int held = 0, found_false = 0;
};

std::vector<Section> sections_of(const std::vector<PageEvent>& events) {
    std::vector<Section> sections(1);
    for (const PageEvent& event : events) {
        if (event.kind == PageEvent::Kind::section) {
            Section section;
            section.title = event.text;
            section.number = section.title.substr(0, section.title.find(' '));
            section.id = "s" + section.number;
            sections.push_back(section);
        }
        Section& section = sections.back();
        section.events.push_back(event);
        if (event.kind == PageEvent::Kind::claim)
            ++(event.holds ? section.held : section.found_false);
    }
    return sections;
}

std::vector<heed::CallSite> sites_of(const std::vector<PageEvent>& events) {
    std::vector<heed::CallSite> sites;
    for (const PageEvent& event : events) {
        if (event.site.line > 0) sites.push_back(event.site);
    }
    return sites;
}

// Comments stand apart.
std::string code_as_html(const std::string& code) {
    std::string html;
    for (std::size_t at = 0; at < code.size();) {
        const std::size_t end = std::min(code.find('\n', at), code.size());
        const std::string line = code.substr(at, end - at);
        std::size_t comment = line.find("// ");
        if (comment != std::string::npos &&
            std::count(line.begin(), line.begin() + static_cast<std::ptrdiff_t>(comment), '"') %
                    2 !=
                0) {
            comment = std::string::npos;
        }
        html += html_text(line.substr(0, comment));
        if (comment != std::string::npos) html += "<i>" + html_text(line.substr(comment)) + "</i>";
        html += "\n";
        at = end + 1;
    }
    return html;
}

std::string source_as_html(const Section& section, const std::vector<heed::CallSite>& all) {
    std::string html;
    for (const SourcePart& part : source_of(lesson_files(), sites_of(section.events), all)) {
        html += "<details class=\"source\"><summary>Source <code>" + html_text(part.file) +
                "</code>, lines " + std::to_string(part.first) + " to " +
                std::to_string(part.last) + "</summary><pre tabindex=\"0\"><code>" +
                code_as_html(part.text) + "</code></pre></details>\n";
    }
    return html;
}

std::string exercises_of(const Section& section, const std::vector<ExerciseFacts>& exercises) {
    std::string html;
    for (const ExerciseFacts& exercise : exercises) {
        if (exercise.section != section.number) continue;
        html += (html.empty() ? "" : ", ") + std::string("<a href=\"#exercise-") + exercise.number +
                "\">" + exercise.number + " " + html_text(exercise.title) + "</a>";
    }
    return html.empty() ? "" : "<p class=\"tasks\">Exercise here: " + html + "</p>\n";
}

// X → Q → K → V → scores → weights → output, as far as the section shows them, each a link.
std::string overview(const std::vector<PageParts::Shown>& shown) {
    std::string html;
    std::set<std::string> seen;
    for (const PageParts::Shown& tensor : shown) {
        if (tensor.role.empty() || !seen.insert(tensor.role).second) continue;
        html += (html.empty() ? "" : "<span aria-hidden=\"true\">→</span>") +
                std::string("<a class=\"name role-") + tensor.role + "\" href=\"#" + tensor.id +
                "\">" + html_text(tensor.role) + "</a>";
    }
    if (seen.size() < 2) return "";
    return "<nav class=\"flow\" aria-label=\"What this section shows\">" + html + "</nav>\n";
}

std::string claims_in_words(int held, int found_false) {
    if (found_false > 0)
        return std::to_string(found_false) + " of " + std::to_string(held + found_false) + " FALSE";
    return std::to_string(held) + " checked";
}

std::string contents(const std::vector<Section>& sections) {
    std::string items;
    for (const Section& section : sections) {
        if (section.title.empty()) continue;
        items += "<li><a href=\"#" + section.id + "\">" + prose_as_html(section.title) + "</a>";
        if (section.held + section.found_false > 0) {
            items += " <span class=\"count" + std::string(section.found_false > 0 ? " false" : "") +
                     "\">" + claims_in_words(section.held, section.found_false) + "</span>";
        }
        items += "</li>\n";
    }
    return items.empty()
               ? ""
               : "<nav class=\"contents\" aria-label=\"Contents\"><ol>\n" + items + "</ol></nav>\n";
}

struct Place {
    std::vector<LessonFacts> all;
    const LessonFacts* here = nullptr;
    const LessonFacts* previous = nullptr;
    const LessonFacts* next = nullptr;
    bool in_book = false;
    std::vector<OtherPage> others = {};

    std::string link(const LessonFacts& lesson, const std::string& text) const {
        if (!in_book) return html_text(text);
        return "<a href=\"" + lesson.name + ".html\">" + html_text(text) + "</a>";
    }
};

Place place_of(const std::string& name, const std::string& path) {
    Place place;
    const std::filesystem::path page(path);
    place.all = lessons_in(page_asset("README.md"), page_asset("lessons.txt"));
    place.in_book = page.filename() == name + ".html";
    for (const OtherPage& other : other_pages) {
        const std::string file = name + other.suffix + ".html";
        const bool is_there = std::filesystem::exists(page.parent_path() / file);
        if (place.in_book && is_there) place.others.push_back(other);
    }
    for (std::size_t i = 0; i < place.all.size(); ++i) {
        if (place.all[i].name != name) continue;
        place.here = &place.all[i];
        if (i > 0) place.previous = &place.all[i - 1];
        if (i + 1 < place.all.size()) place.next = &place.all[i + 1];
    }
    return place;
}

std::string neighbours(const Place& place) {
    if (place.here == nullptr) return "";
    std::string html = "<nav class=\"neighbours\" aria-label=\"Lessons\">";
    if (place.previous != nullptr) {
        html += "<span>← " +
                place.link(*place.previous, place.previous->number + " " + place.previous->title) +
                "</span>";
    }
    if (place.in_book) html += "<span><a href=\"index.html\">All lessons</a></span>";
    if (place.next != nullptr) {
        html += "<span>" + place.link(*place.next, place.next->number + " " + place.next->title) +
                " →</span>";
    }
    return html + "</nav>\n";
}

// "03, 05", each a link to its lesson.
std::string needs_of(const Place& place) {
    std::string html = html_text(place.here->needs);
    for (const LessonFacts& lesson : place.all) {
        const std::size_t at = html.find(lesson.number);
        if (at != std::string::npos && place.in_book) {
            html.replace(at, 2,
                         "<a title=\"" + html_text(lesson.title) + "\" href=\"" + lesson.name +
                             ".html\">" + lesson.number + "</a>");
            break;
        }
    }
    return html;
}

std::string others_of(const std::string& name, const Place& place) {
    std::string html;
    for (const OtherPage& other : place.others) {
        html += html.empty() ? "<p class=\"facts\">" : " · ";
        html += "<a href=\"" + name + other.suffix + ".html\">" + other.words + "</a>";
    }
    return html.empty() ? "" : html + "</p>\n";
}

std::string header(const Description& description, const Place& place) {
    std::string title = description.name, facts;
    if (place.here != nullptr) {
        title = place.here->number + " " + place.here->title;
        title[3] =
            static_cast<char>(title[3] >= 'a' && title[3] <= 'z' ? title[3] - 'a' + 'A' : title[3]);
        facts = "<p class=\"facts\">" + html_text(place.here->minutes) + " minutes · needs " +
                needs_of(place) + "</p>\n";
    }
    return "<header>\n" + neighbours(place) + "<h1>" + html_text(title) +
           "</h1>\n<p class=\"subject\">" + prose_as_html(description.subject) + "</p>\n" + facts +
           others_of(description.name, place) + "</header>\n";
}

// `code` in backticks.
std::string inline_code(const std::string& markdown) {
    std::string html;
    bool code = false;
    for (std::size_t at = 0; at <= markdown.size(); code = !code) {
        const std::size_t end = std::min(markdown.find('`', at), markdown.size());
        const std::string text = html_text(markdown.substr(at, end - at));
        html += code ? "<code>" + text + "</code>" : text;
        at = end + 1;
    }
    return html;
}

std::string footer(const Place& place, const std::vector<ExerciseFacts>& exercises,
                   const std::string& program, int held, int found_false) {
    std::string html = "<footer>\n";
    if (place.here != nullptr) {
        html += "<h2 id=\"afterwards\">Afterwards</h2>\n<dl>\n<dt>What people get wrong</dt><dd>" +
                inline_code(place.here->wrong) + "</dd>\n<dt>Try</dt><dd>" +
                inline_code(place.here->task) + "</dd>\n</dl>\n";
    }
    std::string tasks;
    for (const ExerciseFacts& exercise : exercises) {
        if (exercise.number.substr(0, 2) != program.substr(0, 2)) continue;
        tasks += "<li id=\"exercise-" + exercise.number + "\"><b>" + exercise.number + "</b> " +
                 html_text(exercise.title) + " <small>" + html_text(exercise.kind) + ", " +
                 exercise.minutes + " minutes" +
                 (exercise.section.empty() ? ""
                                           : ", to <a href=\"#s" + exercise.section + "\">" +
                                                 exercise.section + "</a>") +
                 "</small></li>\n";
    }
    if (!tasks.empty()) {
        html += "<h2 id=\"exercises\">Exercises</h2>\n<ul class=\"exercises\">\n" + tasks +
                "</ul>\n<p><code>cmake --workflow --preset exercises</code> builds what judges "
                "them.</p>\n";
    }
    html += "<p class=\"made\">Written by <code>" + html_text(program) + " --html</code>. " +
            (found_false > 0 ? claims_in_words(held, found_false) + "."
                             : "All " + std::to_string(held) + " claims held.") +
            " A debugger halts at each stop by <code>break heed::stop</code>.</p>\n";
    return html + neighbours(place) + "</footer>\n";
}

}  // namespace

std::string lesson_page(const Description& description, const std::vector<PageEvent>& events,
                        const std::string& path) {
    const Place place = place_of(description.name, path);
    const std::vector<ExerciseFacts> exercises = exercises_in(page_asset("exercises.txt"));
    const std::vector<Section> sections = sections_of(events);
    const std::vector<heed::CallSite> all = sites_of(events);
    PageParts parts;
    std::string main;
    int held = 0, found_false = 0;
    for (const Section& section : sections) {
        parts.begin_section(section.number);
        std::string content;
        for (const PageEvent& event : section.events) content += parts.part(event);
        content += parts.end_claims();
        held += section.held;
        found_false += section.found_false;
        if (section.title.empty()) {
            main += content + contents(sections);
            continue;
        }
        main += "<section id=\"" + section.id + "\">\n<h2 data-printed><a href=\"#" + section.id +
                "\">" + prose_as_html(section.title) + "</a></h2>\n" +
                overview(parts.shown_here()) + content + exercises_of(section, exercises) +
                source_as_html(section, all) + "</section>\n";
    }
    const std::string title =
        place.here == nullptr ? description.name : place.here->number + " " + place.here->title;
    std::string style = page_asset("lesson_page.css"), script = page_asset("lesson_page.js");
    if (parts.has_views()) {
        style = heed::attention_view_style() + style;
        // What is folded has no size, and its own test needs one.
        script =
            "if (location.hash === \"#selftest=1\")\n"
            "  for (const view of document.querySelectorAll(\".explore\")) view.open = true;\n" +
            heed::attention_view_script() + script;
    }
    return heed::html_page(title, style,
                           "<a class=\"skip\" href=\"#main\">To the text</a>\n" +
                               header(description, place) + "<main id=\"main\">\n" + main +
                               "</main>\n" +
                               footer(place, exercises, description.name, held, found_false),
                           script);
}

void check_page_file(const std::string& path) {
    struct Tried {};
    try {
        heed::write_whole(path, [](const heed::WriteBytes&) { throw Tried(); });
    } catch (const Tried&) {
        return;  // it could be opened, and is as it was
    }
}

void write_lesson_page(const std::string& path, const Description& description,
                       const std::vector<PageEvent>& events) {
    const std::string page = lesson_page(description, events, path);
    heed::write_whole(path,
                      [&](const heed::WriteBytes& write) { write(page.data(), page.size()); });
}

}  // namespace tutorial
