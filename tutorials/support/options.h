// The command line of a tutorial: --seed, --color, --stop, --predict and --help for all, and what
// one adds.
// Anything else is refused with a sentence and exit code 2.
#pragma once

#include "tutorials/support/color.h"

#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace tutorial {

// A command line that cannot be understood.
class UsageError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

// One option a tutorial adds: {"--file", "TEXT", "take the first sentence of this file"}.
struct OptionHelp {
    std::string name;
    std::string value;  // what its value is called
    std::string help;
};

struct Description {
    std::string name;     // "01_tensors"
    std::string subject;  // one line
    std::vector<OptionHelp> options = {};
    std::string words = "";  // what other arguments are called, where they are taken: "WORD..."
};

class Options {
  public:
    // Errors (UsageError): an unknown option, one without its value, a seed that is not a whole
    // number from 0, a --color that is neither auto, always nor never, a value for --stop or
    // --predict, words where none are taken.
    Options(const Description& description, int argc, char** argv);

    bool help() const { return help_; }
    std::uint64_t seed() const { return seed_; }  // 1 where none is given
    ColorChoice color() const { return color_; }
    bool stop() const { return stop_; }        // pause at the named stops (pause.h)
    bool predict() const { return predict_; }  // ask before telling (predict.h)
    bool has(const std::string& name) const { return values_.count(name) > 0; }
    const std::string& value(const std::string& name) const { return values_.at(name); }
    const std::vector<std::string>& words() const { return words_; }

  private:
    bool take_switch(const std::string& argument);
    void take(const std::string& name, const std::string& value);

    bool help_ = false;
    std::uint64_t seed_ = 1;
    ColorChoice color_ = ColorChoice::automatic;
    bool stop_ = false;
    bool predict_ = false;
    std::map<std::string, std::string> values_;
    std::vector<std::string> words_;
};

std::string usage(const Description& description);

}  // namespace tutorial
