// Plots for the pages of lessons, and the ticks of their axes.
#include "tutorials/support/plot.h"
#include "tutorials/support/ticks.h"

#include "tests/autograd/inspect/pictures.h"
#include "tests/catch.h"
#include "tests/message_of.h"

#include <limits>
#include <string>
#include <vector>

using namespace tutorial;

namespace {

const double inf = std::numeric_limits<double>::infinity();
const double not_a_number = std::numeric_limits<double>::quiet_NaN();

std::string shown(const Ticks& ticks) {
    std::string all;
    for (const std::string& label : ticks.labels) all += (all.empty() ? "" : " ") + label;
    return all;
}

// In rising order, between the ends, and none written like another.
void require_good(const Ticks& ticks, double least, double most) {
    REQUIRE(ticks.at.size() >= 2);
    REQUIRE(ticks.at.size() <= 8);
    REQUIRE(ticks.labels.size() == ticks.at.size());
    REQUIRE(ticks.least <= least + 1e-6 * (most - least));
    REQUIRE(ticks.most >= most - 1e-6 * (most - least));
    for (std::size_t i = 0; i < ticks.at.size(); ++i) {
        REQUIRE(ticks.at[i] >= ticks.least);
        REQUIRE(ticks.at[i] <= ticks.most);
        if (i == 0) continue;
        REQUIRE(ticks.at[i] > ticks.at[i - 1]);
        REQUIRE(ticks.labels[i] != ticks.labels[i - 1]);
    }
}

Plot small_plot() {
    return {.title = "T",
            .x = {.label = "step", .ticks = {0, 1}},
            .y = {.label = "loss", .ticks = {0, 1}},
            .series = {{"a", {0, 1}, {0, 1}}}};
}

}  // namespace

TEST_CASE("ticks stand at round numbers", "[tutorials][plot]") {
    CHECK(shown(linear_ticks(0, 1)) == "0 0.2 0.4 0.6 0.8 1.0");
    CHECK(shown(linear_ticks(0, 0.73)) == "0 0.2 0.4 0.6 0.8");
    CHECK(shown(linear_ticks(0, 4.5)) == "0 1 2 3 4 5");
    CHECK(shown(linear_ticks(-17, 4)) == "-20 -15 -10 -5 0 5");
    CHECK(shown(linear_ticks(12000, 99000)) == "0 20,000 40,000 60,000 80,000 100,000");
    CHECK(shown(linear_ticks(0, 1e12)) == "0 0.2·10¹² 0.4·10¹² 0.6·10¹² 0.8·10¹² 1.0·10¹²");
    CHECK(shown(linear_ticks(1e-9, 3e-9)) == "1.0·10⁻⁹ 1.5·10⁻⁹ 2.0·10⁻⁹ 2.5·10⁻⁹ 3.0·10⁻⁹");
}

TEST_CASE("an axis has room around numbers that are all alike", "[tutorials][plot]") {
    CHECK(shown(linear_ticks(0, 0)) == "-1.0 -0.5 0 0.5 1.0");
    CHECK(shown(linear_ticks(-3, -3)) == "-3.4 -3.2 -3.0 -2.8 -2.6");
    CHECK(shown(log_ticks(1, 1)) == "0.5 1 2");
    CHECK(shown(log_ticks(3, 3)) == "2 5");
}

TEST_CASE("logarithmic ticks are powers of ten, or 1, 2 and 5 times these", "[tutorials][plot]") {
    CHECK(shown(log_ticks(1e-8, 1)) == "10⁻⁸ 10⁻⁶ 10⁻⁴ 10⁻² 10⁰");
    CHECK(shown(log_ticks(0.02, 5e4)) == "10⁻² 10⁰ 10² 10⁴ 10⁶");
    CHECK(shown(log_ticks(1, 1024)) == "1 10 100 1,000 10,000");
    CHECK(shown(log_ticks(0.3, 0.7)) == "0.2 0.5 1");
}

