// The page that a learner reads: text wrapped to the terminal's width, shown again when that
// changes, and a last line that says what is going on.
#pragma once

#include <ostream>
#include <streambuf>
#include <string>
#include <vector>

namespace exercise {

class Page : private std::streambuf {
  public:
    explicit Page(std::ostream& to) : out(this), to_(to) {}
    ~Page() override { status(""); }
    Page(const Page&) = delete;
    Page& operator=(const Page&) = delete;

    std::ostream out;  // onto this page

    // Starts over, on an empty screen.
    void clear();
    void show_again();
    // Text that is not wrapped, so that it can be copied.
    void as_it_stands(const std::string& text);
    // A line that the next one replaces, cut to the width; "" removes it. Only a terminal shows it.
    void status(const std::string& line);

  private:
    int_type overflow(int_type character) override;
    int sync() override;
    void put(char character);
    void wipe();

    struct Line {
        std::string text;
        bool is_wrapped;
    };

    std::ostream& to_;
    std::vector<Line> lines_;
    std::string line_;       // the last one, which is not complete
    std::size_t shown_ = 0;  // bytes of it that are on the screen
    bool has_status_ = false;
};

}  // namespace exercise
