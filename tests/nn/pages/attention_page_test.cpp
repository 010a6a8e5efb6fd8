// Pages of recorded attention: what is in the file, and what is refused before there is one.
// tests/pages/ opens them in a browser.
#include "tests/catch.h"

#include "nn/attention/attention.h"
#include "nn/pages/attention_data.h"
#include "nn/pages/attention_page.h"
#include "nn/pages/attention_view.h"
#include "tensor/ops.h"
#include "tests/message_of.h"
#include "tests/nn/pages/tiny_record.h"

#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>

using namespace heed;

namespace {
std::vector<AttentionRecord> recorded(const Shape& shape) {
    Random random(3);
    RecordAttention recording;
    const auto draw = [&] { return Variable(tensor::normal(shape, random)); };
    const Variable Q = draw(), K = draw(), V = draw();
    scaled_dot_product_attention(Q, K, V);
    return recording.records();
}

// The bytes that a base64 text stands for, by the table of RFC 4648.
std::string decoded(const std::string& text) {
    const std::string letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string bits, bytes;
    for (const char letter : text) {
        if (letter == '=') break;
        for (int bit = 5; bit >= 0; --bit) bits += letters.find(letter) >> bit & 1 ? '1' : '0';
    }
    for (std::size_t at = 0; at + 8 <= bits.size(); at += 8) {
        bytes += static_cast<char>(std::stoi(bits.substr(at, 8), nullptr, 2));
    }
    return bytes;
}

// The first text in the list of that name.
std::string first_of(const std::string& json, const std::string& name) {
    const std::string start = "\"" + name + "\":[\"";
    const std::size_t from = json.find(start) + start.size();
    return json.substr(from, json.find('"', from) - from);
}

std::string page_of(const std::vector<AttentionRecord>& records,
                    const AttentionPageOptions& options = {}) {
    const auto path = std::filesystem::temp_directory_path() / "heed_attention_page_test.html";
    save_attention_page(path.string(), records, options);
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    std::filesystem::remove(path);
    return text.str();
}

bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

const char* refused(const std::vector<AttentionRecord>& records, std::string& message) {
    message = message_of<std::invalid_argument>([&] { attention_view(records); });
    return message.c_str();
}

}  // namespace

TEST_CASE("base64 is that of RFC 4648", "[nn][attention_page]") {
    CHECK(base64("") == "");
    CHECK(base64("f") == "Zg==");
    CHECK(base64("fo") == "Zm8=");
    CHECK(base64("foo") == "Zm9v");
    CHECK(base64("foob") == "Zm9vYg==");
    CHECK(base64("fooba") == "Zm9vYmE=");
    CHECK(base64("foobar") == "Zm9vYmFy");
    CHECK(base64("\xff\xfe\xfd") == "//79");
}

TEST_CASE("a tiny view has these bytes", "[nn][attention_page]") {
#ifdef HEED_DOUBLE
    const std::string bits = "64", weights = "AAAAAAAA8D8AAAAAAADQPwAAAAAAAOg/";
#else
    const std::string bits = "32", weights = "AACAPwAAgD4AAEA/";
#endif
    CHECK(attention_view({tiny()}, {.id = "one", .title = "T & t", .note = "n"}) ==
          "<section class=\"heed-attention\" id=\"one\" aria-labelledby=\"one-title\">\n"
          "<h2 class=\"ha-title\" id=\"one-title\">T &amp; t</h2>\n<p "
          "class=\"ha-note\">n</p>\n<noscript>\n"
          "<p>The pictures need scripts, which are off. One head as numbers:</p>\n<table>\n"
          "<caption>tiny, the first head: rows are queries, columns keys; · is masked</caption>\n"
          "<tr><th scope=\"col\">query \\ key</th><th scope=\"col\">a</th>"
          "<th scope=\"col\">&lt;b</th></tr>\n"
          "<tr><th scope=\"row\">a</th><td>1.00</td><td>·</td></tr>\n"
          "<tr><th scope=\"row\">&lt;b</th><td>0.25</td><td>0.75</td></tr>\n</table>\n"
          "</noscript>\n<script type=\"application/json\">\n"
          "{\"bits\":" +
              bits +
              ",\"left_out\":0,\"records\":[\n"
              "{\"name\":\"tiny\",\"shape\":\"[2, 2]\",\"sequences\":1,\"heads\":1,\"T_q\":2,"
              "\"T_k\":2,\"d_q\":0,\"d_k\":0,\"d_v\":0,\"scale\":1,\"temperature\":1,"
              "\"queries\":[[\"a\",\"\\u003cb\"]],\"keys\":[[\"a\",\"\\u003cb\"]],"
              "\"mask\":{\"bits\":[\"sA==\"],\"of\":[0]},\"sparse\":true,\"weights\":[\"" +
              weights + "\"]}]}\n</script>\n</section>\n");
}

