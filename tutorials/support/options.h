// The command line of a tutorial: --seed, --color, --html, --stop, --predict and --help, and
// options that a tutorial adds. Anything else is an error, with a message and exit code 2.
#pragma once

#include "tutorials/support/terminal.h"

#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace tutorial {

// Thrown for an invalid command line.
class UsageError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

// One option a tutorial adds: {"--file", "FILE", "take the first sentence of this file"}.
struct OptionHelp {
    std::string name;
    std::string value;  // placeholder for the value
    std::string help;
};

struct Description {
    std::string name;     // "01_tensors"
    std::string subject;  // one line
    std::vector<OptionHelp> options = {};
    std::string words = "";  // placeholder for other arguments, if any are taken: "WORD..."
    bool trains = false;  // --short ends it early; takes --save, --resume, --load (training_run.h)
};

class Options {
  public:
    // Errors (UsageError): an unknown option, a missing value, a seed that is not a non-negative
    // integer, a --color other than auto, always or never, a value for --stop, --predict or
    // --short, words where none are taken, --html together with --stop or --predict.
    Options(const Description& description, int argc, char** argv);

    bool help() const { return help_; }
    std::uint64_t seed() const { return seed_; }  // 1 by default
    ColorChoice color() const { return color_; }
    const std::string& html() const { return html_; }  // the page to write; empty: none
    bool stop() const { return stop_; }                // pause at the named stops (stop.h)
    bool is_short() const { return short_; }           // end before a training (training_run.h)
    bool predict() const { return predict_; }          // ask before showing a result (predict.h)
    bool has(const std::string& name) const { return values_.count(name) > 0; }
    const std::string& value(const std::string& name) const { return values_.at(name); }
    const std::vector<std::string>& words() const { return words_; }

  private:
    bool take_switch(const std::string& argument);
    void take(const std::string& name, const std::string& value);

    bool help_ = false;
    std::uint64_t seed_ = 1;
    ColorChoice color_ = ColorChoice::automatic;
    std::string html_;
    bool stop_ = false;
    bool short_ = false;
    bool predict_ = false;
    std::map<std::string, std::string> values_;
    std::vector<std::string> words_;
};

std::string usage(const Description& description);

}  // namespace tutorial
