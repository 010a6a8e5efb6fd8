// Paths that no function takes: the empty one, and one that holds a NUL byte. And the longest
// names.
#include "nn/heed.h"
#include "tensor/quote.h"
#include "tests/catch.h"
#include "tests/message_of.h"
#include "tests/nn/files/folder.h"

#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

using namespace heed;

namespace {
struct Call {
    const char* name;
    std::function<void(const std::string& path)> call;
    const char* operation;  // as the error names it
};

Random dice(1);

std::vector<Call> calls_with_a_path() {
    static Linear layer(2, 2, dice);
    static const Tokenizer tokenizer = train_byte_pairs("a text", 257);
    static const AttentionRecord record{.name = "a", .weights = tensor::ones({2, 2})};
    static Checkpoint run;
    static std::int64_t step = 0;
    static const bool added = [] {
        run.add("step", step);
        return true;
    }();
    static_cast<void>(added);
    using Path = const std::string&;
    return {
        {"write_safetensors", [](Path path) { write_safetensors(path, {}); }, "write"},
        {"save", [](Path path) { save(path, layer); }, "write"},
        {"Checkpoint::save", [](Path path) { run.save(path); }, "write"},
        {"save_attention", [](Path path) { save_attention(path, {record}); }, "write"},
        {"save_attention_page", [](Path path) { save_attention_page(path, {record}); }, "write"},
        {"save_attention_svg", [](Path path) { save_attention_svg(path, record); }, "write"},
        {"write_tokenizer_json", [](Path path) { write_tokenizer_json(path, tokenizer); }, "write"},
        {"write_byte_pairs", [](Path path) { write_byte_pairs(path, path, tokenizer); }, "write"},
        {"read_safetensors", [](Path path) { read_safetensors(path); }, "read"},
        {"load", [](Path path) { load(path, layer); }, "read"},
        {"Checkpoint::load", [](Path path) { run.load(path); }, "read"},
        {"load_attention", [](Path path) { load_attention(path); }, "read"},
        {"read_tokenizer_json", [](Path path) { read_tokenizer_json(path); }, "read"},
        {"load_tokenizer", [](Path path) { load_tokenizer(path); }, "load_tokenizer"},
        {"model_folder", [](Path path) { model_folder(path); }, "model"},
        {"gpt_config", [](Path path) { gpt_config(path); }, "model"},
        {"text_encoder_config", [](Path path) { text_encoder_config(path); }, "model"},
        {"load_gpt", [](Path path) { load_gpt(path); }, "model"},
        {"load_text_encoder", [](Path path) { load_text_encoder(path); }, "model"},
        {"names_left_out", [](Path path) { names_left_out(path); }, "model"},
    };
}

std::string refusal(const Call& call, const std::string& path) {
    return message_of<std::runtime_error>([&] { call.call(path); });
}

}  // namespace

TEST_CASE("an empty path is refused by every function", "[nn][files][errors]") {
    for (const Call& call : calls_with_a_path()) {
        INFO(call.name);
        CHECK(refusal(call, "") == std::string(call.operation) +
                                       ": the path is empty; give the name of a file or folder");
    }
}

TEST_CASE("a path with a NUL byte is refused by every function", "[nn][files][errors]") {
    const Folder folder;
    const std::string cut = folder.file("a"), path = cut + '\0' + "b";
    write(cut, "as it was");
    for (const Call& call : calls_with_a_path()) {
        INFO(call.name);
        CHECK(refusal(call, path) == std::string(call.operation) + ": " + in_quotes(path) +
                                         ": a path cannot contain a NUL byte");
    }
    CHECK(contents(cut) == "as it was");
    CHECK(folder.files() == 1);
}

TEST_CASE("a file may have the longest name that the system takes", "[nn][files]") {
    const Folder folder;
    // Of 255 bytes, with one and with three bytes a character.
    std::string ideographs;
    while (ideographs.size() < 255) ideographs += "注";
    for (const std::string& name : {std::string(255, 'x'), ideographs}) {
        const std::string path = folder.file(name);
        write_safetensors(path, {});
        CHECK(read_safetensors(path).size() == 0);
        write_safetensors(path, {});  // over it
    }
    CHECK(folder.files() == 2);
    CHECK(message_of<std::runtime_error>([&] {
              write_safetensors(folder.file(std::string(256, 'x')), {});
          }) == "write: " + in_quotes(folder.file(std::string(256, 'x'))) + ": File name too long");
}

TEST_CASE("what a killed writer of a long name left is removed", "[nn][files]") {
    const Folder folder;
    std::string name = "xx";
    while (name.size() < 240) name += "注";
    // The 100th byte is inside a character, so the name is cut before that character.
    const std::string left = folder.file(name.substr(0, 98) + ".17.part");
    write(left, "left");
    write_safetensors(folder.file(name), {});
    CHECK_FALSE(std::filesystem::exists(left));
    CHECK(folder.files() == 1);
}

TEST_CASE("a file without a folder in its path is written to the current one", "[nn][files]") {
    const Folder folder;
    const std::filesystem::path before = std::filesystem::current_path();
    std::filesystem::current_path(folder.path());
    write_safetensors("x", {});
    const bool is_there = std::filesystem::exists(folder.file("x"));
    std::filesystem::current_path(before);
    CHECK(is_there);
    CHECK(folder.files() == 1);
}
