#include "tutorials/exercises/judging/program.h"

#include "tensor/quote.h"
#include "tensor/runtime/settings.h"
#include "tutorials/exercises/judging/judge.h"
#include "tutorials/exercises/judging/report.h"
#include "tutorials/support/output.h"

#include <fstream>
#include <iostream>
#include <stdexcept>
#include <string>

namespace exercise {
namespace {
int refuse(const std::string& what) {
    std::cerr << what << "\nusage: [--report FILE] [--quiet] [--trace]\n";
    return 2;
}

}  // namespace

int run(const Exercise& exercise, int argc, char** argv) {
    std::ofstream report;
    bool trace = false, quiet = false;
    for (int i = 1; i < argc; ++i) {
        const std::string option = argv[i];
        if (option == "--trace") {
            trace = true;
        } else if (option == "--quiet") {
            quiet = true;
        } else if (option == "--report" && i + 1 < argc) {
            report.open(argv[++i]);
            if (!report) return refuse("cannot write " + heed::in_quotes(argv[i]));
        } else {
            return refuse("not understood: " + heed::in_quotes(option));
        }
    }
    try {
        heed::check_settings();
    } catch (const std::invalid_argument& error) {
        return refuse(error.what());
    }
    const Verdict verdict = judge(exercise, [&](const std::string& site) {
        if (report.is_open()) report << entry("at", site) << std::flush;
        if (trace) std::cout << "... " << site << std::endl;
    });
    if (report.is_open()) write(report, verdict);
    if (quiet) return static_cast<int>(verdict.outcome);
    print(std::cout, verdict);
    return tutorial::finish_output(exercise.number, static_cast<int>(verdict.outcome));
}

}  // namespace exercise
