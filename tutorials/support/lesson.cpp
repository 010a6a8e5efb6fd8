#include "tutorials/support/lesson.h"

#include "tensor/runtime/settings.h"
#include "tutorials/support/output.h"
#include "tutorials/support/own_attention.h"
#include "tutorials/support/predict.h"
#include "tutorials/support/reader.h"
#include "tutorials/support/stop.h"
#include "tutorials/support/terminal.h"
#include "tutorials/support/training_run.h"

#include <iostream>
#include <optional>

namespace tutorial {
namespace {
int false_claims = 0;
bool after_claim = false;

// Claims stand together; what follows them begins after an empty line.
void end_claims() {
    if (after_claim) std::cout << "\n";
    after_claim = false;
}

void print_paragraph(const std::string& margin, const std::string& prose) {
    end_claims();
    print_wrapped(std::cout, margin, margin, prose);
    std::cout << "\n";
}

int finish(const std::string& program) {
    if (false_claims == 0) return finish_output(program, 0);
    std::cout.flush();
    std::cerr << false_claims << (false_claims == 1 ? " claim" : " claims") << " found false\n";
    return finish_output(program, 1);
}

// Runs the lesson until it ends or the reader quits.
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
    }
    print_score();
}

}  // namespace

int run(const Description& description, int argc, char** argv, void (*lesson)(const Options&)) {
    try {
        const Options options(description, argc, argv);
        use_colors(color_level(options.color()));
        heed::check_settings();
        keep_training(options);
        if (options.help()) {
            std::cout << usage(description);
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

void section(const std::string& title) {
    end_claims();
    std::cout << title << "\n" << std::string(display_width(title), '-') << "\n" << std::flush;
}

void say(const std::string& prose) { print_paragraph("", prose); }

void in_the_notes(const std::string& prose) { print_paragraph("  | ", "In the notes: " + prose); }

void check(bool holds, const std::string& claim) {
    const bool is_close = took_close_for_same();
    const std::string how =
        is_close && holds ? " (yours: within 0.00001, not to the last bit)" : "";
    print_wrapped(std::cout, holds ? "  checked: " : "  FALSE: ", claim + how);
    if (!holds) ++false_claims;
    after_claim = true;
}

std::string first_line(const std::exception& error) {
    const std::string message = error.what();
    return message.substr(0, message.find('\n'));
}

}  // namespace tutorial
