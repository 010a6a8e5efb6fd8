#include "tutorials/support/lesson.h"

#include <exception>
#include <iostream>
#include <sstream>

namespace tutorial {

namespace {

constexpr std::size_t line_width = 80;
int false_claims = 0;

int finish() {
    std::cout.flush();
    if (!std::cout) {
        std::cerr << "the output could not be written\n";
        return 2;
    }
    if (false_claims == 0) return 0;
    std::cerr << false_claims << (false_claims == 1 ? " claim" : " claims") << " found false\n";
    return 1;
}

// The characters of UTF-8 text: every byte but those that continue one.
std::size_t columns(const std::string& word) {
    std::size_t count = 0;
    for (const char c : word) count += (static_cast<unsigned char>(c) & 0xC0) != 0x80;
    return count;
}

}  // namespace

int run(const Description& description, int argc, char** argv, void (*lesson)(const Options&)) {
    try {
        const Options options(description, argc, argv);
        if (options.help()) {
            std::cout << usage(description);
        } else {
            lesson(options);
        }
        return finish();
    } catch (const UsageError& error) {
        std::cout.flush();
        std::cerr << description.name << ": " << error.what() << "\n(" << description.name
                  << " --help lists what it takes)\n";
        return 2;
    } catch (const std::exception& error) {
        std::cout.flush();
        std::cerr << description.name << ": " << error.what() << "\n";
        return 2;
    }
}

void section(const std::string& title) {
    std::cout << "\n" << title << "\n" << std::string(columns(title), '-') << "\n" << std::flush;
}

void say(const std::string& prose) {
    std::istringstream words(prose);
    std::string word;
    std::size_t used = 0;
    while (words >> word) {
        if (used > 0 && used + 1 + columns(word) > line_width) {
            std::cout << "\n";
            used = 0;
        }
        std::cout << (used > 0 ? " " : "") << word;
        used += columns(word) + (used > 0 ? 1 : 0);
    }
    std::cout << "\n\n";
}

void check(bool holds, const std::string& claim) {
    std::cout << (holds ? "  checked: " : "  FALSE: ") << claim << "\n";
    if (!holds) ++false_claims;
}

}  // namespace tutorial