TEST_CASE("ticks rise and differ for hard ranges, too", "[tutorials][plot]") {
    const double ranges[][2] = {{0, 1e-9},      {-1e-9, 1e-9},   {1e12, 1e12 + 1e9}, {-1e12, 1e12},
                                {5, 5},         {-1e300, 1e300}, {1e-300, 2e-300},   {0.1, 0.3},
                                {-0.05, 0.001}, {99, 101},       {1, 1 + 1e-9},      {0, 0}};
    for (const auto& [least, most] : ranges) {
        INFO(least << " to " << most);
        require_good(linear_ticks(least, most), least, most);
    }
    const double decades[][2] = {{1e-8, 1},    {1e-30, 1e30},   {1, 1},
                                 {1e12, 1e12}, {1e-9, 2e-9},    {0.999, 1.001},
                                 {3, 4},       {1e-290, 1e290}, {7, 700}};
    for (const auto& [least, most] : decades) {
        INFO(least << " to " << most);
        require_good(log_ticks(least, most), least, most);
    }
}

TEST_CASE("ticks refuse ranges that are none", "[tutorials][plot]") {
    using Error = std::invalid_argument;
    CHECK(message_of<Error>([] { linear_ticks(2, 1); }) ==
          "linear_ticks: the range is empty: it begins at 2 and ends at 1");
    CHECK(message_of<Error>([] { linear_ticks(0, inf); }) ==
          "linear_ticks: the range is 0 to inf; both must be finite, and not beyond 1e300");
    CHECK(message_of<Error>([] { log_ticks(not_a_number, 1); }) ==
          "log_ticks: the range is nan to 1; both must be finite, and not beyond 1e300");
    CHECK(message_of<Error>([] { log_ticks(0, 1); }) ==
          "log_ticks: the range begins at 0; a logarithmic axis has positive numbers only");
}

TEST_CASE("a number is written short", "[tutorials][plot]") {
    CHECK(short_number(0) == "0");
    CHECK(short_number(0.25) == "0.25");
    CHECK(short_number(-12345) == "-12,345");
    CHECK(short_number(1e6) == "1·10⁶");
    CHECK(short_number(1.25e-7) == "1.25·10⁻⁷");
    CHECK(short_number(not_a_number) == "nan");
    CHECK(short_number(-inf) == "-inf");
}

TEST_CASE("a small plot, element by element", "[tutorials][plot]") {
    // The digit of a tick is 7.04 wide, so the axis begins at 19.04, and is 440 long, 220 high.
    const std::string svg = plot_svg(small_plot());
    CHECK(body_of(svg) ==
          "<text x=\"2\" y=\"16\" class=\"h-title\">T</text>\n"
          "<line x1=\"19.04\" y1=\"272\" x2=\"459.04\" y2=\"272\" class=\"h-axis\"/>\n"
          "<line x1=\"19.04\" y1=\"272\" x2=\"19.04\" y2=\"52\" class=\"h-axis\"/>\n"
          "<line x1=\"19.04\" y1=\"272\" x2=\"19.04\" y2=\"276\" class=\"h-axis\"/>\n"
          "<text x=\"19.04\" y=\"288\" class=\"h-small h-mid\">0</text>\n"
          "<line x1=\"459.04\" y1=\"272\" x2=\"459.04\" y2=\"276\" class=\"h-axis\"/>\n"
          "<text x=\"459.04\" y=\"288\" class=\"h-small h-mid\">1</text>\n"
          "<line x1=\"15.04\" y1=\"272\" x2=\"19.04\" y2=\"272\" class=\"h-axis\"/>\n"
          "<text x=\"12.04\" y=\"276\" class=\"h-small h-end\">0</text>\n"
          "<line x1=\"15.04\" y1=\"52\" x2=\"19.04\" y2=\"52\" class=\"h-axis\"/>\n"
          "<line x1=\"19.04\" y1=\"52\" x2=\"459.04\" y2=\"52\" class=\"h-hair\"/>\n"
          "<text x=\"12.04\" y=\"56\" class=\"h-small h-end\">1</text>\n"
          "<text x=\"239.04\" y=\"305\" class=\"h-small h-mid\">step</text>\n"
          "<text x=\"2\" y=\"40\" class=\"h-small\">loss</text>\n"
          "<path d=\"M19.04 272L459.04 52\" class=\"h-s0\"/>\n"
          "<circle cx=\"19.04\" cy=\"272\" r=\"3\" class=\"h-f0\"/>\n"
          "<circle cx=\"459.04\" cy=\"52\" r=\"3\" class=\"h-f0\"/>\n"
          "<circle cx=\"476.04\" cy=\"52\" r=\"3\" class=\"h-f0\"/>\n"
          "<text x=\"484.04\" y=\"56\" class=\"h-f0\">a</text>\n");
    CHECK_THAT(svg, Contains("<title>T</title>\n<desc>loss over step. a: from 0 at 0 to 1 at 1, "
                             "least 0, most 1.</desc>"));
    CHECK(plot_svg(small_plot()) == svg);
}

