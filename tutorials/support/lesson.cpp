#include "tutorials/support/lesson.h"

#include "tensor/errors.h"
#include "tensor/runtime/settings.h"
#include "tutorials/support/formula.h"
#include "tutorials/support/lesson_page.h"
#include "tutorials/support/output.h"
#include "tutorials/support/own_attention.h"
#include "tutorials/support/page.h"
#include "tutorials/support/predict.h"
#include "tutorials/support/reader.h"
#include "tutorials/support/stop.h"
#include "tutorials/support/terminal.h"
#include "tutorials/support/training_run.h"

#include <iostream>
#include <optional>
#include <sstream>

namespace tutorial {
namespace {
int claims = 0, false_claims = 0;
bool after_claim = false;

// Claims stand together; what follows them begins after an empty line.
void end_claims() {
    if (after_claim) std::cout << "\n";
    after_claim = false;
}

void print_paragraph(const std::string& margin, const PageEvent& event, const std::string& before) {
    end_claims();
    add_to_page(event);
    const PrintedByEvent by_event;
    print_wrapped(std::cout, margin, margin, before + without_marks(event.text), prose_width());
    std::cout << "\n";
}

int finish(const std::string& program) {
    if (false_claims == 0) return finish_output(program, 0);
    std::cout.flush();
    std::cerr << false_claims << (false_claims == 1 ? " claim" : " claims") << " found false\n";
    return finish_output(program, 1);
}

void say_what_is_left_out() {
    const std::string checked = claims == 1 ? "1 claim" : heed::text(claims, " claims");
    say(heed::text("Here the short run ends, since what follows is trained. It checked ", checked,
                   "."));
}

// Runs the lesson until it ends or the reader quits, or to its first training.
void run_lesson(const Options& options, void (*lesson)(const Options&)) {
    if (options.stop()) pause_at_stops();
    if (options.predict()) ask_for_predictions();
    std::optional<heed::OwnAttention> own;
    if (own_attention()) {
        std::cerr << "(nn attends by your own attention: " << own_attention_is_called() << ")\n";
        own.emplace(own_attention()());
    }
    try {
        lesson(options);
    } catch (const Quit&) {
        to_reader() << "\nleft before the end\n";
    } catch (const TrainingLeftOut&) {
        say_what_is_left_out();
    }
    print_score();
}

// Runs the lesson, and writes its page.
void run_on_page(const Description& description, const Options& options,
                 void (*lesson)(const Options&)) {
    check_page_file(options.html());
    begin_page();
    keep_stops();
    try {
        run_lesson(options, lesson);
    } catch (...) {
        no_pause_at_stops();
        end_page();
        throw;
    }
    no_pause_at_stops();
    write_lesson_page(options.html(), description, end_page());
}

}  // namespace

int run(const Description& description, int argc, char** argv, void (*lesson)(const Options&)) {
    try {
        const Options options(description, argc, argv);
        if (options.is_short() && !description.trains) {
            std::cerr << "(--short leaves nothing out: this lesson has no long training)\n";
        }
        use_colors(color_level(options.color()));
        heed::check_settings();
        keep_training(options);
        if (options.help()) {
            std::cout << usage(description);
        } else if (!options.html().empty()) {
            run_on_page(description, options, lesson);
        } else {
            run_lesson(options, lesson);
        }
        return finish(description.name);
    } catch (const std::exception& error) {
        std::cout.flush();
        std::cerr << description.name << ": " << error.what() << "\n";
        if (dynamic_cast<const UsageError*>(&error) != nullptr) {
            std::cerr << "(" << description.name << " --help lists what it takes)\n";
        }
        return 2;
    }
}

void section(const std::string& title, heed::CallSite site) {
    end_claims();
    add_to_page({PageEvent::Kind::section, title, site});
    const PrintedByEvent by_event;
    const std::string shown = without_marks(title);
    std::cout << shown << "\n" << std::string(display_width(shown), '-') << "\n" << std::flush;
}

void say(const std::string& prose, heed::CallSite site) {
    print_paragraph("", {PageEvent::Kind::prose, prose, site}, "");
}

void formula(const std::string& lines, heed::CallSite site) {
    end_claims();
    add_to_page({PageEvent::Kind::formula, lines, site});
    const PrintedByEvent by_event;
    std::istringstream in(lines);
    for (std::string line; std::getline(in, line);) {
        std::cout << "    " << without_marks(line) << "\n";
    }
    std::cout << "\n";
}

void in_the_notes(const std::string& prose, heed::CallSite site) {
    print_paragraph("  | ", {PageEvent::Kind::notes, prose, site}, "In the notes: ");
}

void check(bool holds, const std::string& claim, heed::CallSite site) {
    const bool is_close = took_close_for_same();
    const std::string how =
        is_close && holds ? " (yours: within 0.00001, not to the last bit)" : "";
    add_to_page({PageEvent::Kind::claim, claim + how, site, holds});
    const PrintedByEvent by_event;
    print_wrapped(std::cout, holds ? "  checked: " : "  FALSE: ", without_marks(claim) + how,
                  prose_width());
    ++claims;
    if (!holds) ++false_claims;
    after_claim = true;
}

std::string first_line(const std::exception& error) {
    const std::string message = error.what();
    return message.substr(0, message.find('\n'));
}

}  // namespace tutorial