TEST_CASE("numbers in the page are the recorded bits", "[nn][attention_page]") {
    const std::vector<AttentionRecord> records = recorded({3, 5, 4});
    const std::string json = attention_json(records, AttentionDetail::everything);
    const auto same = [&](const char* name, const Tensor& part) {
        const Tensor matrix = tensor::contiguous(tensor::select(part, 0, 0));
        const std::string bytes = decoded(first_of(json, name));
        const std::size_t size = static_cast<std::size_t>(matrix.numel()) * sizeof(Scalar);
        return bytes.size() == size && std::memcmp(bytes.data(), matrix.data(), size) == 0;
    };
    CHECK(same("weights", records[0].weights));
    CHECK(same("scores", records[0].scores));
    CHECK(same("Q", records[0].Q));
    CHECK(same("K", records[0].K));
    CHECK(same("V", records[0].V));
}

TEST_CASE("weights of masked keys are in the page if they are not 0", "[nn][attention_page]") {
    AttentionRecord record = tiny();
    record.weights = tensor::of({{0.5, 0.5}, {0.25, 0.75}});
    const std::string json = attention_json({record}, AttentionDetail::everything);
    CHECK(has(json, "\"sparse\":false"));
    CHECK(decoded(first_of(json, "weights")).size() == 4 * sizeof(Scalar));
}

TEST_CASE("a part with fewer heads than the weights is repeated", "[nn][attention_page]") {
    std::vector<AttentionRecord> records = recorded({2, 3, 4});
    records[0].K = tensor::slice(records[0].K, 0, 0, 1);
    const Tensor second = head_of(records[0], records[0].K, 1);
    CHECK(second.shape() == Shape({3, 4}));
    CHECK(second(2, 3) == records[0].K(0, 2, 3));
}

TEST_CASE("a head of a batch has its own matrix, mask and tokens", "[nn][attention_page]") {
    std::vector<AttentionRecord> records = recorded({2, 3, 4, 5});
    records[0].mask = Mask::padding({4, 2}, 4);
    records[0].query_tokens = {{"a", "b", "c", "d"}, {"e", "f", "", "\x1b"}};
    CHECK(head_count(records[0]) == 6);
    CHECK(head_of(records[0], records[0].weights, 4)(2, 3) == records[0].weights(1, 1, 2, 3));
    CHECK(allowed_in(records[0], 2)[3]);
    CHECK_FALSE(allowed_in(records[0], 3)[3]);
    CHECK(shown_tokens(records[0], -2, 2) == Tokens{"a", "b", "c", "d"});
    CHECK(shown_tokens(records[0], -2, 3) == Tokens{"e", "f", "\"\"", "␛"});
    CHECK(shown_tokens(records[0], -1, 3) == Tokens{"0", "1", "2", "3"});
}

TEST_CASE("a page fetches nothing", "[nn][attention_page]") {
    const std::string page = page_of(recorded({2, 3, 4}));
    std::string without = page;
    const std::string name = "http://www.w3.org/2000/svg";
    const std::size_t at = without.find(name);
    REQUIRE(at != std::string::npos);
    without.erase(at, name.size());
    for (const char* word : {"http:", "https:", "src=", "@import", "url(", "<link", "eval("}) {
        INFO(word);
        CHECK_FALSE(has(without, word));
    }
    CHECK(has(page, "default-src 'none'"));
    CHECK_FALSE(has(attention_view_script(), "</"));
    CHECK_FALSE(has(attention_view_script(), "innerHTML"));
    CHECK_FALSE(has(attention_view_style(), "</"));
}

TEST_CASE("hostile tokens, names and titles stay text", "[nn][attention_page]") {
    AttentionRecord record = tiny();
    record.name = "</script><b>";
    record.query_tokens = record.key_tokens = {{"</script><img>", "<!--\u2028\u202E\x1b\xff"}};
    const std::string view = attention_view({record}, {.title = "</h2><b>", .note = "<script>"});
    CHECK(has(view, "&lt;/h2&gt;&lt;b&gt;"));
    CHECK(has(view, "\"\\u003c/script>\\u003cimg>\""));
    CHECK(has(view, "\"\\u003c!--\\u003cU+2028>\\u003cU+202E>␛\\u003c0xFF>\""));
    for (const char* part : {"<b>", "<img>", "<script>", "<!--", "\u2028", "\u202E", "\x1b"}) {
        INFO(part);
        CHECK_FALSE(has(view, part));
    }
    const std::size_t ends = view.find("</script>");
    CHECK(view.find("</script>", ends + 1) == std::string::npos);
}

TEST_CASE("what does not fit is left out, the values first", "[nn][attention_page]") {
    const std::vector<AttentionRecord> records = recorded({4, 6, 8});
    const auto view = [&](std::int64_t most) {
        return attention_view(records, {.most_bytes = most});
    };
    const auto [all, no_values, weights, rounded] = number_bytes(records);
    CHECK(has(view(all), "\"left_out\":0"));
    CHECK(has(view(all), "\"V\":["));
    CHECK(has(view(all - 1), "\"left_out\":1"));
    CHECK_FALSE(has(view(all - 1), "\"V\":["));
    CHECK(has(view(no_values - 1), "\"left_out\":2"));
    CHECK_FALSE(has(view(no_values - 1), "\"Q\":["));
    CHECK(has(view(weights - 1), "\"left_out\":3"));
    // Four matrices of 36 numbers of 16 bits: 72 bytes, 96 characters, quotes and a comma.
    CHECK(rounded == 4 * 99);
    CHECK(message_of<std::invalid_argument>([&, most = rounded - 1] { view(most); }) ==
          "attention_view: the weights of 1 record take 396 bytes in the page, and most_bytes is "
          "395; record fewer tokens, or one layer: RecordAttention(model, "
          "\"scaled_dot_product_attention\")");
}

