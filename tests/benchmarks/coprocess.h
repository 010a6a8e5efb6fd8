// A child process that answers questions (serve.h), one line each, and sleeps in between.
#pragma once

#include "tensor/scalar.h"

#include <cstdio>
#include <string>
#include <vector>

namespace heed { inline namespace HEED_PRECISION { namespace benchmarks {

// "NAME=value" entries, which replace those in this process's environment.
using Settings = std::vector<std::string>;

class Coprocess {
  public:
    // Error: no process can be created (std::runtime_error). If the program is missing, it just
    // ends.
    Coprocess(const std::vector<std::string>& command, const Settings& settings);
    ~Coprocess();
    Coprocess(const Coprocess&) = delete;
    Coprocess& operator=(const Coprocess&) = delete;

    // Waits for the answer, and until all threads of the process sleep again.
    // Returns "no answer: it has ended" if the process has ended.
    std::string ask(const std::string& question);
    // All output until the process ends; waits for that.
    std::string rest();

  private:
    std::string program_;
    std::FILE* to_ = nullptr;
    std::FILE* from_ = nullptr;
    int process_ = 0;
};

}}}  // namespace heed::benchmarks
