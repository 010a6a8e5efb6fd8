// heed_figures: a page of how cost grows, drawn from what heed_benchmarks --growth wrote, with the
// table of this folder's README.md.
#include "nn/files/json.h"
#include "nn/pages/html.h"
#include "tutorials/support/output.h"
#include "tutorials/support/plot.h"
#include "tutorials/support/text_file.h"

#include <cstdio>
#include <exception>
#include <fstream>
#include <iostream>
#include <map>
#include <stdexcept>

using heed::Json;

namespace {
constexpr const char* help_text =
    R"(heed_figures RESULTS README PAGE

RESULTS  what heed_benchmarks --growth --output RESULTS measured
README   the page whose table is shown under the figures
PAGE     the HTML that is written
)";

constexpr const char* style =
    "body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}"
    "svg{max-width:100%;height:auto}pre{overflow-x:auto;font-size:13px}"
    "@media (prefers-color-scheme:dark){body{background:#111;color:#ddd}}";

// The sides' points, by the name of the side.
using Lines = std::map<std::string, tutorial::Series>;

struct Figure {
    std::string title, x, y;
    Lines lines;
};

// A title is "attention, time by tokens".
std::string after(const std::string& word, const std::string& title) {
    return title.substr(title.rfind(word) + word.size());
}

void add_point(const Json& result, Figure& figure) {
    const bool bytes = result.at("unit").string("unit") == "bytes";
    figure.y = bytes ? "MiB" : "ms";
    const double scale = bytes ? 1.0 / (1 << 20) : 1e3;
    for (const auto& [side, measured] : result.at("sides").members("sides")) {
        const Json* const median = measured.find("median");
        if (median == nullptr) continue;
        tutorial::Series& line = figure.lines[side];
        line.name = side;
        line.x.push_back(result.at("x").number("x"));
        line.y.push_back(median->number("median") * scale);
    }
}

// In the order in which they were measured.
std::vector<Figure> figures_in(const Json& results) {
    std::vector<Figure> figures;
    for (const Json& result : results.at("results").items("results")) {
        const std::string title = result.at("figure").string("figure");
        if (title.empty()) continue;
        std::size_t i = 0;
        while (i < figures.size() && figures[i].title != title) ++i;
        if (i == figures.size()) figures.push_back({title, after(" by ", title), "", {}});
        add_point(result, figures[i]);
    }
    return figures;
}

std::string drawn(const Figure& figure) {
    tutorial::Plot plot;
    plot.title = figure.title;
    const bool counts_threads = figure.x == "threads";
    plot.x = {.label = figure.x, .logarithmic = !counts_threads};
    plot.y = {.label = figure.y, .logarithmic = !counts_threads};
    if (counts_threads) plot.y.covers = {0};
    for (const auto& [side, line] : figure.lines) {
        const bool is_ours = side == "heed";
        if (is_ours) plot.x.ticks = line.x;
        plot.series.insert(is_ours ? plot.series.begin() : plot.series.end(), line);
    }
    return heed::html_element("figure", "", tutorial::plot_svg(plot));
}

// The README's table stands between two lines of ```, under a line that begins with "work ".
std::string table_of(const std::string& readme) {
    const std::size_t begin = readme.find("\nwork ");
    const std::size_t end = readme.find("```", begin == std::string::npos ? 0 : begin);
    if (begin == std::string::npos || end == std::string::npos) {
        throw std::runtime_error("the README has no table that begins with \"work\"");
    }
    return readme.substr(begin + 1, end - begin - 1);
}

std::string one_decimal(double number) {
    char digits[32];
    std::snprintf(digits, sizeof digits, "%.1f", number);
    return digits;
}

std::string machine_of(const Json& results) {
    return results.at("processor").string("processor") +
           ", kernels: " + results.at("kernels").string("kernels") +
           ", load before the start: " + one_decimal(results.at("load").number("load"));
}

std::string page(const Json& results, const std::string& readme) {
    const std::vector<Figure> figures = figures_in(results);
    if (figures.empty()) {
        throw std::runtime_error(results.file() + " has no points of figures; it is to be what "
                                                  "heed_benchmarks --growth --output writes");
    }
    std::string body = heed::html_element("h1", "", "How cost grows");
    body += heed::html_element("p", "", heed::html_text(machine_of(results)));
    for (const Figure& figure : figures) body += drawn(figure);
    body += heed::html_element("h2", "", "The table of the README");
    body += heed::html_element("pre", "", heed::html_text(table_of(readme)));
    return heed::html_page("heed: how cost grows", style, body, "");
}

int draw(const std::string& results_file, const std::string& readme, const std::string& to) {
    const Json results = Json::parse(tutorial::read_text_file(results_file), results_file);
    const std::string html = page(results, tutorial::read_text_file(readme));
    std::ofstream out(to);
    out << html;
    out.close();
    if (!out) throw std::runtime_error("cannot write to " + to);
    std::cout << to << '\n';
    return 0;
}

}  // namespace

int main(int count, char** words) {
    try {
        const bool asks = count == 2 && std::string(words[1]) == "--help";
        if (asks) std::cout << help_text;
        if (!asks && count != 4) {
            throw std::runtime_error("it takes RESULTS README PAGE; --help says what they are");
        }
        return tutorial::finish_output("heed_figures",
                                       asks ? 0 : draw(words[1], words[2], words[3]));
    } catch (const std::exception& error) {
        std::cerr << "heed_figures: " << error.what() << '\n';
        return 2;
    }
}
