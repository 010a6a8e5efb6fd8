// A folder for a test's files, and their bytes.
#pragma once

#include "tensor/errors.h"

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <unistd.h>

// A folder that is removed at the end.
class Folder {
  public:
    Folder() {
        static int count = 0;
        path_ = std::filesystem::temp_directory_path() /
                heed::text("heed_files_", ::getpid(), "_", ++count);
        std::filesystem::create_directories(path_);
    }
    Folder(const Folder&) = delete;
    ~Folder() { std::filesystem::remove_all(path_); }
    std::string path() const { return path_.string(); }
    std::string file(const std::string& name) const { return (path_ / name).string(); }
    std::ptrdiff_t files() const {
        return std::distance(std::filesystem::directory_iterator(path_),
                             std::filesystem::directory_iterator());
    }

  private:
    std::filesystem::path path_;
};

inline void write(const std::string& path, const std::string& bytes) {
    std::ofstream(path, std::ios::binary) << bytes;
}

inline std::string contents(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}
