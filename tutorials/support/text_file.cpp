#include "tutorials/support/text_file.h"

#include "tensor/quote.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <stdexcept>

namespace tutorial {

namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const std::string& path, const std::string& why) {
    throw std::runtime_error("the file " + heed::quoted(path) + " cannot be read: " + why);
}

// Before it is opened, since to open a pipe is to wait for its writer.
void check_kind(const std::string& path) {
    std::error_code problem;
    const fs::file_status status = fs::status(path, problem);
    switch (status.type()) {
    case fs::file_type::regular:
        return;
    case fs::file_type::not_found:
        refuse(path, "there is no such file");
    case fs::file_type::directory:
        refuse(path, "it is a directory");
    case fs::file_type::fifo:
    case fs::file_type::socket:
        refuse(path, "it is a pipe; save what comes out of it as a file first");
    case fs::file_type::character:
    case fs::file_type::block:
        refuse(path, "it is a device");
    default:
        refuse(path, problem ? problem.message() : "it is no regular file");
    }
}

[[noreturn]] void refuse_length(const std::string& path, std::uintmax_t most) {
    refuse(path, "it is longer than " + std::to_string(most) + " bytes, the most that is read");
}

void check_is_text(const std::string& path, const std::string& text) {
    const std::size_t nul = text.find('\0');
    if (nul == std::string::npos) return;
    const std::ptrdiff_t line =
        1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(nul), '\n');
    refuse(path, "line " + std::to_string(line) + " holds a NUL byte, so it is no text file");
}

}  // namespace

std::string read_text_file(const std::string& path, std::uintmax_t most_bytes) {
    check_kind(path);
    std::error_code unknown;
    const std::uintmax_t size = fs::file_size(path, unknown);
    if (!unknown && size > most_bytes) refuse_length(path, most_bytes);

    errno = 0;
    std::ifstream file(path, std::ios::binary);
    if (!file) refuse(path, std::strerror(errno));
    std::string text;
    if (!unknown) text.reserve(size);
    char some[1 << 16];
    while (file.read(some, sizeof some), file.gcount() > 0) {
        text.append(some, static_cast<std::size_t>(file.gcount()));
        if (text.size() > most_bytes) refuse_length(path, most_bytes);
    }
    if (file.bad()) refuse(path, std::strerror(errno));
    check_is_text(path, text);
    return text;
}

}  // namespace tutorial
