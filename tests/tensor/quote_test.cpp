// A user's text in messages.
#include "tests/catch.h"

#include "tensor/quote.h"

using namespace heed;

TEST_CASE("a quoted text keeps letters of any script and shows what a terminal would obey",
          "[tensor][quote]") {
    CHECK(in_quotes("") == "\"\"");
    CHECK(in_quotes("a b") == "\"a b\"");
    CHECK(in_quotes("größer añó ключ 鍵 🔑") == "\"größer añó ключ 鍵 🔑\"");
    CHECK(in_quotes("\x1b[31mred") == "\"\\x1b[31mred\"");
    CHECK(in_quotes(std::string("\0\n\t\x7f", 4)) == "\"\\x00\\x0a\\x09\\x7f\"");
    CHECK(in_quotes("\xC2\x9b"
                    "31m") == "\"\\u009b31m\"");       // the escape sequence's other spelling
    CHECK(in_quotes("a\u202Eb") == "\"a\\u202eb\"");   // from here on right to left
    CHECK(in_quotes("\U000E0041") == "\"\\ue0041\"");  // a tag, which nobody sees
    CHECK(printable("x\x1by.txt") == "x\\x1by.txt");
}

TEST_CASE("bytes that are not UTF-8 are shown by their values", "[tensor][quote]") {
    CHECK(in_quotes("\xff") == "\"\\xff\"");
    CHECK(in_quotes("\x80") == "\"\\x80\"");
    CHECK(in_quotes("a\xC3") == "\"a\\xc3\"");                           // cut off
    CHECK(in_quotes("\xC0\xAF") == "\"\\xc0\\xaf\"");                    // overlong
    CHECK(in_quotes("\xE0\x80\xAF") == "\"\\xe0\\x80\\xaf\"");           // overlong
    CHECK(in_quotes("\xED\xA0\x80") == "\"\\xed\\xa0\\x80\"");           // a surrogate
    CHECK(in_quotes("\xF4\x90\x80\x80") == "\"\\xf4\\x90\\x80\\x80\"");  // beyond Unicode
    CHECK(in_quotes("\xF8\x88\x80\x80\x80") == "\"\\xf8\\x88\\x80\\x80\\x80\"");
}

TEST_CASE("of a long text only the beginning is quoted, in whole characters", "[tensor][quote]") {
    CHECK(in_quotes(std::string(200, 'a')) == "\"" + std::string(200, 'a') + "\"");
    CHECK(in_quotes(std::string(201, 'a')) == "\"" + std::string(200, 'a') + "…\"");
    CHECK(in_quotes(std::string(199, 'a') + "éé") == "\"" + std::string(199, 'a') + "é…\"");
}

TEST_CASE("a code point has its number and its length", "[tensor][quote]") {
    const std::string text = "aé鍵🔑\xff";
    CHECK((code_point_at(text, 0).code == 'a' && code_point_at(text, 0).bytes == 1));
    CHECK((code_point_at(text, 1).code == 0xE9 && code_point_at(text, 1).bytes == 2));
    CHECK((code_point_at(text, 3).code == 0x9375 && code_point_at(text, 3).bytes == 3));
    CHECK((code_point_at(text, 6).code == 0x1F511 && code_point_at(text, 6).bytes == 4));
    CHECK((code_point_at(text, 10).code == 0xFF && !code_point_at(text, 10).is_valid));
    CHECK(code_point_at(text, 6).is_valid);
}
