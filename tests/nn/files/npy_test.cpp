// .npy and .npz: files that NumPy wrote are read, and whatever is wrong with one is said.
#include "nn/files/npy.h"

#include "tensor/factories.h"
#include "tensor/ops/compare.h"
#include "tests/catch.h"
#include "tests/message_of.h"
#include "tests/nn/files/folder.h"
#include "tests/nn/files/numpy_files.h"

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

using namespace heed;

namespace {
class NpyFolder : public Folder {
  public:
    // A file that NumPy wrote.
    std::string numpy(const std::string& name) const {
        const std::string path = file(name.substr(0, 3) == "npz" ? "x.npz" : "x.npy");
        write(path, numpy_file(name));
        return path;
    }
    std::string with(const std::string& bytes) const {
        write(file("x.npy"), bytes);
        return file("x.npy");
    }
};

// A file of format 1.0.
std::string npy(const std::string& header, const std::string& data) {
    std::string bytes("\x93NUMPY\x01\x00", 8);
    for (std::size_t i = 0; i < 2; ++i) bytes += static_cast<char>(header.size() >> 8 * i & 0xFF);
    return bytes + header + data;
}

// The first line of the error, and that it names the file.
std::string refused(const NpyFolder& folder, const std::string& bytes) {
    const std::string path = folder.with(bytes);
    return message_of<std::runtime_error>([&] { read_npy(path); });
}

std::vector<std::int64_t> integers(const IndexTensor& x) {
    return {x.data(), x.data() + x.numel()};
}

}  // namespace

TEST_CASE("arrays of NumPy are read, of all types, orders and versions", "[nn][files][npy]") {
    const NpyFolder folder;
    const Tensor halves = tensor::of({{1, -2.5, 3}, {0.25, -0.0, 6}});
    for (const char* name : {"f2", "f4", "f8", "f4 big-endian", "f8 big-endian", "f4 Fortran",
                             "version 2", "version 3"}) {
        INFO(name);
        const Tensor read = read_npy(folder.numpy(name));
        CHECK(read.shape() == Shape{2, 3});
        CHECK(tensor::same_bits(read, halves));
        CHECK(read.is_contiguous() == (std::string(name) != "f4 Fortran"));
    }
    const Tensor wholes = tensor::of({{1, -2, 3}, {100, 0, -128}});
    for (const char* name : {"i1", "i2 big-endian", "i4"}) {
        INFO(name);
        CHECK(tensor::same_bits(read_npy(folder.numpy(name)), wholes));
    }
    CHECK(tensor::same_bits(read_npy(folder.numpy("u1")), tensor::of({0, 255})));
    CHECK(tensor::same_bits(read_npy(folder.numpy("u2 big-endian")), tensor::of({1, 65535})));
    CHECK(tensor::same_bits(read_npy(folder.numpy("b1")), tensor::of({1, 0, 1})));
    CHECK(read_npy(folder.numpy("u8 too large")).to_vector()[1] == Scalar(0x1p63));
    CHECK(read_npy(folder.numpy("scalar")).shape() == Shape{});
    CHECK(read_npy(folder.numpy("scalar")).item() == 7);
    CHECK(read_npy(folder.numpy("empty")).shape() == Shape{0, 3});
    const Tensor cube = read_npy(folder.numpy("i8 Fortran"));
    CHECK(cube.shape() == Shape{2, 3, 4});
    CHECK(cube(1, 2, 3) == 23);
    CHECK(cube(1, 0, 2) == 14);
}

