#include "tutorials/support/output.h"

#include <algorithm>
#include <cstdio>
#include <iostream>

#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace tutorial {
namespace {
// Nobody holds the other end of the pipe any more.
bool reader_has_gone() {
    pollfd out = {STDOUT_FILENO, POLLOUT, 0};
    return poll(&out, 1, 0) == 1 && (out.revents & POLLERR) != 0;
}

}  // namespace

std::size_t prose_width() {
    winsize size = {};
    const bool is_known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
    return is_known ? std::clamp<std::size_t>(size.ws_col, 20, 80) : 80;
}

int finish_output(const std::string& program, int code) {
    std::cout.flush();
    const bool flushed = std::fflush(stdout) == 0 && std::ferror(stdout) == 0;
    if ((std::cout && flushed) || reader_has_gone()) return code;
    std::cerr << program << ": the output could not be written\n";
    return code == 0 ? 2 : code;
}

}  // namespace tutorial
