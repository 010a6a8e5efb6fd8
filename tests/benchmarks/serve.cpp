#include "tests/benchmarks/serve.h"

#include "tensor/runtime/parallel.h"
#include "tests/benchmarks/heed_works.h"
#include "tests/benchmarks/loops.h"
#include "tests/benchmarks/process.h"

#include <algorithm>
#include <exception>
#include <iomanip>
#include <iostream>
#include <memory>
#include <sstream>

namespace heed { inline namespace HEED_PRECISION { namespace benchmarks {
namespace {
std::string prepare(std::istream& line, Run& run) {
    int threads = 1;
    std::string work;
    line >> threads >> std::ws;
    std::getline(line, work);
    set_thread_count(threads);
    if (work == "peak") {
        run = [threads] {
            multiply_and_add(threads);
            return std::vector<Tensor>();
        };
    } else if (work == "memory") {
        run = [threads, memory = std::make_shared<MemoryToRead>()] {
            memory->read(threads);
            return std::vector<Tensor>();
        };
    } else {
        run = prepare_work(work);
    }
    return "ok";
}

// √Σ x², in double.
double norm(const Tensor& x) {
    double sum = 0;
    for (const Scalar number : x.to_vector()) sum += static_cast<double>(number) * number;
    return __builtin_sqrt(sum);
}

std::string check(const Run& run) {
    std::ostringstream answer;
    answer << "ok" << std::setprecision(9);
    for (const Tensor& result : run()) answer << ' ' << norm(result);
    return answer.str();
}

// Entries of the first result, evenly spaced.
std::string sample(std::istream& line, const Run& run) {
    std::size_t count = 0;
    line >> count;
    const std::vector<Scalar> numbers = run()[0].to_vector();
    count = std::min(count, numbers.size());
    std::ostringstream answer;
    answer << "ok" << std::setprecision(9);
    for (std::size_t i = 0; i < count; ++i) answer << ' ' << numbers[i * numbers.size() / count];
    return answer.str();
}

std::string turn(std::istream& line, const Run& run) {
    double seconds = 0;
    line >> seconds;
    if (seconds > 0) run();
    const double start = now();
    double end = start;
    long calls = 0;
    do {
        run();
        ++calls;
        end = now();
    } while (end - start < seconds);
    std::ostringstream answer;
    answer << "time " << std::setprecision(9) << end - start << ' ' << calls;
    return answer.str();
}

std::string memory(std::istream& line, const Run& run) {
    int times = 1;
    line >> times;
    const long before = resident_bytes();
    forget_peak_memory();
    for (int i = 0; i < times; ++i) run();
    std::ostringstream answer;
    answer << "memory " << before << ' ' << peak_memory_bytes();
    return answer.str();
}

std::string answer_to(const std::string& question, Run& run) {
    std::istringstream line(question);
    std::string word;
    line >> word;
    if (word == "prepare") return prepare(line, run);
    if (word == "check") return check(run);
    if (word == "sample") return sample(line, run);
    if (word == "turn") return turn(line, run);
    if (word == "memory") return memory(line, run);
    run = {};
    return word == "drop" ? "ok" : "no such question: " + word;
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

}  // namespace

int serve() {
    Run run;
    std::string question;
    while (std::getline(std::cin, question)) {
        std::string answer;
        try {
            answer = answer_to(question, run);
        } catch (const std::exception& error) {
            answer = "no " + first_line(error.what());
        }
        std::cout << answer << std::endl;
    }
    return 0;
}

}}}  // namespace heed::benchmarks
