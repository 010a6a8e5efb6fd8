// Safetensors, save() and load(): what was written is read, files of others are, and whatever is
// wrong with one is said.
#include "nn/heed.h"
#include "tests/catch.h"
#include "tests/message_of.h"
#include "tests/nn/files/folder.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

using namespace heed;
namespace fs = std::filesystem;

namespace {
// A file with this header and these bytes after it.
std::string file_of(const std::string& header, const std::string& data) {
    std::string bytes;
    for (std::size_t i = 0; i < 8; ++i) bytes += static_cast<char>(header.size() >> 8 * i & 0xFF);
    return bytes + header + data;
}

Sequential network(std::uint64_t seed) {
    Random random(seed);
    return Sequential{Linear(3, 4, random), Relu(), Linear(4, 2, random)};
}

bool same(const Module& a, const Module& b) {
    const StateDict of_a = state_dict(a), of_b = state_dict(b);
    for (const StateDict::Entry& entry : of_a) {
        if (!tensor::same_bits(entry.value, of_b.at(entry.name))) return false;
    }
    return of_a.size() == of_b.size();
}

}  // namespace

TEST_CASE("a network is saved and loaded, a line each", "[nn][files]") {
    const Folder folder;
    const std::string path = folder.file("model.safetensors");
    const Sequential trained = network(1);
    save(path, trained);
    Sequential loaded = network(2);
    REQUIRE_FALSE(same(loaded, trained));
    load(path, loaded);
    CHECK(same(loaded, trained));
    save(path, network(3));  // over it
    load(path, loaded);
    CHECK(same(loaded, network(3)));
    CHECK(folder.files() == 1);
}

TEST_CASE("a tied parameter is written once", "[nn][files]") {
    const Folder folder;
    Random random(1);
    const GptConfig config{
        .vocab_size = 5, .limit = 4, .d_model = 4, .num_layers = 1, .num_heads = 1};
    const Gpt gpt(config, random);
    save(folder.file("gpt.safetensors"), gpt);
    const StateDict state = read_safetensors(folder.file("gpt.safetensors"));
    CHECK(state.contains("tokens.weight"));
    CHECK_FALSE(state.contains("head.weight"));
    Gpt other(config, random);
    load(folder.file("gpt.safetensors"), other);
    CHECK(same(other, gpt));
    CHECK(other.head.weight.node() == other.tokens.weight.node());
}

TEST_CASE("a file has the bytes that the format says", "[nn][files][safetensors]") {
    const Folder folder;
    StateDict state;
    state.add("a", tensor::of({{1, 2}, {3, 4}}));
    state.add("\"b\"", tensor::full({}, -1));
    state.add("none", tensor::zeros({0, 3}));
    const std::string path = folder.file("x.safetensors");
    write_safetensors(path, state, {.type = StoredType::f16, .metadata = {{"by", "heed"}}});
    const std::string header =
        R"({"__metadata__":{"by":"heed"},"a":{"dtype":"F16","shape":[2,2],"data_offsets":[0,8]},)"
        R"("\"b\"":{"dtype":"F16","shape":[],"data_offsets":[8,10]},)"
        R"("none":{"dtype":"F16","shape":[0,3],"data_offsets":[10,10]}})";
    std::string padded = header;
    padded.resize((header.size() + 7) / 8 * 8, ' ');
    const std::string numbers("\x00\x3C\x00\x40\x00\x42\x00\x44\x00\xBC", 10);
    CHECK(contents(path) == file_of(padded, numbers));
    const Safetensors file(path);
    CHECK(file.metadata().at("by") == "heed");
    REQUIRE(file.tensors().size() == 3);
    CHECK(tensor::same_bits(file.read(file.tensors()[0]), state.at("a")));
    CHECK(file.read(file.tensors()[1]).item() == -1);
    CHECK(file.read(file.tensors()[2]).shape() == Shape{0, 3});
}

