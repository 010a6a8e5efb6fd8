// Small files that NumPy wrote, by name: numpy_files.json, which make_numpy_files.py writes.
#pragma once

#include "nn/files/json.h"
#include "tests/test_file.h"

#include <cstddef>
#include <string>

inline const heed::Json& numpy_files() {
    static const heed::Json files = heed::read_json(test_file("nn/files/numpy_files.json"));
    return files;
}

// The bytes of a file. Error: there is none of this name (std::runtime_error).
inline std::string numpy_file(const std::string& name) {
    const std::string& hex = numpy_files().at(name).string(name);
    std::string bytes;
    for (std::size_t i = 0; i < hex.size(); i += 2) {
        bytes += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
    }
    return bytes;
}
