// Small files that NumPy wrote (numpy_files.inc).
#pragma once

#include <cstddef>
#include <string>
#include <vector>

struct NumpyFile {
    std::string name, hex;

    std::string bytes() const {
        std::string bytes;
        for (std::size_t i = 0; i < hex.size(); i += 2) {
            bytes += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
        }
        return bytes;
    }
};

inline const std::vector<NumpyFile>& numpy_files() {
    static const std::vector<NumpyFile> files = {
#include "numpy_files.inc"
    };
    return files;
}

// "" if there is none of this name.
inline std::string numpy_file(const std::string& name) {
    for (const NumpyFile& file : numpy_files()) {
        if (file.name == name) return file.bytes();
    }
    return "";
}