TEST_CASE("whole numbers are read without rounding", "[nn][files][npy]") {
    const NpyFolder folder;
    const auto read = [&](const char* name) { return read_npy_integers(folder.numpy(name)); };
    const std::vector<std::int64_t> wholes = {1, -2, 3, 100, 0, -128};
    for (const char* name : {"i1", "i2 big-endian", "i4"}) {
        INFO(name);
        CHECK(read(name).shape() == Shape{2, 3});
        CHECK(integers(read(name)) == wholes);
    }
    CHECK(integers(read("i8")) ==
          std::vector<std::int64_t>{(std::int64_t{1} << 62) + 1, -1, INT64_MIN});
    CHECK(integers(read("u1")) == std::vector<std::int64_t>{0, 255});
    CHECK(integers(read("u2 big-endian")) == std::vector<std::int64_t>{1, 65535});
    CHECK(integers(read("u8")) == std::vector<std::int64_t>{INT64_MAX});
    CHECK(integers(read("b1")) == std::vector<std::int64_t>{1, 0, 1});
    const IndexTensor cube = read("i8 Fortran");
    CHECK(cube.shape() == Shape{2, 3, 4});
    CHECK(integers(cube) == integers(IndexTensor::arange(24)));

    const auto said = [&](const char* name) {
        return message_of<std::runtime_error>([&] { read(name); });
    };
    CHECK_THAT(
        said("u8 too large"),
        Contains("x.npy\": it holds the number 9223372036854775808, which is over 2^63 - 1"));
    CHECK_THAT(said("f4"), Contains("x.npy\": it holds floating-point numbers (\"<f4\"), which "
                                    "read_npy() reads"));
}

TEST_CASE("what is read of a .npy file stays, and can be written to", "[nn][files][npy]") {
    const NpyFolder folder;
    const std::string path = folder.numpy("f4");
    Tensor x = read_npy(path);
    tensor::overwrite(x, tensor::full({2, 3}, 5));
    CHECK(read_npy(path)(0, 0) == 1);
    std::filesystem::remove(path);
    CHECK(x(0, 0) == 5);
}

TEST_CASE("a .npz file is read by names, stored or deflated", "[nn][files][npy]") {
    const NpyFolder folder;
    const StateDict stored = read_npz(folder.numpy("npz"));
    REQUIRE(stored.size() == 2);
    CHECK(stored.begin()->name == "W");
    CHECK(tensor::same_bits(stored.at("W"), tensor::of({{1, -2.5, 3}, {0.25, -0.0, 6}})));
    CHECK(tensor::same_bits(stored.at("\u00fc/b"), tensor::of({1, 2})));
    const StateDict packed = read_npz(folder.numpy("npz compressed"));
    REQUIRE(packed.size() == 2);
    CHECK(tensor::same_bits(packed.at("zeros"), tensor::zeros({50, 40})));
    CHECK(tensor::same_bits(packed.at("steps"), tensor::arange(300)));
}

TEST_CASE("arrays that are not numbers are refused by name", "[nn][files][npy][errors]") {
    const NpyFolder folder;
    const std::pair<const char*, const char*> foreign[] = {
        {"objects", "it holds Python objects, pickled, and to read those is to run them (\"|O\")"},
        {"complex", "it holds complex numbers (\"<c8\"); f2, f4, f8, i1 to i8, u1 to u8 and b1"},
        {"strings", "it holds strings (\"<U2\")"},
        {"bytes", "it holds strings (\"|S2\")"},
        {"raw", "it holds raw bytes or records (\"|V4\")"},
        {"records", "it holds records of several fields; arrays of numbers can be read"},
        {"dates", "it holds dates or times (\"<M8[D]\")"},
        {"long double", "it holds numbers of a type that is not read (\"<f16\")"},
    };
    for (const auto& [name, problem] : foreign) {
        INFO(name);
        CHECK_THAT(refused(folder, numpy_file(name)), Contains("npy: \""));
        CHECK_THAT(refused(folder, numpy_file(name)), Contains("x.npy\": " + std::string(problem)));
    }
}

