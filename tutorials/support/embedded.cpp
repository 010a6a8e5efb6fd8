#include "tutorials/support/embedded.h"

#include <stdexcept>

namespace tutorial {
namespace {
// A local variable: other files give theirs before main, when a global one may not be there yet.
std::vector<EmbeddedFile>& given_files() {
    static std::vector<EmbeddedFile> files;
    return files;
}

}  // namespace

const std::vector<EmbeddedFile>& lesson_files() { return given_files(); }

bool give_lesson_files(const std::vector<EmbeddedFile>& files) {
    given_files() = files;
    return true;
}

const std::string& page_asset(const std::string& name) {
    for (const EmbeddedFile& file : page_assets()) {
        if (file.name == name) return file.text;
    }
    throw std::out_of_range("no file " + name + " is compiled in");
}

}  // namespace tutorial
