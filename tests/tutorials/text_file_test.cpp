// Files that a user names: what is read, and what is refused at once.
#include "tests/catch.h"
#include "tests/tutorials/command_line.h"

#include "tutorials/support/text_file.h"

#include <filesystem>

#include <sys/stat.h>

using namespace tutorial;

namespace {

std::string refused(const std::string& path, const std::string& why) {
    return "the file \"" + path + "\" cannot be read: " + why;
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
                      refused(nul.path, "line 2 holds a NUL byte, so it is no text file"));
}

TEST_CASE("a file that may not be read, or is too long, is refused", "[tutorials][files]") {
    const TemporaryFile file("12345");
    CHECK(read_text_file(file.path, 5) == "12345");
    CHECK_THROWS_WITH(read_text_file(file.path, 4),
                      refused(file.path, "it is longer than 4 bytes, the most that is read"));
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
