#include "tutorials/support/page.h"

#include "nn/pages/heat_map.h"

#include <iostream>
#include <memory>
#include <streambuf>
#include <utility>

namespace tutorial {
namespace {

// Hands everything on to `out`, and keeps it.
class Copied : public std::streambuf {
  public:
    explicit Copied(std::streambuf* to) : out(to) {}

    std::streambuf* const out;
    std::string text;
    int paused = 0;

  private:
    int_type overflow(int_type c) override {
        if (traits_type::eq_int_type(c, traits_type::eof())) return traits_type::not_eof(c);
        if (paused == 0) text += traits_type::to_char_type(c);
        return out->sputc(traits_type::to_char_type(c));
    }
    std::streamsize xsputn(const char* bytes, std::streamsize count) override {
        if (paused == 0) text.append(bytes, static_cast<std::size_t>(count));
        return out->sputn(bytes, count);
    }
    int sync() override { return out->pubsync(); }
};

std::unique_ptr<Copied> copied;
std::vector<PageEvent> events;

// rdbuf() alone would forget that an output has failed.
void redirect(std::streambuf* to) {
    const std::ios_base::iostate state = std::cout.rdstate();
    std::cout.rdbuf(to);
    std::cout.setstate(state);
}

// Without the empty lines around it.
std::string without_margins(const std::string& text) {
    const std::size_t last = text.find_last_not_of(" \n");
    if (last == std::string::npos) return "";
    const std::size_t first = text.find_first_not_of(" \n");
    const std::size_t before = text.rfind('\n', first);
    const std::size_t begin = before == std::string::npos ? 0 : before + 1;
    return text.substr(begin, last + 1 - begin);
}

void keep_printed() {
    const std::string text = without_margins(copied->text);
    copied->text.clear();
    if (!text.empty()) events.push_back({PageEvent::Kind::printed, text});
}

void keep_heat_map(std::ostream& out, const std::string& text, const heed::AttentionRecord& record,
                   const heed::Dims& index) {
    if (&out != &std::cout) {
        out << text;
        return;
    }
    PageEvent event{PageEvent::Kind::heat_map, text};
    event.record = record;
    event.index = index;
    add_to_page(event);
    const PrintedByEvent by_event;
    out << text;
}

}  // namespace

bool page_is_written() { return copied != nullptr; }

void begin_page() {
    copied = std::make_unique<Copied>(std::cout.rdbuf());
    events.clear();
    redirect(copied.get());
    heed::at_heat_map = keep_heat_map;
}

void add_to_page(const PageEvent& event) {
    if (!page_is_written()) return;
    keep_printed();
    events.push_back(event);
}

std::vector<PageEvent> end_page() {
    keep_printed();
    redirect(copied->out);
    copied.reset();
    heed::at_heat_map = nullptr;
    return std::exchange(events, {});
}

void draw(const std::string& svg) { add_to_page({PageEvent::Kind::picture, svg}); }

void draw_in_place_of_characters(const std::string& svg) {
    if (!page_is_written()) return;
    keep_printed();
    PageEvent picture{PageEvent::Kind::picture, svg};
    if (!events.empty() && events.back().kind == PageEvent::Kind::printed) {
        std::string& printed = events.back().text;
        const std::size_t empty_line = printed.rfind("\n\n");
        picture.in_characters =
            empty_line == std::string::npos ? printed : printed.substr(empty_line + 2);
        printed.resize(empty_line == std::string::npos ? 0 : empty_line);
        if (printed.empty()) events.pop_back();
    }
    events.push_back(picture);
}

void show_attention(const std::string& sentence,
                    const std::vector<heed::AttentionRecord>& records) {
    PageEvent event{PageEvent::Kind::attention, sentence};
    event.records = records;
    add_to_page(event);
}

PrintedByEvent::PrintedByEvent() {
    if (copied) ++copied->paused;
}

PrintedByEvent::~PrintedByEvent() {
    if (copied) --copied->paused;
}

}  // namespace tutorial