TEST_CASE("all types are read, aligned or not", "[nn][files][safetensors]") {
    const Folder folder;
    const std::string path = folder.file("x.safetensors");
    for (const StoredType type :
         {StoredType::f32, StoredType::f64, StoredType::f16, StoredType::bf16}) {
        StateDict state;
        state.add("x", tensor::of({0.5, -2, 1024, -0.0}));
        write_safetensors(path, state, {.type = type});
        CHECK(tensor::same_bits(read_safetensors(path).at("x"), state.at("x")));
        // The same behind a header whose length is odd.
        const std::string bytes = contents(path);
        std::size_t length = static_cast<unsigned char>(bytes[0]);
        write(path, file_of(bytes.substr(8, length) + " ", bytes.substr(8 + length)));
        CHECK(tensor::same_bits(read_safetensors(path).at("x"), state.at("x")));
    }
}

TEST_CASE("a long tensor is written whole", "[nn][files][safetensors]") {
    const Folder folder;
    const std::string path = folder.file("x.safetensors");
    StateDict state;
    const Tensor steps = tensor::arange(3 * 65537);
    state.add("x", steps / 128);  // exact as F32
    state.add("y", tensor::ones({1 << 16}));
    for (const StoredType type : {StoredType::f32, StoredType::f64}) {
        write_safetensors(path, state, {.type = type});
        const StateDict read = read_safetensors(path);
        CHECK(tensor::same_bits(read.at("x"), state.at("x")));
        CHECK(tensor::same_bits(read.at("y"), state.at("y")));
    }
}

TEST_CASE("what is read stays when the file is replaced, and can be written to",
          "[nn][files][safetensors]") {
    const Folder folder;
    const std::string path = folder.file("x.safetensors");
    StateDict state;
    state.add("x", tensor::ones({1000}));
    write_safetensors(path, state);
    Tensor x = read_safetensors(path).at("x");
    StateDict other;
    other.add("x", tensor::zeros({1000}));
    write_safetensors(path, other);
    CHECK(tensor::same_bits(x, tensor::ones({1000})));
    tensor::overwrite(x, tensor::full({1000}, 2));
    CHECK(tensor::same_bits(read_safetensors(path).at("x"), tensor::zeros({1000})));
}

TEST_CASE("a model in shards is read through its index", "[nn][files][safetensors]") {
    const Folder folder;
    StateDict first, second;
    first.add("a", tensor::ones({2}));
    first.add("b", tensor::full({3}, 2));
    second.add("c", tensor::full({1}, 3));
    write_safetensors(folder.file("one.safetensors"), first);
    write_safetensors(folder.file("two.safetensors"), second);
    const std::string index = folder.file("model.safetensors.index.json");
    const auto with = [&](const std::string& map) {
        write(index, "{\"metadata\": {}, \"weight_map\": {" + map + "}}");
        return index;
    };
    const StateDict all = read_safetensors(
        with(R"("a":"one.safetensors","b":"one.safetensors","c":"two.safetensors")"));
    CHECK(all.size() == 3);
    CHECK(all.at("c").item() == 3);

    const auto refused = [&](const std::string& map) {
        return message_of<std::runtime_error>([&] { read_safetensors(with(map)); });
    };
    CHECK_THAT(refused(R"("a":"one.safetensors","c":"two.safetensors")"),
               Contains("\"b\" is in \"one.safetensors\", and the index does not say so"));
    CHECK_THAT(refused(R"("a":"one.safetensors","b":"one.safetensors","d":"two.safetensors")"),
               Contains("\"c\" is in \"two.safetensors\", and the index does not say so"));
    CHECK_THAT(refused(R"("a":"one.safetensors","b":"one.safetensors","d":"one.safetensors")"),
               Contains("\"d\" should be in \"one.safetensors\", and is not"));
    for (const char* outside :
         {"../one.safetensors", "/etc/passwd", "", "..", "x/one.safetensors"}) {
        CHECK_THAT(refused("\"a\":\"" + std::string(outside) + "\""),
                   Contains("a file of the same folder must be named"));
    }
    CHECK_THAT(refused(R"("a":"three.safetensors")"),
               Contains("three.safetensors\": there is no such file"));
    CHECK_THAT(refused(R"("a":"one.safetensors","a":"two.safetensors")"),
               Contains("the name \"a\" is there already"));
    CHECK_THAT(refused(R"("a":["one.safetensors"])"), Contains("\"a\" must be a string"));
    CHECK_THAT(refused(R"("a":".")"), Contains("this is a folder, not a file"));
    CHECK_THAT(refused(R"("a":"model.safetensors.index.json")"),
               Contains("over the limit of 100000000; this is probably not a safetensors file"));
    // A name in two shards.
    second.add("a", tensor::ones({2}));
    write_safetensors(folder.file("two.safetensors"), second);
    CHECK_THAT(refused(R"("a":"one.safetensors","b":"one.safetensors","c":"two.safetensors")"),
               Contains("\"a\" is in \"two.safetensors\", and the index does not say so"));
    write(folder.file("two.safetensors"), "cut off");
    CHECK_THAT(refused(R"("a":"one.safetensors","b":"one.safetensors","c":"two.safetensors")"),
               Contains("two.safetensors\": it has 7 bytes"));
    write(index, "{}");
    CHECK_THAT(message_of<std::runtime_error>([&] { read_safetensors(index); }),
               Contains("there is no \"weight_map\""));
}

