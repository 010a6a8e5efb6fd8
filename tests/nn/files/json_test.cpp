// Json: what it reads, and what it refuses in which words.
#include "nn/files/json.h"

#include "tensor/errors.h"
#include "tests/catch.h"
#include "tests/message_of.h"

#include <cmath>
#include <stdexcept>
#include <string>

using namespace heed;

namespace {
// The value as a text that says all of it: strings by their bytes, objects in the text's order.
std::string told(const Json& json) {
    std::string inside;
    if (json.is_array()) {
        for (const Json& item : json.items("it"))
            inside += (inside.empty() ? "" : " ") + told(item);
        return "(" + inside + ")";
    }
    if (json.is_object()) {
        for (const auto& [name, value] : json.members("it"))
            inside += name + "=" + told(value) + ";";
        return "<" + inside + ">";
    }
    if (json.is_string()) return json.string("it");
    if (json.is_null()) return "nothing";
    try {
        return text(json.number("it"));
    } catch (const std::runtime_error&) {
        return json.boolean("it") ? "yes" : "no";
    }
}

Json read(const std::string& text) { return Json::parse(text, "a.json"); }

std::string refused(const std::string& text) {
    return message_of<std::runtime_error>([&] { read(text); });
}

}  // namespace

TEST_CASE("JSON values of all kinds are read", "[nn][files][json]") {
    const Json json = read("\xEF\xBB\xBF { \"a\" : [1, -2.5e3, true, false, null], \"b\": {\"c\": "
                           "\"x\\n\\u00e9\\ud83d\\ude00\xC3\xBC\"}, \"\": 0 }\n");
    const std::vector<Json>& a = json.at("a").items("a");
    REQUIRE(a.size() == 5);
    CHECK(a[0].whole("a") == 1);
    CHECK(a[1].number("a") == -2500);
    CHECK(a[2].boolean("a"));
    CHECK_FALSE(a[3].boolean("a"));
    CHECK(a[4].is_null());
    CHECK(json.at("b").at("c").string("c") == "x\n\u00e9\U0001F600\u00fc");
    CHECK(json.at("").whole("") == 0);
    CHECK(json.find("d") == nullptr);
    CHECK(a[0].find("d") == nullptr);
    CHECK(read("[]").items("it").empty());
    CHECK(read("{}").members("it").empty());
    CHECK(read("{\"z\":1,\"a\":2}").members("it")[0].first == "z");  // in the order of the text
    CHECK(read("9223372036854775807").whole("it") == INT64_MAX);
    CHECK(read("-9223372036854775808").whole("it") == INT64_MIN);
    CHECK(read("0.1").number("it") == 0.1);
    CHECK(read("1e-400").number("it") == 0);
    CHECK(read("-0").whole("it") == 0);
}

