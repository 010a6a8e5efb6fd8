// Files compiled into a program (embed.cmake): it runs from any folder, without the source tree.
#pragma once

#include <string>
#include <vector>

namespace tutorial {

struct EmbeddedFile {
    std::string name;  // "one_pass.cpp"
    std::string text;
};

// Those of this lesson: its sources, in reading order. None in a program that is not a lesson.
const std::vector<EmbeddedFile>& lesson_files();
// Called by the compiled-in files before main.
bool give_lesson_files(const std::vector<EmbeddedFile>& files);

// Those that all pages share: style, script, the README, the list of lessons and of exercises.
const std::vector<EmbeddedFile>& page_assets();
// One of them. Error: there is none of that name (std::out_of_range).
const std::string& page_asset(const std::string& name);

}  // namespace tutorial