TEST_CASE("tensors of one number and of none lie where the format lets them",
          "[nn][files][safetensors]") {
    const Folder folder;
    const std::string path = folder.file("x.safetensors"), eight(8, '\0');
    write(path, file_of(R"({"b":{"dtype":"U8","shape":[],"data_offsets":[7,8]},)"
                        R"("none":{"shape":[3,0],"data_offsets":[7,7],"dtype":"F64"},)"
                        R"("":{"data_offsets":[0,7],"dtype":"I8","shape":[7,1]},)"
                        R"("last":{"dtype":"BF16","shape":[0],"data_offsets":[8,8]}}   )",
                        "\x01\xFF\x03\x04\x05\x06\x80\xFE"));
    const StateDict state = read_safetensors(path);
    REQUIRE(state.size() == 4);
    CHECK(tensor::same_bits(state.at(""), tensor::of({{1}, {-1}, {3}, {4}, {5}, {6}, {-128}})));
    CHECK(state.at("none").shape() == Shape{3, 0});
    CHECK(state.at("b").shape() == Shape{});
    CHECK(state.at("b").item() == 254);
    CHECK(state.at("last").shape() == Shape{0});
}

TEST_CASE("no file is written that could not be read", "[nn][files][errors]") {
    const Folder folder;
    const std::string path = folder.file("x.safetensors");
    const auto refused = [&](const std::string& name) {
        StateDict state;
        state.add(name, tensor::ones({1}));
        return message_of<std::runtime_error>([&] { write_safetensors(path, state); });
    };
    const std::string begin = "safetensors: \"" + path + "\": ";
    CHECK(refused("__metadata__") ==
          begin + "\"__metadata__\" cannot be a tensor's name in a file");
    CHECK(refused("a\xFF") == begin + "\"a\\xff\" cannot be a tensor's name in a file: it is not "
                                      "UTF-8");
    const auto refused_metadata = [&](const std::string& key, const std::string& value) {
        return message_of<std::runtime_error>([&] {
            write_safetensors(path, {}, {.metadata = {{"a", "b"}, {key, value}}});
        });
    };
    CHECK(refused_metadata("k\xFF", "v") ==
          begin + "\"k\\xff\" cannot be a key of the metadata: it is not UTF-8");
    CHECK(refused_metadata("k", "v\xC3") ==
          begin + "\"v\\xc3\", the metadata of \"k\", cannot be written: it is not UTF-8");
    Checkpoint run;
    std::int64_t step = 0;
    run.add("step\xFF", step);
    CHECK_THAT(message_of<std::runtime_error>([&] { run.save(path); }),
               Contains("cannot be written: it is not UTF-8"));
    const StateDict state;
    for (const int wrong : {9, 4, -1}) {
        CHECK(message_of<std::invalid_argument>([&] {
                  write_safetensors(path, state, {.type = static_cast<StoredType>(wrong)});
              }) ==
              text("write_safetensors: type is ", wrong, "; its enum has only the values 0 to 3"));
    }
    CHECK(folder.files() == 0);
    const std::string unusual("\uFFFD\n\"\\\0z", 8);
    StateDict any;
    any.add(unusual, tensor::ones({1}));
    write_safetensors(path, any, {.metadata = {{unusual, unusual}, {"", ""}}});
    CHECK(read_safetensors(path).contains(unusual));
    CHECK(Safetensors(path).metadata() ==
          std::map<std::string, std::string>{{unusual, unusual}, {"", ""}});
}

