#include "tutorials/exercises/runner/keys.h"

#include "tutorials/exercises/runner/signals.h"
#include "tutorials/exercises/runner/terminal.h"

#include <cerrno>

#include <poll.h>
#include <unistd.h>

namespace exercise {

namespace {

// One byte of the input, within so many milliseconds; no_key if there is none.
int next_byte(int milliseconds) {
    pollfd waiting = {STDIN_FILENO, POLLIN, 0};
    if (poll(&waiting, 1, milliseconds) <= 0) return no_key;
    unsigned char byte = 0;
    const ssize_t count = read(STDIN_FILENO, &byte, 1);
    if (count < 0 && (errno == EINTR || errno == EAGAIN)) return no_key;
    return count == 1 ? byte : static_cast<int>(end_of_input);
}

// The rest of an arrow or a function key, "[A" or "[15~", comes at once.
int after_escape() {
    constexpr int at_once = 25;
    int byte = next_byte(at_once);
    if (byte == no_key) return escape;
    if (byte != '[' && byte != 'O') return unknown_key;
    do {
        byte = next_byte(at_once);
    } while (byte != no_key && byte < 0x40);
    return unknown_key;
}

}  // namespace

int key(int milliseconds) {
    const int byte = next_byte(milliseconds);
    suspend_if_asked();
    signals::check();
    if (byte == escape) return after_escape();
    if (byte < 0x80 || byte == end_of_input) return byte;
    for (int more = byte << 1; (more & 0x80) != 0; more <<= 1) next_byte(0);
    return unknown_key;
}

}  // namespace exercise
