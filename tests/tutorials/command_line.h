// A command line and temporary files for tests of the tutorials' input.
#pragma once

#include "tutorials/support/options.h"

#include <cstdio>
#include <fstream>
#include <stdlib.h>
#include <string>
#include <unistd.h>
#include <vector>

inline tutorial::Options parse(const tutorial::Description& description,
                               std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "prog");
    std::vector<char*> argv;
    for (std::string& argument : arguments) argv.push_back(argument.data());
    return tutorial::Options(description, static_cast<int>(argv.size()), argv.data());
}

// A file that is deleted at the end of its scope.
struct TemporaryFile {
    std::string path = "/tmp/heed_test_XXXXXX";
    explicit TemporaryFile(const std::string& text) {
        close(mkstemp(path.data()));
        std::ofstream(path) << text;
    }
    ~TemporaryFile() { std::remove(path.c_str()); }
};
