// Maps for the pages of lessons: a matrix in colours, a classifier's answers.
#include "tutorials/support/maps.h"

#include "tensor/ops.h"
#include "tests/autograd/inspect/pictures.h"
#include "tests/catch.h"
#include "tests/message_of.h"

#include <cstdlib>
#include <string>
#include <vector>

using namespace heed;
using namespace tutorial;

namespace {

std::vector<std::string> of_class(const std::string& svg, const char* name,
                                  const std::string& classes) {
    std::vector<std::string> found;
    for (const std::string& element : elements_of(svg, name)) {
        if (element.find("class=\"" + classes + "\"") != std::string::npos)
            found.push_back(element);
    }
    return found;
}

struct Corner {
    double x, y;
};

std::vector<Corner> corners_of(const std::string& part) {
    std::vector<Corner> corners;
    const char* at = part.c_str();
    while (*at && *at != 'Z') {
        char* end = nullptr;
        const double x = std::strtod(at + 1, &end);
        const double y = std::strtod(end + 1, &end);
        corners.push_back({x, y});
        at = end;
    }
    return corners;
}

// What all closed parts of a path cover.
double area_of(const std::string& path) {
    const std::size_t begin = path.find(" d=\"") + 4;
    const std::string d = path.substr(begin, path.find('"', begin) - begin);
    double area = 0;
    for (std::size_t at = 0; at < d.size(); at = d.find('Z', at) + 1) {
        const std::vector<Corner> corners = corners_of(d.substr(at));
        for (std::size_t i = 0; i < corners.size(); ++i) {
            const Corner &a = corners[i], &b = corners[(i + 1) % corners.size()];
            area += (a.x * b.y - b.x * a.y) / 2;
        }
    }
    return area;
}

const Area square{0, 1, 1, 1};

}  // namespace

TEST_CASE("a map has a cell for each entry, blue above 0 and orange below", "[tutorials][maps]") {
    const std::string svg = map_svg("T", tensor::of({{1, -0.5, 0}}), "t", "column");
    CHECK_THAT(body_of(svg),
               Contains("<rect x=\"34\" y=\"56\" width=\"15\" height=\"15\" class=\"h-f0\" "
                        "fill-opacity=\"1\"/>\n"
                        "<rect x=\"49\" y=\"56\" width=\"15\" height=\"15\" class=\"h-f1\" "
                        "fill-opacity=\"0.5\"/>\n"
                        "<rect x=\"64\" y=\"56\" width=\"15\" height=\"15\" class=\"h-f0\" "
                        "fill-opacity=\"0\"/>\n"));
    CHECK_THAT(svg, Contains("<desc>A map of 1 rows (t) and 3 columns (column): entries from -0.5 "
                             "to 1, blue above 0, orange below.</desc>"));
    CHECK(collisions_in(map_svg("T", tensor::ones({16, 32}), "position t", "column")) == "");
}

TEST_CASE("a border is where the lead is 0, and divides the plane", "[tutorials][maps]") {
    // The lead rises along x from -1 to 3 over the whole width: 0 at a quarter of it.
    const std::string svg =
        decision_svg("T", tensor::of({{-1, 3}, {-1, 3}}), square, {}, {"one", "two"});
    // At 40 + 460 / 4, in the two triangles of the square.
    const std::string border = of_class(svg, "path", "h-axis").at(0);
    CHECK_THAT(border, Contains("d=\"M155 60L155 175M155 175L155 520\""));
    const double above = area_of(of_class(svg, "path", "h-f0 h-pale").at(0));
    const double below = area_of(of_class(svg, "path", "h-f1 h-pale").at(0));
    CHECK(above == Approx(460 * 345));
    CHECK(below == Approx(460 * 115));
}

TEST_CASE("both parts together cover the plane, whatever the leads", "[tutorials][maps]") {
    Random random(3);
    const Tensor leads = tensor::normal({22, 72}, random);
    const std::string svg = decision_svg("T", leads, {-1.5, 1.5, 4, 2.5}, {}, {"one", "two"});
    const double above = area_of(of_class(svg, "path", "h-f0 h-pale").at(0));
    const double below = area_of(of_class(svg, "path", "h-f1 h-pale").at(0));
    CHECK(above > 0);
    CHECK(below > 0);
    CHECK(above + below == Approx(460 * 287.5).epsilon(1e-3));
}

TEST_CASE("where there is one answer, there is no border", "[tutorials][maps]") {
    const std::string svg = decision_svg("T", tensor::ones({5, 9}), square, {}, {"one", "two"});
    CHECK(of_class(svg, "path", "h-axis").empty());
    CHECK(of_class(svg, "path", "h-f1 h-pale").empty());
    CHECK(area_of(of_class(svg, "path", "h-f0 h-pale").at(0)) == Approx(460 * 460));
    CHECK_THAT(svg, Contains("the answer is one on 100 % of it, two on the rest. 0 points of "
                             "training, filled, and 0 held out, hollow."));
}

TEST_CASE("points are filled if they were trained on, hollow if held out", "[tutorials][maps]") {
    const std::vector<ClassPoint> points = {
        {0.25, 0.5, 0, false}, {0.5, 0.5, 1, true}, {2, 0.5, 1, true}};  // the last is outside
    const std::string svg =
        decision_svg("T", tensor::of({{1, 1}, {-1, -1}}), square, points, {"one", "two"});
    const std::vector<std::string> filled = of_class(svg, "circle", "h-f0");
    REQUIRE(filled.size() == 2);  // one is in the key
    CHECK(attribute_of(filled[0], "cx") == 40 + 115);
    CHECK(attribute_of(filled[0], "cy") == 60 + 230);
    const std::vector<std::string> hollow = of_class(svg, "circle", "h-o1");
    REQUIRE(hollow.size() == 1);
    CHECK(attribute_of(hollow[0], "cx") == 40 + 230);
    CHECK_THAT(svg, Contains("1 points of training, filled, and 2 held out, hollow."));
    CHECK(collisions_in(svg) == "");
}

TEST_CASE("maps refuse what is not a matrix", "[tutorials][maps]") {
    CHECK(message_of<ShapeError>([] { map_svg("T", tensor::ones({3}), "t", "c"); }) ==
          "map_svg: the entries have shape [3]; it must be a matrix with 1 rows and columns, or "
          "more");
    const std::vector<std::string> names = {"one", "two"};
    CHECK(message_of<ShapeError>([&] {
              decision_svg("T", tensor::ones({1, 3}), square, {}, names);
          }) == "decision_svg: the entries have shape [1, 3]; it must be a matrix with 2 rows and "
                "columns, or more");
    CHECK(message_of<std::invalid_argument>([] {
              decision_svg("T", tensor::ones({2, 2}), square, {}, {"one"});
          }) == "decision_svg: there are 1 names; it must be one for each of the two classes");
}
