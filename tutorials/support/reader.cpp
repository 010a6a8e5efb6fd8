#include "tutorials/support/reader.h"

#include "tutorials/support/text_file.h"

#include <iostream>

namespace tutorial {
namespace {
struct Terminal {
    std::istream* in = &std::cin;
    std::ostream* out = &std::cout;
    bool at_end = false;
};

Terminal terminal;

}  // namespace

void talk_to_reader(std::istream& in, std::ostream& out) { terminal = {&in, &out, false}; }

std::ostream& to_reader() { return *terminal.out; }

bool reader_is_gone() { return terminal.at_end; }

std::optional<std::string> line_from_reader() {
    terminal.out->flush();
    std::string line;
    if (terminal.at_end || !std::getline(*terminal.in, line)) {
        terminal.at_end = true;
        return std::nullopt;
    }
    const std::string typed(trimmed(line));
    if (typed == "q") throw Quit();
    return typed;
}

}  // namespace tutorial
