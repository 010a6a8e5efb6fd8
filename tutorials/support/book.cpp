#include "tutorials/support/book.h"

#include "nn/files/file_bytes.h"
#include "nn/pages/html.h"
#include "tutorials/support/embedded.h"

#include <algorithm>
#include <filesystem>

namespace tutorial {
namespace {
using heed::html_text;
using Names = std::vector<std::string>;
const char* const playground = "playground";

bool is_in(const Names& written, const std::string& name) {
    return std::find(written.begin(), written.end(), name) != written.end();
}

std::string link(const LessonFacts& lesson, const std::string& text, const Names& written) {
    if (!is_in(written, lesson.name)) return html_text(text);
    return "<a href=\"" + lesson.name + ".html\">" + html_text(text) + "</a>";
}

bool needs(const LessonFacts& lesson, const std::string& number) {
    return lesson.needs.find(number) != std::string::npos;
}

// "needs 03, 05 · then 08, 10"
std::string order_of(const LessonFacts& lesson, const std::vector<LessonFacts>& lessons,
                     const Names& written) {
    std::string before, after;
    for (const LessonFacts& other : lessons) {
        const std::string number = link(other, other.number, written);
        if (needs(lesson, other.number)) before += (before.empty() ? "needs " : ", ") + number;
        if (needs(other, lesson.number)) after += (after.empty() ? " · then " : ", ") + number;
    }
    return (before.empty() ? "needs nothing" : before) + after;
}

// " · Run it here"
std::string others_of(const LessonFacts& lesson, const Names& written) {
    std::string html;
    for (const OtherPage& other : other_pages) {
        const std::string name = lesson.name + other.suffix;
        if (!is_in(written, name)) continue;
        html += " · <a href=\"" + name + ".html\">" + other.words + "</a>";
    }
    return html;
}

std::string playground_link(const Names& written) {
    if (!is_in(written, playground)) return "";
    return "<p><a href=\"" + std::string(playground) +
           ".html\">The playground</a>: attention on numbers of your own.</p>\n";
}

}  // namespace

std::string book_index(const std::vector<LessonFacts>& lessons, const Names& written) {
    std::string items;
    int minutes = 0;
    for (const LessonFacts& lesson : lessons) {
        minutes += std::stoi(lesson.minutes);
        std::string builds = lesson.builds;
        std::erase(builds, '*');  // Markdown's emphasis
        items += "<li id=\"lesson-" + lesson.number + "\"><h2>" +
                 link(lesson, lesson.number + " " + lesson.title, written) + "</h2><p>" +
                 html_text(builds) + "</p><p class=\"count\">" + lesson.minutes + " minutes · " +
                 order_of(lesson, lessons, written) + others_of(lesson, written) + "</p></li>\n";
    }
    const std::string body =
        "<header>\n<h1>heed</h1>\n<p class=\"subject\">Attention from scratch, in C++ you can step "
        "through.</p>\n<p class=\"facts\">" +
        std::to_string(lessons.size()) + " lessons in reading order, " +
        std::to_string((minutes + 30) / 60) +
        " hours in all. Each page is what the lesson's program said, printed and checked when it "
        "was run, with its source.</p>\n" +
        playground_link(written) + "</header>\n<main>\n<ol class=\"lessons\">\n" + items +
        "</ol>\n</main>\n";
    return heed::html_page("heed: the lessons", page_asset("lesson_page.css"), body, "");
}

void write_book_index(const std::string& folder) {
    const std::vector<LessonFacts> lessons =
        lessons_in(page_asset("README.md"), page_asset("lessons.txt"));
    Names names = {playground}, written;
    for (const LessonFacts& lesson : lessons) {
        names.push_back(lesson.name);
        for (const OtherPage& other : other_pages) names.push_back(lesson.name + other.suffix);
    }
    for (const std::string& name : names) {
        const std::filesystem::path page = std::filesystem::path(folder) / (name + ".html");
        if (std::filesystem::exists(page)) written.push_back(name);
    }
    const std::string page = book_index(lessons, written);
    heed::write_whole(folder + "/index.html",
                      [&](const heed::WriteBytes& write) { write(page.data(), page.size()); });
}

}  // namespace tutorial
