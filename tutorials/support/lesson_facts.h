// What a lesson's page says of the lesson besides what it printed: the table of lessons in
// tutorials/README.md, the exercises, and the source of each section.
#pragma once

#include "tensor/call_site.h"
#include "tutorials/support/embedded.h"

#include <map>
#include <string>
#include <vector>

namespace tutorial {

// A row of that table.
struct LessonFacts {
    std::string name;     // "08_causal_attention"
    std::string number;   // "08"
    std::string title;    // "causal attention"
    std::string minutes;  // "25"
    std::string run;      // "0.1 s"
    std::string needs;    // "07", "03, 05" or "nothing"
    std::string builds;   // what you build
    std::string wrong;    // what people get wrong
    std::string task;     // something to try
};

// Of the page with the table, and the names of all programs, a line each.
std::vector<LessonFacts> lessons_in(const std::string& readme, const std::string& names);

struct ExerciseFacts {
    std::string number;   // "08.1"
    std::string title;    // "The causal mask"
    std::string kind;     // "fill"
    std::string minutes;  // "10"
    std::string section;  // "08.1" of the lesson; empty if it names none
};

// Of a list with "08.1|The causal mask|fill|10|08.1" a line.
std::vector<ExerciseFacts> exercises_in(const std::string& list);

// A stretch of one file.
struct SourcePart {
    std::string file;
    int first = 0, last = 0;  // its lines, from 1
    std::string text;
};

// The definitions in which the lines of `sites` stand, in the order of `files`; with each come the
// ones above it in which no site of `all` stands: its helpers.
std::vector<SourcePart> source_of(const std::vector<EmbeddedFile>& files,
                                  const std::vector<heed::CallSite>& sites,
                                  const std::vector<heed::CallSite>& all);

// What may stand beside a lesson's page NAME.html in the book: NAME.walk.html and the like, and how
// the link to it reads.
struct OtherPage {
    const char* suffix;
    const char* words;
};
inline constexpr OtherPage other_pages[] = {{".walk", "Walk through its code"},
                                            {".run", "Run it here"}};

}  // namespace tutorial