TEST_CASE("whatever is wrong with a .npy file is said", "[nn][files][npy][errors]") {
    const NpyFolder folder;
    const std::string f4 = numpy_file("f4"), eight(8, '\0');
    const auto dict = [](const std::string& shape) {
        return "{'descr': '<f4', 'fortran_order': False, 'shape': " + shape + "}";
    };
    CHECK(read_npy(folder.with(npy(dict("(2,)"), eight))).shape() == Shape{2});
    CHECK(read_npy(folder.with(npy(dict("(2L, 1L)"), eight))).shape() == Shape{2, 1});
    CHECK(read_npy(
              folder.with(npy("{\"shape\":(1,2,),'fortran_order':True,\"descr\":'=f4',}\n", eight)))
              .shape() == Shape{1, 2});
    CHECK(read_npy(folder.with(npy(dict("(0, 1000000000000)"), ""))).numel() == 0);
    const std::pair<std::string, const char*> wrong[] = {
        {"", "it does not begin as a .npy file does"},
        {"\x93NUMPX", "it does not begin as a .npy file does"},
        {numpy_file("npz"),
         "it does not begin as a .npy file does; it is a zip file, for read_npz()"},
        {"\x93NUMPY", "it ends inside its header; it is cut off"},
        {std::string("\x93NUMPY\x04\0", 8), "it is of format 4.0; 1.0, 2.0 and 3.0 can be read"},
        {std::string("\x93NUMPY\x01\x01", 8), "it is of format 1.1; 1.0, 2.0 and 3.0 can be read"},
        {std::string("\x93NUMPY\x01\0\x10", 9), "it ends inside its header; it is cut off"},
        {std::string("\x93NUMPY\x01\0\x10\0{}", 12),
         "its header's length is 16, and only 2 bytes follow; it is cut off"},
        {std::string("\x93NUMPY\x02\0\xFF\xFF\xFF\xFF", 12),
         "its header's length is 4294967295, over the limit of 10000"},
        {npy("", ""), "its header, at character 1: { must be here"},
        {npy("[]", ""), "its header, at character 1: { must be here"},
        {npy("{}", ""), "its header has no 'descr'"},
        {npy("{'descr': '<f4'}", ""), "its header has no 'fortran_order'"},
        {npy("{'descr': '<f4', 'fortran_order': False", ""), "at character 40: } must be here"},
        {npy("{'descr': '<f4', 'fortran_order': False}", ""), "its header has no 'shape'"},
        {npy("{'descr': '<f4', 'descr': '<f4'}", ""), "'descr' is there already"},
        {npy("{'fortran_order': 1}", ""), "at character 19: False must be here"},
        {npy("{'fortran_order': False, 'fortran_order': False}", ""),
         "'fortran_order' is there already"},
        {npy("{'shape': (1,), 'shape': (1,)}", ""), "'shape' is there already"},
        {npy("{'size': 1}", ""), "a header has no member \"size\""},
        {npy("{'descr' '<f4'}", ""), "at character 10: : must be here"},
        {npy("{'descr': 'f\\x34'}", ""), "a string with a backslash is not read"},
        {npy("{'descr': '<f4}", ""), "at character 11: a string must be here"},
        {npy("{'descr': __import__('os')}", ""), "at character 11: a string must be here"},
        {npy(dict("(2,)") + "1", eight), "something follows the header's }"},
        {npy(dict("(2)"), eight), "a comma must be here: (n) is not a tuple"},
        {npy(dict("(2 4)"), eight), "a comma must be here: (n) is not a tuple"},
        {npy(dict("(2, 4 4)"), eight), ") must be here"},
        {npy(dict("(-2,)"), eight), "a length of 0 to 2^63 - 1 must be here"},
        {npy(dict("(2.5,)"), eight), "a comma must be here"},
        {npy(dict("(9223372036854775808,)"), eight), "a length of 0 to 2^63 - 1 must be here"},
        {npy(dict("(4294967296, 4294967296)"), eight),
         "its shape has more numbers than memory can hold"},
        {npy(dict("(0, 4294967296, 4294967296)"), ""),
         "its shape has more numbers than memory can hold"},
        {npy(dict("(1, 1, 1, 1, 1, 1, 1, 1, 2)"), eight), "it has 9 axes; a tensor has at most 8"},
        {npy("{'descr': '<f3', 'fortran_order': False, 'shape': (2,)}", eight),
         "it holds numbers of a type that is not read (\"<f3\")"},
        {npy("{'descr': '<f', 'fortran_order': False, 'shape': (2,)}", eight),
         "it holds numbers of a type that is not read (\"<f\")"},
        {npy("{'descr': '', 'fortran_order': False, 'shape': (2,)}", eight),
         "it holds numbers of a type that is not read (\"\")"},
        {npy(dict("(3,)"), eight), "[3] of \"<f4\" takes 77 bytes with the header, and it has 73; "
                                   "it is cut off"},
        {f4 + "1", "[2, 3] of \"<f4\" takes 152 bytes with the header, and it has 153; what "
                   "follows is not read"},
        {f4 + f4, "what follows is not read"},  // two arrays saved to one open file
    };
    for (const auto& [bytes, problem] : wrong) {
        INFO(problem);
        CHECK_THAT(refused(folder, bytes), Contains(problem));
        CHECK_THAT(refused(folder, bytes), Contains("npy: \"" + folder.file("x.npy") + "\": "));
    }
    const auto unreadable = [](const std::string& file) {
        return message_of<std::runtime_error>([&] { read_npy(file); });
    };
    CHECK_THAT(unreadable(folder.file("absent")), Contains("absent\": there is no such file"));
    CHECK_THAT(unreadable(folder.file("")), Contains("this is a folder, not a file"));
    CHECK_THAT(unreadable("/dev/null"), Contains("this is a pipe or a device, not a file"));
}

