#include "tutorials/exercises/judges/11_1_known_jobs.h"

namespace exercise {

namespace {

std::vector<Mistake> mistakes_by_place() {
    const std::string scores = "Print Q·Kᵀ for T = 3: which column is the largest in each row?";
    return {
        {"job.first-itself",
         "each token looked at itself, and not at token 0",
         {"What should all rows of Q have in common?", scores}},
        {"job.first-is-last",
         "each token looked at the last one, and not at token 0",
         {"Which row of the places does every query ask for?", scores}},
        {"job.first-evenly",
         "each token gave the same weight to all, and not all to token 0",
         {"Is there a difference between the scores of a row?", scores}},
        {"job.first-not-sharp",
         "the scores for token 0 were 1 and the others 0, too close for softmax to choose",
         {"What does softmax make of the scores 1, 0, 0?", scores}},
        {"job.next",
         "each token looked at the one after it, and not at the one before",
         {"Which place does row 1 of Q ask for?", scores}},
        {"job.previous-itself",
         "each token looked at itself, and not at the one before",
         {"Which place does row 1 of Q ask for?", scores}},
        {"job.two-back",
         "each token looked two places back, and not one",
         {"Which place does row 2 of Q ask for?", scores}},
        {"job.previous-wraps",
         "token 0 looked at the last token",
         {"Which row of weights should token 0 have?", "Print row 0 of Q·Kᵀ."}},
        {"job.previous-0-itself",
         "token 0 looked at itself, as with a causal mask",
         {"Which row of weights should token 0 have?", "Print row 0 of Q·Kᵀ."}},
        {"job.previous-not-sharp",
         "the scores for the token before were 1 and the others 0, too close for softmax to choose",
         {"What does softmax make of the scores 1, 0, 0?", scores}},
    };
}

std::vector<Mistake> mistakes_by_token() {
    const std::string the = "Print the weights for the ids 0, 1, 0.";
    const std::string sort = "Print the scores for the ids 3, 1 and V = 5: row v, one column each.";
    return {
        {"job.same-is-itself",
         "each token looked at itself alone, and not at all of its kind",
         {"On what does the key of a token depend: on its place, or on its kind?", the}},
        {"job.same-first",
         "each token looked at the first of its kind alone",
         {"How do tokens of one kind differ in their scores?", the}},
        {"job.same-others",
         "each token left itself out where others are of its kind",
         {"How do tokens of one kind differ in their scores?", the}},
        {"job.same-not-sharp",
         "the scores were 1 for the same kind and 0 for others, too close for softmax to choose",
         {"What does softmax make of the scores 1, 0, 1?", the}},
        {"job.sort-above",
         "row v asked for numbers above v, and not for v itself",
         {"Which number does row 3 want if 3 is there?", sort}},
        {"job.sort-below",
         "row v asked for the largest number that is v or less",
         {"Which number does row 2 want, of 1 and 3?", sort}},
        {"job.sort-nearest",
         "row v asked for the nearest number, above or below",
         {"Which number does row 2 want, of 1 and 4?", sort}},
        {"job.sort-largest",
         "every row asked for the largest number",
         {"Which number does row 0 want?", sort}},
        {"job.sort-evenly",
         "a row with no number left shared its weight among all",
         {"Do the numbers below v differ in their scores?", sort}},
        {"job.sort-starts-again",
         "a row with no number left looked at the smallest one",
         {"Which number below v should score best?", sort}},
        {"job.sort-exactly",
         "row v asked for v alone, and shared its weight among all where v is missing",
         {"What does row 2 want, if there is no 2?", sort}},
        {"job.sort-one-of-equals",
         "only the first of several equal numbers got weight",
         {"Should the place of a number matter?", "Print the weights for the ids 2, 2."}},
    };
}

}  // namespace

std::vector<Mistake> known_jobs_mistakes() {
    std::vector<Mistake> all = mistakes_by_place();
    for (const Mistake& mistake : mistakes_by_token()) all.push_back(mistake);
    return all;
}

}  // namespace exercise
