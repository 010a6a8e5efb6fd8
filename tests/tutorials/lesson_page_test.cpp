// --html: what a lesson does becomes a page, what cannot be written is said before the lesson
// begins, and the terminal shows what it always shows.
#include "tests/catch.h"

#include "nn/pages/heat_map.h"
#include "tensor/ops.h"
#include "tests/message_of.h"
#include "tutorials/support/book.h"
#include "tutorials/support/lesson.h"
#include "tutorials/support/lesson_facts.h"
#include "tutorials/support/lesson_page.h"
#include "tutorials/support/page.h"
#include "tutorials/support/page_parts.h"
#include "tutorials/support/page_tables.h"
#include "tutorials/support/predict.h"
#include "tutorials/support/stop.h"

#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>
#include <stdexcept>

using namespace tutorial;
using heed::tensor::of;

namespace {
bool began = false;

void all_there_is(const Options&) {
    began = true;
    say("First, $d_k$ and a <tag>.");
    section("01.1 A section");
    std::cout << "x =\n" << of({{1, -2}, {3, 4}}) << "\n\n";
    predict_number("How much?", 2, 0.5, "So it is, by $x²$.");
    heed::stop("01.1 a stop", {{"Q", of({5, 6})}});
    heed::print_heat_map(std::cout, {"a</script>", "b"}, {"c", "d"}, of({{1, 0}, {0.5, 0.5}}),
                         heed::Mask::causal(2));
    draw("<svg><title>a picture</title></svg>");
    std::cout << "a table\n\n 1 |  *\n 0 | *\n";
    draw_in_place_of_characters("<svg><title>a chart</title></svg>");
    formula("y = x");
    formula("layer 0  $a_ij  = 1$,  the first\n         and its end");
    in_the_notes("000 says so.");
    check(true, "a claim");
    check(true, "another");
    std::cout << "\x1b[48;5;17m7\x1b[0m last words\n";
    section("01.2 The end");
}

void throws(const Options&) {
    section("01.1 A section");
    throw std::runtime_error("no luck");
}

struct Run {
    int code;
    std::string out, errors;
};

Run run_with(void (*lesson)(const Options&), std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "prog");
    std::vector<char*> argv;
    for (std::string& argument : arguments) argv.push_back(argument.data());
    std::ostringstream out, errors;
    std::streambuf* const cout = std::cout.rdbuf(out.rdbuf());
    std::streambuf* const cerr = std::cerr.rdbuf(errors.rdbuf());
    const int code = run({"prog", "subject"}, static_cast<int>(argv.size()), argv.data(), lesson);
    std::cout.rdbuf(cout);
    std::cerr.rdbuf(cerr);
    return {code, out.str(), errors.str()};
}

std::string text_in(const std::filesystem::path& path) {
    std::ifstream in(path);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

// A folder of its own, gone afterwards.
struct Folder {
    std::filesystem::path path;

    explicit Folder(const std::string& name)
        : path(std::filesystem::temp_directory_path() /
               ("heed_" + name + std::to_string(sizeof(heed::Scalar)))) {
        std::filesystem::remove_all(path);
        std::filesystem::create_directory(path);
    }
    ~Folder() { std::filesystem::remove_all(path); }
};

}  // namespace

TEST_CASE("a page has all that a lesson says, and the terminal shows the same with it and without",
          "[tutorials][page]") {
    const Folder folder("page_all");
    const std::string file = (folder.path / "page.html").string();
    const Run without = run_with(all_there_is, {});
    const Run with = run_with(all_there_is, {"--html", file});
    CHECK(with.out == without.out);
    CHECK(with.code == without.code);
    const std::string page = text_in(file);
    for (const std::string part :
         {"First, <math alttext=\"d_k\">",
          "a &lt;tag&gt;.",
          "<section id=\"s01.1\">",
          "<span class=\"name\">x</span> <span class=\"shape\">[2, 2]</span>",
          "<td class=\"n\" style=\"--p:50\">-2.</td>",
          "\"value\":2,\"tolerance\":0.5}",
          "So it is, by <span class=\"joined\"><math alttext=\"x²\">",
          "Stop <code>01.1 a stop</code> <span class=\"name role-Q\">",
          "<th scope=\"row\">a&lt;/script&gt;</th>",
          "<span class=\"unseen\">masked</span>",
          "<title>a picture</title>",
          "a table</pre>",
          "<title>a chart</title></svg></div><details class=\"terminal\">",
          " 1 |  *\n 0 | *</pre>",
          "<td>layer 0</td><td><span class=\"joined\"><math",
          "<td>the first</td>",
          "<td></td><td colspan=\"2\">and its end</td>",
          "<pre class=\"sentences\" data-printed",
          "display=\"block\"",
          "<b>In the notes:</b> 000 says so.",
          "checked: </span><span>a claim</span></li>\n<li class=\"held\"",
          "7 last words</pre>"}) {
        CAPTURE(part);
        CHECK_THAT(page, Contains(part));
    }
    CHECK_THAT(page, !Contains("\x1b") && !Contains("a</script>"));
    CHECK_FALSE(page_is_written());
}