TEST_CASE("a header that is too long to be read is not written", "[nn][files][errors][slow]") {
    const Folder folder;
    const std::string path = folder.file("x.safetensors");
    CHECK(message_of<std::runtime_error>([&] {
              write_safetensors(path, {}, {.metadata = {{"long", std::string(100'000'000, 'x')}}});
          }) == "safetensors: \"" + path +
                    "\": its header would have 100000032 bytes, over the limit of 100000000");
    CHECK(folder.files() == 0);
}

TEST_CASE("whatever is wrong with a file is said, and nothing is read", "[nn][files][errors]") {
    const Folder folder;
    const std::string path = folder.file("x.safetensors");
    const auto refused = [&](const std::string& bytes) {
        write(path, bytes);
        return message_of<std::runtime_error>([&] { read_safetensors(path); });
    };
    const std::string eight(8, '\0');
    const auto entry = [](const std::string& rest) { return "{\"x\":{" + rest + "}}"; };
    const std::pair<std::string, const char*> wrong[] = {
        {"", "it has 0 bytes, less than the 8 of the header's length"},
        {"1234567", "it has 7 bytes, less than the 8"},
        {std::string(8, '\xFF'),
         "the header's length is 18446744073709551615 bytes, over the limit"},
        {std::string("\x10\0\0\0\0\0\0\0{}", 10),
         "the header's length is 16 bytes, and only 2 follow; the file is cut off, or no"},
        {file_of("", ""), "the header does not begin with {"},
        {file_of("[]", ""), "the header does not begin with {"},
        {file_of("{", ""), "line 1, column 2: the text ends"},
        {file_of("{\"x\":1}", ""), "\"x\" must be an object"},
        {file_of("{\"x\":{},\"x\":{}}", ""), "the name \"x\" is there already"},
        {file_of(entry(""), ""), "there is no \"dtype\""},
        {file_of(entry(R"("dtype":"F32")"), ""), "there is no \"shape\""},
        {file_of(entry(R"("dtype":"F32","shape":[])"), ""), "there is no \"data_offsets\""},
        {file_of(entry(R"("dtype":"F8","shape":[2],"data_offsets":[0,8])"), eight),
         "\"x\" is of type \"F8\"; F64, F32, F16, BF16"},
        {file_of(entry(R"("dtype":"F32","shape":[3],"data_offsets":[0,8])"), eight),
         "\"x\" is F32 [3] and lies in bytes 0 to 8, which is not its length"},
        {file_of(entry(R"("dtype":"F32","shape":[2],"data_offsets":[8,0])"), eight),
         "\"x\" is F32 [2] and lies in bytes 8 to 0, which is not its length"},
        {file_of(entry(R"("dtype":"F32","shape":[2],"data_offsets":[0])"), eight),
         "\"x\" has 1 data_offsets; there must be two"},
        {file_of(entry(R"("dtype":"F32","shape":[-2],"data_offsets":[0,8])"), eight),
         "\"x\" has a negative number, -2, in shape"},
        {file_of(entry(R"("dtype":"F32","shape":[1.5],"data_offsets":[0,8])"), eight),
         "\"shape\" must be a whole number of 64 bits"},
        {file_of(entry(R"("dtype":"F32","shape":[1,1,1,1,1,1,1,1,2],"data_offsets":[0,8])"), eight),
         "\"x\" has 9 axes; a tensor has at most 8"},
        {file_of(entry(R"("dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,8])"),
                 eight),
         "\"x\" has a shape with more numbers than memory can hold"},
        {file_of(entry(R"("dtype":"F32","shape":[2],"data_offsets":[0,8],"device":"cpu")"), eight),
         "\"x\" has a member \"device\"; there should be dtype, shape and data_offsets"},
        {file_of(entry(R"("dtype":"F32","shape":[2],"data_offsets":[0,8])"), "1234567"),
         "\"x\" ends at byte 8 of 7; the file is cut off"},
        {file_of(entry(R"("dtype":"F32","shape":[2],"data_offsets":[0,8])"), eight + "1"),
         "the last tensor ends at byte 8 of 9; nothing says what the rest is"},
        {file_of(entry(R"("dtype":"F32","shape":[2],"data_offsets":[4,12])"), eight + "1234"),
         "\"x\" begins at byte 4, after a hole: what is before it ends at 0"},
        {file_of(R"({"x":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},)"
                 R"("y":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}})",
                 eight),
         "\"y\" begins at byte 4, inside the tensor before it, which ends at 8"},
        {file_of("{\"__metadata__\":{\"a\":1}}", ""), "\"a\" must be a string"},
        {file_of("{\"__metadata__\":[]}", ""), "\"__metadata__\" must be an object"},
        {file_of("{\"__metadata__\":{\"a\":\"b\",\"a\":\"c\"}}", ""),
         "the name \"a\" is there already"},
        {file_of(" {}", ""), "the header does not begin with {"},
        {file_of("\xEF\xBB\xBF{}", ""), "the header does not begin with {"},
        {file_of("{} x", ""), "line 1, column 4: something follows the end of the value"},
        {file_of("{}" + std::string(6, '\0'), ""), "something follows the end of the value"},
        {file_of("{\"x\":" + std::string(200, '['), ""), "more than 100 arrays and objects"},
        {std::string("\0\xE4\x0B\x54\x02\0\0\0{}", 10),  // 10 GB
         "the header's length is 10000000000 bytes, over the limit of 100000000"},
        {std::string("PK\x03\x04\x14\0\0\0\0\0", 10),
         "this is a zip file, as NumPy's .npz and PyTorch's .pt are, which heed does not read; "
         "save the numbers as safetensors in Python, with safetensors.numpy.save_file() or "
         "safetensors.torch.save_file()"},
        {std::string("\x93NUMPY\1\0v\0", 10), "this is NumPy's .npy, which heed does not read"},
        {file_of(entry(R"("dtype":"f32","shape":[2],"data_offsets":[0,8])"), eight),
         "\"x\" is of type \"f32\""},
        {file_of(entry(R"("dtype":null,"shape":[2],"data_offsets":[0,8])"), eight),
         "\"dtype\" must be a string"},
        {file_of(entry(R"("dtype":"F32","shape":2,"data_offsets":[0,8])"), eight),
         "\"shape\" must be an array"},
        {file_of(entry(R"("dtype":"F32","shape":[2],"data_offsets":[0,"8"])"), eight),
         "\"data_offsets\" must be a whole number"},
        {file_of(entry(R"("dtype":"F32","shape":[1e999],"data_offsets":[0,8])"), eight),
         "this number is beyond the largest of 64 bits"},
        {file_of(entry(R"("dtype":"F32","shape":[2],"data_offsets":[0,1e1])"), eight),
         "\"data_offsets\" must be a whole number of 64 bits"},
        {file_of(entry(R"("dtype":"F32","shape":[2],"data_offsets":[18446744073709551608,0])"),
                 eight),
         "\"data_offsets\" must be a whole number of 64 bits"},
        {file_of(entry(R"("dtype":"F32","shape":[2],"data_offsets":[9223372036854775800,)"
                       R"(9223372036854775807])"),
                 eight),
         "which is not its length"},
        {file_of(entry(R"("dtype":"F32","shape":[2],"data_offsets":[-8,0])"), eight),
         "\"x\" has a negative number, -8, in data_offsets"},
        {file_of(entry(R"("dtype":"F32","shape":[2],"data_offsets":[8,16])"), eight),
         "\"x\" ends at byte 16 of 8; the file is cut off"},
        {file_of(entry(R"("dtype":"F32","shape":[0,4294967296,4294967296],"data_offsets":[0,0])"),
                 ""),
         "\"x\" has a shape with more numbers than memory can hold"},
        {file_of(R"({"x":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},)"
                 R"("y":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})",
                 eight),
         "\"y\" begins at byte 0, inside the tensor before it, which ends at 8"},
        {file_of(R"({"x":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},)"
                 R"("y":{"dtype":"F32","shape":[0],"data_offsets":[4,4]}})",
                 eight),
         "\"y\" begins at byte 4, inside the tensor before it, which ends at 8"},
        {file_of("{}", "1"), "the last tensor ends at byte 0 of 1; nothing says what the rest is"},
    };
    for (const auto& [bytes, problem] : wrong) {
        INFO(problem);
        const std::string message = refused(bytes);
        CHECK_THAT(message, Contains(problem));
        CHECK_THAT(message, Contains("x.safetensors"));
    }
    CHECK_NOTHROW([&] {
        write(path, file_of("{}", ""));
        read_safetensors(path);
    }());

    const auto unreadable = [](const std::string& file) {
        return message_of<std::runtime_error>([&] { read_safetensors(file); });
    };
    CHECK_THAT(unreadable(folder.file("absent")), Contains("absent\": there is no such file"));
    CHECK_THAT(unreadable(folder.file("")), Contains("this is a folder, not a file"));
    CHECK_THAT(unreadable("/dev/null"), Contains("this is a pipe or a device, not a file"));
}