TEST_CASE("rounded weights are the nearest units of 1/65535", "[nn][attention_page]") {
    const std::string json = attention_json({tiny()}, AttentionDetail::rounded_weights);
    // 65535, 16384 (from 16383.75) and 49151 (from 49151.25), the low byte first.
    CHECK(decoded(first_of(json, "weights")) == std::string("\xff\xff\x00\x40\xff\xbf", 6));
}

TEST_CASE("weights outside 0 to 1 are not rounded but refused", "[nn][attention_page]") {
    AttentionRecord record = tiny();
    record.mask.reset();
    record.weights = tensor::of({{2, -1}, {0.25, 0.75}});
    const std::int64_t exact = number_bytes({record})[2];
    CHECK(message_of<std::invalid_argument>([&] {
              attention_view({record}, {.most_bytes = exact - 1});
          }) == text("attention_view: the weights of 1 record take ", exact,
                     " bytes in the page, and most_bytes is ", exact - 1,
                     "; record fewer tokens, or one layer: RecordAttention(model, \"tiny\")"));
}

TEST_CASE("records that do not fit are refused", "[nn][attention_page]") {
    std::string message;
    CHECK(refused({}, message) == std::string("attention_view: there are no records; was the model "
                                              "called while the RecordAttention was alive?"));
    AttentionRecord record = tiny();
    record.weights = {};
    CHECK(refused({record}, message) ==
          std::string("attention_view: the weights of \"tiny\" must be [..., T_q, T_k], "
                      "and are [0]"));
    record.weights = tensor::ones({0, 2});
    record.query_tokens = {};
    record.mask.reset();
    CHECK(refused({record}, message) ==
          std::string("attention_view: the weights [0, 2] of \"tiny\" are empty"));
    record = tiny();
    record.query_tokens = {{"a", "b", "c"}};
    CHECK(refused({record}, message) ==
          std::string("attention_view: 3 queries are named, but the weights [2, 2] of \"tiny\" "
                      "have 2 rows"));
    record = tiny();
    record.key_tokens = {{"a"}};
    CHECK(refused({record}, message) ==
          std::string("attention_view: 1 key is named, but the weights [2, 2] of \"tiny\" have 2 "
                      "columns"));
    record = tiny();
    record.key_tokens = {{"a", "b"}, {"c", "d"}};
    CHECK(refused({record}, message) ==
          std::string("attention_view: the record has 2 lists of tokens, but the weights [2, 2] of "
                      "\"tiny\" are of 1 sequence"));
    record = tiny();
    record.mask = Mask::causal(3);
    CHECK(refused({record}, message) == std::string("attention_view: the mask [3, 3] of \"tiny\" "
                                                    "does not broadcast to the weights [2, 2]"));
    record = tiny();
    record.K = tensor::ones({3, 4});
    CHECK(refused({record}, message) == std::string("attention_view: K [3, 4] of \"tiny\" does "
                                                    "not fit the weights [2, 2]"));
    record = tiny();
    record.scores = tensor::ones({2, 3});
    CHECK(refused({record}, message) == std::string("attention_view: scores [2, 3] of \"tiny\" "
                                                    "does not fit the weights [2, 2]"));
    CHECK(
        message_of<std::invalid_argument>([] { attention_view({tiny()}, {.id = "1 x"}); }) ==
        "attention_view: the id \"1 x\" must be of letters, digits, - and _, with a letter first");
    CHECK(message_of<std::invalid_argument>([] { attention_view({tiny()}, {.heading = 7}); }) ==
          "attention_view: the heading is of level 7; it must be 1 to 6");
    CHECK(message_of<std::invalid_argument>([] { attention_view({tiny()}, {.id = ""}); }) ==
          "attention_view: the id \"\" must be of letters, digits, - and _, with a letter first");
}

TEST_CASE("a page that cannot be written, or must not, leaves no file", "[nn][attention_page]") {
    const std::filesystem::path folder =
        std::filesystem::temp_directory_path() / "heed_attention_page_test";
    std::filesystem::remove_all(folder);
    const std::string path = (folder / "page.html").string();
    const std::string message =
        message_of<std::runtime_error>([&] { save_attention_page(path, {tiny()}); });
    CHECK(has(message, path));
    CHECK_FALSE(std::filesystem::exists(folder));
    std::filesystem::create_directory(folder);
    CHECK_THROWS_AS(save_attention_page(path, std::vector<AttentionRecord>{}),
                    std::invalid_argument);
    CHECK(std::filesystem::is_empty(folder));
    std::filesystem::remove_all(folder);
}
