// Safetensors, save() and load(): what was written is read, files of others are, and whatever is
// wrong with one is said.
#include "nn/heed.h"
#include "tests/catch.h"
#include "tests/message_of.h"
#include "tests/nn/files/folder.h"

#include <cstdio>
#include <filesystem>
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
    CHECK_THAT(refused(R"("a":"three.safetensors")"), Contains("there is no such file"));
    write(index, "{}");
    CHECK_THAT(message_of<std::runtime_error>([&] { read_safetensors(index); }),
               Contains("there is no \"weight_map\""));
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
        {file_of("", ""), "line 1, column 1: the text ends"},
        {file_of("[]", ""), "\"the header\" must be an object"},
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
         "\"x\" has a shape of more numbers than memory can hold"},
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
               Contains("NaN: '2.bias' holds entries that are no numbers"));
    CHECK(same(model, network(1)));
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
