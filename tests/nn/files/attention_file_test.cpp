// Recorded attention written to a file and read again.
#include "nn/heed.h"
#include "tests/catch.h"
#include "tests/message_of.h"
#include "tests/nn/files/folder.h"

using namespace heed;

namespace {
void check_same(const AttentionRecord& a, const AttentionRecord& b) {
    CHECK(a.full_name() == b.full_name());
    CHECK(a.query_tokens == b.query_tokens);
    CHECK(a.key_tokens == b.key_tokens);
    CHECK(tensor::same_bits(a.Q, b.Q));
    CHECK(tensor::same_bits(a.K, b.K));
    CHECK(tensor::same_bits(a.V, b.V));
    CHECK(tensor::same_bits(a.scores, b.scores));
    CHECK(tensor::same_bits(a.weights, b.weights));
    CHECK(a.scale == b.scale);
    CHECK(a.temperature == b.temperature);
    CHECK(a.mask.has_value() == b.mask.has_value());
    if (a.mask) CHECK(*a.mask == *b.mask);
}

// A file that has all that save_attention() writes of one record, but for one part.
std::string error_with(const std::string& path, const std::string& name, const Tensor& part) {
    Random random(1);
    const Variable x(tensor::normal({3, 4}, random));
    RecordAttention recording;
    scaled_dot_product_attention(x, x, x, Mask::causal(3));
    save_attention(path, recording);
    const Safetensors whole(path);
    StateDict state = read_safetensors(path);
    state.take(name);
    if (part.rank() > 0) state.add(name, part);
    write_safetensors(path, state, {.metadata = whole.metadata()});
    return message_of<std::runtime_error>([&] { load_attention(path); });
}

}  // namespace

TEST_CASE("recorded attention is read as it was written", "[nn][record][files]") {
    const Folder folder;
    const std::string path = folder.file("attention.safetensors");
    Random random(2);
    const MultiHeadAttention layer(6, 2, random, {.d_head = 4, .d_v = 5, .scale = 1 / 3.0});
    const Variable x(tensor::normal({2, 4, 6}, random));
    RecordAttention recording(layer);
    recording.set_batch_tokens({{"\"", "</script>", "\uFFFD", ""}, {"a", "b", "c", "ä"}},
                               {{"1", "2", "3", "4"}, {"5", "6", "7", "8"}});
    layer(x, Mask::padding({4, 2}, 4));
    recording.set_tokens({"w", "x", "y", "z"});
    layer(x);
    attend(DotScore(), x, x, x, {.temperature = 0.1});
    save_attention(path, recording);
    const std::vector<AttentionRecord> kept = load_attention(path);
    REQUIRE(kept.size() == 3);
    const std::vector<AttentionRecord> written = recording.records();
    for (std::size_t i = 0; i < 3; ++i) check_same(kept[i], written[i]);
}

TEST_CASE("names and tokens that are not UTF-8 are refused", "[nn][record][files][errors]") {
    const Folder folder;
    const auto refused = [&](const AttentionRecord& record) {
        return message_of<std::runtime_error>(
            [&] { save_attention(folder.file("attention.safetensors"), {record}); });
    };
    const Tensor weights = tensor::ones({1, 1});
    const std::string rule = " is not UTF-8, so it cannot be written; give the tokens as their "
                             "vocabulary has them: tokenizer.token(id)";
    CHECK(refused({.name = "\xFF", .weights = weights}) ==
          "save_attention: the name \"\\xff\"" + rule);
    CHECK(refused({.name = "a", .query_tokens = {{"b\xE9"}}, .weights = weights}) ==
          "save_attention: the token \"b\\xe9\"" + rule);
    CHECK(refused({.name = "a", .key_tokens = {{"c"}, {"\xC3"}}, .weights = weights}) ==
          "save_attention: the token \"\\xc3\"" + rule);
    CHECK(folder.files() == 0);
}

TEST_CASE("a record of weights alone has a file", "[nn][record][files]") {
    const Folder folder;
    const std::string path = folder.file("attention.safetensors");
    const AttentionRecord record = {.name = "4.11", .weights = tensor::ones({2, 1})};
    save_attention(path, {record});
    const AttentionRecord kept = load_attention(path).at(0);
    check_same(kept, record);
    CHECK(kept.Q.numel() == 0);
}

TEST_CASE("files without recorded attention, or with a part of it, are refused",
          "[nn][record][files]") {
    const Folder folder;
    const std::string path = folder.file("attention.safetensors");
    write_safetensors(path, {});
    CHECK(message_of<std::runtime_error>([&] { load_attention(path); }) ==
          "load_attention: '" + path + "': it has no recorded attention");
    CHECK(message_of<std::runtime_error>([] {
              load_attention("no.safetensors");
          }).find("no.safetensors") != std::string::npos);
    const std::string file = "load_attention: '" + path + "': ";
    CHECK(error_with(path, "0.weights", tensor::of(1)) == file + "it lacks 0.weights");
    CHECK(error_with(path, "0.Q", tensor::ones({2, 4})) ==
          file + "0.Q [2, 4] does not fit 0.weights [3, 3]");
    CHECK(error_with(path, "0.V", tensor::ones({1, 3, 4})) ==
          file + "0.V [1, 3, 4] does not fit 0.weights [3, 3]");
    CHECK(error_with(path, "0.scores", tensor::ones({3, 4})) ==
          file + "0.scores [3, 4] does not fit 0.weights [3, 3]");
    CHECK(error_with(path, "0.mask", tensor::ones({2, 3})) ==
          file + "0.mask [2, 3] does not fit 0.weights [3, 3]");
    CHECK(error_with(path, "0.mask", tensor::ones({3})) == file + "0.mask is [3]");
}

TEST_CASE("what a file says of recorded attention is checked", "[nn][record][files]") {
    const Folder folder;
    const std::string path = folder.file("attention.safetensors");
    const auto error_of = [&](const std::string& about) {
        write_safetensors(path, {}, {.metadata = {{"heed.attention", about}}});
        return message_of<std::runtime_error>([&] { load_attention(path); });
    };
    CHECK(error_of("[").find(path) != std::string::npos);
    CHECK(error_of("{}").find("heed.attention") != std::string::npos);
    CHECK(error_of("[{}]").find("name") != std::string::npos);
    CHECK(error_of(R"([{"name": 1}])").find("name") != std::string::npos);
}
