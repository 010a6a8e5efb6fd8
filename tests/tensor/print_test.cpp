// How tensors are printed.
#include "nn/heed.h"

#include "tests/catch.h"
#include "tests/message_of.h"

#include <limits>
#include <locale>

using namespace heed;
using tensor::arange;
using tensor::of;
using tensor::zeros;

namespace {
const double not_a_number = std::numeric_limits<double>::quiet_NaN();

struct Continental : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\3"; }
};

bool ends_lines_with_spaces(const std::string& text) {
    return text.find(" \n") != std::string::npos || text.back() == ' ';
}

}  // namespace

TEST_CASE("numbers are aligned, with four decimals and the shape", "[tensor][print]") {
    CHECK(to_string(of({{0.1, 2}, {-3, 10.5}})) == "[[ 0.1000,  2.0000],\n"
                                                   " [-3.0000, 10.5000]]  [2, 2]");
    CHECK(to_string(of({0.5})) == "[0.5000]  [1]");
    CHECK(text(of({0.25, 1})) == "[0.2500, 1.0000]  [2]");
}

TEST_CASE("whole numbers have no decimals", "[tensor][print]") {
    CHECK(to_string(of({1, 20, -3})) == "[ 1., 20., -3.]  [3]");
    CHECK(to_string(zeros({2})) == "[0., 0.]  [2]");
    CHECK(to_string(of({1, 2.5})) == "[1.0000, 2.5000]  [2]");
}

TEST_CASE("a single number stands without brackets", "[tensor][print]") {
    CHECK(to_string(of(3.5)) == "3.5000  []");
    CHECK(to_string(of(7)) == "7.  []");
    CHECK(to_string(IndexTensor(std::vector<std::int64_t>{4}, Shape{})) == "4  []");
}

TEST_CASE("an empty tensor prints as its shape", "[tensor][print]") {
    CHECK(to_string(of({})) == "[]  [0]");
    CHECK(to_string(zeros({2, 0, 3})) == "[]  [2, 0, 3]");
    CHECK(to_string(IndexTensor()) == "[]  [0]");
    CHECK(to_string(BoolTensor()) == "[]  [0]");
    CHECK(to_string(Mask::causal(0)) == "[]  [0, 0]");
}

