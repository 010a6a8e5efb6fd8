#include "tutorials/exercises/judges/10_2_previous_token_head.h"

namespace exercise {

namespace {

std::vector<Mistake> matrix_mistakes() {
    const std::string one_pair =
        "Multiply (sin 3, cos 3) by your R for d = 2: is it (sin 2, cos 2)?";
    const std::string rates = "Print R for d = 4: the second pair turns 100 times more slowly.";
    return {
        {"prev.one-on",
         "R turned the hands forward, PE[t]·R = PE[t + 1]",
         {"What is sin(a - b), in sines and cosines of a and b?", one_pair}},
        {"prev.mirrored",
         "the two entries of the second column had each the other sign, which mirrors a hand",
         {"What is cos(a - b), in sines and cosines of a and b?", one_pair}},
        {"prev.no-minus",
         "no entry of R was negative",
         {"What is sin(a - b), in sines and cosines of a and b?", one_pair}},
        {"prev.sin-for-cos",
         "sine and cosine were exchanged in R",
         {"What is sin(a - b), in sines and cosines of a and b?", one_pair}},
        {"prev.stays",
         "R left every position where it is",
         {"By which angle does R turn the hand of pair i?", one_pair}},
        {"prev.two-back",
         "R went two positions back",
         {"By which angle does R turn the hand of pair i?", one_pair}},
        {"prev.halves",
         "column i was paired with column i + d/2",
         {"Where does PE keep the cosine that belongs to column 0?", rates}},
        {"prev.all-alike",
         "every pair turned by the angle of the first",
         {"How far does the hand of the last pair go in one step?", rates}},
        {"prev.first-pair", "only the first pair was turned", {"How many pairs are there?", rates}},
        {"pe.pair-over-d",
         "the angles were 10000^(-i/d), without the 2",
         {"How far does the hand of pair 1 go in one step?", rates}},
        {"pe.column-for-pair",
         "i counted columns and not pairs in θ_i",
         {"How far does the hand of pair 1 go in one step?", rates}},
        {"pe.degrees",
         "the angles were converted as if they were given in degrees",
         {"How far does the hand of pair 0 go in one step?", rates}},
    };
}

std::vector<Mistake> head_mistakes() {
    const std::string print = "Print Q·Kᵀ for d = 8 and T = 4: which column is the largest in row "
                              "2?";
    const std::string factor =
        "Subtract the second largest score of a row from the largest, after √d_k: 5 leaves e^-5.";
    return {
        {"prev.looks-ahead",
         "each token looked at the one after it",
         {"Whose position does PE[t]·W_Q have to fit?", print}},
        {"prev.looks-at-itself",
         "each token looked at itself",
         {"What does W_Q·W_Kᵀ come to?", print}},
        {"prev.looks-two-back",
         "each token looked at the one two before it",
         {"How many times is a position turned on its way into a score?", print}},
        {"prev.not-sharp",
         "R was used as it is, so that the scores were too close to each other",
         {"What does √d_k do to scores that are already close?", factor}},
        {"prev.eight-over-root",
         "the scores were 8·PE·R·PEᵀ and then still divided by √d_k",
         {"What is left of your factor after the division by √d_k?", factor}},
        {"prev.eight",
         "the scores were 8·PE·R·PEᵀ as in the lesson, which is too little here",
         {"Does 8 give 0.99 for d = 8 and 1000 tokens?", factor}},
    };
}

}  // namespace

std::vector<Mistake> previous_token_mistakes() {
    std::vector<Mistake> all = matrix_mistakes();
    for (const Mistake& mistake : head_mistakes()) all.push_back(mistake);
    return all;
}

}  // namespace exercise
