// The page that a lesson writes with --html FILE: what happens while it runs is kept in order, and
// written as HTML at the end (lesson_page.h). Nothing of it shows in the terminal.
#pragma once

#include "nn/attention/attention_record.h"
#include "tensor/call_site.h"

#include <string>
#include <vector>

namespace tutorial {

// True while a page of this lesson is written (--html FILE).
bool page_is_written();
// A picture at this place of the page, as SVG text; nothing without --html. The terminal never
// shows it.
void draw(const std::string& svg);
// The same for a chart that was just printed in characters, from the last empty line on; the page
// has that folded below the picture.
void draw_in_place_of_characters(const std::string& svg);
// Recorded attention to explore at this place of the page, all heads first, below a sentence that
// says what to look for; nothing without --html.
void show_attention(const std::string& sentence, const std::vector<heed::AttentionRecord>& records);

// A question of predict.h, to be asked in the page.
struct PageQuestion {
    std::string kind = {};     // number, choice or shape
    std::string takes = {};    // "a shape, such as 2, 3"
    std::string refusal = {};  // of what is not an answer
    std::string truth = {};    // the answer as text
    std::string why = {};
    double value = 0, tolerance = 0;         // of a number
    std::vector<std::int64_t> lengths = {};  // of a shape
    std::vector<std::string> choices = {};   // of a choice
    std::vector<bool> right = {};            // of each choice
};

struct PageEvent {
    enum class Kind {
        section,
        prose,
        notes,
        formula,
        claim,
        printed,
        question,
        stop,
        heat_map,
        picture,
        attention
    };

    Kind kind;
    std::string text;  // as written in the lesson; of printed and heat_map, as printed
    heed::CallSite site = {};
    bool holds = true;               // a claim
    std::string in_characters = {};  // a picture: what the terminal has in its place
    PageQuestion question = {};
    std::vector<std::string> locals = {};  // a stop: "X =\n[[1., 2.]]  [1, 2]"
    heed::AttentionRecord record = {};     // a heat map: at least tokens, mask and weights
    heed::Dims index = {};                 // of the matrix of the record that was printed
    std::vector<heed::AttentionRecord> records = {};  // attention: to explore
};

// From now on what is written to std::cout is kept, too, and each text between two events is an
// event itself. Where no page is written, add_to_page() does nothing.
void begin_page();
void add_to_page(const PageEvent& event);
// All events since begin_page(); std::cout is as it was.
std::vector<PageEvent> end_page();

// While it lives, what is printed is not kept: the page has it as an event.
class PrintedByEvent {
  public:
    PrintedByEvent();
    ~PrintedByEvent();
    PrintedByEvent(const PrintedByEvent&) = delete;
    PrintedByEvent& operator=(const PrintedByEvent&) = delete;
};

}  // namespace tutorial
