// Copies a source of autograd/ops/ with a switchable fault in each gradient formula: every
// `return G * Y;` in a function `gradient` or `for_...` becomes
// `return faults::planted("functions.cpp:24", G * Y);`. Fails if an operation has no formula, nor
// the struct it derives from.
// Run as: plant_faults SOURCE TARGET
#include <algorithm>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <regex>
#include <string>
#include <vector>

namespace {
// Comments become blanks: every character keeps its place.
std::string without_comments(std::string code) {
    for (std::size_t at = code.find("//"); at != std::string::npos; at = code.find("//", at)) {
        while (at < code.size() && code[at] != '\n') code[at++] = ' ';
    }
    return code;
}

// The place of the bracket that closes the one at `open`.
std::size_t closing(const std::string& code, std::size_t open) {
    const char close = code[open] == '(' ? ')' : '}';
    int depth = 0;
    for (std::size_t at = open; at < code.size(); ++at) {
        if (code[at] == code[open]) ++depth;
        if (code[at] == close && --depth == 0) return at;
    }
    return code.size();
}

std::vector<std::smatch> matches(const std::string& code, const std::string& pattern) {
    const std::regex regex(pattern);
    return {std::sregex_iterator(code.begin(), code.end(), regex), std::sregex_iterator()};
}

std::size_t end_of(const std::smatch& match) {
    return static_cast<std::size_t>(match.position() + match.length());
}

// Where each formula that `code` returns begins and ends: behind `return` and at the semicolon.
std::map<std::size_t, std::size_t> formulas(const std::string& code) {
    std::map<std::size_t, std::size_t> found;
    for (const std::smatch& function : matches(code, "\\bVariable (gradient|for_\\w+)\\(")) {
        const std::size_t parameters_end = closing(code, end_of(function) - 1);
        const std::size_t open = code.find_first_of("{;", parameters_end);
        if (open == std::string::npos || code[open] == ';') continue;  // declared only
        const std::size_t end = closing(code, open);
        for (std::size_t at = code.find("return ", open); at < end; at = code.find("return ", at)) {
            at += 7;
            found[at] = code.find(';', at);
        }
    }
    return found;
}

std::string place(const std::string& file, const std::string& code, std::size_t at) {
    const std::string before = code.substr(0, at);
    return file + ":" + std::to_string(1 + std::count(before.begin(), before.end(), '\n'));
}

// The names of all operations. Empty if one of them has no formula, which `problem` then names.
std::vector<std::string> operations(const std::string& code,
                                    const std::map<std::size_t, std::size_t>& faults,
                                    std::string& problem) {
    std::vector<std::string> names;
    std::map<std::string, bool> has_formula;
    for (const std::smatch& it : matches(code, "\\nstruct (\\w+)( final)?( : (\\w+))?[^;{]*\\{")) {
        const std::size_t open = end_of(it) - 1, end = closing(code, open);
        const std::map<std::size_t, std::size_t>::const_iterator first = faults.lower_bound(open);
        const bool own = first != faults.end() && first->first < end;
        has_formula[it[1]] = own || has_formula[it[4]];
        const std::string body = code.substr(open, end - open);
        for (const std::smatch& name : matches(body, "name\\(\\) const override \\{[^}]*\\}")) {
            if (!has_formula[it[1]]) problem = it[1].str() + " has no gradient formula";
            const std::string said = name.str();
            for (const std::smatch& word : matches(said, "\"\\w+\"")) names.push_back(word.str());
        }
    }
    return names;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 3) {
        std::cerr << "usage: plant_faults SOURCE TARGET\n";
        return 2;
    }
    const std::string path = argv[1];
    const std::string file = path.substr(path.rfind('/') + 1);
    std::ifstream source(path);
    const std::string code = without_comments(
        {std::istreambuf_iterator<char>(source), std::istreambuf_iterator<char>()});
    const std::map<std::size_t, std::size_t> faults = formulas(code);
    std::string problem;
    const std::vector<std::string> names = operations(code, faults, problem);

    std::ofstream target(argv[2]);
    target << "#include \"tests/autograd/faults/planted.h\"\n";
    std::string declared;
    std::size_t done = 0;
    for (const auto& [begin, end] : faults) {
        const std::string name = "\"" + place(file, code, begin) + "\"";
        declared += name + ", ";
        target << code.substr(done, begin - done) << "faults::planted(" << name << ", "
               << code.substr(begin, end - begin) << ")";
        done = end;
    }
    target << code.substr(done) << "\n[[maybe_unused]] const bool declared = faults::declare({"
           << declared << "}, {";
    for (const std::string& name : names) target << name << ", ";
    target << "});\n";
    if (code.empty() || !target || !problem.empty()) {
        std::cerr << "plant_faults: " << path << ": " << problem << "\n";
        return 1;
    }
    return 0;
}
