// Files that a user names, and their columns: what is read, and what is refused, with the line.
#include "tests/catch.h"
#include "tests/tutorials/command_line.h"

#include "tutorials/support/text_file.h"

#include <filesystem>
#include <utility>

#include <sys/stat.h>

using namespace tutorial;

namespace {
std::string refused(const std::string& path, const std::string& why) {
    return "the file \"" + path + "\" cannot be read: " + why;
}

using Pairs = std::vector<std::pair<std::string, std::string>>;

Pairs pairs_in(const std::string& text) {
    const TemporaryFile file(text);
    Pairs pairs;
    for (const TwoColumns& line : read_two_columns(file.path)) {
        pairs.emplace_back(line.first, line.second);
    }
    return pairs;
}

// What the message says behind the file's name.
std::string refusal(const std::string& text, const ColumnNames& names = {"a label", "a sentence"}) {
    const TemporaryFile file(text);
    try {
        read_two_columns(file.path, names);
    } catch (const std::runtime_error& error) {
        const std::string message = error.what();
        if (message.rfind(file.path, 0) != 0) return "without the file's name: " + message;
        return message.substr(file.path.size());
    }
    return "nothing was thrown";
}

}  // namespace

TEST_CASE("a text file is read whole, with or without a last end of line", "[tutorials][files]") {
    for (const std::string text : {"", "a", "a\n", "a\r\nb", "é\n\n"}) {
        const TemporaryFile file(text);
        CHECK(read_text_file(file.path) == text);
    }
    const std::string large(200'000, 'x');  // more than one buffer
    CHECK(read_text_file(TemporaryFile(large).path) == large);
}

TEST_CASE("what is no text file is refused without waiting for it", "[tutorials][files]") {
    CHECK_THROWS_WITH(read_text_file("/no/such\x1b[31m/file"),
                      "the file \"/no/such\\x1b[31m/file\" cannot be read: there is no such file");
    CHECK_THROWS_WITH(read_text_file(""), refused("", "there is no such file"));
    CHECK_THROWS_WITH(read_text_file("/tmp"), refused("/tmp", "it is a directory"));
    CHECK_THROWS_WITH(read_text_file("/dev/zero"), refused("/dev/zero", "it is a device"));
    CHECK_THROWS_AS(read_text_file("/tmp"), std::runtime_error);

    const TemporaryFile place("");
    const std::string pipe = place.path + ".pipe";
    REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
    CHECK_THROWS_WITH(read_text_file(pipe),
                      refused(pipe, "it is a pipe; save what comes out of it as a file first"));
    std::remove(pipe.c_str());

    const TemporaryFile nul(std::string("one\ntwo\0\n", 9));
    CHECK_THROWS_WITH(read_text_file(nul.path),
                      refused(nul.path, "line 2 has a NUL byte, so it is not a text file"));
}

TEST_CASE("a file that may not be read, or is too long, is refused", "[tutorials][files]") {
    const TemporaryFile file("12345");
    CHECK(read_text_file(file.path, 5) == "12345");
    CHECK_THROWS_WITH(read_text_file(file.path, 4),
                      refused(file.path, "it is longer than 4 bytes, the limit"));
    // /proc says 0 bytes of all its files.
    CHECK_THROWS_WITH(read_text_file("/proc/self/maps", 10),
                      Contains("it is longer than 10 bytes"));
    std::filesystem::resize_file(file.path, most_text_bytes + 1);  // takes no room on the disk
    CHECK_THROWS_WITH(read_text_file(file.path), Contains("it is longer than 2147483648 bytes"));

    const TemporaryFile locked("text");
    chmod(locked.path.c_str(), 0);
    if (geteuid() != 0) {  // root may read everything
        CHECK_THROWS_WITH(read_text_file(locked.path), refused(locked.path, "Permission denied"));
    }
}

TEST_CASE("each line gives its two columns and its number", "[tutorials][files]") {
    const TemporaryFile file("good\ta fine day\nbad\tit rains, ¡ay!\n");
    const std::vector<TwoColumns> lines = read_two_columns(file.path);
    REQUIRE(lines.size() == 2);
    CHECK(lines[0].first == "good");
    CHECK(lines[0].second == "a fine day");
    CHECK(lines[0].line == 1);
    CHECK(lines[1].first == "bad");
    CHECK(lines[1].second == "it rains, ¡ay!");
    CHECK(lines[1].line == 2);
}

TEST_CASE(
    "columns do not depend on line ends, blank lines, spaces around them or a byte order mark",
    "[tutorials][files]") {
    const Pairs two = {{"a", "b  c"}, {"d", "e"}};
    for (const std::string text :
         {"a\tb  c\nd\te\n", "a\tb  c\nd\te", "a\tb  c\r\nd\te\r\n", "a\tb  c\r\nd\te\r",
          "\n\na\tb  c\n \t \r\n\nd\te\n\n", "  a \t b  c  \nd\t\ve\f",
          "\xEF\xBB\xBF"
          "a\tb  c\nd\te\n"}) {
        CHECK(pairs_in(text) == two);
    }
    const TemporaryFile file("\n \r\na\tb\n\nc\td");
    CHECK(read_two_columns(file.path)[0].line == 3);
    CHECK(read_two_columns(file.path)[1].line == 5);
}

TEST_CASE("lines that are not two columns are refused by number", "[tutorials][files]") {
    const std::string expected = "a label, a tab and a sentence are expected, ";
    CHECK(refusal("good day\n") == ", line 1: " + expected + "no tab found");
    CHECK(refusal("a\tb\n\nc d") == ", line 3: " + expected + "no tab found");
    CHECK(refusal("a\tb\nc\td\te\r\n") == ", line 2: " + expected + "2 tabs found");
    CHECK(refusal("a\tb\t\n") == ", line 1: " + expected + "2 tabs found");
    CHECK(refusal("a\tb\n \tc\n") == ", line 2: " + expected + "nothing found before the tab");
    CHECK(refusal("a\t\r\n") == ", line 1: " + expected + "nothing found after the tab");
    CHECK(refusal("\xEF\xBB\xBF\tb\n") == ", line 1: " + expected + "nothing found before the tab");
    CHECK(refusal("a", {}) == ", line 1: a text, a tab and a text are expected, no tab found");
}

TEST_CASE("a file with nothing in it is refused", "[tutorials][files]") {
    for (const std::string text : {"", "\n", " \r\n\t\n", "\xEF\xBB\xBF", "\xEF\xBB\xBF\n\n"}) {
        CHECK(refusal(text) == ": it is empty; each line must be a label, a tab and a sentence");
    }
}

TEST_CASE("bytes that are not UTF-8 are refused with line and place", "[tutorials][files]") {
    CHECK(refusal("a\tb\nc\t\xFF\n") == ", line 2: it is not UTF-8, from byte 2 on");
    CHECK(refusal("caf\xE9\tb\n") == ", line 1: it is not UTF-8, from byte 3 on");  // Latin-1
    CHECK(refusal("a\tb\xC3") == ", line 1: it is not UTF-8, from byte 3 on");      // cut off
    CHECK(refusal("\xFF\xFE"
                  "a") == ", line 1: it is not UTF-8, from byte 0 on");  // UTF-16
    CHECK(pairs_in("café\tté\n") == Pairs{{"café", "té"}});
}

TEST_CASE("files that cannot be read are refused before their lines", "[tutorials][files]") {
    CHECK_THROWS_AS(read_two_columns("/no/such/file"), std::runtime_error);
    CHECK_THROWS_WITH(read_two_columns("/no/such/file"),
                      "the file \"/no/such/file\" cannot be read: there is no such file");
    CHECK_THROWS_WITH(read_two_columns("/tmp"),
                      "the file \"/tmp\" cannot be read: it is a directory");
    const TemporaryFile nul(std::string("a\tb\nc\t\0\n", 8));
    CHECK_THROWS_WITH(read_two_columns(nul.path), Contains("line 2 has a NUL byte"));
}