TEST_CASE("the plot's words name the ticks, the reference lines and what was said of it",
          "[tutorials][plot]") {
    Plot plot = small_plot();
    plot.x.names = {"short", "long"};
    plot.references = {{"guessing", 0.25}};
    plot.description = "Three trainings.";
    CHECK_THAT(plot_svg(plot),
               Contains("<desc>Three trainings. loss over step. a: from 0 at short to 1 at long, "
                        "least 0, most 1. A line at 0.25: guessing.</desc>"));
    CHECK_THAT(plot_svg(plot), Contains("class=\"h-ref\""));
    CHECK_THAT(plot_svg(plot), Contains(">guessing</text>"));
}

TEST_CASE("a logarithmic axis has equal steps for equal factors", "[tutorials][plot]") {
    const std::string svg = plot_svg({.title = "T",
                                      .x = {.label = "x"},
                                      .y = {.label = "y", .logarithmic = true},
                                      .series = {{"a", {0, 1, 2}, {1, 100, 10000}}}});
    const std::vector<std::string> marks = elements_of(svg, "circle");
    REQUIRE(marks.size() == 4);  // one is beside the name
    CHECK(attribute_of(marks[0], "cy") == 272);
    CHECK(attribute_of(marks[1], "cy") == 162);
    CHECK(attribute_of(marks[2], "cy") == 52);
}

TEST_CASE("what cannot be drawn is a gap, and the plot says so", "[tutorials][plot]") {
    Plot plot = small_plot();
    plot.series = {{"a", {0, 1, 2, 3, 4, 5}, {0, 1, not_a_number, 0.5, 0.25, -inf}}};
    plot.x.ticks = {};
    const std::string svg = plot_svg(plot);
    CHECK(count_of(svg, "class=\"h-s0\"") == 2);  // a line before the gap, and one after it
    CHECK(elements_of(svg, "circle").size() == 5);
    CHECK_THAT(svg, Contains(">2 values left out: not finite</text>"));
    CHECK(count_of(body_of(svg), "nan") == 0);
    CHECK(count_of(body_of(svg), "inf") == 0);

    plot.y = {.label = "loss", .logarithmic = true};
    plot.series = {{"a", {0, 1, 2}, {1, 0, 10}}};
    CHECK_THAT(plot_svg(plot), Contains(">1 value left out: not finite, or not above 0</text>"));
}

TEST_CASE("series differ in dash and mark, not in colour alone", "[tutorials][plot]") {
    Plot plot = small_plot();
    for (const char* name : {"b", "c", "d", "e", "f"}) {
        plot.series.push_back({name, {0, 1}, {0, 1}});
    }
    const std::string svg = plot_svg(plot);
    for (int i = 0; i < 6; ++i) CHECK(count_of(svg, "class=\"h-s" + std::to_string(i) + "\"") == 1);
    std::string dashes[6];
    for (int i = 0; i < 6; ++i) {
        const std::size_t at = svg.find(".h-s" + std::to_string(i) + "{stroke");
        const std::string rule = svg.substr(at, svg.find('}', at) - at);
        const std::size_t dash = rule.find("stroke-dasharray");
        if (dash != std::string::npos) dashes[i] = rule.substr(dash);
        for (int j = 0; j < i; ++j) CHECK(dashes[i] != dashes[j]);
    }
    CHECK(collisions_in(svg) == "");
}

