#include "tutorials/support/lesson.h"

#include "tutorials/support/display.h"

#include <iostream>
#include <sstream>

namespace tutorial {

namespace {

constexpr std::size_t line_width = 80;
int false_claims = 0;

enum class Printed { nothing, title, prose, claim };
Printed last = Printed::nothing;

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

// `first` stands before the first line, as much space before the others.
void print_wrapped(const std::string& first, const std::string& prose) {
    std::istringstream words(prose);
    std::string word;
    std::size_t used = first.size();
    bool line_is_empty = true;
    std::cout << first;
    while (words >> word) {
        if (!line_is_empty && used + 1 + display_width(word) > line_width) {
            std::cout << "\n" << std::string(first.size(), ' ');
            used = first.size();
            line_is_empty = true;
        }
        std::cout << (line_is_empty ? "" : " ") << word;
        used += display_width(word) + (line_is_empty ? 0 : 1);
        line_is_empty = false;
    }
    std::cout << "\n";
}

}  // namespace

int run(const Description& description, int argc, char** argv, void (*lesson)(const Options&)) {
    try {
        const Options options(description, argc, argv);
        use_colors(color_level(options.color()));
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
    if (last == Printed::claim) std::cout << "\n";
    std::cout << title << "\n" << std::string(display_width(title), '-') << "\n" << std::flush;
    last = Printed::title;
}

void say(const std::string& prose) {
    if (last == Printed::claim) std::cout << "\n";
    print_wrapped("", prose);
    std::cout << "\n";
    last = Printed::prose;
}

void check(bool holds, const std::string& claim) {
    print_wrapped(holds ? "  checked: " : "  FALSE: ", claim);
    if (!holds) ++false_claims;
    last = Printed::claim;
}

std::string first_line(const std::exception& error) {
    const std::string message = error.what();
    return message.substr(0, message.find('\n'));
}

}  // namespace tutorial
