#include "tests/benchmarks/process.h"

#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

namespace heed { inline namespace HEED_PRECISION { namespace benchmarks {
namespace {
// The number of KiB in a line such as "VmHWM:   1234 kB".
long status_bytes(const std::string& name) {
    std::ifstream status("/proc/self/status");
    std::string word;
    while (status >> word) {
        long kibibytes = 0;
        if (word == name && status >> kibibytes) return kibibytes * 1024;
    }
    return 0;
}

// The state follows the name, which is in parentheses and may contain any characters.
bool sleeps(const std::filesystem::path& thread) {
    std::ifstream stat(thread / "stat");
    std::string line;
    std::getline(stat, line);
    const std::size_t bracket = line.rfind(')');
    return bracket == std::string::npos || bracket + 2 >= line.size() || line[bracket + 2] == 'S';
}

bool all_sleep(int process) {
    const std::filesystem::path threads("/proc/" + std::to_string(process) + "/task");
    std::error_code none;
    for (const auto& thread : std::filesystem::directory_iterator(threads, none)) {
        if (!sleeps(thread.path())) return false;
    }
    return true;
}

}  // namespace

double now() {
    const auto since_start = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration<double>(since_start).count();
}

long resident_bytes() { return status_bytes("VmRSS:"); }
long peak_memory_bytes() { return status_bytes("VmHWM:"); }

void forget_peak_memory() {
    std::ofstream refs("/proc/self/clear_refs");
    refs << 5;
}

void wait_until_asleep(int process) {
    for (int i = 0; i < 1000 && !all_sleep(process); ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
}

}}}  // namespace heed::benchmarks
