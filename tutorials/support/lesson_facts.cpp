#include "tutorials/support/lesson_facts.h"

#include <algorithm>
#include <set>
#include <sstream>

namespace tutorial {
namespace {
std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
}

std::vector<std::string> split(const std::string& text, const std::string& separator) {
    std::vector<std::string> parts;
    for (std::size_t at = 0; at <= text.size();) {
        const std::size_t end = std::min(text.find(separator, at), text.size());
        parts.push_back(text.substr(at, end - at));
        at = end + separator.size();
    }
    return parts;
}

// Lines first to last, from 0; with the end of the last.
struct Definition {
    int first, last;
};

// A file in pieces that end with a } in the first column. What stands before them, the includes
// and so on, is in none.
std::vector<Definition> definitions_in(const std::vector<std::string>& lines) {
    int begin = 0;
    for (int i = 0; i < static_cast<int>(lines.size()); ++i) {
        const std::string& line = lines[static_cast<std::size_t>(i)];
        if (line.rfind("#include", 0) == 0 || line.rfind("using ", 0) == 0 ||
            line.rfind("namespace", 0) == 0) {
            begin = i + 1;
        }
        if (line.rfind("}", 0) == 0) break;
    }
    std::vector<Definition> definitions;
    for (int i = begin; i < static_cast<int>(lines.size()); ++i) {
        const std::string& line = lines[static_cast<std::size_t>(i)];
        if (line.rfind("}  // namespace", 0) == 0) begin = i + 1;
        if (line.rfind("}", 0) != 0 || begin > i) continue;
        while (begin < i && lines[static_cast<std::size_t>(begin)].empty()) ++begin;
        definitions.push_back({begin, i});
        begin = i + 1;
    }
    return definitions;
}

bool has_site(const Definition& definition, const std::string& file,
              const std::vector<heed::CallSite>& sites) {
    return std::any_of(sites.begin(), sites.end(), [&](const heed::CallSite& site) {
        const std::string path = site.file;
        return path.substr(path.rfind('/') + 1) == file && site.line > definition.first &&
               site.line <= definition.last + 1;
    });
}

}  // namespace

std::vector<LessonFacts> lessons_in(const std::string& readme, const std::string& names) {
    std::vector<LessonFacts> lessons;
    for (const std::string& line : lines_of(readme)) {
        const std::vector<std::string> cells = split(line, " | ");
        if (cells.size() != 7 || line.size() < 5 || line.rfind("| ", 0) != 0) continue;
        const std::string number = line.substr(2, 2);
        if (number.find_first_not_of("0123456789") != std::string::npos) continue;
        const std::string last = cells[6].substr(0, cells[6].rfind(" |"));
        std::string name;
        for (const std::string& candidate : lines_of(names)) {
            if (candidate.rfind(number + "_", 0) == 0) name = candidate;
        }
        // "00 [first look](00_first_look/README.md)"
        const std::size_t begin = cells[0].find('[') + 1, end = cells[0].find("](");
        if (begin == 0 || end == std::string::npos) continue;
        lessons.push_back({name, number, cells[0].substr(begin, end - begin), cells[1], cells[2],
                           cells[3], cells[4], cells[5], last});
    }
    return lessons;
}

std::vector<ExerciseFacts> exercises_in(const std::string& list) {
    std::vector<ExerciseFacts> exercises;
    for (const std::string& line : lines_of(list)) {
        const std::vector<std::string> cells = split(line, "|");
        if (cells.size() != 5) continue;
        exercises.push_back({cells[0], cells[1], cells[2], cells[3], cells[4]});
    }
    return exercises;
}

std::vector<SourcePart> source_of(const std::vector<EmbeddedFile>& files,
                                  const std::vector<heed::CallSite>& sites,
                                  const std::vector<heed::CallSite>& all) {
    std::vector<SourcePart> parts;
    for (const EmbeddedFile& file : files) {
        const std::vector<std::string> lines = lines_of(file.text);
        const std::vector<Definition> definitions = definitions_in(lines);
        int first_helper = -1;
        for (const Definition& definition : definitions) {
            if (first_helper < 0) first_helper = definition.first;
            if (!has_site(definition, file.name, all)) continue;
            if (has_site(definition, file.name, sites)) {
                SourcePart part{file.name, first_helper + 1, definition.last + 1, ""};
                for (int i = first_helper; i <= definition.last; ++i) {
                    part.text += lines[static_cast<std::size_t>(i)] + "\n";
                }
                if (!parts.empty() && parts.back().file == file.name &&
                    parts.back().last + 2 >= part.first) {
                    parts.back().last = part.last;
                    parts.back().text += "\n" + part.text;
                } else {
                    parts.push_back(part);
                }
            }
            first_helper = -1;
        }
    }
    return parts;
}

}  // namespace tutorial
