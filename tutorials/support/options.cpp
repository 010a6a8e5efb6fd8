#include "tutorials/support/options.h"

#include "tensor/quote.h"

#include <charconv>

namespace tutorial {
namespace {
std::uint64_t parse_seed(const std::string& text) {
    std::uint64_t seed = 0;
    const char* end = text.data() + text.size();
    const std::from_chars_result result = std::from_chars(text.data(), end, seed);
    if (result.ec != std::errc() || result.ptr != end) {
        throw UsageError("--seed takes a whole number from 0 to 18446744073709551615, not " +
                         heed::in_quotes(text));
    }
    return seed;
}

ColorChoice parse_color(const std::string& text) {
    if (text == "auto") return ColorChoice::automatic;
    if (text == "always") return ColorChoice::always;
    if (text == "never") return ColorChoice::never;
    throw UsageError("--color takes auto, always or never, not " + heed::in_quotes(text));
}

// Those that take a value.
std::vector<OptionHelp> options_of(const Description& description) {
    std::vector<OptionHelp> options = description.options;
    if (description.trains) {
        options.push_back({"--save", "DIR", "keep each training run in this folder"});
        options.push_back({"--resume", "DIR", "the same; go on with the runs that are there"});
        options.push_back({"--load", "DIR", "do not train: take what was kept there"});
    }
    options.push_back({"--seed", "N", "seed of all random numbers (1)"});
    options.push_back({"--color", "WHEN", "colour pictures: auto, always or never (auto)"});
    options.push_back({"--html", "FILE", "write the lesson as a page, too"});
    return options;
}

bool is_known(const Description& description, const std::string& name) {
    for (const OptionHelp& option : options_of(description)) {
        if (option.name == name) return true;
    }
    return false;
}

}  // namespace

Options::Options(const Description& description, int argc, char** argv) {
    for (int i = 1; i < argc; ++i) {
        const std::string argument = argv[i];
        const std::size_t equals = argument.find('=');
        const std::string name = argument.substr(0, equals);
        if (take_switch(argument)) continue;
        if (argument.size() < 2 || argument[0] != '-') {
            if (description.words.empty()) {
                throw UsageError(heed::in_quotes(argument) +
                                 " is not understood: this program takes no "
                                 "words, only options");
            }
            words_.push_back(argument);
        } else if (!is_known(description, name)) {
            throw UsageError("there is no option " + heed::in_quotes(name));
        } else if (equals != std::string::npos) {
            take(name, argument.substr(equals + 1));
        } else if (i + 1 < argc) {
            take(name, argv[++i]);
        } else {
            throw UsageError(name + " needs a value after it");
        }
    }
    if (!html_.empty() && (stop_ || predict_)) {
        throw UsageError("--html goes without --stop and --predict: the page asks by itself, and "
                         "has what the stops show");
    }
}

// Handles options that take no value.
bool Options::take_switch(const std::string& argument) {
    const std::string name = argument.substr(0, argument.find('='));
    const bool is_switch = name == "--help" || argument == "-h" || name == "--stop" ||
                           name == "--predict" || name == "--short";
    if (is_switch && name != argument) throw UsageError(name + " takes no value");
    help_ = help_ || name == "--help" || name == "-h";
    stop_ = stop_ || name == "--stop";
    short_ = short_ || name == "--short";
    predict_ = predict_ || name == "--predict";
    return is_switch;
}

void Options::take(const std::string& name, const std::string& value) {
    if (name == "--seed") {
        seed_ = parse_seed(value);
    } else if (name == "--color") {
        color_ = parse_color(value);
    } else if (name == "--html") {
        if (value.empty()) throw UsageError("--html needs the name of a file");
        html_ = value;
    } else {
        values_[name] = value;
    }
}

std::string usage(const Description& description) {
    std::string text = "usage: " + description.name + " [options]";
    if (!description.words.empty()) text += " [" + description.words + "]";
    text += "\n\n" + description.subject + "\n\n";
    std::vector<OptionHelp> options = options_of(description);
    if (description.trains) {
        options.push_back({"--short", "", "end where the first training would begin"});
    }
    options.push_back({"--stop", "", "pause at the named stops and show what is there"});
    options.push_back({"--predict", "", "ask what will come before showing it"});
    options.push_back({"--help", "", "show this and stop"});
    for (const OptionHelp& option : options) {
        std::string left = "  " + option.name + " " + option.value;
        left.resize(left.size() < 20 ? 20 : left.size() + 2, ' ');
        text += left + option.help + "\n";
    }
    return text;
}

}  // namespace tutorial