TEST_CASE("a file that does not fit the network changes nothing and says why",
          "[nn][files][errors]") {
    const Folder folder;
    const std::string path = folder.file("x.safetensors");
    Sequential model = network(1);
    const auto refused = [&](const std::string& name, const Tensor& value) {
        StateDict state;
        for (const StateDict::Entry& entry : state_dict(network(2))) {
            if (entry.name != "2.bias") state.add(entry.name, entry.value);
        }
        state.add(name, value);
        write_safetensors(path, state);
        try {
            load(path, model);
        } catch (const std::invalid_argument& error) {
            return std::string(error.what());
        }
        return std::string("nothing was thrown");
    };
    CHECK_THAT(refused("2.bais", tensor::ones({2})),
               Contains("load: \"" + path +
                        "\" does not fit the Sequential, and nothing was loaded\n  missing: "
                        "'2.bias'\n  not expected: '2.bais'; did you mean '2.bias'?\n  at "
                        "safetensors_test.cpp:"));
    CHECK_THAT(refused("2.bias", tensor::ones({3})),
               Contains("wrong shape: '2.bias' is [3] in the state, but [2] in the network"));
    CHECK_THAT(refused("2.bias", tensor::of({1, __builtin_nan("")})),
               Contains("NaN: '2.bias' holds entries that are not numbers"));
    CHECK(same(model, network(1)));
}