TEST_CASE("with a false claim a page is written, and shows it", "[tutorials][page]") {
    // By hand: a lesson that checks something false would make all lessons after it end with 1.
    const std::string page = lesson_page({"prog", "subject"},
                                         {{PageEvent::Kind::section, "01.1 A section"},
                                          {PageEvent::Kind::claim, "it rains", {}, false},
                                          {PageEvent::Kind::claim, "it is wet"}},
                                         "page.html");
    CHECK_THAT(page, Contains("✗</span><b>FALSE:</b> <span>it rains") && Contains("1 of 2 FALSE"));
}

TEST_CASE("a lesson that throws leaves its page as it was, and the terminal in order",
          "[tutorials][page]") {
    const Folder folder("page_throws");
    const std::string file = (folder.path / "page.html").string();
    std::ofstream(file) << "before";
    const Run run = run_with(throws, {"--html", file});
    CHECK(run.code == 2);
    CHECK(run.errors == "prog: no luck\n");
    CHECK(text_in(file) == "before");
    CHECK_FALSE(page_is_written());
    CHECK(heed::at_stop == nullptr);
    CHECK(heed::at_heat_map == nullptr);
}

TEST_CASE("a page that cannot be written is an error before the lesson begins",
          "[tutorials][page]") {
    const Folder folder("page_not");
    began = false;
    const Run run =
        run_with(all_there_is, {"--html", (folder.path / "none" / "page.html").string()});
    CHECK(run.code == 2);
    CHECK(run.out.empty());
    CHECK_THAT(run.errors, Contains("page.html"));
    CHECK(run_with(all_there_is, {"--html", folder.path.string()}).code == 2);
    CHECK_FALSE(began);
    CHECK(std::filesystem::is_empty(folder.path));
}

TEST_CASE("--html needs a file, and goes without --stop and --predict", "[tutorials][page]") {
    CHECK(run_with(all_there_is, {"--html"}).errors ==
          "prog: --html needs a value after it\n(prog --help lists what it takes)\n");
    CHECK(run_with(all_there_is, {"--html="}).errors ==
          "prog: --html needs the name of a file\n(prog --help lists what it takes)\n");
    for (const std::string other : {"--stop", "--predict"}) {
        const Run run = run_with(all_there_is, {"--html", "page.html", other});
        CHECK(run.code == 2);
        CHECK(run.errors == "prog: --html goes without --stop and --predict: the page asks by "
                            "itself, and has what the stops show\n"
                            "(prog --help lists what it takes)\n");
    }
}

TEST_CASE("a name tells the part a tensor plays in attention", "[tutorials][page]") {
    CHECK(role_of("X") == "X");
    CHECK(role_of("masked scores") == "scores");
    CHECK(role_of("weights = softmax(X·Xᵀ / √5), a row for each query") == "weights");
    CHECK(role_of("mask, a row for each query").empty());
    CHECK(role_of("the outputs of one masked pass") == "output");
    CHECK(role_of("∂L/∂Q").empty());
    CHECK(role_of("(p - y) / N").empty());
    CHECK(role_of("x").empty());
}

TEST_CASE("a tensor's name leads to where it was seen before", "[tutorials][page]") {
    PageParts parts;
    parts.begin_section("05.1");
    parts.part({PageEvent::Kind::printed, "weights =\n[1., 2.]  [2]"});
    CHECK_THAT(parts.part({PageEvent::Kind::printed, "A =\n[1., 2.]  [2]"}),
               Contains("href=\"#tensor-1\">weights above</a>"));
    parts.begin_section("05.2");
    CHECK_THAT(parts.part({PageEvent::Kind::printed, "weights =\n[1., 2.]  [2]"}),
               Contains("href=\"#tensor-2\">A in 05.1</a>"));
    parts.begin_section("02.1");
    CHECK_THAT(parts.part({PageEvent::Kind::printed, "A =\n[1., 2.]  [2]"}),
               Contains("<span class=\"name\">A</span>") && !Contains("href"));
}

TEST_CASE("whole rows of weights can be explored, parts of rows cannot", "[tutorials][page]") {
    PageParts parts;
    PageEvent event{PageEvent::Kind::heat_map, "as printed"};
    event.record.weights = of({{0.25, 0.5}, {1, 0}});
    CHECK_THAT(parts.part(event), Contains("0.50</td>") && !Contains("Explore"));
    CHECK_FALSE(parts.has_views());
    event.record.weights = of({{0.25, 0.75}, {0, 0}});
    CHECK_THAT(parts.part(event), Contains("<summary>Explore"));
    CHECK_THAT(parts.part(event), Contains("href=\"#attention-1\">Explore all of it above"));
    CHECK(parts.has_views());
}

