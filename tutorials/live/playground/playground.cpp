// Answers states, one a line, with JSON, one a line: what the page computes, without a browser.
#include "tutorials/live/playground/answer.h"

#include <iostream>

int main() {
    for (std::string line; std::getline(std::cin, line);) {
        std::cout << tutorial::answer(line) << "\n";
    }
}