TEST_CASE("what is unusual, but JSON, is read", "[nn][files][json]") {
    const std::string zero("\0", 1);
    const std::pair<std::string, std::string> right[] = {
        {"\t\r\n null \n", "nothing"},
        {"\"\"", ""},
        {"[[],{},[[]],[{}]]", "(() <> (()) (<>))"},
        {"{\"a\":{\"a\":{\"a\":[]}}}", "<a=<a=<a=();>;>;>"},
        {"{\"a\":1,\"A\":2,\"a \":3}", "<a=1;A=2;a =3;>"},
        {"{\"\":{\"\":0}}", "<=<=0;>;>"},
        {"[\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"]", "(\"\\/\b\f\n\r\t)"},
        {"\"\\u0041\\u00E9\\u00e9\"", "A\u00e9\u00e9"},
        {"\"\\u0000\"", zero},
        {"{\"a\\u0000\":1,\"a\":2}", "<a" + zero + "=1;a=2;>"},
        {"\"\\u007f\\u0080\\u07ff\\u0800\\uffff\"", "\x7F\xC2\x80\xDF\xBF\xE0\xA0\x80\xEF\xBF\xBF"},
        {"\"\\ud800\\udc00\\uDBFF\\uDFFF\"", "\U00010000\U0010FFFF"},
        {"\"\\u005cn\"", "\\n"},  // an escaped backslash, and then an n
        {"\"\\\\u0041\"", "\\u0041"},
        {"\"\x7F\"", "\x7F"},  // a control character, but not one of those below 0x20
        {"\"\uFEFF\uFFFF\u2028\"", "\uFEFF\uFFFF\u2028"},
        {"\"/* no comment */ // \"", "/* no comment */ // "},
        {"[0,-0,0.0,-0.0,0e9,-0E-9]", "(0 -0 0 -0 0 -0)"},
        {"[1E2,1e+2,1e-2,1.5e00001,123e0]", "(100 100 0.01 15 123)"},
        {"[1e308,1e-308,5e-324]", "(1e+308 1e-308 4.94066e-324)"},
        {"[1e-400,-1e-9999]", "(0 -0)"},
        {"0." + std::string(400, '0') + "1", "0"},
        {"1" + std::string(300, '0'), "1e+300"},
        {"1.000000000000000055511151231257827", "1"},
        {"[9223372036854775807,-9223372036854775808,18446744073709551615]",
         "(9.22337e+18 -9.22337e+18 1.84467e+19)"},
        {"[true,false,null]", "(yes no nothing)"},
    };
    for (const auto& [json, value] : right) {
        INFO(json);
        CHECK(told(read(json)) == value);
    }
    CHECK(std::signbit(read("-0").number("it")));
    CHECK(read("9007199254740993").whole("it") == 9007199254740993);
    CHECK(read("9007199254740993").number("it") == 9007199254740992.0);
    CHECK(read("0.1e1").number("it") == 1);
    const std::string wide = "[" + std::string(200'000, ' ') + "1]";
    CHECK(told(read(wide)) == "(1)");
    const std::string longest(1'000'000, 'x');
    CHECK(read("\"" + longest + "\"").string("it") == longest);
}

TEST_CASE("what is not JSON is refused at its place", "[nn][files][json][errors]") {
    const std::pair<std::string, std::string> wrong[] = {
        {"", "line 1, column 1: the text ends in the middle of a value"},
        {" ", "line 1, column 2: the text ends in the middle of a value"},
        {"[1, 2", "line 1, column 6: the text ends in the middle of a value"},
        {"[1,]", "line 1, column 4: no value begins here"},
        {"[,1]", "line 1, column 2: no value begins here"},
        {"{\"a\":1,}", "line 1, column 8: a name in quotes must be here"},
        {"{a:1}", "line 1, column 2: a name in quotes must be here"},
        {"{\"a\" 1}", "line 1, column 6: a colon must be here"},
        {"{\"a\":1,\n \"a\":2}", "line 2, column 2: the name \"a\" is there already"},
        {"[1 2]", "line 1, column 4: a comma or the end of what began with [ must be here"},
        {"[1}", "line 1, column 3: a comma or the end of what began with [ must be here"},
        {"1 2", "line 1, column 3: something follows the end of the value"},
        {"01", "line 1, column 2: something follows the end of the value"},
        {"-", "line 1, column 2: a digit must be here"},
        {"1.", "line 1, column 3: a digit must be here"},
        {".5", "line 1, column 1: no value begins here"},
        {"1e+", "line 1, column 4: a digit must be here"},
        {"+1", "line 1, column 1: no value begins here"},
        {"1e400", "line 1, column 1: this number is beyond the largest of 64 bits"},
        {"NaN", "line 1, column 1: no value begins here"},
        {"Infinity", "line 1, column 1: no value begins here"},
        {"True", "line 1, column 1: no value begins here"},
        {"'a'", "line 1, column 1: no value begins here"},
        {"// x\n1", "line 1, column 1: no value begins here"},
        {"\"a", "line 1, column 3: the text ends in the middle of a value"},
        {"\"a\nb\"", "line 1, column 3: a control character in a string must be escaped"},
        {"\"\\x\"", "line 1, column 3: after a backslash there must be one of \"\\/bfnrtu"},
        {"\"\\u12g4\"", "line 1, column 4: \\u must be followed by four hexadecimal digits"},
        {"\"\\u-123\"", "line 1, column 4: \\u must be followed by four hexadecimal digits"},
        {"\"\\ud83d\"", "line 1, column 8: half of a surrogate pair stands alone"},
        {"\"\\ude00\"", "line 1, column 8: half of a surrogate pair stands alone"},
        {"\"\\ud83d\\u0041\"", "line 1, column 14: the second half of a surrogate pair is missing"},
        {"\"\xFF\"", "line 1, column 2: this is not UTF-8"},
        {"\"\xED\xA0\x80\"", "line 1, column 2: this is not UTF-8"},
        {"\"\xC0\xAF\"", "line 1, column 2: this is not UTF-8"},
        {"[1]]", "line 1, column 4: something follows the end of the value"},
        {"{}{}", "line 1, column 3: something follows the end of the value"},
        {"[1", "line 1, column 3: the text ends in the middle of a value"},
        {"{", "line 1, column 2: the text ends in the middle of a value"},
        {"{\"a\"", "line 1, column 5: a colon must be here"},
        {"{\"a\":", "line 1, column 6: the text ends in the middle of a value"},
        {"]", "line 1, column 1: no value begins here"},
        {"[1,,2]", "line 1, column 4: no value begins here"},
        {"{,}", "line 1, column 2: a name in quotes must be here"},
        {"{\"a\":}", "line 1, column 6: no value begins here"},
        {"{\"a\"::1}", "line 1, column 6: no value begins here"},
        {"{1:2}", "line 1, column 2: a name in quotes must be here"},
        {"{null:1}", "line 1, column 2: a name in quotes must be here"},
        {"{\"a\",\"b\"}", "line 1, column 5: a colon must be here"},
        {"{\"a\":1 \"b\":2}", "line 1, column 8: a comma or the end of what began with { must be "
                              "here"},
        {"{\"a\":1,\"\\u0061\":2}", "line 1, column 8: the name \"a\" is there already"},
        {"nul", "line 1, column 1: no value begins here"},
        {"nulll", "line 1, column 5: something follows the end of the value"},
        {"TRUE", "line 1, column 1: no value begins here"},
        {"-Infinity", "line 1, column 2: a digit must be here"},
        {"--1", "line 1, column 2: a digit must be here"},
        {"-01", "line 1, column 3: something follows the end of the value"},
        {"0x10", "line 1, column 2: something follows the end of the value"},
        {"1_000", "line 1, column 2: something follows the end of the value"},
        {"1,5", "line 1, column 2: something follows the end of the value"},
        {"1e", "line 1, column 3: a digit must be here"},
        {"1e1.5", "line 1, column 4: something follows the end of the value"},
        {"1.e5", "line 1, column 3: a digit must be here"},
        {"1e+-2", "line 1, column 4: a digit must be here"},
        {"-1e999", "line 1, column 1: this number is beyond the largest of 64 bits"},
        {"1" + std::string(400, '0'), "line 1, column 1: this number is beyond the largest of 64 "
                                      "bits"},
        {"\xEF\xBC\x91", "line 1, column 1: no value begins here"},  // a wide digit one
        {"\xC2\xA0"
         "1",
         "line 1, column 1: no value begins here"},  // a blank of Unicode
        {"\v1", "line 1, column 1: no value begins here"},
        {"\xFE\xFF", "line 1, column 1: no value begins here"},  // UTF-16
        {"\xEF\xBB\xBF", "line 1, column 2: the text ends in the middle of a value"},
        {"\"\t\"", "line 1, column 2: a control character in a string must be escaped"},
        {"\"\\", "line 1, column 3: the text ends in the middle of a value"},
        {"\"\\u\"", "line 1, column 4: \\u must be followed by four hexadecimal digits"},
        {"\"\\u00", "line 1, column 4: \\u must be followed by four hexadecimal digits"},
        {"\"\\u0x12\"", "line 1, column 4: \\u must be followed by four hexadecimal digits"},
        {"\"\\U0041\"", "line 1, column 3: after a backslash there must be one of \"\\/bfnrtu"},
        {"\"\\'\"", "line 1, column 3: after a backslash there must be one of \"\\/bfnrtu"},
        {"\"\\ud800\\n\"", "line 1, column 9: after a backslash there must be one of \"\\/bfnrtu"},
        {"\"\\ud800\\ud800\"", "line 1, column 14: the second half of a surrogate pair is missing"},
        {"\"\\udc00\\ud800\"", "line 1, column 8: half of a surrogate pair stands alone"},
        {"\"\x80\"", "line 1, column 2: this is not UTF-8"},
        {"\"\xC3\"", "line 1, column 2: this is not UTF-8"},
        {"\"\xE2\x82\"", "line 1, column 2: this is not UTF-8"},
        {"\"\xF0\x80\x80\x80\"", "line 1, column 2: this is not UTF-8"},  // too long a form
        {"\"\xF4\x90\x80\x80\"", "line 1, column 2: this is not UTF-8"},  // beyond U+10FFFF
        {"[1]\n\n x", "line 3, column 2: something follows the end of the value"},
        {"[\"\u00fc\u00fc\", x]", "line 1, column 8: no value begins here"},  // columns are letters
        {std::string("[1]\0", 4), "line 1, column 4: something follows the end of the value"},
        {std::string("\"a\0b\"", 5), "line 1, column 3: a control character in a string must be "
                                     "escaped"},
    };
    for (const auto& [text, problem] : wrong) {
        INFO(text);
        CHECK(refused(text) == "json: \"a.json\", " + problem);
    }
    const std::string deep(100, '['), closed(100, ']');
    CHECK_NOTHROW(read(deep + closed));
    CHECK(refused("[" + deep + closed + "]") == "json: \"a.json\", line 1, column 101: more than "
                                                "100 arrays and objects are inside each other");
    CHECK_THAT(refused(std::string(1'000'000, '[')), Contains("more than 100 arrays"));
    CHECK_THAT(refused(std::string(1'000'000, '{')), Contains("a name in quotes"));
}

TEST_CASE("a JSON value of another kind is named", "[nn][files][json][errors]") {
    const Json json = read("{\"n\": 1.5, \"s\": \"x\", \"big\": 9223372036854775808}");
    const auto message = [](const auto& get) { return message_of<std::runtime_error>(get); };
    CHECK(message([&] { json.at("m"); }) == "json: \"a.json\": there is no \"m\"");
    CHECK(message([&] { json.at("s").at("m"); }) == "json: \"a.json\": there is no \"m\"");
    CHECK(message([&] { json.at("n").whole("n"); }) ==
          "json: \"a.json\": \"n\" must be a whole number of 64 bits");
    CHECK(message([&] { json.at("big").whole("big"); }) ==
          "json: \"a.json\": \"big\" must be a whole number of 64 bits");
    CHECK(message([&] { json.at("s").whole("s"); }) ==
          "json: \"a.json\": \"s\" must be a whole number");
    CHECK(message([&] { json.at("s").number("s"); }) == "json: \"a.json\": \"s\" must be a number");
    CHECK(message([&] { json.at("n").string("n"); }) == "json: \"a.json\": \"n\" must be a string");
    CHECK(message([&] { json.at("n").boolean("n"); }) ==
          "json: \"a.json\": \"n\" must be true or false");
    CHECK(message([&] { json.at("n").items("n"); }) == "json: \"a.json\": \"n\" must be an array");
    CHECK(message([&] { json.at("n").members("n"); }) ==
          "json: \"a.json\": \"n\" must be an object");
}

TEST_CASE("any text goes through a JSON string and back", "[nn][files][json]") {
    std::string all;
    for (int c = 0; c < 128; ++c) all += static_cast<char>(c);
    all += "\u00fc\u2028\U0001F600";
    CHECK(read(json_string(all)).string("it") == all);
    CHECK(json_string("a\xFFz") == "\"a\uFFFDz\"");
}

TEST_CASE("a number as JSON is read back to the last bit, and what is not finite is null",
          "[nn][json]") {
    for (const double number : {0.0, -0.5, 1 / 3.0, 1e300, 5e-324, 0.1}) {
        INFO(number);
        CHECK(Json::parse(json_number(number), "here").number("it") == number);
    }
    CHECK(json_number(0.5) == "0.5");
    CHECK(json_number(infinity) == "null");
    CHECK(json_number(std::nan("")) == "null");
}
