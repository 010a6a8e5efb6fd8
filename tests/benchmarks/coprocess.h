// A process that answers questions (serve.h), one line each, and sleeps in between.
#pragma once

#include "heed/tensor/scalar.h"

#include <cstdio>
#include <string>
#include <vector>

namespace heed {
inline namespace HEED_PRECISION {
namespace benchmarks {

// "NAME=value", which take the place of what this process has in its environment.
using Settings = std::vector<std::string>;

class Coprocess {
  public:
    // Error: no process can be made (std::runtime_error). A program that is missing ends at once.
    Coprocess(const std::vector<std::string>& command, const Settings& settings);
    ~Coprocess();
    Coprocess(const Coprocess&) = delete;
    Coprocess& operator=(const Coprocess&) = delete;

    // Waits for the answer, and until all threads of the process sleep again.
    // "no answer: it has ended" where that is so.
    std::string ask(const std::string& question);
    // All it prints until it ends, which is waited for.
    std::string rest();

  private:
    std::FILE* to_ = nullptr;
    std::FILE* from_ = nullptr;
    int process_ = 0;
};

}  // namespace benchmarks
}  // namespace HEED_PRECISION
}  // namespace heed
