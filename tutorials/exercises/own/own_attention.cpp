// Makes the learner's attention of exercise 08.3 available to a lesson.
// The learner's file is compiled unchanged, with its main renamed. That main passes the learner's
// functions to the judge, judge_08_3, and the verdict to run; here both are replaced, which
// captures the functions whatever their names are.
#include "tutorials/support/own_attention.h"
#include "tensor/errors.h"
#include "tutorials/exercises/judges/lesson_08.h"
#include "tutorials/exercises/own/examination.h"
#include "tutorials/exercises/own/four_axes.h"
#include "tutorials/support/lesson.h"

#include <iostream>

int heed_main_of_the_exercise(int argc, char** argv);

using namespace heed;

namespace {
exercise::MaskedAttention learners;

exercise::Rules<exercise::PaddingAndCausal> capturing() {
    return {.number = "08.3",
            .title = "",
            .more = [](exercise::Exercise&, const exercise::PaddingAndCausal& yours) {
                learners = yours.attention;
            }};
}

Attention attend(const Variable& Q, const Variable& K, const Variable& V,
                 const std::optional<Mask>& mask) {
    return own_attention::attend(learners, Q, K, V, mask);
}

// A lesson shows only some of what an attention must do, so it is examined first. That it passed
// goes to standard error: the lesson's own text stays as it is.
void examine() {
    const std::string found = own_attention::examine(attend);
    if (found.empty()) {
        std::cerr << "(examined: it does what nn's does, with its gradients, within 0.0001)\n";
    } else {
        tutorial::check(
            false, "your attention does what nn's does, with its gradients. Not so here: " + found);
    }
}

OwnAttention::Function make() {
    char name[] = "08.3";
    char* argv[] = {name, nullptr};
    heed_main_of_the_exercise(1, argv);
    if (!learners) {
        fail_runtime("own attention", CallSite::here(),
                     "the exercise's main did not call judge_08_3");
    }
    examine();
    return attend;
}

const bool declared = (tutorial::lessons_run_on(make, HEED_OWN_ATTENTION_FILE), true);

}  // namespace

namespace exercise {

const Judge<PaddingAndCausal> judge_08_3(capturing);

int run(const Exercise&, int, char**) { return 0; }

}  // namespace exercise
