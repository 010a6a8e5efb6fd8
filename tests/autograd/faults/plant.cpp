// Copies a source of autograd/ops/ with a switchable fault in each gradient formula: every
// `return G * Y;` in a function `gradient` or `for_...` of an operation becomes
// `return faults::planted("exp.cpp:24", G * Y);`.
// Run as: plant_faults SOURCE TARGET
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

namespace {

bool begins_formula(const std::string& line) {
    const bool returns_variable = line.rfind("    Variable ", 0) == 0;
    const bool is_derivative =
        line.find(" gradient(") != std::string::npos || line.find(" for_") != std::string::npos;
    return returns_variable && is_derivative && line.back() == '{';
}

std::string without_comment(const std::string& line) { return line.substr(0, line.find("//")); }

// Wraps the returned expression, from `return ` to the semicolon, which may be some lines below.
std::string with_fault(const std::string& statement, const std::string& name) {
    const std::size_t begin = statement.find("return ") + 7;
    const std::size_t end = statement.rfind(';');
    return statement.substr(0, begin) + "faults::planted(\"" + name + "\", " +
           statement.substr(begin, end - begin) + ")" + statement.substr(end);
}

std::string planted(std::istream& source, const std::string& file,
                    std::vector<std::string>& names) {
    std::ostringstream out;
    std::string line;
    bool in_formula = false;
    for (int number = 1; std::getline(source, line); ++number) {
        if (begins_formula(line)) in_formula = true;
        if (line == "    }") in_formula = false;
        if (!in_formula || line.find("return ") == std::string::npos) {
            out << line << "\n";
            continue;
        }
        names.push_back(file + ":" + std::to_string(number));
        std::string statement = without_comment(line);
        while (statement.find(';') == std::string::npos && std::getline(source, line)) {
            ++number;
            statement += "\n" + without_comment(line);
        }
        out << with_fault(statement, names.back()) << "\n";
    }
    return out.str();
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 3) {
        std::cerr << "usage: plant_faults SOURCE TARGET\n";
        return 2;
    }
    const std::string path = argv[1];
    std::ifstream source(path);
    std::vector<std::string> names;
    const std::string text = planted(source, path.substr(path.rfind('/') + 1), names);
    std::ofstream target(argv[2]);
    target << "#include \"tests/autograd/faults/planted.h\"\n" << text;
    target << "\n[[maybe_unused]] const bool declared = faults::declare({";
    for (const std::string& name : names) target << "\"" << name << "\", ";
    target << "});\n";
    if (names.empty() || !target) {
        std::cerr << "plant_faults: no formula was found in " << path << "\n";
        return 1;
    }
    return 0;
}