// Written by check_numpy.cmake with make_numpy_files.py, where there is NumPy.
TEST_CASE("many files of NumPy are read as it reads them", "[.numpy]") {
    const char* const folder = std::getenv("HEED_NUMPY_FILES");
    REQUIRE(folder);
    const auto path = [&](const std::string& name) { return text(folder, "/", name); };
    std::ifstream list(path("list"));
    std::string line, last;
    StateDict npz;
    int count = 0;
    for (; std::getline(list, line); ++count) {
        INFO(line);
        std::istringstream words(line);
        std::string file, name;
        char kind = ' ';
        std::vector<std::int64_t> dims;
        words >> file >> name >> kind;
        for (std::int64_t length = 0; words >> length;) dims.push_back(length);
        const std::string bytes = contents(text(path(file), ".", name, ".values"));
        const std::int64_t n = static_cast<std::int64_t>(bytes.size() / 8);
        if (file.ends_with(".npz") && file != last) npz = read_npz(path(last = file));
        const Tensor read = name == "-" ? read_npy(path(file)) : npz.at(name);
        REQUIRE(read.shape() == Shape(Dims(dims)));
        REQUIRE(read.numel() == n);
        const std::vector<Scalar> numbers = read.to_vector();
        std::int64_t differ = 0;
        for (std::int64_t i = 0; i < n; ++i) {
            const char* const from = bytes.data() + 8 * i;
            double real = 0;
            std::int64_t whole = 0;
            std::memcpy(&real, from, 8);
            std::memcpy(&whole, from, 8);
            const Scalar expected = kind == 'f'   ? static_cast<Scalar>(real)
                                    : kind == 'i' ? static_cast<Scalar>(whole)
                                                  : static_cast<Scalar>(std::uint64_t(whole));
            differ += numbers[static_cast<std::size_t>(i)] != expected;
        }
        CHECK(differ == 0);
        if (name != "-" || kind == 'f') continue;
        bool too_large = false;
        for (std::int64_t i = 0; i < n && kind == 'u'; ++i) too_large |= bytes[8 * i + 7] < 0;
        if (too_large) {
            CHECK_THROWS_AS(read_npy_integers(path(file)), std::runtime_error);
        } else {
            const IndexTensor whole = read_npy_integers(path(file));
            CHECK(whole.shape() == Shape(Dims(dims)));
            CHECK(std::string(reinterpret_cast<const char*>(whole.data()), bytes.size()) == bytes);
        }
    }
    CHECK(count > 800);
    CHECK(read_npz(path("empty.npz")).size() == 0);
}
