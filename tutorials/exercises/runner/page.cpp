#include "tutorials/exercises/runner/page.h"

#include "tutorials/exercises/runner/terminal.h"
#include "tutorials/exercises/runner/text.h"
#include "tutorials/support/terminal.h"

namespace exercise {
namespace {
constexpr std::size_t most_lines = 5000;  // that are shown again

void wipe_screen(std::ostream& to) {
    to << (is_redrawable() ? "\x1b[2J\x1b[3J\x1b[H"
                           : "\n----------------------------------------\n");
}

}  // namespace

void Page::clear() {
    sync();
    wipe();
    lines_.clear();
    line_.clear();
    shown_ = 0;
    wipe_screen(to_);
}

void Page::show_again() {
    has_status_ = false;
    wipe_screen(to_);
    for (const Line& line : lines_) {
        to_ << (line.is_wrapped ? wrapped(line.text, columns()) : line.text) << "\n";
    }
    shown_ = 0;
    sync();
}

void Page::as_it_stands(const std::string& text) {
    if (!line_.empty()) put('\n');
    wipe();
    for (const std::string& line : lines_of(text)) {
        lines_.push_back({line, false});
        to_ << line << "\n";
    }
    to_.flush();
}

void Page::status(const std::string& line) {
    sync();
    wipe();
    has_status_ = !line.empty() && is_redrawable();
    if (has_status_) {
        const std::string fitted = tutorial::fit(line, columns() - 1);
        to_ << (line_.empty() ? "" : "\n") << fitted.substr(0, fitted.find_last_not_of(' ') + 1);
    }
    to_.flush();
}

Page::int_type Page::overflow(int_type character) {
    if (!traits_type::eq_int_type(character, traits_type::eof())) {
        put(traits_type::to_char_type(character));
    }
    return to_ ? traits_type::not_eof(character) : traits_type::eof();
}

void Page::put(char character) {
    if (character != '\n') {
        line_ += character;
        return;
    }
    wipe();
    to_ << (shown_ == 0 ? wrapped(line_, columns()) : line_.substr(shown_)) << "\n";
    if (lines_.size() < most_lines) lines_.push_back({line_, true});
    line_.clear();
    shown_ = 0;
}

int Page::sync() {
    if (shown_ < line_.size()) {
        wipe();
        to_ << (shown_ == 0 ? wrapped(line_, columns()) : line_.substr(shown_));
        shown_ = line_.size();
    }
    to_.flush();
    return to_ ? 0 : -1;
}

void Page::wipe() {
    if (has_status_) to_ << "\r\x1b[K";
    has_status_ = false;
}

}  // namespace exercise