TEST_CASE("the report on a file of another network can be read", "[nn][files][errors]") {
    const Folder folder;
    const std::string path = folder.file("x.safetensors");
    const GptConfig config{
        .vocab_size = 5, .limit = 4, .d_model = 4, .num_layers = 12, .num_heads = 1};
    Random random(1);
    Gpt gpt(config, random);
    const StateDict own = state_dict(gpt);
    const std::size_t parameters = own.size() - 1;  // head.weight is tokens.weight
    const auto report_on = [&](const std::string& prefix, const Tensor& value) {
        StateDict state;
        for (const StateDict::Entry& entry : own) {
            if (entry.name != "head.weight") state.add(prefix + entry.name, value);
        }
        write_safetensors(path, state);
        try {
            load(path, gpt);
        } catch (const std::invalid_argument& error) {
            return std::string(error.what());
        }
        return std::string("nothing was thrown");
    };
    const auto lines = [](const std::string& text) {
        return std::count(text.begin(), text.end(), '\n') + 1;
    };
    // All are missing, all are unexpected, and all are NaN: ten of each, and a line that counts.
    const std::string names = report_on("gpt.", tensor::full({1}, std::nan("")));
    CHECK(lines(names) == 1 + 3 * 11 + 1);
    CHECK_THAT(names, Contains("\n  missing: 'tokens.weight'\n"));
    CHECK_THAT(names, Contains(text("\n  and ", parameters + 1 - 10, " more are missing\n")));
    CHECK_THAT(names, Contains("not expected: 'gpt.tokens.weight'; did you mean 'tokens.weight'?"));
    CHECK_THAT(names, Contains(text("\n  and ", parameters - 10, " more are not expected\n")));
    CHECK_THAT(names, Contains(text("\n  and ", parameters - 10, " more hold NaN\n")));
    const std::string shapes = report_on("", tensor::ones({3, 5}));
    CHECK(lines(shapes) == 1 + 11 + 1);
    CHECK_THAT(shapes,
               Contains("wrong shape: 'tokens.weight' is [3, 5] in the state, but [5, 4] in "
                        "the network"));
    CHECK_THAT(shapes, Contains(text("\n  and ", parameters - 10, " more have a wrong shape\n")));
    Random again(1);
    CHECK(same(gpt, Gpt(config, again)));
}