TEST_CASE("a range over seeds is a band, and a bar at points", "[tutorials][plot]") {
    Plot plot = small_plot();
    plot.series = {series_of("a", {0, 1}, {{0.5, 0, 0.75}, {0.5, 0.25, 1}})};
    CHECK(plot.series[0].y == std::vector<double>{0.5, 0.5});
    // There along the upper ends, back along the lower ones.
    CHECK_THAT(plot_svg(plot), Contains("<path d=\"M19.04 107L459.04 52L459.04 217L19.04 272Z\" "
                                        "class=\"h-f0 h-pale\"/>"));
    plot.series[0].line = false;
    const std::string svg = plot_svg(plot);
    CHECK(count_of(svg, "<path") == 0);
    CHECK_THAT(svg, Contains("<line x1=\"19.04\" y1=\"272\" x2=\"19.04\" y2=\"107\" "
                             "class=\"h-bar h-s0\"/>"));
}

TEST_CASE("points of one category stand beside each other", "[tutorials][plot]") {
    Plot plot = small_plot();
    plot.x.names = {"now", "then"};
    plot.series.push_back({"b", {0, 1}, {0, 1}});
    for (Series& series : plot.series) series.line = false;
    const std::string svg = plot_svg(plot);
    CHECK(attribute_of(elements_of(svg, "circle")[0], "cx") == 15.04);
    CHECK(attribute_of(elements_of(svg, "rect")[0], "x") == 20.29);  // 19.04 + 4 - 2.75
}

TEST_CASE("no two words of a plot overlap, however close its lines end", "[tutorials][plot]") {
    Plot plot{.title = "Many",
              .x = {.label = "learning rate", .logarithmic = true},
              .y = {.label = "accuracy, median and range of three", .covers = {0, 1}},
              .references = {{"guessing", 0.99}, {"the best there is", 1}}};
    for (const char* name : {"one", "another one", "a third", "4", "5", "six"}) {
        plot.series.push_back({name, {1e-8, 1e-4, 1}, {0.2, 0.4, 0.995}});
    }
    CHECK(collisions_in(plot_svg(plot)) == "");
    plot.x = {.label = "words",
              .ticks = {1e-8, 1.01e-8, 0.5, 0.51, 0.52, 1},
              .names = {"3 to 6", "7 to 9", "10 to 12", "13 to 15", "16 to 18", "19 to 21"}};
    CHECK(collisions_in(plot_svg(plot)) == "");
    CHECK(count_of(plot_svg(plot), ">7 to 9<") == 0);  // no room
    CHECK(count_of(plot_svg(plot), ">19 to 21<") == 1);
}

TEST_CASE("a plot refuses series that do not fit", "[tutorials][plot]") {
    using Error = std::invalid_argument;
    Plot plot = small_plot();
    const auto error = [&] { return message_of<Error>([&] { plot_svg(plot); }); };
    plot.series = {};
    CHECK(error() == "plot_svg: there is no series to draw");
    plot.series = std::vector<Series>(7, {"a", {0}, {0}});
    CHECK(error() == "plot_svg: there are 7 series; more than six cannot be told apart");
    plot.series = {{"a", {0, 1}, {0}}};
    CHECK(error() == "plot_svg: the series a has 2 x and 1 y; it must have as many");
    plot.series = {{"a", {0, 1}, {0, 1}, {0, 0}, {}}};
    CHECK(error() == "plot_svg: the series a has 2 x and 0 most; it must have as many");
    plot.series = {{"a", {0, not_a_number}, {0, 1}}};
    CHECK(error() == "plot_svg: x number 1 of the series a is nan; it must be finite");
    plot.series = {{"a", {0, 1}, {not_a_number, inf}}};
    CHECK(error() == "plot_svg: no series has a point that can be drawn");
    plot.series = {{"a", {}, {}}};
    CHECK(error() == "plot_svg: no series has a point that can be drawn");
    plot = small_plot();
    plot.x.names = {"one"};
    CHECK(error() == "plot_svg: the x axis has 1 names for 2 ticks; it must have as many");
    plot = small_plot();
    plot.x = {.label = "x", .logarithmic = true};
    CHECK(error() ==
          "plot_svg: x number 0 of the series a is 0; it must be finite and, on this axis, "
          "positive");
    CHECK(message_of<Error>([] { series_of("a", {1}, {}); }) ==
          "series_of: the series a has 1 x and 0 y; it must have as many");
}

TEST_CASE("numbers counted from 0", "[tutorials][plot]") {
    CHECK(counted({5, 5, 5}) == std::vector<double>{0, 1, 2});
    CHECK(counted({}).empty());
}