TEST_CASE("the table of lessons says what a lesson needs", "[tutorials][page]") {
    const std::vector<LessonFacts> lessons = lessons_in(
        "| | minutes | a run | needs | you build | what people get wrong | try |\n|---|---|\n"
        "| 00 [first look](00_first_look/README.md) | 5 | 0.1 s | nothing | a | b; c | d |\n"
        "| 02 [autograd](02_autograd/README.md) | 35 | 2 s | 00, 01 | e | f | g |\n"
        "| 03 no link | 35 | 2 s | 00 | e | f | g |\n| symbol | shape |\n",
        "00_first_look\n02_autograd\n");
    REQUIRE(lessons.size() == 2);
    CHECK((lessons[0].name == "00_first_look" && lessons[0].wrong == "b; c" &&
           lessons[0].task == "d"));
    CHECK((lessons[1].title == "autograd" && lessons[1].needs == "00, 01" &&
           lessons[1].run == "2 s"));
    const std::string index = book_index(lessons, {"02_autograd"});
    CHECK_THAT(index, Contains("<h2>00 first look</h2>") &&
                          Contains("<a href=\"02_autograd.html\">02 autograd</a>") &&
                          Contains("needs nothing · then <a href=\"02_autograd.html\">02</a>"));
}

TEST_CASE("the book links to other pages of a lesson where they are", "[tutorials][page]") {
    const std::vector<LessonFacts> lessons =
        lessons_in(page_asset("README.md"), page_asset("lessons.txt"));
    const std::string walk = "<a href=\"02_autograd.walk.html\">Walk through its code</a>";
    const std::string run = "<a href=\"02_autograd.run.html\">Run it here</a>";
    const std::string play = "<a href=\"playground.html\">The playground</a>";
    CHECK_THAT(book_index(lessons, {"02_autograd.run", "02_autograd.walk", "playground"}),
               Contains(" · " + walk + " · " + run) && Contains(play));
    CHECK_THAT(book_index(lessons, {"02_autograd"}),
               !Contains(".walk.html") && !Contains(".run.html") && !Contains("playground"));

    const Folder folder("other_pages");
    const Description description = {"02_autograd", "subject"};
    const std::string page = (folder.path / "02_autograd.html").string();
    CHECK_THAT(lesson_page(description, {}, page), !Contains(walk) && !Contains(run));
    std::ofstream(folder.path / "02_autograd.run.html") << "there";
    CHECK_THAT(lesson_page(description, {}, page), !Contains(walk) && Contains(run));
    std::ofstream(folder.path / "02_autograd.walk.html") << "there";
    CHECK_THAT(lesson_page(description, {}, page), Contains(walk + " · " + run));
    const std::string elsewhere = (folder.path / "mine.html").string();
    CHECK_THAT(lesson_page(description, {}, elsewhere), !Contains(walk) && !Contains(run));
}

TEST_CASE("a section's source is what its lines stand in, and the helpers above",
          "[tutorials][page]") {
    const std::vector<EmbeddedFile> files = {
        {"a.cpp",
         "// A.\n#include <b>\n\nusing namespace c;\n\nint helper() {\n    return 1;\n}\n\n"
         "void one() {\n    section();\n}\n\nvoid two() {\n    check();\n}\n"}};
    const heed::CallSite one("x/a.cpp", 11, "one"), two("x/a.cpp", 15, "two");
    const std::vector<SourcePart> first = source_of(files, {one}, {one, two});
    REQUIRE(first.size() == 1);
    CHECK((first[0].first == 6 && first[0].last == 12));
    CHECK(first[0].text == "int helper() {\n    return 1;\n}\n\nvoid one() {\n    section();\n}\n");
    const std::vector<SourcePart> second = source_of(files, {two}, {one, two});
    REQUIRE(second.size() == 1);
    CHECK(second[0].text == "void two() {\n    check();\n}\n");
    CHECK(source_of(files, {heed::CallSite("b.cpp", 11, "")}, {}).empty());
}

TEST_CASE("what all pages have is compiled in", "[tutorials][page]") {
    CHECK_THAT(page_asset("lesson_page.js"), Contains("\"use strict\""));
    CHECK(lessons_in(page_asset("README.md"), page_asset("lessons.txt")).size() >= 22);
    CHECK(exercises_in(page_asset("exercises.txt")).size() >= 70);
    CHECK_THROWS_AS(page_asset("none"), std::out_of_range);
}