TEST_CASE("a file that cannot be written leaves the one before", "[nn][files][errors]") {
    const Folder folder;
    const auto refused = [](const std::string& path) {
        return message_of<std::runtime_error>([&] { save(path, network(1)); });
    };
    CHECK_THAT(refused(folder.file("no/such/folder")), Contains("No such file or directory"));
    CHECK_THAT(refused(folder.file("")), Contains("write: "));
    const std::string path = folder.file("x.safetensors");
    save(path, network(1));
    CHECK_THROWS_AS(write_whole(path,
                                [](const WriteBytes& append) {
                                    append("half", 4);
                                    throw std::runtime_error("stopped");
                                }),
                    std::runtime_error);
    CHECK(folder.files() == 1);
    Sequential model = network(2);
    load(path, model);
    CHECK(same(model, network(1)));
}

// Called by check_safetensors.cmake with files of safetensors_files.py, where there is Python.
TEST_CASE("files of another writer are read, and another reader reads ours",
          "[.safetensors_files]") {
    const char* const folder = std::getenv("HEED_SAFETENSORS_FILES");
    REQUIRE(folder);
    const auto path = [&](const std::string& name) { return text(folder, "/", name); };
    std::ifstream list(path("list"));
    int count = 0;
    for (std::string line; std::getline(list, line); ++count) {
        INFO(line);
        std::istringstream words(line);
        std::string file, name;
        char kind = ' ';
        std::vector<std::int64_t> dims;
        words >> file >> name >> kind;
        for (std::int64_t length = 0; words >> length;) dims.push_back(length);
        const std::string bytes = contents(text(path(file), ".", name, ".values"));
        const StateDict state = read_safetensors(path(file));
        const Tensor read = state.at(name);
        REQUIRE(read.shape() == Shape(Dims(dims)));
        const std::vector<Scalar> numbers = read.to_vector();
        REQUIRE(bytes.size() == 8 * numbers.size());
        int differ = 0;
        for (std::size_t i = 0; i < numbers.size(); ++i) {
            double real = 0;
            std::int64_t whole = 0;
            std::memcpy(&real, bytes.data() + 8 * i, 8);
            std::memcpy(&whole, bytes.data() + 8 * i, 8);
            const Scalar expected = kind == 'd'   ? static_cast<Scalar>(real)
                                    : kind == 'q' ? static_cast<Scalar>(whole)
                                                  : static_cast<Scalar>(std::uint64_t(whole));
            differ += numbers[i] != expected || std::signbit(numbers[i]) != std::signbit(expected);
        }
        CHECK(differ == 0);
    }
    CHECK(count > 100);

    const std::string bytes = contents(path("numbers"));
    std::vector<double> given(bytes.size() / 8);
    std::memcpy(given.data(), bytes.data(), bytes.size());
    const std::vector<Scalar> numbers(given.begin(), given.end());
    StateDict state;
    const std::int64_t half = static_cast<std::int64_t>(numbers.size() / 2);
    state.add("numbers", tensor::from_vector(numbers, {2, half}));
    state.add("none", tensor::zeros({0, 3}));
    state.add("one \u00fc\n\"\\", tensor::full({}, -1.5));
    const std::pair<const char*, StoredType> types[] = {{"F64", StoredType::f64},
                                                        {"F32", StoredType::f32},
                                                        {"F16", StoredType::f16},
                                                        {"BF16", StoredType::bf16}};
    for (const auto& [name, type] : types) {
        write_safetensors(path(text("heed_", name, ".safetensors")), state,
                          {.type = type, .metadata = {{"by", "heed"}, {"\u00fc\n\"", "\\"}}});
    }
}