TEST_CASE("matrices of a batch have a blank line between them", "[tensor][print]") {
    CHECK(to_string(of({{{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}})) == "[[[1., 2.],\n"
                                                                 "  [3., 4.]],\n"
                                                                 "\n"
                                                                 " [[5., 6.],\n"
                                                                 "  [7., 8.]]]  [2, 2, 2]");
    CHECK(to_string(of({{{{1}}, {{2}}}, {{{3}}, {{4}}}})) == "[[[[1.]],\n"
                                                             "\n"
                                                             "  [[2.]]],\n"
                                                             "\n"
                                                             "\n"
                                                             " [[[3.]],\n"
                                                             "\n"
                                                             "  [[4.]]]]  [2, 2, 1, 1]");
}

TEST_CASE("very large and very small numbers have exponents", "[tensor][print]") {
    CHECK(to_string(of({2e8, 1e8})) == "[2.0000e+08, 1.0000e+08]  [2]");
    CHECK(to_string(of(100000000)) == "100000000.  []");
    CHECK(to_string(of({0.00012, 0})) == "[0.0001, 0.0000]  [2]");
    CHECK(to_string(of({0.00009, 0})) == "[9.0000e-05, 0.0000e+00]  [2]");
    CHECK(to_string(of({1e-5, 0})) == "[1.0000e-05, 0.0000e+00]  [2]");
    const double largest = static_cast<double>(std::numeric_limits<Scalar>::max());
    CHECK_THAT(to_string(of(largest)),
               Contains(sizeof(Scalar) == 4 ? "3.4028e+38" : "1.7977e+308"));
}

TEST_CASE("a small number among others has an exponent of its own", "[tensor][print]") {
    CHECK(to_string(of({{0.25, 5e-6}, {-1.5, -7e-9}})) == "[[ 0.2500,   5e-06],\n"
                                                          " [-1.5000,  -7e-09]]  [2, 2]");
    CHECK(to_string(of({0.5, -501})) == "[   0.5000, -501.0000]  [2]");
    CHECK(to_string(of({1, 1001})) == "[   1., 1001.]  [2]");
    CHECK(to_string(of({1, 0.00006, 0.00004})) == "[1.0000, 0.0001,  4e-05]  [3]");
    CHECK(to_string(of({1.5, 0.04, 4e-6}), {.decimals = 1}) == "[  1.5,   0.0, 4e-06]  [3]");
    CHECK(to_string(of({1, 1000, 0})) == "[   1., 1000.,    0.]  [3]");
}

TEST_CASE("nan and infinities are aligned and do not change the others", "[tensor][print]") {
    CHECK(to_string(of({0.5, not_a_number, -infinity, infinity})) ==
          "[0.5000,    nan,   -inf,    inf]  [4]");
    CHECK(to_string(of({1, -not_a_number, -infinity})) == "[  1.,  nan, -inf]  [3]");
    CHECK(to_string(of({1e-5, infinity})) == "[1.0000e-05,        inf]  [2]");
    CHECK(to_string(of(not_a_number)) == "nan  []");
}

TEST_CASE("a zero has no sign", "[tensor][print]") {
    CHECK(to_string(of({-0.0, 1})) == "[0., 1.]  [2]");
    CHECK(to_string(of({-0.0, 0.5})) == "[0.0000, 0.5000]  [2]");
    CHECK(to_string(of({-0.0, 1e-5})) == "[0.0000e+00, 1.0000e-05]  [2]");
    CHECK(fixed(-0.00004) == "0.0000");
    CHECK(fixed(-0.00006) == "-0.0001");
}

TEST_CASE("a strided tensor prints the entries of its window", "[tensor][print]") {
    const Tensor x = of({{1, 2, 3}, {4, 5, 6}});
    const Tensor transposed(x.storage(), 0, {3, 2}, {1, 3});
    CHECK(to_string(transposed) == "[[1., 4.],\n [2., 5.],\n [3., 6.]]  [3, 2]");
    const Tensor expanded(x.storage(), 3, {2, 2}, {0, 2});
    CHECK(to_string(expanded) == "[[4., 6.],\n [4., 6.]]  [2, 2]");
}

TEST_CASE("a large tensor is cut to its edges", "[tensor][print]") {
    CHECK(to_string(arange(1001)) == "[   0.,    1.,    2., ...,  998.,  999., 1000.]  [1001]");
    CHECK_THAT(to_string(arange(1000)), !Contains("..."));
    PrintOptions options;
    options.summarise_above = 11;
    options.edge = 1;
    const Tensor x = tensor::from_vector(arange(12).to_vector(), {3, 4});
    CHECK(to_string(x, options) == "[[ 0., ...,  3.],\n ...,\n [ 8., ..., 11.]]  [3, 4]");
    const Tensor y = tensor::from_vector(arange(12).to_vector(), {2, 6});
    CHECK(to_string(y, options) == "[[ 0., ...,  5.],\n [ 6., ..., 11.]]  [2, 6]");
    const Tensor z = tensor::from_vector(arange(12).to_vector(), {3, 2, 2});
    CHECK(to_string(z, options) == "[[[ 0.,  1.],\n  [ 2.,  3.]],\n\n ...,\n\n"
                                   " [[ 8.,  9.],\n  [10., 11.]]]  [3, 2, 2]");
}

TEST_CASE("only the printed entries decide the number format", "[tensor][print]") {
    Tensor x = zeros({2000});
    x.writable_data()[1000] = Scalar(0.5);
    CHECK(to_string(x) == "[0., 0., 0., ..., 0., 0., 0.]  [2000]");
}

TEST_CASE("a long row goes on in the next line", "[tensor][print]") {
    PrintOptions options;
    options.line_width = 14;
    CHECK(to_string(arange(7), options) == "[0., 1., 2.,\n 3., 4., 5.,\n 6.]  [7]");
    CHECK(to_string(of({{1, 2, 3, 4}, {5, 6, 7, 8}}), options) ==
          "[[1., 2., 3.,\n  4.],\n [5., 6., 7.,\n  8.]]  [2, 4]");
    options.line_width = 15;
    CHECK(to_string(arange(4), options) == "[0., 1., 2.,\n 3.]  [4]");
    options.line_width = 16;
    CHECK(to_string(arange(4), options) == "[0., 1., 2., 3.]  [4]");
    options.line_width = 0;
    CHECK(to_string(arange(2), options) == "[0.,\n 1.]  [2]");
    options.line_width = 2000;
    CHECK_THAT(to_string(arange(200), options), !Contains("\n"));
}

TEST_CASE("decimals and the shape can be chosen", "[tensor][print]") {
    PrintOptions options;
    options.decimals = 2;
    options.shape = false;
    CHECK(to_string(of({0.125, 3.14159}), options) == "[0.12, 3.14]");
    CHECK(to_string(of({1e-9}), options) == "[1.00e-09]");
    CHECK(to_string(IndexTensor({1, 2}), options) == "[1, 2]");
    CHECK(to_string(BoolTensor({true}, {1}), options) == "[true]");
    CHECK(to_string(Mask::all_allowed(1, 2), options) == "x x");
    options.decimals = 0;
    CHECK(to_string(of({0.5, 1.75}), options) == "[0, 2]");
}

TEST_CASE("indices and booleans print like numbers", "[tensor][print]") {
    CHECK(text(IndexTensor{{1, -20}, {300, 4}}) == "[[  1, -20],\n [300,   4]]  [2, 2]");
    CHECK(text(BoolTensor({true, false, false, true}, {2, 2})) ==
          "[[ true, false],\n [false,  true]]  [2, 2]");
    CHECK(text(BoolTensor::full({}, false)) == "false  []");
    CHECK(to_string(IndexTensor::arange(2000)) ==
          "[   0,    1,    2, ..., 1997, 1998, 1999]  [2000]");
}

TEST_CASE("a mask prints as a grid of queries and keys", "[tensor][print][mask]") {
    CHECK(text(Mask::causal(2, 3)) == "x x ·\nx x x  [2, 3]");
    CHECK(text(Mask::causal(2) & Mask::padding({1, 2}, 2)) == "[0, 0, :, :]\n"
                                                              "x ·\n"
                                                              "x ·\n"
                                                              "\n"
                                                              "[1, 0, :, :]\n"
                                                              "x ·\n"
                                                              "x x  [2, 1, 2, 2]");
    PrintOptions options;
    options.summarise_above = 8;
    options.edge = 1;
    CHECK(to_string(Mask::causal(3), options) == "x ... ·\n...\nx ... x  [3, 3]");
    CHECK(to_string(Mask::padding({1, 2, 0, 2}, 3), options) == "[0, 0, :, :]\n"
                                                                "x ... ·\n"
                                                                "\n"
                                                                "...\n"
                                                                "\n"
                                                                "[3, 0, :, :]\n"
                                                                "x ... ·  [4, 1, 1, 3]");
}

TEST_CASE("no line ends with a space", "[tensor][print]") {
    Random random(1);
    const Shape shapes[] = {{},        {3},       {0},          {2, 0},   {40},
                            {3, 2},    {2, 3, 4}, {1, 1, 1, 1}, {50, 50}, {2, 2, 2, 200},
                            {2000, 1}, {1, 2000}};
    for (const Shape& shape : shapes) {
        INFO(shape.text());
        CHECK_FALSE(ends_lines_with_spaces(to_string(tensor::normal(shape, random))));
    }
    CHECK_FALSE(ends_lines_with_spaces(to_string(Mask::causal(60))));
    CHECK_FALSE(ends_lines_with_spaces(to_string(Mask::padding({1, 2, 3}, 700))));
}

TEST_CASE("a number is written with a fixed count of decimals", "[tensor][print]") {
    CHECK(fixed(3.14159) == "3.1416");
    CHECK(fixed(3.14159, 2) == "3.14");
    CHECK(fixed(-2.5, 0) == "-2");
    CHECK(fixed(1234567.5, 1) == "1234567.5");
    CHECK(fixed(infinity) == "inf");
    CHECK(fixed(-infinity) == "-inf");
    CHECK(fixed(-not_a_number) == "nan");
    CHECK(fixed(1e308, 100).size() == 309 + 1 + 100);
}

TEST_CASE("the locale changes nothing that is printed", "[tensor][print]") {
    const std::locale before = std::locale::global(std::locale(std::locale(), new Continental));
    const std::string numbers = text(of({1234.5, 1000.25}));
    const std::string indices = text(IndexTensor({1234567}));
    const std::string number = fixed(1234.5, 1);
    std::locale::global(before);
    CHECK(numbers == "[1234.5000, 1000.2500]  [2]");
    CHECK(indices == "[1234567]  [1]");
    CHECK(number == "1234.5");
}

TEST_CASE("invalid options are rejected", "[tensor][print]") {
    const Tensor x = of({1});
    const auto print = [&](const PrintOptions& options) {
        return message_of<std::invalid_argument>([&] { to_string(x, options); });
    };
    PrintOptions options;
    options.decimals = -1;
    CHECK(print(options) == "to_string: decimals is -1; it must be between 0 and 100");
    CHECK(message_of<std::invalid_argument>([] { fixed(1, 101); }) ==
          "fixed: decimals is 101; it must be between 0 and 100");
    options = {};
    options.edge = 0;
    CHECK(print(options) == "to_string: edge is 0; it must be 1 or more");
    CHECK(message_of<std::invalid_argument>([&] { to_string(Mask::causal(2), options); }) ==
          "to_string: edge is 0; it must be 1 or more");
    CHECK(message_of<std::invalid_argument>([&] { to_string(IndexTensor({1}), options); }) ==
          "to_string: edge is 0; it must be 1 or more");
    CHECK(message_of<std::invalid_argument>([&] { to_string(BoolTensor(), options); }) ==
          "to_string: edge is 0; it must be 1 or more");
    options = {};
    options.summarise_above = -1;
    CHECK(print(options) ==
          "to_string: summarise_above is -1 and line_width is 80; both must be 0 or more");
    options = {};
    options.line_width = -2;
    CHECK(print(options) ==
          "to_string: summarise_above is 1000 and line_width is -2; both must be 0 or more");
}
